// Goal: the page is served to everyone with a policy that runs nothing but its own files (S10), is
// not sent twice, and a program without a page says how to get one.
#include "server/page.h"

#include <gtest/gtest.h>

#include "tests/server/api_client.h"

namespace arbiter::server {
namespace {

class Page : public ApiTest {
  protected:
    Answer open(std::string_view target, const net::Headers& headers = {}) {
        net::Request request = request_of("GET", target);
        request.headers = headers;
        return send(request, Principal());
    }
};

TEST_F(Page, IsOpenToAllUnderAStrictPolicy) {
    const Answer page = open("/");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.header("Content-Type"), "text/html; charset=utf-8");
    EXPECT_NE(page.text.find("Arbiter"), std::string::npos);
    const std::string policy = page.header("Content-Security-Policy");
    for (const std::string_view rule :
         {"default-src 'self'", "script-src 'self'", "style-src 'self'", "object-src 'none'",
          "base-uri 'none'", "frame-ancestors 'none'"}) {
        EXPECT_NE(policy.find(rule), std::string::npos) << rule;
    }
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
    EXPECT_EQ(page.header("Referrer-Policy"), "no-referrer");
}

TEST_F(Page, RefusesFilesThatAreNotPartOfIt) {
    for (const std::string_view target : {"/assets/none.js", "/assets/..%2findex.html"}) {
        const Answer answer = open(target);
        EXPECT_EQ(answer.status, 404) << target;
        EXPECT_EQ(answer.code(), "route_unknown") << target;
    }
}

// A build without Node has no page; `./dev test` always builds it.
TEST_F(Page, SendsEachFileInTheFormThatIsAskedOrSaysHowToBuildIt) {
    if (page_files().empty()) {
        EXPECT_NE(open("/").text.find("./dev run"), std::string::npos);
    }
    for (const PageFile& file : page_files()) {
        const bool is_start = file.path == "/index.html";
        const std::string target(is_start ? "/" : file.path);
        const std::string tag = "\"" + std::string(file.hash) + "\"";
        const Answer plain = open(target);
        EXPECT_EQ(plain.status, 200) << target;
        EXPECT_EQ(plain.header("Content-Encoding"), "");
        EXPECT_EQ(plain.header("Content-Type"), file.type);
        EXPECT_EQ(plain.header("ETag"), tag);
        EXPECT_EQ(plain.header("Vary"), "Accept-Encoding");
        EXPECT_EQ(plain.header("Cache-Control"),
                  is_start ? "no-cache" : "public, max-age=31536000, immutable");
        const Answer zipped = open(target, {{"accept-encoding", "br, gzip"}});
        EXPECT_EQ(zipped.header("Content-Encoding"), "gzip");
        EXPECT_EQ(zipped.text.substr(0, 2), "\x1f\x8b");
        EXPECT_EQ(open(target, {{"accept-encoding", "gzip;q=0"}}).text, plain.text);
        const Answer known = open(target, {{"if-none-match", tag}});
        EXPECT_EQ(known.status, 304);
        EXPECT_EQ(known.text, "");
        EXPECT_EQ(known.header("ETag"), tag);
    }
}

}  // namespace
}  // namespace arbiter::server
