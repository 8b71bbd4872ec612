#include "proposal/shape.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/limits.h"
#include "proposal/operations.h"
#include "text/ascii.h"
#include "text/regex.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"
#include "value/number.h"
#include "value/preview.h"

namespace arbiter::proposal {
namespace {

using value::Path;
using value::Segment;
using value::Value;

// Whether a name is a JavaScript identifier, ASCII only.
bool is_identifier(std::string_view name) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !name.empty() && letter(name[0]) &&
           std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

// A path that the dialect accepts.
std::string example_of(const Proposal& proposal) {
    switch (proposal.dialect) {
        case Dialect::kTavern:
            return "character.saveData.金币";
        case Dialect::kJson:
            return R"(["player", "hp"])";
        case Dialect::kPatch:
            return "/player/hp";
        case Dialect::kMemory:
            return "world_set.npc";
        case Dialect::kMvu:
        case Dialect::kFilament:
        case Dialect::kTool:
        case Dialect::kCount:
            break;
    }
    return "player.hp";
}

void check_path(Proposal& proposal, const Instruction& instruction, const Path& path) {
    if (path.size() > base::kProposalPathMax) {
        proposal.refuse(Code::kTooDeep, {std::to_string(base::kProposalPathMax)});
        return;
    }
    // In MVU the path may be the root, and an empty name is a name that never exists.
    const bool lenient = instruction.mount == Mount::kMvu;
    // An unreadable path was already reported.
    if (path.empty() && !lenient &&
        std::ranges::find(proposal.problems, Code::kBadPath, &Problem::code) ==
            proposal.problems.end()) {
        proposal.refuse(Code::kBadPath, {"\"\"", example_of(proposal)});
    }
    for (const Segment& segment : path) {
        if (segment.is_index()) {
            continue;
        }
        if (is_dangerous(segment.key())) {
            proposal.refuse(Code::kSecurityRisk, {std::string(segment.key())});
            return;
        }
        if (segment.key().empty() && !lenient) {
            proposal.refuse(Code::kBadPath, {print_path(path, value::PathSyntax::kDotted),
                                             example_of(proposal), "empty_name"});
            return;
        }
    }
}

// Characters outside ASCII that no unit contains.
constexpr std::string_view kWidePunctuation[] = {"，", "。", "、", "；", "：", "（", "）",
                                                 "／", "→",  "～", "—",  "？", "！", "　"};

bool has_criterion(const Instruction& instruction) {
    const auto has = [&](std::string_view option) { return instruction.options.contains(option); };
    return instruction.value || has("where") || has("count");
}

void check_splice(Proposal& proposal, const Value& value) {
    const bool object = value.is_object();
    const Value* start = object ? value.as_object().find("start") : nullptr;
    const Value* count = object ? value.as_object().find("deleteCount") : nullptr;
    const Value* items = object ? value.as_object().find("items") : nullptr;
    if (start == nullptr || !start->is_int() || (count != nullptr && !count->is_int()) ||
        (items != nullptr && !items->is_array())) {
        proposal.refuse(Code::kBadValue,
                        {"splice", "{\"start\": 0, \"deleteCount\": 1, \"items\": []}"});
    }
}

// Whether an object in the value has the key __proto__. Other names of JavaScript's prototypes are
// data there: only paths lead to them.
bool has_prototype(const Value& value) {
    if (value.is_array()) {
        return std::ranges::any_of(value.as_array(), has_prototype);
    }
    return value.is_object() &&
           std::ranges::any_of(value.as_object(), [](const value::Member& member) {
               return member.key == "__proto__" || has_prototype(member.value);
           });
}

void check_value(Proposal& proposal, const Instruction& instruction) {
    const Operation& row = operation(instruction.op);
    if (row.value == Need::kRequired && !instruction.value) {
        proposal.refuse(Code::kMissingValue, {proposal.verb});
        return;
    }
    switch (instruction.op) {
        case Op::kPull:
            if (!has_criterion(instruction)) {
                proposal.refuse(Code::kMissingValue, {proposal.verb, "where, count"});
            }
            break;
        case Op::kMerge:
            if (instruction.merge != MergeKind::kByOptions && !instruction.value->is_object()) {
                proposal.refuse(Code::kBadValue,
                                {proposal.verb, "an object such as {\"name\": value}",
                                 value::preview(*instruction.value)});
            }
            break;
        case Op::kIncrement:
            if (!as_quantity(*instruction.value) &&
                !(instruction.value->is_string() && as_fraction(instruction.value->as_string()))) {
                proposal.refuse(Code::kBadValue, {proposal.verb, "a number such as 1, -2 or 3.5",
                                                  value::preview(*instruction.value)});
            }
            break;
        case Op::kSplice:
            check_splice(proposal, *instruction.value);
            break;
        case Op::kCallback:
            if (instruction.path.empty() || instruction.path[0].is_index() ||
                !is_identifier(instruction.path[0].key())) {
                const std::string found = instruction.path.empty()
                                              ? "\"\""
                                              : std::string(instruction.path[0].as_key().view());
                proposal.refuse(
                    Code::kBadValue,
                    {proposal.verb,
                     "a function name of English letters, digits and _, such as showMessage",
                     found});
            }
            break;
        case Op::kSet:
        case Op::kEnsure:
        case Op::kAdd:
        case Op::kInsert:
        case Op::kPush:
        case Op::kPop:
        case Op::kDelete:
        case Op::kMove:
        case Op::kCopy:
        case Op::kGet:
        case Op::kTest:
        case Op::kRestore:
        case Op::kCount:
            break;
    }
    if (instruction.value && instruction.value->is_deeper_than(base::kLiteralDepthMax)) {
        proposal.refuse(Code::kTooDeep, {std::to_string(base::kLiteralDepthMax)});
    } else if (instruction.value && instruction.value->is_container() &&
               has_prototype(*instruction.value)) {
        proposal.refuse(Code::kSecurityRisk, {"__proto__"});
    }
}

// Whether the patterns of `where` are valid, for elements and for their fields.
void check_patterns(Proposal& proposal, const Value& conditions, bool of_fields) {
    for (const auto& [word, operand] : conditions.as_object()) {
        if (operand.is_object() && !of_fields) {
            check_patterns(proposal, operand, true);
        }
        if ((word != "正则" && word != "regex") || !operand.is_string()) {
            continue;
        }
        if (!text::Regex::compile(operand.as_string())) {
            proposal.refuse(Code::kBadOptions,
                            {"where", "a valid regular expression", value::preview(operand)});
        }
    }
}

// Whether the words of `expect` have operands that they can be compared with.
void check_expectations(Proposal& proposal, const value::Object& expect) {
    using Type = OptionRow::Type;
    constexpr std::pair<std::string_view, Type> kWords[] = {{"exists", Type::kFlag},
                                                            {"type", Type::kText},
                                                            {"length", Type::kCount},
                                                            {"gte", Type::kNumber},
                                                            {"lte", Type::kNumber}};
    for (const auto& [word, type] : kWords) {
        const Value* operand = expect.find(word);
        if (operand == nullptr || fits(type, *operand) ||
            (type == Type::kNumber && as_number(*operand))) {
            continue;
        }
        proposal.refuse(Code::kBadOptions, {"expect." + std::string(word),
                                            std::string(expected(type)), value::preview(*operand)});
    }
}

void check_options(Proposal& proposal, const Instruction& instruction) {
    for (const auto& [key, value] : instruction.options) {
        const OptionRow* row = find_option(key);
        if (row == nullptr) {
            proposal.warn(Warning::kUnknownOption, {std::string(key.view())});
        } else if (!fits(row->type, value)) {
            proposal.refuse(
                Code::kBadOptions,
                {std::string(key.view()), std::string(expected(row->type)), value::preview(value)});
        }
    }
    if (const Value* expect = instruction.options.find("expect");
        expect != nullptr && expect->is_object()) {
        check_expectations(proposal, expect->as_object());
    }
    if (const Value* where = instruction.options.find("where");
        where != nullptr && where->is_object()) {
        check_patterns(proposal, *where, false);
    }
    const auto is_on = [&](std::string_view option) {
        const Value* value = instruction.options.find(option);
        return value != nullptr && value->is_bool() && value->as_bool();
    };
    if (is_on("ifMissing") && is_on("ifExists")) {
        proposal.refuse(Code::kContradictoryGuards);
    }
}

}  // namespace

bool is_dangerous(std::string_view name) noexcept {
    return name == "__proto__" || name == "constructor" || name == "prototype";
}

namespace {

// The text with full-width digits, signs and points as ASCII.
std::string narrow(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const text::Decoded next = text::decode(text.substr(at));
        const char32_t c = next.code_point;
        const bool wide = (c >= U'０' && c <= U'９') || c == U'＋' || c == U'－' || c == U'．' ||
                          c == U'％' || c == U'／';
        if (wide) {
            out += static_cast<char>(c - 0xFEE0);
        } else {
            out += text.substr(at, next.size);
        }
        at += next.size;
    }
    return out;
}

bool may_be_wide(std::string_view text) {
    return text.contains('\xEF');  // the first byte of full-width forms
}

}  // namespace

std::optional<Value> as_number(const Value& value) {
    if (value.is_number()) {
        return value;
    }
    if (!value.is_string()) {
        return std::nullopt;
    }
    std::string_view text = value.as_string();
    std::string narrowed;
    if (may_be_wide(text)) {
        narrowed = narrow(text);
        text = narrowed;
    }
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    if (text.starts_with('+') && !text.starts_with("+-")) {
        text.remove_prefix(1);
    }
    const auto parsed = value::parse_json(text);
    return parsed && parsed->is_number() ? std::optional(*parsed) : std::nullopt;
}

namespace {

constexpr std::size_t kUnitCharactersMax = 8;

// Whether a text may be a unit: one word of letters, or a sign such as %.
bool is_unit(std::string_view text) {
    // 0x, 1e: the beginning of another way to write a number.
    const bool notation = text.size() == 1 && std::string_view("xXeEoObB").contains(text[0]);
    return !text.empty() && !notation && text::count(text) <= kUnitCharactersMax &&
           std::ranges::none_of(text,
                                [](char c) {
                                    const bool is_ascii = (c & 0x80) == 0;
                                    return is_ascii && !text::is_letter(c) && c != '%';
                                }) &&
           std::ranges::none_of(kWidePunctuation,
                                [&](std::string_view each) { return text.contains(each); });
}

}  // namespace

std::optional<Value> as_quantity(const Value& value) {
    if (auto number = as_number(value)) {
        return number;
    }
    if (!value.is_string()) {
        return std::nullopt;
    }
    std::string_view text = value.as_string();
    std::string narrowed;
    if (may_be_wide(text)) {
        narrowed = narrow(text);
        text = narrowed;
    }
    const std::size_t start = text.find_first_not_of(" \t");
    const std::size_t unit =
        text.find_first_not_of("+-.0123456789", start == text.npos ? 0 : start);
    if (start == std::string_view::npos || unit == std::string_view::npos || unit == start) {
        return std::nullopt;
    }
    std::string_view rest = text.substr(unit);
    while (rest.starts_with(' ')) {
        rest.remove_prefix(1);
    }
    while (rest.ends_with(' ')) {
        rest.remove_suffix(1);
    }
    return is_unit(rest) ? as_number(Value(text.substr(start, unit - start))) : std::nullopt;
}

std::optional<Fraction> as_fraction(std::string_view text) noexcept {
    const auto trim = [](std::string_view part) {
        while (part.starts_with(' ')) {
            part.remove_prefix(1);
        }
        while (part.ends_with(' ')) {
            part.remove_suffix(1);
        }
        return part;
    };
    const auto integer = [&](std::string_view part) -> std::optional<std::int64_t> {
        part = trim(part);
        std::int64_t number = 0;
        const auto read = std::from_chars(part.data(), part.data() + part.size(), number);
        return read.ec == std::errc() && read.ptr == part.data() + part.size()
                   ? std::optional(number)
                   : std::nullopt;
    };
    constexpr std::string_view kWideSlash = "／";
    std::size_t slash = text.find('/');
    std::size_t length = 1;
    if (slash == std::string_view::npos) {
        slash = text.find(kWideSlash);
        length = kWideSlash.size();
    }
    if (slash == std::string_view::npos) {
        return std::nullopt;
    }
    const auto above = integer(text.substr(0, slash));
    const auto below = integer(text.substr(slash + length));
    return above && below ? std::optional(Fraction{*above, *below}) : std::nullopt;
}

void check_shape(Proposal& proposal) {
    const Instruction* found = proposal.instruction();
    if (found == nullptr) {
        return;
    }
    const Instruction& instruction = *found;
    check_path(proposal, instruction, instruction.path);
    if (instruction.op == Op::kMove || instruction.op == Op::kCopy) {
        check_path(proposal, instruction, instruction.from);
    }
    if (instruction.key && instruction.key->is_string() &&
        is_dangerous(instruction.key->as_string())) {
        proposal.refuse(Code::kSecurityRisk, {std::string(instruction.key->as_string())});
    }
    check_value(proposal, instruction);
    if (!instruction.options.empty()) {
        check_options(proposal, instruction);
    }
}

}  // namespace arbiter::proposal
