// Goal: below admin, no answer of any route holds a hidden goal, the content of a hidden node, or a
// raw reply. Method: plant them, send requests to every route of the table at the scopes read and
// play, and search headers and bodies.
#include <gtest/gtest.h>

#include "tests/server/scenario.h"

namespace arbiter::server {
namespace {

class HiddenParts : public Scenario {
  protected:
    void search(const Step& step, Scope scope) {
        const Route& route = route_of(step);
        const bool may = scope >= route.scope;
        const Answer answer = send(request_of(step.method, step.target, step.body), {scope});
        EXPECT_EQ(answer.status, may ? step.status : 403)
            << step.method << " " << step.target << "\n"
            << answer.text;
        std::string all = answer.text;
        for (const net::Header& each : answer.headers) {
            all += "\n" + each.value;
        }
        for (const std::string_view secret :
             {kGoalSecret, std::string_view("lighthouse keeper"), kNodeSecret, kOldNodeSecret,
              kCellarSecret, kRawSecret, std::string_view("\"oak\""), std::string_view("iron")}) {
            const std::size_t at = all.find(secret);
            EXPECT_EQ(at, std::string::npos)
                << step.method << " " << step.target << " at " << name(scope) << " tells " << secret
                << ": …" << all.substr(at < 200 ? 0 : at - 200, 300);
        }
    }
};

TEST_F(HiddenParts, StayHiddenFromReaders) {
    for (const Step& step : reads()) {
        search(step, Scope::kRead);
    }
    for (const Step& step : writes()) {
        search(step, Scope::kRead);
    }
}

TEST_F(HiddenParts, StayHiddenFromPlayers) {
    for (const Step& step : reads()) {
        search(step, Scope::kPlay);
    }
    for (const Step& step : writes()) {
        search(step, Scope::kPlay);
    }
    for (const Step& step : reads()) {
        if (!step.target.ends_with("/report")) {
            search(step, Scope::kPlay);
        }
    }
}

// The secrets are really there, and the list of requests reaches every route.
TEST_F(HiddenParts, AreShownToOperators) {
    std::string all;
    std::set<const Route*> reached;
    for (const auto& steps : {reads(), writes()}) {
        for (const Step& step : steps) {
            reached.insert(&route_of(step));
            all += send(request_of(step.method, step.target, step.body)).text;
        }
    }
    for (const std::string_view secret :
         {kGoalSecret, kNodeSecret, kOldNodeSecret, kCellarSecret, kRawSecret}) {
        EXPECT_NE(all.find(secret), std::string::npos) << secret;
    }
    for (const Route& route : routes()) {
        const bool is_ours = route.handler != nullptr && route.scope < Scope::kAdmin;
        EXPECT_TRUE(!is_ours || reached.contains(&route))
            << "no request for " << route.method << " " << route.pattern;
    }
}

}  // namespace
}  // namespace arbiter::server
