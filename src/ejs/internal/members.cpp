#include "ejs/internal/members.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ejs/internal/convert.h"
#include "ejs/internal/globals.h"
#include "ejs/internal/machine.h"
#include "ejs/internal/methods.h"
#include "text/truncate.h"
#include "text/utf8.h"

namespace arbiter::ejs::internal {

using Kind = Datum::Kind;

Datum member_of(Machine& machine, const Datum& base, std::string_view key) {
    std::size_t index = 0;
    switch (base.kind()) {
        case Kind::kUndefined:
        case Kind::kNull:
            return machine.fail(Fault::kNoMember, to_text(base),
                                std::string(text::truncate(key, 40)));
        case Kind::kText:
            machine.spend(base.text().size() / 64);
            if (key == "length") {
                return static_cast<double>(unit_count(base.text()));
            }
            if (read_index(key, index)) {
                const std::string_view unit = unit_slice(base.text(), index, index + 1);
                return unit.empty() ? Datum() : Datum(unit);
            }
            break;
        case Kind::kList:
        case Kind::kDocumentList:
            if (key == "length") {
                return static_cast<double>(size_of(base));
            }
            if (read_index(key, index)) {
                return index < size_of(base) ? item_of(base, index) : Datum();
            }
            break;
        case Kind::kRecord:
        case Kind::kDocumentRecord:
            return field_of(base, key);
        case Kind::kSet:
        case Kind::kMap:
            if (key == "size") {
                return static_cast<double>(base.table().rows.size());
            }
            break;
        case Kind::kNamespace: {
            const Datum found = find_in_namespace(base.space(), key);
            return !found.is_undefined()
                       ? found
                       : machine.fail(Fault::kUnsupported,
                                      std::string(base.space().name) + "." + std::string(key));
        }
        case Kind::kPattern:
        case Kind::kBool:
        case Kind::kNumber:
        case Kind::kClosure:
        case Kind::kBuiltin:
        case Kind::kMethod:
            break;
    }
    return find_method(base, key) != nullptr ? Datum::method() : Datum();
}

void set_member_of(Machine& machine, const Datum& base, const Datum& key, const Datum& value,
                   std::string written) {
    if (base.is_document()) {
        machine.fail(Fault::kWrites, std::move(written));
    } else if (base.is_nullish()) {
        machine.fail(Fault::kNoMember, to_text(base), to_text(key));
    } else if (base.is(Kind::kRecord)) {
        machine.heap().set(base.record(), machine.text_of(key).text(), value);
    } else if (base.is(Kind::kList)) {
        std::vector<Datum>& items = base.list().items;
        const double index = to_number(key);
        // A gap between the elements would be as large as the template says.
        if (!(index >= 0) || index > static_cast<double>(items.size()) ||
            index != std::floor(index)) {
            machine.fail(Fault::kUnsupported, std::move(written));
        } else if (index == static_cast<double>(items.size())) {
            machine.heap().push(base.list(), value);
        } else {
            items[static_cast<std::size_t>(index)] = value;
        }
    } else {
        machine.fail(Fault::kUnsupported, std::move(written));
    }
}

std::vector<Datum> elements_of(Machine& machine, const Datum& iterable) {
    std::vector<Datum> items;
    if (iterable.is_list()) {
        const std::size_t size = size_of(iterable);
        if (!machine.spend(size / 4)) {
            return items;
        }
        items.reserve(size);
        for (std::size_t i = 0; i < size; ++i) {
            items.push_back(item_of(iterable, i));
        }
    } else if (iterable.is_text()) {
        if (!machine.spend(iterable.text().size() / 4)) {
            return items;
        }
        for (std::string_view rest = iterable.text(); !rest.empty();) {
            const std::size_t size = std::max<std::size_t>(1, text::decode(rest).size);
            items.emplace_back(rest.substr(0, size));
            rest.remove_prefix(size);
        }
    } else if (iterable.is_table()) {
        if (!machine.spend(iterable.table().rows.size())) {
            return items;
        }
        for (const Table::Row& row : iterable.table().rows) {
            items.push_back(iterable.is(Kind::kSet) ? row.key : machine.list({row.key, row.value}));
        }
    } else {
        machine.fail(Fault::kUnsupported, "...(" + to_text(iterable) + ")");
    }
    return items;
}

}  // namespace arbiter::ejs::internal
