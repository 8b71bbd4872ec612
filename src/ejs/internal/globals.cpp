#include "ejs/internal/globals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/limits.h"
#include "ejs/internal/convert.h"
#include "ejs/internal/host.h"
#include "ejs/internal/lodash.h"
#include "ejs/internal/lodash_values.h"
#include "ejs/internal/machine.h"
#include "ejs/internal/maths.h"
#include "ejs/internal/methods.h"
#include "ejs/internal/numerals.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::ejs::internal {
namespace {

// ---- Object

std::vector<Record::Field> members_of(Machine& machine, const Datum& datum) {
    std::vector<Record::Field> fields;
    if (datum.is_record()) {
        fields = fields_of(datum);
    } else if (datum.is_list() || datum.is_text()) {
        for (const Datum& each : machine.elements(datum)) {
            fields.push_back({machine.text(std::to_string(fields.size())).text(), each});
        }
    } else if (datum.is_nullish()) {
        machine.fail(Fault::kNoMember, to_text(datum), "keys");
    }
    machine.spend(fields.size());
    return fields;
}
Datum object_keys(Machine& machine, Arguments arguments) {
    List* out = machine.heap().list();
    for (const Record::Field& field : members_of(machine, argument(arguments, 0))) {
        machine.heap().push(*out, field.key);
    }
    return out;
}
Datum object_values(Machine& machine, Arguments arguments) {
    List* out = machine.heap().list();
    for (const Record::Field& field : members_of(machine, argument(arguments, 0))) {
        machine.heap().push(*out, field.value);
    }
    return out;
}
Datum object_entries(Machine& machine, Arguments arguments) {
    List* out = machine.heap().list();
    for (const Record::Field& field : members_of(machine, argument(arguments, 0))) {
        machine.heap().push(*out, machine.list({field.key, field.value}));
    }
    return out;
}
Datum from_entries(Machine& machine, Arguments arguments) {
    Record* out = machine.heap().record();
    for (const Datum& entry : machine.elements(argument(arguments, 0))) {
        const std::vector<Datum> pair = machine.elements(entry);
        if (machine.failed()) {
            return {};
        }
        machine.heap().set(*out, machine.text_of(argument(pair, 0)).text(), argument(pair, 1));
    }
    return out;
}
Datum object_assign(Machine& machine, Arguments arguments) {
    const Datum target = argument(arguments, 0);
    if (!target.is(Datum::Kind::kRecord)) {
        return machine.fail(target.is_document() ? Fault::kWrites : Fault::kUnsupported,
                            "Object.assign");
    }
    for (std::size_t i = 1; i < arguments.size(); ++i) {
        if (!arguments[i].is_record()) {
            continue;
        }
        for (const Record::Field& field : fields_of(arguments[i])) {
            if (machine.spend(1)) {
                machine.heap().set(target.record(), field.key, field.value);
            }
        }
    }
    return target;
}
Datum has_own(Machine& machine, Arguments arguments) {
    bool found = false;
    if (const Datum record = argument(arguments, 0); record.is_record()) {
        field_of(record, machine.text_of(argument(arguments, 1)).text(), &found);
    }
    return found;
}
Datum first_argument(Machine&, Arguments arguments) {
    return argument(arguments, 0);
}
constexpr auto kObject = std::to_array<Builtin>({
    {"keys", object_keys},
    {"values", object_values},
    {"entries", object_entries},
    {"fromEntries", from_entries},
    {"assign", object_assign},
    {"hasOwn", has_own},
    {"freeze", first_argument},
});

// ---- Array

Datum is_array(Machine&, Arguments arguments) {
    return argument(arguments, 0).is_list();
}
// Array.from(list, function), Array.from({length: n}, function)
Datum array_from(Machine& machine, Arguments arguments) {
    const Datum from = argument(arguments, 0);
    const Datum function = argument(arguments, 1);
    std::vector<Datum> items;
    if (from.is_record()) {
        const double length = to_number(field_of(from, "length"));
        for (double i = 0; i < length && machine.spend(1); ++i) {
            items.push_back(field_of(from, print_number(i)));
        }
    } else if (!from.is_nullish()) {
        items = machine.elements(from);
    }
    for (std::size_t i = 0; i < items.size() && !function.is_undefined() && !machine.failed();
         ++i) {
        items[i] = machine.call(function, {items[i], static_cast<double>(i)});
    }
    return machine.failed() ? Datum() : machine.list(std::move(items));
}
Datum array_of(Machine& machine, Arguments arguments) {
    return machine.list({arguments.begin(), arguments.end()});
}
// Array(3) has three empty places.
Datum array(Machine& machine, Arguments arguments) {
    if (arguments.size() != 1 || !arguments[0].is_number()) {
        return array_of(machine, arguments);
    }
    const double size = arguments[0].number();
    if (!(size >= 0) || size != std::trunc(size)) {
        return machine.fail(Fault::kThrown, "Array(" + print_number(size) + ")");
    }
    if (size > static_cast<double>(base::kTemplateStepsMax) ||
        !machine.spend(static_cast<std::size_t>(size))) {
        return machine.fail(Fault::kSteps, std::to_string(base::kTemplateStepsMax));
    }
    return machine.list(std::vector<Datum>(static_cast<std::size_t>(size)));
}
constexpr auto kArray = std::to_array<Builtin>({
    {"isArray", is_array},
    {"from", array_from},
    {"of", array_of},
});
constexpr Builtin kArrayItself{"Array", array};

// ---- Number, String, Boolean

Datum number(Machine&, Arguments arguments) {
    return arguments.empty() ? 0 : to_number(arguments[0]);
}
Datum is_integer(Machine&, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    return given.is_number() && std::isfinite(given.number()) &&
           given.number() == std::trunc(given.number());
}
Datum is_finite(Machine&, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    return given.is_number() && std::isfinite(given.number());
}
Datum is_nan(Machine&, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    return given.is_number() && std::isnan(given.number());
}
Datum is_finite_after_all(Machine&, Arguments arguments) {
    return std::isfinite(to_number(argument(arguments, 0)));
}
Datum is_nan_after_all(Machine&, Arguments arguments) {
    return std::isnan(to_number(argument(arguments, 0)));
}
Datum parse_float(Machine&, Arguments arguments) {
    return leading_number(to_text(argument(arguments, 0)));
}
Datum parse_int(Machine&, Arguments arguments) {
    const Datum radix = argument(arguments, 1);
    return leading_integer(to_text(argument(arguments, 0)),
                           radix.is_undefined() ? 0 : to_int32(to_number(radix)));
}
constexpr auto kNumber = std::to_array<Builtin>({
    {"isInteger", is_integer},
    {"isSafeInteger", is_integer},
    {"isFinite", is_finite},
    {"isNaN", is_nan},
    {"parseFloat", parse_float},
    {"parseInt", parse_int},
});
constexpr Builtin kNumberItself{"Number", number};

Datum string(Machine& machine, Arguments arguments) {
    return arguments.empty() ? Datum(std::string_view()) : machine.text_of(arguments[0]);
}
constexpr Builtin kStringItself{"String", string};

Datum boolean(Machine&, Arguments arguments) {
    return is_true(argument(arguments, 0));
}
constexpr Builtin kBooleanItself{"Boolean", boolean};

// ---- JSON

Datum stringify(Machine& machine, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    if (given.is_undefined() || given.is_callable()) {
        return {};
    }
    if (!argument(arguments, 1).is_nullish()) {
        return machine.fail(Fault::kUnsupported, "JSON.stringify(…, …)");
    }
    const Datum space = argument(arguments, 2);
    const std::string indent =
        space.is_number()
            ? std::string(static_cast<std::size_t>(std::clamp(space.number(), 0.0, 10.0)), ' ')
            : (space.is_text() ? std::string(space.text().substr(0, 10)) : std::string());
    std::string out;
    append_json(out, given, indent);
    return machine.spend(out.size() / 16) ? machine.text(std::move(out)) : Datum();
}
// A value of a document as data of the template's own.
Datum adopt(Machine& machine, const value::Value& value) {
    switch (value.kind()) {
        case value::Kind::kString:
            return machine.text(std::string(value.as_string()));
        case value::Kind::kArray: {
            List* list = machine.heap().list();
            for (const value::Value& each : value.as_array()) {
                machine.heap().push(*list, adopt(machine, each));
            }
            return list;
        }
        case value::Kind::kObject: {
            Record* record = machine.heap().record();
            for (const auto& [key, each] : value.as_object()) {
                machine.heap().set(*record, machine.text(std::string(key.view())).text(),
                                   adopt(machine, each));
            }
            return record;
        }
        case value::Kind::kNull:
        case value::Kind::kBool:
        case value::Kind::kInt:
        case value::Kind::kDouble:
            return Datum::of(value);
    }
    return {};
}
Datum parse_json(Machine& machine, Arguments arguments) {
    const std::string text = to_text(argument(arguments, 0));
    if (!machine.spend(text.size() / 8)) {
        return {};
    }
    const auto value = value::parse_json(text);
    return value ? adopt(machine, *value) : machine.fail(Fault::kThrown, "JSON.parse");
}
constexpr auto kJson = std::to_array<Builtin>({{"stringify", stringify}, {"parse", parse_json}});

// ---- others

Datum nothing(Machine&, Arguments) {
    return {};
}
constexpr auto kConsole = std::to_array<Builtin>({
    {"log", nothing},
    {"info", nothing},
    {"warn", nothing},
    {"error", nothing},
    {"debug", nothing},
    {"table", nothing},
    {"trace", nothing},
    {"group", nothing},
    {"groupEnd", nothing},
    {"groupCollapsed", nothing},
    {"dir", nothing},
    {"assert", nothing},
    {"success", nothing},
    {"warning", nothing},
});

constexpr auto kPlainFunctions = std::to_array<Builtin>({
    {"parseInt", parse_int},
    {"parseFloat", parse_float},
    {"isNaN", is_nan_after_all},
    {"isFinite", is_finite_after_all},
});

const Namespace kObjectSpace{"Object", kObject};
const Namespace kArraySpace{"Array", kArray, &kArrayItself};
const Namespace kNumberSpace{"Number", kNumber, &kNumberItself};
const Namespace kStringSpace{"String", {}, &kStringItself};
const Namespace kBooleanSpace{"Boolean", {}, &kBooleanItself};
const Namespace kJsonSpace{"JSON", kJson};
const Namespace kConsoleSpace{"console", kConsole};
const Namespace kToastrSpace{"toastr", kConsole};
const Namespace kMathSpace{"Math", math_functions()};
const Namespace kLodashSpace{"_", lodash_functions(), nullptr, lodash_value_functions()};
const Namespace kSetSpace{"Set", {}};
const Namespace kMapSpace{"Map", {}};
const Namespace kRegexSpace{"RegExp", {}};
// `this` of functions that cards define: every name again.
const Namespace kGlobalSpace{"globalThis", {}};

const std::array<const Namespace*, 14> kSpaces = {
    &kObjectSpace, &kArraySpace,   &kNumberSpace, &kStringSpace, &kBooleanSpace,
    &kJsonSpace,   &kConsoleSpace, &kToastrSpace, &kMathSpace,   &kLodashSpace,
    &kSetSpace,    &kMapSpace,     &kRegexSpace,  &kGlobalSpace};

// Names that SillyTavern's templates know and ours refuse.
constexpr auto kWriters = std::to_array<std::string_view>({"setvar",
                                                           "setLocalVar",
                                                           "setGlobalVar",
                                                           "setMessageVar",
                                                           "setVariable",
                                                           "incvar",
                                                           "incLocalVar",
                                                           "incGlobalVar",
                                                           "incMessageVar",
                                                           "decvar",
                                                           "decLocalVar",
                                                           "decGlobalVar",
                                                           "decMessageVar",
                                                           "delvar",
                                                           "delLocalVar",
                                                           "delGlobalVar",
                                                           "delMessageVar",
                                                           "insvar",
                                                           "insertLocalVar",
                                                           "insertGlobalVar",
                                                           "insertMessageVar",
                                                           "patchVariables",
                                                           "setVariables",
                                                           "replaceVariables",
                                                           "insertOrAssignVariables",
                                                           "insertVariables",
                                                           "deleteVariable",
                                                           "updateVariablesWith"});
constexpr auto kVarying = std::to_array<std::string_view>({"Date", "faker", "performance"});
constexpr auto kForeign = std::to_array<std::string_view>({"activewi",
                                                           "activateWorldInfo",
                                                           "activateWorldInfoByKeywords",
                                                           "getWorldInfoData",
                                                           "getWorldInfoActivatedData",
                                                           "getEnabledWorldInfoEntries",
                                                           "selectActivatedEntries",
                                                           "getEnabledLoreBooks",
                                                           "activateRegex",
                                                           "injectPrompt",
                                                           "getPromptsInjected",
                                                           "hasPromptsInjected",
                                                           "execute",
                                                           "SillyTavern",
                                                           "TavernHelper",
                                                           "Mvu",
                                                           "window",
                                                           "document",
                                                           "$",
                                                           "jQuery",
                                                           "fetch",
                                                           "eval",
                                                           "Function",
                                                           "require",
                                                           "import",
                                                           "include",
                                                           "getpreset",
                                                           "getprp",
                                                           "getPresetPrompt",
                                                           "getqr",
                                                           "getQuickReply",
                                                           "getQuickReplyData",
                                                           "evalTemplate",
                                                           "jsonPatch",
                                                           "parseJSON",
                                                           "Promise",
                                                           "Symbol",
                                                           "Proxy",
                                                           "Reflect",
                                                           "WeakMap",
                                                           "WeakSet",
                                                           "setTimeout",
                                                           "structuredClone",
                                                           "Intl",
                                                           "YAML",
                                                           "z",
                                                           "getCharData",
                                                           "getCharaData",
                                                           "triggerSlash",
                                                           "eventOn",
                                                           "eventEmit",
                                                           "process",
                                                           "arguments",
                                                           "chatId",
                                                           "characterId",
                                                           "groups",
                                                           "groupId",
                                                           "charAvatar",
                                                           "userAvatar",
                                                           "findVariables"});

}  // namespace

Datum find_in_namespace(const Namespace& space, std::string_view name) {
    if (&space == &kMathSpace || &space == &kNumberSpace) {
        if (const auto constant = math_constant(name)) {
            return *constant;
        }
    }
    if (&space == &kGlobalSpace) {
        return find_global(name).value_or(Datum());
    }
    for (const std::span<const Builtin> functions : {space.functions, space.more}) {
        const auto found = std::ranges::find(functions, name, &Builtin::name);
        if (found != functions.end()) {
            return &*found;
        }
    }
    return {};
}

std::optional<Datum> find_global(std::string_view name) {
    const auto space =
        std::ranges::find(kSpaces, name, [](const Namespace* each) { return each->name; });
    if (space != kSpaces.end()) {
        return *space;
    }
    for (const std::span<const Builtin> functions :
         {std::span<const Builtin>(kPlainFunctions), host_functions()}) {
        const auto found = std::ranges::find(functions, name, &Builtin::name);
        if (found != functions.end()) {
            return &*found;
        }
    }
    if (name == "NaN") {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (name == "Infinity") {
        return std::numeric_limits<double>::infinity();
    }
    return std::nullopt;
}

std::optional<Datum> find_environment_name(Machine& machine, std::string_view name) {
    return host_name(machine, name);
}

std::optional<Fault> refusal(std::string_view name) noexcept {
    const auto is_in = [name](const auto& names) {
        return std::ranges::find(names, name) != names.end();
    };
    if (is_in(kWriters)) {
        return Fault::kWrites;
    }
    if (is_in(kVarying)) {
        return Fault::kVaries;
    }
    return is_in(kForeign) ? std::optional(Fault::kUnsupported) : std::nullopt;
}

Datum construct(Machine& machine, const Namespace& space, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    if (&space == &kSetSpace || &space == &kMapSpace) {
        Table* table = machine.heap().table();
        if (!given.is_nullish()) {
            for (const Datum& each : machine.elements(given)) {
                const std::vector<Datum> pair =
                    &space == &kMapSpace ? machine.elements(each) : std::vector{each, each};
                machine.heap().set(*table, argument(pair, 0), argument(pair, 1));
            }
        }
        return &space == &kSetSpace ? Datum::set(table) : Datum::map(table);
    }
    if (&space == &kArraySpace) {
        return array(machine, arguments);
    }
    if (&space == &kRegexSpace && given.is_text()) {
        return machine.heap().pattern(
            given.text(),
            machine.text_of(arguments.size() > 1 ? arguments[1] : Datum(std::string_view()))
                .text());
    }
    return machine.fail(Fault::kUnsupported, "new " + std::string(space.name));
}

}  // namespace arbiter::ejs::internal
