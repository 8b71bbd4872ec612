// Plain TCP on loopback for the programs of the benchmark: one thread, epoll, no memory taken
// while it measures, so that the program that is measured is the slower one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace arbiter::bench {

// As many open files as the system allows.
void raise_file_limit();
// A port that is free now.
std::uint16_t free_port();
// -1: failed, or nothing to accept. The listener does not block.
int listen_on(std::uint16_t port);
int accept_from(int listener);
int connect_to(std::uint16_t port);
// Everything at once; what is sent here fits into the buffer of a socket. False: it does not, or
// the peer is gone.
bool send_all(int socket, std::string_view bytes);

// Passes bytes on as they come, in both directions, until the process ends: the least that
// anything between a client and a server can do.
[[noreturn]] void relay(std::uint16_t from, std::uint16_t to);

}  // namespace arbiter::bench
