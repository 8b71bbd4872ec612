// Disk: a disk in memory under SQLite. It can fail at any write or sync, it knows what would be
// left if the power went, and it remembers everything that was done to it, so that a test can stop
// at every point.
//
// The model: a write reaches the cache at once and the platters at a sync, or before it, in pieces
// of a sector and in any order. A process that is killed leaves the cache; a power cut leaves the
// platters, and of what was not synced any part. A sync that failed has lost what it should have
// brought to the platters: later syncs say nothing about it. Files come to be and go at once.
//
// While it lives it is the disk of every database that is opened. For one thread.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/random.h"

namespace arbiter::ledger {

class Disk {
  public:
    // The content of each file.
    using Image = std::map<std::string, std::string>;

    enum class Kind : std::uint8_t { kCreate, kRemove, kWrite, kTruncate, kSync };
    struct Operation {
        Kind kind;
        std::string file;
        std::size_t at = 0;  // of a write; the new size of a truncation
        std::string bytes;
    };

    Disk();
    Disk(const Disk&) = delete;
    Disk& operator=(const Disk&) = delete;
    ~Disk();

    // The nth write (or truncation that grows), or sync, from now on fails, once; 0: none.
    void fail_write(std::size_t nth) { writes_left_ = nth; }
    void fail_sync(std::size_t nth) { syncs_left_ = nth; }
    // Whether it has.
    [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }
    void forget_failure() {
        has_failed_ = false;
        writes_left_ = syncs_left_ = 0;
    }

    // The nth write, truncation or sync from now on, and everything after it, is not carried out
    // and fails, as for a process that is killed there; 0: none. put() ends it.
    void stop_at(std::size_t nth) { left_ = nth; }
    [[nodiscard]] bool is_stopped() const noexcept { return is_stopped_; }

    // Everything that was done since the disk came to be.
    [[nodiscard]] const std::vector<Operation>& operations() const noexcept { return operations_; }
    void remember_operations(bool remember) { remembers_ = remember; }

    // The content of the cache, and the content after a power cut.
    [[nodiscard]] Image image() const;
    [[nodiscard]] Image image_after_power_cut() const;
    // Of what was not synced, sectors that chance decides.
    [[nodiscard]] Image torn_image(tests::Random& random) const;
    // When no database is open.
    void put(const Image& image);

    // ---- for the functions that SQLite calls
    struct File {
        std::string bytes;    // in the cache
        std::string platter;  // what is certain
        std::vector<Operation> pending;
        std::vector<std::unique_ptr<std::vector<char>>> shared;
        struct Lock {
            int readers = 0;
            bool writer = false;
        };
        Lock locks[SQLITE_SHM_NLOCK];
        std::vector<int*> levels;  // of the handles
    };
    std::shared_ptr<File> open(const std::string& name, bool create);
    bool exists(const std::string& name) const { return files_.contains(name); }
    void remove(const std::string& name);
    int write(File& file, const std::string& name, std::size_t at, std::string_view bytes);
    int truncate(File& file, const std::string& name, std::size_t size);
    int sync(File& file, const std::string& name);
    tests::Random& random() noexcept { return random_; }

  private:
    void note(Operation operation);
    // Counts an operation. True if the process is dead.
    bool is_dead();

    std::map<std::string, std::shared_ptr<File>> files_;
    std::vector<Operation> operations_;
    bool remembers_ = true;
    std::size_t writes_left_ = 0;
    std::size_t syncs_left_ = 0;
    bool has_failed_ = false;
    std::size_t left_ = 0;
    bool is_stopped_ = false;
    tests::Random random_{1};
    sqlite3_vfs vfs_ = {};
    sqlite3_vfs* usual_ = nullptr;
};

// The content of a disk after each prefix of its operations: as left by a killed process, and as
// possible after a power cut.
class Replay {
  public:
    void next(const Disk::Operation& operation);
    [[nodiscard]] const Disk::Image& killed() const noexcept { return cache_; }
    // Of what was not synced, sectors that chance decides.
    [[nodiscard]] Disk::Image power_cut(tests::Random& random) const;

  private:
    Disk::Image cache_;
    Disk::Image platters_;
    std::map<std::string, std::vector<Disk::Operation>> pending_;
};

}  // namespace arbiter::ledger
