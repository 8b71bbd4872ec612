#include "tests/ledger/postgres_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <grp.h>
#include <libpq-fe.h>
#include <netinet/tcp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace arbiter::ledger {

namespace {

namespace fs = std::filesystem;

std::string find_programs() {
    std::string found;
    std::error_code none;
    for (const auto& each : fs::directory_iterator("/usr/lib/postgresql", none)) {
        if (fs::exists(each.path() / "bin" / "initdb")) {
            found = std::max(found, (each.path() / "bin").string());
        }
    }
    if (found.empty()) {
        throw std::runtime_error("there is no PostgreSQL server; ./dev test installs it");
    }
    return found;
}

// PostgreSQL refuses to run as root.
const passwd* user_to_be() {
    if (geteuid() != 0) {
        return nullptr;
    }
    const passwd* user = getpwnam("postgres");
    return user != nullptr ? user : getpwnam("nobody");
}

int bound_socket(int& port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (bind(socket, reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        throw std::runtime_error("no free port");
    }
    port = ntohs(address.sin_port);
    return socket;
}

}  // namespace

bool is_full_run() {
    return std::getenv("ARBITER_FULL") != nullptr;
}

// ---- the server

PostgresServer::PostgresServer() : programs_(find_programs()) {
    folder_ = (fs::temp_directory_path() / ("arbiter-pg-" + std::string(6, 'X'))).string();
    if (mkdtemp(folder_.data()) == nullptr) {
        throw std::runtime_error("no folder for the server");
    }
    if (const passwd* user = user_to_be();
        user != nullptr && chown(folder_.c_str(), user->pw_uid, user->pw_gid) != 0) {
        throw std::runtime_error("cannot give the folder away");
    }
    close(bound_socket(port_));
    make_data();
    start();
}

// Each test is a program of its own for ctest. The first one makes an empty database, which takes a
// second, and leaves a copy for the others beside the programs.
void PostgresServer::make_data() {
    const std::string data = folder_ + "/data";
#ifdef ARBITER_TEST_SCRATCH
    const std::string version = fs::path(programs_).parent_path().filename().string();
    const std::string copy = std::string(ARBITER_TEST_SCRATCH) + "/postgres-" + version + "-" +
                             std::to_string(geteuid());
    if (fs::exists(copy + "/PG_VERSION") && run({"/bin/cp", "-a", copy, data})) {
        return;
    }
    fs::remove_all(data);
#endif
    if (!run({programs_ + "/initdb", "-D", data, "-U", "arbiter", "-A", "trust", "-E", "UTF8",
              "--no-locale", "--no-sync"},
             user_to_be())) {
        throw std::runtime_error("initdb failed; see " + folder_ + "/log");
    }
#ifdef ARBITER_TEST_SCRATCH
    // Others may be doing the same: only a whole one gets the name, and the first keeps it.
    const std::string part = copy + "." + std::to_string(getpid());
    std::error_code taken;
    if (run({"/bin/cp", "-a", data, part})) {
        fs::rename(part, copy, taken);
    }
    fs::remove_all(part, taken);
#endif
}

PostgresServer::~PostgresServer() {
    kill();
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

PostgresServer& PostgresServer::shared() {
    static PostgresServer server;
    return server;
}

pid_t PostgresServer::spawn(const std::vector<std::string>& arguments, const passwd* user) {
    const pid_t parent = getpid();
    std::vector<char*> words;
    for (const std::string& each : arguments) {
        words.push_back(const_cast<char*>(each.c_str()));
    }
    words.push_back(nullptr);
    const std::string log = folder_ + "/log";
    const pid_t child = fork();
    if (child != 0) {
        return child;
    }
    const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(out, 1);
    dup2(out, 2);
    if (user != nullptr &&
        (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)) {
        _exit(126);
    }
    // Nothing stays behind when the test is killed.
    prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (getppid() == parent && chdir("/") == 0) {
        execv(words[0], words.data());
    }
    _exit(127);
}

bool PostgresServer::run(const std::vector<std::string>& arguments, const passwd* user) {
    int status = 0;
    return waitpid(spawn(arguments, user), &status, 0) > 0 && status == 0;
}

void PostgresServer::start() {
    // Once killed, its processes may take a moment to let go of their memory.
    for (int tries = 0; tries < 50; ++tries) {
        process_ =
            spawn({programs_ + "/postgres", "-D", folder_ + "/data", "-p", std::to_string(port_),
                   "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=" + folder_,
                   "-c", "shared_buffers=32MB", "-c", "max_connections=100"},
                  user_to_be());
        for (int i = 0; i < 3000; ++i) {
            if (PQping(url("public").c_str()) == PQPING_OK) {
                return;
            }
            if (waitpid(process_, nullptr, WNOHANG) == process_) {
                process_ = -1;
                break;
            }
            usleep(10'000);
        }
        usleep(100'000);
    }
    throw std::runtime_error("the server does not start; see " + folder_ + "/log");
}

void PostgresServer::kill() {
    if (process_ <= 0) {
        return;
    }
    std::vector<pid_t> all = {process_};
    const std::string name = std::to_string(process_);
    std::ifstream children("/proc/" + name + "/task/" + name + "/children");
    for (pid_t child = 0; children >> child;) {
        all.push_back(child);
    }
    for (const pid_t each : all) {
        ::kill(each, SIGKILL);
    }
    waitpid(process_, nullptr, 0);
    process_ = -1;
}

std::string PostgresServer::url(const std::string& schema, int port) const {
    return "postgres://arbiter@127.0.0.1:" + std::to_string(port == 0 ? port_ : port) +
           "/postgres?sslmode=disable&gssencmode=disable&options=-csearch_path%3D" + schema;
}

std::string PostgresServer::fresh_url() {
    const std::string schema = "s" + std::to_string(++schemas_);
    sql("CREATE SCHEMA " + schema);
    return url(schema);
}

std::string PostgresServer::sql(const std::string& statement, const std::string& schema) {
    PGconn* connection = PQconnectdb(url(schema).c_str());
    PGresult* result = PQexec(connection, statement.c_str());
    const ExecStatusType status = PQresultStatus(result);
    const std::string words = PQerrorMessage(connection);
    const std::string value = PQntuples(result) > 0 ? PQgetvalue(result, 0, 0) : "";
    PQclear(result);
    PQfinish(connection);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
        throw std::runtime_error(statement + ": " + words);
    }
    return value;
}

// ---- the relay

Relay::Relay(int server_port) : server_port_(server_port) {
    listener_ = bound_socket(port_);
    listen(listener_, 64);
    accepting_ = std::thread([this] { accept_all(); });
}

Relay::~Relay() {
    shutdown(listener_, SHUT_RDWR);
    accepting_.join();
    break_all(true);
    for (std::thread& each : threads_) {
        each.join();
    }
    close(listener_);
    for (const auto& link : links_) {
        close(link->client);
        close(link->server);
    }
}

void Relay::accept_all() {
    while (true) {
        const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client < 0) {
            return;
        }
        const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(server_port_));
        if (connect(server, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
            close(client);
            close(server);
            continue;
        }
        const int yes = 1;
        setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        auto link = std::make_shared<Link>(Link{client, server});
        const std::scoped_lock lock(lock_);
        links_.push_back(link);
        threads_.emplace_back([this, link] { pass(link, To::kServer); });
        threads_.emplace_back([this, link] { pass(link, To::kClient); });
    }
}

std::size_t Relay::allow(To direction, std::string_view bytes, Cut& cut) {
    const std::scoped_lock lock(lock_);
    const auto at = static_cast<std::size_t>(direction);
    record_[at] += bytes;
    if (cuts_.empty() || cuts_.front().direction != direction) {
        return bytes.size();
    }
    const std::size_t left = cuts_.front().bytes - passed_[at];
    if (bytes.size() < left) {
        passed_[at] += bytes.size();
        return bytes.size();
    }
    cut = cuts_.front();
    cuts_.erase(cuts_.begin());
    passed_[0] = passed_[1] = 0;
    // A server that is not to notice gets all that was sent.
    return cut.server_notices || direction == To::kClient ? left : bytes.size();
}

void Relay::pass(const std::shared_ptr<Link>& link, To direction) {
    const int from = direction == To::kServer ? link->client : link->server;
    const int to = direction == To::kServer ? link->server : link->client;
    char buffer[16384];
    while (true) {
        const ssize_t got = recv(from, buffer, sizeof buffer, 0);
        if (got <= 0) {
            break;
        }
        Cut cut;
        const std::size_t size = allow(direction, {buffer, static_cast<std::size_t>(got)}, cut);
        (void)send(to, buffer, size, MSG_NOSIGNAL);
        if (cut.bytes > 0) {
            break_all(cut.server_notices);
        }
    }
    const std::scoped_lock lock(lock_);
    if (!link->broken) {
        shutdown(to, SHUT_RDWR);
        shutdown(from, SHUT_RDWR);
    }
}

void Relay::break_all(bool server_notices) {
    const std::scoped_lock lock(lock_);
    for (const auto& link : links_) {
        shutdown(link->client, SHUT_RDWR);
        if (server_notices) {
            shutdown(link->server, SHUT_RDWR);
        } else {
            link->broken = true;
        }
    }
}

void Relay::cut(std::vector<Cut> cuts) {
    const std::scoped_lock lock(lock_);
    cuts_ = std::move(cuts);
    passed_[0] = passed_[1] = 0;
}

bool Relay::has_cut_all() {
    const std::scoped_lock lock(lock_);
    return cuts_.empty();
}

void Relay::record() {
    const std::scoped_lock lock(lock_);
    record_[0].clear();
    record_[1].clear();
}

std::string Relay::recorded(To direction) {
    const std::scoped_lock lock(lock_);
    return record_[static_cast<std::size_t>(direction)];
}

std::vector<std::size_t> message_ends(std::string_view bytes) {
    std::vector<std::size_t> ends;
    for (std::size_t at = 0; at + 5 <= bytes.size();) {
        std::size_t length = 0;
        for (std::size_t i = 1; i <= 4; ++i) {
            length = length << 8 | static_cast<unsigned char>(bytes[at + i]);
        }
        at += 1 + length;
        ends.push_back(at);
    }
    return ends;
}

}  // namespace arbiter::ledger
