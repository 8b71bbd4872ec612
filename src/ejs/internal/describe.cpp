#include "ejs/internal/describe.h"

#include <vector>

#include "base/limits.h"
#include "text/truncate.h"

namespace arbiter::ejs::internal {

std::string describe(const Program& program, NodeId id) {
    std::string out;
    std::vector<const Node*> parts;
    for (; id != kNoNode && parts.size() < 12; id = parts.back()->a) {
        const Node& node = program[id];
        const bool is_part = node.kind == NodeKind::kMember || node.kind == NodeKind::kIndex ||
                             node.kind == NodeKind::kCall || node.kind == NodeKind::kChain;
        parts.push_back(&node);
        if (!is_part) {
            break;
        }
    }
    for (const Node* node : parts) {
        switch (node->kind) {
            case NodeKind::kName:
                out.insert(0, node->text);
                break;
            case NodeKind::kMember:
                out.insert(0, "." + std::string(node->text));
                break;
            case NodeKind::kIndex:
                out.insert(0, "[…]");
                break;
            case NodeKind::kCall: {
                const auto arguments = program.list(*node);
                const bool has_text =
                    !arguments.empty() && program[arguments[0]].kind == NodeKind::kText;
                out.insert(
                    0, has_text ? "('" + std::string(program[arguments[0]].text) + "')" : "(…)");
                break;
            }
            case NodeKind::kChain:
                break;
            default:
                out.insert(0, "(…)");
        }
    }
    return std::string(text::truncate(out, base::kDetailBytesMax));
}

}  // namespace arbiter::ejs::internal
