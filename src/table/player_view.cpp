#include "table/player_view.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <unordered_set>
#include <vector>

#include "engine/marks.h"
#include "table/goal.h"
#include "table/layout.h"
#include "text/case_fold.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::table {

using value::Value;

namespace {

constexpr std::string_view kMask = "……";
constexpr std::size_t kRunMax = 8;            // minimum length of a quotation, in characters
constexpr char32_t kFirstIdeograph = 0x2E80;  // from here on, words have no spaces between them

// White space and punctuation of ASCII, Latin-1, General Punctuation, CJK and full-width forms.
bool is_ignored(char32_t c) {
    const auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
    return in(0x00, 0x2F) || in(0x3A, 0x40) || in(0x5B, 0x60) || in(0x7B, 0xBF) ||
           in(0x2000, 0x206F) || in(0x3000, 0x3020) || c == 0x30FB || in(0xFE10, 0xFE6F) ||
           c == 0xFEFF || in(0xFF01, 0xFF0F) || in(0xFF1A, 0xFF20) || in(0xFF3B, 0xFF40) ||
           in(0xFF5B, 0xFF65);
}

// The significant characters of a text, folded, with the byte range of each.
struct Folded {
    std::u32string characters;
    std::vector<std::size_t> begins;
    std::vector<std::size_t> ends;
};

Folded fold(std::string_view text) {
    const std::string lower = text::fold_case(text);
    Folded folded;
    for (std::size_t at = 0; at < lower.size();) {
        const text::Decoded next = text::decode(std::string_view(lower).substr(at));
        char32_t c = next.code_point;
        if (c >= 0xFF01 && c <= 0xFF5E) {
            c -= 0xFEE0;  // full width to ASCII
        }
        if (c >= 'A' && c <= 'Z') {
            c += 'a' - 'A';  // fold_case() skips a letter after invalid UTF-8
        }
        if (!is_ignored(next.code_point)) {
            folded.characters += c;
            folded.begins.push_back(at);
            folded.ends.push_back(at + next.size);
        }
        at += next.size;
    }
    return folded;
}

}  // namespace

struct Redactor::Secret {
    std::u32string goal;
    std::size_t run = 0;  // length of a quotation, in characters
    std::unordered_set<std::u32string_view> runs;

    // Names of the title, world, areas, characters and items, which players see anyway, and single
    // words: a quotation inside of one is not hidden, unless it is the whole goal.
    std::vector<std::u32string> names;

    explicit Secret(std::string_view text) : goal(fold(text).characters) {
        run = std::min(kRunMax, std::max<std::size_t>(1, (goal.size() + 1) / 2));
        for (std::size_t at = 0; at + run <= goal.size(); ++at) {
            runs.insert(std::u32string_view(goal).substr(at, run));
        }
    }
    Secret(const Secret&) = delete;
    Secret& operator=(const Secret&) = delete;

    // Ranges [first, last] of characters that quote the secret, sorted and disjoint.
    struct Range {
        std::size_t first;
        std::size_t last;
    };
    // `public_names` get the places of names whose quotations are left out.
    [[nodiscard]] std::vector<Range> find(const Folded& text,
                                          std::vector<Range>* public_names = nullptr) const {
        std::vector<Range> found;
        const std::u32string_view all = text.characters;
        for (std::size_t at = 0; at + run <= all.size(); ++at) {
            if (!runs.contains(all.substr(at, run))) {
                continue;
            }
            if (!found.empty() && at <= found.back().last) {
                found.back().last = at + run - 1;
            } else {
                found.push_back({at, at + run - 1});
            }
        }
        std::erase_if(found, [&](const Range& range) {
            const auto name = name_around(all, range);
            if (name && public_names != nullptr) {
                public_names->push_back(*name);
            }
            return name.has_value();
        });
        return found;
    }
    // A name in the text that holds all of the range. None for a quotation of the whole goal.
    [[nodiscard]] std::optional<Range> name_around(std::u32string_view all,
                                                   const Range& range) const {
        const std::size_t size = range.last + 1 - range.first;
        for (const std::u32string& name : names) {
            if (size > name.size() || size >= goal.size()) {
                continue;
            }
            const std::size_t slack = name.size() - size;
            for (std::size_t back = 0; back <= std::min(slack, range.first); ++back) {
                if (all.substr(range.first - back, name.size()) == name) {
                    return Range{range.first - back, range.first - back + name.size() - 1};
                }
            }
        }
        return std::nullopt;
    }
    // Takes a name that holds a quotation.
    void add_name(std::string_view text) {
        std::u32string name = fold(text).characters;
        for (std::size_t at = 0; at + run <= name.size(); ++at) {
            if (runs.contains(std::u32string_view(name).substr(at, run))) {
                names.push_back(std::move(name));
                return;
            }
        }
    }
    // A single word of an alphabet with the small ones beside it, such as "the lighthouse", tells
    // nothing of the secret, however long it is, unless it is half of the goal.
    void add_words(std::string_view text) {
        std::vector<std::string_view> words;  // an empty one between ideographs
        std::size_t begin = 0;
        for (std::size_t at = 0; at <= text.size();) {
            const text::Decoded next = text::decode(text.substr(at));
            const bool is_end = at == text.size() || is_ignored(next.code_point);
            const bool is_ideograph = !is_end && next.code_point >= kFirstIdeograph;
            if ((is_end || is_ideograph) && begin < at) {
                words.push_back(text.substr(begin, at - begin));
            }
            if (is_ideograph) {
                words.emplace_back();
            }
            begin = is_end || is_ideograph ? at + std::max<std::size_t>(1, next.size) : begin;
            at += std::max<std::size_t>(1, next.size);
        }
        constexpr std::size_t kSmallBytesMax = 3;  // the, of, and
        const auto small = [&](std::size_t i) {
            const bool is_small = i < words.size() && words[i].size() <= kSmallBytesMax;
            return is_small ? words[i] : std::string_view();
        };
        for (std::size_t i = 0; i < words.size(); ++i) {
            // The index before the first is beyond the last.
            for (const std::string_view before : {std::string_view(), small(i - 1)}) {
                for (const std::string_view after : {std::string_view(), small(i + 1)}) {
                    const std::string name =
                        std::string(before) + std::string(words[i]) + std::string(after);
                    if (fold(name).characters.size() * 2 < goal.size()) {
                        add_name(name);
                    }
                }
            }
        }
    }
    [[nodiscard]] static std::string mask(std::string_view text, const Folded& folded,
                                          const std::vector<Range>& found) {
        std::string shown;
        std::size_t at = 0;
        for (const Range& range : found) {
            shown += text.substr(at, folded.begins[range.first] - at);
            shown += kMask;
            at = folded.ends[range.last];
        }
        shown += text.substr(at);
        return shown;
    }
};

Redactor::Redactor(const Value& document, Viewer viewer) : documents_{document}, viewer_(viewer) {
    if (viewer == Viewer::kOperator || !is_goal_hidden(document)) {
        return;
    }
    const std::string_view goal =
        text_in(find_in_campaign(document, {"goal"}), "ultimate_goal_text");
    auto secret = std::make_shared<Secret>(goal);
    if (secret->goal.empty()) {
        return;
    }
    secret->add_words(goal);
    const Value* campaign = find_in_campaign(document, {});
    secret->add_name(text_in(campaign, "title"));
    secret->add_name(text_in(find_in_campaign(document, {"world"}), "name"));
    for (const std::string_view kind : {"areas", "characters"}) {
        for (const auto& [id, each] : object_or_empty(find_in_campaign(document, {kind}))) {
            if (engine::is_filtered_out(each)) {
                continue;
            }
            secret->add_name(text_in(&each, "name"));
            const Value* items = each.is_object() ? each.as_object().find("items") : nullptr;
            for (const auto& [item, thing] : object_or_empty(items)) {
                secret->add_name(text_in(&thing, "name"));
            }
        }
    }
    secret_ = std::move(secret);
}

Redactor Redactor::during(const Value& before, const Value& after) const {
    Redactor then = *this;
    then.documents_.push_back(before);
    then.documents_.push_back(after);
    return then;
}

namespace {

// The containers that a path of a recorded proposal may be relative to.
constexpr std::string_view kModules[] = {"play_character_data", "stat_data", "assa_data"};

// The path that a record names; nothing if it names none.
std::optional<value::Path> path_of(const value::Object& record) {
    if (const Value* path = record.find("path"); path != nullptr && path->is_array()) {
        auto parsed = value::path_from_value(*path);
        return parsed ? std::optional(*std::move(parsed)) : std::nullopt;
    }
    const Value* key = record.find("key");
    if (key == nullptr || !key->is_string()) {
        return std::nullopt;
    }
    auto parsed = value::parse_path(key->as_string(), value::PathSyntax::kDotted);
    return parsed ? std::optional(*std::move(parsed)) : std::nullopt;
}

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
    return std::ranges::find(keys, key) != keys.end();
}

}  // namespace

PlayerValue Redactor::records(const Value& records) const {
    return PlayerValue(viewer_ == Viewer::kOperator ? records : redacted_record(records));
}

Value Redactor::redacted_record(const Value& record) const {
    if (record.is_array()) {
        value::Array made;
        for (const Value& each : record.as_array()) {
            made = std::move(made).push_back(redacted_record(each));
        }
        return made;
    }
    if (!record.is_object() || engine::is_filtered_out(record)) {
        return redacted(record, {});
    }
    if (const auto path = path_of(record.as_object())) {
        return redacted_entry(record.as_object(), *path);
    }
    value::Object made = record.as_object();
    for (const auto& [key, member] : record.as_object()) {
        made = std::move(made).set(key, redacted_record(member));
    }
    return made;
}

Value Redactor::redacted_entry(const value::Object& entry, const value::Path& path) const {
    std::vector<value::Path> places = {path};
    if (entry.contains("dialect")) {
        for (const std::string_view module : kModules) {
            places.push_back(path);
            places.back().insert(places.back().begin(), value::Segment(module));
        }
    }
    const bool hidden = std::ranges::any_of(places, [&](const auto& each) { return hides(each); });
    const bool near =
        hidden || std::ranges::any_of(places, [&](const auto& each) { return covers(each); });
    value::Object made = entry;
    for (const auto& [key, member] : entry) {
        if (is_one_of(key, {"before", "after", "value", "old"})) {
            Value shown = member;
            for (const value::Path& place : places) {
                shown = value_at(place, shown).get();
            }
            made = std::move(made).set(key, std::move(shown));
        } else if (near && is_one_of(key, {"actual", "expected"})) {
            made = std::move(made).set(key, kMask);
        } else if ((near && is_one_of(key, {"details", "remarks"})) ||
                   (hidden && key == "changes")) {
            made = std::move(made).erase(key);
        } else {
            made = std::move(made).set(key, redacted_record(member));
        }
    }
    return made;
}

value::Change Redactor::change(value::Change change) const {
    change.before = value_at(change.path, change.before).get();
    change.after = value_at(change.path, change.after).get();
    return change;
}

bool Redactor::hides(const value::Path& path) const {
    if (viewer_ == Viewer::kOperator) {
        return false;
    }
    return std::ranges::any_of(documents_, [&](const Value& document) {
        const Value* at = &document;
        for (const value::Segment& segment : path) {
            if (at == nullptr || engine::is_filtered_out(*at)) {
                break;
            }
            at = value::find(*at, {segment});
        }
        return at != nullptr && engine::is_filtered_out(*at);
    });
}

bool Redactor::covers(const value::Path& path) const {
    return viewer_ == Viewer::kPlayer && std::ranges::any_of(nodes_at(path), [](const Value* node) {
               return engine::has_filtered_out(*node);
           });
}

Redactor::Nodes Redactor::nodes_at(const value::Path& path) const {
    Nodes nodes;
    for (const Value& document : documents_) {
        if (const Value* node = value::find(document, path)) {
            nodes.push_back(node);
        }
    }
    return nodes;
}

PlayerText Redactor::text(std::string_view text) const {
    if (!secret_) {
        return PlayerText(std::string(text));
    }
    const Folded folded = fold(text);
    const auto found = secret_->find(folded);
    return PlayerText(found.empty() ? std::string(text) : Secret::mask(text, folded, found));
}

PlayerValue Redactor::value(const Value& value) const {
    return PlayerValue(viewer_ == Viewer::kOperator ? value : redacted(value, {}));
}

PlayerValue Redactor::value_at(const value::Path& path, const Value& value) const {
    if (hides(path) && !value.is_null()) {
        return PlayerValue(kMask);
    }
    return PlayerValue(viewer_ == Viewer::kOperator ? value : redacted(value, nodes_at(path)));
}

Value Redactor::redacted(const Value& value, const Nodes& nodes) const {
    const auto is_hidden = [](const Value* node) { return engine::is_filtered_out(*node); };
    if (engine::is_filtered_out(value) || std::ranges::any_of(nodes, is_hidden)) {
        return kMask;
    }
    if (value.is_string()) {
        PlayerText shown = text(value.as_string());
        return shown.str() == value.as_string() ? value : Value(std::string_view(shown.str()));
    }
    const auto below = [&](const value::Segment& member) {
        Nodes found;
        for (const Value* node : nodes) {
            if (const Value* inner = value::find(*node, {member})) {
                found.push_back(inner);
            }
        }
        return found;
    };
    if (value.is_array()) {
        value::Array made = value.as_array();
        for (std::size_t i = 0; i < value.as_array().size(); ++i) {
            Value part = redacted(value.as_array()[i], below(static_cast<std::int64_t>(i)));
            if (!part.is_identical(value.as_array()[i])) {
                made = std::move(made).set(i, std::move(part));
            }
        }
        return made;
    }
    if (value.is_object()) {
        value::Object made = value.as_object();
        for (const auto& [key, member] : value.as_object()) {
            Value part = redacted(member, below(value::Segment(key)));
            if (!part.is_identical(member)) {
                made = std::move(made).set(key, std::move(part));
            }
        }
        return made;
    }
    return value;
}

PlayerText RedactedStream::feed(std::string_view piece) {
    const Redactor::Secret* secret = redactor_.secret_.get();
    if (secret == nullptr) {
        return redactor_.text(piece);
    }
    pending_ += piece;
    Folded folded = fold(pending_);
    if (!folded.characters.empty() && folded.characters.back() == text::kReplacement &&
        folded.ends.back() == pending_.size()) {
        // The piece may end inside a UTF-8 sequence.
        folded.characters.pop_back();
        folded.begins.pop_back();
        folded.ends.pop_back();
    }
    if (folded.characters.size() < secret->run) {
        return {};
    }
    // An incomplete quotation begins within the last run - 1 characters.
    std::size_t kept = folded.characters.size() - (secret->run - 1);
    std::vector<Redactor::Secret::Range> held;
    std::ranges::copy(secret->find(folded, &held), std::back_inserter(held));
    std::ranges::sort(held, std::ranges::greater(), &Redactor::Secret::Range::first);
    for (const auto& range : held) {
        if (range.first < kept && range.last + 1 >= kept) {
            kept = range.first;
        }
    }
    const std::size_t end = kept == 0 ? 0 : folded.ends[kept - 1];
    PlayerText shown = redactor_.text(std::string_view(pending_).substr(0, end));
    pending_.erase(0, end);
    return shown;
}

PlayerText RedactedStream::finish() {
    PlayerText shown = redactor_.text(pending_);
    pending_.clear();
    return shown;
}

}  // namespace arbiter::table
