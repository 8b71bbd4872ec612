#include "cli/campaign_new.h"

#include <algorithm>
#include <random>

#include "campaign/create.h"
#include "campaign/greeting.h"
#include "card/zod.h"
#include "cli/card_report.h"
#include "cli/cards.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "cli/player_console.h"
#include "cli/profiles.h"
#include "cli/tools.h"
#include "cli/verdicts.h"
#include "config/card_report.h"
#include "engine/initvar.h"
#include "ledger/library.h"
#include "ledger/names.h"
#include "prompt/names.h"
#include "rules/blueprint.h"
#include "rules/worlds.h"
#include "table/layout.h"
#include "text/join.h"
#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using ledger::Campaign;
using value::Object;
using value::Value;

// A random id, short enough to type.
std::string fresh_id() {
    constexpr std::string_view kLetters = "abcdefghjkmnpqrstuvwxyz23456789";
    std::random_device device;
    std::string id;
    for (int i = 0; i < 8; ++i) {
        id += kLetters[device() % kLetters.size()];
    }
    return id;
}

// One run of the command. Each step returns false after it has reported its error.
class Beginning {
  public:
    explicit Beginning(const Call& call) : call_(call), console_(call.console) {}

    Exit run() {
        const bool done = read_names() && read_card() && read_rules() && start_card("User") &&
                          open() && start_card(user()) && create() && greet();
        if (done) {
            say_begun();
        }
        return exit_;
    }

  private:
    bool fail(Exit exit) {
        exit_ = exit;
        return false;
    }

    // The template, which names the campaign that it begins; what is typed wins, in both places.
    bool read_names() {
        if (call_.has("--tools")) {
            auto tools = tools_of(call_);
            if (!tools) {
                return fail(tools.error());
            }
            setup_.tools = *std::move(tools);
        }
        if (const std::string file(call_.value("--table", "")); !file.empty()) {
            auto written = load_template(console_, file, setup_.tools);
            if (!written) {
                return fail(written.error());
            }
            setup_.table = std::move(written->value);
            std::ranges::move(written->tools, std::back_inserter(setup_.tools));
        }
        const auto named = [&](std::string_view key) {
            return std::string(table::text_in(&setup_.table, key));
        };
        setup_.name =
            text::to_utf8(call_.arguments.size() > 1 ? call_.arguments[1] : named("title"));
        if (setup_.name.empty()) {
            return fail(trouble(console_, base::Error(ErrorCode::kMissingArgument, {"NAME"})));
        }
        setup_.name = text::to_utf8(std::move(setup_.name));
        if (!ledger::is_campaign_name(setup_.name)) {
            return fail(trouble(console_,
                                base::Error(ErrorCode::kCampaignName, {on_one_line(setup_.name)})));
        }
        setup_.id = call_.has("--id") ? std::string(call_.value("--id", "")) : named("id");
        const bool fits = ledger::is_campaign_id(setup_.id) && setup_.id != ledger::kLibraryId;
        if (!fits && call_.has("--id")) {
            return fail(
                trouble(console_, base::Error(ErrorCode::kCampaignId, {on_one_line(setup_.id)})));
        }
        if (!fits) {
            setup_.id = fresh_id();
        }
        if (setup_.table.is_object()) {
            setup_.table = setup_.table.as_object()
                               .set("id", std::string_view(setup_.id))
                               .set("title", std::string_view(setup_.name));
        }
        return true;
    }

    bool read_card() {
        const auto greeting = number_of(call_, "--greeting", 0);
        if (!greeting) {
            return fail(greeting.error());
        }
        setup_.greeting = *greeting;
        if (call_.has("--user")) {
            const std::string user = text::to_utf8(std::string(call_.value("--user", "")));
            setup_.settings = Object{{"user.name", std::string_view(user)}};
        }
        if (!call_.has("--card")) {
            return true;
        }
        auto card = load_card(call_, std::string(call_.value("--card", "")));
        auto variables = initvars_of(call_);
        if (!card || !variables) {
            return fail(Exit::kTrouble);
        }
        setup_.card = *std::move(card);
        setup_.card_options = {*std::move(variables), call_.has("--init")};
        return true;
    }

    // The profile, and the document without the card.
    bool read_rules() {
        const bool has_more = !setup_.card_options.variables.empty();
        profile_ = call_.value("--profile",
                               setup_.card ? usual_profile_of(*setup_.card, has_more) : "auto");
        // The limits of a card's schema hold under any profile.
        auto world = config::load_world(
            profile_, setup_.card ? card::read_zod(*setup_.card).rulebook : Value());
        if (!world) {
            report(console_, world.error());
            return fail(Exit::kTrouble);
        }
        setup_.world = *std::move(world);
        Value document = Object();
        if (const std::string file(call_.value("--state", "")); !file.empty()) {
            auto loaded = load_document(console_, file);
            if (!loaded) {
                return fail(loaded.error());
            }
            document = std::move(*loaded);
        }
        setup_.state = setup_.world.profile.policy.locks_structure
                           ? engine::take_structure(std::move(document))
                           : engine::State{std::move(document), {}};
        const auto now = now_of(call_);
        if (!now) {
            return fail(now.error());
        }
        setup_.now = *now;
        // --protocol takes a comma-separated list.
        for (std::string_view rest = call_.value("--protocol", ""); !rest.empty();) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            setup_.protocols.push_back({std::string(rest.substr(0, end))});
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return true;
    }

    bool open() {
        auto store = open_store(call_, ledger::Access::kCreate);
        if (!store) {
            return fail(store.error());
        }
        store_ = *std::move(store);
        options_ = session_options_of(call_, *store_);
        return true;
    }

    // The name of the user as the campaign will have it.
    std::string user() const {
        const Object& registered = options_.globals;
        const auto values =
            setup_.world.registries->settings.effective(setup_.settings, registered).values;
        const auto table = setup_.table.is_null() ? base::Result<Value>(Value(Object()))
                                                  : table::begin_campaign(Object(), setup_.table,
                                                                          *setup_.world.registries,
                                                                          registered, setup_.now);
        return prompt::user_name(table ? *table : Value(Object()), values);
    }

    // Also tried before the store is opened: a card that cannot begin creates no store.
    bool start_card(std::string user) {
        if (!setup_.card) {
            return true;
        }
        auto start = config::initial_state(
            *setup_.card, campaign::start_options(setup_.id, setup_.greeting, std::move(user),
                                                  setup_.card_options));
        if (!start) {
            report(console_, start.error());
            return fail(Exit::kTrouble);
        }
        start_ = *std::move(start);
        return true;
    }

    void complete_state() {
        if (setup_.card) {
            config::begin_with(start_, setup_.world.profile.policy, setup_.state);
            notes_ = config::card_report(*setup_.card);
        }
        for (const auto& book : setup_.world.books) {
            if (call_.has("--init")) {
                setup_.state.document =
                    rules::with_blueprint(setup_.state.document, book->blueprint);
            }
            // The rulebooks of a default profile need not fit the campaign.
            auto missing = call_.has("--profile") ? rules::uncomputed(*book, setup_.state.document)
                                                  : std::vector<std::string>();
            if (!missing.empty()) {
                constexpr std::size_t kNamed = 5;
                const bool more = missing.size() > kNamed;
                missing.resize(std::min(missing.size(), kNamed));
                warnings_.emplace_back(
                    ErrorCode::kNotComputed,
                    std::vector<std::string>{book->name, text::join(missing) + (more ? " …" : "")});
            }
        }
    }

    bool create() {
        complete_state();
        has_card_ = setup_.card.has_value();
        now_ = setup_.now;
        const std::string id = setup_.id;
        const auto begun =
            campaign::create_campaign(*store_, std::move(setup_), options_, warnings_);
        for (const base::Error& warning : warnings_) {
            warn(console_, warning, "arbiter");
        }
        if (!begun) {
            return fail(trouble(console_, begun.error()));
        }
        auto session = campaign::Session::open(*store_, id, options_);
        if (!session) {
            return fail(trouble(console_, session.error()));
        }
        session_ = *std::move(session);
        return true;
    }

    bool greet() {
        if (start_.greeting.empty()) {
            return true;
        }
        auto greeted = session_->apply(campaign::greeting_turn(start_, now_));
        if (!greeted) {
            return fail(trouble(console_, greeted.error()));
        }
        greeting_ = greeted->shown.str();
        if (!call_.has("--json")) {
            console_.print(
                turn_lines(console_, greeting_, greeted->attempt, session_->registries()->tools));
            if (!greeted->protocol_notice.empty()) {
                PlayerConsole(console_).show_line(greeted->protocol_notice, Color::kYellow);
            }
        }
        return true;
    }

    // The profile, the fate of the card's parts, and the id.
    void say_begun() const {
        const Campaign campaign = session_->campaign();
        if (call_.has("--json")) {
            const Object row = {{"id", std::string_view(campaign.row().id)},
                                {"name", std::string_view(campaign.row().name)},
                                {"turn", campaign.story_number()},
                                {"profile", std::string_view(profile_)},
                                {"greeting", std::string_view(greeting_)},
                                {"report", report_value(notes_)}};
            console_.print(value::print_json(row, value::JsonStyle::kPretty) + "\n");
            return;
        }
        if (has_card_) {
            const std::string words[] = {profile_};
            console_.print(
                base::format_message(console_.say({"profile {0}\n", "配置方案 {0}\n"}), words));
            console_.print(report_lines(console_, notes_));
        }
        say_where(console_, campaign);
    }

    const Call& call_;
    const Console& console_;
    Exit exit_ = Exit::kDone;
    campaign::CampaignSetup setup_;
    std::string profile_;
    std::unique_ptr<ledger::Store> store_;
    campaign::SessionOptions options_;
    config::Start start_;
    std::vector<card::ImportNote> notes_;
    std::vector<base::Error> warnings_;
    bool has_card_ = false;
    engine::Instant now_ = 0;
    std::unique_ptr<campaign::Session> session_;
    std::string greeting_;
};

}  // namespace

Exit new_campaign(const Call& call) {
    return Beginning(call).run();
}

}  // namespace arbiter::cli
