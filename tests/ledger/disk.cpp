#include "tests/ledger/disk.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace arbiter::ledger {

namespace {

constexpr std::size_t kSector = 512;

void put_at(std::string& bytes, std::size_t at, std::string_view part) {
    if (bytes.size() < at + part.size()) {
        bytes.resize(at + part.size(), '\0');
    }
    std::memcpy(bytes.data() + at, part.data(), part.size());
}

void carry_out(std::string& bytes, const Disk::Operation& operation) {
    if (operation.kind == Disk::Kind::kWrite) {
        put_at(bytes, operation.at, operation.bytes);
    } else {
        bytes.resize(operation.at, '\0');
    }
}

// Carries out a part of what was not synced, sector by sector, as chance decides.
void tear(std::string& bytes, const std::vector<Disk::Operation>& pending, tests::Random& random) {
    for (const Disk::Operation& operation : pending) {
        if (operation.kind == Disk::Kind::kTruncate) {
            if (random.below(2) == 0) {
                carry_out(bytes, operation);
            }
            continue;
        }
        for (std::size_t at = 0; at < operation.bytes.size();) {
            const std::size_t length =
                std::min(kSector - (operation.at + at) % kSector, operation.bytes.size() - at);
            if (random.below(2) == 0) {
                put_at(bytes, operation.at + at,
                       std::string_view(operation.bytes).substr(at, length));
            }
            at += length;
        }
    }
}

// An open file, as SQLite holds it.
struct Handle {
    sqlite3_file base;
    Disk* disk;
    std::shared_ptr<Disk::File> file;
    std::string name;
    int level = SQLITE_LOCK_NONE;
    unsigned readers = 0;  // bits: the shared locks that it has
    unsigned writers = 0;
};

Handle& handle_of(sqlite3_file* file) {
    return *reinterpret_cast<Handle*>(file);
}
Disk& disk_of(sqlite3_vfs* vfs) {
    return *static_cast<Disk*>(vfs->pAppData);
}

int close_file(sqlite3_file* file) {
    Handle& handle = handle_of(file);
    std::erase(handle.file->levels, &handle.level);
    handle.~Handle();
    return SQLITE_OK;
}
int read_file(sqlite3_file* file, void* to, int amount, sqlite3_int64 from) {
    const std::string& bytes = handle_of(file).file->bytes;
    const auto at = static_cast<std::size_t>(from);
    const auto wanted = static_cast<std::size_t>(amount);
    const std::size_t there = at < bytes.size() ? std::min(wanted, bytes.size() - at) : 0;
    std::memcpy(to, bytes.data() + (there > 0 ? at : 0), there);
    std::memset(static_cast<char*>(to) + there, 0, wanted - there);
    return there == wanted ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}
int write_file(sqlite3_file* file, const void* from, int amount, sqlite3_int64 at) {
    Handle& handle = handle_of(file);
    return handle.disk->write(*handle.file, handle.name, static_cast<std::size_t>(at),
                              {static_cast<const char*>(from), static_cast<std::size_t>(amount)});
}
int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
    Handle& handle = handle_of(file);
    return handle.disk->truncate(*handle.file, handle.name, static_cast<std::size_t>(size));
}
int sync_file(sqlite3_file* file, int) {
    Handle& handle = handle_of(file);
    return handle.disk->sync(*handle.file, handle.name);
}
int size_of_file(sqlite3_file* file, sqlite3_int64* size) {
    *size = static_cast<sqlite3_int64>(handle_of(file).file->bytes.size());
    return SQLITE_OK;
}

// ---- locks between handles of one file

int lock_file(sqlite3_file* file, int level) {
    Handle& handle = handle_of(file);
    if (handle.level >= level) {
        return SQLITE_OK;
    }
    for (const int* other : handle.file->levels) {
        const bool in_the_way = level == SQLITE_LOCK_SHARED     ? *other >= SQLITE_LOCK_PENDING
                                : level == SQLITE_LOCK_RESERVED ? *other >= SQLITE_LOCK_RESERVED
                                                                : *other >= SQLITE_LOCK_SHARED;
        if (other != &handle.level && in_the_way) {
            return SQLITE_BUSY;
        }
    }
    handle.level = level;
    return SQLITE_OK;
}
int unlock_file(sqlite3_file* file, int level) {
    handle_of(file).level = level;
    return SQLITE_OK;
}
int is_reserved(sqlite3_file* file, int* answer) {
    *answer = std::ranges::any_of(handle_of(file).file->levels,
                                  [](const int* level) { return *level >= SQLITE_LOCK_RESERVED; })
                  ? 1
                  : 0;
    return SQLITE_OK;
}
int control_file(sqlite3_file*, int, void*) {
    return SQLITE_NOTFOUND;
}
int sector_size(sqlite3_file*) {
    return static_cast<int>(kSector);
}
int characteristics(sqlite3_file*) {
    // As SQLite takes it for granted of real disks.
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

// ---- the index of the log, which connections share

int map_shared(sqlite3_file* file, int region, int size, int extend, void volatile** to) {
    auto& shared = handle_of(file).file->shared;
    const auto at = static_cast<std::size_t>(region);
    if (at >= shared.size() && extend == 0) {
        *to = nullptr;
        return SQLITE_OK;
    }
    while (shared.size() <= at) {
        shared.push_back(std::make_unique<std::vector<char>>(static_cast<std::size_t>(size), '\0'));
    }
    *to = shared[at]->data();
    return SQLITE_OK;
}
int lock_shared(sqlite3_file* file, int offset, int count, int flags) {
    Handle& handle = handle_of(file);
    for (int slot = offset; slot < offset + count; ++slot) {
        Disk::File::Lock& lock = handle.file->locks[slot];
        const unsigned bit = 1U << static_cast<unsigned>(slot);
        if ((flags & SQLITE_SHM_UNLOCK) != 0) {
            if ((handle.readers & bit) != 0) {
                --lock.readers;
            }
            if ((handle.writers & bit) != 0) {
                lock.writer = false;
            }
            handle.readers &= ~bit;
            handle.writers &= ~bit;
        } else if ((flags & SQLITE_SHM_SHARED) != 0) {
            if (lock.writer && (handle.writers & bit) == 0) {
                return SQLITE_BUSY;
            }
            if ((handle.readers & bit) == 0) {
                ++lock.readers;
                handle.readers |= bit;
            }
        } else {
            const int others = lock.readers - ((handle.readers & bit) != 0 ? 1 : 0);
            if (others > 0 || (lock.writer && (handle.writers & bit) == 0)) {
                // All or none.
                for (int before = offset; before < slot; ++before) {
                    handle.file->locks[before].writer = false;
                    handle.writers &= ~(1U << static_cast<unsigned>(before));
                }
                return SQLITE_BUSY;
            }
            lock.writer = true;
            handle.writers |= bit;
        }
    }
    return SQLITE_OK;
}
void shared_barrier(sqlite3_file*) {}
int unmap_shared(sqlite3_file* file, int remove) {
    if (remove != 0) {
        handle_of(file).file->shared.clear();
    }
    return SQLITE_OK;
}

constexpr sqlite3_io_methods kMethods = {2,
                                         close_file,
                                         read_file,
                                         write_file,
                                         truncate_file,
                                         sync_file,
                                         size_of_file,
                                         lock_file,
                                         unlock_file,
                                         is_reserved,
                                         control_file,
                                         sector_size,
                                         characteristics,
                                         map_shared,
                                         lock_shared,
                                         shared_barrier,
                                         unmap_shared,
                                         nullptr,
                                         nullptr};

int open_file(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
    file->pMethods = nullptr;
    Disk& disk = disk_of(vfs);
    static int temporary = 0;
    const std::string path = name != nullptr ? name : "temporary-" + std::to_string(temporary++);
    auto found = disk.open(path, (flags & SQLITE_OPEN_CREATE) != 0);
    if (!found) {
        return SQLITE_CANTOPEN;
    }
    auto* handle = new (file) Handle{{&kMethods}, &disk, std::move(found), path};
    handle->file->levels.push_back(&handle->level);
    if (out != nullptr) {
        *out = flags;
    }
    return SQLITE_OK;
}
int delete_file(sqlite3_vfs* vfs, const char* name, int) {
    if (!disk_of(vfs).exists(name)) {
        return SQLITE_IOERR_DELETE_NOENT;
    }
    disk_of(vfs).remove(name);
    return SQLITE_OK;
}
int access_file(sqlite3_vfs* vfs, const char* name, int, int* answer) {
    *answer = disk_of(vfs).exists(name) ? 1 : 0;
    return SQLITE_OK;
}
int full_name(sqlite3_vfs*, const char* name, int size, char* to) {
    sqlite3_snprintf(size, to, "%s", name);
    return SQLITE_OK;
}
// The salts of the log: the same in every run.
int chance(sqlite3_vfs* vfs, int amount, char* to) {
    for (int i = 0; i < amount; ++i) {
        to[i] = static_cast<char>(disk_of(vfs).random().next());
    }
    return amount;
}

}  // namespace

Disk::Disk() : usual_(sqlite3_vfs_find(nullptr)) {
    vfs_ = *usual_;  // time and sleep are the usual ones
    vfs_.iVersion = 2;
    vfs_.szOsFile = sizeof(Handle);
    vfs_.zName = "arbiter-test-disk";
    vfs_.pAppData = this;
    vfs_.pNext = nullptr;
    vfs_.xOpen = open_file;
    vfs_.xDelete = delete_file;
    vfs_.xAccess = access_file;
    vfs_.xFullPathname = full_name;
    vfs_.xRandomness = chance;
    sqlite3_vfs_register(&vfs_, 1);
}

Disk::~Disk() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(usual_, 1);
}

void Disk::note(Operation operation) {
    if (remembers_) {
        operations_.push_back(std::move(operation));
    }
}

std::shared_ptr<Disk::File> Disk::open(const std::string& name, bool create) {
    const auto found = files_.find(name);
    if (found != files_.end() || !create) {
        return found != files_.end() ? found->second : nullptr;
    }
    note({Kind::kCreate, name, 0, {}});
    return files_.emplace(name, std::make_shared<File>()).first->second;
}

bool Disk::is_dead() {
    if (left_ > 0 && --left_ == 0) {
        is_stopped_ = true;
    }
    return is_stopped_;
}

void Disk::remove(const std::string& name) {
    if (is_stopped_) {
        return;
    }
    note({Kind::kRemove, name, 0, {}});
    files_.erase(name);
}

int Disk::write(File& file, const std::string& name, std::size_t at, std::string_view bytes) {
    if (is_dead()) {
        return SQLITE_IOERR_WRITE;
    }
    if (writes_left_ > 0 && --writes_left_ == 0) {
        has_failed_ = true;
        return SQLITE_FULL;
    }
    Operation operation{Kind::kWrite, name, at, std::string(bytes)};
    carry_out(file.bytes, operation);
    file.pending.push_back(operation);
    note(std::move(operation));
    return SQLITE_OK;
}

int Disk::truncate(File& file, const std::string& name, std::size_t size) {
    if (is_dead()) {
        return SQLITE_IOERR_TRUNCATE;
    }
    Operation operation{Kind::kTruncate, name, size, {}};
    carry_out(file.bytes, operation);
    file.pending.push_back(operation);
    note(std::move(operation));
    return SQLITE_OK;
}

int Disk::sync(File& file, const std::string& name) {
    if (is_dead()) {
        return SQLITE_IOERR_FSYNC;
    }
    if (syncs_left_ > 0 && --syncs_left_ == 0) {
        has_failed_ = true;
        // The kernel takes the pages for clean now; they will never be written.
        file.pending.clear();
        return SQLITE_IOERR_FSYNC;
    }
    for (const Operation& operation : file.pending) {
        carry_out(file.platter, operation);
    }
    file.pending.clear();
    note({Kind::kSync, name, 0, {}});
    return SQLITE_OK;
}

Disk::Image Disk::image() const {
    Image image;
    for (const auto& [name, file] : files_) {
        image[name] = file->bytes;
    }
    return image;
}

Disk::Image Disk::image_after_power_cut() const {
    Image image;
    for (const auto& [name, file] : files_) {
        image[name] = file->platter;
    }
    return image;
}

Disk::Image Disk::torn_image(tests::Random& random) const {
    Image image = image_after_power_cut();
    for (const auto& [name, file] : files_) {
        tear(image[name], file->pending, random);
    }
    return image;
}

void Disk::put(const Image& image) {
    files_.clear();
    left_ = 0;
    is_stopped_ = false;
    for (const auto& [name, bytes] : image) {
        auto file = std::make_shared<File>();
        file->bytes = file->platter = bytes;
        files_[name] = std::move(file);
    }
}

void Replay::next(const Disk::Operation& operation) {
    const std::string& name = operation.file;
    switch (operation.kind) {
        case Disk::Kind::kCreate:
            cache_[name];
            platters_[name];
            break;
        case Disk::Kind::kRemove:
            cache_.erase(name);
            platters_.erase(name);
            pending_.erase(name);
            break;
        case Disk::Kind::kWrite:
        case Disk::Kind::kTruncate:
            carry_out(cache_[name], operation);
            pending_[name].push_back(operation);
            break;
        case Disk::Kind::kSync:
            for (const Disk::Operation& each : pending_[name]) {
                carry_out(platters_[name], each);
            }
            pending_[name].clear();
            break;
    }
}

Disk::Image Replay::power_cut(tests::Random& random) const {
    Disk::Image image = platters_;
    for (const auto& [name, operations] : pending_) {
        tear(image[name], operations, random);
    }
    return image;
}

}  // namespace arbiter::ledger
