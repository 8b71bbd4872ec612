// Goal: the answer about a turn hides what was hidden before it, also if the turn reveals the
// place.
#include "server/turn_answer.h"

#include <gtest/gtest.h>

#include "tests/server/api_client.h"

namespace arbiter::server {
namespace {

class TurnAnswerTest : public ApiTest {};

TEST_F(TurnAnswerTest, HidesWhatWasHiddenBefore) {
    create("a", R"({"box": {"_filter": true, "_showInEJS": false, "list": ["pearl-77"]}})");
    const auto session = host.session("a").value();
    turn::SuppliedReply reply;
    reply.now = kNow;
    reply.text = R"(The lid opens.
```json
[{"op": "pop", "path": ["box", "list"]}, {"op": "assign", "path": ["box", "_filter"], "value": false}]
```)";
    const turn::TurnResult result = session->apply(reply).value();
    const auto shown = [&](table::Viewer viewer) {
        return value::print_json(turn_answer(*session, result, viewer).get());
    };
    EXPECT_NE(shown(table::Viewer::kOperator).find("pearl-77"), std::string::npos)
        << shown(table::Viewer::kOperator);
    EXPECT_EQ(shown(table::Viewer::kPlayer).find("pearl-77"), std::string::npos);
}

}  // namespace
}  // namespace arbiter::server
