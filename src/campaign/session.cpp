#include "campaign/session.h"

#include "campaign/replay.h"
#include "prompt/sources.h"
#include "protocol/activation.h"
#include "table/goal.h"
#include "table/layout.h"

namespace arbiter::campaign {

using base::ErrorCode;
using base::Result;
using engine::State;
using value::Object;
using value::Value;

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

prompt::Assembly Session::tell(const State& state, const Stage& stage, std::string_view said,
                               const Object& settings, engine::Instant now) {
    // The words stand with the others as long as it takes to tell them.
    const std::size_t known = history_.size();
    if (!said.empty()) {
        history_.push_back({prompt::Role::kUser, value::Str(said)});
    }
    const auto tools = table::advertised(gear_.kit->tools, state.document);
    const std::string tools_text =
        tools.empty() ? std::string() : table::agent_document(tools, gear_.language);
    prompt::PromptInputs inputs{state.document, settings, stage.protocols};
    inputs.tools = tools_text;
    inputs.card = card_ ? &*card_ : nullptr;
    inputs.history = history_;
    inputs.lore = &lore_;
    inputs.cache = &prompt_cache_;
    inputs.world.now = now;
    inputs.world.input = said;
    inputs.world.seed = static_cast<std::uint64_t>(campaign_.number()) + 1;
    inputs.language = gear_.language;
    inputs.context_tokens = gear_.context_tokens;
    prompt::Assembly assembly = prompt::build_prompt(inputs);
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
        {prompt::Role::kUser,
         value::Str(table::goal_request(campaign().state().document, gear_.language))});
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
