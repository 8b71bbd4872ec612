// Any Host, Origin, Authorization and X-Forwarded-For: a request is admitted only if a second,
// naive reading of its fields agrees; and the address of its sender is the peer's or one that can
// be read. A store with a token admits nothing without it.
#include <arpa/inet.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "server/access.h"

using namespace arbiter;

namespace {

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

struct HostPort {
    std::string host;
    int port = 80;
    bool is_good = false;
};
HostPort split(const std::string& text) {
    HostPort split{lower(text), 80, true};
    const std::size_t colon = split.host.rfind(':');
    if (colon != std::string::npos && !split.host.ends_with(']')) {
        std::string digits = split.host.substr(colon + 1);
        digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
        digits = digits.empty() && split.host.size() > colon + 1 ? "0" : digits;
        split.is_good = !digits.empty() && digits.size() <= 5 &&
                        std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
        split.port = split.is_good ? std::stoi(digits) : 0;
        split.host.resize(colon);
    }
    return split;
}
// The bytes of an address, or the name itself.
std::string meaning(const std::string& host) {
    unsigned char bytes[16];
    if (inet_pton(AF_INET, host.c_str(), bytes) == 1) {
        return std::string(10, '\0') + "\xff\xff" + std::string(bytes, bytes + 4);
    }
    if (host.starts_with('[') && host.ends_with(']') &&
        inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), bytes) == 1) {
        return {bytes, bytes + 16};
    }
    return host;
}
bool is_local(const std::string& host) {
    return host == "localhost" || meaning(host) == meaning("127.0.0.1") ||
           meaning(host) == meaning("[::1]");
}

std::string next_line(std::string_view& rest) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    net::Request head;
    head.method = "POST";
    const std::string host = next_line(rest);
    const std::string origin = next_line(rest);
    const std::string authorization = next_line(rest);
    const std::string forwarded = next_line(rest);
    head.headers.add("host", host);
    if (!origin.empty()) {
        head.headers.add("origin", origin);
    }
    if (!authorization.empty()) {
        head.headers.add("authorization", authorization);
    }
    static const auto kNone = std::make_shared<const server::TokenList>();
    static const auto kOne =
        std::make_shared<const server::TokenList>(std::vector<server::Token>(1));
    server::AccessOptions options;
    options.listen = {"127.0.0.1", 7777};
    options.trusted_proxies = {"192.0.2.0/24"};
    const auto with = [&](const auto& tokens) {
        return server::Access::make(
                   options, [&] { return tokens; }, [] { return engine::Instant{0}; })
            .value();
    };
    const server::Access open = with(kNone);
    const auto admitted = open.admit(head, "127.0.0.1", true);
    if (admitted) {
        const HostPort read = split(host);
        CHECK(read.is_good && is_local(read.host));
        if (!origin.empty()) {
            const std::string text = lower(origin);
            CHECK(text.starts_with("http://"));
            const HostPort page = split(text.substr(7));
            CHECK(page.is_good && page.port == read.port &&
                  meaning(page.host) == meaning(read.host));
        }
    }
    // Nothing hashes to the digest of zeros.
    CHECK(!with(kOne).admit(head, "127.0.0.1", true));
    head.headers.add("x-forwarded-for", forwarded);
    CHECK(!open.admit(head, "127.0.0.1", true));
    CHECK(open.client_of(head, "203.0.113.1") == "203.0.113.1");
    CHECK(server::parse_ip(open.client_of(head, "192.0.2.1")));
    (void)server::IpNetwork::parse(forwarded);
    return 0;
}
