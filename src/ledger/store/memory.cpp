#include "ledger/store/memory.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

struct StoredCampaign {
    CampaignRow row;
    std::vector<TurnRow> turns;  // in order
    std::map<TurnId, std::size_t> places;
    std::map<TurnId, std::string> keyframes;
    std::map<std::string, TurnId, std::less<>> keys;
    std::vector<Checkpoint> checkpoints;
};

class MemoryStore final : public Store {
  public:
    Result<std::vector<CampaignRow>> campaigns() override {
        const std::shared_lock lock(lock_);
        std::vector<CampaignRow> rows;
        for (const std::string& id : order_) {
            rows.push_back(campaigns_.at(id).row);
        }
        return rows;
    }
    Result<CampaignRow> campaign(std::string_view id) override {
        const std::shared_lock lock(lock_);
        const StoredCampaign* stored = find(id);
        return stored != nullptr ? Result<CampaignRow>(stored->row) : unknown(id);
    }
    std::optional<KnownCampaign> known(std::string_view id) override {
        const std::shared_lock lock(lock_);
        const StoredCampaign* stored = find(id);
        return stored != nullptr ? std::optional(KnownCampaign{stored->row, writes_})
                                 : std::nullopt;
    }

    std::vector<Result<>> commit_all(std::span<const Commit> commits) override {
        const std::scoped_lock lock(lock_);
        ++writes_;
        std::vector<Result<>> results;
        for (const Commit& commit : commits) {
            results.push_back(write(commit));
        }
        return results;
    }

    Result<std::optional<TurnRow>> turn(std::string_view campaign, const TurnId& id) override {
        const std::shared_lock lock(lock_);
        const StoredCampaign* stored = find(campaign);
        if (stored == nullptr) {
            return std::nullopt;
        }
        const auto found = stored->places.find(id);
        return found == stored->places.end() ? std::nullopt
                                             : std::optional(stored->turns[found->second]);
    }
    Result<std::optional<TurnId>> turn_of_key(std::string_view campaign,
                                              std::string_view key) override {
        const std::shared_lock lock(lock_);
        const StoredCampaign* stored = find(campaign);
        if (stored == nullptr) {
            return std::nullopt;
        }
        const auto found = stored->keys.find(key);
        return found == stored->keys.end() ? std::nullopt : std::optional(found->second);
    }
    Result<std::vector<TurnRow>> turns(std::string_view campaign) override {
        const std::shared_lock lock(lock_);
        const StoredCampaign* stored = find(campaign);
        if (stored == nullptr) {
            return std::vector<TurnRow>();
        }
        std::vector<TurnRow> rows = stored->turns;
        for (TurnRow& row : rows) {
            row.bytes.clear();
        }
        return rows;
    }
    Result<std::size_t> turn_count(std::string_view campaign) override {
        const std::shared_lock lock(lock_);
        const StoredCampaign* stored = find(campaign);
        return stored != nullptr ? stored->turns.size() : 0;
    }
    Result<> visit_turns(std::string_view campaign, const std::optional<TurnId>& after,
                         const std::function<bool(const TurnRow&)>& each) override {
        // In pages, so that writers get the lock in between.
        constexpr std::size_t kTurns = 256;
        std::vector<TurnRow> rows;
        for (std::size_t at = 0;; at += rows.size()) {
            {
                const std::shared_lock lock(lock_);
                const StoredCampaign* stored = find(campaign);
                if (stored == nullptr) {
                    return {};
                }
                const std::vector<TurnRow>& turns = stored->turns;
                if (at == 0 && after) {
                    const auto found = std::ranges::find(turns, *after, &TurnRow::id);
                    at = found != turns.end() ? static_cast<std::size_t>(found - turns.begin()) + 1
                                              : 0;
                }
                const std::size_t end = std::min(turns.size(), at + kTurns);
                rows.assign(turns.begin() + static_cast<std::ptrdiff_t>(std::min(at, end)),
                            turns.begin() + static_cast<std::ptrdiff_t>(end));
            }
            if (rows.empty() || !std::ranges::all_of(rows, each)) {
                return {};
            }
        }
    }
    Result<> visit_ancestors(std::string_view campaign, const TurnId& from, Content content,
                             const std::function<bool(const TurnRow&)>& each) override {
        for (std::optional<TurnId> at = from; at;) {
            auto row = turn(campaign, *at);
            if (!row || !*row) {
                return row ? Result<>() : std::unexpected(std::move(row).error());
            }
            if (content == Content::kHeader) {
                (*row)->bytes.clear();
            }
            if (!each(**row)) {
                return {};
            }
            at = (*row)->parent;
        }
        return {};
    }
    Result<std::vector<TurnId>> turn_ids_between(std::string_view campaign, const TurnId& first,
                                                 const TurnId& last, std::size_t limit) override {
        const std::shared_lock lock(lock_);
        std::vector<TurnId> ids;
        if (const StoredCampaign* stored = find(campaign)) {
            for (auto at = stored->places.lower_bound(first);
                 at != stored->places.end() && at->first <= last && ids.size() < limit; ++at) {
                ids.push_back(at->first);
            }
        }
        return ids;
    }
    Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                const TurnId& turn) override {
        const std::shared_lock lock(lock_);
        const StoredCampaign* stored = find(campaign);
        if (stored == nullptr) {
            return std::nullopt;
        }
        const auto found = stored->keyframes.find(turn);
        return found == stored->keyframes.end() ? std::nullopt : std::optional(found->second);
    }
    Result<std::vector<TurnId>> keyframes(std::string_view campaign) override {
        const std::shared_lock lock(lock_);
        const StoredCampaign* stored = find(campaign);
        if (stored == nullptr) {
            return std::vector<TurnId>();
        }
        std::vector<TurnId> ids;
        for (const auto& [id, bytes] : stored->keyframes) {
            ids.push_back(id);
        }
        return ids;
    }
    Result<> drop_keyframe(std::string_view campaign, const TurnId& turn) override {
        const std::scoped_lock lock(lock_);
        StoredCampaign* stored = find(campaign);
        if (stored == nullptr) {
            return {};
        }
        stored->keyframes.erase(turn);
        return {};
    }
    Result<std::optional<std::string>> blob(std::string_view, const Digest& digest) override {
        const std::shared_lock lock(lock_);
        const auto found = blobs_.find(digest);
        return found == blobs_.end() ? std::nullopt : std::optional(found->second);
    }
    Result<std::vector<Checkpoint>> checkpoints(std::string_view campaign) override {
        const std::shared_lock lock(lock_);
        const StoredCampaign* stored = find(campaign);
        return stored != nullptr ? stored->checkpoints : std::vector<Checkpoint>();
    }
    Result<> rename_campaign(std::string_view id, std::string_view name) override {
        const std::scoped_lock lock(lock_);
        StoredCampaign* stored = find(id);
        if (stored == nullptr) {
            return unknown(id);
        }
        stored->row.name = name;
        return {};
    }
    Result<> delete_campaign(std::string_view id) override {
        const std::scoped_lock lock(lock_);
        if (find(id) == nullptr) {
            return unknown(id);
        }
        ++writes_;
        std::erase(order_, id);
        campaigns_.erase(campaigns_.find(id));
        return {};
    }
    Result<std::vector<NamedText>> named_texts(std::string_view prefix) override {
        const std::shared_lock lock(lock_);
        std::vector<NamedText> all;
        for (auto at = named_texts_.lower_bound(prefix);
             at != named_texts_.end() && at->first.starts_with(prefix); ++at) {
            all.push_back({at->first, at->second});
        }
        return all;
    }
    Result<bool> put_named_text(const NamedText& text,
                                std::optional<std::string_view> replaces) override {
        const std::scoped_lock lock(lock_);
        const auto [at, is_free] = named_texts_.try_emplace(text.name);
        if (replaces ? !is_free && at->second == *replaces : is_free) {
            at->second = text.text;
        } else if (is_free) {
            named_texts_.erase(at);
            return false;
        }
        return at->second == text.text;
    }
    Result<> backup(const std::string&) override {
        return base::fail(ErrorCode::kStoreNoBackup, {"memory:"});
    }
    Result<std::vector<base::Error>> check() override { return std::vector<base::Error>(); }
    // No other process can open it.
    Result<std::vector<std::string>> moved(std::chrono::milliseconds) override {
        return std::vector<std::string>();
    }

  private:
    Result<> write(const Commit& commit) {
        if (commit.create) {
            if (find(commit.campaign) != nullptr) {
                return base::fail(ErrorCode::kCampaignExists, {commit.campaign});
            }
            if (commit.head && commit.head->from) {
                return base::fail(ErrorCode::kHeadMoved, {commit.campaign});
            }
            campaigns_.emplace(commit.campaign, StoredCampaign{*commit.create, {}, {}, {}, {}, {}});
            order_.push_back(commit.campaign);
        }
        StoredCampaign* stored = find(commit.campaign);
        if (stored == nullptr) {
            return unknown(commit.campaign);
        }
        if (commit.head && commit.head->from != stored->row.head) {
            return base::fail(ErrorCode::kHeadMoved, {commit.campaign});
        }
        const bool moves = commit.head && !commit.create;
        for (const TurnKey& each : commit.keys) {
            if (moves && stored->keys.contains(each.key)) {
                return base::fail(ErrorCode::kHeadMoved, {commit.campaign});
            }
        }
        for (const TurnKey& each : commit.keys) {
            stored->keys.try_emplace(each.key, each.turn);
        }
        for (const TurnRow& turn : commit.turns) {
            if (stored->places.try_emplace(turn.id, stored->turns.size()).second) {
                stored->turns.push_back(turn);
            }
        }
        for (const Keyframe& keyframe : commit.keyframes) {
            stored->keyframes.try_emplace(keyframe.turn, keyframe.bytes);
        }
        for (const Blob& blob : commit.blobs) {
            blobs_.try_emplace(blob.digest, blob.bytes);
        }
        if (commit.head) {
            stored->row.head = commit.head->to;
            stored->row.undo = commit.head->undo;
        }
        auto& all = stored->checkpoints;
        all.insert(all.end(), commit.checkpoints.begin(), commit.checkpoints.end());
        if (commit.checkpoints_max > 0 && all.size() > commit.checkpoints_max) {
            all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(commit.checkpoints_max));
        }
        return {};
    }

    StoredCampaign* find(std::string_view id) {
        const auto found = campaigns_.find(id);
        return found == campaigns_.end() ? nullptr : &found->second;
    }
    static std::unexpected<base::Error> unknown(std::string_view id) {
        return base::fail(ErrorCode::kCampaignUnknown, {std::string(id)});
    }

    std::shared_mutex lock_;
    std::map<std::string, StoredCampaign, std::less<>> campaigns_;
    std::vector<std::string> order_;
    std::map<Digest, std::string> blobs_;
    std::map<std::string, std::string, std::less<>> named_texts_;
    std::uint64_t writes_ = 0;
};

}  // namespace

std::unique_ptr<Store> make_memory_store() {
    return std::make_unique<MemoryStore>();
}

}  // namespace arbiter::ledger
