// ForwardingStore: a store that hands every call to another one. Derive from it to change, count or
// measure single calls.
#pragma once

#include "ledger/store.h"

namespace arbiter::ledger {

class ForwardingStore : public Store {
  public:
    // `inner` is borrowed.
    explicit ForwardingStore(Store& inner) : inner_(inner) {}

    base::Result<std::vector<CampaignRow>> campaigns() override { return inner_.campaigns(); }
    base::Result<CampaignRow> campaign(std::string_view id) override { return inner_.campaign(id); }
    std::optional<KnownCampaign> known(std::string_view id) override { return inner_.known(id); }
    std::vector<base::Result<>> commit_all(std::span<const Commit> commits) override {
        return inner_.commit_all(commits);
    }
    base::Result<std::optional<TurnRow>> turn(std::string_view campaign,
                                              const TurnId& id) override {
        return inner_.turn(campaign, id);
    }
    base::Result<std::optional<TurnId>> turn_of_key(std::string_view campaign,
                                                    std::string_view key) override {
        return inner_.turn_of_key(campaign, key);
    }
    base::Result<std::vector<TurnRow>> turns(std::string_view campaign) override {
        return inner_.turns(campaign);
    }
    base::Result<std::size_t> turn_count(std::string_view campaign) override {
        return inner_.turn_count(campaign);
    }
    base::Result<> visit_turns(std::string_view campaign, const std::optional<TurnId>& after,
                               const std::function<bool(const TurnRow&)>& each) override {
        return inner_.visit_turns(campaign, after, each);
    }
    base::Result<> visit_ancestors(std::string_view campaign, const TurnId& from, Content content,
                                   const std::function<bool(const TurnRow&)>& each) override {
        return inner_.visit_ancestors(campaign, from, content, each);
    }
    base::Result<std::vector<TurnId>> turn_ids_between(std::string_view campaign,
                                                       const TurnId& first, const TurnId& last,
                                                       std::size_t limit) override {
        return inner_.turn_ids_between(campaign, first, last, limit);
    }
    base::Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                      const TurnId& turn) override {
        return inner_.keyframe(campaign, turn);
    }
    base::Result<std::vector<TurnId>> keyframes(std::string_view campaign) override {
        return inner_.keyframes(campaign);
    }
    base::Result<> drop_keyframe(std::string_view campaign, const TurnId& turn) override {
        return inner_.drop_keyframe(campaign, turn);
    }
    base::Result<std::optional<std::string>> blob(std::string_view campaign,
                                                  const Digest& digest) override {
        return inner_.blob(campaign, digest);
    }
    base::Result<std::vector<Checkpoint>> checkpoints(std::string_view campaign) override {
        return inner_.checkpoints(campaign);
    }
    base::Result<> rename_campaign(std::string_view id, std::string_view name) override {
        return inner_.rename_campaign(id, name);
    }
    base::Result<> delete_campaign(std::string_view id) override {
        return inner_.delete_campaign(id);
    }
    base::Result<std::vector<NamedText>> named_texts(std::string_view prefix) override {
        return inner_.named_texts(prefix);
    }
    base::Result<bool> put_named_text(const NamedText& text,
                                      std::optional<std::string_view> replaces) override {
        return inner_.put_named_text(text, replaces);
    }
    base::Result<> backup(const std::string& file) override { return inner_.backup(file); }
    base::Result<std::vector<std::string>> moved(std::chrono::milliseconds wait) override {
        return inner_.moved(wait);
    }
    base::Result<std::vector<base::Error>> check() override { return inner_.check(); }

  protected:
    Store& inner_;
};

}  // namespace arbiter::ledger
