#include "campaign/dry_run.h"

namespace arbiter::campaign {

using base::Result;
using ledger::TurnId;
using ledger::TurnRow;

namespace {

// Reads another store, and forgets what is written.
class ForgetfulStore final : public ledger::Store {
  public:
    explicit ForgetfulStore(ledger::Store& store) : store_(store) {}

    std::vector<Result<>> commit_all(std::span<const ledger::Commit> commits) override {
        return std::vector<Result<>>(commits.size());
    }
    Result<> drop_keyframe(std::string_view, const TurnId&) override { return {}; }
    Result<> rename_campaign(std::string_view, std::string_view) override { return {}; }
    Result<> delete_campaign(std::string_view) override { return {}; }
    Result<bool> put_named_text(const ledger::NamedText&,
                                std::optional<std::string_view>) override {
        return true;
    }
    Result<> backup(const std::string& file) override { return store_.backup(file); }

    Result<std::vector<ledger::CampaignRow>> campaigns() override { return store_.campaigns(); }
    Result<ledger::CampaignRow> campaign(std::string_view id) override {
        return store_.campaign(id);
    }
    std::optional<ledger::KnownCampaign> known(std::string_view id) override {
        return store_.known(id);
    }
    Result<std::optional<TurnRow>> turn(std::string_view campaign, const TurnId& id) override {
        return store_.turn(campaign, id);
    }
    Result<std::optional<TurnId>> turn_of_key(std::string_view campaign,
                                              std::string_view key) override {
        return store_.turn_of_key(campaign, key);
    }
    Result<std::vector<TurnRow>> turns(std::string_view campaign) override {
        return store_.turns(campaign);
    }
    Result<std::size_t> turn_count(std::string_view campaign) override {
        return store_.turn_count(campaign);
    }
    Result<> visit_turns(std::string_view campaign, const std::optional<TurnId>& after,
                         const std::function<bool(const TurnRow&)>& each) override {
        return store_.visit_turns(campaign, after, each);
    }
    Result<> visit_ancestors(std::string_view campaign, const TurnId& from, Content content,
                             const std::function<bool(const TurnRow&)>& each) override {
        return store_.visit_ancestors(campaign, from, content, each);
    }
    Result<std::vector<TurnId>> turn_ids_between(std::string_view campaign, const TurnId& first,
                                                 const TurnId& last, std::size_t limit) override {
        return store_.turn_ids_between(campaign, first, last, limit);
    }
    Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                const TurnId& turn) override {
        return store_.keyframe(campaign, turn);
    }
    Result<std::vector<TurnId>> keyframes(std::string_view campaign) override {
        return store_.keyframes(campaign);
    }
    Result<std::optional<std::string>> blob(std::string_view campaign,
                                            const ledger::Digest& digest) override {
        return store_.blob(campaign, digest);
    }
    Result<std::vector<ledger::Checkpoint>> checkpoints(std::string_view campaign) override {
        return store_.checkpoints(campaign);
    }
    Result<std::vector<ledger::NamedText>> named_texts(std::string_view prefix) override {
        return store_.named_texts(prefix);
    }
    Result<std::vector<std::string>> moved(std::chrono::milliseconds wait) override {
        return store_.moved(wait);
    }
    Result<std::vector<base::Error>> check() override { return store_.check(); }

  private:
    ledger::Store& store_;
};

}  // namespace

Result<turn::TurnResult> dry_run(ledger::Store& store, std::string_view id,
                                 const SessionOptions& options, turn::SuppliedReply reply) {
    ForgetfulStore forgetful(store);
    const auto session = Session::open(forgetful, id, options);
    return session ? (*session)->apply(std::move(reply)) : std::unexpected(session.error());
}

}  // namespace arbiter::campaign
