// Failures of a model server as errors (kModel…). Pure.
//
// The argument of an error is a phrase (base/phrases.h), a quotation, or both: "phrase: quotation".
// Quotations never hold the key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/client.h"
#include "value/value.h"

namespace arbiter::openai {

// The error object of an answer, in the forms of OpenAI, vLLM, llama.cpp and FastAPI.
struct ServerError {
    std::string message;
    std::string kind = {};           // its type and code as words: "invalid_request_error"
    std::optional<int> status = {};  // if the code is that of an HTTP status
};
// Nothing if the value is not an error.
std::optional<ServerError> find_server_error(const value::Value& answer);

// The error of an answer with a status other than 2xx. `body` may be anything: JSON, a page, a
// text. kModelRateLimited and kModelOverloaded have the seconds of Retry-After as second argument,
// if the server named them.
base::Error error_of_answer(const net::ResponseHead& head, std::string_view body,
                            std::string_view secret);
// The error inside an answer with status 2xx.
base::Error error_of(const ServerError& error, std::string_view secret);
// The error of a connection (kHostUnknown … kHttpTooLarge) as one of the model.
base::Error error_of_connection(const base::Error& error, std::string_view secret);

// True if `body` begins like a page.
bool is_page(std::string_view body) noexcept;
// kModelRefused: a page came instead of an answer.
base::Error error_of_page(std::string_view body, std::string_view secret);

// The seconds of a header Retry-After; nothing if it is absent or a date.
std::optional<int> retry_after(const net::Headers& headers);

}  // namespace arbiter::openai
