#include "ejs/internal/list_methods.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/limits.h"
#include "ejs/internal/convert.h"
#include "ejs/internal/machine.h"
#include "text/utf8.h"

namespace arbiter::ejs::internal {
namespace {

// Calls the function for each element, until `take` says that it is enough.
template <typename Take>
void each(Machine& machine, const Datum& self, Arguments arguments, const Take& take) {
    const Datum function = argument(arguments, 0);
    for (std::size_t i = 0; i < size_of(self) && machine.spend(1); ++i) {
        const Datum item = item_of(self, i);
        const Datum result = machine.call(function, {item, static_cast<double>(i), self});
        if (machine.failed() || !take(item, result, i)) {
            return;
        }
    }
}

Datum map(Machine& machine, const Datum& self, Arguments arguments) {
    List* out = machine.heap().list();
    each(machine, self, arguments, [&](const Datum&, const Datum& result, std::size_t) {
        machine.heap().push(*out, result);
        return true;
    });
    return out;
}
Datum filter(Machine& machine, const Datum& self, Arguments arguments) {
    List* out = machine.heap().list();
    each(machine, self, arguments, [&](const Datum& item, const Datum& result, std::size_t) {
        if (is_true(result)) {
            machine.heap().push(*out, item);
        }
        return true;
    });
    return out;
}
Datum for_each(Machine& machine, const Datum& self, Arguments arguments) {
    each(machine, self, arguments, [](const Datum&, const Datum&, std::size_t) { return true; });
    return {};
}
Datum find(Machine& machine, const Datum& self, Arguments arguments) {
    Datum found;
    each(machine, self, arguments, [&](const Datum& item, const Datum& result, std::size_t) {
        found = is_true(result) ? item : Datum();
        return !is_true(result);
    });
    return found;
}
Datum find_index(Machine& machine, const Datum& self, Arguments arguments) {
    double found = -1;
    each(machine, self, arguments, [&](const Datum&, const Datum& result, std::size_t i) {
        found = is_true(result) ? static_cast<double>(i) : -1;
        return !is_true(result);
    });
    return found;
}
Datum find_last(Machine& machine, const Datum& self, Arguments arguments) {
    Datum found;
    each(machine, self, arguments, [&](const Datum& item, const Datum& result, std::size_t) {
        found = is_true(result) ? item : found;
        return true;
    });
    return found;
}
Datum some(Machine& machine, const Datum& self, Arguments arguments) {
    bool found = false;
    each(machine, self, arguments, [&](const Datum&, const Datum& result, std::size_t) {
        found = is_true(result);
        return !found;
    });
    return found;
}
Datum every(Machine& machine, const Datum& self, Arguments arguments) {
    bool all = true;
    each(machine, self, arguments, [&](const Datum&, const Datum& result, std::size_t) {
        all = is_true(result);
        return all;
    });
    return all;
}

Datum fold(Machine& machine, const Datum& self, Arguments arguments, bool from_end) {
    const std::size_t size = size_of(self);
    const std::size_t skipped = arguments.size() > 1 ? 0 : 1;
    if (size < skipped) {
        return machine.fail(Fault::kThrown, "reduce([])");
    }
    Datum sum = skipped == 0 ? arguments[1] : item_of(self, from_end ? size - 1 : 0);
    for (std::size_t i = skipped; i < size && machine.spend(1); ++i) {
        const std::size_t at = from_end ? size - 1 - i : i;
        sum = machine.call(argument(arguments, 0),
                           {sum, item_of(self, at), static_cast<double>(at), self});
    }
    return sum;
}
Datum reduce(Machine& machine, const Datum& self, Arguments arguments) {
    return fold(machine, self, arguments, false);
}
Datum reduce_right(Machine& machine, const Datum& self, Arguments arguments) {
    return fold(machine, self, arguments, true);
}

Datum join(Machine& machine, const Datum& self, Arguments arguments) {
    const Datum mark = argument(arguments, 0);
    const std::string between = mark.is_undefined() ? "," : to_text(mark);
    std::string out;
    for (std::size_t i = 0; i < size_of(self); ++i) {
        out += i > 0 ? between : "";
        if (const Datum item = item_of(self, i); !item.is_nullish()) {
            append_text(out, item);
        }
        if (!machine.spend(1) || out.size() > base::kTemplateOutputBytesMax) {
            return machine.fail(Fault::kBytes, std::to_string(base::kTemplateOutputBytesMax));
        }
    }
    return machine.spend(out.size() / 64) ? machine.text(std::move(out)) : Datum();
}

Datum index_of(Machine& machine, const Datum& self, Arguments arguments) {
    const Datum wanted = argument(arguments, 0);
    for (std::size_t i = to_position(argument(arguments, 1), size_of(self), 0);
         i < size_of(self) && machine.spend(1); ++i) {
        if (are_same(item_of(self, i), wanted)) {
            return static_cast<double>(i);
        }
    }
    return -1.0;
}
Datum last_index_of(Machine& machine, const Datum& self, Arguments arguments) {
    for (std::size_t i = size_of(self); i > 0 && machine.spend(1); --i) {
        if (are_same(item_of(self, i - 1), argument(arguments, 0))) {
            return static_cast<double>(i - 1);
        }
    }
    return -1.0;
}
Datum includes(Machine& machine, const Datum& self, Arguments arguments) {
    const Datum wanted = argument(arguments, 0);
    const bool is_nan = wanted.is_number() && std::isnan(wanted.number());
    for (std::size_t i = 0; i < size_of(self) && machine.spend(1); ++i) {
        const Datum item = item_of(self, i);
        if (are_same(item, wanted) || (is_nan && item.is_number() && std::isnan(item.number()))) {
            return true;
        }
    }
    return false;
}

Datum slice(Machine& machine, const Datum& self, Arguments arguments) {
    const std::size_t size = size_of(self);
    const std::size_t to = to_position(argument(arguments, 1), size, size);
    List* out = machine.heap().list();
    for (std::size_t i = to_position(argument(arguments, 0), size, 0); i < to && machine.spend(1);
         ++i) {
        machine.heap().push(*out, item_of(self, i));
    }
    return out;
}
Datum at(Machine&, const Datum& self, Arguments arguments) {
    const auto size = static_cast<double>(size_of(self));
    double place = arguments.empty() ? 0 : std::trunc(to_number(arguments[0]));
    place += place < 0 ? size : 0;
    return place >= 0 && place < size ? item_of(self, static_cast<std::size_t>(place)) : Datum();
}
Datum concat(Machine& machine, const Datum& self, Arguments arguments) {
    std::vector<Datum> items = machine.elements(self);
    for (const Datum& each : arguments) {
        if (each.is_list()) {
            const std::vector<Datum> more = machine.elements(each);
            items.insert(items.end(), more.begin(), more.end());
        } else {
            items.push_back(each);
        }
    }
    return machine.failed() ? Datum() : machine.list(std::move(items));
}
void flatten(Machine& machine, const Datum& list, double levels, List& out) {
    for (std::size_t i = 0; i < size_of(list) && machine.spend(1); ++i) {
        const Datum item = item_of(list, i);
        if (item.is_list() && levels >= 1) {
            flatten(machine, item, levels - 1, out);
        } else {
            machine.heap().push(out, item);
        }
    }
}
Datum flat(Machine& machine, const Datum& self, Arguments arguments) {
    // Deeper lists do not occur; a list that contains itself would not end.
    constexpr double kLevelsMax = 64;
    List* out = machine.heap().list();
    const double levels = arguments.empty() ? 1 : to_number(arguments[0]);
    flatten(machine, self, std::min(levels, kLevelsMax), *out);
    return out;
}
Datum flat_map(Machine& machine, const Datum& self, Arguments arguments) {
    const Datum mapped = map(machine, self, arguments);
    return machine.failed() ? Datum() : flat(machine, mapped, {});
}

Datum sorted(Machine& machine, const Datum& self, Arguments arguments) {
    std::vector<Datum> items = machine.elements(self);
    sort_items(machine, items, argument(arguments, 0));
    return machine.failed() ? Datum() : machine.list(std::move(items));
}
Datum reversed(Machine& machine, const Datum& self, Arguments) {
    std::vector<Datum> items = machine.elements(self);
    std::ranges::reverse(items);
    return machine.failed() ? Datum() : machine.list(std::move(items));
}

// ---- changing a list

bool may_change(Machine& machine, const Datum& self, std::string_view method) {
    if (self.is_document()) {
        machine.fail(Fault::kWrites, "." + std::string(method) + "()");
    }
    return !machine.failed();
}

Datum sort(Machine& machine, const Datum& self, Arguments arguments) {
    if (may_change(machine, self, "sort")) {
        std::vector<Datum> items = self.list().items;
        sort_items(machine, items, argument(arguments, 0));
        self.list().items = std::move(items);
    }
    return self;
}
Datum reverse(Machine& machine, const Datum& self, Arguments) {
    if (may_change(machine, self, "reverse") && machine.spend(size_of(self))) {
        std::ranges::reverse(self.list().items);
    }
    return self;
}
Datum push(Machine& machine, const Datum& self, Arguments arguments) {
    if (!may_change(machine, self, "push")) {
        return {};
    }
    for (const Datum& each : arguments) {
        machine.heap().push(self.list(), each);
    }
    return static_cast<double>(size_of(self));
}
Datum pop(Machine& machine, const Datum& self, Arguments) {
    if (!may_change(machine, self, "pop") || self.list().items.empty()) {
        return {};
    }
    const Datum last = self.list().items.back();
    self.list().items.pop_back();
    return last;
}
Datum shift(Machine& machine, const Datum& self, Arguments) {
    if (!may_change(machine, self, "shift") || self.list().items.empty() ||
        !machine.spend(size_of(self) / 8)) {
        return {};
    }
    const Datum first = self.list().items.front();
    self.list().items.erase(self.list().items.begin());
    return first;
}
Datum unshift(Machine& machine, const Datum& self, Arguments arguments) {
    if (!may_change(machine, self, "unshift") || !machine.spend(size_of(self) / 8) ||
        !machine.heap().charge(arguments.size() * sizeof(Datum))) {
        return {};
    }
    self.list().items.insert(self.list().items.begin(), arguments.begin(), arguments.end());
    return static_cast<double>(size_of(self));
}
Datum splice(Machine& machine, const Datum& self, Arguments arguments) {
    if (!may_change(machine, self, "splice") || !machine.spend(size_of(self))) {
        return {};
    }
    std::vector<Datum>& items = self.list().items;
    const std::size_t from = to_position(argument(arguments, 0), items.size(), 0);
    const double wanted = arguments.size() > 1 ? to_number(arguments[1]) : 1e9;
    const auto left = static_cast<double>(items.size() - from);
    const auto count =
        static_cast<std::ptrdiff_t>(std::clamp(std::isnan(wanted) ? 0 : wanted, 0.0, left));
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(from);
    std::vector<Datum> taken(begin, begin + count);
    items.erase(begin, begin + count);
    if (arguments.size() > 2 && machine.heap().charge(arguments.size() * sizeof(Datum))) {
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(from), arguments.begin() + 2,
                     arguments.end());
    }
    return machine.list(std::move(taken));
}
Datum fill(Machine& machine, const Datum& self, Arguments arguments) {
    if (may_change(machine, self, "fill") && machine.spend(size_of(self))) {
        std::ranges::fill(self.list().items, argument(arguments, 0));
    }
    return self;
}

Datum keys(Machine& machine, const Datum& self, Arguments) {
    List* out = machine.heap().list();
    for (std::size_t i = 0; i < size_of(self) && machine.spend(1); ++i) {
        machine.heap().push(*out, static_cast<double>(i));
    }
    return out;
}
Datum entries(Machine& machine, const Datum& self, Arguments) {
    List* out = machine.heap().list();
    for (std::size_t i = 0; i < size_of(self) && machine.spend(1); ++i) {
        machine.heap().push(*out, machine.list({static_cast<double>(i), item_of(self, i)}));
    }
    return out;
}
Datum values(Machine&, const Datum& self, Arguments) {
    return self;
}
Datum to_string(Machine& machine, const Datum& self, Arguments) {
    return machine.text_of(self);
}

constexpr auto kMethods = std::to_array<Method>({
    {"map", map},
    {"filter", filter},
    {"forEach", for_each},
    {"find", find},
    {"findIndex", find_index},
    {"findLast", find_last},
    {"some", some},
    {"every", every},
    {"reduce", reduce},
    {"reduceRight", reduce_right},
    {"join", join},
    {"indexOf", index_of},
    {"lastIndexOf", last_index_of},
    {"includes", includes},
    {"slice", slice},
    {"at", at},
    {"concat", concat},
    {"flat", flat},
    {"flatMap", flat_map},
    {"toSorted", sorted},
    {"toReversed", reversed},
    {"sort", sort},
    {"reverse", reverse},
    {"push", push},
    {"pop", pop},
    {"shift", shift},
    {"unshift", unshift},
    {"splice", splice},
    {"fill", fill},
    {"keys", keys},
    {"values", values},
    {"entries", entries},
    {"toString", to_string},
});

// A sort of our own: it ends whatever the template's function answers.
void merge_sort(Machine& machine, std::vector<Datum>& items, std::vector<Datum>& buffer,
                std::size_t from, std::size_t to, const Datum& order) {
    if (to - from < 2 || !machine.spend(to - from)) {
        return;
    }
    const std::size_t middle = from + (to - from) / 2;
    merge_sort(machine, items, buffer, from, middle, order);
    merge_sort(machine, items, buffer, middle, to, order);
    std::size_t left = from;
    std::size_t right = middle;
    for (std::size_t at = from; at < to && !machine.failed(); ++at) {
        bool takes_right = left == middle;
        if (left < middle && right < to) {
            takes_right = to_number(machine.call(order, {items[left], items[right]})) > 0;
        }
        buffer[at] = takes_right ? items[right++] : items[left++];
    }
    if (!machine.failed()) {
        std::copy(buffer.begin() + static_cast<std::ptrdiff_t>(from),
                  buffer.begin() + static_cast<std::ptrdiff_t>(to),
                  items.begin() + static_cast<std::ptrdiff_t>(from));
    }
}

}  // namespace

void sort_items(Machine& machine, std::vector<Datum>& items, const Datum& order) {
    if (!order.is_undefined()) {
        std::vector<Datum> buffer(items.size());
        merge_sort(machine, items, buffer, 0, items.size(), order);
        return;
    }
    struct Keyed {
        std::string text;
        Datum item;
        std::size_t number;  // equal texts keep their order
    };
    std::vector<Keyed> keyed;
    for (const Datum& item : items) {
        keyed.push_back({to_text(item), item, keyed.size()});
        if (!machine.spend(8 + keyed.back().text.size() / 8)) {
            return;
        }
    }
    // undefined goes last.
    std::ranges::sort(keyed, [](const Keyed& a, const Keyed& b) {
        if (a.item.is_undefined() != b.item.is_undefined()) {
            return b.item.is_undefined();
        }
        const int compared = text::compare_utf16(a.text, b.text);
        return compared != 0 ? compared < 0 : a.number < b.number;
    });
    std::ranges::transform(keyed, items.begin(), &Keyed::item);
}

std::span<const Method> list_methods() noexcept {
    return kMethods;
}

}  // namespace arbiter::ejs::internal
