#include "campaign/session.h"

#include <algorithm>

#include "campaign/new_turn.h"
#include "prompt/explain.h"
#include "proposal/codec.h"
#include "reader/told.h"
#include "rules/worlds.h"
#include "table/goal.h"
#include "table/layout.h"
#include "text/utf8.h"

namespace arbiter::campaign {

using base::ErrorCode;
using base::Result;
using engine::State;
using value::Object;
using value::Value;

turn::BaseRules base_rules(const config::World& world, const SessionOptions& options) {
    return {world.profile, world.books, world.registries, options.globals};
}

namespace {

// The tools of a campaign stay when it is played on under another profile.
Result<> keep_tools(const config::World& from, config::World& to) {
    std::vector<config::NamedText> tools;
    std::ranges::copy_if(from.sources, std::back_inserter(tools),
                         [](const auto& each) { return each.kind == config::TextKind::kTool; });
    auto added = config::add_tools(to, std::move(tools));
    return added ? Result<>() : std::unexpected(std::move(added.error().errors[0]));
}

}  // namespace

Session::Session(ledger::Campaign campaign, std::shared_ptr<SharedWorld> world,
                 SessionOptions options)
    : campaign_(std::move(campaign)),
      world_(std::move(world)),
      options_(std::move(options)),
      rules_(world_->base(options_.globals), options_.language, world_) {}

Result<std::unique_ptr<Session>> Session::open(ledger::Store& store, std::string_view id,
                                               SessionOptions options) {
    return open(ledger::Campaign::open(store, id), std::move(options));
}

Result<std::unique_ptr<Session>> Session::open_at(ledger::Store& store, std::string_view id,
                                                  const ledger::TurnId& turn,
                                                  SessionOptions options) {
    return open(ledger::Campaign::open_at(store, id, turn), std::move(options));
}

Result<std::unique_ptr<Session>> Session::open(Result<ledger::Campaign> campaign,
                                               SessionOptions options) {
    const auto rules = campaign ? present_rules(*campaign) : std::unexpected(campaign.error());
    auto world = rules ? world_of(*campaign, *rules) : std::unexpected(rules.error());
    if (!world) {
        return std::unexpected(std::move(world).error());
    }
    std::unique_ptr<Session> session(
        new Session(*std::move(campaign), *std::move(world), std::move(options)));
    session->stored_rules_ = *rules;
    if (auto followed =
            session->followed_.follow(session->campaign_, *rules, session->options_.protocols);
        !followed) {
        return std::unexpected(std::move(followed).error());
    }
    return session;
}

Result<std::unique_ptr<Session>> Session::open_to_move(ledger::Store& store, std::string_view id,
                                                       SessionOptions options) {
    auto campaign = ledger::Campaign::open(store, id);
    if (!campaign && campaign.error().code == ErrorCode::kCorrupt) {
        campaign = ledger::Campaign::open_without_state(store, id);
    }
    if (!campaign) {
        return std::unexpected(std::move(campaign).error());
    }
    return std::unique_ptr<Session>(new Session(
        *std::move(campaign), std::make_shared<SharedWorld>(config::World()), std::move(options)));
}

value::Diagnostics Session::add_lore(std::string name, Value book) {
    return inputs_.add_lore(campaign_, std::move(name), std::move(book));
}

Result<> Session::load_prompt_inputs() {
    auto loaded = inputs_.load_card(campaign_);
    return loaded ? inputs_.load_history(campaign_, options_.context_tokens) : loaded;
}

Result<Work> Session::begin_work() {
    auto work = working_.try_take();
    if (!work) {
        return base::fail(ErrorCode::kCampaignBusy, {campaign().row().id});
    }
    // A protocol file may have been edited since the last turn.
    if (options_.protocols.reload()) {
        rules_.clear();
    }
    return *std::move(work);
}

ledger::Campaign Session::campaign() const {
    const std::scoped_lock lock(changing_);
    return campaign_;
}

ledger::TurnId Session::head() const {
    const std::scoped_lock lock(changing_);
    return campaign_.head();
}

std::shared_ptr<const table::Registries> Session::registries() const {
    const std::scoped_lock lock(changing_);
    return world_->world().registries;
}

std::shared_ptr<const SharedWorld> Session::world() const {
    const std::scoped_lock lock(changing_);
    return world_;
}

void Session::play_under(std::shared_ptr<SharedWorld> world) {
    world_ = std::move(world);
    rules_.reset(world_->base(options_.globals), world_);
}

Object Session::settings() const {
    return table::effective_settings(campaign().state(), *registries(), options_.globals);
}

Result<Display> Session::display() const {
    return Display::of(campaign(), options_.globals);
}

table::Redactor Session::redactor(table::Viewer viewer) const {
    return table::Redactor(campaign().state().document, viewer);
}

// ---- turns

turn::Environment Session::environment() {
    turn::Environment environment{rules_, *options_.protocols.library()};
    environment.memories = &memories_;
    environment.language = options_.language;
    environment.context_tokens = options_.context_tokens;
    inputs_.fill(environment, campaign_.state(), *world_->world().registries, options_.globals);
    return environment;
}

turn::TurnStart Session::start() const {
    return {campaign_.state(), campaign_.number() + 1, campaign_.next_batch(), uncommitted_usage_};
}

namespace {

Result<turn::TurnResult> found(Result<std::optional<turn::TurnResult>> stored) {
    return stored ? Result<turn::TurnResult>(**std::move(stored))
                  : std::unexpected(std::move(stored).error());
}

}  // namespace

Result<std::optional<turn::TurnResult>> Session::prepare_turn(const turn::TurnRequest& request,
                                                              const TurnCondition& condition) {
    auto stored = once_.begin(campaign_, condition, request, options_.globals);
    if (!stored || *stored) {
        return stored;
    }
    if (auto checked = followed_.check(campaign_, options_.protocols); !checked) {
        return std::unexpected(std::move(checked).error());
    }
    // A client brings its own history.
    if (auto loaded = request.chat ? inputs_.load_card(campaign_) : load_prompt_inputs(); !loaded) {
        return std::unexpected(std::move(loaded).error());
    }
    return std::nullopt;
}

turn::Machine Session::machine(bool native_tools) {
    turn::Environment environment = this->environment();
    environment.native_tools = native_tools;
    return turn::Machine(std::move(environment), start());
}

Result<turn::TurnResult> Session::turn(const turn::TurnRequest& request, model::Model& model,
                                       const model::TurnCallbacks& callbacks,
                                       const TurnCondition& condition) {
    const auto work = begin_work();
    if (!work) {
        return std::unexpected(work.error());
    }
    auto stored = prepare_turn(request, condition);
    if (!stored || *stored) {
        return found(std::move(stored));
    }
    turn::Machine machine = this->machine(model.takes_tools());
    return once_.resolve(campaign_, run(machine, machine.start(request), &model, callbacks),
                         options_.globals);
}

Result<turn::TurnResult> Session::apply(turn::SuppliedReply reply,
                                        std::optional<config::World> world,
                                        const TurnCondition& condition) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    auto stored = once_.begin(campaign_, condition, reply, options_.globals);
    if (!stored || *stored) {
        return found(std::move(stored));
    }
    if (auto checked = followed_.check(campaign_, options_.protocols); !checked) {
        return std::unexpected(std::move(checked).error());
    }
    // A turn that fails leaves the session under its old rules.
    std::shared_ptr<SharedWorld> before;
    if (world) {
        if (auto kept = keep_tools(world_->world(), *world); !kept) {
            return std::unexpected(std::move(kept).error());
        }
        const std::scoped_lock moment(changing_);
        before = world_;
        play_under(std::make_shared<SharedWorld>(*std::move(world)));
    }
    auto result = run_reply(std::move(reply));
    if (before != nullptr && (!result || result->status != turn::Status::kCommitted)) {
        const std::scoped_lock moment(changing_);
        play_under(std::move(before));
    }
    return once_.resolve(campaign_, std::move(result), options_.globals);
}

Result<turn::TurnResult> Session::run_reply(turn::SuppliedReply reply) {
    if (auto loaded = inputs_.load_card(campaign_); !loaded) {
        return std::unexpected(std::move(loaded).error());
    }
    turn::Machine machine = this->machine(false);
    return run(machine, machine.start(std::move(reply)), nullptr, {});
}

Result<turn::TurnResult> Session::run(turn::Machine& machine, turn::Commands first,
                                      model::Model* model, const model::TurnCallbacks& callbacks) {
    return finished(model::drive(
        machine, std::move(first), model,
        [this](const turn::Commit& pending) { return commit(pending); }, callbacks));
}

Result<turn::TurnResult> Session::finished(turn::TurnResult result) {
    if (result.status != turn::Status::kCommitted) {
        // Nothing was committed, but the calls were paid for.
        uncommitted_usage_ += result.usage;
    }
    if (result.error) {
        return std::unexpected(*std::move(result.error));
    }
    return result;
}

Result<Session::PendingCommit> Session::prepare(const turn::Commit& commit) {
    const turn::Begun& begun = *commit.begun;
    const Value* allowed = table::find_in_campaign(begun.state.document, {"tools", "allow"});
    const Value tools = allowed != nullptr ? *allowed : Value();
    if (committed_->rules != begun.rules || committed_->allowed != tools) {
        committed_.change() = {begun.rules, tools,
                               texts_of(world_->world(), begun.rules->protocols, options_.protocols,
                                        begun.state.document)};
    }
    const RuleTexts& texts = committed_->texts;
    ledger::NewTurn turn = new_turn(commit);
    turn.rules = texts.digests;
    if (Value(stored_rules_) != Value(turn.rules)) {
        turn.texts = texts.blobs(stored_rules_);
    }
    turn.globals = options_.globals;
    turn.key = once_.key();
    auto prepared = campaign_.prepare(turn);
    if (!prepared) {
        return std::unexpected(std::move(prepared).error());
    }
    return PendingCommit{
        *std::move(prepared), turn.rules, begun.context.actor, turn.said,
        reader::remembered(turn.told, turn.shown, turn.proposals.subspan(turn.player_proposals))};
}

std::string Session::accept(PendingCommit pending) {
    std::string id = pending.prepared.id.hex();
    const std::scoped_lock lock(changing_);
    campaign_.accept(std::move(pending.prepared));
    uncommitted_usage_ = {};
    stored_rules_ = std::move(pending.rules);
    if (inputs_.has_history()) {
        inputs_.append_turn(pending.actor, pending.said, pending.remembered);
    }
    return id;
}

Result<std::string> Session::commit(const turn::Commit& commit) {
    auto pending = prepare(commit);
    if (!pending) {
        return std::unexpected(std::move(pending).error());
    }
    if (auto stored = campaign_.store().commit(pending->prepared.commit); !stored) {
        return std::unexpected(commit_error(std::move(stored).error(), options_.language));
    }
    return accept(*std::move(pending));
}

Result<prompt::Assembly> Session::prompt(std::string_view said, engine::Instant now,
                                         const PromptOptions& options) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    const auto known = table::settings_of(campaign_.state().document, *world_->world().registries);
    if (auto valid = known.patch({}, options.settings, options_.globals); !valid) {
        return std::unexpected(std::move(valid).error());
    }
    if (auto checked = followed_.check(campaign_, options_.protocols); !checked) {
        return std::unexpected(std::move(checked).error());
    }
    if (auto loaded = load_prompt_inputs(); !loaded) {
        return std::unexpected(std::move(loaded).error());
    }
    const turn::TurnStart from = start();
    const auto begun = turn::begin(
        {from.state, text::repair(said), from.number, {now, engine::Actor::kModel, from.batch_id}},
        rules_, *options_.protocols.library());
    if (!begun) {
        return std::unexpected(begun.error());
    }
    turn::Environment environment = this->environment();
    environment.more_settings = options.settings;
    environment.native_tools = options.native_tools;
    if (!options.chat) {
        return turn::build_prompt(*begun, said, environment).assembly;
    }
    prompt::Assembly made = turn::build_prompt(*begun, said, environment, *options.chat).assembly;
    prompt::list_client_messages(made, {table::token_rates(begun->settings), {}});
    return made;
}

// ---- changes of a player beside speaking

Result<> Session::edit(const Change& change, engine::Instant now, std::string reason) {
    const auto lock = begin_work();
    return lock ? commit_edit(change, now, std::move(reason)) : std::unexpected(lock.error());
}

Result<> Session::commit_edit(const Change& change, engine::Instant now, std::string reason) {
    State after = campaign_.state();
    auto step = change(after);
    if (!step) {
        return std::unexpected(std::move(step).error());
    }
    after.document = std::move(step->document);
    if (step->meta) {
        after.meta = *std::move(step->meta);
    }
    const std::scoped_lock moment(changing_);
    const auto kept = campaign_.edit(after, now, std::move(reason), std::move(step->action));
    return kept ? Result<>() : std::unexpected(kept.error());
}

Result<> Session::patch_settings(const Object& patch, engine::Instant now) {
    return edit(
        [&](const State& state) {
            return table::patch_settings(state, patch, *world_->world().registries,
                                         options_.globals, now);
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
            auto document = table::set_goal(state.document, text::repair(text), is_hidden);
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
    const std::string asked = table::goal_request(campaign().state().document, options_.language);
    request.messages.push_back({prompt::Role::kUser, value::Str(asked)});
    const auto reply = model.answer(request);
    if (!reply) {
        return std::unexpected(reply.error());
    }
    auto set = set_goal(reply->text, is_hidden, now);
    return set ? Result<std::string>(reply->text) : std::unexpected(std::move(set).error());
}

Result<> Session::restore_world(std::string_view world, engine::Instant now) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    const auto restored = rules::restore_world(campaign_.state(), world);
    if (!restored) {
        return std::unexpected(restored.error());
    }
    const std::scoped_lock moment(changing_);
    const auto kept = campaign_.edit(*restored, now, "restore world " + std::string(world));
    return kept ? Result<>() : std::unexpected(kept.error());
}

// ---- moves of the head

Result<> Session::move(const Move& move) {
    const auto lock = begin_work();
    return lock ? move_head(move) : std::unexpected(lock.error());
}

Result<> Session::move_head(const Move& move) {
    const std::scoped_lock moment(changing_);
    if (auto moved = move(campaign_); !moved) {
        return moved;
    }
    inputs_.forget_history();
    memories_.clear();
    // The other branch may be played under other rules.
    const auto rules = present_rules(campaign_);
    auto world = rules ? world_of(campaign_, *rules) : std::unexpected(rules.error());
    if (!world) {
        return std::unexpected(std::move(world).error());
    }
    if (*world != world_) {
        play_under(*std::move(world));
    }
    stored_rules_ = *rules;
    const auto library = options_.protocols.library();
    auto followed = followed_.follow(campaign_, *rules, options_.protocols);
    if (options_.protocols.library() != library) {
        rules_.clear();
    }
    return followed;
}

Result<bool> Session::refresh() {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    ledger::Store& store = campaign_.store();
    const std::string& id = campaign_.row().id;
    if (const auto known = store.known(id); known && campaign_.is_current(known->row)) {
        return false;
    }
    const auto present = store.campaign(id);
    if (!present) {
        return std::unexpected(present.error());
    }
    if (campaign_.is_current(*present)) {
        return false;
    }
    auto moved = move_head([](ledger::Campaign& campaign) { return campaign.refresh(); });
    return moved ? Result<bool>(true) : std::unexpected(std::move(moved).error());
}

Result<turn::TurnResult> Session::begin_again(const ledger::TurnId& root, State state,
                                              turn::SuppliedReply first, std::string reason) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    once_ = {};  // a greeting has no key
    const engine::Instant now = first.now;
    auto moved = move_head([&](ledger::Campaign& campaign) -> Result<> {
        if (auto gone = campaign.go_to(root); !gone) {
            return gone;
        }
        auto kept = campaign.edit(state, now, std::move(reason),
                                  {{"kind", "player"}, {"what", kNewBeginning}});
        return kept ? Result<>() : std::unexpected(std::move(kept).error());
    });
    if (!moved) {
        return std::unexpected(std::move(moved).error());
    }
    if (auto checked = followed_.check(campaign_, options_.protocols); !checked) {
        return std::unexpected(std::move(checked).error());
    }
    return first.text.empty() ? turn::TurnResult() : run_reply(std::move(first));
}

Result<> Session::checkpoint(std::string label, engine::Instant now, std::size_t most) {
    const auto allowed = rollback_limit();
    if (!allowed) {
        return std::unexpected(allowed.error());
    }
    most = most == 0 ? *allowed : std::min(most, *allowed);
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    const std::scoped_lock moment(changing_);
    return campaign_.checkpoint(std::move(label), now, most);
}

Result<std::size_t> Session::rollback_limit() const {
    const auto allowed = table::number_in(settings(), "rollback.max_checkpoints");
    if (allowed == 0) {
        return base::fail(ErrorCode::kRollbackOff, {"rollback.max_checkpoints"});
    }
    return static_cast<std::size_t>(allowed);
}

Result<> Session::rollback(const ledger::TurnId& to) {
    if (const auto allowed = rollback_limit(); !allowed) {
        return std::unexpected(allowed.error());
    }
    // The end of a campaign has the number of the turn before it: going back to that number means
    // the turn.
    ledger::TurnId turn = to;
    const auto record = campaign().record(to);
    if (record && record->edit && record->edit->reason == "end" && record->parent) {
        turn = *record->parent;
    }
    return move([&](ledger::Campaign& campaign) { return campaign.rollback(turn); });
}

Result<> Session::undo() {
    return move([](ledger::Campaign& campaign) { return campaign.undo(); });
}

Result<> Session::go_to(const ledger::TurnId& to) {
    return move([&](ledger::Campaign& campaign) { return campaign.go_to(to); });
}

Result<> Session::follow_chat(const ledger::TurnId& to, engine::Instant now) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    const State before = campaign_.state();
    auto moved = move_head([&](ledger::Campaign& campaign) { return campaign.stand_at(to); });
    if (!moved ||
        Value(table::own_settings(before)) == Value(table::own_settings(campaign_.state()))) {
        return moved;
    }
    return commit_edit(
        [&](const State& state) {
            return table::take_settings(state, before, *world_->world().registries,
                                        options_.globals, now);
        },
        now, "settings");
}

bool Session::follows_at_once(const ledger::TurnId& to) const {
    const std::scoped_lock lock(changing_);
    const ledger::LoadedState* known = campaign_.known_state(to);
    return known != nullptr && Value(known->rules) == Value(campaign_.rules()) &&
           Value(table::own_settings(known->state)) ==
               Value(table::own_settings(campaign_.state()));
}

Result<> Session::settle() {
    {
        const std::scoped_lock lock(changing_);
        if (campaign_.head() == campaign_.stored_head()) {
            return {};
        }
    }
    const auto work = begin_work();
    if (!work) {
        return std::unexpected(work.error());
    }
    std::unique_lock moment(changing_);
    const auto settled = campaign_.settle();
    moment.unlock();
    if (!settled) {
        // Nothing holds on to a place that only this object knows.
        (void)move_head([](ledger::Campaign& campaign) {
            return campaign.stand_at(ledger::TurnId(campaign.stored_head()));
        });
    }
    return settled;
}

}  // namespace arbiter::campaign
