#include "expr/formula.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "expr/internal/builtins.h"
#include "expr/internal/formula_node.h"
#include "expr/internal/formula_run.h"
#include "expr/internal/number_text.h"
#include "text/ascii.h"
#include "text/join.h"
#include "text/nearest.h"
#include "text/utf8.h"
#include "value/json.h"
#include "value/number.h"
#include "value/object.h"

namespace arbiter::expr {

using base::ErrorCode;
using base::Result;
using value::Pattern;
using value::PatternStep;
using value::Segment;
using value::Str;
using value::Value;
using Node = Formula::Node;
using Kind = Node::Kind;
using internal::Builtin;
using internal::builtins;
using text::is_digit;

namespace {

// Full-width characters and their ASCII forms.
struct WideMark {
    std::string_view wide;
    std::string_view plain;
};
constexpr auto kWideMarks = std::to_array<WideMark>({{"（", "("},
                                                     {"）", ")"},
                                                     {"，", ","},
                                                     {"＋", "+"},
                                                     {"－", "-"},
                                                     {"×", "*"},
                                                     {"÷", "/"},
                                                     {"＞", ">"},
                                                     {"＜", "<"},
                                                     {"≥", ">="},
                                                     {"≤", "<="},
                                                     {"≠", "!="},
                                                     {"＝", "="},
                                                     {"\u3000", " "}});

bool is_name_start(std::string_view text, std::size_t at) {
    const char c = text[at];
    return text::is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

constexpr auto kWords = std::to_array<std::string_view>({"or", "and", "not", "in"});

}  // namespace

// Recursive descent: one function for each level of precedence, from the loosest to the tightest.
class FormulaParser {
  public:
    FormulaParser(std::string_view text, const Vocabulary& vocabulary, std::vector<Node>& nodes)
        : text_(text), vocabulary_(vocabulary), nodes_(nodes) {}

    Result<> whole() {
        auto root = either();
        if (!root) {
            return std::unexpected(std::move(root).error());
        }
        if (skip(); at_ < text_.size()) {
            return expected("+ - * / == < > and or");
        }
        return {};
    }

  private:
    using Index = Result<std::size_t>;

    // `what` shows valid forms and is the same in every language.
    std::unexpected<base::Error> expected(std::string what) {
        if (at_ >= text_.size()) {
            return base::fail(ErrorCode::kFormulaEnd, {std::move(what)}, here());
        }
        if (text_[at_] == '?') {
            return base::fail(ErrorCode::kFormulaTernary, {}, here());
        }
        const std::size_t size = std::max<std::size_t>(text::decode(text_.substr(at_)).size, 1);
        return base::fail(ErrorCode::kFormulaExpected,
                          {std::string(text_.substr(at_, size)), std::move(what)}, here());
    }
    [[nodiscard]] base::Place here() const {
        return {at_, 1, text::count(text_.substr(0, at_)) + 1};
    }

    // The full-width mark at `at`, or null.
    [[nodiscard]] const WideMark* wide_at(std::size_t at) const {
        const auto found = std::ranges::find_if(kWideMarks, [&](const WideMark& mark) {
            return text_.substr(at).starts_with(mark.wide);
        });
        return found == kWideMarks.end() ? nullptr : &*found;
    }
    void skip() {
        while (at_ < text_.size()) {
            const WideMark* wide = wide_at(at_);
            if (wide != nullptr && wide->plain == " ") {
                at_ += wide->wide.size();
            } else if (text::is_blank(text_[at_])) {
                ++at_;
            } else {
                return;
            }
        }
    }
    // Consumes a mark in either width. False: it is not there.
    bool mark(std::string_view plain) {
        skip();
        if (text_.substr(at_).starts_with(plain)) {
            at_ += plain.size();
            return true;
        }
        if (const WideMark* wide = at_ < text_.size() ? wide_at(at_) : nullptr;
            wide != nullptr && wide->plain == plain) {
            at_ += wide->wide.size();
            return true;
        }
        return false;
    }
    bool word(std::string_view plain) {
        skip();
        if (peek_name() != plain) {
            return false;
        }
        at_ += plain.size();
        return true;
    }
    [[nodiscard]] std::string_view peek_name() const {
        std::size_t end = at_;
        while (end < text_.size() &&
               (is_name_start(text_, end) || (end > at_ && is_digit(text_[end]))) &&
               wide_at(end) == nullptr) {
            ++end;
        }
        return text_.substr(at_, end - at_);
    }

    std::size_t add(Node node) {
        nodes_.push_back(std::move(node));
        return nodes_.size() - 1;
    }
    Index join(Kind kind, std::size_t left, Index right) {
        if (!right) {
            return right;
        }
        return add({.kind = kind, .parts = {left, *right}});
    }

    // a or b
    Index either() {
        if (++depth_ > base::kFormulaDepthMax) {
            return base::fail(ErrorCode::kTooDeep, {std::to_string(base::kFormulaDepthMax)});
        }
        Index left = both();
        while (left && (word("or") || mark("||"))) {
            left = join(Kind::kOr, *left, both());
        }
        --depth_;
        return left;
    }
    Index both() {
        Index left = negation();
        while (left && (word("and") || mark("&&"))) {
            left = join(Kind::kAnd, *left, negation());
        }
        return left;
    }
    Index negation() {
        skip();
        const bool bang =
            text_.substr(at_).starts_with("!") && !text_.substr(at_).starts_with("!=");
        if (word("not") || (bang && mark("!"))) {
            if (++depth_ > base::kFormulaDepthMax) {
                return base::fail(ErrorCode::kTooDeep, {std::to_string(base::kFormulaDepthMax)});
            }
            Index inner = negation();
            --depth_;
            return inner ? Index(add({.kind = Kind::kNot, .parts = {*inner}})) : inner;
        }
        return comparison();
    }
    Index comparison() {
        Index left = alternative();
        if (!left) {
            return left;
        }
        if (mark("==") || mark("=")) {
            return join(Kind::kEqual, *left, alternative());
        }
        if (mark("!=")) {
            return join(Kind::kUnequal, *left, alternative());
        }
        if (mark("<=")) {
            return join(Kind::kLessEqual, *left, alternative());
        }
        if (mark("<")) {
            return join(Kind::kLess, *left, alternative());
        }
        const bool or_equal = mark(">=");
        if (or_equal || mark(">")) {
            Index right = alternative();
            if (!right) {
                return right;
            }
            return add(
                {.kind = or_equal ? Kind::kLessEqual : Kind::kLess, .parts = {*right, *left}});
        }
        if (word("in")) {
            return join(Kind::kIn, *left, alternative());
        }
        return left;
    }
    Index alternative() {
        Index left = sum();
        while (left && mark("??")) {
            left = join(Kind::kElse, *left, sum());
        }
        return left;
    }
    Index sum() {
        Index left = product();
        while (left) {
            if (mark("+")) {
                left = join(Kind::kAdd, *left, product());
            } else if (mark("-")) {
                left = join(Kind::kSubtract, *left, product());
            } else {
                break;
            }
        }
        return left;
    }
    Index product() {
        Index left = sign();
        while (left) {
            if (mark("*")) {
                left = join(Kind::kMultiply, *left, sign());
            } else if (mark("/")) {
                left = join(Kind::kDivide, *left, sign());
            } else if (mark("%")) {
                left = join(Kind::kModulo, *left, sign());
            } else {
                break;
            }
        }
        return left;
    }
    Index sign() {
        if (!mark("-")) {
            return primary();
        }
        if (++depth_ > base::kFormulaDepthMax) {
            return base::fail(ErrorCode::kTooDeep, {std::to_string(base::kFormulaDepthMax)});
        }
        Index inner = sign();
        --depth_;
        return inner ? Index(add({.kind = Kind::kNegate, .parts = {*inner}})) : inner;
    }

    Index primary() {
        skip();
        if (at_ >= text_.size()) {
            return expected("12, 'text', a.b, (…)");
        }
        const char c = text_[at_];
        if (mark("(")) {
            Index inner = either();
            if (inner && !mark(")")) {
                return expected(")");
            }
            return inner;
        }
        if (is_digit(c)) {
            return number();
        }
        if (c == '"' || c == '\'') {
            auto text = quoted();
            if (!text) {
                return std::unexpected(std::move(text).error());
            }
            return add({.constant = Value(std::string_view(*text))});
        }
        if (c == '$') {
            return variable();
        }
        if (!is_name_start(text_, at_) || wide_at(at_) != nullptr) {
            return expected("12, 'text', a.b, (…)");
        }
        const std::string_view name = peek_name();
        if (name == "true" || name == "false" || name == "null") {
            at_ += name.size();
            return add({.constant = name == "null" ? Value() : Value(name == "true")});
        }
        if (std::ranges::find(kWords, name) != kWords.end()) {
            return expected("12, 'text', a.b, (…)");
        }
        at_ += name.size();
        if (mark("(")) {
            return call(name);
        }
        Pattern place;
        const auto alias = vocabulary_.aliases.find(name);
        if (alias != vocabulary_.aliases.end()) {
            place = value::pattern_of(alias->second);
        } else {
            place.push_back({PatternStep::Kind::kPlain, Segment(name), {}});
        }
        return steps(std::move(place), false);
    }

    Index number() {
        const std::size_t begin = at_;
        at_ = internal::decimal_end(text_, begin);
        const std::string_view digits =
            internal::without_leading_zeros(text_.substr(begin, at_ - begin));
        const value::ReadNumber read = value::read_number(digits);
        if (read.form == value::ReadNumber::Form::kTooLarge) {
            return base::fail(ErrorCode::kJsonNumberRange, {std::string(digits)});
        }
        return add({.constant = read.form == value::ReadNumber::Form::kInt ? Value(read.integer)
                                                                           : Value(read.real)});
    }

    Result<std::string> quoted() {
        const char quote = text_[at_];
        std::string out;
        for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
            if (text_[i] == quote) {
                at_ = i + 1;
                return out;
            }
            if (text_[i] == '\\' && i + 1 < text_.size()) {
                ++i;
            }
            out += text_[i];
        }
        return base::fail(ErrorCode::kPathUnclosed, {std::string(1, quote)}, here());
    }

    Result<std::string> variable_name() {
        ++at_;  // the $
        const std::string name(peek_name());
        at_ += name.size();
        if (std::ranges::find(vocabulary_.variables, name) == vocabulary_.variables.end()) {
            const std::string known = "$" + text::join(vocabulary_.variables, " $");
            base::Error error(ErrorCode::kFormulaVariable,
                              {name, vocabulary_.variables.empty() ? "-" : known}, here());
            const std::vector<std::string_view> names(vocabulary_.variables.begin(),
                                                      vocabulary_.variables.end());
            if (const auto meant = text::nearest(name, names); meant && names.size() > 1) {
                error.arguments.push_back("$" + std::string(*meant));
            }
            return std::unexpected(std::move(error));
        }
        return name;
    }
    Index variable() {
        auto name = variable_name();
        if (!name) {
            return std::unexpected(std::move(name).error());
        }
        Pattern place;
        place.push_back({PatternStep::Kind::kOpen, Segment(""), Str(*name)});
        return steps(std::move(place), true);
    }

    // .name .$variable .* .12 [12] ["name"] [$variable], repeated without blanks.
    Index steps(Pattern place, bool of_variable) {
        while (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == '[')) {
            const bool bracket = text_[at_++] == '[';
            PatternStep step;
            if (at_ >= text_.size()) {
                return expected("a.b, a[0]");
            }
            if (text_[at_] == '$') {
                auto name = variable_name();
                if (!name) {
                    return std::unexpected(std::move(name).error());
                }
                step = {PatternStep::Kind::kOpen, Segment(""), Str(*name)};
            } else if (text_[at_] == '*' && !bracket) {
                ++at_;
                step.kind = PatternStep::Kind::kOpen;
            } else if (is_digit(text_[at_])) {
                std::int64_t index = 0;
                while (at_ < text_.size() && is_digit(text_[at_])) {
                    index = std::min<std::int64_t>(index * 10 + (text_[at_++] - '0'), 1 << 30);
                }
                step.segment = Segment(index);
            } else if (bracket && (text_[at_] == '"' || text_[at_] == '\'')) {
                auto text = quoted();
                if (!text) {
                    return std::unexpected(std::move(text).error());
                }
                step.segment = Segment(std::string_view(*text));
            } else if (const std::string_view name = peek_name(); !bracket && !name.empty()) {
                at_ += name.size();
                step.segment = Segment(name);
            } else {
                return expected("a.b, a[0]");
            }
            if (bracket) {
                if (at_ >= text_.size() || text_[at_] != ']') {
                    return expected("]");
                }
                ++at_;
            }
            place.push_back(std::move(step));
        }
        const bool has_pairs = of_variable ? vocabulary_.has_described_variables
                                           : place[0].segment != Segment(value::kUndescribedRoot);
        return add({.kind = Kind::kPlace,
                    .place = std::move(place),
                    .of_variable = of_variable,
                    .has_pairs = has_pairs});
    }

    Index call(std::string_view name) {
        std::vector<std::size_t> parts;
        if (!mark(")")) {
            do {
                Index part = either();
                if (!part) {
                    return part;
                }
                parts.push_back(*part);
            } while (mark(","));
            if (!mark(")")) {
                return expected(", )");
            }
        }
        const auto check = [&](std::size_t least, std::size_t most) -> Result<> {
            if (parts.size() >= least && parts.size() <= most) {
                return {};
            }
            const std::string wanted = least == most
                                           ? std::to_string(least)
                                           : std::to_string(least) + "–" + std::to_string(most);
            return base::fail(ErrorCode::kFormulaArguments,
                              {std::string(name), wanted, std::to_string(parts.size())}, here());
        };
        Node node;
        Result<> counted;
        const auto builtin = std::ranges::find(builtins(), name, &Builtin::name);
        const auto host = std::ranges::find(vocabulary_.functions, name, &Function::name);
        if (name == "if") {
            node.kind = Kind::kIf;
            counted = check(3, 3);
        } else if (host != vocabulary_.functions.end()) {
            node.kind = Kind::kHost;
            node.host = host->apply;
            counted = check(host->least, host->most);
        } else if (builtin != builtins().end()) {
            node.kind = Kind::kBuiltin;
            node.builtin = &*builtin;
            counted = check(builtin->least, builtin->most);
        } else {
            return unknown_function(name);
        }
        if (!counted) {
            return std::unexpected(std::move(counted).error());
        }
        node.parts = std::move(parts);
        return add(std::move(node));
    }

    Index unknown_function(std::string_view name) {
        std::vector<std::string_view> names = {"if"};
        for (const Builtin& each : builtins()) {
            names.push_back(each.name);
        }
        for (const Function& each : vocabulary_.functions) {
            names.push_back(each.name);
        }
        return base::fail(
            ErrorCode::kFormulaFunction,
            {std::string(name), std::string(text::nearest(name, names).value_or("min, max, if"))},
            here());
    }

    std::string_view text_;
    const Vocabulary& vocabulary_;
    std::vector<Node>& nodes_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
};

namespace {

// Marks the lists of places and the functions of the document that use no variable. A function of
// the host may depend on more than its arguments.
void mark_kept(std::vector<Node>& nodes) {
    std::vector<bool> is_closed(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Node& node = nodes[i];
        const auto is_open = [](const PatternStep& step) {
            return step.kind != PatternStep::Kind::kPlain;
        };
        const bool names_variable = std::ranges::any_of(node.place, [&](const PatternStep& step) {
            return is_open(step) && !step.name.view().empty();
        });
        is_closed[i] = node.kind != Kind::kHost && !node.of_variable && !names_variable &&
                       std::ranges::all_of(node.parts, [&](std::size_t part) {
                           return static_cast<bool>(is_closed[part]);
                       });
        const bool is_long =
            node.kind == Kind::kBuiltin ||
            (node.kind == Kind::kPlace && std::ranges::any_of(node.place, is_open));
        node.is_kept = is_closed[i] && is_long;
    }
}

}  // namespace

const Known* Memo::find(const Value& document, std::size_t node) const noexcept {
    const auto found = results_.find(node);
    return found != results_.end() && document_.is_identical(document) ? &found->second : nullptr;
}

void Memo::keep(const Value& document, std::size_t node, Known known) {
    if (!document_.is_identical(document)) {
        document_ = document;
        results_.clear();
    }
    results_.insert_or_assign(node, std::move(known));
}

Result<Formula> Formula::compile(std::string_view text, const Vocabulary& vocabulary) {
    if (text.size() > base::kFormulaBytesMax) {
        return base::fail(ErrorCode::kTextTooLong,
                          {std::to_string(text.size()), std::to_string(base::kFormulaBytesMax)});
    }
    if (text::find_invalid(text) != std::string_view::npos) {
        return base::fail(ErrorCode::kPathBadUtf8);
    }
    Formula formula;
    formula.text_ = text;
    std::vector<Node> nodes;
    if (auto parsed = FormulaParser(text, vocabulary, nodes).whole(); !parsed) {
        return std::unexpected(std::move(parsed).error());
    }
    for (const Node& node : nodes) {
        if (node.kind == Kind::kPlace && !node.of_variable) {
            formula.reads_.push_back(node.place);
        }
    }
    mark_kept(nodes);
    formula.nodes_ = std::make_shared<const std::vector<Node>>(std::move(nodes));
    return formula;
}

Known Formula::evaluate(const Scope& scope) const {
    return internal::run_formula(*nodes_, scope);
}
bool Formula::holds(const Scope& scope) const {
    const Known known = evaluate(scope);
    return known && is_true(*known);
}

}  // namespace arbiter::expr
