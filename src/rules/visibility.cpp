#include "rules/visibility.h"

#include <algorithm>

#include "expr/formula.h"
#include "value/array.h"
#include "value/diff.h"

namespace arbiter::rules {

using value::Array;
using value::Object;
using value::Path;
using value::Segment;
using value::Value;

namespace {

// What is remembered lies in files that people edit.
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
    }
}

void VisibilityMemory::remove(std::string_view path, std::string_view keyword) {
    const auto found = ids_.find(std::string(path));
    if (found == ids_.end()) {
        return;
    }
    for (const std::string_view part : text::keyword_parts(keyword)) {
        keywords_.remove(part, found->second);
    }
    free_.push_back(found->second);
    ids_.erase(found);
}

void VisibilityMemory::follow(const Object& marked) {
    // Only what is different is looked at; versions of one campaign share the rest.
    for (const value::Change& change : value::diff(marked_, marked)) {
        if (change.path.size() != 1) {
            // Another campaign altogether: begin anew.
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

std::vector<std::string> VisibilityMemory::found(const Array& replies, std::size_t last) const {
    std::vector<text::Keywords::Id> ids;
    const std::size_t first = replies.size() - std::min(last, replies.size());
    for (std::size_t i = first; i < replies.size(); ++i) {
        const auto in_one = keywords_.find(text_of(replies[i]));
        ids.insert(ids.end(), in_one.begin(), in_one.end());
    }
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
