#include "tests/sim/shrink.h"

#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <vector>

#include "base/check.h"
#include "tests/sim/run.h"

namespace arbiter::sim {

namespace {

struct Trial {
    std::string oracle;  // empty: nothing failed
    std::size_t steps = 0;
    std::string log;
    std::string detail;  // with the transcript
};

// A number that a process and its parent share: the step at which a process died.
class SharedStep {
  public:
    SharedStep()
        : page_(mmap(nullptr, sizeof(std::size_t), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        CHECK(page_ != MAP_FAILED);
    }
    SharedStep(const SharedStep&) = delete;
    SharedStep& operator=(const SharedStep&) = delete;
    ~SharedStep() { munmap(page_, sizeof(std::size_t)); }
    [[nodiscard]] std::size_t* get() const noexcept { return static_cast<std::size_t*>(page_); }

  private:
    void* page_;
};

void write_all(int pipe, std::string_view text) {
    while (!text.empty()) {
        const ssize_t wrote = write(pipe, text.data(), text.size());
        if (wrote <= 0) {
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(wrote));
    }
}

// Before the result; the log is written as it grows and ends where a process died.
constexpr char kMark = '\x01';

[[noreturn]] void play(Plan plan, bool is_logged, int pipe) {
    limit_time();
    if (is_logged) {
        plan.log = [pipe](std::string_view text) { write_all(pipe, text); };
    }
    Coverage coverage;
    const RunResult result = run_plan(plan, coverage);
    std::string report(1, kMark);
    if (result.failure) {
        report += result.failure->oracle + "\n" + result.failure->detail + "\n";
        if (!result.transcript.empty()) {
            report += "The last turn as a transcript:\n" + result.transcript;
        }
    }
    write_all(pipe, report);
    _exit(0);
}

Trial try_plan(Plan plan, bool is_logged = false) {
    const SharedStep step;
    plan.progress = step.get();
    int ends[2];
    CHECK(pipe(ends) == 0);
    std::fflush(stdout);
    const pid_t process = fork();
    CHECK(process >= 0);
    if (process == 0) {
        close(ends[0]);
        play(std::move(plan), is_logged, ends[1]);
    }
    close(ends[1]);
    std::string output;
    char buffer[4096];
    ssize_t got = 0;
    while ((got = read(ends[0], buffer, sizeof buffer)) > 0) {
        output.append(buffer, static_cast<std::size_t>(got));
    }
    close(ends[0]);
    int status = 0;
    waitpid(process, &status, 0);
    Trial trial;
    trial.steps = *step.get();
    const std::size_t mark = output.find(kMark);
    trial.log = output.substr(0, mark);
    if (status != 0) {
        trial.oracle = "the process ended by " + describe_ending(status);
    } else if (mark != std::string::npos && mark + 1 < output.size()) {
        const std::size_t end = output.find('\n', mark);
        trial.oracle = output.substr(mark + 1, end - mark - 1);
        trial.detail = output.substr(end + 1);
    }
    return trial;
}

// Leaves out ever smaller groups of steps while the same oracle fails, until no single step can be
// left out.
Plan shrink(Plan plan, const Trial& found) {
    constexpr std::size_t kTrials = 600;
    std::size_t trials = 0;
    plan.last_step = found.steps;
    bool has_shrunk = true;
    for (std::size_t size = std::max<std::size_t>(1, found.steps / 2);
         trials < kTrials && (size > 1 || has_shrunk); size = std::max<std::size_t>(1, size / 2)) {
        has_shrunk = false;
        for (std::size_t from = 1; from < found.steps && trials < kTrials; from += size) {
            Plan shorter = plan;
            for (std::size_t i = from; i < from + size && i < found.steps; ++i) {
                shorter.skipped.insert(i);
            }
            if (shorter.skipped.size() == plan.skipped.size()) {
                continue;
            }
            ++trials;
            if (try_plan(shorter).oracle == found.oracle) {
                plan = std::move(shorter);
                has_shrunk = true;
            }
        }
    }
    return plan;
}

}  // namespace

std::string describe_ending(int status) {
    return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status))
                               : "exit code " + std::to_string(WEXITSTATUS(status));
}

void limit_time() {
    constexpr int kSeconds = 60;
    itimerval limit = {};
    limit.it_value.tv_sec = kSeconds;
    setitimer(ITIMER_PROF, &limit, nullptr);
}

std::string explain_failure(const Plan& plan, std::string_view what) {
    const std::string command =
        "./dev sim --seed " + std::to_string(plan.seed) + " --turns " + std::to_string(plan.turns);
    const Trial found = try_plan(plan);
    if (found.oracle.empty()) {
        return "FAILED: " + std::string(what) + "\n  seed " + std::to_string(plan.seed) +
               " does not fail in a process of its own: something is kept from seed to seed\n";
    }
    const Trial last = try_plan(shrink(plan, found), true);
    return "FAILED: " + found.oracle + "\n  replay: " + command +
           "\n  the steps that are needed:" + last.log + "\n  " + last.detail;
}

}  // namespace arbiter::sim
