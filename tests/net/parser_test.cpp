// The parsers of messages against Boost.Beast, in whole and in pieces; and the decoder of
// server-sent events against a second one.
#include <gtest/gtest.h>

#include "base/limits.h"
#include "net/sse.h"
#include "tests/support/http_twin.h"
#include "tests/support/sse_twin.h"

namespace arbiter::net {
namespace {

using tests::HttpMessage;

constexpr std::string_view kRequests[] = {
    "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST /a/b?c=d HTTP/1.1\r\nHost: a:80\r\nContent-Length: 5\r\n\r\nhelloGET",
    "PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    "5\r\nhello\r\n6;a=b\r\n world\r\n0\r\nTrailer: x\r\n\r\nrest",
    "GET / HTTP/1.0\r\n\r\n",
    "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
    "GET http://b/c HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, close\r\n\r\n",
    "\r\nGET / HTTP/1.1\r\nHost: a\r\nX: \t a b \t \r\nX:\r\nx: \xE4\xB8\xAD\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n",
};
constexpr std::string_view kResponses[] = {
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n",
    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nX: y\r\n\r\n",
    "HTTP/1.0 200 \r\nContent-Length: 1\r\n\r\na",
    "HTTP/1.1 204 No Content\r\n\r\n",
    "HTTP/1.1 200 OK\r\n\r\nuntil the end",
};

// The message with some bytes changed, removed or repeated.
std::string mutated(std::string_view message, tests::Random& random) {
    constexpr std::string_view kBytes = "\r\n\t :;,/?#%0159aAfFxX-+\x01\x7f\x80\xff";
    std::string changed(message);
    for (std::size_t times = 1 + random.below(4); times > 0; --times) {
        const std::size_t at = random.below(changed.size());
        switch (random.below(5)) {
            case 1:
                changed[at] = kBytes[random.below(kBytes.size())];
                break;
            case 2:
                changed.insert(at, 1, kBytes[random.below(kBytes.size())]);
                break;
            case 3:
                changed.erase(at, 1 + random.below(4));
                break;
            case 4:
                changed.insert(at, changed.substr(random.below(changed.size()), random.below(30)));
                break;
            default:
                changed.insert(at, 1, static_cast<char>(random.below(256)));
                break;
        }
        if (changed.empty()) {
            changed = message;
        }
    }
    return changed;
}

TEST(Parser, KnownMessagesAreComplete) {
    for (const std::string_view request : kRequests) {
        EXPECT_EQ(tests::read_message(internal::RequestParser(), request, 3).state,
                  HttpMessage::State::kComplete)
            << request;
        tests::check_message<true>(internal::RequestParser(), request);
    }
    for (const std::string_view response : kResponses) {
        const HttpMessage read = tests::read_message(internal::ResponseParser(false), response, 3);
        EXPECT_EQ(read.state, response.ends_with("until the end") ? HttpMessage::State::kIncomplete
                                                                  : HttpMessage::State::kComplete)
            << response;
        tests::check_message<false>(internal::ResponseParser(false), response);
    }
}

TEST(Parser, MutatedMessagesAreReadAsBeastReadsThem) {
    tests::Random random(1);
    std::size_t complete = 0;
    for (int times = 0; times < 3000; ++times) {
        for (const std::string_view request : kRequests) {
            const std::string changed = mutated(request, random);
            tests::check_message<true>(internal::RequestParser(), changed);
            complete += tests::read_message(internal::RequestParser(), changed, 1000).state ==
                        HttpMessage::State::kComplete;
        }
        for (const std::string_view response : kResponses) {
            tests::check_message<false>(internal::ResponseParser(false), mutated(response, random));
        }
    }
    // The comparison is not empty.
    EXPECT_GT(complete, 1000u);
}

TEST(Parser, NamesAreInLowerCaseAndValuesTrimmed) {
    internal::RequestParser parser;
    std::string_view bytes = "GET /p?q HTTP/1.1\r\nHOST: a\r\nX-Y: \t b c \r\n\r\nrest";
    ASSERT_TRUE(*parser.feed(bytes));
    EXPECT_EQ(bytes, "rest");
    const Headers expected{{"host", "a"}, {"x-y", "b c"}};
    EXPECT_EQ(parser.request().headers, expected);
    EXPECT_EQ(parser.request().path, "/p");
    EXPECT_EQ(parser.request().query, "q");
}

constexpr std::string_view kStreams[] = {
    "data: a\n\ndata: b\n\n",
    "\xEF\xBB\xBF"
    "data: a\r\n\r\n",
    "event: x\rdata: 1\rdata: 2\r\r",
    ": comment\nid: 7\nretry: 10\ndata\n\ndata:  two\n\nid\ndata: c\n\n",
    "event: only\n\ndata: x\n\n",
    "data: without an end",
    "data: {\"choices\":[]}\r\n\r\ndata: [DONE]\r\n\r\n",
    "\n\n\ndata:\n\n\n",
};

TEST(Sse, KnownStreams) {
    using Events = std::vector<SseEvent>;
    EXPECT_EQ(tests::decoded_events(kStreams[0], 1), (Events{{"", "a", ""}, {"", "b", ""}}));
    EXPECT_EQ(tests::decoded_events(kStreams[1], 1), (Events{{"", "a", ""}}));
    EXPECT_EQ(tests::decoded_events(kStreams[2], 1), (Events{{"x", "1\n2", ""}}));
    EXPECT_EQ(tests::decoded_events(kStreams[3], 1),
              (Events{{"", "", "7"}, {"", " two", "7"}, {"", "c", ""}}));
    EXPECT_EQ(tests::decoded_events(kStreams[4], 1), (Events{{"", "x", ""}}));
    EXPECT_EQ(tests::decoded_events(kStreams[5], 1), (Events{{"", "without an end", ""}}));
    EXPECT_EQ(tests::decoded_events(kStreams[7], 1), (Events{{"", "", ""}}));
}

TEST(Sse, AnySplitGivesTheEventsOfTheReference) {
    tests::Random random(1);
    for (const std::string_view stream : kStreams) {
        tests::check_events(stream);
        for (int times = 0; times < 1000; ++times) {
            tests::check_events(mutated(stream, random));
        }
    }
}

// They share a buffer while they are fed.
TEST(Sse, DecodersOfOneThreadKeepTheirEventsApart) {
    SseDecoder outer;
    SseDecoder inner;
    std::vector<std::string> seen;
    const auto note = [&](const SseEvent& event) { seen.push_back(event.data); };
    const auto feed_inner = [&](const SseEvent& event) {
        ASSERT_TRUE(inner.feed("data: in " + event.data.substr(0, 3) + "\n\ndata: begun ", note));
        note(event);
        ASSERT_TRUE(inner.feed(event.data + "\n\n", note));
    };
    ASSERT_TRUE(outer.feed("data: one\ndata: more", feed_inner));
    ASSERT_TRUE(inner.feed("data: between\n\n", note));
    ASSERT_TRUE(outer.feed("\n\ndata: two\n\n", feed_inner));
    const std::vector<std::string> expected = {"between", "in one", "one\nmore", "begun one",
                                               "in two",  "two",    "begun two"};
    EXPECT_EQ(seen, expected);
}

TEST(Sse, EventsAreLimited) {
    const auto feed = [](std::size_t bytes) {
        SseDecoder decoder;
        const std::string name = "data:";
        return decoder.feed(name + std::string(bytes - name.size(), 'x'), [](const SseEvent&) {});
    };
    EXPECT_TRUE(feed(base::kSseEventBytesMax - 1));
    EXPECT_TRUE(feed(base::kSseEventBytesMax));
    const auto refused = feed(base::kSseEventBytesMax + 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, base::ErrorCode::kHttpTooLarge);
    // Many lines of one event.
    SseDecoder decoder;
    const std::string line = "data: " + std::string(1000, 'x') + "\n";
    std::size_t lines = 0;
    while (decoder.feed(line, [](const SseEvent&) {}) && lines < 10'000) {
        ++lines;
    }
    EXPECT_LT(lines, 1100u);
    EXPECT_FALSE(decoder.feed("\n\n", [](const SseEvent&) {}));
}

TEST(Sse, PrintedEventsKeepTheirLines) {
    EXPECT_EQ(print_event({"turn", "a\nb\r\nc\rd", "7"}),
              "event: turn\nid: 7\ndata: a\ndata: b\ndata: c\ndata: d\n\n");
    EXPECT_EQ(print_event({"", "", ""}), "data: \n\n");
    EXPECT_EQ(print_event({"a\nb", "x", "1\r2"}), "event: ab\nid: 12\ndata: x\n\n");
}

}  // namespace
}  // namespace arbiter::net
