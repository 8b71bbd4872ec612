// ApiCall: a request as the handler of its route sees it. Everything in it was checked: ids,
// parameters of the query, and the body against the schema of the route.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"
#include "campaign/turn_once.h"
#include "engine/instant.h"
#include "net/http.h"
#include "server/multipart.h"
#include "server/principal.h"
#include "table/player_view.h"
#include "value/object.h"

namespace arbiter::server {

struct ApiCall {
    std::map<std::string, std::string, std::less<>> parameters = {};  // of the path, decoded
    std::map<std::string, std::string, std::less<>> query = {};
    value::Object body = {};       // the fields of JSON or of a form
    std::vector<Part> files = {};  // of a form
    std::string bytes = {};        // of a route that takes no JSON
    net::Headers headers = {};
    Principal principal = {};
    base::Language language = base::Language::kEnglish;
    std::string request_id = {};
    engine::Instant now = 0;

    // A parameter of the path. It must be one of the pattern.
    [[nodiscard]] const std::string& path(std::string_view name) const;
    [[nodiscard]] const std::string& campaign() const { return path("id"); }
    // Empty if it is absent.
    [[nodiscard]] std::string_view asked(std::string_view name) const;
    [[nodiscard]] bool asks(std::string_view name) const { return query.contains(name); }
    [[nodiscard]] std::size_t number(std::string_view name, std::size_t otherwise) const;
    // Fields of the body. Empty, or the default, if it is absent.
    [[nodiscard]] bool has(std::string_view field) const { return body.contains(field); }
    [[nodiscard]] std::string text(std::string_view field) const;  // a number as its digits
    [[nodiscard]] bool flag(std::string_view field) const;
    [[nodiscard]] std::vector<std::string> texts(std::string_view field) const;

    // An operator sees everything, all others what a player may see.
    [[nodiscard]] table::Viewer viewer() const;
    // Of the field idempotency_key or the header Idempotency-Key.
    [[nodiscard]] std::optional<std::string> idempotency_key() const;
};

// Of Accept-Language. Nothing if it names neither of ours.
std::optional<base::Language> accepted_language(const net::Headers& headers);

// True if the value of If-Match or If-None-Match names the hash: "hash", a list, or *.
bool names_hash(std::string_view field, std::string_view hash);

}  // namespace arbiter::server
