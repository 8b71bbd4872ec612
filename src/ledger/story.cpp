#include "ledger/story.h"

#include "ledger/history.h"
#include "value/json.h"

namespace arbiter::ledger {

using base::Result;
using value::Object;
using value::Value;

Result<std::string> export_story(const Campaign& campaign, const StoryWords& words,
                                 const table::Redactor& redactor) {
    const auto text = [&](std::string_view told) { return redactor.text(told).str(); };
    std::string out =
        value::print_json(Object{{"story", std::string_view(text(campaign.row().name))}}) + "\n";
    LineDocuments documents(campaign);
    auto visited = visit_line(campaign, [&](const TurnRow& row) -> Result<> {
        const auto turn = campaign.record_of(row);
        if (!turn) {
            return std::unexpected(turn.error());
        }
        const auto changes = document_changes(campaign, *turn);
        if (!changes) {
            return std::unexpected(changes.error());
        }
        const auto [before, after] = documents.at(row);
        const table::Redactor then = redactor.during(before, after);
        const Object line = {{"turn", turn->shown_number()},
                             {"time", std::string_view(engine::print_instant(turn->time))},
                             {"said", std::string_view(text(words.said(*turn)))},
                             {"shown", std::string_view(text(words.shown(*turn)))},
                             {"changes", then.records(value::diff_to_value(*changes)).get()}};
        out += value::print_json(line) + "\n";
        return {};
    });
    if (!visited) {
        return std::unexpected(std::move(visited).error());
    }
    return out;
}

}  // namespace arbiter::ledger
