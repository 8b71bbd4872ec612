// Plain: the document as the simplest code would write it, to compare ours with.
//
// Vectors and full copies, no sharing, no trees; order of members is the order in the vector.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "value/path.h"

namespace arbiter::tests {

struct Plain {
    enum class Kind { kScalar, kArray, kObject };
    Kind kind = Kind::kScalar;
    std::int64_t scalar = 0;
    std::vector<std::string> keys;  // of an object
    std::vector<Plain> members;

    [[nodiscard]] std::string json() const {
        if (kind == Kind::kScalar) {
            return std::to_string(scalar);
        }
        const bool object = kind == Kind::kObject;
        std::string out = object ? "{" : "[";
        for (std::size_t i = 0; i < members.size(); ++i) {
            out += i > 0 ? "," : "";
            out += object ? "\"" + keys[i] + "\":" : "";
            out += members[i].json();
        }
        return out + (object ? "}" : "]");
    }

    // The index of a member, or members.size().
    [[nodiscard]] std::size_t index_of(const value::Segment& segment) const {
        if (kind == Kind::kArray) {
            const auto position = segment.as_position();
            return position && *position < members.size() ? *position : members.size();
        }
        const std::string key(segment.as_key().view());
        return static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin());
    }

    // The container of the last segment, or nullptr.
    Plain* container_of(const value::Path& path) {
        Plain* at = this;
        for (std::size_t i = 0; i + 1 < path.size(); ++i) {
            if (at->kind == Kind::kScalar || at->index_of(path[i]) == at->members.size()) {
                return nullptr;
            }
            at = &at->members[at->index_of(path[i])];
        }
        return at->kind == Kind::kScalar ? nullptr : at;
    }

    bool set(const value::Path& path, Plain value) {
        if (path.empty()) {
            *this = std::move(value);
            return true;
        }
        Plain* container = container_of(path);
        if (container == nullptr) {
            return false;
        }
        const std::size_t index = container->index_of(path.back());
        if (index < container->members.size()) {
            container->members[index] = std::move(value);
        } else if (container->kind == Kind::kObject) {
            container->keys.emplace_back(path.back().as_key().view());
            container->members.push_back(std::move(value));
        } else if (path.back().as_position() == container->members.size()) {
            container->members.push_back(std::move(value));
        } else {
            return false;
        }
        return true;
    }

    bool insert(const value::Path& path, std::size_t position, Plain value) {
        Plain* container = path.empty() ? nullptr : container_of(path);
        if (container == nullptr || position > container->members.size()) {
            return false;
        }
        const auto offset = static_cast<std::ptrdiff_t>(position);
        if (container->kind == Kind::kObject) {
            if (container->index_of(path.back()) < container->members.size()) {
                return false;
            }
            container->keys.emplace(container->keys.begin() + offset, path.back().as_key().view());
        }
        container->members.insert(container->members.begin() + offset, std::move(value));
        return true;
    }

    bool erase(const value::Path& path) {
        Plain* container = path.empty() ? nullptr : container_of(path);
        if (container == nullptr) {
            return false;
        }
        const std::size_t index = container->index_of(path.back());
        if (index == container->members.size()) {
            return false;
        }
        const auto offset = static_cast<std::ptrdiff_t>(index);
        container->members.erase(container->members.begin() + offset);
        if (container->kind == Kind::kObject) {
            container->keys.erase(container->keys.begin() + offset);
        }
        return true;
    }
};

}  // namespace arbiter::tests
