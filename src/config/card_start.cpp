#include "config/card_start.h"

#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "card/card_text.h"
#include "card/zod.h"
#include "config/internal/yaml_text.h"
#include "config/yaml.h"
#include "engine/initvar.h"
#include "prompt/names.h"
#include "reader/blanks.h"
#include "reader/literal.h"
#include "text/truncate.h"
#include "text/utf8.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/merge.h"

namespace arbiter::config {

using base::ErrorCode;
using card::Card;
using card::Initvar;
using card::SplitText;
using card::trimmed;
using value::Object;
using value::Value;

namespace {

constexpr std::size_t kNone = std::string_view::npos;

// The content of the first code fence, or all of the text.
std::string_view unfenced(std::string_view text) {
    const std::size_t fence = text.find("```");
    if (fence == kNone) {
        return text;
    }
    const std::size_t line = text.find('\n', fence);
    if (line == kNone) {
        return text;
    }
    const std::size_t end = text.find("```", line);
    return text.substr(line + 1, end == kNone ? kNone : end - line - 1);
}

// JSON with the usual mistakes: comments, single quotes, trailing commas.
base::Result<Value> parse_loose(std::string_view text) {
    const auto literal = reader::parse_literal(text, 0);
    if (!literal) {
        const std::size_t offset = std::min(literal.error().offset, text.size());
        return base::fail(ErrorCode::kInitvarSyntax,
                          {internal::harmless(text.substr(
                              offset, std::min(text.find('\n', offset), offset + 24) - offset))},
                          internal::place_in(text, offset));
    }
    std::size_t end = literal->end;
    reader::skip_blanks(text, end);
    if (end < text.size()) {
        return base::fail(ErrorCode::kInitvarSyntax, {internal::harmless(text.substr(end, 24))},
                          internal::place_in(text, end));
    }
    return literal->value;
}

// Text that looks like JSON is tried as JSON first. If nothing can read it, the error is that of
// the form that was probably intended.
base::Result<Value> parse_variables(std::string_view text) {
    const std::string_view content = trimmed(text);
    const bool json = content.starts_with('{') || content.starts_with('[');
    if (json) {
        if (auto strict = value::parse_json(content, {.depth_max = base::kCardDepthMax})) {
            return *std::move(strict);
        }
    }
    auto loose = json ? parse_loose(text) : base::Result<Value>(Value());
    if (json && loose) {
        return loose;
    }
    auto yaml = parse_yaml("", std::string(text));
    if (yaml) {
        return std::move(yaml->value);
    }
    return std::unexpected(json ? std::move(loose).error() : std::move(yaml).error());
}

// Merges sources in order: deeply, lists as a whole, the last one wins.
class Variables {
  public:
    Value merged = Object();
    bool any = false;
    std::optional<FileDiagnostics> trouble;

    void add(const std::string& name, std::string_view text) {
        bytes_ += text.size();
        if (bytes_ > base::kInitvarBytesMax) {
            fail(name, {},
                 base::Error(ErrorCode::kTextTooLong,
                             {std::to_string(bytes_), std::to_string(base::kInitvarBytesMax)}));
            return;
        }
        if (!text::is_valid(text)) {
            fail(name, {}, base::Error(ErrorCode::kYamlBadUtf8));
            return;
        }
        const SplitText split = card::split_initvars(text);
        if (split.initvars.empty()) {
            add_block(name, text);
        }
        for (const std::string_view block : split.initvars) {
            add_block(name, block);
        }
    }

    void add_block(const std::string& name, std::string_view block) {
        const std::string_view text = unfenced(block);
        if (trouble || trimmed(text).empty()) {
            return;
        }
        const auto value = parse_variables(text);
        if (!value) {
            fail(name, std::string(text), value.error());
            return;
        }
        if (!value->is_object()) {
            fail(name, std::string(text),
                 base::Error(ErrorCode::kInitvarShape,
                             {value->is_string()
                                  ? internal::harmless(text::truncate(value->as_string(), 24))
                                  : std::string(value::name(value->kind()))}));
            return;
        }
        merged = value::merge(merged, *value, value::Merge::kDeep);
        any = true;
        // YAML aliases share their value; the stored document does not.
        if (value::weigh(merged) > base::kDocumentWeightMax) {
            fail(name, {},
                 base::Error(ErrorCode::kTextTooLong, {std::to_string(value::weigh(merged)),
                                                       std::to_string(base::kDocumentWeightMax)}));
        }
    }

  private:
    void fail(const std::string& name, std::string text, base::Error error) {
        if (!trouble) {
            // The name comes from the card: escape control characters.
            trouble =
                FileDiagnostics{internal::harmless(name), std::move(text), {std::move(error)}};
        }
    }

    std::size_t bytes_ = 0;
};

}  // namespace

std::expected<Start, FileDiagnostics> initial_state(const Card& card, const StartOptions& options) {
    if (options.greeting >= card.greetings.size()) {
        return std::unexpected(FileDiagnostics{
            "arbiter",
            {},
            {base::Error(
                ErrorCode::kGreetingUnknown,
                {std::to_string(options.greeting), std::to_string(card.greetings.size() - 1)})}});
    }
    prompt::MacroWorld world = prompt::macro_world(&card, options.user);
    world.seed = options.seed;
    world.pick_seed = options.seed;
    const auto expanded = [&](std::string_view text, const std::string& where) {
        return prompt::expand_macros(text, world, where).text;
    };
    const std::string name = "greeting " + std::to_string(options.greeting);
    const SplitText split = card::split_initvars(card.greetings[options.greeting]);
    Variables variables;
    if (split.initvars.empty()) {
        for (const Initvar& entry : card.initvars) {
            variables.add(entry.name, expanded(entry.text, entry.name));
        }
    }
    // A greeting with variables of its own replaces those of the lorebook.
    for (const std::string_view block : split.initvars) {
        variables.add(name, expanded(block, name));
    }
    for (const Initvar& entry : options.more) {
        variables.add(entry.name, expanded(entry.text, entry.name));
    }
    if (variables.trouble) {
        return std::unexpected(*std::move(variables.trouble));
    }
    Start start;
    Value filled = card::with_presets(card::read_zod(card), variables.merged);
    // Every entry of a record is filled.
    if (value::weigh(filled) > base::kDocumentWeightMax) {
        filled = variables.merged;
    }
    const bool any = variables.any || !filled.as_object().empty();
    start.document = any ? Value(Object{{"stat_data", filled}}) : Value(Object());
    // The greeting may show initial variables.
    world.document = &start.document;
    const std::string greeting = expanded(split.rest, name);
    start.greeting = split.initvars.empty() ? greeting : std::string(trimmed(greeting));
    return start;
}

bool has_variables(const Start& start) {
    return start.document.as_object().contains("stat_data");
}

void begin_with(const Start& start, const engine::Policy& policy, engine::State& state) {
    if (!has_variables(start)) {
        return;
    }
    // Structure rules are not data: take them out even if the policy ignores them.
    state = engine::take_structure(start.document);
    if (!policy.locks_structure) {
        state.meta = {};
    }
}

}  // namespace arbiter::config
