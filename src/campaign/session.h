// Session: a campaign that is being played. Runs turn::Machine with a model and a store, and makes
// the changes of a player that are not turns. Holds no game rules.
//
// Thread-safe. One turn runs at a time; a second one fails at once with kCampaignBusy. Reads see
// the last committed state.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/lazy.h"
#include "campaign/display.h"
#include "campaign/followed_protocols.h"
#include "campaign/prompt_inputs.h"
#include "campaign/rule_texts.h"
#include "campaign/shared_world.h"
#include "campaign/turn_once.h"
#include "campaign/work.h"
#include "model/drive.h"
#include "table/campaign.h"
#include "turn/machine.h"

namespace arbiter::campaign {

// The part of a session that does not change from turn to turn.
struct SessionOptions {
    config::Protocols protocols;
    value::Object globals = {};  // settings of all campaigns of the store
    base::Language language = base::Language::kChinese;
    std::size_t context_tokens = prompt::kContextTokens;  // of the model's window
};

turn::BaseRules base_rules(const config::World& world, const SessionOptions& options);

class Session {
  public:
    // Reads the campaign's state and rules; its history is read when a prompt needs it.
    static base::Result<std::unique_ptr<Session>> open(ledger::Store& store, std::string_view id,
                                                       SessionOptions options);

    // At a turn of the campaign instead of its head: the next turn becomes a child of that one and
    // the new head, if the head has not moved until then. Used to play a turn again; the head stays
    // where it is unless the new turn is committed.
    static base::Result<std::unique_ptr<Session>> open_at(ledger::Store& store, std::string_view id,
                                                          const ledger::TurnId& turn,
                                                          SessionOptions options);

    // For rollback() and go_to() only, until one of them has succeeded. Works if the last turns are
    // damaged; then the campaign's settings are not known, and the defaults hold.
    static base::Result<std::unique_ptr<Session>> open_to_move(ledger::Store& store,
                                                               std::string_view id,
                                                               SessionOptions options);

    // Fails with kCampaignBusy, kHeadMoved (refresh() and play it again), or an error of the store
    // or the model; then nothing has changed. Fails with kTurnUncertain if the store failed while
    // it committed: the turn may be stored, and a request with the same key finds out.
    base::Result<turn::TurnResult> turn(const turn::TurnRequest& request, model::Model& model,
                                        const model::TurnCallbacks& callbacks = {},
                                        const TurnCondition& condition = {});
    // Judged once, and committed even if commands were refused. `world`: to be played under from
    // this turn on.
    base::Result<turn::TurnResult> apply(turn::SuppliedReply reply,
                                         std::optional<config::World> world = {},
                                         const TurnCondition& condition = {});

    // Goes to the campaign's present turn if another writer has moved it. Returns whether it has.
    base::Result<bool> refresh();

    // The prompt of a turn that would begin now. Fails for a setting that does not exist.
    struct PromptOptions {
        value::Object settings = {};                // over those of the campaign
        bool native_tools = false;                  // for a model that takes tool schemas
        std::optional<turn::ClientChat> chat = {};  // of a client, in place of our history
    };
    base::Result<prompt::Assembly> prompt(std::string_view said, engine::Instant now,
                                          const PromptOptions& options);
    base::Result<prompt::Assembly> prompt(std::string_view said, engine::Instant now) {
        return prompt(said, now, PromptOptions());
    }
    // Adds a book of lore to the card's own. Returns what is wrong or without effect in it.
    value::Diagnostics add_lore(std::string name, value::Value book);

    // ---- changes of a player beside speaking; stored, but not turns of the story
    // Any of those of table/campaign.h, worked out on the present state.
    using Change = std::function<base::Result<table::Step>(const engine::State& state)>;
    base::Result<> edit(const Change& change, engine::Instant now, std::string reason);
    base::Result<> patch_settings(const value::Object& patch, engine::Instant now);
    base::Result<> select_actor(std::string_view character, engine::Instant now);
    base::Result<> set_goal(std::string_view text, bool is_hidden, engine::Instant now);
    // Asks the model for a goal from the world, the map and the characters.
    base::Result<std::string> generate_goal(model::Model& model, bool is_hidden,
                                            engine::Instant now);
    base::Result<> restore_world(std::string_view world, engine::Instant now);

    // ---- moves of the head
    // The setting rollback.max_checkpoints says how many checkpoints are kept, and `most` may lower
    // it (0: it does not). 0 switches checkpoints and rollback off (kRollbackOff).
    base::Result<> checkpoint(std::string label, engine::Instant now, std::size_t most);
    base::Result<> rollback(const ledger::TurnId& to);
    base::Result<> undo();
    base::Result<> go_to(const ledger::TurnId& to);
    // go_to() for a client whose chat shows another place. Settings are not part of the story:
    // those of the present turn stay, by an edit behind the turn if it has others. Without one the
    // move is stored with the next turn or edit, or by settle().
    base::Result<> follow_chat(const ledger::TurnId& to, engine::Instant now);
    // Whether follow_chat() would do so without the store: the turn is known, and is played under
    // the same rules and settings as the present one.
    [[nodiscard]] bool follows_at_once(const ledger::TurnId& to) const;
    // Stores the move of follow_chat(), if nothing has been committed since. If that fails, the
    // session is at the stored head again.
    base::Result<> settle();

    // Goes to turn `root`, sets the state there (an edit, whose action has `what` kNewBeginning)
    // and plays a reply, unless it is empty.
    static constexpr std::string_view kNewBeginning = "beginning";
    base::Result<turn::TurnResult> begin_again(const ledger::TurnId& root, engine::State state,
                                               turn::SuppliedReply first, std::string reason);

    // The campaign as of now; a turn may be running.
    [[nodiscard]] ledger::Campaign campaign() const;
    [[nodiscard]] ledger::TurnId head() const;
    [[nodiscard]] value::Object settings() const;
    [[nodiscard]] const SessionOptions& options() const noexcept { return options_; }
    // The profile, rulebooks and tools that the campaign is played under.
    [[nodiscard]] std::shared_ptr<const SharedWorld> world() const;
    // The registered tools, settings and dialog types.
    [[nodiscard]] std::shared_ptr<const table::Registries> registries() const;
    // The words of recorded turns for a player.
    [[nodiscard]] base::Result<Display> display() const;
    // Redacts for a viewer of the present state.
    [[nodiscard]] table::Redactor redactor(table::Viewer viewer = table::Viewer::kPlayer) const;

  private:
    friend class RunningTurn;  // plays turn() without blocking a thread

    Session(ledger::Campaign campaign, std::shared_ptr<SharedWorld> world, SessionOptions options);

    // edit(), under the lock of begin_work().
    base::Result<> commit_edit(const Change& change, engine::Instant now, std::string reason);
    static base::Result<std::unique_ptr<Session>> open(base::Result<ledger::Campaign> campaign,
                                                       SessionOptions options);
    [[nodiscard]] base::Result<std::size_t> rollback_limit() const;
    base::Result<Work> begin_work();
    // The result of the turn that is stored under the key of the request; nothing: it is to be
    // played, and everything that it needs is loaded.
    base::Result<std::optional<turn::TurnResult>> prepare_turn(const turn::TurnRequest& request,
                                                               const TurnCondition& condition);
    turn::Machine machine(bool native_tools);
    base::Result<turn::TurnResult> run(turn::Machine& machine, turn::Commands first,
                                       model::Model* model, const model::TurnCallbacks& callbacks);
    base::Result<turn::TurnResult> finished(turn::TurnResult result);
    base::Result<std::string> commit(const turn::Commit& commit);
    // A turn that is encoded; accept() takes it over when it is stored.
    struct PendingCommit {
        ledger::PreparedTurn prepared;
        value::Object rules;
        engine::Actor actor = engine::Actor::kModel;
        std::string said;
        std::string remembered;  // of the reply, for the history of the next prompt
    };
    base::Result<PendingCommit> prepare(const turn::Commit& commit);
    std::string accept(PendingCommit pending);
    turn::Environment environment();
    turn::TurnStart start() const;
    void play_under(std::shared_ptr<SharedWorld> world);
    using Move = std::function<base::Result<>(ledger::Campaign& campaign)>;
    base::Result<> move(const Move& move);
    base::Result<> move_head(const Move& move);
    base::Result<turn::TurnResult> run_reply(turn::SuppliedReply reply);
    base::Result<> load_prompt_inputs();

    WorkPlace working_;            // taken while something is being done
    mutable std::mutex changing_;  // held for the moment in which campaign_ changes
    ledger::Campaign campaign_;
    std::shared_ptr<SharedWorld> world_;
    SessionOptions options_;
    turn::RulesCache rules_;
    rules::Memories memories_;
    PromptInputs inputs_;
    TurnOnce once_;  // of the turn that is running
    // The texts that were committed last; a campaign that is only read has none.
    struct CommittedTexts {
        std::shared_ptr<const turn::Rules> rules;  // of which they are
        value::Value allowed;                      // the tools that were allowed then
        RuleTexts texts;
    };
    base::Lazy<CommittedTexts> committed_;
    FollowedProtocols followed_;
    value::Object stored_rules_;     // digests of texts that the store has
    turn::Usage uncommitted_usage_;  // of turns that came to nothing, since the last commit
};

}  // namespace arbiter::campaign
