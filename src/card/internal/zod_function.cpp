#include "card/internal/zod_function.h"

#include <algorithm>
#include <string_view>

namespace arbiter::card::internal {
namespace {

using Kind = Syntax::Kind;
using Constant = std::function<std::optional<double>(const Syntax&)>;

// The name of a called function: "_.clamp", "Math.min", "Number".
std::string called(const Syntax& call) {
    const Syntax& callee = call.parts[0];
    if (callee.kind == Kind::kName) {
        return callee.text;
    }
    const bool member = callee.kind == Kind::kMember && callee.parts[0].kind == Kind::kName;
    return member ? callee.parts[0].text + "." + callee.text : std::string();
}

class Cut {
  public:
    // `place` is the text of the number that is cut: v, or data.hp.
    Cut(std::string_view place, const Constant& constant) : place_(place), constant_(constant) {}
    NumberBounds bounds;

    // Depth is that of the tree, which is limited.
    bool read(const Syntax& node) {
        if (node.kind == Kind::kName || node.kind == Kind::kMember) {
            return node.source == place_;
        }
        if (node.kind == Kind::kUnary) {
            return node.text == "+" && read(node.parts[0]);
        }
        // v || 0, v ?? 0
        if (node.kind == Kind::kBinary) {
            return (node.text == "||" || node.text == "??") && read(node.parts[0]) &&
                   constant_(node.parts[1]).has_value();
        }
        return node.kind == Kind::kCall && node.parts.size() > 1 && read_call(node);
    }

  private:
    bool read_call(const Syntax& call) {
        const std::string name = called(call);
        if (name == "_.clamp" || name == "clamp") {
            return clamp(call);
        }
        if (name == "Math.min" || name == "Math.max" || name == "_.min" || name == "_.max") {
            return extreme(call, name.ends_with("min"));
        }
        const bool rounds = name == "Math.round" || name == "Math.floor" || name == "Math.ceil" ||
                            name == "Math.trunc" || name == "_.round" || name == "_.floor" ||
                            name == "_.ceil" || name == "parseInt" || name == "_.toInteger";
        const bool converts = name == "Number" || name == "parseFloat" || name == "_.toNumber";
        bounds.rounds = bounds.rounds || rounds;
        return (rounds || converts) && read(call.parts[1]);
    }
    bool clamp(const Syntax& call) {
        if ((call.parts.size() != 3 && call.parts.size() != 4) || !read(call.parts[1])) {
            return false;
        }
        const auto last = constant_(call.parts.back());
        const auto first = call.parts.size() == 4 ? constant_(call.parts[2]) : std::nullopt;
        if (!last || (call.parts.size() == 4 && !first)) {
            return false;
        }
        if (first) {
            raise(*first);
        }
        lower(*last);
        return true;
    }
    bool extreme(const Syntax& call, bool is_min) {
        bool found = false;
        for (std::size_t i = 1; i < call.parts.size(); ++i) {
            if (const auto at = constant_(call.parts[i])) {
                is_min ? lower(*at) : raise(*at);
            } else if (found || !read(call.parts[i])) {
                return false;
            } else {
                found = true;
            }
        }
        return found;
    }
    void raise(double at) { bounds.min = std::max(bounds.min.value_or(at), at); }
    void lower(double at) { bounds.max = std::min(bounds.max.value_or(at), at); }

    std::string_view place_;
    const Constant& constant_;
};

}  // namespace

std::optional<NumberBounds> bounds_of(const Syntax& function, const Constant& constant) {
    if (function.kind != Kind::kFunction || function.names.size() != 1) {
        return std::nullopt;
    }
    Cut cut(function.names[0], constant);
    return cut.read(function.parts[0]) ? std::optional(cut.bounds) : std::nullopt;
}

std::optional<std::vector<MemberBounds>> member_bounds_of(const Syntax& function,
                                                          const Constant& constant) {
    const bool is_block = function.kind == Kind::kFunction && function.names.size() == 1 &&
                          function.parts[0].kind == Kind::kBlock;
    if (!is_block) {
        return std::nullopt;
    }
    const Syntax& block = function.parts[0];
    const Syntax& result = block.parts.back();
    if (result.kind != Kind::kName || result.text != function.names[0]) {
        return std::nullopt;
    }
    std::vector<MemberBounds> all;
    for (std::size_t i = 0; i + 1 < block.parts.size(); ++i) {
        MemberBounds member;
        const Syntax* at = &block.parts[i].parts[0];
        for (; at->kind == Kind::kMember; at = at->parts.data()) {
            member.keys.insert(member.keys.begin(), at->text);
        }
        Cut cut(block.parts[i].parts[0].source, constant);
        if (at->kind != Kind::kName || at->text != function.names[0] ||
            !cut.read(block.parts[i].parts[1])) {
            return std::nullopt;
        }
        member.bounds = cut.bounds;
        all.push_back(std::move(member));
    }
    return all;
}

}  // namespace arbiter::card::internal
