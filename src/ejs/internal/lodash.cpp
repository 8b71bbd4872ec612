#include "ejs/internal/lodash.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/limits.h"
#include "ejs/internal/convert.h"
#include "ejs/internal/list_methods.h"
#include "ejs/internal/machine.h"
#include "ejs/internal/methods.h"
#include "value/path.h"

namespace arbiter::ejs::internal {
namespace {

// The keys of a path.
std::vector<std::string> keys_of(Machine& machine, const Datum& path) {
    std::vector<std::string> keys;
    if (path.is_list()) {
        for (const Datum& each : machine.elements(path)) {
            keys.push_back(to_text(each));
        }
        return keys;
    }
    const std::string text = to_text(path);
    const auto parsed = value::parse_path(text, value::PathSyntax::kDotted);
    if (!parsed || parsed->empty()) {
        keys.push_back(text);
        return keys;
    }
    for (const value::Segment& segment : *parsed) {
        keys.emplace_back(segment.as_key().view());
    }
    return keys;
}

bool has_key(const Datum& container, std::string_view key) {
    bool found = false;
    std::size_t index = 0;
    if (container.is_record()) {
        field_of(container, key, &found);
    } else if (container.is_list()) {
        found = read_index(key, index) && index < size_of(container);
    }
    return found;
}

// The value at a path, and whether it exists.
Datum walk(Machine& machine, const Datum& root, const Datum& path, bool& found) {
    // A key with dots in it goes before the path.
    if (path.is_text() && root.is_record() && has_key(root, path.text())) {
        found = true;
        return field_of(root, path.text());
    }
    Datum at = root;
    found = true;
    for (const std::string& key : keys_of(machine, path)) {
        if (!machine.spend(1) || at.is_nullish()) {
            found = false;
            return {};
        }
        found = has_key(at, key) || (at.is_text() && key == "length");
        at = machine.member(at, key);
        at = at.is(Datum::Kind::kMethod) ? Datum() : at;
    }
    return at;
}

Datum get(Machine& machine, Arguments arguments) {
    const Datum found = value_at(machine, argument(arguments, 0), argument(arguments, 1));
    return found.is_undefined() ? argument(arguments, 2) : found;
}
Datum has(Machine& machine, Arguments arguments) {
    bool found = false;
    walk(machine, argument(arguments, 0), argument(arguments, 1), found);
    return found;
}

Datum size(Machine&, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    if (given.is_list()) {
        return static_cast<double>(size_of(given));
    }
    if (given.is_record()) {
        return static_cast<double>(field_count(given));
    }
    if (given.is_table()) {
        return static_cast<double>(given.table().rows.size());
    }
    return given.is_text() ? static_cast<double>(unit_count(given.text())) : 0.0;
}
Datum is_empty(Machine& machine, Arguments arguments) {
    return size(machine, arguments).number() == 0;
}

// Elements of a list, values of a record, characters of a text.
std::vector<Datum> items_of(Machine& machine, const Datum& given) {
    if (given.is_record()) {
        std::vector<Datum> items;
        for (const Record::Field& field : fields_of(given)) {
            items.push_back(field.value);
        }
        machine.spend(items.size());
        return items;
    }
    return given.is_list() || given.is_text() || given.is_table() ? machine.elements(given)
                                                                  : std::vector<Datum>();
}
Datum list_of(Machine& machine, const Datum& given) {
    return given.is_list() ? given : machine.list(items_of(machine, given));
}

// A function, or the path, record or pair that lodash makes one of.
Datum apply(Machine& machine, const Datum& how, const Datum& item, const Datum& key) {
    if (how.is_callable() || how.is(Datum::Kind::kNamespace)) {
        return machine.call(how, {item, key});
    }
    if (how.is_undefined()) {
        return item;
    }
    if (how.is_record()) {
        return std::ranges::all_of(fields_of(how), [&](const Record::Field& field) {
            return item.is_record() && are_alike(field_of(item, field.key), field.value);
        });
    }
    if (how.is_list() && size_of(how) == 2) {
        return are_alike(value_at(machine, item, item_of(how, 0)), item_of(how, 1));
    }
    return value_at(machine, item, how);
}

// Calls `take(item, result, key)` for each element or member, until it says that it is enough.
template <typename Take>
void each(Machine& machine, Arguments arguments, const Take& take) {
    const Datum given = argument(arguments, 0);
    const Datum how = argument(arguments, 1);
    if (given.is_record()) {
        for (const Record::Field& field : fields_of(given)) {
            if (!machine.spend(1)) {
                return;
            }
            const Datum result = apply(machine, how, field.value, field.key);
            if (machine.failed() || !take(field.value, result, Datum(field.key))) {
                return;
            }
        }
        return;
    }
    const std::vector<Datum> items = items_of(machine, given);
    for (std::size_t i = 0; i < items.size() && machine.spend(1); ++i) {
        const Datum key = static_cast<double>(i);
        const Datum result = apply(machine, how, items[i], key);
        if (machine.failed() || !take(items[i], result, key)) {
            return;
        }
    }
}
Datum map(Machine& machine, Arguments arguments) {
    List* out = machine.heap().list();
    each(machine, arguments, [&](const Datum&, const Datum& result, const Datum&) {
        machine.heap().push(*out, result);
        return true;
    });
    return out;
}
Datum for_each(Machine& machine, Arguments arguments) {
    each(machine, arguments, [](const Datum&, const Datum& result, const Datum&) {
        return !(result.is(Datum::Kind::kBool) && !result.truth());
    });
    return argument(arguments, 0);
}
template <bool kWanted>
Datum filter(Machine& machine, Arguments arguments) {
    List* out = machine.heap().list();
    each(machine, arguments, [&](const Datum& item, const Datum& result, const Datum&) {
        if (is_true(result) == kWanted) {
            machine.heap().push(*out, item);
        }
        return true;
    });
    return out;
}
Datum find(Machine& machine, Arguments arguments) {
    Datum found;
    each(machine, arguments, [&](const Datum& item, const Datum& result, const Datum&) {
        found = is_true(result) ? item : Datum();
        return !is_true(result);
    });
    return found;
}
Datum find_key(Machine& machine, Arguments arguments) {
    Datum found;
    each(machine, arguments, [&](const Datum&, const Datum& result, const Datum& key) {
        found = is_true(result) ? key : Datum();
        return !is_true(result);
    });
    return found;
}
Datum find_index(Machine& machine, Arguments arguments) {
    const Datum found = find_key(machine, arguments);
    return found.is_undefined() ? Datum(-1.0) : found;
}
Datum some(Machine& machine, Arguments arguments) {
    bool found = false;
    each(machine, arguments, [&](const Datum&, const Datum& result, const Datum&) {
        found = is_true(result);
        return !found;
    });
    return found;
}
Datum every(Machine& machine, Arguments arguments) {
    bool all = true;
    each(machine, arguments, [&](const Datum&, const Datum& result, const Datum&) {
        all = is_true(result);
        return all;
    });
    return all;
}
Datum pick_by(Machine& machine, Arguments arguments, bool wanted) {
    Record* out = machine.heap().record();
    each(machine, arguments, [&](const Datum& item, const Datum& result, const Datum& key) {
        if (is_true(result) == wanted) {
            machine.heap().set(*out, machine.text_of(key).text(), item);
        }
        return true;
    });
    return out;
}
template <bool kWanted>
Datum pick_those(Machine& machine, Arguments arguments) {
    return pick_by(machine, arguments, kWanted);
}
Datum map_values(Machine& machine, Arguments arguments) {
    Record* out = machine.heap().record();
    each(machine, arguments, [&](const Datum&, const Datum& result, const Datum& key) {
        machine.heap().set(*out, machine.text_of(key).text(), result);
        return true;
    });
    return out;
}
Datum group_by(Machine& machine, Arguments arguments) {
    Record* out = machine.heap().record();
    each(machine, arguments, [&](const Datum& item, const Datum& result, const Datum&) {
        const Datum key = machine.text_of(result);
        const Datum* known = out->find(key.text());
        List* group = known != nullptr ? &known->list() : machine.heap().list();
        machine.heap().push(*group, item);
        machine.heap().set(*out, key.text(), group);
        return true;
    });
    return out;
}
Datum count_by(Machine& machine, Arguments arguments) {
    Record* out = machine.heap().record();
    each(machine, arguments, [&](const Datum&, const Datum& result, const Datum&) {
        const Datum key = machine.text_of(result);
        const Datum* known = out->find(key.text());
        machine.heap().set(*out, key.text(), (known != nullptr ? known->number() : 0) + 1);
        return true;
    });
    return out;
}
template <bool kIsLargest>
Datum extreme_by(Machine& machine, Arguments arguments) {
    Datum best;
    double least = 0;
    each(machine, arguments, [&](const Datum& item, const Datum& result, const Datum&) {
        const double number = to_number(result);
        if (!std::isnan(number) &&
            (best.is_undefined() || (kIsLargest ? number > least : number < least))) {
            best = item;
            least = number;
        }
        return true;
    });
    return best;
}
Datum sum_by(Machine& machine, Arguments arguments) {
    double sum = 0;
    each(machine, arguments, [&](const Datum&, const Datum& result, const Datum&) {
        sum += to_number(result);
        return true;
    });
    return sum;
}
Datum mean(Machine& machine, Arguments arguments) {
    return sum_by(machine, arguments.first(1)).number() / size(machine, arguments).number();
}
template <bool kIsLargest>
Datum extreme(Machine& machine, Arguments arguments) {
    return extreme_by<kIsLargest>(machine,
                                  arguments.first(std::min<std::size_t>(1, arguments.size())));
}
Datum reduce(Machine& machine, Arguments arguments) {
    const std::vector<Datum> items = items_of(machine, argument(arguments, 0));
    Datum sum = arguments.size() > 2 ? arguments[2] : argument(items, 0);
    for (std::size_t i = arguments.size() > 2 ? 0 : 1; i < items.size() && machine.spend(1); ++i) {
        sum = machine.call(argument(arguments, 1), {sum, items[i], static_cast<double>(i)});
    }
    return sum;
}

// ---- lists

Datum on_list(Machine& machine, Arguments arguments, std::string_view name) {
    const Datum list = list_of(machine, argument(arguments, 0));
    const Method* method = find_method(list, name);
    return machine.failed() || method == nullptr
               ? Datum()
               : method->call(machine, list,
                              arguments.subspan(std::min<std::size_t>(1, arguments.size())));
}
Datum includes(Machine& machine, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    if (given.is_text()) {
        return find_method(given, "includes")->call(machine, given, arguments.subspan(1));
    }
    return on_list(machine, arguments, "includes");
}
Datum join(Machine& machine, Arguments arguments) {
    return on_list(machine, arguments, "join");
}
Datum slice(Machine& machine, Arguments arguments) {
    return on_list(machine, arguments, "slice");
}
Datum concat(Machine& machine, Arguments arguments) {
    return on_list(machine, arguments, "concat");
}
Datum flatten(Machine& machine, Arguments arguments) {
    return on_list(machine, arguments.first(std::min<std::size_t>(1, arguments.size())), "flat");
}
Datum index_of(Machine& machine, Arguments arguments) {
    return on_list(machine, arguments, "indexOf");
}
Datum first(Machine& machine, Arguments arguments) {
    const std::vector<Datum> items = items_of(machine, argument(arguments, 0));
    return items.empty() ? Datum() : items.front();
}
Datum last(Machine& machine, Arguments arguments) {
    const std::vector<Datum> items = items_of(machine, argument(arguments, 0));
    return items.empty() ? Datum() : items.back();
}
std::size_t count_argument(Arguments arguments, std::size_t size) {
    const Datum given = argument(arguments, 1);
    return given.is_undefined() ? std::min<std::size_t>(1, size)
                                : to_position(std::max(0.0, to_number(given)), size, size);
}
template <bool kFromEnd, bool kTakes>
Datum cut(Machine& machine, Arguments arguments) {
    std::vector<Datum> items = items_of(machine, argument(arguments, 0));
    const auto count = static_cast<std::ptrdiff_t>(count_argument(arguments, items.size()));
    const auto size = static_cast<std::ptrdiff_t>(items.size());
    // The first or the last ones are kept.
    const std::ptrdiff_t kept = kTakes ? count : size - count;
    if (kFromEnd == kTakes) {
        items.erase(items.begin(), items.end() - kept);
    } else {
        items.erase(items.begin() + kept, items.end());
    }
    return machine.list(std::move(items));
}
Datum reverse(Machine& machine, Arguments arguments) {
    std::vector<Datum> items = items_of(machine, argument(arguments, 0));
    std::ranges::reverse(items);
    return machine.list(std::move(items));
}
Datum compact(Machine& machine, Arguments arguments) {
    std::vector<Datum> items = items_of(machine, argument(arguments, 0));
    std::erase_if(items, [](const Datum& item) { return !is_true(item); });
    return machine.list(std::move(items));
}
Datum unique(Machine& machine, Arguments arguments) {
    Table* seen = machine.heap().table();
    List* out = machine.heap().list();
    each(machine, arguments, [&](const Datum& item, const Datum& result, const Datum&) {
        if (seen->find(result) == nullptr) {
            machine.heap().set(*seen, result, true);
            machine.heap().push(*out, item);
        }
        return true;
    });
    return out;
}
Datum combine(Machine& machine, Arguments arguments, bool wanted) {
    Table* others = machine.heap().table();
    for (const Datum& each : items_of(machine, argument(arguments, 1))) {
        machine.heap().set(*others, each, true);
    }
    std::vector<Datum> items = items_of(machine, argument(arguments, 0));
    std::erase_if(items,
                  [&](const Datum& item) { return (others->find(item) != nullptr) != wanted; });
    return machine.list(std::move(items));
}
Datum difference(Machine& machine, Arguments arguments) {
    return combine(machine, arguments, false);
}
Datum intersection(Machine& machine, Arguments arguments) {
    return combine(machine, arguments, true);
}
Datum without(Machine& machine, Arguments arguments) {
    const Datum others =
        machine.list({arguments.begin() + (arguments.empty() ? 0 : 1), arguments.end()});
    return combine(machine, std::array{argument(arguments, 0), others}, false);
}

struct Keyed {
    std::vector<Datum> keys;
    Datum item;
    std::size_t number = 0;  // equal keys keep their order
};
// A total order, which sorting needs: numbers, texts, everything else, then NaN and undefined.
int rank_of(const Datum& key) {
    if (key.is_number()) {
        return std::isnan(key.number()) ? 3 : 0;
    }
    if (key.is_text()) {
        return 1;
    }
    return key.is_undefined() ? 3 : 2;
}
int order_of(const Datum& a, const Datum& b) {
    if (rank_of(a) != rank_of(b)) {
        return rank_of(a) - rank_of(b);
    }
    if (rank_of(a) > 1) {
        return 0;
    }
    const auto order = compare(a, b);
    return order < 0 ? -1 : order > 0 ? 1 : 0;
}
Datum sort_by(Machine& machine, Arguments arguments, const Datum& hows, const Datum& orders) {
    std::vector<Keyed> keyed;
    const std::vector<Datum> how =
        hows.is_list() ? machine.elements(hows) : std::vector<Datum>{hows};
    for (const Datum& item : items_of(machine, argument(arguments, 0))) {
        Keyed& row = keyed.emplace_back();
        row.item = item;
        row.number = keyed.size();
        for (const Datum& each : how) {
            row.keys.push_back(apply(machine, each, item, {}));
        }
        if (!machine.spend(8)) {
            return {};
        }
    }
    std::vector<bool> is_down(how.size());
    for (std::size_t i = 0; i < how.size() && orders.is_list() && i < size_of(orders); ++i) {
        is_down[i] = to_text(item_of(orders, i)) == "desc";
    }
    std::ranges::sort(keyed, [&](const Keyed& a, const Keyed& b) {
        for (std::size_t i = 0; i < a.keys.size(); ++i) {
            if (const int order = order_of(a.keys[i], b.keys[i]); order != 0) {
                return is_down[i] ? order > 0 : order < 0;
            }
        }
        return a.number < b.number;
    });
    List* out = machine.heap().list();
    for (const Keyed& row : keyed) {
        machine.heap().push(*out, row.item);
    }
    return out;
}
Datum sorted_by(Machine& machine, Arguments arguments) {
    return sort_by(machine, arguments, argument(arguments, 1), {});
}
Datum order_by(Machine& machine, Arguments arguments) {
    const Datum orders = argument(arguments, 2);
    return sort_by(machine, arguments, argument(arguments, 1),
                   orders.is_text() ? machine.list({orders}) : orders);
}

// ---- records

Datum keys(Machine& machine, Arguments arguments) {
    List* out = machine.heap().list();
    if (const Datum given = argument(arguments, 0); given.is_record()) {
        for (const Record::Field& field : fields_of(given)) {
            machine.heap().push(*out, field.key);
        }
    }
    return out;
}
Datum values(Machine& machine, Arguments arguments) {
    return machine.list(items_of(machine, argument(arguments, 0)));
}

constexpr auto kFunctions = std::to_array<Builtin>({
    {"get", get},
    {"has", has},
    {"size", size},
    {"isEmpty", is_empty},
    {"includes", includes},
    {"map", map},
    {"forEach", for_each},
    {"each", for_each},
    {"filter", filter<true>},
    {"reject", filter<false>},
    {"find", find},
    {"findKey", find_key},
    {"findIndex", find_index},
    {"some", some},
    {"every", every},
    {"pickBy", pick_those<true>},
    {"omitBy", pick_those<false>},
    {"mapValues", map_values},
    {"groupBy", group_by},
    {"countBy", count_by},
    {"maxBy", extreme_by<true>},
    {"minBy", extreme_by<false>},
    {"max", extreme<true>},
    {"min", extreme<false>},
    {"sum", sum_by},
    {"sumBy", sum_by},
    {"mean", mean},
    {"reduce", reduce},
    {"join", join},
    {"slice", slice},
    {"concat", concat},
    {"flatten", flatten},
    {"indexOf", index_of},
    {"first", first},
    {"head", first},
    {"last", last},
    {"take", cut<false, true>},
    {"takeRight", cut<true, true>},
    {"drop", cut<false, false>},
    {"dropRight", cut<true, false>},
    {"reverse", reverse},
    {"compact", compact},
    {"uniq", unique},
    {"uniqBy", unique},
    {"difference", difference},
    {"intersection", intersection},
    {"without", without},
    {"sortBy", sorted_by},
    {"orderBy", order_by},
    {"keys", keys},
    {"values", values},
    {"toArray", values},
});

}  // namespace

Datum value_at(Machine& machine, const Datum& root, const Datum& path) {
    bool found = false;
    return walk(machine, root, path, found);
}

std::span<const Builtin> lodash_functions() noexcept {
    return kFunctions;
}

}  // namespace arbiter::ejs::internal
