// Playing a campaign again, on as many threads as it is worth.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "ledger/history.h"
#include "proposal/codec.h"

namespace arbiter::ledger {

using base::Result;
using engine::State;
using value::Array;
using value::Value;

namespace {

// Plays turns again, one after the other.
class Rebuilding {
  public:
    Rebuilding(const Campaign& campaign, const Player& player, std::optional<State> state,
               Report& report)
        : campaign_(campaign),
          step_(player.step),
          reread_(player.reread),
          report_(report),
          state_(std::move(state)) {}

    Result<> play(const TurnRow& row) {
        const auto turn = reread_ ? campaign_.record_of(row) : campaign_.head_of(row);
        if (!turn) {
            return std::unexpected(turn.error());
        }
        ++report_.turns;
        if (!state_ || turn->extra.contains("edit")) {
            // The beginning, and what no command did, is as it was kept.
            return take(state_ ? step(*state_, *turn) : campaign_.state_at(row.id));
        }
        // Only who reads again needs the texts of the commands.
        auto decoded = proposal::decode(turn->proposals, turn->raw);
        if (!decoded) {
            complain(row, base::explain(decoded.error(), base::Language::kEnglish));
            return take(step(*state_, *turn));
        }
        proposals_ = *std::move(decoded);
        if (reread_) {
            if (auto read = read_again(row, *turn); !read) {
                return read;
            }
        }
        report_.commands += proposals_.size();
        auto after = step_(*state_, *turn, proposals_);
        if (!after) {
            return std::unexpected(std::move(after).error());
        }
        if (hash_of(*after) == turn->state) {
            state_ = *std::move(after);
            return {};
        }
        complain(row, "playing it again leads to another state");
        // Go on from what was kept, so that one difference is told once.
        return take(step(*state_, *turn));
    }

  private:
    void complain(const TurnRow& row, std::string what) {
        report_.findings.push_back({row.id, row.number, std::move(what)});
    }
    Result<> take(Result<State> state) {
        if (!state) {
            return std::unexpected(std::move(state).error());
        }
        state_ = *std::move(state);
        return {};
    }
    Result<> read_again(const TurnRow& row, const Record& turn) {
        auto found = reread_(turn);
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        if (*found != proposals_) {
            complain(row, "read again, it has other commands: " + std::to_string(found->size()) +
                              " instead of " + std::to_string(proposals_.size()));
            proposals_ = *std::move(found);
        }
        return {};
    }

    const Campaign& campaign_;
    const Step& step_;
    const Reread& reread_;
    Report& report_;
    std::optional<State> state_;
    std::vector<proposal::Proposal> proposals_;
};

// What is remembered from one turn to the next while the rules stay the same.
struct Under {
    std::optional<rules::Setting> setting;
    value::Object rules;
    rules::Memories memories;
};

}  // namespace

Step step_under(Resolve resolve) {
    return [resolve = std::move(resolve), under = std::make_shared<Under>()](
               const State& before, const Record& turn,
               std::span<const proposal::Proposal> proposals) -> Result<State> {
        if (!under->setting || Value(under->rules) != Value(turn.rules)) {
            auto resolved = resolve(turn.rules);
            if (!resolved) {
                return std::unexpected(std::move(resolved).error());
            }
            under->setting = *std::move(resolved);
            under->rules = turn.rules;
            under->memories.clear();
        }
        const engine::Context context{turn.time, turn.actor, turn.batch};
        return rules::play(before, proposals, turn.shown, *under->setting, context,
                           &under->memories)
            .outcome.state;
    };
}

namespace {

// A stretch of the line, from behind a turn whose state is kept. What is before it leads to that
// state, or somebody else complains.
struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
    Report report = {};
    Result<> done = {};
};

// What all who play have in common.
struct Together {
    const Campaign& campaign;
    const std::vector<TurnId>& line;
    std::atomic<std::size_t> played = 0;
    std::atomic<bool> stopped = false;
};

// `progress` is asked on this thread.
Result<> play(Together& all, Stretch& stretch, const Player& player, const Progress& progress) {
    std::optional<TurnId> before;
    std::optional<State> state;
    if (stretch.begin > 0) {
        before = all.line[stretch.begin - 1];
        auto kept = all.campaign.state_at(*before);
        if (!kept) {
            return std::unexpected(std::move(kept).error());
        }
        state = *std::move(kept);
    }
    Rebuilding rebuilding(all.campaign, player, std::move(state), stretch.report);
    std::size_t next = stretch.begin;
    Result<> done;
    // Parents were kept before their children, so the line comes in its order.
    auto visited =
        all.campaign.store().visit_turns(all.campaign.row().id, before, [&](const TurnRow& row) {
            if (next == stretch.end || all.stopped.load(std::memory_order_relaxed)) {
                return false;
            }
            if (row.id != all.line[next]) {
                return true;
            }
            if (progress && !progress(all.played, all.line.size())) {
                all.stopped = true;
                return false;
            }
            ++next;
            done = rebuilding.play(row);
            all.played.fetch_add(1, std::memory_order_relaxed);
            return done.has_value();
        });
    return visited ? done : visited;
}

// As many as there are threads, of about the same length, where there are kept states to begin at.
Result<std::vector<Stretch>> stretches(const Campaign& campaign, const std::vector<TurnId>& line,
                                       std::size_t threads) {
    // Reading a state takes as long as playing some hundred turns.
    constexpr std::size_t kTurnsMin = 1000;
    constexpr std::size_t kThreadsMax = 16;
    threads = std::min(threads, kThreadsMax);
    threads =
        std::clamp<std::size_t>(line.size() / kTurnsMin, 1, std::max<std::size_t>(threads, 1));
    std::vector<Stretch> parts = {{0, line.size()}};
    if (threads == 1) {
        return parts;
    }
    auto kept = campaign.store().keyframes(campaign.row().id);
    if (!kept) {
        return std::unexpected(std::move(kept).error());
    }
    std::ranges::sort(*kept);
    for (std::size_t i = 1; i < threads; ++i) {
        std::size_t at = line.size() * i / threads;
        while (at < line.size() && !std::ranges::binary_search(*kept, line[at - 1])) {
            ++at;
        }
        if (at < line.size() && at > parts.back().begin) {
            parts.back().end = at;
            parts.push_back({at, line.size()});
        }
    }
    return parts;
}

// Each stretch on a thread of its own; this one tells how far they are.
void play_together(Together& all, std::vector<Stretch>& parts, const MakePlayer& make,
                   const Progress& progress) {
    std::mutex lock;
    std::condition_variable ended;
    std::size_t running = parts.size();
    std::vector<std::thread> threads;
    for (Stretch& part : parts) {
        threads.emplace_back([&all, &part, &lock, &ended, &running, player = make()] {
            part.done = play(all, part, player, {});
            if (!part.done) {
                all.stopped = true;  // the others need not go on
            }
            const std::scoped_lock end(lock);
            --running;
            ended.notify_one();
        });
    }
    std::unique_lock wait(lock);
    while (!ended.wait_for(wait, std::chrono::milliseconds(50), [&] { return running == 0; })) {
        if (progress && !progress(all.played, all.line.size())) {
            all.stopped = true;
        }
    }
    wait.unlock();
    for (std::thread& thread : threads) {
        thread.join();
    }
}

}  // namespace

Result<Report> rebuild(const Campaign& campaign, const MakePlayer& make, const Progress& progress,
                       std::size_t threads) {
    const auto line = campaign.line_to(campaign.head());
    if (!line) {
        return std::unexpected(line.error());
    }
    auto parts = stretches(campaign, *line, threads);
    if (!parts) {
        return std::unexpected(std::move(parts).error());
    }
    Together all{campaign, *line};
    if (parts->size() > 1) {
        play_together(all, *parts, make, progress);
    } else {
        (*parts)[0].done = play(all, (*parts)[0], make(), progress);
    }
    Report report;
    report.stopped = all.stopped;
    for (Stretch& part : *parts) {
        if (!part.done) {
            return std::unexpected(std::move(part.done).error());
        }
        report.turns += part.report.turns;
        report.commands += part.report.commands;
        std::ranges::move(part.report.findings, std::back_inserter(report.findings));
    }
    return report;
}

Result<Report> rebuild(const Campaign& campaign, const Step& step, const Progress& progress,
                       const Reread& reread) {
    return rebuild(campaign, [&] { return Player{step, reread}; }, progress, 1);
}

}  // namespace arbiter::ledger
