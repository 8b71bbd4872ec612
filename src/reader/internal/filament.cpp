#include "reader/internal/filament.h"

#include "expr/arithmetic.h"
#include "proposal/operations.h"
#include "reader/argument.h"
#include "reader/blanks.h"
#include "reader/internal/glyph.h"
#include "reader/internal/literal_entries.h"
#include "reader/internal/paths.h"
#include "reader/position.h"
#include "value/preview.h"

namespace arbiter::reader::internal {

using proposal::Arithmetic;
using proposal::Code;
using proposal::Dialect;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;
using proposal::Verb;
using value::Array;
using value::Object;
using value::Path;
using value::Value;
using Warning = proposal::Warning;

namespace {

Path filament_path(const Value& value) {
    if (!value.is_string()) {
        return value.is_number() ? Path{value::Segment(std::string_view(value::print_json(value)))}
                                 : Path{};
    }
    if (value.as_string().starts_with('/')) {
        if (auto path = value::parse_path(value.as_string(), value::PathSyntax::kPointer)) {
            return *path;
        }
    }
    return lenient_path(value.as_string());
}

Value splice_value(const Array& list) {
    Object value;
    if (list.size() > 2) {
        value = std::move(value).set("start", list[2]);
    }
    if (list.size() > 3) {
        value = std::move(value).set("deleteCount", list[3]);
    }
    Array items;
    for (std::size_t i = 4; i < list.size(); ++i) {
        items = std::move(items).push_back(list[i]);
    }
    return std::move(value).set("items", std::move(items));
}

// In these lists three kinds of quotes, comments and a trailing comma are valid.
Repairs repairs_worth_notice(Repairs repairs) {
    Repairs slips;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Repair::kCount); ++i) {
        const auto repair = static_cast<Repair>(i);
        if (repairs.has(repair) && repair != Repair::kQuotes && repair != Repair::kComment &&
            repair != Repair::kTrailingComma) {
            slips.add(repair);
        }
    }
    return slips;
}

bool is_instruction(const Value& value) {
    return value.is_array() && !value.as_array().empty() && value.as_array()[0].is_string() &&
           find_verb(Dialect::kFilament, value.as_array()[0].as_string()) != nullptr;
}

// Refuses more elements than the operation takes: an unquoted text with commas, or a remark behind
// a number.
void check_size(const Array& list, const Verb& verb, Proposal& proposal) {
    const std::size_t most = verb.op == Op::kInsert ? 4 : verb.op == Op::kPop ? 2 : 3;
    if (verb.op == Op::kSplice || list.size() <= most) {
        return;
    }
    if (verb.op == Op::kIncrement || verb.op == Op::kPop || verb.op == Op::kDelete) {
        proposal.warn(Warning::kUnknownOption, {value::preview(list[most])});
    } else {
        proposal.refuse(Code::kBadValue, {std::string(verb.word), "one value"});
    }
}

void read_list(Output& output, const Source& source, Array list, Repairs repairs, Range range) {
    // [SET, a, 1 [SET, b, 2]: the second begins before the first is closed.
    std::optional<Array> next;
    if (repairs.has(Repair::kMissingComma) && list.size() > 1 &&
        is_instruction(list[list.size() - 1])) {
        next = list[list.size() - 1].as_array();
        const std::size_t last = list.size() - 1;
        list = std::move(list).erase(last);
    }
    const std::string word = list.empty()          ? std::string()
                             : list[0].is_string() ? std::string(list[0].as_string())
                                                   : value::print_json(list[0]);
    Proposal proposal = begin_proposal(source, Dialect::kFilament, word, range);
    mark_repairs(output, source, proposal, repairs_worth_notice(repairs), range);
    const Verb* verb = find_verb(Dialect::kFilament, word);
    if (verb == nullptr) {
        proposal.refuse(Code::kUnknownAction, {word, list_verbs(Dialect::kFilament)});
        output.proposals.push_back(std::move(proposal));
        if (next) {
            read_list(output, source, *std::move(next), repairs, range);
        }
        return;
    }
    check_size(list, *verb, proposal);
    Instruction instruction = proposal::instruction_of(Dialect::kFilament, verb->op);
    instruction.arithmetic = verb->arithmetic;
    if (list.size() > 1) {
        instruction.path = filament_path(list[1]);
    }
    if (verb->op == Op::kSplice) {
        instruction.value = splice_value(list);
    } else if (verb->op == Op::kInsert) {
        if (list.size() > 3) {
            instruction.key = list[2];
            instruction.value = list[3];
        } else if (list.size() > 2) {
            instruction.value = list[2];
        }
    } else if (verb->op == Op::kDelete) {
        if (list.size() > 2) {
            instruction.key = list[2];
        }
    } else if (verb->op != Op::kPop && list.size() > 2) {
        instruction.value = list[2];
    }
    proposal.what = std::move(instruction);
    finish_proposal(output, std::move(proposal));
    if (next) {
        read_list(output, source, *std::move(next), repairs, range);
    }
}

// Blanks, commas and comments between the lists.
void skip_between(std::string_view text, std::size_t& at) {
    while (true) {
        skip_blanks(text, at);
        const std::string_view rest = text.substr(std::min(at, text.size()));
        if (rest.starts_with("<!--")) {
            const std::size_t end = text.find("-->", at);
            at = end == std::string_view::npos ? text.size() : end + 3;
        } else if (rest.starts_with("//")) {
            at = std::min(text.find('\n', at), text.size());
        } else if (rest.starts_with("/*")) {
            const std::size_t end = text.find("*/", at);
            at = end == std::string_view::npos ? text.size() : end + 2;
        } else if (!rest.empty() && glyph_at(rest, 0).ascii == ',') {
            at += glyph_at(rest, 0).size;
        } else {
            return;
        }
    }
}

// One instruction, which begins with a bracket at `at`.
void read_one(Output& output, const Source& source, std::size_t& at) {
    const std::size_t begin = at;
    auto literal = parse_literal(source.text, at, BareWords::kAny);
    if (literal && literal->value.as_array().size() < 2) {
        // [SET，path，value]: the commas are wide.
        if (auto wide = parse_literal(source.text, at, BareWords::kAnyWide);
            wide && wide->value.is_array() && wide->value.as_array().size() > 1) {
            literal = std::move(wide);
        }
    }
    if (!literal) {
        // Only this instruction is refused: the next begins on a new line or behind the next
        // bracket.
        const std::size_t line = std::min(source.text.find('\n', begin), source.text.size());
        const std::size_t bracket = source.text.find(']', std::max(literal.error().offset, begin));
        at = bracket < line ? bracket + 1 : line;
        refuse_literal(output, source, Dialect::kFilament, {begin, at}, literal.error());
        return;
    }
    at = literal->end;
    const Range range = {begin, at};
    if (!refuse_if_cut(output, source, Dialect::kFilament, *literal, {}, range)) {
        read_list(output, source, literal->value.as_array(), literal->repairs, range);
    }
}

struct Field {
    std::string_view text;
    bool found = false;
};
// The content of <name>…</name>.
Field field(std::string_view text, std::string_view name) {
    const std::string opener = "<" + std::string(name) + ">";
    const std::string closer = "</" + std::string(name) + ">";
    const std::size_t begin = text.find(opener);
    if (begin == std::string_view::npos) {
        return {};
    }
    const std::size_t inside = begin + opener.size();
    const std::size_t end = text.find(closer, inside);
    return {trim(text.substr(inside, end == std::string_view::npos ? end : end - inside)), true};
}

}  // namespace

void read_filament_list(Output& output, const Source& source, std::size_t& at) {
    const Glyph first = glyph_at(source.text, at);
    std::size_t inside = at + first.size;
    skip_between(source.text, inside);
    const bool nested = inside < source.text.size() && glyph_at(source.text, inside).ascii == '[';
    if (!nested) {
        read_one(output, source, at);
        return;
    }
    at = inside;
    while (at < source.text.size()) {
        skip_between(source.text, at);
        if (at >= source.text.size()) {
            break;
        }
        const Glyph next = glyph_at(source.text, at);
        if (next.ascii == ']') {
            at += next.size;
            return;
        }
        if (next.ascii == '[') {
            read_one(output, source, at);
            continue;
        }
        if (next.ascii == '<') {
            return;  // a tag: the list was not closed
        }
        // Not a list.
        const std::size_t begin = at;
        const auto literal = parse_literal(source.text, at, BareWords::kAny);
        at = literal ? std::max(literal->end, begin + 1)
                     : std::min(source.text.find('\n', begin + 1), source.text.size());
        if (literal) {
            refuse(output, source, Dialect::kFilament, {begin, at}, Code::kBadEntry,
                   {std::string(kind_words(literal->value))});
        } else {
            refuse_literal(output, source, Dialect::kFilament, {begin, at}, literal.error());
        }
    }
}

void read_variable_tag(Output& output, const Source& source, Op op) {
    const Range range = {0, source.text.size()};
    const std::string_view verb = op == Op::kEnsure ? "variable_insert"
                                  : op == Op::kSet  ? "variable_edit"
                                                    : "variable_delete";
    Proposal proposal = begin_proposal(source, Dialect::kFilament, verb, range);
    const Field path = field(source.text, "path");
    const Field value = field(source.text, "value");
    const Field reason = field(source.text, "analysis");
    if (!path.found) {
        proposal.refuse(Code::kBadPath, {"path", "[SET, player.hp, 80]"});
        output.proposals.push_back(std::move(proposal));
        return;
    }
    Instruction instruction = proposal::instruction_of(Dialect::kFilament, op);
    instruction.path = filament_path(Value(
        parse_argument(path.text).quoted ? parse_argument(path.text).value : Value(path.text)));
    instruction.reason = value::Str(reason.text);
    if (op == Op::kSet) {
        instruction.creates = false;
    }
    if (value.found && op != Op::kDelete) {
        const auto change = op == Op::kSet ? expr::relative(value.text) : std::nullopt;
        if (change) {
            instruction.op = Op::kIncrement;
            instruction.arithmetic = change->op == '+'   ? Arithmetic::kAdd
                                     : change->op == '-' ? Arithmetic::kSubtract
                                     : change->op == '*' ? Arithmetic::kMultiply
                                                         : Arithmetic::kDivide;
            instruction.value = change->operand;
        } else {
            const Argument parsed = parse_argument(value.text);
            instruction.value = parsed.given ? parsed.value : Value("");
        }
    }
    proposal.what = std::move(instruction);
    finish_proposal(output, std::move(proposal));
}

}  // namespace arbiter::reader::internal
