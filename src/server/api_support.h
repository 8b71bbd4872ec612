// Functions shared by the handlers of routes.
#pragma once

#include <type_traits>

#include "campaign/session.h"
#include "config/diagnostics.h"
#include "net/http.h"
#include "server/call.h"
#include "server/errors.h"
#include "server/host.h"

namespace arbiter::server {

inline value::Value text_value(std::string_view text) {
    return text;
}

// "ai", "user" or "system": as requests name them.
std::string_view actor_word(engine::Actor actor) noexcept;

// Fails with kStateChanged if the request has an If-Match that does not name the present state.
base::Result<> check_if_match(const campaign::Session& session, const ApiCall& call);

// {"head", "number", "hash"}: where a campaign is.
value::Object head_json(const ledger::Campaign& campaign);
// The answer to a change: where the campaign is now, with more members.
net::Response head_response(const campaign::Session& session, const ApiCall& call,
                            const value::Object& more = {}, int status = 200);

// The errors of a file with their lines and columns.
value::Array mistakes_json(const config::FileDiagnostics& diagnostics);
// The mistakes of a file, such as a card: the first is the error, all are in its details.
net::Response diagnostics_response(const config::FileDiagnostics& diagnostics);

// [{"path", "before"?, "after"?}]
value::Array changes_json(const value::Diff& changes, const table::Redactor& redactor);

// Makes a change on the campaign of a call: checks If-Match, and does it again if another server
// has moved the head. `change` returns a base::Result.
template <typename Change>
std::invoke_result_t<Change, campaign::Session&> change_campaign(Host& host, const ApiCall& call,
                                                                 const Change& change) {
    constexpr int kTriesMax = 5;  // each one lost to another writer
    auto session = host.session(call.campaign());
    if (!session) {
        return std::unexpected(std::move(session).error());
    }
    for (int tries = 1;; ++tries) {
        if (auto matches = check_if_match(**session, call); !matches) {
            return std::unexpected(std::move(matches).error());
        }
        auto result = change(**session);
        if (result || result.error().code != base::ErrorCode::kHeadMoved || tries == kTriesMax) {
            return result;
        }
        if (auto refreshed = (*session)->refresh(); !refreshed) {
            return std::unexpected(std::move(refreshed).error());
        }
    }
}

// The same for a change without a result of its own. Answers with head_response().
template <typename Change>
net::Response answer_change(Host& host, const ApiCall& call, const Change& change,
                            int status = 200) {
    const auto done = change_campaign(host, call, change);
    const auto session = done ? host.session(call.campaign()) : std::unexpected(done.error());
    return session ? head_response(**session, call, {}, status) : error_response(session.error());
}

}  // namespace arbiter::server
