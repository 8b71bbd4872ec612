#include "reader/internal/held_text.h"

#include <utility>

#include "text/utf8.h"

namespace arbiter::reader::internal {

std::string HeldText::take() {
    std::string taken = std::exchange(text_, {});
    if (const std::size_t cut = text::find_invalid(taken); cut != std::string_view::npos) {
        taken.resize(cut);
    }
    return taken;
}

}  // namespace arbiter::reader::internal
