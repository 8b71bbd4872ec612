// Host: the campaigns that a server has open, and everything that they share: the store, the
// committer, the model, the worker threads and the viewers.
//
// Changes of one campaign are jobs that run one after another; reads use the session's last
// committed state and never wait for a job. Campaigns that were not used for some time are closed.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "campaign/session.h"
#include "campaign/withheld_turn.h"
#include "ledger/committer.h"
#include "model/async_model.h"
#include "openai/upstream.h"
#include "server/events.h"
#include "server/gateway.h"
#include "server/kept_answers.h"
#include "server/log.h"
#include "server/measuring.h"
#include "server/metrics.h"
#include "server/workers.h"

namespace arbiter::server {

struct HostOptions {
    campaign::SessionOptions session;
    // Threads for work that may wait. More than cores: some of them wait for the store.
    std::size_t workers = 8;
    std::size_t sessions_max = 4096;  // open campaigns; the least recently used one is closed
    std::size_t jobs_max = 16;        // that wait for one campaign
    // If all new requests wait for a thread so long, more comes than can be done: some are refused
    // until it does not (Workers::is_behind).
    std::chrono::milliseconds wait_max{50};
    Log* log = nullptr;              // borrowed
    net::Loops* loops = nullptr;     // borrowed; for the model server
    std::string upstream_file = {};  // where connect() keeps it; empty: nowhere
    std::string data_folder = {};    // for backups; empty: none
};

class Host {
  public:
    // `store` is borrowed.
    Host(ledger::Store& store, HostOptions options);
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;
    // Finishes the running jobs.
    ~Host();

    [[nodiscard]] ledger::Store& store() noexcept { return store_; }
    [[nodiscard]] ledger::Committer& committer() noexcept { return committer_; }
    [[nodiscard]] const HostOptions& options() const noexcept { return options_; }
    [[nodiscard]] Workers& workers() noexcept { return workers_; }
    [[nodiscard]] Events& events() noexcept { return events_; }
    [[nodiscard]] Metrics& metrics() noexcept { return metrics_; }
    // Counts a turn that ended, and writes it to the log if there is one.
    void note(const base::Result<turn::TurnResult>& result, std::string_view campaign,
              std::string_view request_id, std::chrono::steady_clock::time_point began);
    [[nodiscard]] Gateway& gateway() noexcept { return gateway_; }
    [[nodiscard]] KeptAnswers& kept_answers() noexcept { return kept_answers_; }
    // The model of a campaign; nothing if none is connected. A turn keeps the one that it began
    // with.
    [[nodiscard]] std::shared_ptr<model::AsyncModel> model(std::string_view campaign) const;
    // For all campaigns that have no model of their own.
    void set_model(std::shared_ptr<model::AsyncModel> model);
    void set_model_of(std::string campaign, std::shared_ptr<model::AsyncModel> model);
    // The model server behind set_model(); nothing if there is none.
    [[nodiscard]] std::optional<openai::Upstream> upstream() const;
    // Plays with it from now on.
    void use(openai::Upstream upstream);
    // The same, and keeps it for the next start. Fails like save_upstream().
    base::Result<> connect(openai::Upstream upstream);
    // Must not be called without HostOptions::loops.
    [[nodiscard]] net::Loops& loops() const { return *options_.loops; }
    [[nodiscard]] engine::Instant now() const;
    // Whether new work should be refused.
    [[nodiscard]] bool is_overloaded() const noexcept;

    // The campaign's session, opened on first use. May wait for the store: for worker threads.
    // Fails like Session::open().
    base::Result<std::shared_ptr<campaign::Session>> session(std::string_view id);
    // The same if it does not wait; else nullptr.
    [[nodiscard]] std::shared_ptr<campaign::Session> open_session(std::string_view id) const;
    // Closes the session of a campaign that was deleted or replaced, and notifies its viewers.
    void forget(std::string_view id);
    [[nodiscard]] std::size_t open_sessions() const;

    // Everything of a job runs on the executor of its campaign: the job itself on the strand, and
    // whatever it posts there. `done` lets the next job begin, and sends viewers the current head.
    using Done = std::function<void()>;
    using Job = std::function<void(const model::Post& post, Done done)>;
    // False: too many jobs wait for the campaign. The campaign must exist (session()).
    [[nodiscard]] bool enqueue(std::string_view id, Job job);

    // Runs `work` when viewers have received everything that the campaign's session knows, and
    // before they receive more. Does not wait for jobs to end. The campaign must exist.
    void between_events(std::string_view id, std::function<void()> work);

    // The reported turn that the player has not decided on yet; the next turn or edit drops it.
    void keep_withheld(std::string_view id, campaign::WithheldTurn turn);
    [[nodiscard]] std::optional<campaign::WithheldTurn> withheld(std::string_view id) const;

    // Tells viewers of every campaign that another process changed. Called by the watching thread
    // and by tests.
    void follow(std::string_view id);

  private:
    struct Hosted {
        explicit Hosted(Workers& workers) : strand(std::make_shared<Strand>(workers)) {}
        std::shared_ptr<Strand> strand;
        std::mutex opening;  // held while the session is opened
        std::shared_ptr<campaign::Session> session;
        std::optional<ledger::TurnId> announced;  // the head that viewers know
        std::unique_ptr<const campaign::WithheldTurn> withheld;
        std::list<Job> jobs;
        bool is_busy = false;
        std::chrono::steady_clock::time_point used;
    };
    using HostedPtr = std::shared_ptr<Hosted>;

    HostedPtr hosted(std::string_view id);
    void begin_job(const std::string& id, const HostedPtr& campaign);
    void announce(const std::string& id, Hosted& campaign);
    void close_unused();
    void watch();

    Metrics metrics_;
    MeasuredStore store_;
    HostOptions options_;
    ledger::Committer committer_;
    Events events_;
    KeptAnswers kept_answers_;
    Gateway gateway_;
    mutable std::mutex lock_;
    std::map<std::string, HostedPtr, std::less<>> campaigns_;
    std::shared_ptr<model::AsyncModel> model_;
    std::optional<openai::Upstream> upstream_;
    std::map<std::string, std::shared_ptr<model::AsyncModel>, std::less<>> own_models_;
    std::atomic<bool> is_ending_ = false;
    Workers workers_;
    std::thread watcher_;
};

}  // namespace arbiter::server
