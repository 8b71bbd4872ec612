#include "ledger/store/sqlite.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <thread>

#include "ledger/store/database.h"
#include "ledger/store/sqlite_query.h"
#include "ledger/store/sqlite_rows.h"
#include "ledger/store/sqlite_writer.h"
#include "ledger/store/store_file.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

// A turn and its ancestors, newest first. SQLite produces the rows one by one, so a query that ends
// early costs what was read.
constexpr const char* kAncestorHeaders =
    "WITH RECURSIVE line (id, parent, number, time) AS (SELECT id, parent, number, time "
    "FROM turns WHERE campaign = (SELECT place FROM campaigns WHERE id = ?1) AND id = ?2 "
    "UNION ALL SELECT t.id, t.parent, t.number, t.time FROM line JOIN turns t ON "
    "t.campaign = (SELECT place FROM campaigns WHERE id = ?1) AND t.id = line.parent) "
    "SELECT id, parent, number, time FROM line";
constexpr const char* kAncestors =
    "WITH RECURSIVE line (seq, id, parent, number, time) AS (SELECT seq, id, parent, number, time "
    "FROM turns WHERE campaign = (SELECT place FROM campaigns WHERE id = ?1) AND id = ?2 "
    "UNION ALL SELECT t.seq, t.id, t.parent, t.number, t.time FROM line JOIN turns t ON "
    "t.campaign = (SELECT place FROM campaigns WHERE id = ?1) AND t.id = line.parent) "
    "SELECT id, parent, number, time, (SELECT bytes FROM turns t WHERE t.seq = line.seq) FROM line";

TurnRow header_of(const Query& query) {
    return {id_at(query, 0).value_or(TurnId()),
            id_at(query, 1),
            query.number_at(2),
            query.number_at(3),
            {}};
}

TurnRow whole_turn_of(const Query& query) {
    TurnRow row = header_of(query);
    row.bytes = query.bytes(4);
    return row;
}

// How connections for reading are opened.
struct ReaderMode {
    Database::Use use = Database::Use::kRead;
    std::shared_ptr<const std::string> image;  // of the file, if it can only be read that way

    [[nodiscard]] Result<std::unique_ptr<Database>> open(const StoreFile& file) const {
        return image ? Database::open_image(file.name, image) : Database::open(file.path, use);
    }
};

// Where nothing can be written, SQLite cannot make the files that it needs beside a store.
bool may_be_unwritable(const base::Error& error) {
    return error.code == ErrorCode::kStoreNoAccess || error.code == ErrorCode::kStoreFull ||
           error.code == ErrorCode::kStoreFailed;
}

// The first connection and the mode of further ones.
struct FirstReader {
    std::unique_ptr<Database> database;
    ReaderMode mode;
};
Result<FirstReader> open_first_reader(const StoreFile& file) {
    ReaderMode mode;
    if (!file.is_log_damaged) {
        // A log that was left behind stays as it is.
        mode.use = file.has_log ? Database::Use::kReadOnly : Database::Use::kRead;
        auto opened = mode.open(file);
        if (opened) {
            return FirstReader{*std::move(opened), std::move(mode)};
        }
        if (!may_be_unwritable(opened.error()) || file.is_in_use) {
            return std::unexpected(std::move(opened).error());
        }
    }
    if (file.has_log) {
        auto image = load_store_image(file);
        if (!image) {
            return std::unexpected(std::move(image).error());
        }
        mode.image = std::make_shared<const std::string>(*std::move(image));
    } else {
        mode.use = Database::Use::kImmutable;
    }
    auto opened = mode.open(file);
    if (!opened) {
        return std::unexpected(std::move(opened).error());
    }
    return FirstReader{*std::move(opened), std::move(mode)};
}

// A file without a name of its own until it is complete.
Result<> write_backup(Database& from, const std::string& file) {
    const std::string part = file + ".part";
    const auto unwritable = [&](int system_error) {
        return base::fail(ErrorCode::kFileUnwritable, {file, std::strerror(system_error)});
    };
    if (access(file.c_str(), F_OK) == 0) {
        return unwritable(EEXIST);
    }
    const int made = open(part.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made < 0) {
        return unwritable(errno);
    }
    close(made);
    Result<> done;
    {
        auto to = Database::open(part, Database::Use::kFill);
        done = to ? from.copy_to(**to) : std::unexpected(std::move(to).error());
    }
    // Not over a file that appeared meanwhile.
    if (done && link(part.c_str(), file.c_str()) != 0) {
        done = unwritable(errno);
    }
    unlink(part.c_str());
    const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
    const int directory = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (done && (directory < 0 || fsync(directory) != 0)) {
        done = unwritable(errno);
    }
    close(directory);
    return done;
}

class SqliteStore final : public Store {
  public:
    SqliteStore(StoreFile file, ReaderMode reading, std::unique_ptr<SqliteWriter> writer)
        : file_(std::move(file)),
          mark_(file_.path),
          reading_(std::move(reading)),
          writer_(std::move(writer)) {}

    Result<std::vector<CampaignRow>> campaigns() override {
        return read_rows<CampaignRow>(
            "SELECT id, name, created, head, undo FROM campaigns ORDER BY place", [](Query&) {},
            campaign_of);
    }
    Result<CampaignRow> campaign(std::string_view id) override {
        {
            // Readers do not wait for a commit.
            const std::unique_lock lock(writing_, std::try_to_lock);
            if (lock && writer_) {
                return writer_->campaign(id);
            }
        }
        const auto lease = reader();
        return lease ? find_campaign(**lease, id) : std::unexpected(lease.error());
    }
    std::optional<KnownCampaign> known(std::string_view id) override {
        const std::unique_lock lock(writing_, std::try_to_lock);
        return lock && writer_ ? writer_->known(id) : std::nullopt;
    }

    std::vector<Result<>> commit_all(std::span<const Commit> commits) override {
        const std::scoped_lock lock(writing_);
        if (!writer_) {
            return std::vector<Result<>>(commits.size(), unwritable());
        }
        return writer_->write(commits);
    }
    Result<> drop_keyframe(std::string_view campaign, const TurnId& turn) override {
        const std::scoped_lock lock(writing_);
        return writer_ ? writer_->drop_keyframe(campaign, turn) : unwritable();
    }
    Result<> rename_campaign(std::string_view id, std::string_view name) override {
        const std::scoped_lock lock(writing_);
        return writer_ ? writer_->rename_campaign(std::string(id), name) : unwritable();
    }
    Result<> delete_campaign(std::string_view id) override {
        const std::scoped_lock lock(writing_);
        return writer_ ? writer_->delete_campaign(std::string(id)) : unwritable();
    }
    Result<std::vector<NamedText>> named_texts(std::string_view prefix) override {
        if (!writer_) {
            // A store of an earlier version, which reading does not migrate, has none.
            const auto tables = read_first<std::int64_t>(
                "SELECT count(*) FROM sqlite_master WHERE name = 'named_texts'", [](Query&) {},
                [](const Query& query) { return query.number_at(0); });
            if (!tables || tables->value_or(0) == 0) {
                return tables ? Result<std::vector<NamedText>>() : std::unexpected(tables.error());
            }
        }
        return read_rows<NamedText>(
            "SELECT name, text FROM named_texts WHERE substr(name, 1, length(?1)) = ?1 "
            "ORDER BY name",
            [&](Query& query) { query.text(prefix); },
            [](const Query& query) {
                return NamedText{std::string(query.bytes(0)), std::string(query.bytes(1))};
            });
    }
    Result<bool> put_named_text(const NamedText& text,
                                std::optional<std::string_view> replaces) override {
        const std::scoped_lock lock(writing_);
        return writer_ ? writer_->put_named_text(text, replaces)
                       : std::unexpected(unwritable().error());
    }
    Result<> backup(const std::string& file) override {
        const auto lease = reader();
        return lease ? write_backup(**lease, file) : std::unexpected(lease.error());
    }

    Result<std::optional<TurnRow>> turn(std::string_view campaign, const TurnId& id) override {
        return read_first<TurnRow>(
            "SELECT id, parent, number, time, bytes FROM turns WHERE id = ?2 AND campaign = "
            "(SELECT place FROM campaigns WHERE id = ?1)",
            [&](Query& query) { query.text(campaign).blob(id.view()); }, whole_turn_of);
    }
    Result<std::optional<TurnId>> turn_of_key(std::string_view campaign,
                                              std::string_view key) override {
        auto found = read_first<std::optional<TurnId>>(
            "SELECT turn FROM turn_keys WHERE key = ?2 AND campaign = "
            "(SELECT place FROM campaigns WHERE id = ?1)",
            [&](Query& query) { query.text(campaign).text(key); },
            [](const Query& query) { return id_at(query, 0); });
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        return found->value_or(std::nullopt);
    }
    Result<std::vector<TurnRow>> turns(std::string_view campaign) override {
        return read_rows<TurnRow>(
            "SELECT id, parent, number, time FROM turns WHERE campaign = "
            "(SELECT place FROM campaigns WHERE id = ?) ORDER BY seq",
            [&](Query& query) { query.text(campaign); }, header_of);
    }
    Result<std::size_t> turn_count(std::string_view campaign) override {
        const auto count = read_first<std::int64_t>(
            "SELECT count(*) FROM turns WHERE campaign = "
            "(SELECT place FROM campaigns WHERE id = ?)",
            [&](Query& query) { query.text(campaign); },
            [](const Query& query) { return query.number_at(0); });
        return count ? Result<std::size_t>(static_cast<std::size_t>(count->value_or(0)))
                     : std::unexpected(count.error());
    }
    Result<> visit_turns(std::string_view campaign, const std::optional<TurnId>& after,
                         const std::function<bool(const TurnRow&)>& each) override {
        // Only the keys are sorted: with their bytes SQLite would sort on disk.
        const auto places = read_rows<std::int64_t>(
            "SELECT seq FROM turns WHERE campaign = (SELECT place FROM campaigns WHERE id = ?1) "
            "AND seq > ifnull((SELECT seq FROM turns WHERE id = ?2 AND campaign = (SELECT place "
            "FROM campaigns WHERE id = ?1)), 0) ORDER BY seq",
            [&](Query& query) {
                query.text(campaign).blob(after ? after->view() : std::string_view());
            },
            [](const Query& query) { return query.number_at(0); });
        if (!places) {
            return std::unexpected(places.error());
        }
        // A page is read in one transaction: beginning one costs as much as reading a row. None is
        // open while `each` runs, so that the log can be written back.
        std::span<const std::int64_t> left = *places;
        std::vector<TurnRow> page;
        while (!left.empty()) {
            const auto now = left.first(std::min(left.size(), kPageTurns));
            if (auto read = read_page(now, page); !read) {
                return read;
            }
            if (page.size() < now.size()) {
                return {};
            }
            if (!std::ranges::all_of(page, each)) {
                return {};
            }
            left = left.subspan(now.size());
        }
        return {};
    }
    Result<> visit_ancestors(std::string_view campaign, const TurnId& from, Content content,
                             const std::function<bool(const TurnRow&)>& each) override {
        const auto lease = reader();
        if (!lease) {
            return std::unexpected(lease.error());
        }
        auto query = (**lease).query(content == Content::kHeader ? kAncestorHeaders : kAncestors);
        if (!query) {
            return std::unexpected(std::move(query).error());
        }
        query->text(campaign).blob(from.view());
        while (true) {
            const auto row = query->next();
            if (!row) {
                return std::unexpected(row.error());
            }
            const bool whole = content == Content::kWhole;
            if (!*row || !each(whole ? whole_turn_of(*query) : header_of(*query))) {
                return {};
            }
        }
    }
    Result<std::vector<TurnId>> turn_ids_between(std::string_view campaign, const TurnId& first,
                                                 const TurnId& last, std::size_t limit) override {
        return read_rows<TurnId>(
            "SELECT id FROM turns WHERE campaign = (SELECT place FROM campaigns WHERE id = ?1) "
            "AND id BETWEEN ?2 AND ?3 ORDER BY id LIMIT ?4",
            [&](Query& query) {
                query.text(campaign).blob(first.view()).blob(last.view());
                query.number(static_cast<std::int64_t>(limit));
            },
            [](const Query& query) { return id_at(query, 0).value_or(TurnId()); });
    }
    Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                const TurnId& turn) override {
        return read_first<std::string>(
            "SELECT bytes FROM keyframes WHERE turn = ?2 AND campaign = "
            "(SELECT place FROM campaigns WHERE id = ?1)",
            [&](Query& query) { query.text(campaign).blob(turn.view()); },
            [](const Query& query) { return std::string(query.bytes(0)); });
    }
    Result<std::vector<TurnId>> keyframes(std::string_view campaign) override {
        return read_rows<TurnId>(
            "SELECT turn FROM keyframes WHERE campaign = "
            "(SELECT place FROM campaigns WHERE id = ?) ORDER BY seq",
            [&](Query& query) { query.text(campaign); },
            [](const Query& query) { return id_at(query, 0).value_or(TurnId()); });
    }
    Result<std::optional<std::string>> blob(std::string_view, const Digest& digest) override {
        return read_first<std::string>(
            "SELECT bytes FROM blobs WHERE digest = ?",
            [&](Query& query) { query.blob(digest.view()); },
            [](const Query& query) { return std::string(query.bytes(0)); });
    }
    Result<std::vector<Checkpoint>> checkpoints(std::string_view campaign) override {
        return read_rows<Checkpoint>(
            "SELECT turn, label, time FROM checkpoints WHERE campaign = "
            "(SELECT place FROM campaigns WHERE id = ?) ORDER BY seq",
            [&](Query& query) { query.text(campaign); },
            [](const Query& query) {
                return Checkpoint{id_at(query, 0).value_or(TurnId()), std::string(query.bytes(1)),
                                  query.number_at(2)};
            });
    }
    Result<std::vector<base::Error>> check() override {
        const auto found = read_rows<std::string>(
            "PRAGMA integrity_check", [](Query&) {},
            [](const Query& query) { return std::string(query.bytes(0)); });
        if (!found) {
            return std::unexpected(found.error());
        }
        std::vector<base::Error> problems;
        for (const std::string& words : *found) {
            if (words != "ok") {
                problems.emplace_back(
                    base::ErrorCode::kCorrupt,
                    std::vector<std::string>{"the store", "SQLite reports: " + words});
            }
        }
        if (file_.is_log_damaged) {
            problems.emplace_back(base::ErrorCode::kCorrupt,
                                  std::vector<std::string>{
                                      "the store", "its log is damaged: " + file_.path + "-wal"});
        }
        return problems;
    }

    // SQLite has no notifications: the heads are polled. Most polls ask only whether another
    // process has written since the last one.
    Result<std::vector<std::string>> moved(std::chrono::milliseconds wait) override {
        constexpr std::chrono::milliseconds kPollInterval(20);
        const std::scoped_lock lock(watching_);
        const auto until = std::chrono::steady_clock::now() + wait;
        while (true) {
            const auto version = version_of_others();
            if (!version) {
                return std::unexpected(version.error());
            }
            if (!watched_ || !*version || *version != watched_version_) {
                auto moved = moved_heads();
                if (!moved) {
                    return moved;
                }
                watched_version_ = *version;
                if (!moved->empty()) {
                    return moved;
                }
            }
            const auto now = std::chrono::steady_clock::now();
            if (now >= until) {
                return std::vector<std::string>();
            }
            std::this_thread::sleep_for(
                std::min<std::chrono::nanoseconds>(kPollInterval, until - now));
        }
    }

  private:
    // A connection for reading, returned to the pool by the destructor. The pool grows to the
    // number of concurrent readers.
    class Lease {
      public:
        Lease(SqliteStore& store, std::unique_ptr<Database> database)
            : store_(store), database_(std::move(database)) {}
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Lease(Lease&& from) noexcept = default;
        ~Lease() {
            if (database_) {
                const std::scoped_lock lock(store_.lending_);
                store_.idle_.push_back(std::move(database_));
            }
        }
        Database& operator*() const noexcept { return *database_; }

      private:
        SqliteStore& store_;
        std::unique_ptr<Database> database_;
    };
    // Nothing: not known, without a connection that writes.
    Result<std::optional<std::int64_t>> version_of_others() {
        const std::scoped_lock lock(writing_);
        if (!writer_) {
            return std::nullopt;
        }
        const auto version = writer_->version_of_others();
        return version ? Result<std::optional<std::int64_t>>(*version)
                       : std::unexpected(version.error());
    }

    // Campaigns whose heads are not those of the last call; none at the first.
    Result<std::vector<std::string>> moved_heads() {
        auto all = campaigns();
        if (!all) {
            return std::unexpected(std::move(all).error());
        }
        std::vector<std::string> moved;
        for (CampaignRow& row : *all) {
            auto [seen, fresh] = seen_.try_emplace(row.id, row.head);
            if (watched_ && (fresh || seen->second != row.head)) {
                moved.push_back(row.id);
            }
            seen->second = row.head;
        }
        watched_ = true;
        return moved;
    }

    Result<Lease> reader() {
        {
            const std::scoped_lock lock(lending_);
            if (!idle_.empty()) {
                Lease lease(*this, std::move(idle_.back()));
                idle_.pop_back();
                return lease;
            }
        }
        auto database = reading_.open(file_);
        if (!database) {
            return std::unexpected(std::move(database).error());
        }
        return Lease(*this, *std::move(database));
    }
    [[nodiscard]] Result<> unwritable() const {
        return base::fail(ErrorCode::kStoreNoAccess, {file_.name});
    }

    static constexpr std::size_t kPageTurns = 64;

    Result<> read_page(std::span<const std::int64_t> places, std::vector<TurnRow>& page) {
        const auto lease = reader();
        if (!lease) {
            return std::unexpected(lease.error());
        }
        if (auto begun = (**lease).run("BEGIN"); !begun) {
            return begun;
        }
        page.clear();
        Result<> done;
        for (const std::int64_t place : places) {
            auto query =
                (**lease).query("SELECT id, parent, number, time, bytes FROM turns WHERE seq = ?");
            const auto row = query ? query->number(place).next() : std::unexpected(query.error());
            if (!row || !*row) {
                done = row ? Result<>() : std::unexpected(row.error());
                break;
            }
            page.push_back(whole_turn_of(*query));
        }
        auto ended = (**lease).run("COMMIT");
        return done ? ended : done;
    }

    template <typename Row, typename Set, typename Make>
    Result<std::vector<Row>> read_rows(const char* sql, Set set, Make make) {
        const auto lease = reader();
        return lease ? rows<Row>(**lease, sql, set, make) : std::unexpected(lease.error());
    }
    template <typename Row, typename Set, typename Make>
    Result<std::optional<Row>> read_first(const char* sql, Set set, Make make) {
        const auto lease = reader();
        return lease ? first<Row>(**lease, sql, set, make) : std::unexpected(lease.error());
    }

    const StoreFile file_;
    const OpenMark mark_;  // until all connections are closed
    const ReaderMode reading_;
    std::mutex writing_;
    const std::unique_ptr<SqliteWriter> writer_;  // none: opened for reading
    std::mutex lending_;
    std::vector<std::unique_ptr<Database>> idle_;
    std::mutex watching_;
    bool watched_ = false;
    std::optional<std::int64_t> watched_version_;
    std::map<std::string, std::optional<TurnId>> seen_;
};

}  // namespace

std::int64_t sqlite_version() noexcept {
    return SqliteWriter::schema_version();
}

namespace {

Result<std::unique_ptr<Store>> open_to_read(StoreFile file) {
    auto first = open_first_reader(file);
    if (!first) {
        return std::unexpected(std::move(first).error());
    }
    if (const auto version = SqliteWriter::version_of(*first->database); !version) {
        return std::unexpected(version.error());
    }
    return std::make_unique<SqliteStore>(std::move(file), std::move(first->mode), nullptr);
}

Result<std::unique_ptr<Store>> open_to_write(StoreFile file, const SqliteOptions& options) {
    if (file.is_new) {
        if (auto made = create_store_file(file); !made) {
            return std::unexpected(std::move(made).error());
        }
    }
    auto database =
        Database::open(file.path, file.is_new ? Database::Use::kCreate : Database::Use::kWrite);
    if (!database) {
        return std::unexpected(std::move(database).error());
    }
    // Before the first commit, which would be written behind it.
    if (file.has_log) {
        if (auto renewed = (*database)->renew_log(); !renewed) {
            return std::unexpected(std::move(renewed).error());
        }
    }
    auto writer = std::make_unique<SqliteWriter>(*std::move(database), options);
    if (auto prepared = writer->prepare(file.is_unmarked || file.is_new); !prepared) {
        return std::unexpected(std::move(prepared).error());
    }
    return std::make_unique<SqliteStore>(std::move(file), ReaderMode(), std::move(writer));
}

}  // namespace

Result<std::unique_ptr<Store>> open_sqlite_store(const std::string& file, Access access,
                                                 const SqliteOptions& options) {
    if (file == ":memory:") {
        return base::fail(ErrorCode::kStoreInMemory, {"sqlite:" + file});
    }
    // One at a time: a second opening must see that the file is open (OpenMark).
    static std::mutex opening;
    const std::scoped_lock lock(opening);
    auto found = examine_store_file(file, access, SqliteWriter::first_tables());
    if (!found) {
        return std::unexpected(std::move(found).error());
    }
    return access == Access::kRead || access == Access::kSalvage
               ? open_to_read(*std::move(found))
               : open_to_write(*std::move(found), options);
}

}  // namespace arbiter::ledger
