#include "ledger/library.h"

namespace arbiter::ledger {

base::Result<Campaign> open_library(Store& store, engine::Instant now) {
    auto library = Campaign::open(store, kLibraryId);
    if (library || library.error().code != base::ErrorCode::kCampaignUnknown) {
        return library;
    }
    Beginning beginning;
    beginning.id = kLibraryId;
    beginning.name = kLibraryId;
    beginning.state.document = value::Object();
    beginning.time = now;
    library = Campaign::begin(store, beginning);
    // Somebody else may have been first.
    return library || library.error().code != base::ErrorCode::kCampaignExists
               ? library
               : Campaign::open(store, kLibraryId);
}

}  // namespace arbiter::ledger
