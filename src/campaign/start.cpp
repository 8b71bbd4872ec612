#include "campaign/start.h"

#include <algorithm>
#include <random>

#include "campaign/greeting.h"
#include "card/zod.h"
#include "config/card_report.h"
#include "engine/initvar.h"
#include "ledger/library.h"
#include "ledger/names.h"
#include "prompt/names.h"
#include "rules/blueprint.h"
#include "rules/worlds.h"
#include "table/layout.h"
#include "text/join.h"
#include "text/truncate.h"
#include "text/utf8.h"

namespace arbiter::campaign {

using base::ErrorCode;
using base::Result;
using config::FileDiagnostics;
using value::Object;
using value::Value;

namespace {

std::unexpected<FileDiagnostics> wrong(ErrorCode code, std::string text) {
    return std::unexpected(FileDiagnostics{"arbiter", {}, {base::Error(code, {std::move(text)})}});
}

// A card with variables beside it counts as an MVU card.
std::string_view usual_profile(const CampaignPlan& plan) {
    if (!plan.card) {
        return "auto";
    }
    const std::string_view usual = card::usual_profile(*plan.card);
    return usual == "auto" && !plan.card_options.variables.empty() ? "mvu-card" : usual;
}

}  // namespace

std::string fresh_campaign_id() {
    constexpr std::string_view kLetters = "abcdefghjkmnpqrstuvwxyz23456789";
    std::random_device device;
    std::string id;
    for (int i = 0; i < 8; ++i) {
        id += kLetters[device() % kLetters.size()];
    }
    return id;
}

std::expected<CampaignStart, FileDiagnostics> CampaignStart::prepare(CampaignPlan plan) {
    CampaignStart start;
    start.plan_ = std::move(plan);
    auto done = start.name_it();
    done = done ? start.load_rules() : done;
    done = done ? start.start_card("User") : done;
    if (!done) {
        return std::unexpected(std::move(done).error());
    }
    return start;
}

std::expected<void, FileDiagnostics> CampaignStart::name_it() {
    const auto written = [&](std::string_view key) {
        return text::to_utf8(std::string(table::text_in(&plan_.table, key)));
    };
    const auto fits = [](std::string_view id) {
        return ledger::is_campaign_id(id) && id != ledger::kLibraryId;
    };
    if (plan_.id && !fits(*plan_.id)) {
        return wrong(ErrorCode::kCampaignId, *plan_.id);
    }
    setup_.id = plan_.id ? *plan_.id : written("id");
    if (!fits(setup_.id)) {
        setup_.id = fresh_campaign_id();
    }
    setup_.name = text::to_utf8(plan_.name.empty() ? written("title") : plan_.name);
    if (setup_.name.empty()) {
        const std::string of_card = plan_.card ? text::to_utf8(plan_.card->name) : std::string();
        setup_.name = ledger::is_campaign_name(of_card) ? of_card : setup_.id;
    }
    if (!ledger::is_campaign_name(setup_.name)) {
        return wrong(ErrorCode::kCampaignName, setup_.name);
    }
    setup_.table = std::move(plan_.table);
    if (setup_.table.is_object()) {
        setup_.table = setup_.table.as_object()
                           .set("id", std::string_view(setup_.id))
                           .set("title", std::string_view(setup_.name));
    }
    return {};
}

std::expected<void, FileDiagnostics> CampaignStart::load_rules() {
    has_profile_ = !plan_.profile.empty();
    if (!has_profile_) {
        plan_.profile = usual_profile(plan_);
    }
    // The limits of a card's schema hold under any profile.
    auto world = config::load_world(plan_.profile,
                                    plan_.card ? card::read_zod(*plan_.card).rulebook : Value());
    if (!world) {
        return std::unexpected(std::move(world).error());
    }
    setup_.world = *std::move(world);
    setup_.state = setup_.world.profile.policy.locks_structure
                       ? engine::take_structure(std::move(plan_.document))
                       : engine::State{std::move(plan_.document), {}};
    setup_.now = plan_.now;
    setup_.tools = std::move(plan_.tools);
    setup_.card = std::move(plan_.card);
    setup_.card_options = std::move(plan_.card_options);
    setup_.greeting = plan_.greeting;
    setup_.settings = std::move(plan_.settings);
    setup_.protocols = std::move(plan_.protocols);
    return {};
}

std::expected<void, FileDiagnostics> CampaignStart::start_card(std::string user) {
    if (!setup_.card) {
        return {};
    }
    auto start = config::initial_state(
        *setup_.card,
        start_options(setup_.id, setup_.greeting, std::move(user), setup_.card_options));
    if (!start) {
        FileDiagnostics wrong = std::move(start).error();
        if (!plan_.card_file.empty() && wrong.file != "arbiter") {
            wrong.file = plan_.card_file + ": " + wrong.file;
        }
        return std::unexpected(std::move(wrong));
    }
    start_ = *std::move(start);
    return {};
}

// The name of the user as the campaign will have it.
std::string CampaignStart::user_in(const SessionOptions& options) const {
    const auto values =
        setup_.world.registries->settings.effective(setup_.settings, options.globals).values;
    const auto table = setup_.table.is_null()
                           ? Result<Value>(Value(Object()))
                           : table::begin_campaign(Object(), setup_.table, *setup_.world.registries,
                                                   options.globals, setup_.now);
    return prompt::user_name(table ? *table : Value(Object()), values);
}

void CampaignStart::complete_state(std::vector<base::Error>& warnings) {
    if (setup_.card) {
        config::begin_with(start_, setup_.world.profile.policy, setup_.state);
    }
    for (const auto& book : setup_.world.books) {
        if (plan_.fills_blueprints) {
            setup_.state.document = rules::with_blueprint(setup_.state.document, book->blueprint);
        }
        // The rulebooks of a default profile need not fit the campaign.
        auto missing = has_profile_ ? rules::uncomputed(*book, setup_.state.document)
                                    : std::vector<std::string>();
        if (!missing.empty()) {
            constexpr std::size_t kNamed = 5;
            const bool more = missing.size() > kNamed;
            missing.resize(std::min(missing.size(), kNamed));
            warnings.emplace_back(
                ErrorCode::kNotComputed,
                std::vector<std::string>{book->name, text::join(missing) + (more ? " …" : "")});
        }
    }
}

Result<StartedCampaign> CampaignStart::begin(ledger::Store& store, const SessionOptions& options,
                                             std::vector<base::Error>& warnings) {
    // With the name of this user it may differ, but not fail in another way.
    if (auto started = start_card(user_in(options)); !started) {
        return std::unexpected(std::move(started.error().errors[0]));
    }
    complete_state(warnings);
    StartedCampaign made;
    made.profile = plan_.profile;
    made.notes = setup_.card ? config::card_report(*setup_.card) : std::vector<card::ImportNote>();
    const std::string id = setup_.id;
    const engine::Instant now = setup_.now;
    if (auto begun = create_campaign(store, std::move(setup_), options, warnings); !begun) {
        return std::unexpected(std::move(begun).error());
    }
    auto session = Session::open(store, id, options);
    if (!session) {
        return std::unexpected(std::move(session).error());
    }
    made.session = *std::move(session);
    if (!start_.greeting.empty()) {
        auto greeted = made.session->apply(greeting_turn(start_, now));
        if (!greeted) {
            return std::unexpected(std::move(greeted).error());
        }
        made.greeting = *std::move(greeted);
    }
    return made;
}

}  // namespace arbiter::campaign
