#include "ejs/internal/convert.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/limits.h"
#include "ejs/internal/numerals.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::ejs::internal {

using Kind = Datum::Kind;

namespace {

// Values nest as deep as templates build them; a list may contain itself.
constexpr std::size_t kDepthMax = 64;

void append_deep(std::string& out, const Datum& datum, std::size_t depth) {
    if (out.size() > base::kTemplateOutputBytesMax || depth > kDepthMax) {
        return;
    }
    switch (datum.kind()) {
        case Kind::kUndefined:
            out += "undefined";
            return;
        case Kind::kNull:
            out += "null";
            return;
        case Kind::kBool:
            out += datum.truth() ? "true" : "false";
            return;
        case Kind::kNumber:
            out += print_number(datum.number());
            return;
        case Kind::kText:
            out += datum.text();
            return;
        case Kind::kList:
        case Kind::kDocumentList:
            for (std::size_t i = 0; i < size_of(datum); ++i) {
                out += i > 0 ? "," : "";
                if (const Datum item = item_of(datum, i); !item.is_nullish()) {
                    append_deep(out, item, depth + 1);
                }
            }
            return;
        case Kind::kRecord:
        case Kind::kDocumentRecord:
            out += "[object Object]";
            return;
        case Kind::kSet:
            out += "[object Set]";
            return;
        case Kind::kMap:
            out += "[object Map]";
            return;
        case Kind::kPattern:
            out += "/";
            out += datum.pattern().source;
            out += "/";
            out += datum.pattern().flags;
            return;
        case Kind::kClosure:
        case Kind::kBuiltin:
        case Kind::kNamespace:
        case Kind::kMethod:
            out += "function";
            return;
    }
}

bool is_primitive(const Datum& datum) noexcept {
    return datum.kind() <= Kind::kText;
}

value::Value value_of(const Datum& datum, std::size_t depth, std::size_t& left) {
    if (depth > kDepthMax || left == 0) {
        return {};
    }
    --left;
    switch (datum.kind()) {
        case Kind::kBool:
            return datum.truth();
        case Kind::kNumber:
            return datum.number();
        case Kind::kText:
            return datum.text();
        case Kind::kDocumentList:
        case Kind::kDocumentRecord:
            return datum.document();
        case Kind::kList: {
            value::Array array;
            for (const Datum& item : datum.list().items) {
                array = std::move(array).push_back(value_of(item, depth + 1, left));
            }
            return array;
        }
        case Kind::kRecord: {
            value::Object object;
            for (const Record::Field& field : fields_of(datum)) {
                if (!field.value.is_undefined() && !field.value.is_callable()) {
                    object =
                        std::move(object).set(field.key, value_of(field.value, depth + 1, left));
                }
            }
            return object;
        }
        case Kind::kSet:
        case Kind::kMap:
        case Kind::kPattern:
            return value::Object();
        case Kind::kUndefined:
        case Kind::kNull:
        case Kind::kClosure:
        case Kind::kBuiltin:
        case Kind::kNamespace:
        case Kind::kMethod:
            return {};
    }
    return {};
}

class JsonWriter {
  public:
    JsonWriter(std::string& out, std::string_view indent) : out_(out), indent_(indent) {}

    void write(const Datum& datum, std::size_t depth) {
        if (out_.size() > base::kTemplateOutputBytesMax || depth > kDepthMax) {
            return;
        }
        if (datum.is_text()) {
            value::append_json_string(out_, datum.text());
        } else if (datum.is_list()) {
            Brackets brackets(*this, '[', ']', depth);
            for (std::size_t i = 0; i < size_of(datum); ++i) {
                brackets.begin_item();
                write(item_of(datum, i), depth + 1);
            }
        } else if (datum.is_record() || datum.is_table() || datum.is(Kind::kPattern)) {
            Brackets brackets(*this, '{', '}', depth);
            if (!datum.is_record()) {
                return;
            }
            for (const Record::Field& field : fields_of(datum)) {
                if (field.value.is_undefined() || field.value.is_callable()) {
                    continue;
                }
                brackets.begin_item();
                value::append_json_string(out_, field.key);
                out_ += indent_.empty() ? ":" : ": ";
                write(field.value, depth + 1);
            }
        } else if (datum.is_number() && std::isfinite(datum.number())) {
            out_ += print_number(datum.number());
        } else {
            out_ += datum.is(Kind::kBool) ? (datum.truth() ? "true" : "false") : "null";
        }
    }

  private:
    class Brackets {
      public:
        Brackets(JsonWriter& writer, char open, char close, std::size_t depth)
            : writer_(writer), close_(close), depth_(depth) {
            writer_.out_ += open;
        }
        Brackets(const Brackets&) = delete;
        Brackets& operator=(const Brackets&) = delete;
        ~Brackets() {
            if (!is_empty_) {
                writer_.break_line(depth_);
            }
            writer_.out_ += close_;
        }
        void begin_item() {
            if (!is_empty_) {
                writer_.out_ += ',';
            }
            is_empty_ = false;
            writer_.break_line(depth_ + 1);
        }

      private:
        JsonWriter& writer_;
        char close_;
        std::size_t depth_;
        bool is_empty_ = true;
    };
    void break_line(std::size_t depth) {
        if (!indent_.empty()) {
            out_ += '\n';
            for (std::size_t i = 0; i < depth; ++i) {
                out_ += indent_;
            }
        }
    }

    std::string& out_;
    std::string_view indent_;
};

bool alike(const Datum& a, const Datum& b, std::size_t depth, std::size_t& left) {
    if (depth > kDepthMax || left == 0) {
        return false;
    }
    --left;
    if (a.is_list() && b.is_list()) {
        if (size_of(a) != size_of(b)) {
            return false;
        }
        for (std::size_t i = 0; i < size_of(a); ++i) {
            if (!alike(item_of(a, i), item_of(b, i), depth + 1, left)) {
                return false;
            }
        }
        return true;
    }
    if (a.is_record() && b.is_record()) {
        if (field_count(a) != field_count(b)) {
            return false;
        }
        return std::ranges::all_of(fields_of(a), [&](const Record::Field& field) {
            bool found = false;
            const Datum other = field_of(b, field.key, &found);
            return found && alike(field.value, other, depth + 1, left);
        });
    }
    const bool both_nan =
        a.is_number() && b.is_number() && std::isnan(a.number()) && std::isnan(b.number());
    return both_nan || are_same(a, b);
}

}  // namespace

bool is_true(const Datum& datum) noexcept {
    switch (datum.kind()) {
        case Kind::kUndefined:
        case Kind::kNull:
            return false;
        case Kind::kBool:
            return datum.truth();
        case Kind::kNumber:
            return datum.number() != 0 && !std::isnan(datum.number());
        case Kind::kText:
            return !datum.text().empty();
        default:
            return true;
    }
}

double to_number(const Datum& datum) {
    switch (datum.kind()) {
        case Kind::kUndefined:
            return std::numeric_limits<double>::quiet_NaN();
        case Kind::kNull:
            return 0;
        case Kind::kBool:
            return datum.truth() ? 1 : 0;
        case Kind::kNumber:
            return datum.number();
        case Kind::kText:
            return number_of_text(datum.text());
        default:
            return number_of_text(to_text(datum));
    }
}

std::int32_t to_int32(double number) noexcept {
    if (!std::isfinite(number)) {
        return 0;
    }
    const double wrapped = std::fmod(std::trunc(number), 4294967296.0);
    const auto bits = static_cast<std::uint32_t>(
        static_cast<std::int64_t>(wrapped < 0 ? wrapped + 4294967296.0 : wrapped));
    return static_cast<std::int32_t>(bits);
}

std::size_t to_position(const Datum& datum, std::size_t size, std::size_t otherwise) {
    if (datum.is_undefined()) {
        return otherwise;
    }
    const double number = std::trunc(to_number(datum));
    if (std::isnan(number)) {
        return 0;
    }
    const auto last = static_cast<double>(size);
    const double place = number < 0 ? std::max(0.0, last + number) : std::min(last, number);
    return static_cast<std::size_t>(place);
}

void append_text(std::string& out, const Datum& datum) {
    append_deep(out, datum, 0);
}

std::string to_text(const Datum& datum) {
    std::string out;
    append_text(out, datum);
    return out;
}

std::string_view type_name(const Datum& datum) noexcept {
    switch (datum.kind()) {
        case Kind::kUndefined:
            return "undefined";
        case Kind::kBool:
            return "boolean";
        case Kind::kNumber:
            return "number";
        case Kind::kText:
            return "string";
        case Kind::kClosure:
        case Kind::kBuiltin:
        case Kind::kMethod:
            return "function";
        default:
            return "object";
    }
}

bool are_same(const Datum& a, const Datum& b) noexcept {
    if (a.kind() != b.kind()) {
        return false;
    }
    switch (a.kind()) {
        case Kind::kUndefined:
        case Kind::kNull:
            return true;
        case Kind::kBool:
            return a.truth() == b.truth();
        case Kind::kNumber:
            return a.number() == b.number();
        case Kind::kText:
            return a.text() == b.text();
        default:
            return a.is_same(b);
    }
}

bool are_equal(const Datum& a, const Datum& b) {
    if (a.is_nullish() || b.is_nullish()) {
        return a.is_nullish() && b.is_nullish();
    }
    if (a.kind() == b.kind() || (!is_primitive(a) && !is_primitive(b))) {
        return are_same(a, b);
    }
    if (!is_primitive(a) || !is_primitive(b)) {
        const std::string text = to_text(is_primitive(a) ? b : a);
        return are_equal(is_primitive(a) ? a : b, Datum(std::string_view(text)));
    }
    return to_number(a) == to_number(b);
}

bool are_alike(const Datum& a, const Datum& b) {
    std::size_t left = base::kTemplateStepsMax;
    return alike(a, b, 0, left);
}

std::partial_ordering compare(const Datum& a, const Datum& b) {
    const auto as_texts = [](const Datum& x, const Datum& y) {
        return std::partial_ordering(text::compare_utf16(x.text(), y.text()) <=> 0);
    };
    if (a.is_text() && b.is_text()) {
        return as_texts(a, b);
    }
    if (!is_primitive(a) || !is_primitive(b)) {
        const std::string left = is_primitive(a) ? std::string() : to_text(a);
        const std::string right = is_primitive(b) ? std::string() : to_text(b);
        return compare(is_primitive(a) ? a : Datum(std::string_view(left)),
                       is_primitive(b) ? b : Datum(std::string_view(right)));
    }
    return to_number(a) <=> to_number(b);
}

value::Value to_value(const Datum& datum) {
    std::size_t left = base::kTemplateStepsMax;
    return value_of(datum, 0, left);
}

void append_json(std::string& out, const Datum& datum, std::string_view indent) {
    JsonWriter(out, indent).write(datum, 0);
}

std::size_t unit_count(std::string_view text) noexcept {
    std::size_t units = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        // A character of four bytes is two units.
        units += (byte & 0xC0U) != 0x80U ? 1 : 0;
        units += byte >= 0xF0U ? 1 : 0;
    }
    return units;
}

std::string_view unit_slice(std::string_view text, std::size_t from, std::size_t to) noexcept {
    std::size_t unit = 0;
    std::size_t begin = text.size();
    std::size_t at = 0;
    while (at < text.size() && unit < to) {
        if (unit >= from && begin == text.size()) {
            begin = at;
        }
        const std::size_t size = std::max<std::size_t>(1, text::decode(text.substr(at)).size);
        unit += size == 4 ? 2 : 1;
        at += size;
    }
    return begin < at ? text.substr(begin, at - begin) : std::string_view();
}

std::size_t unit_at(std::string_view text, std::size_t offset) noexcept {
    return unit_count(text.substr(0, offset));
}

}  // namespace arbiter::ejs::internal
