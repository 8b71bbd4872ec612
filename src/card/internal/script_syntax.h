// ScriptSyntax: the expressions of a card's JavaScript as a tree, for reading what they declare.
//
// Nothing is ever run. The parser knows the expressions that schemas consist of: literals, lists,
// objects, names, member access, calls, arrow functions. Everything else becomes an opaque node
// that the rest of the text does not suffer from. Depth and size are limited; one pass, except that
// an opaque node is scanned twice.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::card::internal {

struct Syntax {
    enum class Kind : std::uint8_t {
        kNumber,
        kText,
        kTrue,
        kFalse,
        kNull,  // also undefined
        kName,
        kMember,  // parts[0].text
        kCall,    // parts[0](parts[1], …)
        kList,
        kObject,    // names[i]: parts[i]; an empty name is a spread
        kFunction,  // (names…) => parts[0]
        kUnary,     // text parts[0]
        kBinary,    // parts[0] text parts[1]
        kSpread,    // ...parts[0]
        kAssign,    // parts[0] = parts[1]
        kBlock,     // assignments, and the result at the end
        kOpaque
    };
    Kind kind = Kind::kOpaque;
    std::string text = {};
    double number = 0;
    std::vector<Syntax> parts = {};
    std::vector<std::string> names = {};
    std::size_t line = 1;          // from 1
    std::string_view source = {};  // of the node; of the script's text
};

// The declarations of a script.
struct Script {
    std::map<std::string, Syntax, std::less<>> names;  // const, let, var and functions
    std::vector<Syntax> calls;  // of the function that was asked for, as kCall
    bool cut = false;           // a limit was reached; the rest was not read
};
// `text` must outlive the result. `function` is the name whose calls are collected.
Script parse_script(std::string_view text, std::string_view function);

}  // namespace arbiter::card::internal
