#include "reader/internal/literal_entries.h"

#include <algorithm>

namespace arbiter::reader::internal {

Range entry_range(const Literal& literal, const value::Path& at, Range whole) {
    if (at.size() == 1 && at[0].is_index()) {
        const auto index = static_cast<std::size_t>(at[0].index());
        if (index < literal.items.size()) {
            return {literal.items[index].begin, literal.items[index].end};
        }
    }
    return whole;
}

bool refuse_if_cut(Output& output, const Source& source, proposal::Dialect dialect,
                   const Literal& literal, const value::Path& at, Range range) {
    const bool inside = !literal.closed && literal.open.size() >= at.size() &&
                        std::equal(at.begin(), at.end(), literal.open.begin());
    if (!inside || (source.closed && !literal.inside_token)) {
        return false;
    }
    refuse_unreadable(output, source, dialect, range, source.text.size(),
                      literal.inside_token ? "cut_off" : "unclosed_bracket");
    return true;
}

}  // namespace arbiter::reader::internal
