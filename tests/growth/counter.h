// WorkCounter: how much work a function does on this thread.
//
// It counts instructions in user space (perf_event_open), which are the same in every run and do
// not depend on the load of the machine. Where the kernel refuses that (containers, some CI
// machines), it takes the least CPU time of several runs, and the tests allow for its noise.
#pragma once

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <functional>

namespace arbiter::tests {

class WorkCounter {
  public:
    WorkCounter() {
        perf_event_attr attributes = {};
        attributes.type = PERF_TYPE_HARDWARE;
        attributes.size = sizeof attributes;
        attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
        attributes.disabled = 1;
        attributes.exclude_kernel = 1;
        attributes.exclude_hv = 1;
        file_ = static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
        // Some machines open the counter and never count.
        if (file_ >= 0 && instructions([] {
                              volatile int sum = 0;
                              for (int i = 0; i < 1000; ++i) {
                                  sum = sum + i;
                              }
                          }) < 1000) {
            close(file_);
            file_ = -1;
        }
    }
    WorkCounter(const WorkCounter&) = delete;
    WorkCounter& operator=(const WorkCounter&) = delete;
    ~WorkCounter() {
        if (file_ >= 0) {
            close(file_);
        }
    }

    [[nodiscard]] bool is_exact() const noexcept { return file_ >= 0; }

    // Instructions, or nanoseconds if it is not exact.
    double work_of(const std::function<void()>& run) {
        if (is_exact()) {
            return static_cast<double>(instructions(run));
        }
        double least = 0;
        for (int i = 0; i < 3; ++i) {
            const double before = cpu_time();
            run();
            const double took = cpu_time() - before;
            least = i == 0 ? took : std::min(least, took);
        }
        return least;
    }

  private:
    std::uint64_t instructions(const std::function<void()>& run) const {
        ioctl(file_, PERF_EVENT_IOC_RESET, 0);
        ioctl(file_, PERF_EVENT_IOC_ENABLE, 0);
        run();
        ioctl(file_, PERF_EVENT_IOC_DISABLE, 0);
        std::uint64_t count = 0;
        const ssize_t got = read(file_, &count, sizeof count);
        return got == sizeof count ? count : 0;
    }
    static double cpu_time() {
        timespec now = {};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
    }

    int file_ = -1;
};

}  // namespace arbiter::tests
