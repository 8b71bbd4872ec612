// Messages as they are sent: start line, fields and framing. Pure but for the clock in Date.
//
// Control characters in names and values become blanks, so that no value can end its line.
#pragma once

#include <cstdint>
#include <string>

#include "net/client.h"
#include "net/http.h"

namespace arbiter::net::internal {

// Properties of the request and its connection that the head of a response depends on.
struct AnswerTraits {
    bool is_to_head = false;
    bool is_http_1_0 = false;
    bool keeps_alive = true;
};
enum class BodyKind : std::uint8_t { kWhole, kStream };
// Ends with the blank line.
[[nodiscard]] std::string print_head(const Response& response, const AnswerTraits& traits,
                                     BodyKind kind);

// True for 1xx, 204 and 304.
[[nodiscard]] bool has_no_body(int status) noexcept;

// The whole request. Host, Content-Length and Accept-Encoding are ours.
[[nodiscard]] std::string print_request(const ClientRequest& request);

}  // namespace arbiter::net::internal
