#include "protocol/activation.h"

#include <algorithm>

#include "base/limits.h"
#include "protocol/internal/unquoted.h"
#include "text/case_fold.h"

namespace arbiter::protocol {

using base::ErrorCode;
using proposal::Notice;
using value::Object;
using value::Value;

namespace {

constexpr ActivationReason::Kind kReasons[] = {
    ActivationReason::Kind::kCard,   ActivationReason::Kind::kConfigured,
    ActivationReason::Kind::kNeeded, ActivationReason::Kind::kKeyword,
    ActivationReason::Kind::kTag,    ActivationReason::Kind::kScope,
    ActivationReason::Kind::kCommand};

std::string text_of(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}
std::int64_t number_of(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_int() ? found->as_int() : 0;
}

// The list of active protocols during an update.
class Switchboard {
  public:
    Switchboard(const Object& meta, const Library* library) : library_(library) {
        result_.meta = meta;
        active_ = active(meta);
    }

    void end_past(std::int64_t turn) {
        for (std::size_t i = 0; i < active_.size();) {
            if (active_[i].until != 0 && active_[i].until < turn) {
                remove(i, {ActivationReason::Kind::kScope, {}});
            } else {
                ++i;
            }
        }
    }

    void on(std::string_view text, std::int64_t first, ActivationReason why) {
        const auto reference = parse_reference(text);
        const Library::Row* row = reference ? library_->find(*reference) : nullptr;
        if (row == nullptr) {
            result_.warnings.push_back(library_->unknown(text));
            return;
        }
        if (auto error = library_->find_problem(*reference)) {
            result_.warnings.push_back(*std::move(error));
            return;
        }
        const std::int64_t turns = row->protocol->activation.turns;
        const Active fresh{print(*reference), why, first, turns == 0 ? 0 : first + turns - 1};
        const auto known = find(reference->id);
        if (known != active_.end()) {
            // It keeps its position in the order.
            known->until = fresh.until;
            known->reference = reference->pin.is_any() ? known->reference : fresh.reference;
            return;
        }
        if (active_.size() == base::kProtocolListMax) {
            result_.warnings.emplace_back(
                ErrorCode::kProtocolMany,
                std::vector<std::string>{reference->id, std::to_string(base::kProtocolListMax)});
            return;
        }
        active_.push_back(fresh);
        result_.changes.push_back({reference->id, true, std::move(why)});
    }

    // An empty id switches all off.
    void off(std::string_view id, const ActivationReason& why) {
        if (id.empty()) {
            while (!active_.empty()) {
                remove(0, why);
            }
            return;
        }
        const auto known = find(id);
        if (known != active_.end()) {
            remove(static_cast<std::size_t>(known - active_.begin()), why);
        } else if (library_ != nullptr && library_->versions(id).empty()) {
            result_.warnings.push_back(library_->unknown(id));
        }
    }

    void tags(const std::vector<Notice>& notices, std::int64_t first, Speaker speaker) {
        for (const Notice& notice : notices) {
            const ActivationReason why{ActivationReason::Kind::kTag, std::string(name(speaker))};
            if (notice.kind == Notice::Kind::kUseProtocol) {
                on(notice.about, first, why);
            } else if (notice.kind == Notice::Kind::kEndProtocol) {
                off(notice.about, why);
            }
        }
    }

    void keywords(std::string_view text, std::int64_t first) {
        const std::string folded = text::fold_case_and_width(text);
        const std::vector<Library::KeywordMatch> starts = library_->starts_in(folded);
        if (starts.empty() && active_.empty()) {
            return;
        }
        const std::vector<Library::KeywordMatch> ends = library_->ends_in(folded);
        for (const Library::KeywordMatch& said : ends) {
            if (find(said.id) != active_.end()) {
                off(said.id, {ActivationReason::Kind::kKeyword, said.keyword});
            }
        }
        for (const Library::KeywordMatch& said : starts) {
            // An end keyword such as 退出直播模式 may contain the start keyword.
            const bool is_end = std::ranges::any_of(ends, [&](const Library::KeywordMatch& end) {
                return end.id == said.id && end.keyword.contains(said.keyword);
            });
            if (!is_end) {
                on(said.id, first, {ActivationReason::Kind::kKeyword, said.keyword});
            }
        }
    }

    void refuse(const std::vector<Notice>& notices) {
        for (const Notice& notice : notices) {
            if (notice.kind == Notice::Kind::kUseProtocol ||
                notice.kind == Notice::Kind::kEndProtocol) {
                result_.refused.push_back(notice.about);
            }
        }
    }

    ActivationResult finish() {
        const bool was = result_.meta.contains(kProtocolsKey);
        if (active_.empty()) {
            result_.meta = std::move(result_.meta).erase(kProtocolsKey);
            return std::move(result_);
        }
        Object all;
        for (const Active& each : active_) {
            Object one = {{"reference", std::string_view(each.reference)},
                          {"why", name(each.why.kind)},
                          {"about", std::string_view(each.why.about)},
                          {"since", each.since}};
            if (each.until != 0) {
                one = std::move(one).set("until", each.until);
            }
            all = std::move(all).set(id_of(each), std::move(one));
        }
        // An unchanged list keeps its value, so that the state does not seem to have changed.
        if (!was || !same_bytes(*result_.meta.find(kProtocolsKey), Value(all))) {
            result_.meta = std::move(result_.meta).set(kProtocolsKey, std::move(all));
        }
        return std::move(result_);
    }

  private:
    static std::string_view id_of(const Active& each) {
        return std::string_view(each.reference).substr(0, each.reference.find('@'));
    }
    std::vector<Active>::iterator find(std::string_view id) {
        return std::ranges::find_if(active_, [&](const Active& each) { return id_of(each) == id; });
    }
    void remove(std::size_t index, const ActivationReason& why) {
        result_.changes.push_back({std::string(id_of(active_[index])), false, why});
        active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(index));
    }

    const Library* library_;
    ActivationResult result_;
    std::vector<Active> active_;
};

}  // namespace

std::string_view name(Speaker speaker) noexcept {
    switch (speaker) {
        case Speaker::kPlayer:
            return "player";
        case Speaker::kCard:
            return "card";
        case Speaker::kModel:
            return "model";
    }
    return "";
}

std::vector<Active> active(const Object& meta) {
    std::vector<Active> all;
    const Value* list = meta.find(kProtocolsKey);
    if (list == nullptr || !list->is_object()) {
        return all;
    }
    for (const auto& [key, value] : list->as_object()) {
        if (!value.is_object() || all.size() == base::kProtocolListMax) {
            continue;
        }
        const Object& one = value.as_object();
        Active each;
        each.reference = text_of(one, "reference");
        const auto reference = parse_reference(each.reference);
        const std::string why = text_of(one, "why");
        const auto* const kind = std::ranges::find_if(
            kReasons, [&](ActivationReason::Kind known) { return name(known) == why; });
        if (!reference || reference->id != key.view()) {
            continue;
        }
        each.why = {kind != std::end(kReasons) ? *kind : ActivationReason::Kind::kCommand,
                    text_of(one, "about")};
        each.since = number_of(one, "since");
        each.until = number_of(one, "until");
        all.push_back(std::move(each));
    }
    return all;
}

std::vector<ProtocolRequest> active_requests(const Object& meta) {
    std::vector<ProtocolRequest> wishes;
    for (Active& each : active(meta)) {
        wishes.push_back({std::move(each.reference), std::move(each.why)});
    }
    return wishes;
}

ActivationResult update_activation(const Object& meta, Speaker speaker, std::string_view text,
                                   std::int64_t turn, const Library& library,
                                   const ActivationPolicy& policy) {
    static const std::shared_ptr<const reader::PreparedOptions> kTagsOnly = [] {
        reader::Options tags_only;
        tags_only.dialects = {};
        return reader::prepare(std::move(tags_only));
    }();
    const reader::Reading reading = reader::read(text, kTagsOnly);
    if (speaker == Speaker::kModel) {
        return update_activation(meta, speaker, reading, turn, library, policy);
    }
    Switchboard board(meta, &library);
    if (speaker == Speaker::kPlayer) {
        board.end_past(turn);
    }
    board.tags(reading.notices, turn, speaker);
    if (speaker == Speaker::kPlayer && policy.keywords) {
        // Lines with > quote the story; they are not the player's words.
        board.keywords(internal::unquoted(reading.text, false), turn);
    }
    return board.finish();
}

ActivationResult update_activation(const Object& meta, Speaker speaker,
                                   const reader::Reading& reply, std::int64_t turn,
                                   const Library& library, const ActivationPolicy& policy) {
    Switchboard board(meta, &library);
    if (speaker != Speaker::kModel || policy.model_tags) {
        board.tags(reply.notices, turn + 1, speaker);
    } else {
        board.refuse(reply.notices);
    }
    const bool counts = speaker == Speaker::kModel ? policy.model_keywords
                                                   : speaker == Speaker::kPlayer && policy.keywords;
    if (counts) {
        board.keywords(internal::unquoted(reply.text, speaker == Speaker::kModel), turn + 1);
    }
    return board.finish();
}

ActivationResult switch_on(const Object& meta, std::string_view reference, std::int64_t turn,
                           const Library& library, ActivationReason why) {
    Switchboard board(meta, &library);
    board.on(reference, turn, std::move(why));
    return board.finish();
}

namespace {

base::Text sentence(const base::TextView& text, const std::string& first,
                    const base::Text& second = {}) {
    const std::string english[] = {first, second.english};
    const std::string chinese[] = {first, second.chinese};
    return {base::format_message(text.english, english),
            base::format_message(text.chinese, chinese)};
}
base::Text both(const base::Error& error) {
    return {base::explain(error, base::Language::kEnglish),
            base::explain(error, base::Language::kChinese)};
}

}  // namespace

std::vector<base::Text> notices(const ActivationResult& result) {
    std::vector<base::Text> all;
    for (const ActivationResult::Change& change : result.changes) {
        const base::Text why = {explain(change.why, base::Language::kEnglish),
                                explain(change.why, base::Language::kChinese)};
        all.push_back(
            change.on ? sentence({"The protocol {0} is active now: {1}.", "协议 {0} 已启用：{1}。"},
                                 change.id, why)
                      : sentence({"The protocol {0} has ended: {1}.", "协议 {0} 已结束：{1}。"},
                                 change.id, why));
    }
    for (const std::string& id : result.refused) {
        all.push_back(
            id.empty() ? sentence({"The model tried to end all protocols. The profile does not "
                                   "allow that (protocols.model_tags).",
                                   "模型想结束所有协议，但配置方案不允许"
                                   "（protocols.model_tags）。"},
                                  id)
                       : sentence({"The model tried to switch the protocol {0}. The profile does "
                                   "not allow that (protocols.model_tags).",
                                   "模型想切换协议 {0}，但配置方案不允许"
                                   "（protocols.model_tags）。"},
                                  id));
    }
    for (const base::Error& warning : result.warnings) {
        all.push_back(both(warning));
    }
    return all;
}

std::vector<base::Text> new_warnings(const std::vector<base::Error>& before,
                                     const std::vector<base::Error>& after) {
    std::vector<base::Text> all;
    for (const base::Error& each : after) {
        if (std::ranges::find(before, each) == before.end()) {
            all.push_back(both(each));
        }
    }
    return all;
}

std::optional<base::Error> find_missing(const Object& meta, const Library& library) {
    for (const Active& each : active(meta)) {
        if (auto error = library.find_problem(*parse_reference(each.reference))) {
            return error;
        }
    }
    return std::nullopt;
}

}  // namespace arbiter::protocol
