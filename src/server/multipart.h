// Multipart: the parts of a multipart/form-data body (RFC 7578). Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbiter::server {

struct Part {
    std::string name;
    std::string file;  // as the sender names it: never opened; empty: a field
    std::string bytes;
};

inline constexpr std::size_t kPartsMax = 64;  // more than any form of ours has fields
inline constexpr std::size_t kPartHeaderBytesMax = std::size_t{8} << 10;

// `type` is the value of Content-Type. Fails with kHttpMalformed, or with kHttpTooLarge.
base::Result<std::vector<Part>> parse_multipart(std::string_view type, std::string_view body);

// A parameter of a header field, such as the boundary of a Content-Type; unquoted. Empty: absent.
std::string header_parameter(std::string_view field, std::string_view name);

}  // namespace arbiter::server
