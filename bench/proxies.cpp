#include "bench/proxies.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/check.h"
#include "bench/sockets.h"

namespace arbiter::bench {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// One worker and no buffering, as the documentation of nginx has it for streams.
std::string nginx_settings(const fs::path& folder, std::uint16_t port, std::uint16_t upstream) {
    const std::string at = folder.string();
    return "daemon off; master_process off; pid " + at + "/pid; error_log " + at +
           "/errors; worker_rlimit_nofile 20000; events { worker_connections 19900; } http { "
           "access_log off; client_body_temp_path " +
           at + "/b; proxy_temp_path " + at + "/p; fastcgi_temp_path " + at +
           "/f; uwsgi_temp_path " + at + "/u; scgi_temp_path " + at +
           "/s; keepalive_requests 1000000; upstream model { server 127.0.0.1:" +
           std::to_string(upstream) +
           "; keepalive 1000; keepalive_requests 1000000; } server { listen 127.0.0.1:" +
           std::to_string(port) +
           " backlog=4096; location / { proxy_pass http://model; proxy_http_version 1.1; "
           "proxy_set_header Connection \"\"; proxy_buffering off; } } }\n";
}

}  // namespace

Folder::Folder() {
    static int count = 0;
    path_ = fs::temp_directory_path() /
            ("arbiter-bench-" + std::to_string(getpid()) + "-" + std::to_string(++count));
    fs::create_directories(path_);
}

Folder::~Folder() {
    fs::remove_all(path_);
}

Process::Process(std::vector<std::string> command) : id_(fork()) {
    if (id_ != 0) {
        return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int each : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        dup2(nowhere, each);
    }
    std::vector<char*> arguments;
    for (std::string& each : command) {
        arguments.push_back(each.data());
    }
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    _exit(127);
}

Process::~Process() {
    kill(id_, SIGTERM);
    waitpid(id_, nullptr, 0);
}

void Process::wait_for(std::uint16_t port) const {
    for (int i = 0; i < 10'000; ++i) {
        if (const int socket = connect_to(port); socket >= 0) {
            close(socket);
            return;
        }
        CHECK(waitpid(id_, nullptr, WNOHANG) == 0);  // it ended by itself
        std::this_thread::sleep_for(1ms);
    }
    CHECK(false);
}

double Process::cpu_ns() const {
    double sum = 0;
    for (const auto& each : fs::directory_iterator("/proc/" + std::to_string(id_) + "/task")) {
        double ns = 0;
        std::ifstream(each.path() / "schedstat") >> ns;
        sum += ns;
    }
    return sum;
}

double Process::resident_bytes() const {
    std::ifstream in("/proc/" + std::to_string(id_) + "/statm");
    double all = 0;
    double resident = 0;
    in >> all >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string this_program() {
    return fs::read_symlink("/proc/self/exe").string();
}

std::string arbiter_program() {
    return (fs::path(this_program()).parent_path() / "arbiter").string();
}

std::vector<std::string> command_of(Proxy proxy, std::uint16_t port, std::uint16_t upstream,
                                    const std::string& store, const Folder& folder) {
    const std::string from = std::to_string(port);
    const std::string to = std::to_string(upstream);
    switch (proxy) {
        case Proxy::kArbiter:
            return {arbiter_program(), "serve", "--listen",   "127.0.0.1:" + from,
                    "--store",         store,   "--upstream", "http://127.0.0.1:" + to + "/v1",
                    "--model",         "mock",  "--log",      "json"};
        case Proxy::kRelay:
            return {this_program(), "--relay", from, to};
        case Proxy::kNginx: {
            const fs::path settings = folder.path() / "nginx.conf";
            std::ofstream(settings) << nginx_settings(folder.path(), port, upstream);
            // Unpacked by ./dev bench, or installed.
            const fs::path unpacked = fs::path("build") / "nginx" / "usr" / "sbin" / "nginx";
            return {fs::exists(unpacked) ? unpacked.string() : "nginx",
                    "-p",
                    folder.path().string(),
                    "-e",
                    (folder.path() / "errors").string(),
                    "-c",
                    settings.string()};
        }
        case Proxy::kNode:
            return {"node", (fs::path("bench") / "pipe.mjs").string(), from, to};
    }
    CHECK(false);
}

}  // namespace arbiter::bench
