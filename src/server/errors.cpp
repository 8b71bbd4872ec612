#include "server/errors.h"

#include "base/messages.h"
#include "base/text.h"
#include "value/json.h"

namespace arbiter::server {

using base::ErrorCode;
using value::Object;
using value::Value;

int status_of(ErrorCode code) noexcept {
    using enum ErrorCode;
    // JSON texts, paths and URLs that cannot be read.
    if (code <= kPathBadUtf8 && code != kTextTooLong) {
        return 400;
    }
    switch (code) {
        case kUrlMalformed:
        case kHttpMalformed:
        case kUnknownField:
        case kFieldMissing:
        case kFieldType:
        case kBadParameter:
        case kBadTurnKey:
            return 400;
        case kTokenMissing:
        case kTokenRefused:
            return 401;
        case kScopeMissing:
        case kHostRefused:
        case kOriginRefused:
            return 403;
        case kRouteUnknown:
        case kCampaignUnknown:
        case kTurnUnknown:
        case kNotFound:
        case kCampaignNoCard:
        case kTokenNameUnknown:
            return 404;
        case kMethodNotAllowed:
            return 405;
        case kCampaignExists:
        case kCampaignBusy:
        case kHeadMoved:
        case kHeadElsewhere:
        case kKeyReused:
        case kNothingToUndo:
        case kNothingWithheld:
        case kNotAcceptable:
        case kRollbackOff:
        case kGoalFixed:
        case kGreetingTooLate:
        case kTurnAmbiguous:
        case kTokenNameTaken:
        case kNoCampaign:
            return 409;
        case kStateChanged:
            return 412;
        case kHttpTooLarge:
        case kTextTooLong:
        case kReplyTooLong:
        case kSaidTooLong:
        case kRecordTooLarge:
        case kStateTooLarge:
            return 413;
        case kMediaTypeRefused:
            return 415;
        case kRateLimited:
        case kModelRateLimited:
            return 429;
        case kCorrupt:
            return 500;
        case kStoreNoBackup:
            return 501;
        case kModelRefused:
        case kModelKey:
        case kModelUnreachable:
        case kModelCutOff:
        case kModelBadAnswer:
        case kModelTooLong:
        case kConnectFailed:
        case kTlsFailed:
        case kHostUnknown:
        case kConnectionLost:
        case kScriptSilent:
            return 502;
        case kOverloaded:
        case kServerStopping:
        case kNoModel:
        case kStoreBusy:
        case kStoreFailed:
        case kStoreReadOnly:
        case kTurnUncertain:
        case kModelOverloaded:
            return 503;
        case kModelTimeout:
        case kNetTimeout:
            return 504;
        case kStoreFull:
            return 507;
        default:
            return 422;  // understood, and not possible
    }
}

namespace {

// A next step, where the message has none.
base::TextView hint_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::kNoModel:
            return {"Everything but generation works without a model.",
                    "除生成之外，其余功能无需模型即可使用。"};
        case ErrorCode::kTurnUncertain:
            return {"Repeat the request with the same idempotency key: it is stored at most once.",
                    "请用同一个幂等键重试：同一请求最多只会保存一次。"};
        case ErrorCode::kHeadMoved:
        case ErrorCode::kCampaignBusy:
            return {"Read the campaign again and repeat the request.", "请重新读取战役后再试。"};
        case ErrorCode::kKeyReused:
            return {"Take a new idempotency key for another request.",
                    "不同的请求请使用新的幂等键。"};
        case ErrorCode::kTurnUnknown:
            return {"GET …/history lists the turns with their ids.",
                    "GET …/history 会列出回合及其 id。"};
        case ErrorCode::kCampaignUnknown:
            return {"GET /api/v1/campaigns lists the campaigns.",
                    "GET /api/v1/campaigns 会列出战役。"};
        default:
            return {};
    }
}

std::string retry_after(const base::Error& error) {
    using enum ErrorCode;
    if (error.code == kRateLimited && !error.arguments.empty()) {
        return error.arguments[0];
    }
    const bool passes = error.code == kOverloaded || error.code == kServerStopping ||
                        error.code == kStoreBusy || error.code == kCampaignBusy;
    return passes ? "1" : "";
}

}  // namespace

Object error_value(const base::Error& error, const Object& details) {
    const std::string english = base::explain(error, base::Language::kEnglish);
    const std::string chinese = base::explain(error, base::Language::kChinese);
    Object made = {{"code", base::name(error.code)},
                   {"message", std::string_view(english)},
                   {"message_zh", std::string_view(chinese)}};
    if (const base::TextView hint = hint_of(error.code); hint.is_complete()) {
        made = std::move(made).set("hint", hint.english).set("hint_zh", hint.chinese);
    }
    return details.empty() ? made : std::move(made).set("details", details);
}

namespace {

net::Response with_json(int status, const Value& body) {
    net::Response response;
    response.status = status;
    response.headers.set("Content-Type", "application/json");
    response.headers.set("Cache-Control", "no-store");
    response.body = value::print_json(body) + "\n";
    return response;
}

}  // namespace

net::Response error_response(const base::Error& error, const Object& details) {
    net::Response response =
        with_json(status_of(error.code), Object{{"error", error_value(error, details)}});
    if (error.code == ErrorCode::kMethodNotAllowed && error.arguments.size() > 1) {
        response.headers.set("Allow", error.arguments[1]);
    }
    if (response.status == 401) {
        response.headers.set("WWW-Authenticate", "Bearer");
    }
    if (const std::string seconds = retry_after(error); !seconds.empty()) {
        response.headers.set("Retry-After", seconds);
    }
    return response;
}

base::Error redacted(base::Error error, const table::Redactor& redactor) {
    for (std::string& each : error.arguments) {
        each = redactor.text(each).str();
    }
    return error;
}

net::Response json_response(int status, const table::PlayerValue& body) {
    return with_json(status, body.get());
}

net::Response public_response(int status, const Value& body) {
    return with_json(status, body);
}

}  // namespace arbiter::server
