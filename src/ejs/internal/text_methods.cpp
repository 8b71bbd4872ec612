#include "ejs/internal/text_methods.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/limits.h"
#include "ejs/internal/convert.h"
#include "ejs/internal/machine.h"
#include "ejs/internal/numerals.h"
#include "ejs/internal/patterns.h"
#include "text/case_fold.h"
#include "text/utf8.h"

namespace arbiter::ejs::internal {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// The text of an argument; the method is left out of the subset if it is a pattern.
bool take_text(Machine& machine, Arguments arguments, std::size_t at, std::string_view method,
               std::string& out) {
    const Datum given = argument(arguments, at);
    if (given.is(Datum::Kind::kPattern)) {
        machine.fail(Fault::kUnsupported, "." + std::string(method) + "(" + to_text(given) + ")");
        return false;
    }
    append_text(out, given);
    return machine.spend(out.size() / 64);
}

// Both texts are scanned once for each call.
bool charge_scan(Machine& machine, const Datum& self) {
    return machine.spend(self.text().size() / 64);
}

Datum includes(Machine& machine, const Datum& self, Arguments arguments) {
    std::string part;
    if (!charge_scan(machine, self) || !take_text(machine, arguments, 0, "includes", part)) {
        return {};
    }
    const std::size_t from = to_position(argument(arguments, 1), unit_count(self.text()), 0);
    return unit_slice(self.text(), from, kNone).find(part) != kNone;
}

Datum starts_with(Machine& machine, const Datum& self, Arguments arguments) {
    std::string part;
    if (!charge_scan(machine, self) || !take_text(machine, arguments, 0, "startsWith", part)) {
        return {};
    }
    const std::size_t from = to_position(argument(arguments, 1), unit_count(self.text()), 0);
    return unit_slice(self.text(), from, kNone).starts_with(part);
}

Datum ends_with(Machine& machine, const Datum& self, Arguments arguments) {
    std::string part;
    if (!charge_scan(machine, self) || !take_text(machine, arguments, 0, "endsWith", part)) {
        return {};
    }
    return self.text().ends_with(part);
}

Datum find_index(Machine& machine, const Datum& self, Arguments arguments, bool is_last) {
    std::string part;
    if (!charge_scan(machine, self) || !take_text(machine, arguments, 0, "indexOf", part)) {
        return {};
    }
    std::size_t at = kNone;
    if (is_last) {
        at = self.text().rfind(part);
    } else {
        const std::size_t from = to_position(argument(arguments, 1), unit_count(self.text()), 0);
        const std::size_t skipped = unit_slice(self.text(), 0, from).size();
        at = self.text().find(part, skipped);
    }
    return at == kNone ? -1.0 : static_cast<double>(unit_at(self.text(), at));
}
Datum index_of(Machine& machine, const Datum& self, Arguments arguments) {
    return find_index(machine, self, arguments, false);
}
Datum last_index_of(Machine& machine, const Datum& self, Arguments arguments) {
    return find_index(machine, self, arguments, true);
}

Datum slice(Machine& machine, const Datum& self, Arguments arguments) {
    if (!charge_scan(machine, self)) {
        return {};
    }
    const std::size_t size = unit_count(self.text());
    const std::size_t from = to_position(argument(arguments, 0), size, 0);
    return unit_slice(self.text(), from, to_position(argument(arguments, 1), size, size));
}

// Negative positions count as 0, and positions in the wrong order are swapped.
Datum substring(Machine& machine, const Datum& self, Arguments arguments) {
    if (!charge_scan(machine, self)) {
        return {};
    }
    const std::size_t size = unit_count(self.text());
    const auto place = [&](std::size_t at, std::size_t otherwise) {
        const Datum given = argument(arguments, at);
        return !given.is_undefined() && to_number(given) < 0 ? 0
                                                             : to_position(given, size, otherwise);
    };
    const std::size_t a = place(0, 0);
    const std::size_t b = place(1, size);
    return unit_slice(self.text(), std::min(a, b), std::max(a, b));
}

Datum substr(Machine& machine, const Datum& self, Arguments arguments) {
    if (!charge_scan(machine, self)) {
        return {};
    }
    const std::size_t size = unit_count(self.text());
    const std::size_t from = to_position(argument(arguments, 0), size, 0);
    const Datum given = argument(arguments, 1);
    const double most = given.is_undefined() ? static_cast<double>(size) : to_number(given);
    const std::size_t count =
        most > 0 ? static_cast<std::size_t>(std::min(most, static_cast<double>(size - from))) : 0;
    return unit_slice(self.text(), from, from + count);
}

Datum char_at(Machine& machine, const Datum& self, Arguments arguments) {
    if (!charge_scan(machine, self)) {
        return {};
    }
    const double at = arguments.empty() ? 0 : std::trunc(to_number(arguments[0]));
    if (!(at >= 0) || at >= static_cast<double>(self.text().size())) {
        return std::string_view();
    }
    const auto unit = static_cast<std::size_t>(at);
    return unit_slice(self.text(), unit, unit + 1);
}

Datum at(Machine& machine, const Datum& self, Arguments arguments) {
    if (!charge_scan(machine, self)) {
        return {};
    }
    const auto size = static_cast<double>(unit_count(self.text()));
    double place = arguments.empty() ? 0 : std::trunc(to_number(arguments[0]));
    place += place < 0 ? size : 0;
    if (!(place >= 0) || place >= size) {
        return {};
    }
    const auto unit = static_cast<std::size_t>(place);
    return unit_slice(self.text(), unit, unit + 1);
}

Datum code_at(Machine& machine, const Datum& self, Arguments arguments) {
    const Datum found = char_at(machine, self, arguments);
    if (machine.failed() || found.text().empty()) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    return static_cast<double>(text::decode(found.text()).code_point);
}

Datum split(Machine& machine, const Datum& self, Arguments arguments) {
    const std::string_view text = self.text();
    if (argument(arguments, 0).is_undefined()) {
        return machine.list({self});
    }
    if (arguments[0].is(Datum::Kind::kPattern)) {
        return split_by_pattern(machine, self, arguments[0]);
    }
    std::string mark;
    if (!take_text(machine, arguments, 0, "split", mark)) {
        return {};
    }
    std::vector<Datum> parts;
    if (mark.empty()) {
        parts = machine.elements(self);
    } else {
        for (std::size_t from = 0; machine.spend(1);) {
            const std::size_t end = std::min(text.find(mark, from), text.size());
            parts.emplace_back(text.substr(from, end - from));
            if (end == text.size()) {
                break;
            }
            from = end + mark.size();
            if (from == text.size()) {
                parts.emplace_back(std::string_view());
                break;
            }
        }
    }
    if (const Datum most = argument(arguments, 1); !most.is_undefined()) {
        parts.resize(to_position(most, parts.size(), parts.size()));
    }
    return machine.spend(text.size() / 64) ? machine.list(std::move(parts)) : Datum();
}

// $& and $$ of a replacement; groups exist only in patterns.
void append_replacement(std::string& out, std::string_view with, std::string_view found) {
    for (std::size_t i = 0; i < with.size(); ++i) {
        const std::string_view rest = with.substr(i);
        if (rest.starts_with("$$")) {
            out += '$';
            ++i;
        } else if (rest.starts_with("$&")) {
            out += found;
            ++i;
        } else {
            out += with[i];
        }
    }
}

Datum replace_some(Machine& machine, const Datum& self, Arguments arguments, bool replaces_all) {
    if (const Datum pattern = argument(arguments, 0); pattern.is(Datum::Kind::kPattern)) {
        return replace_pattern(machine, self, pattern, argument(arguments, 1), replaces_all);
    }
    std::string part;
    if (!take_text(machine, arguments, 0, replaces_all ? "replaceAll" : "replace", part)) {
        return {};
    }
    const Datum with = argument(arguments, 1);
    const std::string_view text = self.text();
    const std::string fixed = with.is_callable() ? std::string() : to_text(with);
    std::string out;
    std::size_t from = 0;
    while (machine.spend(1 + out.size() / 4096)) {
        const std::size_t found = text.find(part, from);
        if (found == kNone || out.size() > base::kTemplateOutputBytesMax) {
            break;
        }
        out += text.substr(from, found - from);
        if (with.is_callable()) {
            append_text(out, machine.call(with, {self.text().substr(found, part.size()),
                                                 static_cast<double>(unit_at(text, found)), self}));
        } else {
            append_replacement(out, fixed, part);
        }
        from = found + part.size();
        if (!replaces_all) {
            break;
        }
        if (part.empty()) {
            const std::size_t size = std::max<std::size_t>(1, text::decode(text.substr(from)).size);
            if (from >= text.size()) {
                break;
            }
            out += text.substr(from, size);
            from += size;
        }
    }
    if (!machine.spend(text.size() / 64)) {
        return {};
    }
    out += text.substr(std::min(from, text.size()));
    return machine.text(std::move(out));
}
Datum replace(Machine& machine, const Datum& self, Arguments arguments) {
    return replace_some(machine, self, arguments, false);
}
Datum replace_all(Machine& machine, const Datum& self, Arguments arguments) {
    return replace_some(machine, self, arguments, true);
}

// `size` bytes more would be built of pieces: checked before they are.
bool has_room(Machine& machine, double bytes) {
    if (bytes > static_cast<double>(base::kTemplateOutputBytesMax)) {
        machine.fail(Fault::kBytes, std::to_string(base::kTemplateOutputBytesMax));
        return false;
    }
    return machine.spend(static_cast<std::size_t>(bytes) / 64);
}

Datum repeat(Machine& machine, const Datum& self, Arguments arguments) {
    const double count = std::trunc(to_number(argument(arguments, 0)));
    if (std::isnan(count) || self.text().empty()) {
        return std::string_view();
    }
    if (count < 0 || std::isinf(count)) {
        return machine.fail(Fault::kThrown, ".repeat(" + print_number(count) + ")");
    }
    if (!has_room(machine, count * static_cast<double>(self.text().size()))) {
        return {};
    }
    std::string out;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        out += self.text();
    }
    return machine.text(std::move(out));
}

Datum pad(Machine& machine, const Datum& self, Arguments arguments, bool at_start) {
    const double wanted = std::trunc(to_number(argument(arguments, 0)));
    const std::size_t size = unit_count(self.text());
    const Datum filler = argument(arguments, 1);
    const std::string with = filler.is_undefined() ? " " : to_text(filler);
    const std::size_t units = unit_count(with);
    if (!(wanted > static_cast<double>(size)) || units == 0) {
        return self;
    }
    if (!has_room(machine, wanted * 4)) {
        return {};
    }
    const std::size_t missing = static_cast<std::size_t>(wanted) - size;
    std::string padding;
    for (std::size_t i = 0; i < missing / units; ++i) {
        padding += with;
    }
    padding += unit_slice(with, 0, missing % units);
    return machine.text(at_start ? padding + std::string(self.text())
                                 : std::string(self.text()) + padding);
}
Datum pad_start(Machine& machine, const Datum& self, Arguments arguments) {
    return pad(machine, self, arguments, true);
}
Datum pad_end(Machine& machine, const Datum& self, Arguments arguments) {
    return pad(machine, self, arguments, false);
}

Datum to_lower(Machine& machine, const Datum& self, Arguments) {
    return charge_scan(machine, self) ? machine.text(text::fold_case(self.text())) : Datum();
}
// Letters beyond ASCII stay as they are.
Datum to_upper(Machine& machine, const Datum& self, Arguments) {
    std::string out(self.text());
    for (char& c : out) {
        c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    return charge_scan(machine, self) ? machine.text(std::move(out)) : Datum();
}

Datum trim_both(Machine&, const Datum& self, Arguments) {
    return trim(self.text());
}
Datum trim_left(Machine&, const Datum& self, Arguments) {
    return trim_start(self.text());
}
Datum trim_right(Machine&, const Datum& self, Arguments) {
    return trim_end(self.text());
}

Datum concat(Machine& machine, const Datum& self, Arguments arguments) {
    std::string out(self.text());
    for (const Datum& each : arguments) {
        append_text(out, each);
    }
    return machine.spend(out.size() / 64) ? machine.text(std::move(out)) : Datum();
}

Datum itself(Machine&, const Datum& self, Arguments) {
    return self;
}

// A text is taken as a pattern.
Datum pattern_in(Machine& machine, Arguments arguments) {
    const Datum given = argument(arguments, 0);
    return given.is(Datum::Kind::kPattern)
               ? given
               : Datum(machine.heap().pattern(machine.text_of(given).text(), ""));
}
Datum match(Machine& machine, const Datum& self, Arguments arguments) {
    return match_pattern(machine, self, pattern_in(machine, arguments));
}
Datum every_match(Machine& machine, const Datum& self, Arguments arguments) {
    return match_all(machine, self, pattern_in(machine, arguments));
}
Datum search(Machine& machine, const Datum& self, Arguments arguments) {
    return search_pattern(machine, self, pattern_in(machine, arguments));
}

Datum locale_compare(Machine& machine, const Datum& self, Arguments arguments) {
    std::string other;
    if (!take_text(machine, arguments, 0, "localeCompare", other)) {
        return {};
    }
    const int order = text::compare_utf16(self.text(), other);
    return order < 0 ? -1.0 : static_cast<double>(order > 0);
}

constexpr auto kMethods = std::to_array<Method>({
    {"includes", includes},
    {"startsWith", starts_with},
    {"endsWith", ends_with},
    {"indexOf", index_of},
    {"lastIndexOf", last_index_of},
    {"slice", slice},
    {"substring", substring},
    {"substr", substr},
    {"charAt", char_at},
    {"at", at},
    {"charCodeAt", code_at},
    {"codePointAt", code_at},
    {"split", split},
    {"replace", replace},
    {"replaceAll", replace_all},
    {"repeat", repeat},
    {"padStart", pad_start},
    {"padEnd", pad_end},
    {"toLowerCase", to_lower},
    {"toUpperCase", to_upper},
    {"toLocaleLowerCase", to_lower},
    {"toLocaleUpperCase", to_upper},
    {"trim", trim_both},
    {"trimStart", trim_left},
    {"trimEnd", trim_right},
    {"concat", concat},
    {"toString", itself},
    {"valueOf", itself},
    {"normalize", itself},
    {"localeCompare", locale_compare},
    {"match", match},
    {"matchAll", every_match},
    {"search", search},
});

}  // namespace

std::span<const Method> text_methods() noexcept {
    return kMethods;
}

}  // namespace arbiter::ejs::internal
