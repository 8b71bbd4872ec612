#include "conflict/internal/analysis.h"

#include <algorithm>
#include <tuple>

#include "base/limits.h"
#include "conflict/internal/company.h"
#include "conflict/internal/items.h"
#include "conflict/internal/lives.h"
#include "conflict/internal/places.h"
#include "conflict/internal/quantities.h"
#include "conflict/internal/sheets.h"
#include "conflict/internal/worlds.h"
#include "text/truncate.h"

namespace arbiter::conflict::internal {

Analysis::Analysis(const Input& input)
    : text_(text::truncate(input.narrative, base::kReplyBytesMax)),
      names_((input.names != nullptr ? *input.names : own_).of(input.truth, input.lexicon)),
      prose_(parse_prose(text_, names_, input.lexicon)),
      people_(input.truth, prose_, names_),
      mood_(prose_),
      settled_(settled_changes(input.truth, input.actions)) {
    const Context at{input.truth, settled_, prose_, names_, people_, mood_, observations_};
    find_quantities(at);
    find_places(at);
    find_company(at);
    find_lives(at);
    find_sheets(at);
    find_items(at);
    find_worlds(at);
    std::ranges::sort(observations_, {}, [](const Observation& seen) {
        return std::tuple(seen.begin, seen.end, seen.type, std::string_view(seen.found));
    });
}

}  // namespace arbiter::conflict::internal
