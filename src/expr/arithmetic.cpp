#include "expr/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "base/limits.h"
#include "expr/internal/decimal.h"
#include "expr/internal/functions.h"
#include "expr/internal/number_text.h"
#include "expr/internal/plain_text.h"
#include "text/ascii.h"
#include "value/number.h"

namespace arbiter::expr {
namespace {

using internal::Library;
using text::hex_digit;
using text::is_blank;
using text::is_digit;

// 2^53, to which 2^53 + 1 is rounded too: from here on integers are not exact.
constexpr double kExactEnd = 9007199254740992.0;

// A character that names begin with.
bool is_letter(char c) noexcept {
    return text::is_letter(c) || c == '_' || c == '$';
}

struct Operand {
    enum class Kind : std::uint8_t {
        kNumber,  // finite
        kTruth,   // result of a comparison; only valid as the condition of a choice
        kNone     // well-formed, but without a value: 1/0, (3 > 2) + 1
    };
    Kind kind = Kind::kNone;
    double number = 0;
    bool percent = false;  // written as 20%, without parentheses

    [[nodiscard]] bool is_number() const noexcept { return kind == Kind::kNumber; }
};

// Recursive descent that evaluates while it parses: one function for each level of precedence, from
// the loosest to the tightest. An error moves to the end of the text, which stops every function.
class Evaluator {
  public:
    explicit Evaluator(std::string_view text) noexcept : text_(text) {}

    struct Answer {
        value::Value number;
        bool percent = false;
    };
    std::optional<Answer> read() noexcept {
        const Operand operand = choice();
        if (failed_ || at_ != text_.size() || !operand.is_number()) {
            return std::nullopt;
        }
        if (!computed_) {
            return Answer{alone(operand.number), operand.percent};
        }
        const bool exact = !beyond_exact_ && operand.number == std::floor(operand.number);
        const double number = exact ? operand.number : internal::round_significant(operand.number);
        if (!std::isfinite(number)) {
            return std::nullopt;
        }
        return Answer{number, operand.percent};
    }

  private:
    // RAII: counts one level of nesting.
    class Level {
      public:
        explicit Level(Evaluator& evaluator) noexcept : evaluator_(evaluator) {
            if (++evaluator_.depth_ > base::kArithmeticDepthMax) {
                evaluator_.fail();
            }
        }
        ~Level() { --evaluator_.depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

      private:
        Evaluator& evaluator_;
    };

    Operand fail() noexcept {
        failed_ = true;
        at_ = text_.size();
        return {};
    }

    // The character at an offset from here; 0 beyond the end.
    [[nodiscard]] char ahead(std::size_t offset) const noexcept {
        return at_ + offset < text_.size() ? text_[at_ + offset] : '\0';
    }
    // The next character that is not a blank. Outside parentheses a line end is not skipped,
    // because two lines are not one expression.
    char peek() noexcept {
        while (is_blank(ahead(0)) && (parentheses_ > 0 || !internal::is_line_end(ahead(0)))) {
            ++at_;
        }
        return ahead(0);
    }
    bool take(char c) noexcept {
        if (peek() != c) {
            return false;
        }
        ++at_;
        return true;
    }
    void expect(char c) noexcept {
        if (!take(c)) {
            fail();
        }
    }
    // Every intermediate result passes here.
    Operand made(double number) noexcept {
        beyond_exact_ = beyond_exact_ || !(std::fabs(number) < kExactEnd);
        return std::isfinite(number) ? Operand{Operand::Kind::kNumber, number} : Operand{};
    }
    Operand computed(double number) noexcept {
        computed_ = true;
        return made(number);
    }
    template <typename Compute>
    Operand combine(const Operand& left, const Operand& right, Compute compute) noexcept {
        if (!left.is_number() || !right.is_number()) {
            return {};
        }
        return computed(compute(left.number, right.number));
    }
    // A single number, with or without sign, keeps all of its digits.
    [[nodiscard]] value::Value alone(double number) const noexcept {
        if (literal_.form == value::ReadNumber::Form::kInt) {
            return std::signbit(number) ? -literal_.integer : literal_.integer;
        }
        return number;
    }

    Operand choice() noexcept {
        const Operand condition = comparison();
        if (!take('?')) {
            return condition;
        }
        computed_ = true;
        const Level level(*this);
        const Operand yes = choice();
        expect(':');
        const Operand no = choice();
        if (condition.kind == Operand::Kind::kNone) {
            return {};
        }
        Operand chosen = condition.number != 0 ? yes : no;
        chosen.percent = false;
        return chosen;
    }

    // Chained as in mathjs: 1 < 2 < 3 tests both.
    Operand comparison() noexcept {
        Operand left = sum();
        if (!is_comparison(peek())) {
            return left;
        }
        bool holds = true;
        bool has_value = left.is_number();
        while (is_comparison(peek())) {
            const char op = ahead(0);
            const bool or_equal = ahead(1) == '=';
            if ((op == '=' || op == '!') && !or_equal) {
                return fail();
            }
            at_ += or_equal ? 2 : 1;
            const Operand right = sum();
            has_value = has_value && right.is_number();
            const bool equal = internal::nearly_equal(left.number, right.number);
            const bool ordered =
                op == '<' ? left.number < right.number : left.number > right.number;
            if (op == '=' || op == '!') {
                holds = holds && equal == (op == '=');
            } else {
                holds = holds && (equal ? or_equal : ordered);
            }
            left = right;
        }
        return has_value ? Operand{Operand::Kind::kTruth, holds ? 1.0 : 0.0} : Operand{};
    }
    static bool is_comparison(char c) noexcept {
        return c == '<' || c == '>' || c == '=' || c == '!';
    }

    Operand sum() noexcept {
        Operand left = product();
        for (char op = peek(); op == '+' || op == '-'; op = peek()) {
            ++at_;
            Operand right = product();
            if (right.percent) {
                right = combine(left, right, [](double a, double b) { return a * b; });
            }
            left = combine(left, right,
                           [op](double a, double b) { return op == '+' ? a + b : a - b; });
        }
        return left;
    }

    Operand product() noexcept {
        Operand left = touching(false);
        for (char op = peek(); op == '*' || op == '/'; op = peek()) {
            ++at_;
            const Operand right = touching(op == '/');
            left = combine(left, right,
                           [op](double a, double b) { return op == '*' ? a * b : a / b; });
        }
        return left;
    }

    // 2(3 + 4): adjacent operands are multiplied.
    Operand touching(bool divides) noexcept {
        Operand left = modulus();
        while (touches()) {
            if (divides) {
                return fail();
            }
            left = combine(left, modulus(), [](double a, double b) { return a * b; });
        }
        return left;
    }
    [[nodiscard]] bool touches() const noexcept {
        const char before = at_ > 0 ? text_[at_ - 1] : ' ';
        const char c = ahead(0);
        if (is_digit(c) || c == '.') {
            return before == ')' || before == '!';
        }
        return !is_blank(before) && (c == '(' || is_letter(c));
    }

    Operand modulus() noexcept {
        Operand left = unary();
        for (;;) {
            if (peek() == '%') {
                ++at_;
                if (!begins_operand()) {
                    left = combine(left, made(100), [](double a, double b) { return a / b; });
                    left.percent = true;
                    continue;
                }
            } else if (is_word_mod()) {
                at_ += 3;
            } else {
                return left;
            }
            left = combine(left, unary(), internal::modulo);
        }
    }
    // After %. A sign does not begin an operand, so that 10% + 5 is a sum.
    bool begins_operand() noexcept {
        const char c = peek();
        return is_digit(c) || c == '.' || c == '(' || (is_letter(c) && !is_word_mod());
    }
    bool is_word_mod() noexcept {
        return peek() == 'm' && ahead(1) == 'o' && ahead(2) == 'd' && !is_letter(ahead(3)) &&
               !is_digit(ahead(3));
    }

    Operand unary() noexcept {
        while (is_blank(ahead(0))) {
            ++at_;
        }
        const char sign = ahead(0);
        if (sign != '+' && sign != '-') {
            return power();
        }
        ++at_;
        const Level level(*this);
        Operand operand = unary();
        operand.number = sign == '-' ? -operand.number : operand.number;
        if (operand.kind == Operand::Kind::kTruth) {
            return {};
        }
        return operand;
    }

    Operand power() noexcept {
        const Operand base = postfix();
        if (!take('^')) {
            return base;
        }
        const Level level(*this);
        return combine(base, unary(), [](double a, double b) { return std::pow(a, b); });
    }

    Operand postfix() noexcept {
        Operand operand = primary();
        while (peek() == '!' && ahead(1) != '=') {
            ++at_;
            operand =
                operand.is_number() ? computed(internal::factorial(operand.number)) : Operand{};
        }
        return operand;
    }

    Operand primary() noexcept {
        const char c = ahead(0);
        if (is_digit(c) || (c == '.' && is_digit(ahead(1)))) {
            return c == '0' && (ahead(1) == 'x' || ahead(1) == 'o' || ahead(1) == 'b') ? prefixed()
                                                                                       : decimal();
        }
        if (is_letter(c)) {
            return named();
        }
        if (c != '(') {
            return fail();
        }
        ++at_;
        const Level level(*this);
        ++parentheses_;
        Operand inner = choice();
        expect(')');
        --parentheses_;
        inner.percent = false;
        return inner;
    }

    // 0x1f, 0o17, 0b101
    Operand prefixed() noexcept {
        const int base = ahead(1) == 'x' ? 16 : ahead(1) == 'o' ? 8 : 2;
        at_ += 2;
        double number = 0;
        const std::size_t start = at_;
        for (; hex_digit(ahead(0)) >= 0; ++at_) {
            if (hex_digit(ahead(0)) >= base) {
                return fail();
            }
            number = number * base + hex_digit(ahead(0));
        }
        if (at_ == start) {
            return fail();
        }
        return computed(number);
    }

    std::string_view take_digits() noexcept {
        const std::size_t begin = std::exchange(at_, internal::digits_end(text_, at_));
        return text_.substr(begin, at_ - begin);
    }
    // Rewritten in JSON's grammar, which does not have 007, .5 and 5.
    Operand decimal() noexcept {
        std::string json(internal::without_leading_zeros(take_digits()));
        if (json.empty()) {
            json = "0";
        }
        if (ahead(0) == '.') {
            ++at_;
            if (is_digit(ahead(0))) {
                json += '.';
                json += take_digits();
            }
        }
        const std::size_t sign = ahead(1) == '+' || ahead(1) == '-' ? 1 : 0;
        if ((ahead(0) == 'e' || ahead(0) == 'E') && is_digit(ahead(1 + sign))) {
            json.append(text_.substr(at_, 1 + sign));
            at_ += 1 + sign;
            json += take_digits();
        }
        literal_ = value::read_number(json);
        switch (literal_.form) {
            case value::ReadNumber::Form::kInt:
                return made(static_cast<double>(literal_.integer));
            case value::ReadNumber::Form::kDouble:
            case value::ReadNumber::Form::kRounded:
                return made(literal_.real);
            case value::ReadNumber::Form::kTooLarge:
                break;
        }
        return {};
    }

    std::string_view take_name() noexcept {
        const std::size_t start = at_;
        while (is_letter(ahead(0)) || is_digit(ahead(0))) {
            ++at_;
        }
        return text_.substr(start, at_ - start);
    }
    Operand named() noexcept {
        std::string_view name = take_name();
        Library library = Library::kMathjs;
        if ((name == "Math" || name == "math") && ahead(0) == '.') {
            library = name == "Math" ? Library::kJavaScript : Library::kMathjs;
            ++at_;
            name = take_name();
            if (const auto constant = internal::find_constant(name, library)) {
                return computed(*constant);
            }
        }
        const internal::Function* const function = internal::find_function(name);
        if (function == nullptr || !take('(')) {
            return fail();
        }
        const Level level(*this);
        ++parentheses_;
        internal::Arguments arguments;
        bool has_value = true;
        do {
            const Operand argument = choice();
            has_value = has_value && argument.is_number();
            arguments.add(argument.number);
        } while (take(','));
        expect(')');
        --parentheses_;
        if (arguments.count < function->count_min || arguments.count > function->count_max) {
            return fail();
        }
        return has_value ? computed(function->apply(arguments, library)) : Operand{};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t depth_ = 0;
    std::size_t parentheses_ = 0;
    bool failed_ = false;
    bool computed_ = false;      // more than signs and parentheses
    bool beyond_exact_ = false;  // an intermediate result is not exact
    value::ReadNumber literal_{value::ReadNumber::Form::kInt};
};

std::optional<Evaluator::Answer> read(std::string_view plain_text) noexcept {
    return internal::is_date(plain_text) ? std::nullopt : Evaluator(plain_text).read();
}

// Fast rejection of words: arithmetic has a digit or a constant of Math.
bool has_number(std::string_view text) noexcept {
    return std::ranges::any_of(text, is_digit) || text.find("ath") != std::string_view::npos;
}

}  // namespace

std::optional<value::Value> evaluate(std::string_view text) noexcept {
    if (!has_number(text)) {
        return std::nullopt;
    }
    const std::optional<std::string> ascii = internal::plain_text(text);
    if (!ascii) {
        return std::nullopt;
    }
    auto answer = read(*ascii);
    return answer ? std::optional(std::move(answer->number)) : std::nullopt;
}

std::optional<Relative> relative(std::string_view text) noexcept {
    const std::optional<std::string> ascii = internal::plain_text(text);
    if (!ascii || ascii->size() < 2 || (*ascii)[1] != '=') {
        return std::nullopt;
    }
    const char op = ascii->front();
    if (op != '+' && op != '-' && op != '*' && op != '/') {
        return std::nullopt;
    }
    std::string_view rest = *ascii;
    rest.remove_prefix(2);
    while (!rest.empty() && is_blank(rest.front())) {
        rest.remove_prefix(1);
    }
    auto answer = read(rest);
    if (!answer || (answer->percent && (op == '+' || op == '-'))) {
        return std::nullopt;
    }
    return Relative{op, std::move(answer->number)};
}

}  // namespace arbiter::expr
