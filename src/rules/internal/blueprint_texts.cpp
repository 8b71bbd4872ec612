#include "rules/internal/blueprint_texts.h"

#include "value/described.h"

namespace arbiter::rules::internal {

using value::Path;
using value::Value;

namespace {

void collect(const Value& node, Path& at, std::vector<Path>& texts) {
    if (!node.is_object()) {
        if (value::undescribed(node).is_string()) {
            texts.push_back(at);
        }
        return;
    }
    for (const auto& [key, member] : node.as_object()) {
        at.emplace_back(key);
        collect(member, at, texts);
        at.pop_back();
    }
}

}  // namespace

std::vector<Path> blueprint_texts(const value::Object& blueprint) {
    std::vector<Path> texts;
    Path root;
    collect(Value(blueprint), root, texts);
    return texts;
}

}  // namespace arbiter::rules::internal
