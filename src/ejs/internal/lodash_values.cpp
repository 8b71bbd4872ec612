#include "ejs/internal/lodash_values.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ejs/internal/convert.h"
#include "ejs/internal/machine.h"
#include "ejs/internal/methods.h"

namespace arbiter::ejs::internal {
namespace {

bool has_field(const Datum& record, std::string_view key) {
    bool found = false;
    field_of(record, key, &found);
    return found;
}

Datum range(Machine& machine, Arguments arguments) {
    const double given = to_number(argument(arguments, 0));
    const double from = arguments.size() > 1 ? given : 0;
    const double to = arguments.size() > 1 ? to_number(arguments[1]) : given;
    const double step = arguments.size() > 2 ? to_number(arguments[2]) : (from <= to ? 1 : -1);
    List* out = machine.heap().list();
    if (step == 0 || !std::isfinite(step)) {
        return out;
    }
    for (double at = from; (step > 0 ? at < to : at > to) && machine.spend(1); at += step) {
        machine.heap().push(*out, at);
    }
    return out;
}
Datum pick(Machine& machine, Arguments arguments) {
    Record* out = machine.heap().record();
    const Datum given = argument(arguments, 0);
    for (std::size_t i = 1; i < arguments.size() && given.is_record(); ++i) {
        const std::vector<Datum> names =
            arguments[i].is_list() ? machine.elements(arguments[i]) : std::vector{arguments[i]};
        for (const Datum& name : names) {
            const Datum key = machine.text_of(name);
            if (has_field(given, key.text()) && machine.spend(1)) {
                machine.heap().set(*out, key.text(), field_of(given, key.text()));
            }
        }
    }
    return out;
}
Datum omit(Machine& machine, Arguments arguments) {
    Record* out = machine.heap().record();
    const Datum given = argument(arguments, 0);
    Table* names = machine.heap().table();
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        for (const Datum& name :
             arguments[i].is_list() ? machine.elements(arguments[i]) : std::vector{arguments[i]}) {
            machine.heap().set(*names, machine.text_of(name), true);
        }
    }
    if (given.is_record()) {
        for (const Record::Field& field : fields_of(given)) {
            if (names->find(field.key) == nullptr && machine.spend(1)) {
                machine.heap().set(*out, field.key, field.value);
            }
        }
    }
    return out;
}
Datum clone(Machine&, Arguments arguments) {
    return argument(arguments, 0);
}
Datum to_pairs(Machine& machine, Arguments arguments) {
    List* out = machine.heap().list();
    if (const Datum given = argument(arguments, 0); given.is_record()) {
        for (const Record::Field& field : fields_of(given)) {
            machine.heap().push(*out, machine.list({field.key, field.value}));
        }
    }
    return out;
}
Datum clamp(Machine&, Arguments arguments) {
    const double number = to_number(argument(arguments, 0));
    const bool has_both = arguments.size() > 2;
    const double low = has_both ? to_number(arguments[1]) : -INFINITY;
    const double high = to_number(argument(arguments, has_both ? 2 : 1));
    return std::isnan(number) ? number : std::max(low, std::min(number, high));
}
Datum round(Machine&, Arguments arguments) {
    const double scale = std::pow(10.0, arguments.size() > 1 ? to_number(arguments[1]) : 0);
    return std::floor(to_number(argument(arguments, 0)) * scale + 0.5) / scale;
}
Datum in_range(Machine&, Arguments arguments) {
    const double number = to_number(argument(arguments, 0));
    const double first = to_number(argument(arguments, 1));
    const double from = arguments.size() > 2 ? first : 0;
    const double to = arguments.size() > 2 ? to_number(arguments[2]) : first;
    return number >= std::min(from, to) && number < std::max(from, to);
}
Datum to_number_of(Machine&, Arguments arguments) {
    return to_number(argument(arguments, 0));
}
Datum to_string_of(Machine& machine, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    return given.is_nullish() ? Datum(std::string_view()) : machine.text_of(given);
}
Datum cast_array(Machine& machine, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    return given.is_list() ? given : machine.list({arguments.begin(), arguments.end()});
}
Datum is_equal(Machine& machine, Arguments arguments) {
    return machine.spend(64) && are_alike(argument(arguments, 0), argument(arguments, 1));
}
Datum is_array(Machine&, Arguments arguments) {
    return argument(arguments, 0).is_list();
}
Datum is_string(Machine&, Arguments arguments) {
    return argument(arguments, 0).is_text();
}
Datum is_number(Machine&, Arguments arguments) {
    return argument(arguments, 0).is_number();
}
Datum is_finite(Machine&, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    return given.is_number() && std::isfinite(given.number());
}
Datum is_boolean(Machine&, Arguments arguments) {
    return argument(arguments, 0).is(Datum::Kind::kBool);
}
Datum is_object(Machine&, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    return given.is_list() || given.is_record() || given.is_table() || given.is_callable();
}
Datum is_plain_object(Machine&, Arguments arguments) {
    return argument(arguments, 0).is_record();
}
Datum is_nil(Machine&, Arguments arguments) {
    return argument(arguments, 0).is_nullish();
}
Datum is_undefined(Machine&, Arguments arguments) {
    return argument(arguments, 0).is_undefined();
}
Datum is_null(Machine&, Arguments arguments) {
    return argument(arguments, 0).is(Datum::Kind::kNull);
}
Datum is_function(Machine&, Arguments arguments) {
    return argument(arguments, 0).is_callable();
}
Datum random(Machine& machine, Arguments) {
    return machine.fail(Fault::kVaries, "_.random");
}
Datum sample(Machine& machine, Arguments) {
    return machine.fail(Fault::kVaries, "_.sample");
}
template <std::size_t kName>
Datum on_text(Machine& machine, Arguments arguments) {
    constexpr std::array<std::string_view, 8> kNames = {
        "trim", "padStart", "padEnd", "split", "startsWith", "endsWith", "repeat", "replace"};
    const Datum text = to_string_of(machine, arguments);
    return find_method(text, kNames[kName])
        ->call(machine, text, arguments.subspan(std::min<std::size_t>(1, arguments.size())));
}

constexpr auto kFunctions = std::to_array<Builtin>({
    {"range", range},
    {"toPairs", to_pairs},
    {"entries", to_pairs},
    {"pick", pick},
    {"omit", omit},
    {"clone", clone},
    {"cloneDeep", clone},
    {"identity", clone},
    {"clamp", clamp},
    {"round", round},
    {"inRange", in_range},
    {"toNumber", to_number_of},
    {"toString", to_string_of},
    {"castArray", cast_array},
    {"isEqual", is_equal},
    {"isArray", is_array},
    {"isString", is_string},
    {"isNumber", is_number},
    {"isFinite", is_finite},
    {"isBoolean", is_boolean},
    {"isObject", is_object},
    {"isPlainObject", is_plain_object},
    {"isNil", is_nil},
    {"isUndefined", is_undefined},
    {"isNull", is_null},
    {"isFunction", is_function},
    {"random", random},
    {"sample", sample},
    {"sampleSize", sample},
    {"shuffle", sample},
    {"trim", on_text<0>},
    {"padStart", on_text<1>},
    {"padEnd", on_text<2>},
    {"split", on_text<3>},
    {"startsWith", on_text<4>},
    {"endsWith", on_text<5>},
    {"repeat", on_text<6>},
    {"replace", on_text<7>},
});

}  // namespace

std::span<const Builtin> lodash_value_functions() noexcept {
    return kFunctions;
}

}  // namespace arbiter::ejs::internal
