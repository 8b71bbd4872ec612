// TurnLoad: clients that play turns over HTTP, as many a second as a plan says or as many as the
// server takes. One thread on epoll, so that the server is the slower one. Connections are kept and
// used again; an answer that is awaited needs one of its own. Their number is limited, like the
// patience of people: turns that find none free are not sent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace arbiter::bench {

struct TurnPlan {
    std::size_t campaigns = 1;  // name_of(0), name_of(1), … in turns
    double seconds = 1;
    double rate = 0;           // turns a second, whatever the answers; 0: as many as are answered
    std::size_t at_once = 64;  // of rate 0: turns that are awaited
};

// Times are those of the answers.
struct AnsweredTurn {
    double at = 0;
    double took = 0;
};

struct TurnResult {
    std::vector<AnsweredTurn> committed;
    std::vector<AnsweredTurn> refused;  // with 429 or 503, and Retry-After
    std::size_t failed = 0;             // everything else
    std::size_t unsent = 0;             // no connection was free for them
    std::string problem = {};           // of the first that failed
    double began = 0;
    double sent_until = 0;  // the last request
    double ended = 0;       // the last answer
};

class TurnLoad {
  public:
    explicit TurnLoad(std::uint16_t port);
    TurnLoad(const TurnLoad&) = delete;
    TurnLoad& operator=(const TurnLoad&) = delete;
    ~TurnLoad();

    // Returns when everything is answered. `on_tick` is called about every 10 ms.
    TurnResult run(const TurnPlan& plan, const std::function<void()>& on_tick = {});

  private:
    struct Connection {
        std::string answer;
        double since = 0;
        bool is_open = false;
    };

    void send_next();
    void read(int socket);
    void take(int socket, const std::string& answer);
    void fail(int socket, std::string problem);

    std::uint16_t port_;
    int epoll_;
    std::vector<Connection> connections_;  // by the number of the socket
    std::vector<int> idle_;
    // ---- of a run
    TurnPlan plan_;
    TurnResult result_;
    std::size_t due_ = 0;  // turns so far
    std::size_t open_ = 0;
};

}  // namespace arbiter::bench
