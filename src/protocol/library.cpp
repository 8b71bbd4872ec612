#include "protocol/library.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/limits.h"
#include "text/nearest.h"
#include "value/array.h"

namespace arbiter::protocol {

using base::Error;
using base::ErrorCode;
using value::Path;
using value::Value;

namespace {

// Where in a file something is named, for a message about it.
Path place_of(const Value& written, std::string_view name) {
    for (const auto& outer : {Path{"meta"}, Path{}}) {
        for (const std::string_view key :
             {"dependencies", "requires", "conflicts_with", "replaces", "keep"}) {
            Path path = outer;
            path.emplace_back(key);
            const Value* list = value::find(written, path);
            if (list == nullptr) {
                continue;
            }
            if (list->is_string() && list->as_string() == name) {
                return path;
            }
            for (std::size_t i = 0; list->is_array() && i < list->as_array().size(); ++i) {
                const Value& each = list->as_array()[i];
                const auto reference =
                    each.is_string() ? parse_reference(each.as_string()) : std::nullopt;
                if (reference && print(*reference) == name) {
                    path.emplace_back(static_cast<std::int64_t>(i));
                    return path;
                }
            }
        }
    }
    return {"meta"};
}

// Circles among the newest versions, each told once, by its smallest id.
class Circles {
  public:
    explicit Circles(const Library& library) : library_(library) {}

    std::vector<std::pair<const Library::Row*, std::string>> find() {
        for (const Library::Row& row : library_.rows()) {
            visit(row);
        }
        return std::move(found_);
    }

  private:
    void visit(const Library::Row& row) {
        // What lies deeper begins a way of its own.
        if (way_.size() == base::kProtocolDepthMax || !done_.insert(row.protocol.get()).second) {
            return;
        }
        way_.push_back(&row);
        for (const Reference& reference : row.protocol->dependencies) {
            const Library::Row* next = library_.find(reference);
            if (next == nullptr) {
                continue;
            }
            const auto open = std::ranges::find(way_, next);
            if (open != way_.end()) {
                tell(static_cast<std::size_t>(open - way_.begin()));
            } else {
                visit(*next);
            }
        }
        way_.pop_back();
    }

    void tell(std::size_t from) {
        std::vector<const Library::Row*> circle(way_.begin() + static_cast<std::ptrdiff_t>(from),
                                                way_.end());
        std::ranges::rotate(circle, std::ranges::min_element(circle, {}, [](const auto* row) {
                                return row->protocol->id;
                            }));
        std::string text;
        for (const Library::Row* row : circle) {
            text += row->protocol->id + " → ";
        }
        found_.emplace_back(circle.front(), text + circle.front()->protocol->id);
    }

    const Library& library_;
    std::set<const Protocol*> done_;
    std::vector<const Library::Row*> way_;
    std::vector<std::pair<const Library::Row*, std::string>> found_;
};

}  // namespace

Library Library::make(std::vector<Entry> entries) {
    Library library;
    // The order in which files were found must not matter.
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
        if (a.protocol.id != b.protocol.id) {
            return a.protocol.id < b.protocol.id;
        }
        if (const auto order = a.protocol.version <=> b.protocol.version; order != 0) {
            return order > 0;
        }
        return a.layer != b.layer ? a.layer > b.layer : a.file < b.file;
    });
    const Entry* last = nullptr;
    for (Entry& entry : entries) {
        if (last != nullptr && library.rows_.back().protocol->id == entry.protocol.id &&
            library.rows_.back().protocol->version == entry.protocol.version) {
            if (last->layer == entry.layer) {
                library.duplicates_.push_back(
                    {entry.file,
                     {{"meta", "id"},
                      false,
                      Error(ErrorCode::kProtocolDuplicate,
                            {full_name(entry.protocol), library.rows_.back().file})}});
            }
            continue;
        }
        last = &entry;
        library.rows_.push_back(
            {entry.file, std::make_shared<const Protocol>(std::move(entry.protocol))});
    }
    for (const Row& row : library.rows_) {
        // Keywords are those of the version that an id alone means.
        if (library.find({row.protocol->id})->protocol != row.protocol) {
            continue;
        }
        const auto add = [&](text::Keywords& into, const std::string& keyword,
                             const std::string& id) {
            into.add(keyword, library.said_.size());
            library.said_.push_back({id, keyword});
        };
        for (const Activation::Keyword& keyword : row.protocol->activation.keywords) {
            add(library.starts_, keyword.text, keyword.id);
        }
        for (const std::string& keyword : row.protocol->activation.end_keywords) {
            add(library.ends_, keyword, row.protocol->id);
        }
    }
    return library;
}

std::span<const Library::Row> Library::versions(std::string_view id) const noexcept {
    const auto id_of = [](const Row& row) -> std::string_view { return row.protocol->id; };
    const auto found = std::ranges::equal_range(rows_, id, {}, id_of);
    return {found.begin(), found.end()};
}

const Library::Row* Library::find(const Reference& reference) const noexcept {
    const Row* early = nullptr;
    for (const Row& row : versions(reference.id)) {
        if (!reference.pin.allows(row.protocol->version)) {
            continue;
        }
        if (row.protocol->version.pre.empty()) {
            return &row;
        }
        early = early == nullptr ? &row : early;
    }
    return early;
}

Error Library::unknown(std::string_view reference) const {
    const auto parsed = parse_reference(reference);
    const std::string id = parsed ? parsed->id : std::string(reference);
    std::string there;
    for (const Row& row : versions(id)) {
        there += (there.empty() ? "" : ", ") + full_name(*row.protocol);
    }
    if (there.empty()) {
        std::vector<std::string_view> ids;
        for (const Row& row : rows_) {
            if (ids.empty() || ids.back() != row.protocol->id) {
                ids.emplace_back(row.protocol->id);
            }
        }
        if (const auto meant = text::nearest(id, ids)) {
            there = std::string(*meant);
        } else {
            constexpr std::size_t kShownMax = 40;  // a message, not a listing
            for (std::size_t i = 0; i < std::min(ids.size(), kShownMax); ++i) {
                there += (there.empty() ? "" : ", ") + std::string(ids[i]);
            }
            there += ids.size() > kShownMax ? " …" : "";
        }
    }
    return Error(ErrorCode::kProtocolUnknown,
                 {std::string(reference.substr(0, 200)), there.empty() ? "-" : there});
}

std::vector<Library::Issue> Library::check() const {
    std::vector<Issue> issues;
    for (const Row& row : rows_) {
        const Protocol& protocol = *row.protocol;
        for (const Reference& reference : protocol.dependencies) {
            if (find(reference) == nullptr) {
                issues.push_back(
                    {row.file,
                     {place_of(protocol.written, print(reference)), false,
                      Error(ErrorCode::kProtocolNeeds, {full_name(protocol), print(reference)})}});
            }
        }
        for (const auto* list : {&protocol.conflicts, &protocol.replaces, &protocol.keep}) {
            for (const Reference& reference : *list) {
                if (find(reference) == nullptr) {
                    issues.push_back({row.file,
                                      {place_of(protocol.written, print(reference)), false,
                                       unknown(print(reference))}});
                }
            }
        }
        for (const Activation::Keyword& keyword : protocol.activation.keywords) {
            if (keyword.id != protocol.id && find({keyword.id}) == nullptr) {
                issues.push_back(
                    {row.file, {{"activation", "intent_mappings"}, false, unknown(keyword.id)}});
            }
        }
    }
    for (const auto& [row, text] : Circles(*this).find()) {
        issues.push_back({row->file, {{"meta"}, false, Error(ErrorCode::kProtocolCycle, {text})}});
    }
    // By file; what is wrong with one stays in order.
    std::map<std::string, std::vector<Issue>> by_file;
    for (Issue& issue : issues) {
        by_file[issue.file].push_back(std::move(issue));
    }
    std::vector<Issue> sorted;
    for (auto& [file, some] : by_file) {
        std::ranges::move(some, std::back_inserter(sorted));
    }
    return sorted;
}

namespace {

std::vector<Library::Said> said_in(const text::Keywords& keywords,
                                   const std::vector<Library::Said>& all, std::string_view folded) {
    std::vector<Library::Said> said;
    for (const text::Keywords::Id id : keywords.find(folded)) {
        const Library::Said& each = all[static_cast<std::size_t>(id)];
        if (std::ranges::find(said, each.id, &Library::Said::id) == said.end()) {
            said.push_back(each);
        }
    }
    std::ranges::sort(said, {}, &Library::Said::id);
    return said;
}

}  // namespace

std::vector<Library::Said> Library::starts_in(std::string_view folded_text) const {
    return said_in(starts_, said_, folded_text);
}
std::vector<Library::Said> Library::ends_in(std::string_view folded_text) const {
    return said_in(ends_, said_, folded_text);
}

// ---- what a card names

namespace {

void add_wishes(const Value* list, CardWishes& into) {
    if (list == nullptr || list->is_null()) {
        return;
    }
    const auto add = [&](const Value& each) {
        std::string text;
        if (each.is_string()) {
            text = each.as_string();
        } else if (each.is_object()) {
            const Value* id = each.as_object().find("id");
            const Value* version = each.as_object().find("version");
            text = id != nullptr && id->is_string() ? id->as_string() : "";
            text += version != nullptr && version->is_string()
                        ? "@" + std::string(version->as_string())
                        : "";
        }
        const auto reference = parse_reference(text);
        if (!reference) {
            into.warnings.emplace_back(ErrorCode::kProtocolReference,
                                       std::vector<std::string>{"\"" + text.substr(0, 200) + "\""});
        } else if (into.wishes.size() < base::kProtocolListMax &&
                   std::ranges::find(into.wishes, print(*reference), &Wish::reference) ==
                       into.wishes.end()) {
            into.wishes.push_back({print(*reference), {Why::What::kCard, {}}});
        }
    };
    if (list->is_array()) {
        std::ranges::for_each(list->as_array(), add);
    } else {
        add(*list);
    }
}

}  // namespace

CardWishes wishes_of_card(const Value& card) {
    CardWishes found;
    for (const Path& root :
         {Path{}, Path{"data"}, Path{"extensions"}, Path{"data", "extensions"}}) {
        for (const bool inner : {true, false}) {
            for (const std::string_view key : {"protocols", "enabled_schemas"}) {
                Path path = root;
                if (inner) {
                    path.emplace_back("configuration");
                }
                path.emplace_back(key);
                add_wishes(value::find(card, path), found);
            }
        }
    }
    return found;
}

}  // namespace arbiter::protocol
