#include "ledger/rebuild.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/messages.h"
#include "ledger/line.h"
#include "proposal/codec.h"
#include "turn/replay.h"

namespace arbiter::ledger {

using base::Result;
using engine::State;

namespace {

// The state that a turn continues from where the replay of the turn before it led elsewhere.
enum class Continue : std::uint8_t {
    kFromStored,   // one difference is reported once
    kFromReplayed  // to the state that the whole history leads to
};

// Replays consecutive turns and collects what differs.
class TurnReplay {
  public:
    TurnReplay(const Campaign& campaign, const Replayer& replayer, std::optional<State> state,
               Continue from, CheckReport& report)
        : campaign_(campaign),
          replayer_(replayer),
          from_(from),
          report_(report),
          state_(std::move(state)) {}
    // The state after the last turn.
    std::optional<State> take_state() && { return std::move(state_); }

    Result<> replay(const TurnRow& row) {
        const auto turn =
            replayer_.reread ? campaign_.record_of(row) : campaign_.replay_inputs_of(row);
        if (!turn) {
            return std::unexpected(turn.error());
        }
        ++report_.turns;
        if (!state_) {
            return set_state(campaign_.state_at(row.id));
        }
        if (turn->edit) {
            return apply_stored_changes(row);  // no command made them
        }
        if (turn->revision != turn::kRevision) {
            ++report_.unjudged;
            if (auto applied = apply_stored_changes(row); !applied) {
                return applied;
            }
            if (from_ == Continue::kFromStored && hash_of(*state_) != turn->state) {
                add_defect(row, "its changes lead to another state");
            }
            return {};
        }
        auto said = proposal::decode(turn->said_proposals, turn->said);
        auto reply = proposal::decode(turn->proposals, turn->raw);
        if (!said || !reply) {
            const base::Error& error = said ? reply.error() : said.error();
            add_defect(row, base::explain(error, base::Language::kEnglish));
            return apply_stored_changes(row);
        }
        commands_ = {*std::move(said), *std::move(reply)};
        if (replayer_.reread) {
            if (auto read = read_again(row, *turn); !read) {
                return read;
            }
        }
        report_.commands += commands_.said.size() + commands_.reply.size();
        auto after = replayer_.step(*state_, *turn, std::move(commands_));
        if (!after) {
            return std::unexpected(std::move(after).error());
        }
        if (hash_of(*after) == turn->state) {
            state_ = *std::move(after);
            return {};
        }
        add_defect(row, "playing it again leads to another state");
        if (from_ == Continue::kFromReplayed) {
            state_ = *std::move(after);
            return {};
        }
        return apply_stored_changes(row);
    }

  private:
    void add_defect(const TurnRow& row, std::string message) {
        report_.defects.push_back({row.id, row.number, std::move(message)});
    }
    Result<> set_state(Result<State> state) {
        if (!state) {
            return std::unexpected(std::move(state).error());
        }
        state_ = *std::move(state);
        return {};
    }
    Result<> apply_stored_changes(const TurnRow& row) {
        const auto turn = campaign_.replay_part_of(row);
        if (!turn) {
            return std::unexpected(turn.error());
        }
        if (from_ == Continue::kFromStored) {
            return set_state(step(*state_, *turn));
        }
        auto document = apply_steps(turn->steps, state_->document);
        auto meta = value::apply_diff(turn->meta, value::Value(state_->meta));
        return document && meta && meta->is_object()
                   ? set_state(State{*std::move(document), meta->as_object()})
                   : set_state(campaign_.state_at(row.id));
    }
    Result<> read_again(const TurnRow& row, const Record& turn) {
        auto found = replayer_.reread(*state_, turn);
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        compare(row, "read again, the player's words have other commands", commands_.said,
                found->said);
        compare(row, "read again, the reply has other commands", commands_.reply, found->reply);
        commands_ = *std::move(found);
        return {};
    }
    void compare(const TurnRow& row, std::string_view message,
                 const std::vector<proposal::Proposal>& stored,
                 const std::vector<proposal::Proposal>& read) {
        const auto same = [](const proposal::Proposal& a, const proposal::Proposal& b) {
            return a == b || proposal::is_same_request(a, b);
        };
        if (!std::ranges::equal(read, stored, same)) {
            report_.defects.push_back(
                {row.id, row.number, std::string(message),
                 std::to_string(stored.size()) + " → " + std::to_string(read.size())});
        }
    }

    const Campaign& campaign_;
    const Replayer& replayer_;
    const Continue from_;
    CheckReport& report_;
    std::optional<State> state_;
    TurnCommands commands_;
};

// A part of the line for one thread. It starts behind a turn with a keyframe; whether the part
// before it leads to that state is checked by the thread before.
struct Section {
    std::optional<TurnId> after = {};  // the turn with the keyframe; none: the first turn
    std::size_t begin = 0;
    std::size_t end = 0;
    CheckReport report = {};
    Result<> result = {};
    std::optional<State> state = {};  // after its last turn
};

// Shared by the threads of one rebuild.
struct Rebuild {
    const Campaign& campaign;
    const Line& line;
    Continue from = Continue::kFromStored;
    std::atomic<std::size_t> turns_done = 0;
    std::atomic<bool> is_stopped = false;
};

// `progress` is called on the calling thread.
Result<> replay_section(Rebuild& rebuild, Section& section, const Replayer& replayer,
                        const Progress& progress) {
    std::optional<State> state;
    if (section.after) {
        auto stored = rebuild.campaign.state_at(*section.after);
        if (!stored) {
            return std::unexpected(std::move(stored).error());
        }
        state = *std::move(stored);
    }
    TurnReplay replay(rebuild.campaign, replayer, std::move(state), rebuild.from, section.report);
    std::size_t next = section.begin;
    std::optional<TurnId> last = section.after;
    Result<> result;
    // Parents are stored before their children, so the line is visited in its order.
    auto visited = rebuild.campaign.store().visit_turns(
        rebuild.campaign.row().id, section.after, [&](const TurnRow& row) {
            if (next == section.end || rebuild.is_stopped.load(std::memory_order_relaxed)) {
                return false;
            }
            if (!rebuild.line.has_at(row, next)) {
                return true;
            }
            if (progress && !progress(rebuild.turns_done, rebuild.line.size())) {
                rebuild.is_stopped = true;
                return false;
            }
            ++next;
            result = row.parent == last ? replay.replay(row) : Line::broken_at(row.id);
            last = row.id;
            rebuild.turns_done.fetch_add(1, std::memory_order_relaxed);
            return result.has_value();
        });
    if (!visited || !result) {
        return visited ? result : visited;
    }
    section.state = std::move(replay).take_state();
    const bool is_whole = next == section.end &&
                          (section.end != rebuild.line.size() || last == rebuild.campaign.head());
    return is_whole || rebuild.is_stopped ? Result<>() : Line::broken_at(rebuild.campaign.head());
}

// Sections of about equal length, at most one for each thread.
Result<std::vector<Section>> split_line(const Campaign& campaign, const Line& line,
                                        std::size_t threads) {
    // Loading a keyframe costs as much as replaying some hundred turns.
    constexpr std::size_t kSectionTurnsMin = 1000;
    constexpr std::size_t kThreadsMax = 16;
    threads = std::min(threads, kThreadsMax);
    threads = std::clamp<std::size_t>(line.size() / kSectionTurnsMin, 1,
                                      std::max<std::size_t>(threads, 1));
    std::vector<Section> sections = {{{}, 0, line.size()}};
    if (threads == 1) {
        return sections;
    }
    auto keyframes = campaign.store().keyframes(campaign.row().id);
    if (!keyframes) {
        return std::unexpected(std::move(keyframes).error());
    }
    const auto positions = line.positions_of(campaign, *keyframes);
    if (!positions) {
        return std::unexpected(positions.error());
    }
    for (std::size_t i = 1; i < threads; ++i) {
        const std::size_t ideal = line.size() * i / threads;
        const auto start = std::ranges::lower_bound(
            *positions, ideal, {}, [](const auto& each) { return each.first + 1; });
        if (start == positions->end()) {
            break;
        }
        const std::size_t begin = start->first + 1;
        if (begin < line.size() && begin > sections.back().begin) {
            sections.back().end = begin;
            sections.push_back({start->second, begin, line.size()});
        }
    }
    return sections;
}

// Runs each section on a thread of its own; the calling thread reports the progress.
void replay_in_parallel(Rebuild& rebuild, std::vector<Section>& sections, const MakeReplayer& make,
                        const Progress& progress) {
    std::mutex lock;
    std::condition_variable ended;
    std::size_t running = sections.size();
    std::vector<std::thread> threads;
    for (Section& section : sections) {
        threads.emplace_back([&rebuild, &section, &lock, &ended, &running, replayer = make()] {
            section.result = replay_section(rebuild, section, replayer, {});
            if (!section.result) {
                rebuild.is_stopped = true;  // the result is an error anyway
            }
            const std::scoped_lock end(lock);
            --running;
            ended.notify_one();
        });
    }
    constexpr std::chrono::milliseconds kProgressInterval(50);
    std::unique_lock wait(lock);
    while (!ended.wait_for(wait, kProgressInterval, [&] { return running == 0; })) {
        if (progress && !progress(rebuild.turns_done, rebuild.line.size())) {
            rebuild.is_stopped = true;
        }
    }
    wait.unlock();
    for (std::thread& thread : threads) {
        thread.join();
    }
}

}  // namespace

Result<CheckReport> rebuild(const Campaign& campaign, const MakeReplayer& make,
                            const Progress& progress, std::size_t threads) {
    const auto line = Line::to_head(campaign);
    if (!line) {
        return std::unexpected(line.error());
    }
    auto sections = split_line(campaign, *line, threads);
    if (!sections) {
        return std::unexpected(std::move(sections).error());
    }
    Rebuild shared{campaign, *line};
    if (sections->size() > 1) {
        replay_in_parallel(shared, *sections, make, progress);
    } else {
        (*sections)[0].result = replay_section(shared, (*sections)[0], make(), progress);
    }
    CheckReport report;
    report.is_stopped = shared.is_stopped;
    for (Section& section : *sections) {
        if (!section.result) {
            return std::unexpected(std::move(section.result).error());
        }
        report.turns += section.report.turns;
        report.commands += section.report.commands;
        report.unjudged += section.report.unjudged;
        std::ranges::move(section.report.defects, std::back_inserter(report.defects));
    }
    return report;
}

Result<std::optional<State>> replayed_state(const Campaign& campaign, const Replayer& replayer,
                                            const Progress& progress) {
    const auto line = Line::to_head(campaign);
    if (!line) {
        return std::unexpected(line.error());
    }
    Rebuild shared{campaign, *line, Continue::kFromReplayed};
    Section whole = {{}, 0, line->size()};
    if (auto replayed = replay_section(shared, whole, replayer, progress); !replayed) {
        return std::unexpected(std::move(replayed).error());
    }
    return shared.is_stopped ? std::nullopt : std::move(whole.state);
}

Result<CheckReport> rebuild(const Campaign& campaign, const ReplayStep& step,
                            const Progress& progress, const Reread& reread) {
    return rebuild(campaign, [&] { return Replayer{step, reread}; }, progress, 1);
}

}  // namespace arbiter::ledger
