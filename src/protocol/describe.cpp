#include "protocol/describe.h"

#include <algorithm>

#include "value/array.h"
#include "value/object.h"

namespace arbiter::protocol {

using base::Language;
using value::Array;
using value::Object;
using value::Value;

namespace {

Value text_value(std::string_view text) {
    return text;
}

std::string_view name(reader::TagMeaning meaning) noexcept {
    switch (meaning) {
        case reader::TagMeaning::kIgnore:
            return "ignore";
        case reader::TagMeaning::kDisplay:
            return "display";
        case reader::TagMeaning::kExecute:
            return "execute";
        case reader::TagMeaning::kComponent:
            return "component";
        case reader::TagMeaning::kThinking:
            return "thinking";
    }
    return "";
}

// Appends lines, each quoted. A line that looks like the next speaker is indented.
void quote(std::string& out, std::string_view speaker, std::string_view text) {
    std::string clean;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\r') {
            clean += i + 1 < text.size() && text[i + 1] == '\n' ? "" : "\n";
        } else if (c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20) {
            clean += c;
        }
    }
    std::string_view rest = clean;
    while (rest.ends_with('\n') || rest.ends_with(' ')) {
        rest.remove_suffix(1);
    }
    bool first = true;
    do {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        out += line.empty() && !first ? ">" : "> ";
        if (first) {
            out += speaker;
        } else if (line.starts_with("User:") || line.starts_with("Assistant:")) {
            out += ' ';
        }
        out += line;
        out += '\n';
        first = false;
    } while (!rest.empty());
}

Array to_value(const std::vector<Reference>& references) {
    Array all;
    for (const Reference& each : references) {
        all = std::move(all).push_back(text_value(print(each)));
    }
    return all;
}

Array to_value(const std::vector<Injection>& injections, Language language) {
    Array all;
    for (const Injection& each : injections) {
        all = std::move(all).push_back(Object{{"id", text_value(each.id)},
                                              {"version", text_value(each.version)},
                                              {"target", injection_name(each.target)},
                                              {"priority", each.priority},
                                              {"why", text_value(explain(each.why, language))},
                                              {"text", text_value(each.text)}});
    }
    return all;
}

}  // namespace

std::string few_shot(const Protocol& protocol, Language language) {
    if (protocol.examples.empty()) {
        return {};
    }
    constexpr base::TextView kHeading = {
        "Examples for {0} (quoted: leave out the > when you write):\n",
        "{0} 的示例（以 > 引用，书写时不带 >）：\n"};
    std::string out = base::format_message(kHeading.in(language), {&protocol.id, 1});
    bool first = true;
    for (const Example& example : protocol.examples) {
        out += first ? "" : ">\n";
        first = false;
        quote(out, "User: ", example.input.in(language));
        quote(out, "Assistant: ", example.output.in(language));
    }
    return out;
}

Value to_value(const Protocol& protocol, Language language) {
    Array hints;
    for (const Hint& hint : protocol.hints) {
        hints = std::move(hints).push_back(
            Object{{"tag", text_value(hint.tag)},
                   {"meaning", hint.meaning ? name(*hint.meaning) : "thinking"}});
    }
    Array keywords;
    for (const Activation::Keyword& keyword : protocol.activation.keywords) {
        keywords = std::move(keywords).push_back(text_value(keyword.text));
    }
    Array limits;
    if (protocol.constraints != nullptr) {
        for (const rules::RuleSummary& rule : protocol.constraints->summaries) {
            limits = std::move(limits).push_back(text_value(rule.text));
        }
    }
    return Object{{"id", text_value(protocol.id)},
                  {"version", text_value(print(protocol.version))},
                  {"name", text_value(protocol.name.in(language))},
                  {"description", text_value(protocol.description.in(language))},
                  {"type", name(protocol.type)},
                  {"target", injection_name(protocol.target)},
                  {"priority", protocol.priority},
                  {"dependencies", to_value(protocol.dependencies)},
                  {"conflicts_with", to_value(protocol.conflicts)},
                  {"replaces", to_value(protocol.replaces)},
                  {"keep", to_value(protocol.keep)},
                  {"hints", std::move(hints)},
                  {"keywords", std::move(keywords)},
                  {"turns", protocol.activation.turns},
                  {"limits", std::move(limits)},
                  {"examples", static_cast<std::int64_t>(protocol.examples.size())}};
}

Value to_value(const Resolved& resolved, Language language) {
    Array active;
    for (const Resolved::Active& each : resolved.active) {
        active = std::move(active).push_back(
            Object{{"id", text_value(each.protocol->id)},
                   {"version", text_value(print(each.protocol->version))},
                   {"why", text_value(explain(each.why, language))}});
    }
    Array hints;
    for (const reader::TagHint& hint : resolved.hints) {
        hints = std::move(hints).push_back(
            Object{{"tag", text_value(hint.tag)}, {"meaning", name(hint.meaning)}});
    }
    Array constraints;
    for (const auto& book : resolved.constraints) {
        for (const rules::RuleSummary& rule : book->summaries) {
            constraints = std::move(constraints)
                              .push_back(Object{{"from", text_value(book->name)},
                                                {"limit", text_value(rule.text)}});
        }
    }
    Array warnings;
    for (const base::Error& warning : resolved.warnings) {
        warnings = std::move(warnings).push_back(
            Object{{"code", base::name(warning.code)},
                   {"text", text_value(base::explain(warning, language))}});
    }
    return Object{{"active", std::move(active)},
                  {"instructions", to_value(resolved.instructions, language)},
                  {"examples", to_value(resolved.examples, language)},
                  {"hints", std::move(hints)},
                  {"constraints", std::move(constraints)},
                  {"warnings", std::move(warnings)}};
}

}  // namespace arbiter::protocol
