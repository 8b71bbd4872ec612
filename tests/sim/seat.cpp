#include "tests/sim/seat.h"

#include <set>

#include "base/explain.h"
#include "campaign/create.h"
#include "campaign/greeting.h"
#include "campaign/replay.h"
#include "ledger/archive.h"
#include "ledger/rebuild.h"
#include "ledger/store/memory.h"
#include "tests/support/archive_lines.h"
#include "value/hash.h"

namespace arbiter::sim {

using base::ErrorCode;
using Check = std::optional<Failure>;

namespace {

std::string words(const base::Error& error) {
    return base::explain(error, base::Language::kEnglish);
}

}  // namespace

Failure Seat::failure(std::string oracle, std::string detail) const {
    return {std::move(oracle), made_.setup.id + ": " + detail};
}

Seat::Player& Seat::other(const Player& player) {
    return &player == players_.data() ? players_[1] : players_[0];
}

Check Seat::begin(tests::Random& random) {
    std::vector<base::Error> warnings;
    const auto created = campaign::create_campaign(around_.storage.store(), made_.setup,
                                                   session_options(made_, random), warnings);
    if (!created) {
        return failure("a campaign can be created", words(created.error()));
    }
    reference_.begin(created->head(), created->state(), made_.secrets.hidden);
    if (auto wrong = reopen(random)) {
        return wrong;
    }
    if (!made_.setup.card) {
        return std::nullopt;
    }
    auto wrong = open(players_[0], random);
    wrong = wrong ? wrong : play_greeting(players_[0], made_.start);
    // Later it is mostly too late for another greeting.
    return wrong || random.chance(75) ? wrong : switch_greeting(players_[0], random);
}

Check Seat::play_greeting(Player& player, const config::Start& start) {
    tests::Random none(1);
    const Before before = begin_step(player, none, false);
    Played played{"", start.greeting, engine::Actor::kSystem};
    around_.note("greeting");
    return after_turn(player, before,
                      player.session->apply(campaign::greeting_turn(start, around_.now)), played);
}

std::string Seat::fingerprint() const {
    std::string all;
    for (const ledger::TurnId& each : reference_.order()) {
        all += each.hex();
    }
    return all;
}

void Seat::close() {
    players_.clear();
    gateway_.reset();
    withheld_.reset();
}

Check Seat::reopen(tests::Random& random) {
    close();
    gateway_.emplace(around_.storage.store(), made_.globals);
    if (uncertain_) {
        if (auto wrong = resolve(*std::exchange(uncertain_, std::nullopt))) {
            return wrong;
        }
    }
    // A session is opened when it is used.
    players_.resize(2);
    if (random.chance(85)) {
        return std::nullopt;
    }
    auto wrong = open(players_[0], random);
    return wrong ? wrong : same_as_reference(players_[0]);
}

Check Seat::open(Player& player, tests::Random& random) {
    if (player.session != nullptr) {
        return std::nullopt;
    }
    auto opened = campaign::Session::open(around_.storage.store(), made_.setup.id,
                                          session_options(made_, random));
    if (!opened) {
        return failure("a stored campaign can be opened", words(opened.error()));
    }
    player.session = *std::move(opened);
    // Sessions share compiled worlds while one of them is open. Here a world outlives its sessions:
    // compiling takes as long as tens of turns.
    static std::set<std::shared_ptr<const campaign::SharedWorld>> kept;
    constexpr std::size_t kKeptMax = 300;
    if (kept.size() < kKeptMax) {
        kept.insert(player.session->world());
    }
    return std::nullopt;
}

Check Seat::same_as_reference(Player& player) {
    const auto row = around_.storage.store().campaign(made_.setup.id);
    if (!row) {
        return failure("a stored campaign can be read", words(row.error()));
    }
    if (row->head != reference_.at().head || row->undo != reference_.at().undo) {
        return failure("the stored head is the acknowledged one",
                       "head " + (row->head ? row->head->hex().substr(0, 10) : "-") +
                           ", expected " + reference_.head().hex().substr(0, 10));
    }
    // Printing a state takes a tenth of a turn.
    constexpr std::size_t kPrintedEvery = 4;
    const ledger::Campaign campaign = player.session->campaign();
    if (campaign.head() == reference_.head() && ++comparisons_ % kPrintedEvery == 0 &&
        ledger::print_state(campaign.state()) != reference_.state()) {
        return failure("the state of a session is the stored one", campaign.head().hex());
    }
    return std::nullopt;
}

std::string Seat::hidden_in(const value::Value& document) const {
    return is_node_hidden(document) && !reference_.turns().at(reference_.head()).is_revealed
               ? made_.secrets.hidden
               : std::string();
}

Check Seat::secret_in(std::string_view text, std::string_view where, const engine::State& state) {
    if (!made_.secrets.goal.empty() && quotes(text, made_.secrets.goal)) {
        return failure("no hidden goal reaches a player",
                       std::string(where) + ": " + std::string(text));
    }
    const std::string hidden = hidden_in(state.document);
    if (!hidden.empty() && text.contains(hidden)) {
        return failure("no hidden node reaches a player",
                       std::string(where) + ": " + std::string(text));
    }
    return std::nullopt;
}

Seat::Before Seat::begin_step(Player& player, tests::Random& random, bool may_fault) {
    Before before;
    const ledger::Campaign campaign = player.session->campaign();
    before.position = reference_.at();
    before.parent = campaign.head();
    before.state = campaign.state();
    before.is_stale = campaign.row().head != reference_.at().head;
    // After a fault of a disk everything is opened again, which takes as long as many turns.
    if (may_fault && random.below(1000) < (around_.storage.is_sqlite() ? 5U : 40U)) {
        before.has_fault = true;
        around_.storage.arm(random);
    }
    return before;
}

Check Seat::resolve(const Before& before) {
    const auto row = around_.storage.store().campaign(made_.setup.id);
    if (!row) {
        return failure("a stored campaign can be read", words(row.error()));
    }
    const Reference::Position found{row->head, row->undo};
    if (found == before.position) {
        around_.coverage.count("resolved", "not stored");
        return std::nullopt;
    }
    around_.coverage.count("resolved", "stored");
    if (before.move) {
        if (found != *before.move) {
            return failure("a move happens or does not", row->head->hex());
        }
        reference_.move(found);
        return std::nullopt;
    }
    const auto stored = ledger::Campaign::open(around_.storage.store(), made_.setup.id);
    const auto record = stored ? stored->record(*row->head) : std::unexpected(stored.error());
    if (!record) {
        return failure("a turn that was stored can be read", words(record.error()));
    }
    if (reference_.has(*row->head) || record->parent != before.parent) {
        return failure("a turn follows the head", row->head->hex());
    }
    reference_.add(*row->head, before.parent, stored->state(), Reference::kind_of(*record));
    return std::nullopt;
}

Check Seat::after_error(Player& player, const Before& before, const base::Error& error) {
    around_.coverage.count("error", base::name(error.code));
    around_.note("error " + std::string(base::name(error.code)));
    if (around_.wants_opening) {
        uncertain_ = before;  // looked at when the store is opened again
        return std::nullopt;
    }
    const bool is_unsure = before.has_fault && (error.code == ErrorCode::kTurnUncertain ||
                                                error.code == ErrorCode::kStoreFailed);
    if (is_unsure) {
        return resolve(before);
    }
    if (auto wrong = same_as_reference(player)) {
        return failure("a failure changes nothing", words(error) + ": " + wrong->detail);
    }
    if (!value::same_bytes(player.session->campaign().state().document, before.state.document)) {
        return failure("a failure changes nothing", "the session has another state");
    }
    return std::nullopt;
}

Check Seat::after_edit(Player& player, const Before& before, const base::Result<>& result,
                       Reference::Kind kind) {
    around_.wants_opening = around_.storage.disarm();
    if (!result) {
        return after_error(player, before, result.error());
    }
    if (before.is_stale) {
        return failure("of two writers one is refused", "an edit from a stale session was stored");
    }
    const ledger::Campaign campaign = player.session->campaign();
    if (campaign.head() == before.parent) {
        return failure("an edit is stored", "the head has not moved");
    }
    reference_.add(campaign.head(), before.parent, campaign.state(), kind);
    return around_.wants_opening ? std::nullopt : same_as_reference(player);
}

Check Seat::after_move(Player& player, const Before& before, const base::Result<>& result) {
    around_.wants_opening = around_.storage.disarm();
    if (!result) {
        return after_error(player, before, result.error());
    }
    if (before.is_stale && *before.move != before.position) {
        return failure("of two writers one is refused", "a stale session moved the head");
    }
    reference_.move(*before.move);
    return around_.wants_opening ? std::nullopt : same_as_reference(player);
}

Check Seat::check_closed() {
    if (!around_.storage.is_closed()) {
        return std::nullopt;
    }
    ledger::Commit commit;
    commit.campaign = made_.setup.id;
    commit.checkpoints.push_back({reference_.order().front(), "x", around_.now});
    const auto written = around_.storage.store().commit(commit);
    if (written) {
        return failure("a store that failed takes nothing", "it took a checkpoint");
    }
    around_.coverage.count("error", base::name(written.error().code));
    return std::nullopt;
}

Check Seat::check_flipped(ledger::Store& store) {
    const auto opened = ledger::Campaign::open(store, made_.setup.id);
    if (!opened) {
        around_.coverage.count("error", base::name(opened.error().code));
        around_.coverage.count("flip", "refused");
        return std::nullopt;
    }
    const auto report = ledger::verify(*opened);
    const auto file = store.check();
    const bool is_named = !report || !report->defects.empty() || !file || !file->empty();
    if (!reference_.has(opened->head())) {
        return is_named ? std::nullopt : Check(failure("damage is named", "an unknown head"));
    }
    // Whatever else is damaged: a state that is given out is the one of its turn.
    if (ledger::print_state(opened->state()) != reference_.turns().at(opened->head()).state) {
        return failure("damage is detected before use", opened->head().hex());
    }
    around_.coverage.count("flip", is_named ? "named" : "without effect");
    return std::nullopt;
}

Check Seat::check_all(tests::Random& random) {
    // Where it stands, or the end of some branch.
    std::vector<ledger::TurnId> ends;
    if (random.chance(8)) {
        ends.push_back(random.chance(30) ? random.pick(reference_.order()) : reference_.head());
    }
    for (const ledger::TurnId& end : ends) {
        const auto campaign =
            ledger::Campaign::open_at(around_.storage.store(), made_.setup.id, end);
        if (!campaign) {
            return failure("every turn can be opened", words(campaign.error()));
        }
        if (ledger::print_state(campaign->state()) != reference_.turns().at(end).state) {
            return failure("a turn that is opened has its state", end.hex());
        }
        const auto report = ledger::rebuild(*campaign, campaign::replay_step(*campaign), {},
                                            campaign::reread_step(*campaign));
        if (!report) {
            return failure("a campaign can be replayed", words(report.error()));
        }
        if (!report->defects.empty()) {
            const ledger::TurnDefect& first = report->defects.front();
            return failure("replay equals live", "turn " + std::to_string(first.number) + ": " +
                                                     first.message + " " + first.about);
        }
        around_.coverage.count("checked", "turns replayed", report->turns);
    }
    if (random.chance(92)) {
        return std::nullopt;
    }
    const auto campaign = ledger::Campaign::open(around_.storage.store(), made_.setup.id);
    const auto verified = campaign ? ledger::verify(*campaign) : std::unexpected(campaign.error());
    if (!verified) {
        return failure("a campaign can be verified", words(verified.error()));
    }
    if (!verified->defects.empty()) {
        return failure("history is intact", verified->defects.front().message);
    }
    if (verified->turns != reference_.turns().size()) {
        return failure("every turn is kept", std::to_string(verified->turns) + " of " +
                                                 std::to_string(reference_.turns().size()));
    }
    if (random.chance(10)) {
        const auto written = ledger::export_campaign(*campaign);
        const auto elsewhere = ledger::make_memory_store();
        const auto read = written ? ledger::import_campaign(*elsewhere, tests::lines_of(*written))
                                  : std::unexpected(written.error());
        if (!read) {
            return failure("an archive can be imported", words(read.error()));
        }
        const auto copy = ledger::Campaign::open(*elsewhere, made_.setup.id);
        if (!copy || ledger::print_state(copy->state()) != reference_.state()) {
            return failure("an archive holds the same state", made_.setup.id);
        }
        around_.coverage.count("checked", "archives");
    }
    return std::nullopt;
}

Check Seat::step(tests::Random& random) {
    // Seldom the second one: afterwards both have to read what they missed.
    Player& player = players_[random.chance(1) ? 1 : 0];
    if (auto wrong = open(player, random)) {
        return wrong;
    }
    const ledger::Campaign campaign = player.session->campaign();
    const bool is_stale =
        campaign.row().head != reference_.at().head || campaign.row().undo != reference_.at().undo;
    // A session that missed a rollback and the way back would write its own idea of what can be
    // undone: heads are compared and swapped, undo targets are not.
    const bool is_moved_back = is_stale && campaign.row().head == reference_.at().head;
    if (is_moved_back || (is_stale && random.chance(85))) {
        if (const auto refreshed = player.session->refresh(); !refreshed) {
            return failure("a session can follow the head", words(refreshed.error()));
        }
        if (auto wrong = same_as_reference(player)) {
            return wrong;
        }
    }
    if (withheld_) {
        return choose_withheld(player, random);
    }
    const std::size_t act = random.below(100);
    if (act < 2) {
        return ask_strangely(player, random);
    }
    if (act < 4) {
        return change_setting(player, random);
    }
    if (act < 6) {
        return change_table(player, random);
    }
    if (act < 9) {
        return move(player, random);
    }
    if (act < 11) {
        return mark(player, random);
    }
    if (act < 12) {
        return look(player, random);
    }
    if (act < 55 && made_.has_chat) {
        return play_chat(player, random);
    }
    // A reply that is supplied is judged and committed as any other, without the prompt before it.
    return act < 20 ? play_turn(player, random) : play_reply(player, random);
}

}  // namespace arbiter::sim
