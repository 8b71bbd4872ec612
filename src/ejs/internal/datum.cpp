#include "ejs/internal/datum.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "value/array.h"
#include "value/object.h"

namespace arbiter::ejs::internal {

using value::Value;

namespace {

// The cost of a container, or of an element of one, beside its contents.
constexpr std::size_t kCellBytes = 64;
constexpr std::size_t kItemBytes = 24;
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Equal for equal keys, different for different ones.
std::string identity_of(const Datum& key) {
    std::string out(1, static_cast<char>(key.kind()));
    if (key.is_text()) {
        return out.append(key.text());
    }
    double number = 0;
    const void* pointer = nullptr;
    switch (key.kind()) {
        case Datum::Kind::kUndefined:
        case Datum::Kind::kNull:
        case Datum::Kind::kMethod:
        case Datum::Kind::kText:
            return out;
        case Datum::Kind::kBool:
            return out + (key.truth() ? "1" : "0");
        case Datum::Kind::kNumber:
            // All NaN are one key, and so are both zeros.
            number = key.number() == 0 ? 0 : key.number();
            return number == number
                       ? out.append(reinterpret_cast<const char*>(&number), sizeof number)
                       : out + "NaN";
        case Datum::Kind::kList:
            pointer = &key.list();
            break;
        case Datum::Kind::kRecord:
            pointer = &key.record();
            break;
        case Datum::Kind::kDocumentList:
        case Datum::Kind::kDocumentRecord:
            pointer = &key.document();
            break;
        case Datum::Kind::kSet:
        case Datum::Kind::kMap:
            pointer = &key.table();
            break;
        case Datum::Kind::kPattern:
            pointer = &key.pattern();
            break;
        case Datum::Kind::kClosure:
            pointer = &key.closure();
            break;
        case Datum::Kind::kBuiltin:
            pointer = &key.builtin();
            break;
        case Datum::Kind::kNamespace:
            pointer = &key.space();
            break;
    }
    return out.append(reinterpret_cast<const char*>(&pointer), sizeof pointer);
}

}  // namespace

Datum Datum::of(const Value& value) noexcept {
    switch (value.kind()) {
        case value::Kind::kNull:
            return null();
        case value::Kind::kBool:
            return value.as_bool();
        case value::Kind::kInt:
        case value::Kind::kDouble:
            return value.as_double();
        case value::Kind::kString:
            return value.as_string();
        case value::Kind::kArray:
        case value::Kind::kObject: {
            Datum datum(value.is_array() ? Kind::kDocumentList : Kind::kDocumentRecord);
            datum.payload_.document = &value;
            return datum;
        }
    }
    return {};
}

// ---- records

std::size_t Record::position_of(std::string_view key) const {
    if (fields.size() < kIndexedFrom) {
        const auto found = std::ranges::find(fields, key, &Field::key);
        return found != fields.end() ? static_cast<std::size_t>(found - fields.begin()) : kNone;
    }
    const auto found = index_.find(key);
    return found != index_.end() ? found->second : kNone;
}

const Datum* Record::find(std::string_view key) const {
    const std::size_t at = position_of(key);
    return at != kNone ? &fields[at].value : nullptr;
}

void Record::set(std::string_view key, Datum value) {
    const std::size_t at = position_of(key);
    if (at != kNone) {
        fields[at].value = value;
        return;
    }
    fields.push_back({key, value});
    if (fields.size() == kIndexedFrom) {
        for (std::size_t i = 0; i < fields.size(); ++i) {
            index_[fields[i].key] = i;
        }
    } else if (fields.size() > kIndexedFrom) {
        index_[key] = fields.size() - 1;
    }
}

void Record::erase(std::string_view key) {
    const std::size_t at = position_of(key);
    if (at == kNone) {
        return;
    }
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(at));
    index_.clear();
    for (std::size_t i = 0; fields.size() >= kIndexedFrom && i < fields.size(); ++i) {
        index_[fields[i].key] = i;
    }
}

// ---- sets and maps

const Datum* Table::find(const Datum& key) const {
    const auto found = index_.find(identity_of(key));
    return found != index_.end() ? &rows[found->second].value : nullptr;
}

void Table::set(const Datum& key, Datum value) {
    const auto [at, is_new] = index_.try_emplace(identity_of(key), rows.size());
    if (is_new) {
        rows.push_back({key, value});
    } else {
        rows[at->second].value = value;
    }
}

bool Table::erase(const Datum& key) {
    const auto found = index_.find(identity_of(key));
    if (found == index_.end()) {
        return false;
    }
    const std::size_t at = found->second;
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(at));
    index_.erase(found);
    for (auto& [identity, position] : index_) {
        position -= position > at ? 1 : 0;
    }
    return true;
}

void Table::clear() {
    rows.clear();
    index_.clear();
}

// ---- the heap

Datum Heap::text(std::string text) {
    if (!charge(kCellBytes + text.size())) {
        return std::string_view();
    }
    return std::string_view(texts_.emplace_front(std::move(text)));
}
List* Heap::list() {
    charge(kCellBytes);
    return &lists_.emplace_front();
}
Record* Heap::record() {
    charge(kCellBytes);
    return &records_.emplace_front();
}
Table* Heap::table() {
    charge(kCellBytes);
    return &tables_.emplace_front();
}
Closure* Heap::closure(const Closure& closure) {
    charge(kCellBytes);
    return &closures_.emplace_front(closure);
}
Scope* Heap::scope(Scope* parent, bool is_function) {
    charge(kCellBytes);
    return &scopes_.emplace_front(Scope{parent, is_function});
}
const Pattern* Heap::pattern(std::string_view source, std::string_view flags) {
    charge(kCellBytes);
    return &patterns_.emplace_front(Pattern{source, flags});
}
void Heap::push(List& list, const Datum& datum) {
    if (charge(kItemBytes)) {
        list.items.push_back(datum);
    }
}
void Heap::set(Record& record, std::string_view key, const Datum& datum) {
    if (charge(3 * kItemBytes)) {
        record.set(key, datum);
    }
}
void Heap::set(Table& table, const Datum& key, const Datum& datum) {
    if (charge(4 * kItemBytes + (key.is_text() ? key.text().size() : 0))) {
        table.set(key, datum);
    }
}

// ---- reading

std::size_t size_of(const Datum& list) noexcept {
    return list.is(Datum::Kind::kList) ? list.list().items.size()
                                       : list.document().as_array().size();
}

Datum item_of(const Datum& list, std::size_t at) noexcept {
    return list.is(Datum::Kind::kList) ? list.list().items[at]
                                       : Datum::of(list.document().as_array()[at]);
}

std::size_t field_count(const Datum& record) noexcept {
    return record.is(Datum::Kind::kRecord) ? record.record().fields.size()
                                           : record.document().as_object().size();
}

Datum field_of(const Datum& record, std::string_view key, bool* found) noexcept {
    Datum value;
    bool is_there = false;
    if (record.is(Datum::Kind::kRecord)) {
        const Datum* field = record.record().find(key);
        is_there = field != nullptr;
        value = is_there ? *field : Datum();
    } else {
        const Value* field = record.document().as_object().find(key);
        is_there = field != nullptr;
        value = is_there ? Datum::of(*field) : Datum();
    }
    if (found != nullptr) {
        *found = is_there;
    }
    return value;
}

std::vector<Record::Field> fields_of(const Datum& record) {
    std::vector<Record::Field> fields;
    if (record.is(Datum::Kind::kRecord)) {
        fields = record.record().fields;
    } else {
        fields.reserve(record.document().as_object().size());
        for (const auto& [key, value] : record.document().as_object()) {
            fields.push_back({key.view(), Datum::of(value)});
        }
    }
    const auto position = [](const Record::Field& field) {
        std::size_t index = 0;
        return read_index(field.key, index) ? index : kNone;
    };
    const bool has_index = std::ranges::any_of(
        fields, [&](const Record::Field& field) { return position(field) != kNone; });
    if (has_index) {
        std::vector<Record::Field> sorted;
        std::ranges::copy_if(fields, std::back_inserter(sorted),
                             [&](const Record::Field& field) { return position(field) != kNone; });
        std::ranges::sort(sorted, {}, position);
        std::ranges::copy_if(fields, std::back_inserter(sorted),
                             [&](const Record::Field& field) { return position(field) == kNone; });
        return sorted;
    }
    return fields;
}

bool read_index(std::string_view key, std::size_t& index) noexcept {
    if (key.empty() || key.size() > 9 || (key.size() > 1 && key.front() == '0')) {
        return false;
    }
    const auto read = std::from_chars(key.data(), key.data() + key.size(), index);
    return read.ec == std::errc() && read.ptr == key.data() + key.size();
}

}  // namespace arbiter::ejs::internal
