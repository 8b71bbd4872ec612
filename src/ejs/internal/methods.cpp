#include "ejs/internal/methods.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ejs/internal/convert.h"
#include "ejs/internal/list_methods.h"
#include "ejs/internal/machine.h"
#include "ejs/internal/numerals.h"
#include "ejs/internal/patterns.h"
#include "ejs/internal/text_methods.h"

namespace arbiter::ejs::internal {
namespace {

// ---- numbers and booleans

Datum to_fixed(Machine& machine, const Datum& self, Arguments arguments) {
    const double digits = arguments.empty() ? 0 : std::trunc(to_number(arguments[0]));
    if (!self.is_number() || digits < 0 || digits > 100) {
        return machine.fail(Fault::kThrown, ".toFixed(" + print_number(digits) + ")");
    }
    return machine.text(
        print_fixed(self.number(), std::isnan(digits) ? 0 : static_cast<int>(digits)));
}
Datum number_to_string(Machine& machine, const Datum& self, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    const double radix = given.is_undefined() ? 10 : to_number(given);
    if (!self.is_number() || radix == 10) {
        return machine.text_of(self);
    }
    const bool is_whole =
        std::isfinite(self.number()) && self.number() == std::trunc(self.number());
    if (!is_whole || !(radix >= 2 && radix <= 36)) {
        return machine.fail(Fault::kUnsupported, ".toString(" + print_number(radix) + ")");
    }
    return machine.text(print_radix(self.number(), static_cast<int>(radix)));
}
// 1234567.5 → 1,234,567.5
Datum to_locale_string(Machine& machine, const Datum& self, Arguments) {
    if (!self.is_number() || !std::isfinite(self.number()) || std::abs(self.number()) >= 1e15) {
        return machine.text_of(self);
    }
    std::string text = print_fixed(self.number(), 3);
    while (text.back() == '0') {
        text.pop_back();
    }
    if (text.back() == '.') {
        text.pop_back();
    }
    std::size_t at = std::min(text.find('.'), text.size());
    const std::size_t first = text.front() == '-' ? 1 : 0;
    while (at > first + 3) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return machine.text(std::move(text));
}
Datum value_of(Machine&, const Datum& self, Arguments) {
    return self;
}
constexpr auto kNumberMethods = std::to_array<Method>({
    {"toFixed", to_fixed},
    {"toString", number_to_string},
    {"toLocaleString", to_locale_string},
    {"valueOf", value_of},
});

// ---- records

Datum has_own(Machine& machine, const Datum& self, Arguments arguments) {
    bool found = false;
    field_of(self, machine.text_of(argument(arguments, 0)).text(), &found);
    return found;
}
Datum record_to_string(Machine& machine, const Datum& self, Arguments) {
    return machine.text_of(self);
}
constexpr auto kRecordMethods = std::to_array<Method>({
    {"hasOwnProperty", has_own},
    {"toString", record_to_string},
});

// ---- sets and maps

Datum has(Machine&, const Datum& self, Arguments arguments) {
    return self.table().find(argument(arguments, 0)) != nullptr;
}
Datum get(Machine&, const Datum& self, Arguments arguments) {
    const Datum* found = self.table().find(argument(arguments, 0));
    return found != nullptr && self.is(Datum::Kind::kMap) ? *found : Datum();
}
Datum add(Machine& machine, const Datum& self, Arguments arguments) {
    machine.heap().set(self.table(), argument(arguments, 0), argument(arguments, 0));
    return self;
}
Datum set(Machine& machine, const Datum& self, Arguments arguments) {
    machine.heap().set(self.table(), argument(arguments, 0), argument(arguments, 1));
    return self;
}
Datum erase(Machine& machine, const Datum& self, Arguments arguments) {
    return machine.spend(self.table().rows.size()) && self.table().erase(argument(arguments, 0));
}
Datum clear(Machine&, const Datum& self, Arguments) {
    self.table().clear();
    return {};
}
Datum for_each(Machine& machine, const Datum& self, Arguments arguments) {
    const std::vector<Table::Row> rows = self.table().rows;
    for (const Table::Row& row : rows) {
        if (!machine.spend(1)) {
            break;
        }
        machine.call(argument(arguments, 0), {row.value, row.key, self});
    }
    return {};
}
Datum keys(Machine& machine, const Datum& self, Arguments) {
    List* out = machine.heap().list();
    for (const Table::Row& row : self.table().rows) {
        machine.heap().push(*out, row.key);
    }
    return machine.spend(self.table().rows.size()) ? Datum(out) : Datum();
}
Datum values(Machine& machine, const Datum& self, Arguments) {
    List* out = machine.heap().list();
    for (const Table::Row& row : self.table().rows) {
        machine.heap().push(*out, row.value);
    }
    return machine.spend(self.table().rows.size()) ? Datum(out) : Datum();
}
Datum entries(Machine& machine, const Datum& self, Arguments) {
    List* out = machine.heap().list();
    for (const Table::Row& row : self.table().rows) {
        if (!machine.spend(1)) {
            break;
        }
        machine.heap().push(*out, machine.list({row.key, row.value}));
    }
    return out;
}
constexpr auto kTableMethods = std::to_array<Method>({
    {"has", has},
    {"get", get},
    {"add", add},
    {"set", set},
    {"delete", erase},
    {"clear", clear},
    {"forEach", for_each},
    {"keys", keys},
    {"values", values},
    {"entries", entries},
});

// ---- patterns

Datum test(Machine& machine, const Datum& self, Arguments arguments) {
    return is_match(machine, self, machine.text_of(argument(arguments, 0)).text());
}
Datum exec(Machine& machine, const Datum& self, Arguments arguments) {
    // With g it would continue where the last search ended.
    if (self.pattern().flags.find('g') != std::string_view::npos) {
        return machine.fail(Fault::kUnsupported, to_text(self) + ".exec");
    }
    return match_pattern(machine, machine.text_of(argument(arguments, 0)), self);
}
constexpr auto kPatternMethods = std::to_array<Method>({{"test", test}, {"exec", exec}});

std::span<const Method> methods_of(const Datum& self) noexcept {
    switch (self.kind()) {
        case Datum::Kind::kText:
            return text_methods();
        case Datum::Kind::kList:
        case Datum::Kind::kDocumentList:
            return list_methods();
        case Datum::Kind::kNumber:
        case Datum::Kind::kBool:
            return kNumberMethods;
        case Datum::Kind::kRecord:
        case Datum::Kind::kDocumentRecord:
            return kRecordMethods;
        case Datum::Kind::kSet:
        case Datum::Kind::kMap:
            return kTableMethods;
        case Datum::Kind::kPattern:
            return kPatternMethods;
        case Datum::Kind::kUndefined:
        case Datum::Kind::kNull:
        case Datum::Kind::kClosure:
        case Datum::Kind::kBuiltin:
        case Datum::Kind::kNamespace:
        case Datum::Kind::kMethod:
            return {};
    }
    return {};
}

}  // namespace

const Method* find_method(const Datum& self, std::string_view name) noexcept {
    const auto methods = methods_of(self);
    const auto found = std::ranges::find(methods, name, &Method::name);
    return found != methods.end() ? &*found : nullptr;
}

}  // namespace arbiter::ejs::internal
