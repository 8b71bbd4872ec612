// A PostgreSQL server of the tests' own, in a folder that is gone afterwards, and a relay before it
// that breaks connections where it is told to.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct passwd;

namespace arbiter::ledger {

class PostgresServer {
  public:
    // Throws when it cannot be started.
    PostgresServer();
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;
    ~PostgresServer();
    // One for all tests of a run.
    static PostgresServer& shared();

    [[nodiscard]] int port() const noexcept { return port_; }
    // A store of its own. `port` may be that of a relay.
    std::string fresh_url();
    [[nodiscard]] std::string url(const std::string& schema, int port = 0) const;
    // Executes a statement as administrator. Returns the first column of the first row.
    std::string sql(const std::string& statement, const std::string& schema = "public");

    // As if the power had gone: the server and all its processes, at once.
    void kill();
    void start();

  private:
    void make_data();
    pid_t spawn(const std::vector<std::string>& arguments, const passwd* user = nullptr);
    bool run(const std::vector<std::string>& arguments, const passwd* user = nullptr);

    std::string folder_;
    std::string programs_;
    int port_ = 0;
    pid_t process_ = -1;
    std::atomic<int> schemas_ = 0;
};

// Stands between a store and the server, and breaks all connections after some bytes.
class Relay {
  public:
    enum class To : std::uint8_t { kServer, kClient };
    struct Cut {
        To direction = To::kServer;
        std::size_t bytes = 0;
        bool server_notices = true;  // else its end stays open and it does all that it was sent
    };

    explicit Relay(int server_port);
    Relay(const Relay&) = delete;
    Relay& operator=(const Relay&) = delete;
    ~Relay();

    [[nodiscard]] int port() const noexcept { return port_; }
    // From now on, one after the other: bytes count from the cut before.
    void cut(std::vector<Cut> cuts);
    [[nodiscard]] bool has_cut_all();
    // Begins to write down what passes, and gives what has.
    void record();
    std::string recorded(To direction);

  private:
    struct Link {
        int client = -1;
        int server = -1;
        bool broken = false;
    };
    void accept_all();
    void pass(const std::shared_ptr<Link>& link, To direction);
    // How many of these bytes may pass; less than all: then comes the cut.
    std::size_t allow(To direction, std::string_view bytes, Cut& cut);
    void break_all(bool server_notices);

    int server_port_;
    int listener_ = -1;
    int port_ = 0;
    std::mutex lock_;
    std::vector<Cut> cuts_;
    std::size_t passed_[2] = {0, 0};
    std::string record_[2];
    std::vector<std::shared_ptr<Link>> links_;
    std::vector<std::thread> threads_;
    std::thread accepting_;
};

// Messages of the protocol in what was recorded: where each ends.
std::vector<std::size_t> message_ends(std::string_view bytes);

// Twice and more of everything in the long run of the tests.
bool is_full_run();

}  // namespace arbiter::ledger
