// Tokens: who may use the server. They are stored in the ledger's store, so that all servers of one
// store share them.
//
// The text of a token (arb_ and 64 hexadecimal digits, 256 random bits) exists only where it was
// shown; the store holds its SHA-256. A token that was revoked or has expired stays listed, so a
// store that ever had a token never falls back to requests without one.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/secret.h"
#include "engine/instant.h"
#include "ledger/digest.h"
#include "ledger/store.h"
#include "server/principal.h"
#include "value/object.h"

namespace arbiter::server {

struct Token {
    std::string name;  // [a-z0-9_-]{1,64}
    Scope scope = Scope::kRead;
    std::vector<std::string> campaigns = {};  // granted; empty: all
    engine::Instant created = 0;
    std::optional<engine::Instant> expires = {};
    std::optional<engine::Instant> revoked = {};
    ledger::Digest digest = {};  // of its text

    [[nodiscard]] bool is_valid(engine::Instant now) const {
        return !revoked && (!expires || now < *expires);
    }
    friend bool operator==(const Token&, const Token&) = default;
};
// For people and programs: without the digest.
value::Object describe_token(const Token& token, engine::Instant now);

// Stores a new token; `digest` and `revoked` are ignored. Returns its text, which cannot be read
// again. A name is free again when its token has expired or was revoked. Fails with
// kTokenNameTaken, and with kBadParameter for a name of other characters.
base::Result<base::Secret> create_token(ledger::Store& store, Token token);
// All tokens, in the order of their names. Fails with kCorrupt if one cannot be read: left out, it
// could make a protected server look like one without tokens.
base::Result<std::vector<Token>> load_tokens(ledger::Store& store);
// Returns the token. One that is revoked already keeps its time. Fails with kTokenNameUnknown.
base::Result<Token> revoke_token(ledger::Store& store, std::string_view name, engine::Instant now);

// "30d", "12h", "90m", "45s": nothing if it is none of these, is zero, or exceeds a hundred years.
std::optional<std::chrono::milliseconds> parse_lifetime(std::string_view text);

// The tokens at one moment. Immutable.
class TokenList {
  public:
    explicit TokenList(std::vector<Token> tokens = {}) : tokens_(std::move(tokens)) {}

    // Whether there was ever a token: requests need one then.
    [[nodiscard]] bool any() const noexcept { return !tokens_.empty(); }
    // The token of a text, if it is valid at `now`. Compares with all tokens in constant time.
    [[nodiscard]] const Token* find(std::string_view text, engine::Instant now) const;

  private:
    std::vector<Token> tokens_;
};

struct TokenCacheOptions {
    // A token that is revoked elsewhere works at most this long.
    std::chrono::milliseconds interval{1000};
    // While the store cannot be read the last list holds this long; then nothing is admitted.
    std::chrono::milliseconds stale_max{30'000};
};

// The list of a running server, read again by a thread of its own: requests never wait for the
// store. Thread-safe.
class TokenCache {
  public:
    // Fails like load_tokens().
    static base::Result<std::unique_ptr<TokenCache>> open(ledger::Store& store,
                                                          TokenCacheOptions options = {});

    // Nothing if the store could not be read for too long.
    [[nodiscard]] std::shared_ptr<const TokenList> list() const;
    // Reads the store now, after this server has changed a token itself. Blocks.
    base::Result<> refresh();

  private:
    using Clock = std::chrono::steady_clock;
    TokenCache(ledger::Store& store, TokenCacheOptions options);
    void run(const std::stop_token& stop);

    ledger::Store& store_;
    const TokenCacheOptions options_;
    mutable std::mutex lock_;
    std::shared_ptr<const TokenList> list_;
    Clock::time_point read_at_;
    std::jthread thread_;  // last: it uses the others
};

}  // namespace arbiter::server
