#include "conflict/declared.h"

#include <array>
#include <utility>

#include "value/json.h"
#include "value/preview.h"

namespace arbiter::conflict {
namespace {

using value::Value;

// The type of a claim about a member of a character.
Type type_of_member(std::string_view key) {
    static constexpr std::array<std::pair<std::string_view, Type>, 7> kMembers = {{
        {"hp", Type::kHp},
        {"area_id", Type::kPosition},
        {"status", Type::kAliveState},
        {"items", Type::kInventory},
        {"inventory", Type::kInventory},
        {"resources", Type::kOther},
        {"rules", Type::kRules},
    }};
    for (const auto& [name, type] : kMembers) {
        if (name == key) {
            return type;
        }
    }
    return Type::kCharacterSheet;
}

std::string_view key_of(const value::Segment& segment) {
    return segment.is_index() ? std::string_view() : segment.key();
}

void note_path(Finding& finding, const value::Path& path) {
    finding.type = Type::kOther;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const std::string_view key = key_of(path[i]);
        if (key == "characters" && i + 2 < path.size()) {
            finding.target = key_of(path[i + 1]);
            finding.type = type_of_member(key_of(path[i + 2]));
            return;
        }
        if ((key == "areas" || key == "paths") && i + 1 < path.size()) {
            finding.target = key == "areas" ? key_of(path[i + 1]) : std::string_view();
            finding.type = Type::kMap;
            return;
        }
        if (key == "rules") {
            finding.type = Type::kRules;
            return;
        }
    }
}

}  // namespace

std::vector<Finding> check_declared(const protocol::Claims& claims, const Value& document) {
    std::vector<Finding> findings;
    for (const protocol::Claim& claim : claims.list) {
        const Value* truth = value::find(document, claim.path);
        if (truth != nullptr && *truth == claim.value) {
            continue;
        }
        Finding finding;
        note_path(finding, claim.path);
        finding.layer = Layer::kDeclared;
        finding.confidence = 100;
        finding.found = value::preview(claim.value);
        finding.expected = truth != nullptr ? value::preview(*truth) : std::string();
        finding.quote =
            value::print_path(claim.path, value::PathSyntax::kDotted) + " = " + finding.found;
        findings.push_back(std::move(finding));
    }
    return findings;
}

}  // namespace arbiter::conflict
