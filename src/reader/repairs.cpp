#include "reader/repairs.h"

#include <array>
#include <vector>

#include "text/join.h"

namespace arbiter::reader {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Repair::kCount)> kRepairNames = {
    "full_width",     "quotes",        "bare_key",       "bare_word",   "comment",
    "trailing_comma", "missing_comma", "missing_closer", "raw_newline", "inner_quote",
    "escape",         "python",        "number",         "arithmetic"};

}  // namespace

std::string_view name(Repair repair) noexcept {
    return kRepairNames[static_cast<std::size_t>(repair)];
}

std::string Repairs::list() const {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < kRepairNames.size(); ++i) {
        if (has(static_cast<Repair>(i))) {
            names.push_back(kRepairNames[i]);
        }
    }
    return text::join(names);
}

}  // namespace arbiter::reader
