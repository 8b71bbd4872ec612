// Programs between clients and a model server in the benchmark: ours and its peers, each a
// process of its own that ends with this one.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace arbiter::bench {

// A folder for the files of a case; the destructor removes it.
class Folder {
  public:
    Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder();
    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

  private:
    std::filesystem::path path_;
};

class Process {
  public:
    // Its output is dropped.
    explicit Process(std::vector<std::string> command);
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process();

    // Until something listens on the port.
    void wait_for(std::uint16_t port) const;
    // Of all its threads.
    [[nodiscard]] double cpu_ns() const;
    [[nodiscard]] double resident_bytes() const;

  private:
    pid_t id_;
};

// The program that was built beside this one.
std::string arbiter_program();
std::string this_program();

enum class Proxy : std::uint8_t { kArbiter, kRelay, kNginx, kNode };
// The command that passes what comes to `port` on to `upstream`. `store` is for kArbiter, `folder`
// for the files of kNginx.
std::vector<std::string> command_of(Proxy proxy, std::uint16_t port, std::uint16_t upstream,
                                    const std::string& store, const Folder& folder);

}  // namespace arbiter::bench
