// HTTP/1.1 messages as data, and the encodings of their targets. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace arbiter::net {

struct Header {
    std::string name;  // of a received message: in lower case
    std::string value;
    friend bool operator==(const Header&, const Header&) = default;
};

// Header fields in their order, repetitions included. Names are compared without regard to case.
class Headers {
  public:
    Headers() = default;
    Headers(std::initializer_list<Header> fields) : fields_(fields) {}

    void add(std::string name, std::string value);
    // Replaces all fields of the name.
    void set(std::string name, std::string value);
    void erase(std::string_view name);
    // The value of the first field of the name, or nullptr.
    [[nodiscard]] const std::string* find(std::string_view name) const;

    [[nodiscard]] auto begin() const noexcept { return fields_.begin(); }
    [[nodiscard]] auto end() const noexcept { return fields_.end(); }
    [[nodiscard]] std::size_t size() const noexcept { return fields_.size(); }
    [[nodiscard]] bool empty() const noexcept { return fields_.empty(); }
    friend bool operator==(const Headers&, const Headers&) = default;

  private:
    std::vector<Header> fields_;
};

struct Request {
    std::string method;
    std::string path;   // raw; begins with '/', or is "*" (OPTIONS)
    std::string query;  // raw, behind the '?'
    Headers headers;
    std::string body;
    bool is_http_1_0 = false;
};

struct Response {
    int status = 200;
    std::string reason = {};  // empty: standard_reason()
    // Framing is added when it is sent: Content-Length, Transfer-Encoding and Date are ours.
    // "Connection: close" closes the connection after the answer.
    Headers headers = {};
    std::string body = {};
};

// "Not Found"; empty if the status has no phrase.
[[nodiscard]] std::string_view standard_reason(int status) noexcept;

// True if two names of fields are the same, without regard to case.
[[nodiscard]] bool is_same_name(std::string_view left, std::string_view right) noexcept;

// True if the comma-separated list (the value of Connection, say) has the word, in any case.
[[nodiscard]] bool has_word(std::string_view list, std::string_view word) noexcept;

// A segment of a path, decoded. kUrlMalformed: a broken escape, or the result is not UTF-8.
base::Result<std::string> percent_decode(std::string_view text);

// "a=1&b=x%20y+z" → {a, 1}, {b, "x y z"}. A name without '=' has an empty value; empty parts are
// skipped. Fails as percent_decode().
using QueryParameters = std::vector<std::pair<std::string, std::string>>;
base::Result<QueryParameters> parse_query(std::string_view query);

}  // namespace arbiter::net
