#include "tests/sim/batch.h"

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "base/check.h"
#include "tests/sim/coverage.h"
#include "tests/sim/run.h"
#include "tests/sim/shrink.h"

namespace arbiter::sim {

namespace {

struct Worker {
    pid_t process = 0;
    int pipe = -1;
    std::string output;
};

struct Totals {
    Coverage coverage;
    std::size_t turns = 0;
    std::size_t seeds = 0;
    double cpu = 0;
    std::vector<std::uint64_t> failed;
};

void write_line(int pipe, const std::string& line) {
    const std::string whole = line + "\n";
    std::size_t done = 0;
    while (done < whole.size()) {
        const ssize_t wrote = write(pipe, whole.data() + done, whole.size() - done);
        CHECK(wrote > 0);
        done += static_cast<std::size_t>(wrote);
    }
}

// Plays every jobs-th seed and reports: "begin SEED", "end SEED TURNS", "fail SEED …", then the
// coverage.
[[noreturn]] void work(const Batch& batch, std::size_t share, int pipe) {
    Coverage coverage;
    for (std::size_t i = share; i < batch.seeds; i += batch.jobs) {
        const std::uint64_t seed = batch.first + i;
        write_line(pipe, "begin " + std::to_string(seed));
        limit_time();
        Plan plan;
        plan.seed = seed;
        plan.turns = batch.turns;
        const RunResult result = run_plan(plan, coverage);
        if (result.failure) {
            write_line(pipe, "fail " + std::to_string(seed));
            if (batch.stops) {
                i = batch.seeds;
            }
        }
        write_line(pipe, "end " + std::to_string(seed) + " " + std::to_string(result.turns));
    }
    write_line(pipe, "cpu " + std::to_string(static_cast<double>(clock()) / CLOCKS_PER_SEC));
    write_line(pipe, coverage.print());
    _exit(0);
}

Worker start(const Batch& batch, std::size_t share) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    Worker worker;
    worker.process = fork();
    CHECK(worker.process >= 0);
    if (worker.process == 0) {
        close(ends[0]);
        work(batch, share, ends[1]);
    }
    close(ends[1]);
    worker.pipe = ends[0];
    return worker;
}

void take_line(const std::string& line, Totals& totals, std::uint64_t& present) {
    if (line.starts_with("begin ")) {
        present = std::stoull(line.substr(6));
    } else if (line.starts_with("fail ")) {
        totals.failed.push_back(std::stoull(line.substr(5)));
    } else if (line.starts_with("end ")) {
        totals.turns += std::stoull(line.substr(line.rfind(' ') + 1));
        ++totals.seeds;
        present = 0;
    } else if (line.starts_with("cpu ")) {
        totals.cpu += std::stod(line.substr(4));
    } else {
        totals.coverage.read(line);
    }
}

// Reads what a process wrote until it ends. A process that died counts as a failure of its seed;
// the seeds behind it are played by another one.
void collect(const Batch& batch, std::vector<Worker>& workers, Totals& totals) {
    const auto is_over = [&] { return batch.stops && !totals.failed.empty(); };
    const auto started = std::chrono::steady_clock::now();
    for (std::size_t share = 0; share < workers.size(); ++share) {
        Worker& worker = workers[share];
        std::uint64_t present = 0;
        char buffer[4096];
        ssize_t got = 0;
        auto shown = started;
        if (is_over()) {
            kill(worker.process, SIGKILL);
        }
        while ((got = read(worker.pipe, buffer, sizeof buffer)) > 0) {
            worker.output.append(buffer, static_cast<std::size_t>(got));
            std::size_t end = 0;
            while ((end = worker.output.find('\n')) != std::string::npos) {
                take_line(worker.output.substr(0, end), totals, present);
                worker.output.erase(0, end + 1);
            }
            const auto now = std::chrono::steady_clock::now();
            if (now - shown > std::chrono::seconds(5)) {
                shown = now;
                std::printf("… %zu seeds, %zu turns, %zu failed\n", totals.seeds, totals.turns,
                            totals.failed.size());
                std::fflush(stdout);
            }
        }
        close(worker.pipe);
        int status = 0;
        waitpid(worker.process, &status, 0);
        if (present != 0 && !is_over()) {
            totals.failed.push_back(present);
            std::printf("seed %llu ended the process (%s %d)\n",
                        static_cast<unsigned long long>(present),
                        WIFSIGNALED(status) ? "signal" : "exit code",
                        WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        }
    }
}

}  // namespace

int run_batch(const Batch& batch, bool is_long) {
    const auto started = std::chrono::steady_clock::now();
    std::vector<Worker> workers;
    std::fflush(stdout);
    for (std::size_t share = 0; share < batch.jobs; ++share) {
        workers.push_back(start(batch, share));
    }
    Totals totals;
    collect(batch, workers, totals);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    std::printf("%s", totals.coverage.report(is_long).c_str());
    std::printf("%zu seeds, %zu turns in %.1f s: %.0f turns/s, %.0f turns/s of one core\n",
                totals.seeds, totals.turns, seconds, static_cast<double>(totals.turns) / seconds,
                totals.cpu > 0 ? static_cast<double>(totals.turns) / totals.cpu : 0.0);
    constexpr std::size_t kShown = 3;
    for (std::size_t i = 0; i < totals.failed.size() && i < kShown; ++i) {
        Plan plan;
        plan.seed = totals.failed[i];
        plan.turns = batch.turns;
        std::printf("%s", explain_failure(plan).c_str());
        std::fflush(stdout);
    }
    if (!totals.failed.empty()) {
        std::printf("%zu seeds failed:", totals.failed.size());
        for (const std::uint64_t seed : totals.failed) {
            std::printf(" %llu", static_cast<unsigned long long>(seed));
        }
        std::printf("\n");
    }
    return totals.failed.empty() ? 0 : 1;
}

}  // namespace arbiter::sim
