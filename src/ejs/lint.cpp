#include "ejs/lint.h"

#include <vector>

#include "ejs/internal/globals.h"
#include "ejs/internal/parser.h"
#include "ejs/template.h"

namespace arbiter::ejs {

using internal::Node;
using internal::NodeId;
using internal::NodeKind;
using internal::Program;

namespace {

// The symbols that a template declares anywhere.
std::vector<bool> declared_in(const Program& program) {
    std::vector<bool> declared(program.symbols.size());
    std::vector<NodeId> patterns;
    for (const Node& node : program.nodes) {
        const bool declares = node.kind == NodeKind::kDeclare || node.kind == NodeKind::kFunction ||
                              node.kind == NodeKind::kTry;
        if (declares) {
            const auto list = program.list(node);
            patterns.insert(patterns.end(), list.begin(), list.end());
        }
        if (node.kind == NodeKind::kFunction && !node.text.empty()) {
            declared[node.symbol] = true;
        }
        if (node.kind == NodeKind::kAssign) {
            patterns.push_back(node.a);
        }
    }
    while (!patterns.empty()) {
        const Node& node = program[patterns.back()];
        patterns.pop_back();
        if (node.kind == NodeKind::kName) {
            declared[node.symbol] = true;
        } else if (node.kind == NodeKind::kDefault || node.kind == NodeKind::kRest) {
            patterns.push_back(node.a);
        } else if (node.kind == NodeKind::kProperty) {
            patterns.push_back(node.b);
        } else if (node.kind == NodeKind::kArrayPattern || node.kind == NodeKind::kObjectPattern) {
            const auto list = program.list(node);
            patterns.insert(patterns.end(), list.begin(), list.end());
        }
    }
    return declared;
}

}  // namespace

std::optional<Failure> lint(std::string_view text) {
    if (!has_tags(text)) {
        return std::nullopt;
    }
    const auto program = internal::parse(text);
    if (!program) {
        return program.error();
    }
    const std::vector<bool> declared = declared_in(*program);
    std::optional<Failure> first;
    const auto note = [&first](Fault fault, std::size_t line, std::string name) {
        if (!first || line < first->line) {
            first = Failure{fault, line, {std::move(name)}};
        }
    };
    for (const Node& node : program->nodes) {
        if (node.kind == NodeKind::kName && !declared[node.symbol]) {
            if (const auto fault = internal::refusal(node.text)) {
                note(*fault, node.line, std::string(node.text));
            }
        }
        const bool is_random = node.kind == NodeKind::kMember && node.text == "random" &&
                               (*program)[node.a].text == "Math";
        if (is_random) {
            note(Fault::kVaries, node.line, "Math.random");
        }
    }
    return first;
}

}  // namespace arbiter::ejs
