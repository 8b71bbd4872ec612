#include "ledger/backup.h"

namespace arbiter::ledger {

base::Result<> back_up(Store& store, const std::string& file) {
    if (auto done = store.backup(file); !done) {
        return done;
    }
    const auto copy = open_store("sqlite:" + file, Access::kRead);
    const auto problems = copy ? (*copy)->check() : std::unexpected(copy.error());
    if (!problems) {
        return std::unexpected(problems.error());
    }
    return problems->empty() ? base::Result<>()
                             : base::Result<>(std::unexpected(problems->front()));
}

}  // namespace arbiter::ledger
