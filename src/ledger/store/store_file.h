// The file of an SQLite store before SQLite opens it. SQLite would create a missing file, switch
// any database to a log, and drop a damaged log, so all of that is decided here first. Nothing is
// changed but by create_store_file() and a copy of a damaged log.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "ledger/store.h"

namespace arbiter::ledger {

// In the header of every store: "ARBT".
inline constexpr std::int64_t kApplicationId = 0x41524254;

struct StoreFile {
    std::string name;             // as the caller wrote it
    std::string path;             // absolute
    bool is_new = false;          // missing, or empty: there are no tables
    bool has_log = false;         // there is a log that is not empty
    bool is_in_use = false;       // by another connection, of any process
    bool is_unmarked = false;     // of a release that did not write kApplicationId
    bool is_log_damaged = false;  // only with Access::kSalvage; else it is an error
};

// `first_tables`: the statements that made the tables of the first version, by which unmarked
// stores are recognised. Fails with kStoreMissing, kStoreEmpty, kStoreJunk, kStoreForeign,
// kStoreFolder, kLogDamaged, kLogAlone.
base::Result<StoreFile> examine_store_file(const std::string& file, Access access,
                                           std::string_view first_tables);

// Creates the file, readable by its owner only; the files beside it get the same rights from
// SQLite. Does nothing if it exists.
base::Result<> create_store_file(const StoreFile& file);

// The content of the file with its log applied, for reading where no files can be made beside it.
// Fails with kLogUnread if it is too large for that.
base::Result<std::string> load_store_image(const StoreFile& file);

// A file that this process has open. POSIX drops all locks of a process on a file when it closes
// any descriptor of it, so only the first opening may look at the index of the log.
class OpenMark {
  public:
    explicit OpenMark(const std::string& path);
    OpenMark(const OpenMark&) = delete;
    OpenMark& operator=(const OpenMark&) = delete;
    ~OpenMark();
    static bool is_open(const std::string& path);

  private:
    struct Id {
        std::uint64_t device = 0;
        std::uint64_t inode = 0;
        friend auto operator<=>(const Id&, const Id&) = default;
    };
    static std::optional<Id> id_of(const std::string& path);
    struct Counts;
    static Counts& counts();

    std::optional<Id> id_;
};

}  // namespace arbiter::ledger
