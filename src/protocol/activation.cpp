#include "protocol/activation.h"

#include <algorithm>

#include "base/limits.h"
#include "protocol/internal/fold.h"

namespace arbiter::protocol {

using base::ErrorCode;
using proposal::Notice;
using value::Object;
using value::Value;

namespace {

constexpr Why::What kWhys[] = {Why::What::kCard,    Why::What::kConfigured, Why::What::kNeeded,
                               Why::What::kKeyword, Why::What::kTag,        Why::What::kScope,
                               Why::What::kCommand};

std::string text_of(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}
std::int64_t number_of(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_int() ? found->as_int() : 0;
}

// The list while it changes.
class Switchboard {
  public:
    Switchboard(const Object& meta, const Library* library) : library_(library) {
        heard_.meta = meta;
        active_ = active(meta);
    }

    void end_past(std::int64_t turn) {
        for (std::size_t i = 0; i < active_.size();) {
            if (active_[i].until != 0 && active_[i].until < turn) {
                remove(i, {Why::What::kScope, {}});
            } else {
                ++i;
            }
        }
    }

    void on(std::string_view text, std::int64_t first, Why why) {
        const auto reference = parse_reference(text);
        const Library::Row* row = reference ? library_->find(*reference) : nullptr;
        if (row == nullptr) {
            heard_.warnings.push_back(library_->unknown(text));
            return;
        }
        const std::int64_t turns = row->protocol->activation.turns;
        const Active fresh{print(*reference), why, first, turns == 0 ? 0 : first + turns - 1};
        const auto known = find(reference->id);
        if (known != active_.end()) {
            // It keeps its place among the others.
            known->until = fresh.until;
            known->reference = reference->pin.is_any() ? known->reference : fresh.reference;
            return;
        }
        if (active_.size() < base::kProtocolListMax) {
            active_.push_back(fresh);
            heard_.switched.push_back({reference->id, true, std::move(why)});
        }
    }

    // An empty id: all.
    void off(std::string_view id, const Why& why) {
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
            heard_.warnings.push_back(library_->unknown(id));
        }
    }

    void tags(const std::vector<Notice>& notices, std::int64_t first, Speaker speaker) {
        for (const Notice& notice : notices) {
            const Why why{Why::What::kTag, std::string(name(speaker))};
            if (notice.kind == Notice::Kind::kUseProtocol) {
                on(notice.about, first, why);
            } else if (notice.kind == Notice::Kind::kEndProtocol) {
                off(notice.about, why);
            }
        }
    }

    void keywords(std::string_view text, std::int64_t first) {
        const std::string folded = internal::folded(text);
        const std::vector<Library::Said> ends = library_->ends_in(folded);
        for (const Library::Said& said : ends) {
            if (find(said.id) != active_.end()) {
                off(said.id, {Why::What::kKeyword, said.keyword});
            }
        }
        for (const Library::Said& said : library_->starts_in(folded)) {
            // 退出直播模式 may hold the very word that switches it on.
            const bool is_end = std::ranges::any_of(ends, [&](const Library::Said& end) {
                return end.id == said.id && end.keyword.contains(said.keyword);
            });
            if (!is_end) {
                on(said.id, first, {Why::What::kKeyword, said.keyword});
            }
        }
    }

    void refuse(const std::vector<Notice>& notices) {
        for (const Notice& notice : notices) {
            if (notice.kind == Notice::Kind::kUseProtocol ||
                notice.kind == Notice::Kind::kEndProtocol) {
                heard_.refused.push_back(notice.about);
            }
        }
    }

    Heard done() {
        const bool was = heard_.meta.contains(kProtocolsKey);
        if (active_.empty()) {
            heard_.meta = std::move(heard_.meta).erase(kProtocolsKey);
            return std::move(heard_);
        }
        Object all;
        for (const Active& each : active_) {
            Object one = {{"reference", std::string_view(each.reference)},
                          {"why", name(each.why.what)},
                          {"about", std::string_view(each.why.about)},
                          {"since", each.since}};
            if (each.until != 0) {
                one = std::move(one).set("until", each.until);
            }
            all = std::move(all).set(id_of(each), std::move(one));
        }
        // The same list is the same value, so that nothing seems to have changed.
        if (!was || !same_bytes(*heard_.meta.find(kProtocolsKey), Value(all))) {
            heard_.meta = std::move(heard_.meta).set(kProtocolsKey, std::move(all));
        }
        return std::move(heard_);
    }

  private:
    static std::string_view id_of(const Active& each) {
        return std::string_view(each.reference).substr(0, each.reference.find('@'));
    }
    std::vector<Active>::iterator find(std::string_view id) {
        return std::ranges::find_if(active_, [&](const Active& each) { return id_of(each) == id; });
    }
    void remove(std::size_t index, const Why& why) {
        heard_.switched.push_back({std::string(id_of(active_[index])), false, why});
        active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(index));
    }

    const Library* library_;
    Heard heard_;
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
        const auto* const what =
            std::ranges::find_if(kWhys, [&](Why::What known) { return name(known) == why; });
        if (!reference || reference->id != key.view()) {
            continue;
        }
        each.why = {what != std::end(kWhys) ? *what : Why::What::kCommand, text_of(one, "about")};
        each.since = number_of(one, "since");
        each.until = number_of(one, "until");
        all.push_back(std::move(each));
    }
    return all;
}

std::vector<Wish> active_wishes(const Object& meta) {
    std::vector<Wish> wishes;
    for (Active& each : active(meta)) {
        wishes.push_back({std::move(each.reference), std::move(each.why)});
    }
    return wishes;
}

Heard listen(const Object& meta, Speaker speaker, std::string_view text, std::int64_t turn,
             const Library& library, const Listening& listening) {
    reader::Options tags_only;
    tags_only.dialects = {};
    const reader::Reading reading = reader::read(text, tags_only);
    if (speaker == Speaker::kModel) {
        return listen(meta, reading, turn, library, listening);
    }
    Switchboard board(meta, &library);
    if (speaker == Speaker::kPlayer) {
        board.end_past(turn);
    }
    board.tags(reading.notices, turn, speaker);
    if (speaker == Speaker::kPlayer && listening.keywords) {
        // A player may quote the story; what stands in lines with > is not the player's.
        board.keywords(internal::unquoted(reading.text, false), turn);
    }
    return board.done();
}

Heard listen(const Object& meta, const reader::Reading& reply, std::int64_t turn,
             const Library& library, const Listening& listening) {
    Switchboard board(meta, &library);
    if (listening.model_tags) {
        board.tags(reply.notices, turn + 1, Speaker::kModel);
    } else {
        board.refuse(reply.notices);
    }
    if (listening.model_keywords) {
        board.keywords(internal::unquoted(reply.text, true), turn + 1);
    }
    return board.done();
}

Heard switch_on(const Object& meta, std::string_view reference, std::int64_t turn,
                const Library& library, Why why) {
    Switchboard board(meta, &library);
    board.on(reference, turn, std::move(why));
    return board.done();
}

Heard switch_off(const Object& meta, std::string_view id, Why why) {
    Switchboard board(meta, nullptr);
    board.off(id, why);
    return board.done();
}

}  // namespace arbiter::protocol
