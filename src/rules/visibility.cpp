#include "rules/visibility.h"

#include <algorithm>

#include "expr/formula.h"
#include "text/keyword_parts.h"
#include "value/array.h"
#include "value/diff.h"

namespace arbiter::rules {

using value::Array;
using value::Object;
using value::Path;
using value::Segment;
using value::Value;

namespace {

// Tolerant: the metadata may have been edited by hand.
std::string_view text_of(const Value& value) {
    return value.is_string() ? value.as_string() : std::string_view();
}

}  // namespace

void VisibilityMemory::add(std::string_view path, std::string_view keyword) {
    std::uint32_t id = 0;
    if (free_.empty()) {
        id = static_cast<std::uint32_t>(paths_.size());
        paths_.emplace_back(path);
    } else {
        id = free_.back();
        free_.pop_back();
        paths_[id] = path;
    }
    ids_[std::string(path)] = id;
    for (const std::string_view part : text::keyword_parts(keyword)) {
        keywords_.add(part, id);
        fresh_.add(part, id);
    }
}

void VisibilityMemory::remove(std::string_view path, std::string_view keyword) {
    const auto found = ids_.find(std::string(path));
    if (found == ids_.end()) {
        return;
    }
    for (const std::string_view part : text::keyword_parts(keyword)) {
        keywords_.remove(part, found->second);
        fresh_.remove(part, found->second);
    }
    gone_.push_back(found->second);
    free_.push_back(found->second);
    ids_.erase(found);
}

void VisibilityMemory::follow(const Object& marked) {
    // Looks only at the differences; versions of one campaign share the rest.
    for (const value::Change& change : value::diff(marked_, marked)) {
        if (change.path.size() != 1) {
            // Another campaign: start over.
            *this = VisibilityMemory();
            for (const auto& [path, keyword] : marked) {
                add(path, text_of(keyword));
            }
            break;
        }
        const value::Str path = change.path[0].as_key();
        if (change.kind != value::Change::Kind::kAdd) {
            remove(path, text_of(change.before));
        }
        if (change.kind != value::Change::Kind::kRemove) {
            add(path, text_of(change.after));
        }
    }
    marked_ = marked;
}

// Applies added and removed keywords to the cached results.
void VisibilityMemory::catch_up() {
    // Searching for so many costs nearly as much as searching for all.
    constexpr std::size_t kFreshMax = 100;
    if (fresh_.size() > kFreshMax) {
        searched_.clear();
    }
    for (Searched& each : searched_) {
        for (const std::uint32_t id : gone_) {
            std::erase(each.ids, text::Keywords::Id{id});
        }
        if (fresh_.size() > 0) {
            const auto more = fresh_.find(each.reply.as_string());
            each.ids.insert(each.ids.end(), more.begin(), more.end());
        }
    }
    fresh_ = text::Keywords();
    gone_.clear();
}

std::vector<std::string> VisibilityMemory::found(const Array& replies, std::size_t last) {
    catch_up();
    std::vector<Searched> now;
    std::vector<text::Keywords::Id> ids;
    const std::size_t first = replies.size() - std::min(last, replies.size());
    for (std::size_t i = first; i < replies.size(); ++i) {
        const auto known = std::ranges::find_if(
            searched_, [&](const Searched& each) { return each.reply.is_identical(replies[i]); });
        now.push_back(known != searched_.end()
                          ? *known
                          : Searched{replies[i], keywords_.find(text_of(replies[i]))});
        ids.insert(ids.end(), now.back().ids.begin(), now.back().ids.end());
    }
    searched_ = std::move(now);
    std::ranges::sort(ids);
    const auto rest = std::ranges::unique(ids);
    ids.erase(rest.begin(), rest.end());
    std::vector<std::string> paths;
    paths.reserve(ids.size());
    for (const text::Keywords::Id id : ids) {
        paths.push_back(paths_[static_cast<std::size_t>(id)]);
    }
    std::ranges::sort(paths);
    return paths;
}

bool is_marked(const Value& value, std::string_view mark) {
    const Value* found = value.is_object() ? value.as_object().find(mark) : nullptr;
    return found != nullptr && expr::is_true(*found);
}

void visit_marked(const Value& value, Path& path, std::string_view mark,
                  const std::function<void(const Path&)>& visit) {
    if (is_marked(value, mark)) {
        visit(path);
    }
    if (value.is_object()) {
        for (const auto& [key, member] : value.as_object()) {
            if (member.is_container()) {
                path.emplace_back(key);
                visit_marked(member, path, mark, visit);
                path.pop_back();
            }
        }
    } else if (value.is_array()) {
        std::int64_t index = 0;
        for (const Value& member : value.as_array()) {
            if (member.is_container()) {
                path.emplace_back(index);
                visit_marked(member, path, mark, visit);
                path.pop_back();
            }
            ++index;
        }
    }
}

}  // namespace arbiter::rules
