#include "server/tokens.h"

#include <sys/random.h>

#include <cerrno>
#include <charconv>
#include <condition_variable>

#include "base/check.h"
#include "ledger/names.h"
#include "text/join.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::server {

using base::ErrorCode;
using base::Result;
using engine::Instant;
using value::Value;

namespace {

constexpr std::string_view kPrefix = "token/";    // of names in the store
constexpr std::string_view kTextPrefix = "arb_";  // of the texts

// From the kernel, which never runs dry after the system has started.
ledger::Digest random_bits() {
    ledger::Digest bits;
    std::size_t filled = 0;
    while (filled < bits.bytes.size()) {
        const ssize_t got = getrandom(bits.bytes.data() + filled, bits.bytes.size() - filled, 0);
        CHECK(got > 0 || errno == EINTR);
        filled += got > 0 ? static_cast<std::size_t>(got) : 0;
    }
    return bits;
}

value::Array campaigns_of(const Token& token) {
    value::Array campaigns;
    for (const std::string& each : token.campaigns) {
        campaigns = std::move(campaigns).push_back(std::string_view(each));
    }
    return campaigns;
}

// As it is stored under its name.
std::string print_token(const Token& token) {
    value::Object object = {{"v", std::int64_t{1}},
                            {"digest", std::string_view(token.digest.hex())},
                            {"scope", name(token.scope)},
                            {"campaigns", campaigns_of(token)},
                            {"created", token.created}};
    if (token.expires) {
        object = std::move(object).set("expires", *token.expires);
    }
    if (token.revoked) {
        object = std::move(object).set("revoked", *token.revoked);
    }
    return value::print_json(object);
}

std::optional<Instant> instant_of(const Value& written, std::string_view key) {
    const Value* found = value::find_member(&written, key);
    return found != nullptr && found->is_int() ? std::optional(found->as_int()) : std::nullopt;
}
std::string_view text_of(const Value& written, std::string_view key) {
    const Value* found = value::find_member(&written, key);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

// Strict: a member that cannot be read must not widen what a token may do.
std::optional<Token> parse_token(std::string_view name, std::string_view text) {
    const auto written = value::parse_json(text);
    if (!written || !written->is_object() || instant_of(*written, "v") != 1) {
        return std::nullopt;
    }
    const auto digest = ledger::Digest::from_hex(text_of(*written, "digest"));
    const auto scope = parse_scope(text_of(*written, "scope"));
    const auto created = instant_of(*written, "created");
    const Value* campaigns = value::find_member(&*written, "campaigns");
    if (!digest || !scope || !created || campaigns == nullptr || !campaigns->is_array()) {
        return std::nullopt;
    }
    Token token;
    token.name = name;
    token.scope = *scope;
    token.created = *created;
    token.digest = *digest;
    for (const Value& each : campaigns->as_array()) {
        if (!each.is_string()) {
            return std::nullopt;
        }
        token.campaigns.emplace_back(each.as_string());
    }
    token.expires = instant_of(*written, "expires");
    token.revoked = instant_of(*written, "revoked");
    const bool has_all = token.expires.has_value() == written->as_object().contains("expires") &&
                         token.revoked.has_value() == written->as_object().contains("revoked");
    return has_all ? std::optional(std::move(token)) : std::nullopt;
}

Result<Token> token_of(const ledger::NamedText& stored) {
    const std::string_view name = std::string_view(stored.name).substr(kPrefix.size());
    auto token = parse_token(name, stored.text);
    if (!token) {
        return base::fail(ErrorCode::kCorrupt,
                          {"the token " + std::string(name), "it cannot be read"});
    }
    return *std::move(token);
}

// The stored text of one token.
Result<std::optional<ledger::NamedText>> find_stored(ledger::Store& store, std::string_view name) {
    const std::string full = std::string(kPrefix) + std::string(name);
    auto all = store.named_texts(full);
    if (!all) {
        return std::unexpected(std::move(all).error());
    }
    for (ledger::NamedText& each : *all) {
        if (each.name == full) {
            return std::move(each);
        }
    }
    return std::nullopt;
}

}  // namespace

value::Object describe_token(const Token& token, Instant now) {
    const auto time = [](const std::optional<Instant>& instant) {
        return instant ? Value(std::string_view(engine::print_instant(*instant))) : Value();
    };
    return {{"name", std::string_view(token.name)},
            {"scope", name(token.scope)},
            {"campaigns", token.campaigns.empty() ? Value() : Value(campaigns_of(token))},
            {"created", time(token.created)},
            {"expires", time(token.expires)},
            {"revoked", time(token.revoked)},
            {"valid", token.is_valid(now)}};
}

Result<base::Secret> create_token(ledger::Store& store, Token token) {
    if (!ledger::is_campaign_id(token.name)) {
        return base::fail(ErrorCode::kBadParameter, {"NAME", token.name, "[a-z0-9_-]{1,64}"});
    }
    auto present = find_stored(store, token.name);
    if (!present) {
        return std::unexpected(std::move(present).error());
    }
    std::optional<std::string_view> replaces;
    if (*present) {
        const auto old = token_of(**present);
        if (!old) {
            return std::unexpected(old.error());
        }
        if (old->is_valid(token.created)) {
            return base::fail(ErrorCode::kTokenNameTaken, {token.name});
        }
        replaces = (*present)->text;
    }
    base::Secret text(std::string(kTextPrefix) + random_bits().hex());
    token.digest = ledger::sha256(text.reveal());
    token.revoked.reset();
    const auto stored =
        store.put_named_text({std::string(kPrefix) + token.name, print_token(token)}, replaces);
    if (!stored) {
        return std::unexpected(stored.error());
    }
    // Another process took the name meanwhile.
    return *stored ? Result<base::Secret>(std::move(text))
                   : base::fail(ErrorCode::kTokenNameTaken, {token.name});
}

Result<std::vector<Token>> load_tokens(ledger::Store& store) {
    const auto texts = store.named_texts(kPrefix);
    if (!texts) {
        return std::unexpected(texts.error());
    }
    std::vector<Token> tokens;
    for (const ledger::NamedText& each : *texts) {
        auto token = token_of(each);
        if (!token) {
            return std::unexpected(std::move(token).error());
        }
        tokens.push_back(*std::move(token));
    }
    return tokens;
}

Result<Token> revoke_token(ledger::Store& store, std::string_view name, Instant now) {
    while (true) {
        auto present = find_stored(store, name);
        if (!present) {
            return std::unexpected(std::move(present).error());
        }
        if (!*present) {
            const auto all = load_tokens(store);
            if (!all) {
                return std::unexpected(all.error());
            }
            return base::fail(ErrorCode::kTokenNameUnknown,
                              {std::string(name), text::join(*all, ", ", &Token::name)});
        }
        auto token = token_of(**present);
        if (!token || token->revoked) {
            return token;
        }
        token->revoked = now;
        const auto stored =
            store.put_named_text({(*present)->name, print_token(*token)}, (*present)->text);
        if (!stored) {
            return std::unexpected(stored.error());
        }
        if (*stored) {
            return token;
        }
    }
}

std::optional<std::chrono::milliseconds> parse_lifetime(std::string_view text) {
    constexpr std::int64_t kSecondsMax = std::int64_t{100} * 366 * 24 * 3600;
    std::int64_t count = 0;
    const char* const last = text.data() + text.size();
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): `last` bounds the text
    const auto [end, error] = std::from_chars(text.data(), last, count);
    if (error != std::errc() || last - end != 1 || count <= 0 || count > kSecondsMax) {
        return std::nullopt;
    }
    constexpr std::pair<char, std::int64_t> kUnits[] = {
        {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 24 * 3600}};
    for (const auto& [unit, seconds] : kUnits) {
        if (*end == unit && count <= kSecondsMax / seconds) {
            return std::chrono::seconds(count * seconds);
        }
    }
    return std::nullopt;
}

const Token* TokenList::find(std::string_view text, Instant now) const {
    const ledger::Digest digest = ledger::sha256(text);
    const Token* found = nullptr;
    for (const Token& each : tokens_) {
        if (base::equal_in_constant_time(each.digest.view(), digest.view())) {
            found = &each;
        }
    }
    return found != nullptr && found->is_valid(now) ? found : nullptr;
}

// ---- the cache

TokenCache::TokenCache(ledger::Store& store, TokenCacheOptions options)
    : store_(store), options_(options) {}

Result<std::unique_ptr<TokenCache>> TokenCache::open(ledger::Store& store,
                                                     TokenCacheOptions options) {
    std::unique_ptr<TokenCache> cache(new TokenCache(store, options));
    if (auto read = cache->refresh(); !read) {
        return std::unexpected(std::move(read).error());
    }
    cache->thread_ =
        std::jthread([self = cache.get()](const std::stop_token& stop) { self->run(stop); });
    return cache;
}

std::shared_ptr<const TokenList> TokenCache::list() const {
    const std::scoped_lock lock(lock_);
    return Clock::now() - read_at_ <= options_.stale_max ? list_ : nullptr;
}

Result<> TokenCache::refresh() {
    const auto begun = Clock::now();
    auto tokens = load_tokens(store_);
    if (!tokens) {
        return std::unexpected(std::move(tokens).error());
    }
    auto list = std::make_shared<const TokenList>(*std::move(tokens));
    const std::scoped_lock lock(lock_);
    // A refresh that began earlier may end later.
    if (!list_ || begun >= read_at_) {
        list_ = std::move(list);
        read_at_ = begun;
    }
    return {};
}

void TokenCache::run(const std::stop_token& stop) {
    std::mutex waiting;
    std::condition_variable_any wake;
    std::unique_lock lock(waiting);
    while (!wake.wait_for(lock, stop, options_.interval, [] { return false; }) &&
           !stop.stop_requested()) {
        (void)refresh();  // list() ends the trust in an old list
    }
}

}  // namespace arbiter::server
