// Conversions and comparisons of data, as JavaScript defines them.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "ejs/internal/datum.h"
#include "value/value.h"

namespace arbiter::ejs::internal {

bool is_true(const Datum& datum) noexcept;
double to_number(const Datum& datum);
std::int32_t to_int32(double number) noexcept;
// An index argument: NaN is 0, within the size; negative ones count from the end.
std::size_t to_position(const Datum& datum, std::size_t size, std::size_t otherwise);
// String(datum). Texts beyond base::kTemplateOutputBytesMax are cut.
void append_text(std::string& out, const Datum& datum);
std::string to_text(const Datum& datum);
std::string_view type_name(const Datum& datum) noexcept;  // typeof

bool are_same(const Datum& a, const Datum& b) noexcept;  // ===
bool are_equal(const Datum& a, const Datum& b);          // ==
bool are_alike(const Datum& a, const Datum& b);          // _.isEqual: deep
std::partial_ordering compare(const Datum& a, const Datum& b);

// As a value of a document; functions become null.
value::Value to_value(const Datum& datum);
// The data of a value; containers are read in place.
void append_json(std::string& out, const Datum& datum, std::string_view indent);

// ---- texts by UTF-16 code units, as JavaScript counts them

std::size_t unit_count(std::string_view text) noexcept;
// From unit `from` up to unit `to`. A character that is cut in half counts as inside.
std::string_view unit_slice(std::string_view text, std::size_t from, std::size_t to) noexcept;
// The unit at which a byte offset lies.
std::size_t unit_at(std::string_view text, std::size_t offset) noexcept;

}  // namespace arbiter::ejs::internal
