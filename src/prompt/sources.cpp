#include "prompt/sources.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "prompt/fair_share.h"
#include "prompt/plan.h"
#include "prompt/render.h"
#include "prompt/summary.h"
#include "table/layout.h"
#include "table/milestone.h"
#include "table/settings.h"
#include "table/summary.h"
#include "text/tokens.h"

namespace arbiter::prompt {

using value::Value;

namespace {

// Kind and position of a block.
struct Slot {
    Kind kind;
    Target target;
};

// `field` is the part of the source and the reason that is shown.
Block block_from(std::string_view source, std::string_view field, Slot slot, std::string text) {
    Block block;
    block.id = std::string(source) + "." + std::string(field);
    block.kind = slot.kind;
    block.target = slot.target;
    block.source = source;
    block.why = {Reason::kGiven, {std::string(field)}};
    block.text = std::move(text);
    return block;
}

// ---- the card

void add_card(std::vector<Block>& blocks, const card::Card& card) {
    const auto add = [&](std::string_view field, Target target, const std::string& text) {
        if (!text.empty()) {
            blocks.push_back(block_from("card", field, {Kind::kCharacter, target}, text));
            blocks.back().macros = true;
        }
    };
    add("system_prompt", Target::kSystemStart, card.system_prompt);
    add("description", Target::kCharacter, card.description);
    add("personality", Target::kCharacter, card.personality);
    add("scenario", Target::kCharacter, card.scenario);
    add("example_messages", Target::kExamples, card.example_messages);
    add("post_history_instructions", Target::kAfterHistory, card.post_history_instructions);
}

// ---- the protocols

Block block_from(const protocol::Injection& injection, base::Language language) {
    Block block;
    block.id = "protocol." + injection.id;
    block.kind = Kind::kProtocol;
    block.target = injection.target;
    block.depth = block.target == Target::kDepth ? 1 : 0;
    block.priority = injection.priority;
    block.source = injection.id + "@" + injection.version;
    block.why = {Reason::kGiven, {protocol::explain(injection.why, language)}};
    block.text = injection.text;
    block.macros = true;
    return block;
}

void add_protocols(std::vector<Block>& blocks, const protocol::Resolved& protocols,
                   base::Language language) {
    for (const protocol::Injection& injection : protocols.instructions) {
        blocks.push_back(block_from(injection, language));
    }
    for (const protocol::Injection& injection : protocols.examples) {
        Block block = block_from(injection, language);
        block.id = "examples." + injection.id;
        block.kind = Kind::kExamples;
        block.target = Target::kExamples;
        blocks.push_back(std::move(block));
    }
}

// ---- the table

bool is_empty_object(const Value& value) {
    return value.is_object() && value.as_object().empty();
}

// Members of /campaign, which share `room` bytes.
void add_parts(std::vector<Block>& blocks, const Value& document,
               std::initializer_list<std::string_view> names, std::size_t room) {
    std::vector<std::pair<std::string_view, const Value*>> parts;
    std::vector<std::size_t> sizes;
    for (const std::string_view part : names) {
        const Value* found = table::find_in_campaign(document, {part});
        if (found != nullptr && !is_empty_object(*found)) {
            parts.emplace_back(part, found);
            sizes.push_back(size_of(*found));
        }
    }
    std::vector<std::string> texts(parts.size());
    share_out(sizes, room, [&](std::size_t i, std::size_t share) {
        StateView view;
        view.bytes = share == kUnlimited ? 0 : std::max<std::size_t>(1, share);
        texts[i] = render_value(*parts[i].second, view);
        return texts[i].size();
    });
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string part(parts[i].first);
        const bool changes = part == "characters";
        const Slot slot = {Kind::kState, changes ? Target::kDepth : Target::kBeforeHistory};
        Block block = block_from("table", part, slot, part + ":\n" + texts[i]);
        block.depth = changes ? 1 : 0;
        block.cacheable = !changes;
        blocks.push_back(std::move(block));
    }
}

void add_table(std::vector<Block>& blocks, const PromptInputs& in) {
    if (!table::has_campaign(in.document)) {
        return;
    }
    if (!in.tools.empty()) {
        blocks.push_back(block_from("table", "tools", {Kind::kProtocol, Target::kSystemEnd},
                                    std::string(in.tools)));
    }
    // The narrator knows the goal even where it is hidden from the player.
    const Value* goal = table::find_in_campaign(in.document, {"goal"});
    if (const std::string_view text = table::text_in(goal, "ultimate_goal_text"); !text.empty()) {
        blocks.push_back(
            block_from("table", "goal", {Kind::kRules, Target::kSystemEnd}, std::string(text)));
    }
    // One eighth of the window for the stable parts and one for the changing part. They do not
    // share: the length of the changing part would change the stable text, and with it the prefix
    // that a provider can cache.
    const std::size_t room =
        in.context_tokens == 0 ? kUnlimited : in.context_tokens / 8 * kBytesPerToken;
    add_parts(blocks, in.document, {"world", "rules", "areas", "paths"}, room);
    add_parts(blocks, in.document, {"characters"}, room);
    if (std::string pace = table::acceleration(in.document, in.language); !pace.empty()) {
        blocks.push_back(block_from("table", "milestone", {Kind::kPacing, Target::kAfterHistory},
                                    std::move(pace)));
    }
}

MacroWorld world_of(const PromptInputs& in) {
    MacroWorld world = in.world;
    world.language = in.language;
    if (world.character.empty() && in.card != nullptr) {
        world.character = card::display_name(*in.card);
    }
    if (world.user.empty()) {
        const Value* player = table::find_character(in.document, table::active_actor(in.document));
        world.user = player != nullptr ? table::text_in(player, "name") : "User";
    }
    return world;
}

}  // namespace

Assembly build_prompt(const PromptInputs& in) {
    const Plans plans = default_plans();
    const Choice choice = choose(plans, in.settings);
    Plan plan = *choice.plan;
    plan.language = in.language;
    plan.context_tokens = plan.context_tokens != 0 ? plan.context_tokens : in.context_tokens;
    std::vector<Block> blocks;
    add_protocols(blocks, in.protocols, in.language);
    if (in.card != nullptr) {
        add_card(blocks, *in.card);
    }
    add_table(blocks, in);
    if (!in.feedback.empty()) {
        blocks.push_back(block_from("turn", "feedback", {Kind::kFeedback, Target::kAfterHistory},
                                    std::string(in.feedback)));
    }
    AssemblyInputs inputs{in.document, plan};
    if (in.state != nullptr) {
        const table::SummaryState summary = table::summary_state(*in.state);
        for (Block& block : story_blocks(summary, table::summary_due(*in.state, in.settings), plan,
                                         table::has_memory_lists(in.document))) {
            blocks.push_back(std::move(block));
        }
        inputs.uncovered_turns = static_cast<std::size_t>(summary.uncovered);
    }
    inputs.count.rates = table::token_rates(in.settings);
    inputs.block_limits = table::object_or_empty(in.settings.find("context.block_limits"));
    inputs.context = choice.context;
    inputs.pieces = blocks;
    inputs.history = in.history;
    inputs.lore = in.lore;
    inputs.world = world_of(in);
    inputs.notices = choice.notices;
    inputs.cache = in.cache;
    return assemble(inputs);
}

void append_turn(std::vector<Message>& history, engine::Actor actor, std::string_view said,
                 std::string_view shown) {
    bool is_first = true;
    const auto append = [&](Role role, std::string_view text) {
        if (!text.empty()) {
            history.push_back({role, value::Str(text), {}, text::estimate_tokens(text)});
            history.back().begins_turn = std::exchange(is_first, false);
        }
    };
    append(Role::kUser, said);
    append(actor == engine::Actor::kPlayer ? Role::kUser : Role::kAssistant, shown);
}

}  // namespace arbiter::prompt
