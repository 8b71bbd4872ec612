#include "server/host.h"

#include <algorithm>
#include <vector>

#include "campaign/clock.h"
#include "openai/endpoint.h"

namespace arbiter::server {

using base::Result;
using campaign::Session;

namespace {

// The time in which the watching thread notices that the server ends.
constexpr std::chrono::milliseconds kWatchWait{500};
// After an error of the store.
constexpr std::chrono::milliseconds kWatchPause{1000};

}  // namespace

Host::Host(ledger::Store& store, HostOptions options)
    : store_(store, metrics_),
      options_(std::move(options)),
      committer_(store_),
      gateway_(store_, options_.session.globals),
      workers_({.threads = options_.workers, .wait_max = options_.wait_max}),
      watcher_([this] { watch(); }) {}

Host::~Host() {
    is_ending_ = true;
    watcher_.join();
    workers_.stop();
}

std::shared_ptr<model::AsyncModel> Host::model(std::string_view campaign) const {
    const std::scoped_lock lock(lock_);
    const auto own = own_models_.find(campaign);
    return own != own_models_.end() ? own->second : model_;
}

void Host::set_model_of(std::string campaign, std::shared_ptr<model::AsyncModel> model) {
    const std::scoped_lock lock(lock_);
    own_models_[std::move(campaign)] = measured_model(std::move(model), metrics_);
}

void Host::set_model(std::shared_ptr<model::AsyncModel> model) {
    const std::scoped_lock lock(lock_);
    model_ = measured_model(std::move(model), metrics_);
}

std::optional<openai::Upstream> Host::upstream() const {
    const std::scoped_lock lock(lock_);
    return upstream_;
}

Result<> Host::connect(openai::Upstream upstream) {
    if (!options_.upstream_file.empty()) {
        if (auto saved = openai::save_upstream(options_.upstream_file, upstream); !saved) {
            return saved;
        }
    }
    use(std::move(upstream));
    return {};
}

void Host::use(openai::Upstream upstream) {
    auto model = std::make_shared<openai::Endpoint>(loops(), upstream);
    const std::scoped_lock lock(lock_);
    model_ = std::move(model);
    upstream_ = std::move(upstream);
}

engine::Instant Host::now() const {
    return campaign::clock_now();
}

void Host::note(const Result<turn::TurnResult>& result, std::string_view campaign,
                std::string_view request_id, std::chrono::steady_clock::time_point began) {
    TurnEvent event{.request = request_id,
                    .campaign = campaign,
                    .status = result ? name(result->status) : base::name(result.error().code),
                    .took = std::chrono::steady_clock::now() - began};
    if (result) {
        event.turn = result->id;
        event.calls = result->usage.calls;
        event.tokens = result->usage.tokens;
        event.attempts = result->attempts;
    }
    metrics_.turns.at({event.status}).add();
    metrics_.turn_seconds.observe(event.took);
    if (options_.log != nullptr) {
        options_.log->turn(event);
    }
}

bool Host::is_overloaded() const noexcept {
    return workers_.is_behind();
}

std::size_t Host::open_sessions() const {
    const std::scoped_lock lock(lock_);
    return campaigns_.size();
}

Host::HostedPtr Host::hosted(std::string_view id) {
    const std::scoped_lock lock(lock_);
    auto found = campaigns_.find(id);
    if (found == campaigns_.end()) {
        close_unused();
        found = campaigns_.emplace(std::string(id), std::make_shared<Hosted>(workers_)).first;
    }
    found->second->used = std::chrono::steady_clock::now();
    return found->second;
}

void Host::close_unused() {
    if (campaigns_.size() < options_.sessions_max) {
        return;
    }
    // One in eight, so that the search is paid for by many openings.
    std::vector<std::pair<std::chrono::steady_clock::time_point, std::string>> unused;
    for (const auto& [id, campaign] : campaigns_) {
        if (campaign.use_count() == 1 && !campaign->is_busy && campaign->jobs.empty() &&
            campaign->session.use_count() <= 1 && !events_.has_viewers(id)) {
            unused.emplace_back(campaign->used, id);
        }
    }
    std::ranges::sort(unused);
    unused.resize(std::min(unused.size(), options_.sessions_max / 8 + 1));
    for (const auto& [used, id] : unused) {
        campaigns_.erase(id);
    }
}

Result<std::shared_ptr<Session>> Host::session(std::string_view id) {
    const HostedPtr campaign = hosted(id);
    const std::scoped_lock opening(campaign->opening);
    if (campaign->session != nullptr) {
        return campaign->session;
    }
    auto opened = Session::open(store_, id, options_.session);
    if (!opened) {
        const std::scoped_lock lock(lock_);
        if (const auto found = campaigns_.find(id);
            found != campaigns_.end() && found->second == campaign && !campaign->is_busy) {
            campaigns_.erase(found);
        }
        return std::unexpected(std::move(opened).error());
    }
    campaign->session = *std::move(opened);
    campaign->announced = campaign->session->campaign().head();
    return campaign->session;
}

std::shared_ptr<Session> Host::open_session(std::string_view id) const {
    HostedPtr campaign;
    {
        const std::scoped_lock lock(lock_);
        const auto found = campaigns_.find(id);
        campaign = found != campaigns_.end() ? found->second : nullptr;
    }
    if (campaign == nullptr) {
        return nullptr;
    }
    const std::unique_lock opening(campaign->opening, std::try_to_lock);
    return opening ? campaign->session : nullptr;
}

void Host::forget(std::string_view id) {
    gateway_.forget(id);
    {
        const std::scoped_lock lock(lock_);
        campaigns_.erase(std::string(id));
    }
    events_.publish(id, {"deleted", {}, {}});
}

bool Host::enqueue(std::string_view id, Job job) {
    const HostedPtr campaign = hosted(id);
    {
        const std::scoped_lock lock(lock_);
        if (campaign->jobs.size() >= options_.jobs_max) {
            return false;
        }
        campaign->jobs.push_back(std::move(job));
        if (campaign->is_busy) {
            return true;
        }
        campaign->is_busy = true;
    }
    begin_job(std::string(id), campaign);
    return true;
}

void Host::begin_job(const std::string& id, const HostedPtr& campaign) {
    Job job;
    {
        const std::scoped_lock lock(lock_);
        if (campaign->jobs.empty()) {
            campaign->is_busy = false;
            return;
        }
        job = std::move(campaign->jobs.front());
        campaign->jobs.pop_front();
    }
    // Jobs come from worker threads: the first one needs no other.
    campaign->strand->dispatch([this, id, campaign, job = std::move(job)] {
        job(campaign->strand, [this, id, campaign] {
            campaign->strand->post([this, id, campaign] {
                announce(id, *campaign);
                begin_job(id, campaign);
            });
        });
    });
}

void Host::between_events(std::string_view id, std::function<void()> work) {
    const HostedPtr campaign = hosted(id);
    campaign->strand->post([this, id = std::string(id), campaign, work = std::move(work)] {
        announce(id, *campaign);
        work();
    });
}

void Host::announce(const std::string& id, Hosted& campaign) {
    std::shared_ptr<Session> session;
    std::optional<ledger::TurnId> announced;
    {
        const std::scoped_lock opening(campaign.opening);
        session = campaign.session;
        if (session == nullptr) {
            return;
        }
        announced = std::exchange(campaign.announced, session->campaign().head());
    }
    if (!announced || *announced == session->campaign().head()) {
        return;
    }
    {
        const std::scoped_lock lock(lock_);
        campaign.withheld.reset();
    }
    if (!events_.has_viewers(id)) {
        return;
    }
    // A viewer that cannot get the events gets the current turn.
    const auto missed = missed_events(*session, *announced);
    const bool is_told = missed && !missed->events.empty();
    for (const Event& each : is_told ? missed->events : std::vector{head_event(*session)}) {
        events_.publish(id, each);
    }
}

void Host::keep_withheld(std::string_view id, campaign::WithheldTurn turn) {
    const HostedPtr campaign = hosted(id);
    const std::scoped_lock lock(lock_);
    campaign->withheld = std::make_unique<const campaign::WithheldTurn>(std::move(turn));
}

std::optional<campaign::WithheldTurn> Host::withheld(std::string_view id) const {
    const std::scoped_lock lock(lock_);
    const auto found = campaigns_.find(id);
    const bool is_kept = found != campaigns_.end() && found->second->withheld != nullptr;
    return is_kept ? std::optional(*found->second->withheld) : std::nullopt;
}

void Host::follow(std::string_view id) {
    {
        const std::scoped_lock lock(lock_);
        if (!campaigns_.contains(id)) {
            return;
        }
    }
    // If the queue is full, the jobs in it find out by themselves that the head has moved.
    (void)enqueue(id, [this, id = std::string(id)](const model::Post&, const Done& done) {
        if (const auto session = this->session(id)) {
            (void)(*session)->refresh();
        }
        done();
    });
}

void Host::watch() {
    while (!is_ending_) {
        const auto moved = store_.moved(kWatchWait);
        if (!moved) {
            std::this_thread::sleep_for(kWatchPause);
            continue;
        }
        for (const std::string& id : *moved) {
            follow(id);
        }
    }
}

}  // namespace arbiter::server
