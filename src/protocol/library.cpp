#include "protocol/library.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "base/limits.h"
#include "protocol/internal/resolver.h"
#include "text/join.h"
#include "text/nearest.h"
#include "text/truncate.h"
#include "value/array.h"

namespace arbiter::protocol {

using base::Error;
using base::ErrorCode;
using value::Path;
using value::Value;

namespace {

// The path of a reference in the source of a protocol.
Path path_of_reference(const Value& written, std::string_view name) {
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

// Finds cycles of dependencies, each once, starting at its smallest id.
class CycleFinder {
  public:
    explicit CycleFinder(const Library& library) : library_(library) {}

    std::vector<std::pair<const Library::Row*, std::string>> find() {
        for (const Library::Row& row : library_.rows()) {
            visit(row);
        }
        return std::move(found_);
    }

  private:
    void visit(const Library::Row& row) {
        // Deeper rows are visited as roots of their own.
        if (stack_.size() == base::kProtocolDepthMax || !done_.insert(row.protocol.get()).second) {
            return;
        }
        stack_.push_back(&row);
        for (const Reference& reference : row.protocol->dependencies) {
            const Library::Row* next = library_.find(reference);
            if (next == nullptr) {
                continue;
            }
            const auto open = std::ranges::find(stack_, next);
            if (open != stack_.end()) {
                report(static_cast<std::size_t>(open - stack_.begin()));
            } else {
                visit(*next);
            }
        }
        stack_.pop_back();
    }

    void report(std::size_t from) {
        std::vector<const Library::Row*> cycle(stack_.begin() + static_cast<std::ptrdiff_t>(from),
                                               stack_.end());
        std::ranges::rotate(cycle, std::ranges::min_element(cycle, {}, [](const auto* row) {
                                return row->protocol->id;
                            }));
        std::string text;
        for (const Library::Row* row : cycle) {
            text += row->protocol->id + " → ";
        }
        found_.emplace_back(cycle.front(), text + cycle.front()->protocol->id);
    }

    const Library& library_;
    std::set<const Protocol*> done_;
    std::vector<const Library::Row*> stack_;
    std::vector<std::pair<const Library::Row*, std::string>> found_;
};

}  // namespace

Library Library::make(std::vector<Entry> entries) {
    Library library;
    // The result must not depend on the order of the files.
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
        // Only the version that the bare id selects has keywords.
        if (library.find({row.protocol->id})->protocol != row.protocol) {
            continue;
        }
        const auto add = [&](text::Keywords& into, const std::string& keyword,
                             const std::string& id) {
            into.add(keyword, library.keywords_.size());
            library.keywords_.push_back({id, keyword});
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
    std::string there =
        text::join(versions(id), ", ", [](const Row& row) { return full_name(*row.protocol); });
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
            constexpr std::size_t kNamedMax = 40;  // a message, not a listing
            there = text::join(std::span(ids).first(std::min(ids.size(), kNamedMax)));
            there += ids.size() > kNamedMax ? " …" : "";
        }
    }
    return Error(ErrorCode::kProtocolUnknown,
                 {text::truncate_with_ellipsis(reference, base::kDetailBytesMax),
                  there.empty() ? "-" : there});
}

std::optional<Error> Library::find_problem(const Reference& reference) const {
    if (find(reference) == nullptr) {
        return unknown(print(reference));
    }
    const ProtocolRequest request[] = {{print(reference)}};
    const Resolved alone = resolve(request);
    const bool is_usable = std::ranges::any_of(alone.active, [&](const Resolved::Active& each) {
        return each.protocol->id == reference.id;
    });
    if (is_usable || alone.warnings.empty()) {
        return std::nullopt;
    }
    return alone.warnings.front();
}

std::vector<Library::FileDiagnostic> Library::check() const {
    std::vector<FileDiagnostic> found;
    for (const Row& row : rows_) {
        if (found.size() > base::kNoticesMax) {
            break;
        }
        const Protocol& protocol = *row.protocol;
        for (const Reference& reference : protocol.dependencies) {
            if (find(reference) == nullptr) {
                found.push_back(
                    {row.file,
                     {path_of_reference(protocol.written, print(reference)), false,
                      Error(ErrorCode::kProtocolNeeds, {full_name(protocol), print(reference)})}});
            }
        }
        for (const auto* list : {&protocol.conflicts, &protocol.replaces, &protocol.keep}) {
            for (const Reference& reference : *list) {
                if (find(reference) == nullptr) {
                    found.push_back({row.file,
                                     {path_of_reference(protocol.written, print(reference)), false,
                                      unknown(print(reference))}});
                }
            }
        }
        for (const Activation::Keyword& keyword : protocol.activation.keywords) {
            if (keyword.id != protocol.id && find({keyword.id}) == nullptr) {
                found.push_back(
                    {row.file, {{"activation", "intent_mappings"}, false, unknown(keyword.id)}});
            }
        }
    }
    for (const auto& [row, text] : CycleFinder(*this).find()) {
        found.push_back({row->file, {{"meta"}, false, Error(ErrorCode::kProtocolCycle, {text})}});
    }
    // Each costs a search for the nearest name, and for its line.
    if (found.size() > base::kNoticesMax) {
        found.erase(found.begin() + base::kNoticesMax + 1, found.end());
        found.back().diagnostic.error =
            Error(ErrorCode::kMoreFaults, {std::to_string(base::kNoticesMax)});
    }
    // Sorted by file; the order within a file stays.
    std::map<std::string, std::vector<FileDiagnostic>> by_file;
    for (FileDiagnostic& each : found) {
        by_file[each.file].push_back(std::move(each));
    }
    found.clear();
    for (auto& [file, some] : by_file) {
        std::ranges::move(some, std::back_inserter(found));
    }
    return found;
}

namespace {

std::vector<Library::KeywordMatch> matches_in(const text::Keywords& keywords,
                                              const std::vector<Library::KeywordMatch>& all,
                                              std::string_view folded) {
    std::vector<Library::KeywordMatch> matches;
    std::set<std::string_view> known;
    for (const text::Keywords::Id id : keywords.find(folded)) {
        const Library::KeywordMatch& each = all[static_cast<std::size_t>(id)];
        if (known.insert(each.id).second) {
            matches.push_back(each);
        }
    }
    std::ranges::sort(matches, {}, &Library::KeywordMatch::id);
    return matches;
}

}  // namespace

std::vector<Library::KeywordMatch> Library::starts_in(std::string_view folded_text) const {
    return matches_in(starts_, keywords_, folded_text);
}
std::vector<Library::KeywordMatch> Library::ends_in(std::string_view folded_text) const {
    return matches_in(ends_, keywords_, folded_text);
}

Resolved Library::resolve(std::span<const ProtocolRequest> requests,
                          const ResolveOptions& options) const {
    return internal::resolve(*this, requests, options);
}

}  // namespace arbiter::protocol
