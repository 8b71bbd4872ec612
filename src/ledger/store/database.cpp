#include "ledger/store/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

// The longest wait for another writing process.
constexpr int kBusyMilliseconds = 5000;

}  // namespace

// ---- queries

Query::~Query() {
    if (statement_ != nullptr) {
        sqlite3_reset(statement_);
        sqlite3_clear_bindings(statement_);
    }
}

Query& Query::text(std::string_view value) {
    sqlite3_bind_text64(statement_, ++bound_, value.data(), value.size(), SQLITE_STATIC,
                        SQLITE_UTF8);
    return *this;
}
Query& Query::blob(std::string_view value) {
    // A null pointer would mean NULL.
    sqlite3_bind_blob64(statement_, ++bound_, value.empty() ? "" : value.data(), value.size(),
                        SQLITE_STATIC);
    return *this;
}
Query& Query::number(std::int64_t value) {
    sqlite3_bind_int64(statement_, ++bound_, value);
    return *this;
}
Query& Query::null() {
    sqlite3_bind_null(statement_, ++bound_);
    return *this;
}
Query& Query::blob_or_null(std::optional<std::string_view> value) {
    return value ? blob(*value) : null();
}

Result<bool> Query::next() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) {
        return true;
    }
    if (code == SQLITE_DONE) {
        return false;
    }
    return std::unexpected(database_->error(sqlite3_sql(statement_), code));
}
Result<> Query::run() {
    auto row = next();
    if (!row) {
        return std::unexpected(std::move(row).error());
    }
    return {};
}

std::string_view Query::bytes(int column) const {
    const void* data = sqlite3_column_blob(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    return data == nullptr
               ? std::string_view()
               : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
}
std::int64_t Query::number_at(int column) const {
    return sqlite3_column_int64(statement_, column);
}
bool Query::is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

// ---- the database

Database::Database(sqlite3* handle, std::string file) noexcept
    : handle_(handle), file_(std::move(file)) {
    if (handle_ != nullptr) {
        // Replaces automatic write-back, whose errors would look like errors of the commit.
        sqlite3_wal_hook(
            handle_,
            [](void* self, sqlite3*, const char*, int pages) {
                static_cast<Database*>(self)->log_pages_ = pages;
                ++static_cast<Database*>(self)->commits_;
                return SQLITE_OK;
            },
            this);
    }
}

namespace {

// "file:…", with what has a meaning in a URI escaped.
std::string uri_of(const std::string& file, std::string_view parameters) {
    std::string uri = "file:";
    for (const char c : file) {
        if (c == '%' || c == '?' || c == '#') {
            constexpr std::string_view kDigits = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(c);
            uri += {'%', kDigits[byte >> 4], kDigits[byte & 0xF]};
        } else {
            uri += c;
        }
    }
    return uri.append("?").append(parameters);
}

int flags_of(Database::Use use) {
    constexpr int kAlways = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    switch (use) {
        case Database::Use::kCreate:
        case Database::Use::kFill:
            return kAlways | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
        case Database::Use::kWrite:
        case Database::Use::kRead:
            return kAlways | SQLITE_OPEN_READWRITE;
        case Database::Use::kReadOnly:
            return kAlways | SQLITE_OPEN_READONLY;
        case Database::Use::kImmutable:
            return kAlways | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    }
    return kAlways;
}

}  // namespace

Result<std::unique_ptr<Database>> Database::open(const std::string& file, Use use) {
    sqlite3* handle = nullptr;
    const std::string name = use == Use::kImmutable ? uri_of(file, "immutable=1") : file;
    const int code = sqlite3_open_v2(name.c_str(), &handle, flags_of(use), nullptr);
    auto database = std::make_unique<Database>(handle, file);
    if (code != SQLITE_OK) {
        return std::unexpected(database->error(nullptr, code));
    }
    if (auto done = database->set_up(use); !done) {
        return std::unexpected(std::move(done).error());
    }
    return database;
}

Result<std::unique_ptr<Database>> Database::open_image(const std::string& file,
                                                       std::shared_ptr<const std::string> image) {
    sqlite3* handle = nullptr;
    int code = sqlite3_open_v2(":memory:", &handle, flags_of(Use::kCreate), nullptr);
    auto database = std::make_unique<Database>(handle, file);
    if (code == SQLITE_OK) {
        // Read-only: SQLite does not write into it.
        auto* bytes = reinterpret_cast<unsigned char*>(const_cast<char*>(image->data()));
        const auto size = static_cast<sqlite3_int64>(image->size());
        code = sqlite3_deserialize(handle, "main", bytes, size, size, SQLITE_DESERIALIZE_READONLY);
    }
    if (code != SQLITE_OK) {
        return std::unexpected(database->error(nullptr, code));
    }
    database->image_ = std::move(image);
    if (auto done = database->set_up(Use::kReadOnly); !done) {
        return std::unexpected(std::move(done).error());
    }
    return database;
}

Result<> Database::set_up(Use use) {
    sqlite3_busy_timeout(handle_, kBusyMilliseconds);
    // The file is not trusted: nothing in it may be executed.
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    const bool writes = use == Use::kCreate || use == Use::kWrite;
    if (writes) {
        for (const char* sql : {// Holds three usual turns. Of a new file; others keep theirs.
                                "PRAGMA page_size=8192", "PRAGMA journal_mode=WAL",
                                // The log is truncated to this after it grew larger.
                                "PRAGMA journal_size_limit=67108864"}) {
            if (auto done = run(sql); !done) {
                return done;
            }
        }
    }
    for (const char* sql :
         {"PRAGMA synchronous=FULL", "PRAGMA cell_size_check=ON", "PRAGMA foreign_keys=OFF",
          writes || use == Use::kFill ? "PRAGMA query_only=OFF" : "PRAGMA query_only=ON",
          // A server has up to ten connections that read, and the system has the pages too: room
          // for the upper levels of the tables is enough, and for the rows of a few turns.
          writes || use == Use::kFill ? "PRAGMA cache_size=-2000" : "PRAGMA cache_size=-256",
          // The first to read the file, so that an error is one of opening.
          "SELECT 1 FROM sqlite_schema LIMIT 1"}) {
        if (auto done = run(sql); !done) {
            return done;
        }
    }
    return {};
}

Database::~Database() {
    for (const Prepared& each : prepared_) {
        sqlite3_finalize(each.statement);
    }
    sqlite3_close(handle_);
}

namespace {

// In plain words, by the first word of a statement.
const char* action_of(const char* sql) {
    if (sql == nullptr) {
        return "be opened";
    }
    const std::string_view text = sql;
    const std::string_view verb = text.substr(0, text.find(' '));
    return verb == "SELECT" || verb == "PRAGMA" || verb == "WITH" || verb == "BEGIN" ? "be read"
                                                                                     : "be written";
}

bool is_full(int system_error) noexcept {
    return system_error == ENOSPC || system_error == EDQUOT;
}
bool is_forbidden(int system_error) noexcept {
    return system_error == EACCES || system_error == EPERM || system_error == EROFS;
}

}  // namespace

base::Error Database::error(const char* sql, int code) {
    std::string words = handle_ != nullptr ? sqlite3_errmsg(handle_) : "out of memory";
    const int system_error = handle_ != nullptr ? sqlite3_system_errno(handle_) : 0;
    switch (code & 0xFF) {
        case SQLITE_FULL:
            return base::Error(ErrorCode::kStoreFull);
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return base::Error(ErrorCode::kStoreBusy);
        case SQLITE_READONLY:
            return base::Error(ErrorCode::kStoreNoAccess, {file_});
        case SQLITE_NOTADB:
            return base::Error(ErrorCode::kStoreJunk, {file_});
        case SQLITE_CORRUPT:
            return base::Error(ErrorCode::kCorrupt, {"the store", words});
        case SQLITE_CANTOPEN:
            if (is_full(system_error)) {
                return base::Error(ErrorCode::kStoreFull);
            }
            if (is_forbidden(system_error)) {
                return base::Error(ErrorCode::kStoreNoAccess, {file_});
            }
            if (system_error != 0) {
                words = std::strerror(system_error);
            }
            return base::Error(ErrorCode::kStoreFailed, {"be opened", words});
        case SQLITE_IOERR: {
            const bool is_sync = code == SQLITE_IOERR_FSYNC || code == SQLITE_IOERR_DIR_FSYNC;
            // A write that found no room has changed nothing. After a sync nothing is certain.
            if (is_full(system_error) && !is_sync) {
                return base::Error(ErrorCode::kStoreFull);
            }
            if (broken_.empty() && code != SQLITE_IOERR_SHORT_READ && code != SQLITE_IOERR_READ) {
                broken_ = words;
                // Closing must not write the log back either.
                sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
            }
            return base::Error(ErrorCode::kStoreFailed, {action_of(sql), words});
        }
        default:
            return base::Error(ErrorCode::kStoreFailed, {action_of(sql), words});
    }
}

Result<Query> Database::query(const char* sql) {
    const auto known = std::ranges::find(prepared_, sql, &Prepared::sql);
    if (known != prepared_.end()) {
        return Query(*this, known->statement);
    }
    sqlite3_stmt* statement = nullptr;
    const int code =
        sqlite3_prepare_v3(handle_, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) {
        return std::unexpected(error(sql, code));
    }
    prepared_.push_back({sql, statement});
    return Query(*this, statement);
}

Result<> Database::run(const char* sql) {
    const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) {
        return std::unexpected(error(sql, code));
    }
    return {};
}

std::int64_t Database::changed() const noexcept {
    return sqlite3_changes64(handle_);
}

Result<> Database::write_back() {
    int left = 0;
    int moved = 0;
    const int code =
        sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_PASSIVE, &left, &moved);
    if (code != SQLITE_OK) {
        return std::unexpected(error("CHECKPOINT", code));
    }
    log_pages_ = left - moved;
    return {};
}

sqlite3_file* Database::log_file() const {
    sqlite3_file* file = nullptr;
    sqlite3_file_control(handle_, "main", SQLITE_FCNTL_JOURNAL_POINTER, static_cast<void*>(&file));
    return file != nullptr && file->pMethods != nullptr ? file : nullptr;
}

std::optional<Database::LogState> Database::log_state() {
    // The layout: https://sqlite.org/walformat.html#the_wal_index_header
    constexpr int kRegionBytes = 32 << 10;
    constexpr std::uint32_t kLayout = 3007000;
    constexpr std::size_t kCommitsAt = 2;
    constexpr std::size_t kSumAt = 6;
    constexpr std::size_t kSaltAt = 8;
    if (log_index_ == nullptr) {
        sqlite3_file* file = nullptr;
        sqlite3_file_control(handle_, "main", SQLITE_FCNTL_FILE_POINTER, static_cast<void*>(&file));
        if (file == nullptr || file->pMethods == nullptr || file->pMethods->iVersion < 2) {
            return std::nullopt;
        }
        // Mapped as long as the connection is open.
        void volatile* region = nullptr;
        if (file->pMethods->xShmMap(file, 0, kRegionBytes, 0, &region) != SQLITE_OK ||
            region == nullptr) {
            return std::nullopt;
        }
        log_index_ = static_cast<const std::uint32_t*>(const_cast<const void*>(region));
    }
    const auto word = [this](std::size_t at) {
        return __atomic_load_n(log_index_ + at, __ATOMIC_ACQUIRE);
    };
    if (word(0) != kLayout) {
        return std::nullopt;
    }
    return LogState{
        word(kCommitsAt), {word(kSumAt), word(kSumAt + 1)}, {word(kSaltAt), word(kSaltAt + 1)}};
}

namespace {

constexpr sqlite3_int64 kLogHeaderBytes = 32;
constexpr std::size_t kFrameHeaderBytes = 24;
constexpr std::size_t kSaltAt = 16;
constexpr std::size_t kFrameSaltAt = 8;
constexpr std::size_t kSaltBytes = 8;

std::size_t page_size_of_log(const std::string& header) {
    std::size_t size = 0;
    for (std::size_t i = 8; i < 12; ++i) {
        size = size << 8 | static_cast<unsigned char>(header[i]);
    }
    return size;
}

// Writes the log's header and the frames that belong to it again, and syncs them.
int rewrite(sqlite3_file& log) {
    const sqlite3_io_methods& methods = *log.pMethods;
    std::string header(static_cast<std::size_t>(kLogHeaderBytes), '\0');
    if (methods.xRead(&log, header.data(), static_cast<int>(header.size()), 0) != SQLITE_OK) {
        return SQLITE_OK;  // shorter than a header: there are no frames
    }
    const std::size_t page = page_size_of_log(header);
    constexpr std::size_t kPageMax = 65536;
    if (page > kPageMax) {
        return SQLITE_OK;  // SQLite ignores it, too
    }
    int code = methods.xWrite(&log, header.data(), static_cast<int>(header.size()), 0);
    std::string frame(kFrameHeaderBytes + page, '\0');
    const auto size = static_cast<int>(frame.size());
    for (sqlite3_int64 at = kLogHeaderBytes; code == SQLITE_OK; at += size) {
        if (methods.xRead(&log, frame.data(), size, at) != SQLITE_OK ||
            frame.compare(kFrameSaltAt, kSaltBytes, header, kSaltAt, kSaltBytes) != 0) {
            break;
        }
        code = methods.xWrite(&log, frame.data(), size, at);
    }
    return code == SQLITE_OK ? methods.xSync(&log, SQLITE_SYNC_FULL) : code;
}

}  // namespace

Result<> Database::renew_log() {
    // Other writers wait meanwhile; readers see the same bytes.
    if (auto begun = run("BEGIN IMMEDIATE"); !begun) {
        return begun;
    }
    sqlite3_file* log = log_file();
    const int code = log != nullptr ? rewrite(*log) : SQLITE_OK;
    auto ended = run("ROLLBACK");
    if (code != SQLITE_OK) {
        return std::unexpected(error("CHECKPOINT", code));
    }
    return ended ? write_back() : ended;
}

void Database::reserve_log() {
    // A command that commits a turn or two is over before this would pay.
    constexpr int kCommitsBefore = 4;
    constexpr sqlite3_int64 kStepMin = sqlite3_int64{64} << 10;
    constexpr sqlite3_int64 kStepMax = sqlite3_int64{1} << 20;
    constexpr sqlite3_int64 kPageBytes = 8192;
    sqlite3_file* log = commits_ >= kCommitsBefore ? log_file() : nullptr;
    sqlite3_int64 size = 0;
    if (log == nullptr || log->pMethods->xFileSize(log, &size) != SQLITE_OK) {
        return;
    }
    const sqlite3_int64 used = log_pages_ * kPageBytes;
    if (used + kStepMin <= size) {
        return;
    }
    static const std::string kZeros(static_cast<std::size_t>(kStepMin), '\0');
    const sqlite3_int64 end = size + std::clamp(used, kStepMin, kStepMax);
    for (int code = SQLITE_OK; size < end && code == SQLITE_OK; size += kStepMin) {
        code = log->pMethods->xWrite(log, kZeros.data(), static_cast<int>(kStepMin), size);
    }
}

Result<> Database::copy_to(Database& to) {
    sqlite3_backup* copying = sqlite3_backup_init(to.handle_, "main", handle_, "main");
    if (copying == nullptr) {
        return std::unexpected(to.error("BACKUP", sqlite3_extended_errcode(to.handle_)));
    }
    // In one step: it reads one version of the store, and writers do not wait for readers.
    sqlite3_backup_step(copying, -1);
    const int code = sqlite3_backup_finish(copying);
    if (code != SQLITE_OK) {
        return std::unexpected(to.error("BACKUP", code));
    }
    return {};
}

}  // namespace arbiter::ledger
