#include "tests/sim/shrink.h"

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "base/check.h"
#include "tests/sim/run.h"

namespace arbiter::sim {

namespace {

struct Trial {
    std::string oracle;  // empty: nothing failed
    std::size_t steps = 0;
    std::string rest;  // the detail, the log and the transcript
};

// "ORACLE\nSTEPS\nrest"
Trial try_plan(const Plan& plan) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    const pid_t process = fork();
    CHECK(process >= 0);
    if (process == 0) {
        close(ends[0]);
        limit_time();
        Coverage coverage;
        const RunResult result = run_plan(plan, coverage);
        std::string report;
        if (result.failure) {
            report = result.failure->oracle + "\n" + std::to_string(result.steps) + "\n" +
                     result.failure->detail + "\n";
            for (const std::string& line : result.log) {
                report += "  " + line + "\n";
            }
            if (!result.transcript.empty()) {
                report += "The last turn as a transcript:\n" + result.transcript;
            }
        }
        std::size_t done = 0;
        while (done < report.size()) {
            const ssize_t wrote = write(ends[1], report.data() + done, report.size() - done);
            if (wrote <= 0) {
                break;
            }
            done += static_cast<std::size_t>(wrote);
        }
        _exit(0);
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
    if (status != 0) {
        return {"the process ended by " + (WIFSIGNALED(status)
                                               ? "signal " + std::to_string(WTERMSIG(status))
                                               : "code " + std::to_string(WEXITSTATUS(status))),
                plan.turns * 2, ""};
    }
    Trial trial;
    const std::size_t first = output.find('\n');
    if (first == std::string::npos) {
        return trial;
    }
    const std::size_t second = output.find('\n', first + 1);
    trial.oracle = output.substr(0, first);
    trial.steps = std::stoull(output.substr(first + 1, second - first - 1));
    trial.rest = output.substr(second + 1);
    return trial;
}

// Leaves out ever smaller groups of steps while the same oracle fails.
Plan shrink(Plan plan, const Trial& found) {
    constexpr std::size_t kTrials = 400;
    std::size_t trials = 0;
    plan.last_step = found.steps;
    for (std::size_t size = found.steps / 2; size > 0 && trials < kTrials; size /= 2) {
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
            }
        }
    }
    return plan;
}

}  // namespace

void limit_time() {
    constexpr int kSeconds = 60;
    itimerval limit = {};
    limit.it_value.tv_sec = kSeconds;
    setitimer(ITIMER_PROF, &limit, nullptr);
}

std::string explain_failure(const Plan& plan) {
    const std::string command =
        "./dev sim --seed " + std::to_string(plan.seed) + " --turns " + std::to_string(plan.turns);
    Trial found = try_plan(plan);
    if (found.oracle.empty()) {
        return "seed " + std::to_string(plan.seed) + " failed once and not again\n";
    }
    Plan shorter = shrink(plan, found);
    shorter.is_logged = true;
    const Trial last = try_plan(shorter);
    return "FAILED: " + found.oracle + "\n  replay: " + command + "\n  " + last.rest;
}

}  // namespace arbiter::sim
