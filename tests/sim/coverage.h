// Coverage: how often the simulator reached each code, tool, setting, fault and so on.
//
// Plain counters; the counters of several processes are added up.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::sim {

class Coverage {
  public:
    void count(std::string_view kind, std::string_view name, std::uint64_t times = 1);
    void add(const Coverage& other);
    [[nodiscard]] std::uint64_t of(std::string_view kind, std::string_view name) const;

    // Lines of "kind<TAB>name<TAB>times", and back.
    [[nodiscard]] std::string print() const;
    void read(std::string_view lines);

    // A sentence for each member that was not reached and has no reason for it, and for each that
    // was reached in spite of one.
    [[nodiscard]] std::vector<std::string> gaps() const;
    // The figures for people: every kind with its members, and those that were never reached. Of an
    // error code that the simulator cannot reach, the reason.
    [[nodiscard]] std::string report(bool is_long) const;

  private:
    std::map<std::string, std::map<std::string, std::uint64_t, std::less<>>, std::less<>> counts_;
};

}  // namespace arbiter::sim
