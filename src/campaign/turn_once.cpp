#include "campaign/turn_once.h"

#include <algorithm>
#include <initializer_list>

#include "base/limits.h"
#include "campaign/replay.h"
#include "proposal/codec.h"
#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::campaign {

using base::ErrorCode;
using base::Result;

namespace {

// Parts are delimited by their lengths.
std::string digest_of_parts(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) {
        text += std::to_string(part.size()) + ":";
        text += part;
    }
    return ledger::sha256(text).hex();
}

std::string digest_of(const turn::TurnRequest& request) {
    return request.hint.empty() ? digest_of_parts({"turn", request.said})
                                : digest_of_parts({"turn", request.said, request.hint});
}

std::string digest_of(const turn::SuppliedReply& reply) {
    std::string calls;
    for (const prompt::NativeToolCall& each : reply.tool_calls) {
        calls += digest_of_parts({each.name, each.arguments});
    }
    const value::Value proposals(proposal::encode(reply.proposals, reply.text));
    return digest_of_parts(
        {"reply", name(reply.actor), reply.said, reply.text, calls, value::print_json(proposals)});
}

}  // namespace

bool is_request_key(std::string_view key) noexcept {
    const bool has_control = std::ranges::any_of(
        key, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
    return !key.empty() && key.size() <= base::kTurnKeyBytesMax && !has_control &&
           text::is_valid(key);
}

base::Error commit_error(base::Error error, base::Language language) {
    switch (error.code) {
        case ErrorCode::kHeadMoved:
        case ErrorCode::kCampaignUnknown:
        case ErrorCode::kStoreBusy:
        case ErrorCode::kStoreFull:
        case ErrorCode::kStoreNoAccess:
        case ErrorCode::kStoreReadOnly:
        case ErrorCode::kStoreRefuses:
            return error;
        default:
            return base::Error(ErrorCode::kTurnUncertain, {base::explain(error, language)});
    }
}

TurnOnce::Stored TurnOnce::begin(const ledger::Campaign& campaign, const TurnCondition& condition,
                                 const turn::TurnRequest& request, const value::Object& globals) {
    std::optional<ledger::RequestKey> key;
    if (condition.key) {
        key = ledger::RequestKey{*condition.key,
                                 condition.is_key_new ? std::string() : digest_of(request)};
    }
    return begin(campaign, condition, std::move(key), globals);
}

TurnOnce::Stored TurnOnce::begin(const ledger::Campaign& campaign, const TurnCondition& condition,
                                 const turn::SuppliedReply& reply, const value::Object& globals) {
    std::optional<ledger::RequestKey> key;
    if (condition.key) {
        key = ledger::RequestKey{*condition.key, digest_of(reply)};
    }
    return begin(campaign, condition, std::move(key), globals);
}

TurnOnce::Stored TurnOnce::begin(const ledger::Campaign& campaign, const TurnCondition& condition,
                                 std::optional<ledger::RequestKey> key,
                                 const value::Object& globals) {
    key_ = std::move(key);
    if (key_) {
        if (!is_request_key(key_->key)) {
            return base::fail(ErrorCode::kBadTurnKey, {std::to_string(key_->key.size()),
                                                       std::to_string(base::kTurnKeyBytesMax)});
        }
        if (!condition.is_key_new) {
            if (auto stored = find(campaign, globals); !stored || *stored) {
                return stored;
            }
        }
    }
    if (condition.after && *condition.after != campaign.head()) {
        return base::fail(ErrorCode::kHeadElsewhere,
                          {campaign.row().id, condition.after->brief(), campaign.head().brief()});
    }
    return std::nullopt;
}

TurnOnce::Stored TurnOnce::find(const ledger::Campaign& campaign,
                                const value::Object& globals) const {
    const auto id = campaign.store().turn_of_key(campaign.row().id, key_->key);
    if (!id || !*id) {
        return id ? Stored(std::nullopt) : std::unexpected(id.error());
    }
    const auto record = campaign.record(**id);
    if (!record) {
        return std::unexpected(record.error());
    }
    if (!record->key || record->key->key != key_->key) {
        return base::fail(ErrorCode::kCorrupt, {"turn " + (*id)->brief(), "its key is missing"});
    }
    if (record->key != key_) {
        return base::fail(ErrorCode::kKeyReused,
                          {key_->key, std::to_string(record->shown_number())});
    }
    auto result = stored_result(campaign, **id, *record, globals);
    return result ? Stored(*std::move(result)) : std::unexpected(std::move(result).error());
}

Result<turn::TurnResult> TurnOnce::resolve(const ledger::Campaign& campaign,
                                           Result<turn::TurnResult> result,
                                           const value::Object& globals) {
    if (!key_ || result || result.error().code != ErrorCode::kHeadMoved) {
        return result;
    }
    auto stored = find(campaign, globals);
    if (!stored) {
        return std::unexpected(std::move(stored).error());
    }
    return *stored ? **std::move(stored) : std::move(result);
}

}  // namespace arbiter::campaign
