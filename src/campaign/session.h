// Session: a campaign that is being played. One turn goes from the player's words to a committed
// truth, or leaves everything as it was.
//
//   settings → context → model → reader → judge on a candidate → accept, or drop the candidate and
//   ask again with one document of feedback → at most K times → report
//
// A Session is shared by all who play its campaign. One turn runs at a time; who comes meanwhile is
// told so at once (kCampaignBusy).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "campaign/context.h"
#include "campaign/judging.h"
#include "campaign/stage.h"
#include "model/model.h"
#include "prompt/assemble.h"
#include "prompt/cache.h"
#include "table/campaign.h"
#include "table/feedback.h"

namespace arbiter::campaign {

// What somebody wants to happen.
struct Wanted {
    std::string said;
    engine::Instant now = 0;
    // Asked now and then; true leaves everything as it was.
    std::function<bool()> is_cancelled = {};
    // Visible text as it streams in, of an attempt that may yet be dropped; and that one was.
    std::function<void(std::string_view text)> on_draft = {};
    std::function<void(std::int64_t attempt, const value::Value& feedback)> on_dropped = {};
};

// What became of it.
struct Turned {
    enum class Status : std::uint8_t {
        kCommitted,
        kReported,   // the retries are spent: `report` is for the player, nothing has changed
        kCancelled,  // nothing has changed
        kBlocked,    // no turn can begin: `notice` says why
        kOverSpent   // a cap of the settings is reached; nothing has changed
    };
    Status status = Status::kCommitted;
    std::optional<ledger::TurnId> id;
    std::string shown;
    std::string notice;       // beside the story, for the player
    reader::Reading reading;  // of the reply that was kept; calls beside its text are in it too
    table::Judged judged;
    value::Value feedback;  // all that was wrong with attempts; null: nothing
    value::Value report;    // conflict_report
    value::Array trace;     // every attempt: {raw, feedback, tokens}
    std::int64_t attempts = 0;
    std::int64_t tokens = 0;
    bool advanced = false;             // a milestone was passed
    std::optional<std::string> ended;  // why the campaign is over
};
std::string_view name(Turned::Status status) noexcept;  // "committed", …

// What a reply that is at hand does, without a model.
struct Given {
    std::string reply;
    std::string said;
    engine::Actor actor = engine::Actor::kModel;
    engine::Instant now = 0;
    std::vector<prompt::NativeToolCall> tool_calls = {};
    std::optional<config::World> world = {};  // to be played under from now on
};

struct PromptOptions {
    value::Object settings = {};  // over those of the campaign
};

class Session {
  public:
    static base::Result<std::unique_ptr<Session>> open(ledger::Store& store, std::string_view id,
                                                       Gear gear);

    // Fails with kCampaignBusy, kHeadMoved, or an error of the store or the model; then nothing has
    // changed.
    base::Result<Turned> turn(const Wanted& wanted, model::Model& model);
    // Judged once, and kept whatever was refused of it.
    base::Result<Turned> apply(const Given& given);

    // What the model would be told now.
    base::Result<prompt::Assembly> prompt(std::string_view said, engine::Instant now,
                                          const PromptOptions& options = {});
    // A book of lore beside the card's own. Gives what is wrong or without effect in it.
    value::Diagnostics add_lore(std::string name, value::Value book);

    // ---- what a player does beside speaking; each is a turn of its own
    base::Result<> patch_settings(const value::Object& patch, engine::Instant now);
    base::Result<> select_actor(std::string_view character, engine::Instant now);
    base::Result<> set_goal(std::string_view text, bool is_hidden, engine::Instant now);
    // Asks the model for a goal from world, map and characters.
    base::Result<std::string> generate_goal(model::Model& model, bool is_hidden,
                                            engine::Instant now);
    base::Result<> checkpoint(std::string label, engine::Instant now);
    base::Result<> rollback(const ledger::TurnId& to);
    base::Result<> undo();
    base::Result<> go_to(const ledger::TurnId& to);

    // As of now; another turn may be running.
    [[nodiscard]] ledger::Campaign campaign() const;
    [[nodiscard]] value::Object settings() const;
    // The campaign in the names of the specification, with what the ledger knows of rollbacks.
    [[nodiscard]] value::Value view() const;

  private:
    Session(ledger::Campaign campaign, config::World world, Gear gear)
        : campaign_(std::move(campaign)), world_(std::move(world)), gear_(std::move(gear)) {}

    class Turning;
    // Only one thread at a time gets further.
    base::Result<std::unique_lock<std::mutex>> begin_work();
    // A change that no command made, worked out on the state as it is then.
    using Change = std::function<base::Result<table::Step>(const engine::State& state)>;
    base::Result<> edit(const Change& change, engine::Instant now, std::string why);
    // Made anew only where something that it is made of has changed.
    base::Result<std::shared_ptr<const Stage>> stage_for(const engine::State& state);
    base::Result<> load_history();
    prompt::Assembly tell(const engine::State& state, const Stage& stage, std::string_view said,
                          const value::Object& settings, engine::Instant now);
    void follow_books();

    std::mutex working_;          // held while something is being done
    mutable std::mutex looking_;  // held for the moment in which the campaign changes
    ledger::Campaign campaign_;
    config::World world_;
    Gear gear_;
    std::optional<card::Card> card_;
    std::vector<std::pair<std::string, value::Value>> books_;
    prompt::Lore lore_;
    prompt::Cache prompt_cache_;
    std::vector<prompt::Message> history_;
    rules::Memories memories_;
    std::shared_ptr<const Stage> stage_;
    value::Value staged_protocols_;
    value::Value staged_authority_;
    value::Object kept_rules_;  // whose texts this session has kept
    Spent unkept_;              // by turns that came to nothing, since the last that did not
};

}  // namespace arbiter::campaign
