#include "openai/chat_stream.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "base/release.h"
#include "openai/failure.h"
#include "openai/quote.h"
#include "text/ascii.h"
#include "text/truncate.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::openai {
namespace {

using base::Error;
using base::ErrorCode;
using internal::RawJson;
using model::Finish;
using model::Piece;
using value::Value;

// Bytes of the body of an error, and of the beginning of a stream that is kept to be quoted.
constexpr std::size_t kErrorBytesMax = std::size_t{64} << 10;
constexpr std::size_t kBeginningBytesMax = std::size_t{4} << 10;
// Bytes of a single answer: escapes and usage come on top of a text of kTurnTextBytesMax.
constexpr std::size_t kBodyBytesMax = base::kJsonBytesMax;
// Bytes of the name of the model that answered: names of files are the longest.
constexpr std::size_t kModelNameBytesMax = 200;
// Tokens that a server may say it counted; more is a mistake that would break budgets.
constexpr std::int64_t kTokensMax = 1'000'000'000;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text::is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && text::is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

bool is_success(int status) {
    return status >= 200 && status < 300;
}

const Value* text_member(const Value& object, std::string_view key) {
    const Value* found = value::find_member(&object, key);
    return found != nullptr && found->is_string() ? found : nullptr;
}

}  // namespace

ChatDecoder::ChatDecoder(net::ResponseHead head, ChatDecoderOptions options)
    : status_(head.status), options_(std::move(options)) {
    if (!is_success(status_)) {
        form_ = Form::kBody;
        refusal_head_ = std::make_unique<const net::ResponseHead>(std::move(head));
    }
}

void ChatDecoder::fail(Error error) {
    if (!error_) {
        error_ = std::make_unique<const Error>(std::move(error));
    }
}

void ChatDecoder::fail(ErrorCode code, std::string_view phrase, std::string_view quotation) {
    std::string about(phrase);
    if (!quotation.empty()) {
        about += (about.empty() ? "" : ": ") + quote(quotation, options_.secret);
    }
    fail(Error(code, {std::move(about)}));
}

base::Result<> ChatDecoder::feed(std::string_view bytes, const OnPiece& on_piece) {
    if (!error_ && !is_done_) {
        if (auto read_all = read(bytes, on_piece); !read_all) {
            fail(error_of_connection(read_all.error(), options_.secret));
        }
    }
    return error_ ? base::Result<>(std::unexpected(*error_)) : base::Result<>();
}

base::Result<> ChatDecoder::read(std::string_view bytes, const OnPiece& on_piece) {
    if (form_ == Form::kUnknown) {
        // Blanks and a byte order mark before the first character mean nothing in both forms.
        constexpr std::string_view kMeaningless = " \t\r\n\xEF\xBB\xBF";
        bytes.remove_prefix(std::min(bytes.find_first_not_of(kMeaningless), bytes.size()));
        if (bytes.empty()) {
            return {};
        }
        constexpr std::string_view kBodies = "{[<";
        form_ = kBodies.contains(bytes.front()) ? Form::kBody : Form::kEvents;
    }
    if (form_ == Form::kEvents) {
        if (!has_answered_) {
            body_ +=
                bytes.substr(0, kBeginningBytesMax - std::min(body_.size(), kBeginningBytesMax));
        }
        return events_.feed(bytes,
                            [&](const net::SseEvent& event) { take_event(event, on_piece); });
    }
    if (refusal_head_ != nullptr) {
        body_ += bytes.substr(0, kErrorBytesMax - std::min(body_.size(), kErrorBytesMax));
        return {};
    }
    if (bytes.size() > kBodyBytesMax - body_.size()) {
        fail(ErrorCode::kModelBadAnswer, "it is longer than any reply");
        return {};
    }
    body_ += bytes;
    return {};
}

void ChatDecoder::take_event(const net::SseEvent& event, const OnPiece& on_piece) {
    const std::string_view data = trimmed(event.data);
    if (error_ || is_done_ || data.empty()) {
        return;
    }
    if (data == "[DONE]") {
        is_done_ = true;
        return;
    }
    if (event.event.empty() && take_known(data, on_piece)) {
        return;
    }
    const auto json = RawJson::parse(data);
    if (event.event == "error") {
        auto told = json ? find_server_error(json->value()) : std::nullopt;
        fail(error_of(told.value_or(ServerError{std::string(data)}), options_.secret));
        return;
    }
    if (!json && is_ending_) {
        fail(ErrorCode::kModelCutOff, "the stream ended before the answer was complete");
        return;
    }
    if (!json) {
        fail(ErrorCode::kModelBadAnswer, "it is not JSON", data);
        return;
    }
    if (!std::exchange(has_answered_, true)) {
        base::release(body_);  // it is not quoted any more
    }
    const std::size_t bytes_before = bytes_;
    take_answer(*json, on_piece);
    if (event.event.empty() && bytes_ > bytes_before) {
        learn(data, json->value(), bytes_ - bytes_before);
    }
}

// An event whose bytes around its text are those of one that was parsed means the same.
bool ChatDecoder::take_known(std::string_view data, const OnPiece& on_piece) {
    if (before_text_.empty() || data.size() < before_text_.size() + after_text_.size() ||
        !data.starts_with(before_text_) || !data.ends_with(after_text_)) {
        return false;
    }
    data.remove_prefix(before_text_.size());
    data.remove_suffix(after_text_.size());
    const bool is_plain = std::ranges::all_of(
        data, [](char c) { return c != '"' && c != '\\' && static_cast<unsigned char>(c) >= ' '; });
    if (!is_plain || !text::is_valid(data)) {
        return false;
    }
    if (text_.is_waiting()) {
        add(std::string(data), Piece::Kind::kText, on_piece);
    } else {
        count(data.size());
        show(data, Piece::Kind::kText, on_piece);
    }
    return true;
}

// Remembers the bytes around the text of an event that was taken, if it did nothing but add it:
// `added` bytes.
void ChatDecoder::learn(std::string_view data, const Value& answer, std::size_t added) {
    const bool is_text_alone = !error_ && !finish_ && calls_.empty() && refusal_.empty() &&
                               reply_.reasoning.empty() && !prompt_tokens_ && !completion_tokens_;
    const Value* choices = value::find_member(&answer, "choices");
    if (!is_text_alone || choices == nullptr || !choices->is_array() ||
        choices->as_array().size() != 1 || data.contains('\\') || !text::is_valid(data)) {
        return;
    }
    const Value* content =
        value::find_member(value::find_member(&choices->as_array()[0], "delta"), "content");
    // The quotes of a key are never inside of a string, because nothing is escaped.
    constexpr std::string_view kKey = R"("content":)";
    const std::size_t key = data.find(kKey);
    if (content == nullptr || !content->is_string() || content->as_string().size() != added ||
        key == std::string_view::npos || data.find(kKey, key + 1) != std::string_view::npos) {
        return;
    }
    const std::size_t quote = data.find_first_not_of(' ', key + kKey.size());
    const std::size_t end = quote + 1 + content->as_string().size();
    if (quote != std::string_view::npos && data[quote] == '"' && end < data.size() &&
        data[end] == '"' && data.substr(quote + 1, end - quote - 1) == content->as_string()) {
        before_text_ = data.substr(0, quote + 1);
        after_text_ = data.substr(end);
    }
}

void ChatDecoder::take_answer(const RawJson& json, const OnPiece& on_piece) {
    const Value& answer = json.value();
    if (const auto told = find_server_error(answer)) {
        fail(error_of(*told, options_.secret));
        return;
    }
    if (!answer.is_object()) {
        fail(ErrorCode::kModelBadAnswer, "it is not an object", value::print_json(answer));
        return;
    }
    // Every event names it.
    if (const Value* name = text_member(answer, "model");
        name != nullptr && name->as_string() != reply_.model) {
        reply_.model =
            text::truncate(text::repair(json.bytes_of(name->as_string())), kModelNameBytesMax);
    }
    if (const Value* usage = answer.as_object().find("usage")) {
        take_usage(*usage);
    }
    const Value* choices = answer.as_object().find("choices");
    if (choices == nullptr || choices->is_null()) {
        return;
    }
    if (!choices->is_array()) {
        fail(ErrorCode::kModelBadAnswer, "choices is not a list", value::print_json(*choices));
        return;
    }
    for (const Value& choice : choices->as_array()) {
        const Value* index = value::find_member(&choice, "index");
        if (index == nullptr || !index->is_int() || index->as_int() == 0) {
            take_choice(json, choice, on_piece);
        }
    }
}

void ChatDecoder::take_choice(const RawJson& json, const Value& choice, const OnPiece& on_piece) {
    if (!choice.is_object()) {
        fail(ErrorCode::kModelBadAnswer, "a choice is not an object", value::print_json(choice));
        return;
    }
    if (const Value* error = choice.as_object().find("error");
        error != nullptr && !error->is_null()) {
        const auto told = find_server_error(choice);
        fail(error_of(told.value_or(ServerError{value::print_json(*error)}), options_.secret));
        return;
    }
    const Value* message = choice.as_object().find("delta");
    if (message == nullptr || message->is_null()) {
        message = choice.as_object().find("message");
    }
    if (message != nullptr && message->is_object()) {
        for (const std::string_view key : {"reasoning_content", "reasoning"}) {
            // Gateways that send both send the same twice.
            if (const Value* thought = text_member(*message, key);
                thought != nullptr && !thought->as_string().empty()) {
                take_content(json, *thought, Piece::Kind::kReasoning, on_piece);
                break;
            }
        }
        if (const Value* content = message->as_object().find("content")) {
            take_content(json, *content, Piece::Kind::kText, on_piece);
        }
        if (const Value* refusal = text_member(*message, "refusal")) {
            count(refusal->as_string().size());
            refusal_ += json.bytes_of(refusal->as_string());
        }
        take_calls(json, *message);
    } else if (message != nullptr && !message->is_null()) {
        fail(ErrorCode::kModelBadAnswer, "a message is not an object", value::print_json(*message));
    }
    if (const Value* reason = text_member(choice, "finish_reason")) {
        take_finish(reason->as_string());
    }
}

void ChatDecoder::take_content(const RawJson& json, const Value& content, Piece::Kind kind,
                               const OnPiece& on_piece) {
    if (content.is_string()) {
        add(json.bytes_of(content.as_string()), kind, on_piece);
        return;
    }
    if (content.is_null()) {
        return;
    }
    if (!content.is_array()) {
        fail(ErrorCode::kModelBadAnswer, "content is not a text", value::print_json(content));
        return;
    }
    for (const Value& part : content.as_array()) {
        // {"type": "text", "text": …}; {"type": "thinking", "thinking": … or a list of parts}
        if (const Value* text = text_member(part, "text")) {
            take_content(json, *text, kind, on_piece);
        } else if (const Value* thought = value::find_member(&part, "thinking")) {
            take_content(json, *thought, Piece::Kind::kReasoning, on_piece);
        }
    }
}

void ChatDecoder::take_calls(const RawJson& json, const Value& message) {
    const auto take = [&](const Value& call, const Value& function) {
        internal::ToolCallFragment fragment;
        if (const Value* index = value::find_member(&call, "index");
            index != nullptr && index->is_int()) {
            fragment.index = index->as_int();
        }
        if (const Value* id = text_member(call, "id")) {
            fragment.id = json.bytes_of(id->as_string());
        }
        if (const Value* name = text_member(function, "name")) {
            fragment.name = json.bytes_of(name->as_string());
        }
        if (const Value* arguments = value::find_member(&function, "arguments")) {
            // Some servers send the object itself.
            fragment.arguments = arguments->is_string() ? json.bytes_of(arguments->as_string())
                                 : arguments->is_object()
                                     ? json.bytes_of(value::print_json(*arguments))
                                     : "";
        }
        count(fragment.id.size() + fragment.name.size() + fragment.arguments.size());
        if (!calls_.add(std::move(fragment))) {
            fail(ErrorCode::kModelBadAnswer, "it has too many tool calls");
        }
    };
    if (const Value* calls = value::find_member(&message, "tool_calls");
        calls != nullptr && calls->is_array()) {
        for (const Value& call : calls->as_array()) {
            if (const Value* function = value::find_member(&call, "function")) {
                take(call, *function);
            }
        }
    }
    if (const Value* call = value::find_member(&message, "function_call");
        call != nullptr && call->is_object()) {
        take(Value(value::Object{{"index", 0}}), *call);
    }
}

void ChatDecoder::take_finish(std::string_view reason) {
    if (reason == "error") {
        fail(ErrorCode::kModelOverloaded, "finish_reason: error");
    } else if (reason == "abort" || reason == "cancelled") {
        fail(ErrorCode::kModelCutOff, "the server stopped the answer");
    } else if (reason == "length" || reason == "max_tokens") {
        finish_ = Finish::kLength;
    } else if (reason == "tool_calls" || reason == "function_call") {
        finish_ = Finish::kToolCalls;
    } else if (reason == "content_filter") {
        finish_ = Finish::kFilter;
    } else {
        finish_ = Finish::kStop;
    }
}

void ChatDecoder::take_usage(const Value& usage) {
    const auto take = [&](std::string_view key, std::optional<std::int64_t>& tokens) {
        const Value* number = value::find_member(&usage, key);
        if (number != nullptr && number->is_int() && number->as_int() >= 0 &&
            number->as_int() <= kTokensMax) {
            tokens = number->as_int();
        }
    };
    take("prompt_tokens", prompt_tokens_);
    take("completion_tokens", completion_tokens_);
}

void ChatDecoder::count(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ > base::kTurnTextBytesMax) {
        fail(ErrorCode::kModelBadAnswer, "it is longer than any reply");
    }
}

void ChatDecoder::add(std::string text, Piece::Kind kind, const OnPiece& on_piece) {
    count(text.size());
    const bool is_text = kind == Piece::Kind::kText;
    show((is_text ? text_ : reasoning_).add(text), kind, on_piece);
}

// Text that is valid UTF-8.
void ChatDecoder::show(std::string_view piece, Piece::Kind kind, const OnPiece& on_piece) {
    if (error_ || piece.empty()) {
        return;
    }
    (kind == Piece::Kind::kText ? reply_.text : reply_.reasoning) += piece;
    on_piece({piece, kind});
}

void ChatDecoder::take_body(const base::Result<>& connection, const OnPiece& on_piece) {
    if (is_page(body_)) {
        fail(error_of_page(body_, options_.secret));
        return;
    }
    if (!connection) {
        fail(error_of_connection(connection.error(), options_.secret));
        return;
    }
    const auto json = RawJson::parse(body_);
    if (!json) {
        fail(ErrorCode::kModelBadAnswer, "it is not JSON", body_);
        return;
    }
    take_answer(*json, on_piece);
    const Value* choices = value::find_member(&json->value(), "choices");
    if (choices == nullptr || choices->is_null() || *choices == Value(value::Array())) {
        fail(ErrorCode::kModelBadAnswer, "it has no choices", body_);
    }
}

void ChatDecoder::end_events(const base::Result<>& connection, const OnPiece& on_piece) {
    if (connection && !is_done_) {
        is_ending_ = true;
        const auto ended =
            events_.finish([&](const net::SseEvent& event) { take_event(event, on_piece); });
        if (!ended) {
            fail(error_of_connection(ended.error(), options_.secret));
        }
    }
    if (is_done_ || finish_ || error_) {
        return;
    }
    if (!connection) {
        fail(error_of_connection(connection.error(), options_.secret));
    } else if (!has_answered_) {
        fail(ErrorCode::kModelBadAnswer, "it is not JSON", body_);
    } else {
        fail(ErrorCode::kModelCutOff, "the stream ended before the answer was complete");
    }
}

model::Reply ChatDecoder::take_reply() {
    reply_.tool_calls = calls_.take();
    const Finish otherwise = reply_.tool_calls.empty() ? Finish::kStop : Finish::kToolCalls;
    reply_.finish = finish_.value_or(otherwise);
    reply_.usage.estimated = !prompt_tokens_ || !completion_tokens_;
    if (!prompt_tokens_ && options_.prompt_tokens) {
        prompt_tokens_ = options_.prompt_tokens();
    }
    reply_.usage.prompt = prompt_tokens_.value_or(0);
    reply_.usage.completion =
        completion_tokens_ ? *completion_tokens_ : model::estimate_tokens(reply_);
    return std::move(reply_);
}

base::Result<model::Reply> ChatDecoder::finish(const base::Result<>& connection,
                                               const OnPiece& on_piece) {
    if (refusal_head_ != nullptr) {
        fail(error_of_answer(*refusal_head_, body_, options_.secret));
    } else if (form_ == Form::kUnknown && !connection) {
        fail(error_of_connection(connection.error(), options_.secret));
    } else if (form_ == Form::kUnknown) {
        fail(ErrorCode::kModelBadAnswer, "it is empty",
             status_ == 200 ? "" : "HTTP " + std::to_string(status_));
    } else if (!error_ && form_ == Form::kBody) {
        take_body(connection, on_piece);
    } else if (!error_) {
        end_events(connection, on_piece);
    }
    for (const auto kind : {Piece::Kind::kReasoning, Piece::Kind::kText}) {
        const bool is_text = kind == Piece::Kind::kText;
        show((is_text ? text_ : reasoning_).finish(), kind, on_piece);
    }
    const bool is_empty = reply_.text.empty() && calls_.empty();
    if (!error_ && is_empty && (!refusal_.empty() || finish_ == Finish::kFilter)) {
        fail(ErrorCode::kModelRefused, "", refusal_.empty() ? "content_filter" : refusal_);
    }
    if (!error_ && is_empty && finish_ == Finish::kLength) {
        fail(ErrorCode::kModelBadAnswer, "the token limit was reached before any text");
    }
    if (!error_ && is_empty && !options_.may_be_empty) {
        fail(ErrorCode::kModelBadAnswer, "it is empty");
    }
    if (error_) {
        return std::unexpected(*error_);
    }
    return take_reply();
}

}  // namespace arbiter::openai
