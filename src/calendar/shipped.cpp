#include "calendar/shipped.h"

#include <vector>

#include "base/check.h"
#include "value/json.h"

namespace arbiter::calendar {

const Calendars& default_calendars() {
    static const Calendars calendars = [] {
        std::vector<value::Value> documents;
        for (const ShippedText& text : shipped_calendars()) {
            const auto document = value::parse_json(text.json);
            CHECK(document.has_value());
            documents.push_back(*document);
        }
        auto compiled = Calendars::compile(documents);
        CHECK(compiled.has_value());
        return std::move(*compiled);
    }();
    return calendars;
}

std::shared_ptr<const Calendars> shared_calendars() {
    // Static: no owner needed.
    return {&default_calendars(), [](const Calendars*) {}};
}

}  // namespace arbiter::calendar
