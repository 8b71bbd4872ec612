#include "ejs/internal/patterns.h"

#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "ejs/internal/convert.h"
#include "ejs/internal/machine.h"
#include "text/regex.h"
#include "text/regex_match.h"

namespace arbiter::ejs::internal {
namespace {

bool has_flag(const Datum& pattern, char flag) {
    return pattern.pattern().flags.find(flag) != std::string_view::npos;
}

std::optional<text::Regex> compiled(Machine& machine, const Datum& pattern, bool captures,
                                    std::size_t bytes) {
    text::RegexOptions options;
    options.ignores_case = has_flag(pattern, 'i');
    options.multiline = has_flag(pattern, 'm');
    options.dot_all = has_flag(pattern, 's');
    options.is_lenient = !has_flag(pattern, 'u');
    options.captures = captures;
    auto regex = text::Regex::compile(pattern.pattern().source, options);
    // A sticky pattern depends on the search before it.
    if (!regex || has_flag(pattern, 'y')) {
        machine.fail(Fault::kUnsupported, to_text(pattern));
        return std::nullopt;
    }
    if (!machine.spend(8 + regex->cost(bytes) / 8)) {
        return std::nullopt;
    }
    return *std::move(regex);
}

std::vector<text::Match> matches(Machine& machine, const Datum& text, const Datum& pattern,
                                 bool finds_all) {
    const auto regex = compiled(machine, pattern, true, text.text().size());
    if (!regex) {
        return {};
    }
    std::vector<text::Match> found =
        finds_all ? text::find_all(*regex, text.text()) : text::find_all(*regex, text.text(), 1);
    machine.spend(found.size());
    return found;
}

Datum part(const Datum& text, const text::Span& span) {
    return span.has_matched() ? Datum(text.text().substr(span.begin, span.end - span.begin))
                              : Datum();
}

Datum groups_of(Machine& machine, const Datum& text, const text::Match& match) {
    std::vector<Datum> parts;
    for (const text::Span& span : match) {
        parts.push_back(part(text, span));
    }
    return machine.list(std::move(parts));
}

// $& $1 … $99 $$
void append_replacement(std::string& out, std::string_view with, const Datum& text,
                        const text::Match& match) {
    for (std::size_t i = 0; i < with.size(); ++i) {
        const char next = with[i] == '$' && i + 1 < with.size() ? with[i + 1] : '\0';
        std::size_t group = 0;
        std::size_t digits = 0;
        while (digits < 2 && i + 1 + digits < with.size() && with[i + 1 + digits] >= '0' &&
               with[i + 1 + digits] <= '9' && with[i] == '$') {
            const auto longer = group * 10 + static_cast<std::size_t>(with[i + 1 + digits] - '0');
            if (longer >= match.size()) {
                break;
            }
            group = longer;
            ++digits;
        }
        if (next == '$') {
            out += '$';
            ++i;
        } else if (next == '&' || (digits > 0 && group > 0)) {
            append_text(out, match[group].has_matched() ? part(text, match[group])
                                                        : Datum(std::string_view()));
            i += next == '&' ? 1 : digits;
        } else {
            out += with[i];
        }
    }
}

}  // namespace

bool is_match(Machine& machine, const Datum& pattern, std::string_view text) {
    const auto regex = compiled(machine, pattern, false, text.size());
    return regex && regex->is_in(text);
}

Datum match_pattern(Machine& machine, const Datum& text, const Datum& pattern) {
    const bool finds_all = has_flag(pattern, 'g');
    const std::vector<text::Match> found = matches(machine, text, pattern, finds_all);
    if (found.empty()) {
        return Datum::null();
    }
    if (!finds_all) {
        return groups_of(machine, text, found.front());
    }
    std::vector<Datum> wholes;
    for (const text::Match& match : found) {
        wholes.push_back(part(text, match.front()));
    }
    return machine.list(std::move(wholes));
}

Datum match_all(Machine& machine, const Datum& text, const Datum& pattern) {
    std::vector<Datum> all;
    for (const text::Match& match : matches(machine, text, pattern, true)) {
        all.push_back(groups_of(machine, text, match));
    }
    return machine.list(std::move(all));
}

Datum search_pattern(Machine& machine, const Datum& text, const Datum& pattern) {
    const std::vector<text::Match> found = matches(machine, text, pattern, false);
    return found.empty() ? -1.0 : static_cast<double>(unit_at(text.text(), found[0][0].begin));
}

Datum split_by_pattern(Machine& machine, const Datum& text, const Datum& pattern) {
    std::vector<Datum> parts;
    std::size_t from = 0;
    for (const text::Match& match : matches(machine, text, pattern, true)) {
        const bool is_empty = match[0].begin == match[0].end;
        if (is_empty && (match[0].begin == from || match[0].begin >= text.text().size())) {
            continue;
        }
        parts.emplace_back(text.text().substr(from, match[0].begin - from));
        for (std::size_t i = 1; i < match.size(); ++i) {
            parts.push_back(part(text, match[i]));
        }
        from = match[0].end;
    }
    parts.emplace_back(text.text().substr(from));
    return machine.list(std::move(parts));
}

Datum replace_pattern(Machine& machine, const Datum& text, const Datum& pattern, const Datum& with,
                      bool replaces_all) {
    const std::string fixed = with.is_callable() ? std::string() : to_text(with);
    std::string out;
    std::size_t from = 0;
    const bool finds_all = replaces_all || has_flag(pattern, 'g');
    for (const text::Match& match : matches(machine, text, pattern, finds_all)) {
        out += text.text().substr(from, match[0].begin - from);
        if (with.is_callable()) {
            std::vector<Datum> arguments;
            for (const text::Span& span : match) {
                arguments.push_back(part(text, span));
            }
            arguments.emplace_back(static_cast<double>(unit_at(text.text(), match[0].begin)));
            arguments.push_back(text);
            append_text(out, machine.call(with, arguments));
        } else {
            append_replacement(out, fixed, text, match);
        }
        from = match[0].end;
        if (!machine.spend(1 + fixed.size() / 64) || out.size() > base::kTemplateOutputBytesMax) {
            return machine.fail(Fault::kBytes, std::to_string(base::kTemplateOutputBytesMax));
        }
    }
    out += text.text().substr(from);
    return machine.failed() ? Datum() : machine.text(std::move(out));
}

}  // namespace arbiter::ejs::internal
