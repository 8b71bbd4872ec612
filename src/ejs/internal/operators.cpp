#include "ejs/internal/operators.h"

#include <cmath>

#include "ejs/internal/convert.h"
#include "ejs/internal/machine.h"

namespace arbiter::ejs::internal {
namespace {

bool is_primitive(const Datum& datum) noexcept {
    return datum.kind() <= Datum::Kind::kText;
}

Datum add(Machine& machine, const Datum& left, const Datum& right) {
    const bool joins =
        left.is_text() || right.is_text() || !is_primitive(left) || !is_primitive(right);
    if (!joins) {
        return to_number(left) + to_number(right);
    }
    std::string out;
    if (left.is_text() && right.is_text()) {
        out.reserve(left.text().size() + right.text().size());
    }
    append_text(out, left);
    append_text(out, right);
    machine.spend(out.size() / 4096);
    return machine.text(std::move(out));
}

// JavaScript's remainder has the sign of the dividend, as fmod's.
double power(double base, double exponent) {
    const bool is_undecided = std::isnan(exponent) || (std::abs(base) == 1 && std::isinf(exponent));
    return is_undecided ? std::nan("") : std::pow(base, exponent);
}

Datum is_in(Machine& machine, const Datum& key, const Datum& container) {
    const std::string text = to_text(key);
    if (container.is_record()) {
        bool found = false;
        field_of(container, text, &found);
        return found;
    }
    std::size_t index = 0;
    if (container.is_list()) {
        return read_index(text, index) && index < size_of(container);
    }
    return machine.fail(Fault::kUnsupported, "in");
}

}  // namespace

Datum operate(Machine& machine, Operator op, const Datum& left, const Datum& right) {
    const auto bits = [](const Datum& datum) { return to_int32(to_number(datum)); };
    const auto shift = [&] { return static_cast<std::uint32_t>(bits(right)) & 31U; };
    switch (op) {
        case Operator::kAdd:
            return add(machine, left, right);
        case Operator::kSubtract:
            return to_number(left) - to_number(right);
        case Operator::kMultiply:
            return to_number(left) * to_number(right);
        case Operator::kDivide:
            return to_number(left) / to_number(right);
        case Operator::kRemainder:
            return std::fmod(to_number(left), to_number(right));
        case Operator::kPower:
            return power(to_number(left), to_number(right));
        case Operator::kLess:
            return compare(left, right) < 0;
        case Operator::kLessEqual:
            return compare(left, right) <= 0;
        case Operator::kGreater:
            return compare(left, right) > 0;
        case Operator::kGreaterEqual:
            return compare(left, right) >= 0;
        case Operator::kEqual:
            return are_equal(left, right);
        case Operator::kNotEqual:
            return !are_equal(left, right);
        case Operator::kSame:
            return are_same(left, right);
        case Operator::kNotSame:
            return !are_same(left, right);
        case Operator::kIn:
            return is_in(machine, left, right);
        case Operator::kBitAnd:
            return static_cast<double>(bits(left) & bits(right));
        case Operator::kBitOr:
            return static_cast<double>(bits(left) | bits(right));
        case Operator::kBitXor:
            return static_cast<double>(bits(left) ^ bits(right));
        case Operator::kShiftLeft:
            return static_cast<double>(
                static_cast<std::int32_t>(static_cast<std::uint32_t>(bits(left)) << shift()));
        case Operator::kShiftRight:
            return static_cast<double>(bits(left) >> shift());
        case Operator::kShiftRightUnsigned:
            return static_cast<double>(static_cast<std::uint32_t>(bits(left)) >> shift());
        case Operator::kNone:
        case Operator::kAnd:
        case Operator::kOr:
        case Operator::kCoalesce:
        case Operator::kNot:
        case Operator::kBitNot:
        case Operator::kTypeof:
        case Operator::kVoid:
        case Operator::kDelete:
            break;
    }
    return {};
}

}  // namespace arbiter::ejs::internal
