// How a card begins: its first variables, as MVU lays them out, and its greeting.
#include <algorithm>

#include "base/limits.h"
#include "config/cards.h"
#include "config/files.h"
#include "config/internal/card_text.h"
#include "config/internal/yaml_text.h"
#include "config/yaml.h"
#include "prompt/macros.h"
#include "reader/blanks.h"
#include "reader/literal.h"
#include "text/utf8.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/merge.h"

namespace arbiter::config {

using base::ErrorCode;
using internal::find_word;
using internal::trimmed;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kOpening = "<initvar>";
constexpr std::string_view kClosing = "</initvar>";
constexpr std::size_t kNone = std::string_view::npos;

// A text taken apart: what stands in its <initvar> tags, and what is left without them.
struct Parted {
    std::vector<std::string_view> blocks;
    std::string rest;
};

Parted part(std::string_view text) {
    Parted parted;
    std::size_t at = 0;
    while (true) {
        const std::size_t begin = find_word(text, kOpening, at);
        if (begin == kNone) {
            break;
        }
        const std::size_t inside = begin + kOpening.size();
        const std::size_t end = find_word(text, kClosing, inside);
        parted.rest += text.substr(at, begin - at);
        // Without an end it is all of the rest, or it would be shown to the player.
        parted.blocks.push_back(text.substr(inside, end == kNone ? kNone : end - inside));
        at = end == kNone ? text.size() : end + kClosing.size();
    }
    parted.rest += text.substr(at);
    return parted;
}

// What stands in the first code fence, where there is one.
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

// As models and authors write JSON: with comments, single quotes, commas too many.
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

// JSON first where it looks like JSON, else YAML first. When nothing reads it, the error is that of
// the form it was probably meant to have.
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

// Merges sources one after the other, as one book: deeply, lists as a whole, the last one wins.
class Variables {
  public:
    Value merged = Object();
    bool any = false;
    std::optional<Trouble> trouble;

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
        const Parted parted = part(text);
        if (parted.blocks.empty()) {
            add_block(name, text);
        }
        for (const std::string_view block : parted.blocks) {
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
                 base::Error(
                     ErrorCode::kInitvarShape,
                     {value->is_string() ? internal::harmless(value->as_string().substr(0, 24))
                                         : std::string(value::name(value->kind()))}));
            return;
        }
        merged = value::merge(merged, *value, value::Merge::kDeep);
        any = true;
        // Aliases share what they stand for; the document would not.
        if (value::weigh(merged) > base::kDocumentWeightMax) {
            fail(name, {},
                 base::Error(ErrorCode::kTextTooLong, {std::to_string(value::weigh(merged)),
                                                       std::to_string(base::kDocumentWeightMax)}));
        }
    }

  private:
    void fail(const std::string& name, std::string text, base::Error error) {
        if (!trouble) {
            // It is a stranger who named the entry.
            trouble = Trouble{internal::harmless(name), std::move(text), {std::move(error)}};
        }
    }

    std::size_t bytes_ = 0;
};

prompt::MacroWorld macro_world(const Card& card, const StartOptions& options) {
    prompt::MacroWorld world;
    world.character = card.nickname.empty() ? card.name : card.nickname;
    world.user = options.user;
    world.texts = {{"description", card.description},
                   {"personality", card.personality},
                   {"scenario", card.scenario},
                   {"charprompt", card.system_prompt},
                   {"charinstruction", card.post_history_instructions},
                   {"mesexamples", card.example_messages},
                   {"charfirstmessage", card.greetings[0]}};
    world.seed = options.seed;
    world.pick_seed = options.seed;
    return world;
}

bool has_schema_script(const Card& card) {
    return std::ranges::any_of(card.scripts, [](const CardScript& each) {
        return each.kind == CardScript::Kind::kSchema;
    });
}

}  // namespace

bool has_variables(const Card& card) noexcept {
    return !card.initvars.empty() ||
           std::ranges::any_of(card.greetings, [](const std::string& greeting) {
               return find_word(greeting, kOpening) != kNone;
           });
}

std::string_view usual_profile(const Card& card) noexcept {
    if (!has_variables(card)) {
        return "auto";
    }
    return has_schema_script(card) ? "mvu-lenient" : "mvu-card";
}

std::expected<std::vector<Initvar>, Trouble> load_initvars(const std::string& file) {
    auto text = read_file(file, base::kCardBytesMax);
    if (!text) {
        return std::unexpected(Trouble{"arbiter", {}, {std::move(text).error()}});
    }
    // A whole lorebook, of which only these entries count.
    if (trimmed(*text).starts_with('{')) {
        const auto book = value::parse_json(trimmed(*text), {.depth_max = base::kCardDepthMax});
        const Value* entries =
            book && book->is_object() ? book->as_object().find("entries") : nullptr;
        const Value* data = book && book->is_object() ? book->as_object().find("data") : nullptr;
        for (const Value* each : {entries != nullptr ? &*book : nullptr, data}) {
            if (each == nullptr) {
                continue;
            }
            auto found = internal::initvars_of(*each);
            if (!found.empty()) {
                return found;
            }
        }
    }
    return std::vector<Initvar>{{file, *std::move(text)}};
}

std::expected<Start, Trouble> initial_state(const Card& card, const StartOptions& options) {
    if (options.greeting >= card.greetings.size()) {
        return std::unexpected(Trouble{"arbiter",
                                       {},
                                       {base::Error(ErrorCode::kGreetingUnknown,
                                                    {std::to_string(options.greeting),
                                                     std::to_string(card.greetings.size() - 1)})}});
    }
    prompt::MacroWorld world = macro_world(card, options);
    const auto expanded = [&](std::string_view text, const std::string& where) {
        return prompt::expand_macros(text, world, where).text;
    };
    const std::string name = "greeting " + std::to_string(options.greeting);
    const Parted parted = part(card.greetings[options.greeting]);
    Variables variables;
    if (parted.blocks.empty()) {
        for (const Initvar& entry : card.initvars) {
            variables.add(entry.name, expanded(entry.text, entry.name));
        }
    }
    // A greeting that brings variables begins another story: the book's are not its.
    for (const std::string_view block : parted.blocks) {
        variables.add(name, expanded(block, name));
    }
    for (const Initvar& entry : options.more) {
        variables.add(entry.name, expanded(entry.text, entry.name));
    }
    if (variables.trouble) {
        return std::unexpected(*std::move(variables.trouble));
    }
    Start start;
    start.document =
        variables.any ? Value(Object{{"stat_data", variables.merged}}) : Value(Object());
    // It may show what it begins with.
    world.document = &start.document;
    const std::string greeting = expanded(parted.rest, name);
    start.greeting = parted.blocks.empty() ? greeting : std::string(trimmed(greeting));
    return start;
}

}  // namespace arbiter::config
