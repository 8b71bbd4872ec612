// The answers of our routes, and their errors in one shape:
//   {"error": {"code", "message", "message_zh", "hint"?, "hint_zh"?, "details"?}}
// Bodies are PlayerValues, which only a Redactor makes: an answer that was not redacted for its
// reader does not compile. Pure functions.
#pragma once

#include "base/error.h"
#include "net/http.h"
#include "table/player_view.h"
#include "value/object.h"

namespace arbiter::server {

// The HTTP status for an error code.
int status_of(base::ErrorCode code) noexcept;

// `details`: such as all mistakes of a template. A 405 has Allow, a 401 WWW-Authenticate, and an
// error that goes away has Retry-After.
net::Response error_response(const base::Error& error, const value::Object& details = {});
// {"code", "message", "message_zh", …}, for errors inside of a stream.
value::Object error_value(const base::Error& error, const value::Object& details = {});

// The error as a viewer may read it: a model server may quote the prompt in its words.
base::Error redacted(base::Error error, const table::Redactor& redactor);

net::Response json_response(int status, const table::PlayerValue& body);
// Data that does not come from a campaign: definitions, descriptions, names.
net::Response public_response(int status, const value::Value& body);

}  // namespace arbiter::server
