#include "ledger/store/store_file.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

#include "ledger/store/write_ahead_log.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

constexpr std::size_t kHeaderBytes = 100;
constexpr std::string_view kMagic("SQLite format 3\0", 16);
// The largest store that is read into memory because nothing can be written beside it.
constexpr std::uint64_t kImageBytesMax = std::uint64_t{1} << 30;

// True if files are those of the operating system; a test may have another disk.
bool is_system_disk() {
    const sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
    return vfs != nullptr && std::string_view(vfs->zName).starts_with("unix");
}

// A file opened for reading the way SQLite does it, which keeps the locks of its connections.
class File {
  public:
    enum class Kind : std::uint8_t { kStore, kLog };

    // None if it cannot be opened.
    static std::optional<File> open(const std::string& path, Kind kind) {
        sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
        File file;
        file.name_ = sqlite3_create_filename(path.c_str(), (path + "-journal").c_str(),
                                             (path + "-wal").c_str(), 0, nullptr);
        if (vfs == nullptr || file.name_ == nullptr) {
            return std::nullopt;
        }
        // Zeroed: a failed opening must leave no methods.
        file.memory_ = std::make_unique<std::max_align_t[]>(
            static_cast<std::size_t>(vfs->szOsFile) / sizeof(std::max_align_t) + 1);
        const bool is_log = kind == Kind::kLog;
        const int flags = SQLITE_OPEN_READONLY | (is_log ? SQLITE_OPEN_WAL : SQLITE_OPEN_MAIN_DB);
        const char* name = is_log ? sqlite3_filename_wal(file.name_) : file.name_;
        const int code = vfs->xOpen(vfs, name, file.handle(), flags, nullptr);
        return code == SQLITE_OK ? std::optional(std::move(file)) : std::nullopt;
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    File(File&& from) noexcept
        : name_(std::exchange(from.name_, nullptr)), memory_(std::move(from.memory_)) {}
    ~File() {
        if (memory_ && handle()->pMethods != nullptr) {
            handle()->pMethods->xClose(handle());
        }
        sqlite3_free_filename(name_);
    }

    [[nodiscard]] std::uint64_t size() const {
        sqlite3_int64 size = 0;
        return handle()->pMethods->xFileSize(handle(), &size) == SQLITE_OK
                   ? static_cast<std::uint64_t>(size)
                   : 0;
    }
    // False if not all of it is there.
    bool read(std::uint64_t at, char* to, std::size_t size) const {
        return handle()->pMethods->xRead(handle(), to, static_cast<int>(size),
                                         static_cast<sqlite3_int64>(at)) == SQLITE_OK;
    }
    [[nodiscard]] std::string bytes(std::uint64_t at, std::size_t size) const {
        std::string text(size, '\0');
        if (!read(at, text.data(), size)) {
            text.clear();
        }
        return text;
    }

  private:
    File() = default;
    [[nodiscard]] sqlite3_file* handle() const {
        return reinterpret_cast<sqlite3_file*>(memory_.get());
    }

    const char* name_ = nullptr;
    std::unique_ptr<std::max_align_t[]> memory_;
};

bool exists(const std::string& path) {
    sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
    if (is_system_disk()) {
        // SQLite says that an empty file does not exist.
        std::error_code ignored;
        return std::filesystem::exists(path, ignored);
    }
    int answer = 0;
    return vfs != nullptr &&
           vfs->xAccess(vfs, path.c_str(), SQLITE_ACCESS_EXISTS, &answer) == SQLITE_OK &&
           answer != 0;
}

// Where SQLite puts the file and the log beside it: symbolic links are followed.
std::string full_path(const std::string& file) {
    sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
    if (vfs == nullptr) {
        return file;
    }
    std::string path(static_cast<std::size_t>(vfs->mxPathname) + 1, '\0');
    const int code =
        vfs->xFullPathname(vfs, file.c_str(), static_cast<int>(path.size()), path.data());
    path.resize(std::strlen(path.c_str()));
    return (code & 0xFF) == SQLITE_OK && !path.empty() ? path : file;
}

std::uint32_t word_at(std::string_view bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    return std::endian::native == std::endian::big ? word : std::byteswap(word);
}
std::uint32_t page_size_in(std::string_view header) {
    const std::uint32_t size = word_at(header, 16) >> 16;
    return size == 1 ? 65536 : size;
}

// ---- whose file it is, by its first page

enum class Owner : std::uint8_t { kArbiter, kUnmarkedArbiter, kNone, kOther };

// SQLite stores the statement of each table as it was written, and all those of the first version
// fit on the first page.
bool has_tables(std::string_view page, std::string_view statements) {
    while (!statements.empty()) {
        const std::size_t end = std::min(statements.find(';'), statements.size());
        std::string_view statement = statements.substr(0, end);
        statement.remove_prefix(std::min(statement.find_first_not_of(" \n"), statement.size()));
        if (statement.starts_with("CREATE") && page.find(statement) == std::string_view::npos) {
            return false;
        }
        statements.remove_prefix(std::min(end + 1, statements.size()));
    }
    return true;
}

Owner owner_of(std::string_view page, std::string_view first_tables) {
    const std::uint32_t application = word_at(page, 68);
    if (application == kApplicationId) {
        return Owner::kArbiter;
    }
    if (application != 0) {
        return Owner::kOther;
    }
    if (has_tables(page, first_tables)) {
        return Owner::kUnmarkedArbiter;
    }
    // A leaf without cells: no tables.
    constexpr char kLeaf = 0x0d;
    const bool is_bare = word_at(page, 60) == 0 && page.size() >= kHeaderBytes + 8 &&
                         page[kHeaderBytes] == kLeaf && page[kHeaderBytes + 3] == 0 &&
                         page[kHeaderBytes + 4] == 0;
    return is_bare ? Owner::kNone : Owner::kOther;
}

// True if a journal beside the file undoes the writing of its first page: the file was empty
// before, and its creation was interrupted.
bool is_half_created(const std::string& path) {
    constexpr std::string_view kJournalMagic("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
    constexpr std::size_t kInitialPages = 16;  // offset of the size before
    const std::string name = path + "-journal";
    // Opened like a store: SQLite opens a journal only beside its store.
    const auto journal = exists(name) ? File::open(name, File::Kind::kStore) : std::nullopt;
    const std::string header = journal ? journal->bytes(0, kInitialPages + 4) : std::string();
    return header.starts_with(kJournalMagic) && word_at(header, kInitialPages) == 0;
}

// ---- the log

// True if another process has the store open: then SQLite does not start the log anew, and the
// process that opened it first has inspected it.
bool is_used_elsewhere(const std::string& path) {
    const int index = open((path + "-shm").c_str(), O_RDONLY | O_CLOEXEC);
    if (index < 0) {
        return false;
    }
    // SQLite's connections share this byte as long as they are open.
    constexpr off_t kOpenByte = 128;
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = kOpenByte;
    lock.l_len = 1;
    const bool is_used = fcntl(index, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    close(index);
    return is_used;
}

std::optional<IndexedLog> index_beside(const std::string& path) {
    constexpr std::size_t kIndexHeader = 96;
    std::ifstream in(path + "-shm", std::ios::binary);
    std::string bytes(kIndexHeader, '\0');
    if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
        return std::nullopt;
    }
    return read_log_index(bytes);
}

LogReport report_on_log(const std::string& path, const File& log, std::uint32_t page_size,
                        bool with_index) {
    return inspect_log(
        [&](std::uint64_t at, char* to, std::size_t size) { return log.read(at, to, size); },
        page_size, with_index ? index_beside(path) : std::nullopt);
}

bool have_same_bytes(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code ignored;
    if (std::filesystem::file_size(a, ignored) != std::filesystem::file_size(b, ignored)) {
        return false;
    }
    std::ifstream one(a, std::ios::binary);
    std::ifstream two(b, std::ios::binary);
    constexpr std::size_t kPiece = std::size_t{64} << 10;
    std::string first(kPiece, '\0');
    std::string second(kPiece, '\0');
    while (one && two) {
        one.read(first.data(), static_cast<std::streamsize>(first.size()));
        two.read(second.data(), static_cast<std::streamsize>(second.size()));
        const auto size = static_cast<std::size_t>(one.gcount());
        if (one.gcount() != two.gcount() ||
            std::string_view(first).substr(0, size) != std::string_view(second).substr(0, size)) {
            return false;
        }
    }
    return one.eof() && two.eof();
}

// Copies a damaged log beside it, once. Empty if it could not be copied.
std::string keep_log(const std::string& log) {
    constexpr int kCopiesMax = 1000;
    for (int number = 1; number <= kCopiesMax; ++number) {
        const std::string copy = log + ".damaged-" + std::to_string(number);
        std::error_code failed;
        if (std::filesystem::exists(copy, failed)) {
            if (have_same_bytes(log, copy)) {
                return copy;
            }
            continue;
        }
        if (!std::filesystem::copy_file(log, copy, failed)) {
            std::filesystem::remove(copy, failed);
            return {};
        }
        const int written = open(copy.c_str(), O_RDONLY | O_CLOEXEC);
        const bool is_synced = written >= 0 && fsync(written) == 0;
        close(written);
        return is_synced ? copy : std::string();
    }
    return {};
}

std::unexpected<base::Error> damaged_log(const std::string& log) {
    const std::string copy = is_system_disk() ? keep_log(log) : std::string();
    return copy.empty() ? base::fail(ErrorCode::kLogDamagedHere, {log})
                        : base::fail(ErrorCode::kLogDamaged, {log, copy});
}

// A file of SQLite's format, with its log.
Result<StoreFile> examine_database(StoreFile found, const File& store, const std::string& header,
                                   Access access, std::string_view first_tables) {
    const std::uint32_t page_size = page_size_in(header);
    std::string page = store.bytes(0, std::min<std::size_t>(page_size, store.size()));
    const std::string log_path = found.path + "-wal";
    const auto log = exists(log_path) ? File::open(found.path, File::Kind::kLog) : std::nullopt;
    found.has_log = log && log->size() > 0;
    // The log of a store that is in use is not started anew, so only its first page matters, and
    // that only until it has been written back once.
    const bool is_marked = page.size() >= kHeaderBytes && word_at(page, 68) == kApplicationId;
    if (found.has_log && !(found.is_in_use && is_marked)) {
        const bool has_index = is_system_disk() && !found.is_in_use;
        LogReport report = report_on_log(found.path, *log, page_size, has_index);
        if (report.is_damaged && has_index) {
            // Unless another process has begun to write meanwhile.
            found.is_in_use = is_used_elsewhere(found.path);
            report = report_on_log(found.path, *log, page_size, !found.is_in_use);
        }
        if (report.is_damaged && !found.is_in_use) {
            if (access != Access::kSalvage) {
                return damaged_log(log_path);
            }
            found.is_log_damaged = true;
        }
        if (!report.first_page.empty()) {
            page = std::move(report.first_page);
        }
    }
    if (page.size() < kHeaderBytes || !page.starts_with(kMagic)) {
        return base::fail(ErrorCode::kStoreJunk, {found.name});
    }
    switch (owner_of(page, first_tables)) {
        case Owner::kArbiter:
            return found;
        case Owner::kUnmarkedArbiter:
            found.is_unmarked = true;
            return found;
        case Owner::kNone:
            // A store whose creation was interrupted, or is under way.
            if (access == Access::kCreate) {
                found.is_new = true;
                return found;
            }
            return base::fail(ErrorCode::kStoreEmpty, {found.name});
        case Owner::kOther:
            break;
    }
    return base::fail(ErrorCode::kStoreForeign, {found.name});
}

}  // namespace

Result<StoreFile> examine_store_file(const std::string& file, Access access,
                                     std::string_view first_tables) {
    StoreFile found;
    found.name = file;
    found.path = full_path(file);
    const std::string log = found.path + "-wal";
    const bool is_system = is_system_disk();
    std::error_code ignored;
    if (is_system && std::filesystem::is_directory(found.path, ignored)) {
        return base::fail(ErrorCode::kStoreJunk, {file});
    }
    const auto store =
        exists(found.path) ? File::open(found.path, File::Kind::kStore) : std::nullopt;
    if (!store && exists(found.path)) {
        return base::fail(ErrorCode::kFileUnreadable, {file, std::strerror(errno)});
    }
    // SQLite counts a file of one byte as empty, so the system is asked.
    const std::uint64_t size =
        !store      ? 0
        : is_system ? static_cast<std::uint64_t>(std::filesystem::file_size(found.path, ignored))
                    : store->size();
    if (size == 0) {
        // Opened like a store: SQLite opens a log only beside its store.
        const auto left = exists(log) ? File::open(log, File::Kind::kStore) : std::nullopt;
        if (left && left->size() > 0) {
            // SQLite would delete it.
            return base::fail(ErrorCode::kLogAlone, {log, file});
        }
        if (access != Access::kCreate) {
            return base::fail(store ? ErrorCode::kStoreEmpty : ErrorCode::kStoreMissing, {file});
        }
        const std::filesystem::path folder = std::filesystem::path(found.path).parent_path();
        if (is_system && !std::filesystem::is_directory(folder, ignored)) {
            return base::fail(ErrorCode::kStoreFolder, {folder.string(), file});
        }
        found.is_new = true;
        return found;
    }
    const std::string header = size >= kHeaderBytes ? store->bytes(0, kHeaderBytes) : "";
    if (!header.starts_with(kMagic) || !std::has_single_bit(page_size_in(header)) ||
        page_size_in(header) < 512) {
        if (is_half_created(found.path)) {
            found.is_new = true;
            return access == Access::kCreate ? Result<StoreFile>(std::move(found))
                                             : base::fail(ErrorCode::kStoreEmpty, {file});
        }
        return base::fail(ErrorCode::kStoreJunk, {file});
    }
    found.is_in_use = is_system && (OpenMark::is_open(found.path) || is_used_elsewhere(found.path));
    return examine_database(std::move(found), *store, header, access, first_tables);
}

Result<> create_store_file(const StoreFile& file) {
    if (!is_system_disk()) {
        return {};
    }
    const int made = open(file.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made >= 0) {
        close(made);
        return {};
    }
    switch (errno) {
        case EEXIST:
            return {};
        case EACCES:
        case EPERM:
        case EROFS:
            return base::fail(ErrorCode::kStoreNoAccess, {file.name});
        case ENOSPC:
        case EDQUOT:
            return base::fail(ErrorCode::kStoreFull);
        default:
            return base::fail(ErrorCode::kFileUnwritable, {file.name, std::strerror(errno)});
    }
}

Result<std::string> load_store_image(const StoreFile& file) {
    const std::string log_path = file.path + "-wal";
    const auto unread = [&] { return base::fail(ErrorCode::kLogUnread, {log_path, file.name}); };
    const auto store = File::open(file.path, File::Kind::kStore);
    const auto log = File::open(file.path, File::Kind::kLog);
    if (!store || !log || store->size() > kImageBytesMax || log->size() > kImageBytesMax) {
        return unread();
    }
    std::string image = store->bytes(0, static_cast<std::size_t>(store->size()));
    if (image.size() < kHeaderBytes) {
        return unread();
    }
    apply_log([&](std::uint64_t at, char* to, std::size_t size) { return log->read(at, to, size); },
              page_size_in(image), image);
    // A database in memory has no log.
    image[18] = image[19] = 1;
    return image;
}

// ---- files of this process

struct OpenMark::Counts {
    std::mutex lock;
    std::map<Id, int> open;
};
OpenMark::Counts& OpenMark::counts() {
    static Counts all;
    return all;
}

std::optional<OpenMark::Id> OpenMark::id_of(const std::string& path) {
    struct stat about = {};
    if (!is_system_disk() || stat(path.c_str(), &about) != 0) {
        return std::nullopt;
    }
    return Id{static_cast<std::uint64_t>(about.st_dev), static_cast<std::uint64_t>(about.st_ino)};
}

OpenMark::OpenMark(const std::string& path) : id_(id_of(path)) {
    if (id_) {
        const std::scoped_lock lock(counts().lock);
        ++counts().open[*id_];
    }
}

OpenMark::~OpenMark() {
    if (id_) {
        const std::scoped_lock lock(counts().lock);
        if (--counts().open[*id_] == 0) {
            counts().open.erase(*id_);
        }
    }
}

bool OpenMark::is_open(const std::string& path) {
    const auto id = id_of(path);
    const std::scoped_lock lock(counts().lock);
    return id && counts().open.contains(*id);
}

}  // namespace arbiter::ledger
