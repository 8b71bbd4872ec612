#include "reader/told.h"

#include <algorithm>

#include "reader/blanks.h"
#include "reader/internal/glyph.h"
#include "value/json.h"

namespace arbiter::reader {
namespace {

void append_paragraph(std::string& out, std::string_view text) {
    text = trim(text);
    if (text.empty()) {
        return;
    }
    out += out.empty() ? "" : "\n\n";
    out += text;
}

std::string written(const proposal::Component& component) {
    return "<" + component.tag + ">" + component.content + "</" + component.tag + ">";
}

// One past the > of the tag at `at`; `at` if it is not a tag.
std::size_t tag_end(std::string_view text, std::size_t at) {
    std::size_t next = at + 1;
    next += next < text.size() && text[next] == '/' ? 1 : 0;
    if (next >= text.size() || (!internal::is_letter(text[next]) && text[next] != '_')) {
        return at;
    }
    const std::size_t end = text.find_first_of("<>\n", next);
    return end != std::string_view::npos && text[end] == '>' ? end + 1 : at;
}

// The size of the JSON object or list that is the whole content of an element: data for the host.
// 0 if the content is something else.
std::size_t data_size(std::string_view content) {
    content = content.substr(0, content.find('<'));
    const std::string_view data = trim(content);
    const bool is_data =
        (data.starts_with('{') || data.starts_with('[')) && value::parse_json(data).has_value();
    return is_data ? content.size() : 0;
}

}  // namespace

std::string told(const Reading& reading) {
    if (std::ranges::all_of(reading.components, &proposal::Component::hidden)) {
        return {};
    }
    std::string out;
    std::size_t at = 0;
    for (const proposal::Component& each : reading.components) {
        if (each.hidden) {
            continue;
        }
        const std::size_t place = std::clamp(each.at, at, reading.text.size());
        append_paragraph(out, std::string_view(reading.text).substr(at, place - at));
        append_paragraph(out, written(each));
        at = place;
    }
    append_paragraph(out, std::string_view(reading.text).substr(at));
    return out;
}

std::string remembered(std::string_view told, std::string_view narrative,
                       std::span<const proposal::Proposal> proposals) {
    if (!told.empty() || !trim(narrative).empty()) {
        return std::string(told.empty() ? narrative : told);
    }
    std::string out;
    for (const proposal::Proposal& each : proposals) {
        if (each.span.begin != each.span.end) {  // native calls have messages of their own
            out += out.empty() ? "" : "\n";
            out += each.raw;
        }
    }
    return out;
}

std::string without_tags(std::string_view told) {
    std::string out;
    std::size_t at = 0;
    std::size_t closed = std::string_view::npos;  // the end of the last closing tag
    while (at < told.size()) {
        const std::size_t tag = std::min(told.find('<', at), told.size());
        out += told.substr(at, tag - at);
        if (tag == told.size()) {
            break;
        }
        const std::size_t end = tag_end(told, tag);
        const bool closes = told.substr(tag).starts_with("</");
        if (end == tag) {
            out += '<';
        } else if (closes) {
            closed = end;
        } else if (closed == tag) {
            out += ' ';  // between </a> and <b>
        }
        at = std::max(end, tag + 1);
        if (end != tag && !closes) {
            at += data_size(told.substr(at));
        }
    }
    // Lines that held only tags are removed too.
    std::string lines;
    std::string_view rest = trim(out);
    bool was_blank = true;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = trim(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!line.empty() || !was_blank) {
            lines += lines.empty() ? "" : "\n";
            lines += line;
        }
        was_blank = line.empty();
    }
    return lines;
}

std::string displayed(const proposal::Component& component) {
    return component.hidden ? std::string() : without_tags(written(component));
}

std::string displayed(const Reading& reading) {
    const std::string words = told(reading);
    return words.empty() ? reading.text : without_tags(words);
}

}  // namespace arbiter::reader
