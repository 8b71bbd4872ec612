// Headers, targets and addresses as data.
#include "net/http.h"

#include <gtest/gtest.h>

#include "net/address.h"

namespace arbiter::net {
namespace {

TEST(Headers, NamesIgnoreCaseAndRepetitionsStay) {
    Headers headers{{"Accept", "a"}, {"accept", "b"}};
    EXPECT_EQ(*headers.find("ACCEPT"), "a");
    headers.set("accept", "c");
    EXPECT_EQ(headers.size(), 1u);
    headers.erase("Accept");
    EXPECT_EQ(headers.find("accept"), nullptr);
}

TEST(Http, WordsOfAListAreFoundInAnyCase) {
    EXPECT_TRUE(has_word("Keep-Alive,  CLOSE", "close"));
    EXPECT_FALSE(has_word("closed", "close"));
}

TEST(Http, QueriesAreDecoded) {
    const auto parsed = parse_query("a=1&b=x%20y+z&&c&d==");
    ASSERT_TRUE(parsed);
    const QueryParameters expected = {{"a", "1"}, {"b", "x y z"}, {"c", ""}, {"d", "="}};
    EXPECT_EQ(*parsed, expected);
    for (const char* broken : {"a=%", "a=%4", "a=%zz", "%ff=1", "a=%E4%B8"}) {
        const auto refused = parse_query(broken);
        ASSERT_FALSE(refused) << broken;
        EXPECT_EQ(refused.error().code, base::ErrorCode::kUrlMalformed);
    }
    EXPECT_EQ(percent_decode("a+b%2Fc").value(), "a+b/c");
    EXPECT_EQ(percent_decode("%E4%B8%AD").value(), "中");
}

TEST(Address, HostsAndPortsAreRead) {
    const std::pair<const char*, Address> cases[] = {
        {"127.0.0.1:7777", {"127.0.0.1", 7777}},
        {"[::1]:0", {"::1", 0}},
        {"LocalHost:65535", {"localhost", 65535}},
        {"0.0.0.0:80", {"0.0.0.0", 80}},
    };
    for (const auto& [text, expected] : cases) {
        ASSERT_TRUE(parse_address(text)) << text;
        EXPECT_EQ(*parse_address(text), expected) << text;
    }
    for (const char* broken : {"",
                               ":",
                               "7777",
                               "127.0.0.1",
                               "127.0.0.1:",
                               "127.0.0.1:x",
                               "127.0.0.1:65536",
                               "::1:80",
                               "[::1]",
                               "[::1]80",
                               "[::1",
                               "[127.0.0.1]:1",
                               "a b:1",
                               "127.1:80",
                               "0x7f.0.0.1:80",
                               "1.2.3.4.5:80",
                               "2130706433:80",
                               "a..b:1",
                               "-a:1",
                               "127.0.0.1:-1",
                               "127.0.0.1:+1"}) {
        ASSERT_FALSE(parse_address(broken)) << broken;
        EXPECT_EQ(parse_address(broken).error().code, base::ErrorCode::kAddressMalformed);
    }
    EXPECT_EQ(print_address({"::1", 80}), "[::1]:80");
}

TEST(Address, UrlsAreRead) {
    const std::pair<const char*, Url> cases[] = {
        {"http://127.0.0.1:8080/v1", {false, "127.0.0.1", 8080, "/v1"}},
        {"https://Api.Example.com/v1/", {true, "api.example.com", 443, "/v1"}},
        {"HTTP://[::1]", {false, "::1", 80, ""}},
        {"http://host?x=1", {false, "host", 80, "/?x=1"}},
        {"http://host_a//", {false, "host_a", 80, ""}},
    };
    for (const auto& [text, expected] : cases) {
        ASSERT_TRUE(parse_url(text)) << text;
        EXPECT_EQ(*parse_url(text), expected) << text;
    }
    for (const char* broken : {"",
                               "host",
                               "ftp://host",
                               "http:/host",
                               "http://",
                               "http:///x",
                               "http://a@b/",
                               "http://a:b@c",
                               "http://host:0",
                               "http://host:",
                               "http://host:99999",
                               "http://ho st",
                               "http://host/#x",
                               "http://host/\xE4",
                               "http://host/\n",
                               "http://[::1",
                               "http://[fe80::1%25eth0]",
                               "http://127.1",
                               "http://0x7f000001",
                               "http://017700000001",
                               "http://1.2.3.4.5"}) {
        ASSERT_FALSE(parse_url(broken)) << broken;
        EXPECT_EQ(parse_url(broken).error().code, base::ErrorCode::kUrlMalformed) << broken;
    }
    EXPECT_EQ(authority_of(*parse_url("https://h:443/a")), "h");
    EXPECT_EQ(authority_of(*parse_url("http://[::1]:81/a")), "[::1]:81");
}

TEST(Address, LoopbackIsRecognised) {
    for (const char* host : {"127.0.0.1", "127.8.9.1", "::1", "localhost", "LOCALHOST"}) {
        EXPECT_TRUE(is_loopback(host)) << host;
    }
    for (const char* host : {"0.0.0.0", "127.evil.com", "10.0.0.1", "::", "localhost.evil", ""}) {
        EXPECT_FALSE(is_loopback(host)) << host;
    }
}

}  // namespace
}  // namespace arbiter::net
