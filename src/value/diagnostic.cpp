#include "value/diagnostic.h"

#include "base/limits.h"

namespace arbiter::value {

void add(Diagnostics& diagnostics, Diagnostic diagnostic) {
    if (diagnostics.size() < base::kNoticesMax) {
        diagnostics.push_back(std::move(diagnostic));
    } else if (diagnostics.size() == base::kNoticesMax) {
        diagnostics.push_back(
            {std::move(diagnostic.path), diagnostic.at_key,
             base::Error(base::ErrorCode::kMoreFaults, {std::to_string(base::kNoticesMax)}),
             diagnostic.document});
    }
}

}  // namespace arbiter::value
