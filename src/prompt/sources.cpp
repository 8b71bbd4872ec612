#include "prompt/sources.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

#include "base/text.h"
#include "card/card_text.h"
#include "prompt/fair_share.h"
#include "prompt/game_master.h"
#include "prompt/lore_notes.h"
#include "prompt/names.h"
#include "prompt/plan.h"
#include "prompt/render.h"
#include "prompt/scene.h"
#include "prompt/summary.h"
#include "table/layout.h"
#include "table/milestone.h"
#include "table/registries.h"
#include "table/settings.h"
#include "table/summary.h"
#include "text/tokens.h"
#include "value/json.h"

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

// Example conversations, each below a heading; cards begin them with <START>.
std::string examples_of(std::string_view written, base::Language language) {
    constexpr std::string_view kStart = "<START>";
    const std::string_view heading = language == base::Language::kChinese
                                         ? std::string_view("[示例对话]")
                                         : std::string_view("[Example conversation]");
    std::string text;
    while (!written.empty()) {
        const std::size_t start = card::find_ignoring_case(written, kStart);
        const std::string_view one = card::trimmed(written.substr(0, start));
        if (!one.empty()) {
            text +=
                (text.empty() ? "" : "\n") + std::string(heading) + "\n" + std::string(one) + "\n";
        }
        written.remove_prefix(start == std::string_view::npos ? written.size()
                                                              : start + kStart.size());
    }
    return text;
}

void add_card(std::vector<Block>& blocks, const card::Card& card, base::Language language) {
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
    add("example_messages", Target::kExamples, examples_of(card.example_messages, language));
    add("post_history_instructions", Target::kAfterHistory, card.post_history_instructions);
    if (!card.depth_prompt.text.empty()) {
        add("depth_prompt", Target::kDepth, card.depth_prompt.text);
        Block& block = blocks.back();
        block.depth = card.depth_prompt.depth;
        block.role = card.depth_prompt.role == "user"        ? Role::kUser
                     : card.depth_prompt.role == "assistant" ? Role::kAssistant
                                                             : Role::kSystem;
    }
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

// A protocol that teaches a dialect ends with the general lesson; the campaign has its own.
void take_lesson(Block& block, const protocol::Injection& injection,
                 std::span<const protocol::Lesson> lessons) {
    for (const protocol::Lesson& lesson : lessons) {
        if (injection.teach == lesson.form && block.text.size() >= lesson.standard_bytes) {
            block.text.resize(block.text.size() - lesson.standard_bytes);
            block.text += lesson.text;
            return;
        }
    }
}

void add_protocols(std::vector<Block>& blocks, const protocol::Resolved& protocols,
                   std::span<const protocol::Lesson> lessons, base::Language language) {
    for (const protocol::Injection& injection : protocols.instructions) {
        blocks.push_back(block_from(injection, language));
        blocks.back().order = blocks.size();
        take_lesson(blocks.back(), injection, lessons);
    }
    for (const protocol::Injection& injection : protocols.examples) {
        Block block = block_from(injection, language);
        block.order = blocks.size() + 1;
        block.id = "examples." + injection.id;
        block.kind = Kind::kExamples;
        block.target = Target::kExamples;
        blocks.push_back(std::move(block));
    }
}

// The basis of everything that protocols say about commands, so it comes before them.
constexpr std::int64_t kLessonPriority = 50;

void add_lessons(std::vector<Block>& blocks, std::span<const protocol::Lesson> lessons) {
    for (const protocol::Lesson& lesson : lessons) {
        if (!lesson.by_protocol) {
            blocks.push_back(block_from("lesson", writer::name(lesson.form),
                                        {Kind::kLesson, Target::kSystemEnd}, lesson.text));
            blocks.back().priority = kLessonPriority;
            blocks.back().why = {Reason::kLesson, {std::string(writer::name(lesson.form))}};
        }
    }
}

// ---- the table

// Priorities at the end of the system prompt, where protocols have theirs from 0 up.
constexpr std::int64_t kWorldFirst = -300;
constexpr std::int64_t kGoalNext = -200;
constexpr std::int64_t kSettingsNext = -100;
constexpr std::int64_t kToolsLate = 100'000;
constexpr std::int64_t kStyleLast = 200'000;
// Priorities before the player's newest message, among those of prompt/summary.h.
constexpr std::int64_t kPartyFirst = 10'000;
constexpr std::int64_t kSceneBeforeState = kStatePriority - 1'000;
constexpr std::int64_t kSettledLate = 4'000'000;
constexpr std::int64_t kPaceLater = 5'000'000;
constexpr std::int64_t kDialogLast = 6'000'000;

// A text of the table, made anew only if one of its sources has changed.
class TextMaker {
  public:
    explicit TextMaker(const PromptInputs& in) : in_(in) {}

    template <typename Make>
    Block block(Block block, std::initializer_list<std::string_view> parts, Make make) const {
        std::vector<Value> sources;
        for (const std::string_view part : parts) {
            const Value* found = table::find_in_campaign(in_.document, {part});
            sources.push_back(found != nullptr ? *found : Value());
        }
        std::string options = std::to_string(static_cast<int>(in_.language)) + " " +
                              std::to_string(in_.context_tokens);
        CachedText own;
        CachedText& cached = in_.cache != nullptr ? in_.cache->text(block.id) : own;
        const bool same =
            cached.options == options && cached.sources.size() == sources.size() &&
            std::ranges::equal(cached.sources, sources,
                               [](const Value& a, const Value& b) { return a.is_identical(b); });
        if (!same) {
            cached = {std::move(sources), std::move(options), make()};
        }
        block.text = cached.text;
        return block;
    }

  private:
    const PromptInputs& in_;
};

class TableBlocks {
  public:
    TableBlocks(std::vector<Block>& blocks, const PromptInputs& in, const Plan& plan)
        : blocks_(blocks), in_(in), plan_(plan) {}

    void add() {
        const TextMaker texts(in_);
        // One eighth of the window each. The stable and the changing parts do not share theirs: the
        // length of the changing part would change the stable text, and with it the prefix that a
        // provider can cache.
        const std::size_t room =
            in_.context_tokens == 0 ? kUnlimited : in_.context_tokens / 8 * kBytesPerToken;
        Block role = stable("role", Kind::kRules, 0);
        role.target = Target::kSystemStart;
        push(texts.block(std::move(role), {"title"},
                         [&] { return role_text(in_.document, in_.language); }));
        Block world = stable("world", Kind::kWorld, kWorldFirst);
        world.heading = say({"# World", "# 世界"});
        push(texts.block(std::move(world), {"world", "rules"},
                         [&] { return world_text(in_.document, in_.language, room); }));
        // The narrator knows the goal even where it is hidden from the player.
        GoalText goal = goal_text(in_.document, in_.language);
        Block aim = stable("goal", Kind::kGoal, kGoalNext);
        aim.heading = std::move(goal.heading);
        aim.text = std::move(goal.text);
        push(std::move(aim));
        if (plan_.contains(Kind::kSettings)) {
            add_settings();
        }
        Block style = stable("style", Kind::kRules, kStyleLast);
        style.heading = say({"# Style", "# 文风"});
        style.text = style_text(in_.language);
        push(std::move(style));
        Block party = late("party", Kind::kParty, kPartyFirst);
        party.heading = say({"# Party", "# 队伍"});
        push(texts.block(std::move(party), {"characters", "selected", "areas"},
                         [&] { return party_text(in_.document, in_.language, room); }));
        // Locks may depend on any part of the document.
        Block scene = late("scene", Kind::kScene, kSceneBeforeState);
        scene.heading = say({"# Scene", "# 场景"});
        scene.text = scene_text(in_.document, in_.language, in_.cache);
        scene.budget = in_.context_tokens / 8;
        push(std::move(scene));
        Block dice = late("dice", Kind::kFeedback, kSettledLate);
        dice.heading = last_turn();
        dice.text = dice_text(in_.document, in_.language);
        push(std::move(dice));
        Block pace = late("milestone", Kind::kPacing, kPaceLater);
        pace.heading = say({"# Pace", "# 节奏"});
        pace.text = table::acceleration(in_.document, in_.settings, in_.language);
        push(std::move(pace));
    }

    [[nodiscard]] std::string last_turn() const { return say({"# Last turn", "# 上一回合"}); }
    [[nodiscard]] std::string say(base::TextView text) const {
        return std::string(text.in(in_.language));
    }
    void push(Block block) {
        if (!block.text.empty()) {
            blocks_.push_back(std::move(block));
        }
    }
    static Block stable(std::string_view field, Kind kind, std::int64_t priority) {
        Block block = block_from("table", field, {kind, Target::kSystemEnd}, {});
        block.priority = priority;
        return block;
    }
    static Block late(std::string_view field, Kind kind, std::int64_t priority) {
        Block block = block_from("table", field, {kind, Target::kDepth}, {});
        block.depth = 1;
        block.cacheable = false;
        block.priority = priority;
        return block;
    }

  private:
    void add_settings() {
        Block settings = stable("settings", Kind::kSettings, kSettingsNext);
        settings.heading = say({"# Settings of the game", "# 游戏设置"});
        settings.text =
            settings_text(table::shipped_registries()->settings, in_.settings, in_.language);
        push(std::move(settings));
    }

    std::vector<Block>& blocks_;
    const PromptInputs& in_;
    const Plan& plan_;
};

void add_table(std::vector<Block>& blocks, const PromptInputs& in, const table::DialogType& dialog,
               const Plan& plan) {
    TableBlocks table(blocks, in, plan);
    const bool has_table = table::has_campaign(in.document);
    if (has_table) {
        table.add();
    } else if (!in.has_client && (in.card == nullptr || in.card->system_prompt.empty())) {
        const bool has_state = in.document.is_object() && !in.document.as_object().empty();
        Block role = TableBlocks::stable("role", Kind::kRules, 0);
        role.target = Target::kSystemStart;
        role.text = narrator_text(in.card != nullptr, has_state, in.language);
        role.macros = true;
        table.push(std::move(role));
    }
    Block tools = TableBlocks::stable("tools", Kind::kTools, kToolsLate);
    tools.text = has_table ? in.tools : std::string_view();
    table.push(std::move(tools));
    Block feedback = TableBlocks::late("feedback", Kind::kFeedback, kSettledLate + 1);
    feedback.id = "turn.feedback";
    feedback.heading = table.last_turn();
    feedback.text = in.feedback;
    table.push(std::move(feedback));
    Block turn = TableBlocks::late("dialog", Kind::kDialog, kDialogLast);
    turn.heading = table.say({"# This turn", "# 本回合"});
    turn.why = {Reason::kGiven, {dialog.id}};
    turn.text = has_table && dialog.changes_state ? actor_line(in.document, in.language) : "";
    // Without a table the player has chosen a type only if it is not the default.
    if (has_table || dialog.id != table::shipped_registries()->dialogs.all()[0].id) {
        turn.text += turn.text.empty() || in.language == base::Language::kChinese ? "" : " ";
        turn.text += dialog.instruction.in(in.language);
    }
    table.push(std::move(turn));
}

MacroWorld world_of(const PromptInputs& in) {
    MacroWorld world = macro_world(in.card, user_name(in.document, in.settings));
    world.language = in.language;
    world.now = in.now;
    world.seed = in.seed;
    world.input = in.input;
    return world;
}

// Faults of the card's own book. Those of other books are reported where they are loaded.
void add_lore_faults(std::vector<base::Text>& remarks, const PromptInputs& in) {
    for (const LoreSource& book : in.books) {
        if (!book.is_of_card) {
            continue;
        }
        for (const LoreFault& fault : lore_faults(*in.lore, book)) {
            remarks.push_back({"lore " + fault.entry + ": " + fault.reason.english,
                               "世界书 " + fault.entry + "：" + fault.reason.chinese});
        }
    }
}

// The history as the card's regex scripts show it to the model. Messages without a rest are left
// out.
std::vector<Message> replaced(std::span<const Message> history,
                              const card::Replacements& replacements) {
    std::vector<Message> made;
    for (std::size_t i = 0; i < history.size(); ++i) {
        const Message& message = history[i];
        made.push_back(message);
        if (message.role != Role::kUser && message.role != Role::kAssistant) {
            continue;
        }
        const auto speaker =
            message.role == Role::kUser ? card::Speaker::kUser : card::Speaker::kCharacter;
        const std::string text = replacements.apply(
            message.content, {card::Side::kPrompt, speaker, history.size() - 1 - i});
        if (text.empty() && !message.content.empty()) {
            made.pop_back();
        } else if (text != message.content.view()) {
            made.back().content = value::Str(text);
            made.back().tokens = 0;
        }
    }
    return made;
}

}  // namespace

std::size_t tokens_of(std::span<const table::ToolSchema> tools, const text::TokenCounter& count) {
    std::size_t tokens = 0;
    for (const table::ToolSchema& tool : tools) {
        tokens += kToolFrameTokens + count(tool.name) + count(tool.description) +
                  count(value::print_json(tool.parameters));
    }
    return tokens;
}

Assembly build_prompt(const PromptInputs& in) {
    std::optional<table::DialogType> chosen;
    const table::DialogType& dialog =
        in.dialog != nullptr ? *in.dialog
                             : chosen.emplace(table::chosen_dialog(
                                   in.document, table::shipped_registries()->dialogs, in.settings));
    std::vector<Why> notices;
    const Context context = context_of(in.settings, notices);
    Plan plan = in.plan != nullptr ? *in.plan : plan_of(dialog);
    plan.language = in.language;
    plan.roots.assign(in.roots.begin(), in.roots.end());
    plan.context_tokens = plan.context_tokens != 0 ? plan.context_tokens : in.context_tokens;
    text::TokenCounter count = in.count;
    count.rates = table::token_rates(in.settings);
    plan.tool_tokens = plan.contains(Kind::kTools) ? tokens_of(in.native_tools, count) : 0;
    std::vector<Block> blocks;
    add_protocols(blocks, in.protocols, in.lessons, in.language);
    add_lessons(blocks, in.lessons);
    if (in.card != nullptr) {
        add_card(blocks, *in.card, in.language);
    }
    add_table(blocks, in, dialog, plan);
    AssemblyInputs inputs{in.document, plan};
    if (in.state != nullptr) {
        const table::SummaryState summary = table::summary_state(*in.state);
        for (Block& block : story_blocks(summary, table::summary_due(*in.state, in.settings), plan,
                                         table::has_memory_lists(in.document))) {
            blocks.push_back(std::move(block));
        }
        inputs.uncovered_turns = static_cast<std::size_t>(summary.uncovered);
    }
    inputs.block_limits = table::object_or_empty(in.settings.find("context.block_limits"));
    inputs.context = context;
    inputs.pieces = std::move(blocks);
    inputs.history = in.history;
    std::vector<Message> history;
    if (in.replacements != nullptr &&
        (in.replacements->has_any(card::Side::kPrompt, card::Speaker::kUser) ||
         in.replacements->has_any(card::Side::kPrompt, card::Speaker::kCharacter))) {
        history = replaced(in.history, *in.replacements);
        inputs.history = history;
    }
    inputs.lore = in.lore;
    inputs.world = world_of(in);
    inputs.count = std::move(count);
    inputs.notices = std::move(notices);
    inputs.cache = in.cache;
    std::vector<base::Text> remarks = in.remarks;
    if (in.lore != nullptr) {
        const LoreSettings settings = lore_settings(in.card, in.plays_mvu);
        in.lore->follow(in.books, settings);
        add_lore_faults(remarks, in);
        Share& share = plan.budgets[static_cast<std::size_t>(Kind::kLore)];
        if (settings.whole_window &&
            share == Plan().budgets[static_cast<std::size_t>(Kind::kLore)]) {
            share = {.percent = 100};
        }
    }
    Assembly assembly = assemble(std::move(inputs));
    assembly.remarks = std::move(remarks);
    return assembly;
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
