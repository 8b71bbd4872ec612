#include "table/player_view.h"

#include <algorithm>
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
constexpr std::size_t kRunMax = 8;  // minimum length of a quotation, in characters

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
    [[nodiscard]] std::vector<Range> find(const Folded& text) const {
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
        return found;
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

Redactor::Redactor(const Value& document, Viewer viewer) : document_(document), viewer_(viewer) {
    if (viewer == Viewer::kOperator || !is_goal_hidden(document)) {
        return;
    }
    auto secret = std::make_shared<Secret>(
        text_in(find_in_campaign(document, {"goal"}), "ultimate_goal_text"));
    if (!secret->goal.empty()) {
        secret_ = std::move(secret);
    }
}

PlayerValue Redactor::audit_record(const Value& record) const {
    const Value* key = value::find_member(&record, "key");
    const auto path = key != nullptr && key->is_string()
                          ? value::parse_path(key->as_string(), value::PathSyntax::kDotted)
                          : base::Result<value::Path>();
    if (!path || !hides(*path)) {
        const Value* changes = value::find_member(&record, "changes");
        const auto diff =
            changes != nullptr ? value::diff_from_value(*changes) : base::Result<value::Diff>();
        const bool is_open = !diff || std::ranges::none_of(*diff, [&](const value::Change& each) {
            return hides(each.path);
        });
        if (is_open) {
            return value(record);
        }
        value::Diff shown = *diff;
        for (value::Change& each : shown) {
            each = change(std::move(each));
        }
        return value(value::Object(record.as_object()).set("changes", value::diff_to_value(shown)));
    }
    value::Object masked = value::Object(record.as_object()).erase("changes");
    for (const std::string_view member : {"before", "after", "value"}) {
        if (masked.contains(member)) {
            masked = std::move(masked).set(member, kMask);
        }
    }
    return PlayerValue(std::move(masked));
}

value::Change Redactor::change(value::Change change) const {
    if (hides(change.path)) {
        change.before = kMask;
        change.after = kMask;
    }
    return change;
}

bool Redactor::hides(const value::Path& path) const {
    if (viewer_ == Viewer::kOperator) {
        return false;
    }
    const Value* at = &document_;
    for (const value::Segment& segment : path) {
        if (at == nullptr || engine::is_filtered_out(*at)) {
            break;
        }
        at = value::find(*at, {segment});
    }
    return at != nullptr && engine::is_filtered_out(*at);
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
    return PlayerValue(viewer_ == Viewer::kOperator ? value : redacted(value));
}

Value Redactor::redacted(const Value& value) const {
    if (value.is_string()) {
        PlayerText shown = text(value.as_string());
        return shown.str() == value.as_string() ? value : Value(std::string_view(shown.str()));
    }
    if (engine::is_filtered_out(value)) {
        return kMask;
    }
    if (value.is_array()) {
        value::Array made = value.as_array();
        for (std::size_t i = 0; i < value.as_array().size(); ++i) {
            Value part = redacted(value.as_array()[i]);
            if (!part.is_identical(value.as_array()[i])) {
                made = std::move(made).set(i, std::move(part));
            }
        }
        return made;
    }
    if (value.is_object()) {
        value::Object made = value.as_object();
        for (const auto& [key, member] : value.as_object()) {
            Value part = redacted(member);
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
    for (const auto& range : secret->find(folded)) {
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
