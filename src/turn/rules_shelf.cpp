#include "turn/rules_shelf.h"

#include <algorithm>

namespace arbiter::turn {

bool Lessons::fits(const protocol::LessonFacts& of, base::Language in,
                   std::span<const protocol::Lesson> forms) const {
    const auto same_form = [](const protocol::Lesson& a, const protocol::Lesson& b) {
        return a.form == b.form && a.by_protocol == b.by_protocol;
    };
    return facts == of && language == in && std::ranges::equal(forms, all, same_form);
}

}  // namespace arbiter::turn
