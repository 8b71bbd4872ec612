// Whole turns of a campaign, all but the model's time: prompt, reading, judging, rules, keeping.
#include "base/check.h"
#include "bench/cases.h"
#include "campaign/create.h"
#include "campaign/session.h"
#include "config/rulebooks.h"
#include "ledger/store/memory.h"
#include "value/json.h"

namespace arbiter::bench {
namespace {

// Says the same at once.
class Instant final : public model::Model {
  public:
    explicit Instant(std::string text) : text_(std::move(text)) {}
    using Model::answer;
    base::Result<model::Reply> answer(const model::Request&,
                                      const model::OnPiece& on_piece) override {
        model::Reply reply;
        reply.text = text_;
        if (on_piece) {
            (void)on_piece({reply.text});
        }
        return reply;
    }

  private:
    std::string text_;
};

constexpr const char* kTemplate = R"json({
    "id": "c", "seed": 7, "world": {"id": "w", "name": "w", "background": "b"},
    "map": {"id": "m", "areas": {"a": {"name": "a"}, "b": {"name": "b"}}, "paths": {"p": {"from": "a", "to": "b"}}},
    "characters": {"hero": {"name": "h", "hp": {"current": 50, "max": 99}, "area_id": "a"}},
    "party": ["hero"], "active_actor": "hero", "tools": ["move", "hp_delta", "roll"]})json";

// With a tool call that the model need not hear of: one turn is one request.
std::string reply_of(const Request& request) {
    return std::string(replies_of(request)[0]) +
           R"(<tool_call>{"tool":"hp_delta","args":{"target_character_id":"hero","delta":1,)"
           R"("cause":"x"},"id":"a"}</tool_call>)";
}

std::unique_ptr<campaign::Session> begin(ledger::Store& store, const Request& request) {
    campaign::SessionOptions options{config::Protocols()};
    campaign::CampaignSetup setup;
    setup.id = setup.name = "c";
    setup.world = config::load_world("auto").value();
    setup.state.document = request.document->root;
    setup.table = value::parse_json(kTemplate).value();
    std::vector<base::Error> warnings;
    CHECK(campaign::create_campaign(store, std::move(setup), options, warnings).has_value());
    return campaign::Session::open(store, "c", std::move(options)).value();
}

Answer measure_turn(const Request& request) {
    const auto store = ledger::make_memory_store();
    const auto session = begin(*store, request);
    Instant model(reply_of(request));
    engine::Instant now = 0;
    // Every two hundredth turn keeps its whole state, which is no longer one turn's work.
    Samples samples;
    for (double spent = 0; spent < request.target_ms * 1e6 || samples.ns.size() < kSamplesMin;) {
        turn::TurnRequest wanted;
        wanted.said = "继续";
        wanted.now = ++now;
        const double start = now_ns();
        const auto turned = session->turn(wanted, model);
        const double took = now_ns() - start;
        CHECK(turned && turned->status == turn::Status::kCommitted);
        samples.ns.push_back(took);
        spent += took;
    }
    return {std::move(samples), {}};
}

std::string check_nothing(const Request&) {
    return "null";
}

constexpr Case kCases[] = {{"session_turn", measure_turn, check_nothing}};

}  // namespace

std::span<const Case> campaign_cases() {
    return kCases;
}

}  // namespace arbiter::bench
