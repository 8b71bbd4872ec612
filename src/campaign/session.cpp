#include "campaign/session.h"

#include <algorithm>

#include "campaign/replay.h"
#include "prompt/share.h"
#include "protocol/activation.h"
#include "table/goal.h"
#include "table/layout.h"
#include "table/milestone.h"

namespace arbiter::campaign {

using base::ErrorCode;
using base::Result;
using engine::State;
using prompt::Block;
using value::Object;
using value::Value;

namespace {

Block given(std::string id, prompt::Kind kind, prompt::Target target, std::string text,
            std::string_view source, std::string_view why) {
    Block block;
    block.id = std::move(id);
    block.kind = kind;
    block.target = target;
    block.source = source;
    block.why = {prompt::Reason::kGiven, {std::string(why)}};
    block.text = std::move(text);
    return block;
}

// The texts of a card where they belong.
std::vector<Block> blocks_of(const config::Card& card) {
    std::vector<Block> blocks;
    const auto add = [&](std::string_view field, prompt::Target target, const std::string& text) {
        if (!text.empty()) {
            Block block = given("card." + std::string(field), prompt::Kind::kCharacter, target,
                                text, "card", field);
            block.macros = true;
            blocks.push_back(std::move(block));
        }
    };
    add("system_prompt", prompt::Target::kSystemStart, card.system_prompt);
    add("description", prompt::Target::kCharacter, card.description);
    add("personality", prompt::Target::kCharacter, card.personality);
    add("scenario", prompt::Target::kCharacter, card.scenario);
    add("example_messages", prompt::Target::kExamples, card.example_messages);
    add("post_history_instructions", prompt::Target::kAfterHistory, card.post_history_instructions);
    return blocks;
}

}  // namespace

std::string_view name(Turned::Status status) noexcept {
    switch (status) {
        case Turned::Status::kCommitted:
            return "committed";
        case Turned::Status::kReported:
            return "reported";
        case Turned::Status::kCancelled:
            return "cancelled";
        case Turned::Status::kBlocked:
            return "blocked";
        case Turned::Status::kOverSpent:
            return "over_spent";
    }
    return "";
}

Result<std::unique_ptr<Session>> Session::open(ledger::Store& store, std::string_view id,
                                               Gear gear) {
    auto campaign = ledger::Campaign::open(store, id);
    auto world = campaign ? present_world(*campaign) : std::unexpected(campaign.error());
    if (!world) {
        return std::unexpected(std::move(world).error());
    }
    auto card = card_of(*campaign);
    if (!card) {
        return std::unexpected(std::move(card).error());
    }
    std::unique_ptr<Session> session(
        new Session(*std::move(campaign), *std::move(world), std::move(gear)));
    session->card_ = *std::move(card);
    if (session->card_ && !session->card_->character_book.is_null()) {
        session->books_.emplace_back("card", session->card_->character_book);
    }
    session->follow_books();
    if (auto loaded = session->load_history(); !loaded) {
        return std::unexpected(std::move(loaded).error());
    }
    return session;
}

void Session::follow_books() {
    std::vector<prompt::LoreSource> sources;
    for (const auto& [name, book] : books_) {
        sources.push_back({name, book});
    }
    lore_.follow(sources, {.character = card_ ? card_->name : ""});
}

value::Diagnostics Session::add_lore(std::string name, Value book) {
    books_.emplace_back(std::move(name), std::move(book));
    follow_books();
    return lore_.diagnostics(books_.back().first);
}

Result<> Session::load_history() {
    auto messages = messages_of(campaign_);
    if (!messages) {
        return std::unexpected(std::move(messages).error());
    }
    history_ = *std::move(messages);
    memories_.clear();
    return {};
}

Result<std::unique_lock<std::mutex>> Session::begin_work() {
    std::unique_lock lock(working_, std::try_to_lock);
    if (!lock.owns_lock()) {
        return base::fail(ErrorCode::kCampaignBusy, {campaign_.row().id});
    }
    return lock;
}

ledger::Campaign Session::campaign() const {
    const std::scoped_lock lock(looking_);
    return campaign_;
}

Result<std::shared_ptr<const Stage>> Session::stage_for(const State& state) {
    const Value* switched = state.meta.find(protocol::kProtocolsKey);
    const Value protocols = switched != nullptr ? *switched : Value();
    const Value* rows = table::find_in_campaign(state.document, {"authority"});
    const Value authority = rows != nullptr ? *rows : Value();
    if (stage_ && protocols == staged_protocols_ && authority == staged_authority_) {
        return stage_;
    }
    auto made = make_stage(world_, state, gear_);
    if (!made) {
        return std::unexpected(std::move(made).error());
    }
    stage_ = std::make_shared<const Stage>(*std::move(made));
    staged_protocols_ = protocols;
    staged_authority_ = authority;
    return stage_;
}

Object Session::settings() const {
    const ledger::Campaign now = campaign();
    table::TableSetting setting;
    setting.kit = gear_.kit;
    setting.globals = gear_.globals;
    return table::effective_settings(now.state().document, setting);
}

Value Session::view() const {
    const ledger::Campaign now = campaign();
    Value document = now.state().document;
    if (now.row().undo) {
        document = table::with_rollback(document, now.row().undo->brief(), now.head().brief());
    }
    return table::campaign_view(document);
}

// ---- what the model is told

namespace {

// Parts of the campaign itself, within a room of their own.
void add_parts(std::vector<Block>& blocks, const Value& document,
               std::initializer_list<std::string_view> names, std::size_t room) {
    std::vector<std::pair<std::string_view, const Value*>> parts;
    std::vector<std::size_t> sizes;
    for (const std::string_view part : names) {
        const Value* found = table::find_in_campaign(document, {part});
        if (found != nullptr && !(found->is_object() && found->as_object().empty())) {
            parts.emplace_back(part, found);
            sizes.push_back(prompt::size_of(*found));
        }
    }
    std::vector<std::string> texts(parts.size());
    prompt::share_out(sizes, room, [&](std::size_t i, std::size_t share) {
        prompt::StateView view;
        view.bytes = share == prompt::kAll ? 0 : std::max<std::size_t>(1, share);
        texts[i] = prompt::render_value(*parts[i].second, view);
        return texts[i].size();
    });
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string part(parts[i].first);
        const bool changes = part == "characters";
        Block block = given("table." + part, prompt::Kind::kState,
                            changes ? prompt::Target::kDepth : prompt::Target::kBeforeHistory,
                            part + ":\n" + texts[i], "table", part);
        block.depth = changes ? 1 : 0;
        block.cacheable = !changes;
        blocks.push_back(std::move(block));
    }
}

}  // namespace

std::vector<Block> Session::own_blocks(const Value& document) const {
    std::vector<Block> blocks;
    if (card_) {
        blocks = blocks_of(*card_);
    }
    if (!table::has_campaign(document)) {
        return blocks;
    }
    const base::Language language = gear_.language;
    const auto tools = table::advertised(gear_.kit->tools, document);
    if (!tools.empty()) {
        blocks.push_back(given("table.tools", prompt::Kind::kProtocol, prompt::Target::kSystemEnd,
                               table::agent_document(tools, language), "table", "tools"));
    }
    // The game master knows the goal, hidden or not.
    const Value* goal = table::find_in_campaign(document, {"goal"});
    if (const std::string_view text = table::text_in(goal, "ultimate_goal_text"); !text.empty()) {
        blocks.push_back(given("table.goal", prompt::Kind::kRules, prompt::Target::kSystemEnd,
                               std::string(text), "table", "goal"));
    }
    // An eighth of the window for what stays the same, and one for what does not: how long the one
    // is must not change the other, or a prompt could not be kept from turn to turn.
    const std::size_t room = gear_.context_tokens == 0
                                 ? prompt::kAll
                                 : gear_.context_tokens / 8 * prompt::kBytesPerToken;
    add_parts(blocks, document, {"world", "rules", "areas", "paths"}, room);
    add_parts(blocks, document, {"characters"}, room);
    const std::string pace = table::acceleration(document, language);
    if (!pace.empty()) {
        blocks.push_back(given("table.milestone", prompt::Kind::kAccelerate,
                               prompt::Target::kAfterHistory, pace, "table", "milestone"));
    }
    return blocks;
}

prompt::Assembly Session::tell(const State& state, const Stage& stage, std::string_view said,
                               const Object& settings, engine::Instant now) {
    // The words stand with the others as long as it takes to tell them.
    const std::size_t known = history_.size();
    if (!said.empty()) {
        history_.push_back({prompt::Role::kUser, value::Str(said)});
    }
    const std::vector<Block> more = own_blocks(state.document);
    const Value chosen = settings;
    Telling telling{state, stage, chosen};
    telling.history = history_;
    telling.more = more;
    telling.lore = &lore_;
    telling.world.now = now;
    telling.world.language = gear_.language;
    telling.world.input = said;
    telling.world.seed = static_cast<std::uint64_t>(campaign_.number()) + 1;
    if (card_) {
        telling.world.character = card_->nickname.empty() ? card_->name : card_->nickname;
    }
    const std::string_view actor = table::active_actor(state.document);
    const Value* player = table::find_character(state.document, actor);
    telling.world.user = player != nullptr ? std::string(table::text_in(player, "name")) : "User";
    telling.language = gear_.language;
    telling.context_tokens = gear_.context_tokens;
    prompt::Assembly assembly = campaign::tell(telling);
    history_.resize(known);
    return assembly;
}

Result<prompt::Assembly> Session::prompt(std::string_view said, engine::Instant now,
                                         const PromptOptions& options) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    const State begun =
        begin_turn(campaign_.state(), said, campaign_.number() + 1, *gear_.protocols.library());
    const auto stage = stage_for(begun);
    if (!stage) {
        return std::unexpected(stage.error());
    }
    const Object settings =
        set_meta(table::effective_settings(begun.document, (*stage)->table), options.settings);
    return tell(begun, **stage, said, settings, now);
}

// ---- what a player does beside speaking

Result<> Session::edit(const Change& change, engine::Instant now, std::string why) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    State after = campaign_.state();
    auto step = change(after);
    if (!step) {
        return std::unexpected(std::move(step).error());
    }
    after.document = std::move(step->document);
    const std::scoped_lock moment(looking_);
    const auto kept = campaign_.edit(after, now, std::move(why), std::move(step->action));
    return kept ? Result<>() : std::unexpected(kept.error());
}

Result<> Session::patch_settings(const Object& patch, engine::Instant now) {
    return edit(
        [&](const State& state) -> Result<table::Step> {
            const auto stage = stage_for(state);
            if (!stage) {
                return std::unexpected(stage.error());
            }
            return table::patch_settings(state.document, patch, (*stage)->table, now);
        },
        now, "settings");
}

Result<> Session::select_actor(std::string_view character, engine::Instant now) {
    return edit(
        [&](const State& state) { return table::select_actor(state.document, character, now); },
        now, "actor");
}

Result<> Session::set_goal(std::string_view text, bool is_hidden, engine::Instant now) {
    return edit(
        [&](const State& state) -> Result<table::Step> {
            auto document = table::set_goal(state.document, text, is_hidden);
            if (!document) {
                return std::unexpected(std::move(document).error());
            }
            return table::Step{*std::move(document), {}};
        },
        now, "goal");
}

Result<std::string> Session::generate_goal(model::Model& model, bool is_hidden,
                                           engine::Instant now) {
    model::Request request;
    request.messages.push_back(
        {model::Role::kUser, table::goal_request(campaign().state().document, gear_.language)});
    const auto reply = model.answer(request);
    if (!reply) {
        return std::unexpected(reply.error());
    }
    auto set = set_goal(reply->text, is_hidden, now);
    return set ? Result<std::string>(reply->text) : std::unexpected(std::move(set).error());
}

Result<> Session::checkpoint(std::string label, engine::Instant now) {
    const auto most = table::number_in(settings(), "rollback.max_checkpoints");
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    if (table::has_campaign(campaign_.state().document) && most == 0) {
        return base::fail(ErrorCode::kRollbackOff, {"rollback.max_checkpoints"});
    }
    const std::scoped_lock change(looking_);
    return campaign_.checkpoint(std::move(label), now, static_cast<std::size_t>(most));
}

Result<> Session::rollback(const ledger::TurnId& to) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    const std::scoped_lock change(looking_);
    auto moved = campaign_.rollback(to);
    return moved ? load_history() : moved;
}

Result<> Session::undo() {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    const std::scoped_lock change(looking_);
    auto moved = campaign_.undo();
    return moved ? load_history() : moved;
}

Result<> Session::go_to(const ledger::TurnId& to) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    const std::scoped_lock change(looking_);
    auto moved = campaign_.go_to(to);
    return moved ? load_history() : moved;
}

}  // namespace arbiter::campaign
