// Datum: a value while a template is rendered, and the heap that owns what values point to.
//
// A Datum is a small copyable handle. Lists, records and functions are shared by handle, as in
// JavaScript, and live until the rendering ends; nothing outlives it. Parts of the document are
// read in place and cannot be changed.
#pragma once

#include <cstdint>
#include <forward_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "value/value.h"

namespace arbiter::ejs::internal {

class Machine;
class Datum;
struct List;
struct Record;
struct Table;
struct Closure;
struct Builtin;
struct Namespace;
struct Pattern;

using Arguments = std::span<const Datum>;

class Datum {
  public:
    enum class Kind : std::uint8_t {
        kUndefined,
        kNull,
        kBool,
        kNumber,
        kText,
        kList,
        kRecord,
        kDocumentList,    // of the document: read-only
        kDocumentRecord,  // of the document: read-only
        kSet,
        kMap,
        kPattern,  // a regular expression
        kClosure,  // a function of the template
        kBuiltin,
        kNamespace,  // Math, Object, _ …
        kMethod      // a built-in method that is looked at, not called
    };

    Datum() noexcept = default;  // undefined
    static Datum null() noexcept { return Datum(Kind::kNull); }
    Datum(bool value) noexcept : kind_(Kind::kBool) { payload_.truth = value; }       // NOLINT
    Datum(double value) noexcept : kind_(Kind::kNumber) { payload_.number = value; }  // NOLINT
    // Borrowed: characters of the template, the document or the heap.
    Datum(std::string_view text) noexcept  // NOLINT
        : kind_(Kind::kText), size_(static_cast<std::uint32_t>(text.size())) {
        payload_.text = text.data();
    }
    Datum(const char*) = delete;
    Datum(List* list) noexcept : kind_(Kind::kList) { payload_.list = list; }            // NOLINT
    Datum(Record* record) noexcept : kind_(Kind::kRecord) { payload_.record = record; }  // NOLINT
    Datum(Closure* closure) noexcept : kind_(Kind::kClosure) {
        payload_.closure = closure;
    }  // NOLINT
    Datum(const Builtin* builtin) noexcept : kind_(Kind::kBuiltin) {
        payload_.builtin = builtin;
    }  // NOLINT
    Datum(const Namespace* space) noexcept : kind_(Kind::kNamespace) {
        payload_.space = space;
    }  // NOLINT
    Datum(const Pattern* pattern) noexcept : kind_(Kind::kPattern) {
        payload_.pattern = pattern;
    }  // NOLINT
    static Datum set(Table* table) noexcept { return {Kind::kSet, table}; }
    static Datum map(Table* table) noexcept { return {Kind::kMap, table}; }
    static Datum method() noexcept { return Datum(Kind::kMethod); }
    // A value of the document, which must outlive the rendering.
    static Datum of(const value::Value& value) noexcept;

    [[nodiscard]] Kind kind() const noexcept { return kind_; }
    [[nodiscard]] bool is(Kind kind) const noexcept { return kind_ == kind; }
    [[nodiscard]] bool is_undefined() const noexcept { return kind_ == Kind::kUndefined; }
    [[nodiscard]] bool is_nullish() const noexcept { return kind_ <= Kind::kNull; }
    [[nodiscard]] bool is_text() const noexcept { return kind_ == Kind::kText; }
    [[nodiscard]] bool is_number() const noexcept { return kind_ == Kind::kNumber; }
    [[nodiscard]] bool is_list() const noexcept {
        return kind_ == Kind::kList || kind_ == Kind::kDocumentList;
    }
    [[nodiscard]] bool is_record() const noexcept {
        return kind_ == Kind::kRecord || kind_ == Kind::kDocumentRecord;
    }
    [[nodiscard]] bool is_document() const noexcept {
        return kind_ == Kind::kDocumentList || kind_ == Kind::kDocumentRecord;
    }
    [[nodiscard]] bool is_table() const noexcept {
        return kind_ == Kind::kSet || kind_ == Kind::kMap;
    }
    [[nodiscard]] bool is_callable() const noexcept {
        return kind_ == Kind::kClosure || kind_ == Kind::kBuiltin;
    }

    // The contents; the kind must be the one asked for.
    [[nodiscard]] bool truth() const noexcept { return payload_.truth; }
    [[nodiscard]] double number() const noexcept { return payload_.number; }
    [[nodiscard]] std::string_view text() const noexcept { return {payload_.text, size_}; }
    [[nodiscard]] List& list() const noexcept { return *payload_.list; }
    [[nodiscard]] Record& record() const noexcept { return *payload_.record; }
    [[nodiscard]] Table& table() const noexcept { return *payload_.table; }
    [[nodiscard]] const Closure& closure() const noexcept { return *payload_.closure; }
    [[nodiscard]] const Builtin& builtin() const noexcept { return *payload_.builtin; }
    [[nodiscard]] const Namespace& space() const noexcept { return *payload_.space; }
    [[nodiscard]] const Pattern& pattern() const noexcept { return *payload_.pattern; }
    [[nodiscard]] const value::Value& document() const noexcept { return *payload_.document; }
    // The same list, record or function.
    [[nodiscard]] bool is_same(const Datum& other) const noexcept {
        return kind_ == other.kind_ && payload_.list == other.payload_.list;
    }

  private:
    explicit Datum(Kind kind) noexcept : kind_(kind) {}
    Datum(Kind kind, Table* table) noexcept : kind_(kind) { payload_.table = table; }

    union Payload {
        bool truth;
        double number;
        const char* text;
        List* list = nullptr;
        Record* record;
        Table* table;
        const Closure* closure;
        const Builtin* builtin;
        const Namespace* space;
        const Pattern* pattern;
        const value::Value* document;
    };

    Kind kind_ = Kind::kUndefined;
    std::uint32_t size_ = 0;  // of a text
    Payload payload_;
};
static_assert(sizeof(Datum) == 16);

struct List {
    std::vector<Datum> items;
};

// Members in the order of insertion. Large ones have an index.
struct Record {
    struct Field {
        std::string_view key;
        Datum value;
    };
    std::vector<Field> fields;

    [[nodiscard]] const Datum* find(std::string_view key) const;
    void set(std::string_view key, Datum value);
    void erase(std::string_view key);

  private:
    static constexpr std::size_t kIndexedFrom = 16;
    [[nodiscard]] std::size_t position_of(std::string_view key) const;
    std::unordered_map<std::string_view, std::size_t> index_;
};

// A Set (values only) or a Map. Keys are compared as JavaScript does there: NaN equals itself.
struct Table {
    struct Row {
        Datum key;
        Datum value;
    };
    std::vector<Row> rows;  // in the order of insertion

    [[nodiscard]] const Datum* find(const Datum& key) const;
    void set(const Datum& key, Datum value);
    bool erase(const Datum& key);
    void clear();

  private:
    std::unordered_map<std::string, std::size_t> index_;
};

// Variables of a block or of a function.
struct Scope {
    struct Binding {
        std::uint32_t symbol;
        bool is_constant;
        Datum value;
    };
    Scope* parent = nullptr;
    bool is_function = false;  // where `var` declares
    std::vector<Binding> bindings = {};

    [[nodiscard]] Binding* find(std::uint32_t symbol) noexcept {
        for (Binding& each : bindings) {
            if (each.symbol == symbol) {
                return &each;
            }
        }
        return nullptr;
    }
    // Here or in the scopes around.
    [[nodiscard]] Binding* lookup(std::uint32_t symbol) noexcept {
        Binding* found = nullptr;
        for (Scope* scope = this; scope != nullptr && found == nullptr; scope = scope->parent) {
            found = scope->find(symbol);
        }
        return found;
    }
};

struct Closure {
    std::uint32_t node;
    const struct Program* program;
    Scope* scope;
};

struct Pattern {
    std::string_view source;
    std::string_view flags;
};

// A function of ours. It reports failures to the machine.
struct Builtin {
    std::string_view name;
    Datum (*call)(Machine& machine, Arguments arguments);
};

// Owns everything that data point to, within a limit on bytes.
class Heap {
  public:
    explicit Heap(std::size_t bytes_max) noexcept : left_(bytes_max) {}

    // Whether `bytes` more may be used; they are counted. False once the limit is reached.
    bool charge(std::size_t bytes) noexcept {
        if (bytes > left_) {
            left_ = 0;
            is_full_ = true;
            return false;
        }
        left_ -= bytes;
        return true;
    }
    [[nodiscard]] bool is_full() const noexcept { return is_full_; }

    // A text beyond the limit is empty, and the heap is full.
    Datum text(std::string text);
    List* list();
    Record* record();
    Table* table();
    Closure* closure(const Closure& closure);
    Scope* scope(Scope* parent, bool is_function);
    const Pattern* pattern(std::string_view source, std::string_view flags);
    // Appends or sets, counting the bytes.
    void push(List& list, const Datum& datum);
    void set(Record& record, std::string_view key, const Datum& datum);
    void set(Table& table, const Datum& key, const Datum& datum);

  private:
    std::size_t left_;
    bool is_full_ = false;
    // Stable addresses, and nothing is allocated before it is needed.
    std::forward_list<std::string> texts_;
    std::forward_list<List> lists_;
    std::forward_list<Record> records_;
    std::forward_list<Table> tables_;
    std::forward_list<Closure> closures_;
    std::forward_list<Scope> scopes_;
    std::forward_list<Pattern> patterns_;
};

// ---- reading lists and records, of the template or of the document

std::size_t size_of(const Datum& list) noexcept;            // of a list
Datum item_of(const Datum& list, std::size_t at) noexcept;  // at < size
std::size_t field_count(const Datum& record) noexcept;      // of a record
// The member of a record; undefined: none. `found` distinguishes an absent one from undefined.
Datum field_of(const Datum& record, std::string_view key, bool* found = nullptr) noexcept;
// Members in JavaScript's order: keys that are indexes come first, ascending.
std::vector<Record::Field> fields_of(const Datum& record);
// A key in plain digits ("0", "12", not "01") as an index.
bool read_index(std::string_view key, std::size_t& index) noexcept;

}  // namespace arbiter::ejs::internal
