// SqliteWriter: the writing connection of an SQLite store, and its schema. Not thread-safe: the
// store holds a lock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ledger/store.h"
#include "ledger/store/database.h"
#include "ledger/store/known_rows.h"
#include "ledger/store/sqlite.h"

namespace arbiter::ledger {

class SqliteWriter {
  public:
    SqliteWriter(std::unique_ptr<Database> database, const SqliteOptions& options)
        : database_(std::move(database)), options_(options) {}

    static std::int64_t schema_version() noexcept;
    // The statements that made the tables of the first version.
    static const char* first_tables() noexcept;
    // Fails with kStoreVersion if the tables are newer than this version.
    static base::Result<std::int64_t> version_of(Database& database);
    // A number that is another one after commits of other connections, and the same after ours.
    base::Result<std::int64_t> version_of_others();

    // Store::known() and Store::campaign().
    std::optional<KnownCampaign> known(std::string_view campaign);
    base::Result<CampaignRow> campaign(std::string_view campaign);

    // Migrates the tables to this version. A store without kApplicationId gets it with the next
    // commit.
    base::Result<> prepare(bool is_unmarked);
    // One result for each commit (Store::commit_all).
    std::vector<base::Result<>> write(std::span<const Commit> commits);
    base::Result<> drop_keyframe(std::string_view campaign, const TurnId& turn);
    base::Result<> rename_campaign(const std::string& campaign, std::string_view name);
    base::Result<> delete_campaign(const std::string& campaign);
    base::Result<bool> put_named_text(const NamedText& text,
                                      std::optional<std::string_view> replaces);

  private:
    // Runs `work` in a transaction.
    template <typename Work>
    base::Result<> within(Work work);
    // At the beginning of a transaction.
    base::Result<> mark();
    // Forgets what commits of other connections may have changed.
    base::Result<> follow_others();
    // Behind a transaction: our own commits are not those of others.
    void pass_over_own(std::uint32_t commits);
    // The number that stands for a campaign. Fails with kCampaignUnknown.
    base::Result<std::int64_t> place_of(const std::string& campaign);
    base::Result<> write(const Commit& commit);
    base::Result<> create(const CampaignRow& campaign);
    base::Result<> move_head(std::int64_t place, const std::string& campaign, const HeadMove& move);
    // Fails with kHeadMoved if a key is taken.
    base::Result<> check_keys(std::int64_t place, const Commit& commit);
    base::Result<> write_rows(std::int64_t place, const Commit& commit);
    base::Result<> write_checkpoints(std::int64_t place, const Commit& commit);

    std::unique_ptr<Database> database_;
    SqliteOptions options_;
    bool is_unmarked_ = false;
    // Numbers of deleted campaigns are used again, so others' commits empty it.
    std::unordered_map<std::string, std::int64_t> places_;
    KnownRows known_;
    std::int64_t seen_version_ = 0;
    // The log when others were followed last, or behind our own commits since then. Nothing:
    // unknown.
    std::optional<Database::LogState> seen_log_;
};

}  // namespace arbiter::ledger
