#include "tests/sim/batch.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/check.h"
#include "tests/sim/coverage.h"
#include "tests/sim/run.h"
#include "tests/sim/shrink.h"
#include "turn/turn_result.h"

namespace arbiter::sim {

namespace {

// Fewer turns than these do not reach everything, so gaps of the coverage are only reported.
constexpr std::size_t kTurnsForCoverage = 1'000'000;
constexpr std::size_t kDetailBytes = 200;  // of a failure, in the list of all of them
// Every so many seeds one is played twice: both runs must be the same to the last byte.
constexpr std::uint64_t kReplayedEvery = 50;

// A process that plays every jobs-th seed.
struct Worker {
    std::size_t share = 0;
    pid_t process = 0;
    int pipe = -1;
    std::string output;                 // not yet read as lines
    std::optional<std::uint64_t> seed;  // that is being played
};

struct Failed {
    std::uint64_t seed = 0;
    std::string what;  // the oracle and the step
};

struct Totals {
    Coverage coverage;
    std::size_t turns = 0;
    std::size_t seeds = 0;
    double cpu = 0;
    std::vector<Failed> failed;
};

double processor_seconds() {
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void write_line(int pipe, const std::string& line) {
    const std::string whole = line + "\n";
    std::size_t done = 0;
    while (done < whole.size()) {
        const ssize_t wrote = write(pipe, whole.data() + done, whole.size() - done);
        CHECK(wrote > 0);
        done += static_cast<std::size_t>(wrote);
    }
}

// The first failure of a seed; every kReplayedEvery-th is played again and must be the same.
RunResult play(const Plan& plan, Coverage& coverage) {
    RunResult result = run_plan(plan, coverage);
    if (result.failure || plan.seed % kReplayedEvery != 0) {
        return result;
    }
    Coverage unused;
    const RunResult again = run_plan(plan, unused);
    if (again.fingerprint != result.fingerprint) {
        result.failure = {"a seed always plays the same", "its second run differs"};
    }
    result.turns += again.turns;
    return result;
}

// Reports for each seed: "begin SEED", its coverage, "end SEED TURNS CPU", "fail SEED WHAT".
[[noreturn]] void work(const Batch& batch, std::size_t from, int pipe) {
    for (std::size_t i = from; i < batch.seeds; i += batch.jobs) {
        Plan plan;
        plan.seed = batch.first + i;
        plan.turns = batch.turns;
        const std::string seed = std::to_string(plan.seed);
        write_line(pipe, "begin " + seed);
        limit_time();
        Coverage coverage;
        const double started = processor_seconds();
        const RunResult result = play(plan, coverage);
        write_line(pipe, coverage.print());
        write_line(pipe, "end " + seed + " " + std::to_string(result.turns) + " " +
                             std::to_string(processor_seconds() - started));
        if (result.failure) {
            std::string detail = result.failure->detail.substr(0, kDetailBytes);
            std::ranges::replace_if(detail, [](char c) { return c == '\n' || c == '\t'; }, ' ');
            write_line(pipe, "fail " + seed + " " + result.failure->oracle + " (step " +
                                 std::to_string(result.steps) + "): " + detail);
        }
        if (result.failure && batch.stops) {
            break;
        }
    }
    std::exit(0);  // not _exit(): the counts of ./dev profile are written at the end
}

Worker start(const Batch& batch, std::size_t share, std::size_t from) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    std::fflush(stdout);
    Worker worker;
    worker.share = share;
    worker.process = fork();
    CHECK(worker.process >= 0);
    if (worker.process == 0) {
        close(ends[0]);
        work(batch, from, ends[1]);
    }
    close(ends[1]);
    worker.pipe = ends[0];
    return worker;
}

// Said at once: a long run may be cut short.
void note_failure(Totals& totals, Failed failed) {
    std::printf("seed %llu failed: %s\n", static_cast<unsigned long long>(failed.seed),
                failed.what.c_str());
    std::fflush(stdout);
    totals.failed.push_back(std::move(failed));
}

void take_line(const std::string& line, Totals& totals, std::optional<std::uint64_t>& present) {
    std::istringstream words(line);
    std::string kind;
    std::uint64_t seed = 0;
    if (line.contains('\t')) {
        totals.coverage.read(line);
        return;
    }
    words >> kind >> seed;
    if (kind == "begin") {
        present = seed;
    } else if (kind == "fail") {
        std::string what;
        std::getline(words >> std::ws, what);
        note_failure(totals, {seed, what});
    } else if (kind == "end") {
        std::size_t turns = 0;
        double cpu = 0;
        words >> turns >> cpu;
        totals.turns += turns;
        totals.cpu += cpu;
        ++totals.seeds;
        present.reset();
    }
}

// Reads what is there. False: the process has ended.
bool take_output(Worker& worker, Totals& totals) {
    char buffer[16384];
    const ssize_t got = read(worker.pipe, buffer, sizeof buffer);
    if (got <= 0) {
        return false;
    }
    worker.output.append(buffer, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    std::size_t end = 0;
    while ((end = worker.output.find('\n', begin)) != std::string::npos) {
        take_line(worker.output.substr(begin, end - begin), totals, worker.seed);
        begin = end + 1;
    }
    worker.output.erase(0, begin);
    return true;
}

// A process that died is a failure of the seed that it played; another one plays those behind it.
std::optional<Worker> replace(const Batch& batch, const Worker& dead, Totals& totals) {
    close(dead.pipe);
    int status = 0;
    waitpid(dead.process, &status, 0);
    if (!dead.seed) {
        // Between two seeds it runs code of the simulator only.
        CHECK(status == 0);
        return std::nullopt;
    }
    note_failure(totals, {*dead.seed, "the process ended by " + describe_ending(status)});
    ++totals.seeds;
    const std::size_t next = static_cast<std::size_t>(*dead.seed - batch.first) + batch.jobs;
    return next < batch.seeds && !batch.stops ? std::optional(start(batch, dead.share, next))
                                              : std::nullopt;
}

void stop(const std::vector<Worker>& workers) {
    for (const Worker& each : workers) {
        kill(each.process, SIGKILL);
        close(each.pipe);
        waitpid(each.process, nullptr, 0);
    }
}

void collect(const Batch& batch, std::vector<Worker> workers, Totals& totals) {
    auto shown = std::chrono::steady_clock::now();
    while (!workers.empty()) {
        if (batch.stops && !totals.failed.empty()) {
            stop(workers);
            return;
        }
        std::vector<pollfd> pipes;
        for (const Worker& each : workers) {
            pipes.push_back({each.pipe, POLLIN, 0});
        }
        poll(pipes.data(), pipes.size(), -1);
        std::vector<Worker> running;
        for (std::size_t i = 0; i < workers.size(); ++i) {
            if (pipes[i].revents == 0 || take_output(workers[i], totals)) {
                running.push_back(std::move(workers[i]));
            } else if (auto next = replace(batch, workers[i], totals)) {
                running.push_back(*std::move(next));
            }
        }
        workers = std::move(running);
        const auto now = std::chrono::steady_clock::now();
        if (now - shown > std::chrono::seconds(5)) {
            shown = now;
            std::printf("… %zu seeds, %zu turns, %zu failed\n", totals.seeds, totals.turns,
                        totals.failed.size());
            std::fflush(stdout);
        }
    }
}

// True: everything was reached that should be, and nothing else.
bool check_coverage(const Coverage& coverage) {
    bool is_complete = true;
    for (const std::string& each : coverage.gaps()) {
        std::printf("COVERAGE: %s\n", each.c_str());
        is_complete = false;
    }
    return is_complete;
}

void print_failures(const Batch& batch, std::vector<Failed>& failed) {
    constexpr std::size_t kShrunk = 3;
    std::ranges::sort(failed, {}, &Failed::seed);
    for (std::size_t i = 0; batch.shrinks && i < failed.size() && i < kShrunk; ++i) {
        Plan plan;
        plan.seed = failed[i].seed;
        plan.turns = batch.turns;
        std::printf("%s", explain_failure(plan, failed[i].what).c_str());
        std::fflush(stdout);
    }
    std::printf("%zu seeds failed:\n", failed.size());
    for (const Failed& each : failed) {
        std::printf("  %llu: %s\n", static_cast<unsigned long long>(each.seed), each.what.c_str());
    }
}

}  // namespace

int run_batch(const Batch& batch, bool is_long) {
    const auto started = std::chrono::steady_clock::now();
    std::vector<Worker> workers;
    for (std::size_t share = 0; share < std::min(batch.jobs, batch.seeds); ++share) {
        workers.push_back(start(batch, share, share));
    }
    Totals totals;
    collect(batch, std::move(workers), totals);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    std::printf("%s", totals.coverage.report(is_long).c_str());
    std::printf("%zu seeds, %zu turns in %.1f s: %.0f turns/s, %.0f turns/s of one core\n",
                totals.seeds, totals.turns, seconds, static_cast<double>(totals.turns) / seconds,
                totals.cpu > 0 ? static_cast<double>(totals.turns) / totals.cpu : 0.0);
    std::printf("%llu of the turns were committed\n",
                static_cast<unsigned long long>(
                    totals.coverage.of("turn status", turn::name(turn::Status::kCommitted))));
    bool is_good = totals.failed.empty();
    if (!is_good) {
        print_failures(batch, totals.failed);
    }
    if (totals.turns >= kTurnsForCoverage && !check_coverage(totals.coverage)) {
        is_good = false;
    }
    return is_good ? 0 : 1;
}

}  // namespace arbiter::sim
