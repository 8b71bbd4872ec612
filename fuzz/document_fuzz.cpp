// A machine with a few registers, each a document and its plain model. The input is a program:
// edits, copies, diffs and seals between registers. Both sides of a register must print the same,
// whatever is shared between them.
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "tests/support/plain.h"
#include "value/array.h"
#include "value/diff.h"
#include "value/editor.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/object.h"

using namespace arbiter;
using tests::Plain;
using value::Path;
using value::Value;

namespace {

constexpr std::size_t kRegisters = 4;
// Steps cost a copy of the model each; beyond this a run only gets slow.
constexpr std::size_t kStepsMax = 250;

class Program {
  public:
    Program(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
    [[nodiscard]] bool done() const { return at_ >= size_; }
    std::uint8_t byte() { return done() ? 0 : data_[at_++]; }
    std::size_t below(std::size_t n) { return byte() % n; }

    // Up to three segments; keys from a pool large enough for both forms of an object.
    Path path() {
        Path path;
        for (std::size_t n = below(4); n > 0; --n) {
            const std::uint8_t b = byte();
            if (b < 64) {
                path.emplace_back(static_cast<std::int64_t>(b));
            } else {
                const std::string key =
                    (b % 2 == 0 ? "k" : "a key longer than fourteen ") + std::to_string(b % 96);
                path.emplace_back(std::string_view(key));
            }
        }
        return path;
    }

  private:
    const std::uint8_t* data_;
    std::size_t size_;
    std::size_t at_ = 0;
};

struct Register {
    Value document;
    Plain plain;
};

// A small value on both sides: a scalar, an empty container, or one with some members.
Register fresh(Program& program) {
    const std::uint8_t b = program.byte();
    Register made;
    if (b < 100) {
        made.document = static_cast<std::int64_t>(b);
        made.plain.scalar = b;
        return made;
    }
    const bool object = b % 2 == 0;
    const std::size_t count = b > 200 ? program.below(60) : 0;
    made.plain.kind = object ? Plain::Kind::kObject : Plain::Kind::kArray;
    value::Array array;
    value::Object members;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string key = object ? "k" + std::to_string(i) : "";
        const auto number = static_cast<std::int64_t>(i);
        if (object) {
            members = std::move(members).set(std::string_view(key), number);
            made.plain.keys.push_back(key);
        } else {
            array = std::move(array).push_back(number);
        }
        made.plain.members.push_back({Plain::Kind::kScalar, number, {}, {}});
    }
    made.document = object ? Value(members) : Value(array);
    return made;
}

void step(Program& program, std::array<Register, kRegisters>& registers) {
    Register& target = registers[program.below(kRegisters)];
    Register& other = registers[program.below(kRegisters)];
    switch (program.below(8)) {
        case 0:
        case 1: {
            const Path path = program.path();
            Register made = fresh(program);
            value::Editor editor(std::move(target.document));
            CHECK(editor.set(path, made.document).has_value() ==
                  target.plain.set(path, made.plain));
            target.document = std::move(editor).take();
            break;
        }
        case 2: {
            const Path path = program.path();
            const std::size_t position = program.below(70);
            Register made = fresh(program);
            value::Editor editor(target.document);
            CHECK(editor.insert(path, position, made.document).has_value() ==
                  target.plain.insert(path, position, made.plain));
            target.document = std::move(editor).take();
            break;
        }
        case 3: {
            const Path path = program.path();
            value::Editor editor(std::move(target.document));
            CHECK(editor.erase(path).has_value() == target.plain.erase(path));
            target.document = std::move(editor).take();
            break;
        }
        case 4:
            target = other;
            break;
        case 5: {
            // One document inside another, as long as it stays small.
            const Path path = program.path();
            if (other.plain.json().size() + target.plain.json().size() < 4000) {
                const Register copy = other;
                const auto changed = value::set(target.document, path, copy.document);
                CHECK(changed.has_value() == target.plain.set(path, copy.plain));
                if (changed) {
                    target.document = *changed;
                }
            }
            break;
        }
        case 6: {
            const value::Diff changes = value::diff(target.document, other.document);
            const auto there = value::apply_diff(changes, target.document);
            CHECK(there && value::same_bytes(*there, other.document));
            const auto back = value::apply_diff(value::invert(changes), other.document);
            CHECK(back && value::same_bytes(*back, target.document));
            CHECK((target.document == *there) == (target.document == other.document));
            break;
        }
        default:
            CHECK(value::seal(target.document) == value::fingerprint_of(target.document));
            break;
    }
}

void compare(const std::array<Register, kRegisters>& registers) {
    for (const Register& each : registers) {
        CHECK(value::print_json(each.document) == each.plain.json());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Program program(data, size);
    std::array<Register, kRegisters> registers;
    for (Register& each : registers) {
        each.document = value::Object();
        each.plain.kind = Plain::Kind::kObject;
    }
    for (std::size_t n = 0; n < kStepsMax && !program.done(); ++n) {
        step(program, registers);
        if (n % 32 == 31) {
            compare(registers);
        }
    }
    compare(registers);
    for (const Register& each : registers) {
        const auto read = value::parse_json(each.plain.json());
        CHECK(read && value::fingerprint_of(*read) == value::fingerprint_of(each.document));
    }
    return 0;
}
