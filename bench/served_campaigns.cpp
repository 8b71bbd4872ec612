#include "bench/served_campaigns.h"

#include <utility>
#include <vector>

#include "base/check.h"
#include "campaign/create.h"
#include "config/rulebooks.h"

namespace arbiter::bench {

std::string name_of(std::size_t campaign) {
    return "c" + std::to_string(campaign);
}

void create_campaigns(ledger::Store& store, std::size_t count) {
    const campaign::SessionOptions options{config::Protocols()};
    const config::World world = config::load_world("mvu").value();
    for (std::size_t i = 0; i < count; ++i) {
        campaign::CampaignSetup setup;
        setup.id = setup.name = name_of(i);
        setup.world = world;
        setup.state.document = value::Object{{"铜钱", 3}};
        std::vector<base::Error> warnings;
        CHECK(campaign::create_campaign(store, std::move(setup), options, warnings));
    }
}

}  // namespace arbiter::bench
