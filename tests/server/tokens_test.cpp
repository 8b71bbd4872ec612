// Goal: a token opens the server only in the form in which it was shown, as long as it is valid;
// the store never holds that form; changes reach running servers (S1 of the security list).
#include "server/tokens.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

namespace arbiter::server {
namespace {

using base::ErrorCode;
using std::chrono::milliseconds;

std::unique_ptr<ledger::Store> memory() {
    return ledger::open_store("memory:").value();
}
Token named(std::string name) {
    Token token;
    token.name = std::move(name);
    token.created = 1000;
    return token;
}

TEST(Tokens, AreFoundByTheirTextOnly) {
    const auto store = memory();
    Token wanted = named("phone");
    wanted.scope = Scope::kPlay;
    wanted.campaigns = {"a", "b"};
    wanted.expires = 5000;
    const auto text = create_token(*store, wanted);
    ASSERT_TRUE(text);
    ASSERT_EQ(text->reveal().size(), 68U);
    EXPECT_TRUE(text->reveal().starts_with("arb_"));
    const std::string stored = store->named_texts("")->at(0).text;
    EXPECT_EQ(stored.find(text->reveal().substr(4)), std::string::npos);

    const auto tokens = load_tokens(*store);
    ASSERT_EQ(tokens->size(), 1U);
    wanted.digest = ledger::sha256(text->reveal());
    EXPECT_EQ(tokens->at(0), wanted);
    const TokenList list(*tokens);
    ASSERT_NE(list.find(text->reveal(), 4999), nullptr);
    EXPECT_EQ(list.find(text->reveal(), 4999)->name, "phone");
    EXPECT_EQ(list.find(text->reveal(), 5000), nullptr);  // expired
    const std::string whole(text->reveal());
    for (const std::size_t at : {std::size_t{0}, std::size_t{4}, whole.size() - 1}) {
        std::string changed = whole;
        changed[at] = changed[at] == '0' ? '1' : '0';
        EXPECT_EQ(list.find(changed, 2000), nullptr) << at;
    }
    for (const std::string& other :
         {std::string(), whole.substr(4), whole + " ", whole.substr(0, 67), wanted.digest.hex(),
          "arb_" + wanted.digest.hex(), std::string("phone")}) {
        EXPECT_EQ(list.find(other, 2000), nullptr) << other;
    }
}

TEST(Tokens, AreRandom) {
    const auto store = memory();
    std::set<std::string> seen;
    for (int i = 0; i < 200; ++i) {
        seen.emplace(create_token(*store, named("t" + std::to_string(i)))->reveal());
    }
    EXPECT_EQ(seen.size(), 200U);
}

TEST(Tokens, OfOneNameAreOneAtATime) {
    const auto store = memory();
    const auto first = create_token(*store, named("a"));
    ASSERT_TRUE(first);
    EXPECT_EQ(create_token(*store, named("a")).error(),
              base::Error(ErrorCode::kTokenNameTaken, {"a"}));
    // A name that begins with another one is its own.
    ASSERT_TRUE(create_token(*store, named("ab")));
    EXPECT_EQ(revoke_token(*store, "b", 2000).error(),
              base::Error(ErrorCode::kTokenNameUnknown, {"b", "a, ab"}));
    ASSERT_TRUE(revoke_token(*store, "a", 2000));
    EXPECT_EQ(revoke_token(*store, "a", 3000)->revoked, 2000);
    EXPECT_EQ(TokenList(*load_tokens(*store)).find(first->reveal(), 2000), nullptr);
    const auto second = create_token(*store, named("a"));
    ASSERT_TRUE(second);
    const TokenList list(*load_tokens(*store));
    EXPECT_NE(list.find(second->reveal(), 2000), nullptr);
    EXPECT_EQ(list.find(first->reveal(), 2000), nullptr);
    for (const char* bad : {"", "A", "a b", "a/b", "名", "../x", "a\n"}) {
        EXPECT_EQ(create_token(*store, named(bad)).error().code, ErrorCode::kBadParameter) << bad;
    }
}

TEST(Tokens, OfManyMakersAtOnceAreOne) {
    const auto store = memory();
    std::atomic<int> made = 0;
    std::vector<std::thread> makers;
    for (int i = 0; i < 4; ++i) {
        makers.emplace_back([&] { made += create_token(*store, named("a")).has_value() ? 1 : 0; });
    }
    for (std::thread& each : makers) {
        each.join();
    }
    EXPECT_EQ(made, 1);
}

// A token that cannot be read must not be overlooked: without it the store would have none.
TEST(Tokens, ThatAreDamagedAreAnError) {
    for (const char* text :
         {"", "{}", "[]", "{\"v\":2}", "not json",
          R"({"v":1,"digest":"00","scope":"read","campaigns":[],"created":1})",
          R"({"v":1,"digest":"%","scope":"root","campaigns":[],"created":1})",
          R"({"v":1,"digest":"%","scope":"read","campaigns":[1],"created":1})",
          R"({"v":1,"digest":"%","scope":"read","created":1})",
          R"({"v":1,"digest":"%","scope":"read","campaigns":[],"created":1,"revoked":"yes"})",
          R"({"v":1,"digest":"%","scope":"read","campaigns":[],"created":1,"expires":null})"}) {
        std::string whole = text;
        if (const std::size_t at = whole.find('%'); at != std::string::npos) {
            whole.replace(at, 1, std::string(64, 'a'));
        }
        const auto store = memory();
        ASSERT_TRUE(store->put_named_text({"token/x", whole}, std::nullopt).value());
        EXPECT_EQ(load_tokens(*store).error().code, ErrorCode::kCorrupt) << whole;
        EXPECT_FALSE(TokenCache::open(*store)) << whole;
    }
}

TEST(Tokens, LifetimesAreRead) {
    EXPECT_EQ(parse_lifetime("30d"), std::chrono::hours(30 * 24));
    EXPECT_EQ(parse_lifetime("12h"), std::chrono::hours(12));
    EXPECT_EQ(parse_lifetime("90m"), std::chrono::minutes(90));
    EXPECT_EQ(parse_lifetime("1s"), std::chrono::seconds(1));
    for (const char* bad : {"", "d", "0d", "-1d", "1", "1w", "1dd", " 1d", "1.5h", "99999999999d",
                            "36601d", "1 d", "+1d", "0x1d"}) {
        EXPECT_FALSE(parse_lifetime(bad)) << bad;
    }
    EXPECT_TRUE(parse_lifetime("36600d"));
}

TEST(Tokens, ChangesReachARunningServer) {
    const auto store = memory();
    const auto cache = TokenCache::open(*store, {milliseconds(5), milliseconds(60'000)}).value();
    EXPECT_FALSE(cache->list()->any());
    const auto text = create_token(*store, named("a"));
    const auto wait_until = [&](auto holds) {
        while (!holds()) {
            std::this_thread::sleep_for(milliseconds(1));
        }
    };
    wait_until([&] { return cache->list()->find(text->reveal(), 2000) != nullptr; });
    ASSERT_TRUE(revoke_token(*store, "a", 2000));
    wait_until([&] { return cache->list()->find(text->reveal(), 2000) == nullptr; });
    EXPECT_TRUE(cache->list()->any());  // still protected
}

TEST(Tokens, AListThatIsTooOldIsNotTrusted) {
    const auto store = memory();
    const auto cache = TokenCache::open(*store, {milliseconds(3'600'000), milliseconds(1)}).value();
    std::this_thread::sleep_for(milliseconds(5));
    EXPECT_EQ(cache->list(), nullptr);
    ASSERT_TRUE(cache->refresh());
}

TEST(Principals, MayWhatTheirScopeAndGrantsSay) {
    const Scope all[] = {Scope::kNone, Scope::kRead, Scope::kPlay, Scope::kAdmin};
    for (const Scope has : all) {
        for (const Scope needed : all) {
            const Principal free{has, {}, "t"};
            const Principal bound{has, {"a", "b"}, "t"};
            const bool enough = needed == Scope::kNone || has >= needed;
            EXPECT_EQ(free.may(needed, "a"), enough);
            EXPECT_EQ(free.may(needed), enough);
            EXPECT_EQ(bound.may(needed, "b"), enough);
            EXPECT_EQ(bound.may(needed, "c"), needed == Scope::kNone);
            EXPECT_EQ(bound.may(needed, ""), needed == Scope::kNone);
            // The whole server: reading lists only.
            EXPECT_EQ(bound.may(needed), enough && needed <= Scope::kRead);
        }
    }
    EXPECT_FALSE(Principal().sees("a"));
    EXPECT_EQ(parse_scope("none"), std::nullopt);
    EXPECT_EQ(parse_scope("Admin"), std::nullopt);
    for (const Scope scope : kTokenScopes) {
        EXPECT_EQ(parse_scope(name(scope)), scope);
    }
}

}  // namespace
}  // namespace arbiter::server
