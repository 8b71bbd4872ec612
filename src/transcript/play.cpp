#include "transcript/play.h"

#include <algorithm>
#include <charconv>

#include "config/card_start.h"
#include "config/yaml.h"
#include "engine/bin.h"
#include "engine/initvar.h"
#include "model/drive.h"
#include "prompt/explain.h"
#include "prompt/names.h"
#include "reader/told.h"
#include "rules/worlds.h"
#include "table/campaign.h"
#include "table/layout.h"
#include "transcript/internal/account.h"
#include "transcript/setup.h"
#include "turn/feedback.h"
#include "turn/report_choice.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::transcript {

using base::ErrorCode;
using engine::Actor;
using engine::State;
using internal::Account;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kOfReading[] = {"shown", "thinking",   "proposals",
                                           "lost",  "components", "notices"};
constexpr std::string_view kOfJudging[] = {"verdicts", "events", "expired"};
constexpr std::string_view kOfScript[] = {"status", "shown"};

// True if a turn is about reading only.
bool is_reading(const Turn& turn) {
    const auto has = [&turn](std::string_view name) { return turn.has(name); };
    return std::ranges::any_of(kOfReading, has) && std::ranges::none_of(kOfJudging, has) &&
           !turn.has("state") && !turn.has("after") && !turn.has("said") && !turn.has("table") &&
           !turn.has("greeting");
}

base::Error placed(base::Error error, const Section& section) {
    error.place = error.place ? in_file(section, *error.place) : section.place;
    return error;
}

// Compares documents by value and order, and lists of lines without trailing blank lines.
bool is_same(std::string_view name, std::string_view expected, std::string_view got) {
    if (name == "after") {
        const auto document = value::parse_json(expected);
        const auto is = value::parse_json(got);
        return document && is && value::same_bytes(*document, *is);
    }
    if (name != "shown" && name != "thinking") {
        while (expected.ends_with('\n')) {
            expected.remove_suffix(1);
        }
    }
    return expected == got;
}

class Player {
  public:
    Player(const Turn& turn, Setup setup, const Watch& watch)
        : turn_(turn),
          setup_(std::move(setup)),
          watch_(watch),
          reading_only_(is_reading(turn)),
          cache_(setup_.rules, base::Language::kEnglish),
          now_(setup_.now) {
        bare_ = std::ranges::all_of(turn.sections, &Section::is_given);
        played_.turn = turn;
        played_.turn.sections.clear();
        state_.meta = setup_.meta;
        if (setup_.script) {
            model_.emplace(*setup_.script);
        }
        if (setup_.card && !setup_.card->character_book.is_null()) {
            books_.push_back({prompt::kCardBook, setup_.card->character_book, true});
        }
    }

    base::Result<PlayedTurn> play() {
        if (auto begun = begin_table(setup_.table); !begun) {
            return std::unexpected(std::move(begun).error());
        }
        for (std::size_t i = 0; i < turn_.sections.size();) {
            const Section& section = turn_.sections[i];
            auto content = section.content();
            if (!content) {
                return std::unexpected(std::move(content).error());
            }
            played_.turn.sections.push_back(section);
            ++i;
            if (!is_step(section)) {
                if (auto done = take(section, *content); !done) {
                    return std::unexpected(std::move(done).error());
                }
                continue;
            }
            const auto account = step(section, *content);
            if (!account) {
                return std::unexpected(account.error());
            }
            const std::size_t begin = i;
            while (i < turn_.sections.size() && !turn_.sections[i].is_given()) {
                ++i;
            }
            const std::span<const Section> all(turn_.sections);
            if (auto done = compare(section, all.subspan(begin, i - begin), *account,
                                    i == turn_.sections.size());
                !done) {
                return std::unexpected(std::move(done).error());
            }
        }
        return std::move(played_);
    }

  private:
    [[nodiscard]] bool is_step(const Section& section) const {
        return section.name() == "reply" || section.name() == "restore" ||
               section.name() == "greeting" || section.name() == "choice" ||
               (section.name() == "said" && model_);
    }

    // A section that prepares the next step.
    base::Result<> take(const Section& section, const std::string& content) {
        if (section.name() == "now") {
            const auto now = engine::parse_instant(content);
            if (!now) {
                return base::fail(ErrorCode::kBadOptionValue,
                                  {"now", content, "2026-01-01T00:00:00Z"}, section.place);
            }
            now_ = *now;
            return {};
        }
        if (section.name() == "said") {
            said_ = content;
            return {};
        }
        if (section.name() == "script") {
            auto script = model::parse_script("script", content);
            if (!script) {
                return std::unexpected(placed(std::move(script.error().errors[0]), section));
            }
            model_.emplace(*std::move(script));
            return {};
        }
        if (section.name() == "table") {
            const auto written = config::parse_yaml("table", content);
            if (!written) {
                return std::unexpected(placed(written.error(), section));
            }
            auto made = config::table_template(*written);
            auto begun = made ? begin_table(*std::move(made))
                              : std::unexpected(std::move(made.error().errors[0]));
            return begun ? begun : std::unexpected(placed(std::move(begun).error(), section));
        }
        auto read = value::parse_json(content);
        if (!read) {
            return std::unexpected(placed(std::move(read).error(), section));
        }
        if (section.name() == "calls") {
            return take_calls(section, *read);
        }
        Object meta = setup_.meta;
        state_ = setup_.rules.profile.policy.locks_structure
                     ? engine::take_structure(*std::move(read))
                     : State{*std::move(read), {}};
        state_.meta = turn::with_members(std::move(state_.meta), meta);
        return keep_table();
    }

    base::Result<> begin_table(config::TableTemplate table) {
        if (table.value.is_null()) {
            return {};
        }
        std::vector<config::NamedText> tools = setup_.tools;
        std::ranges::move(table.tools, std::back_inserter(tools));
        auto registries = config::registries_with(tools);
        if (!registries) {
            return std::unexpected(std::move(registries.error().errors[0]));
        }
        setup_.rules.registries = *std::move(registries);
        cache_.reset(std::make_shared<const turn::BaseRules>(setup_.rules), nullptr);
        table_ = config::allow_tools(std::move(table.value), setup_.tools);
        return put_table();
    }

    // A document that replaces the one with the table gets the table too, unless it brings a
    // campaign of its own.
    base::Result<> keep_table() {
        const bool has_own = value::find_member(&state_.document, table::kCampaignKey) != nullptr;
        return table_.is_null() || has_own ? base::Result<>() : put_table();
    }

    base::Result<> put_table() {
        auto document = table::begin_campaign(state_.document, table_, *setup_.rules.registries,
                                              setup_.rules.globals, now_);
        if (!document) {
            return std::unexpected(std::move(document).error());
        }
        state_.document = *std::move(document);
        return {};
    }

    // [{"id": "c1", "name": "roll", "arguments": {"dice": "2d6"}}]
    base::Result<> take_calls(const Section& section, const Value& written) {
        if (!written.is_array()) {
            return base::fail(ErrorCode::kTurnNotString, {section.heading}, section.place);
        }
        for (const Value& each : written.as_array()) {
            prompt::NativeToolCall call;
            call.id = table::text_in(&each, "id");
            call.name = table::text_in(&each, "name");
            const Value* arguments = value::find_member(&each, "arguments");
            if (arguments != nullptr) {
                call.arguments = arguments->is_string() ? std::string(arguments->as_string())
                                                        : value::print_json(*arguments);
            }
            calls_.push_back(std::move(call));
        }
        return {};
    }

    [[nodiscard]] Actor actor_of(const Section& section) const {
        if (section.is("system")) {
            return Actor::kSystem;
        }
        if (section.name() == "restore") {
            return section.is("model") ? Actor::kModel : Actor::kPlayer;
        }
        return section.is("user") || setup_.is_player ? Actor::kPlayer : Actor::kModel;
    }

    // The beginning of a campaign with the card: its variables, and the greeting as a turn.
    base::Result<turn::SuppliedReply> begin_card(const Section& section,
                                                 const std::string& content) {
        std::size_t greeting = 0;
        std::string_view digits = content;
        while (digits.ends_with('\n')) {
            digits.remove_suffix(1);
        }
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), greeting);
        if (!setup_.card ||
            (!digits.empty() && (error != std::errc() || end != digits.data() + digits.size()))) {
            return base::fail(ErrorCode::kBadOptionValue,
                              {"greeting", std::string(digits), "0, 1 …"}, section.place);
        }
        auto start = config::initial_state(*setup_.card, {.greeting = greeting, .user = user()});
        if (!start) {
            return std::unexpected(placed(std::move(start.error().errors[0]), section));
        }
        config::begin_with(*start, setup_.rules.profile.policy, state_);
        state_.meta = turn::with_members(std::move(state_.meta), setup_.meta);
        if (auto kept = keep_table(); !kept) {
            return std::unexpected(std::move(kept).error());
        }
        turn::SuppliedReply reply;
        reply.text = start->greeting;
        reply.actor = Actor::kSystem;
        reply.now = now_;
        return reply;
    }

    [[nodiscard]] std::string user() const {
        return prompt::user_name(
            state_.document,
            table::effective_settings(state_, *setup_.rules.registries, setup_.rules.globals));
    }

    base::Result<Account> step(const Section& section, const std::string& content) {
        turn::Environment environment{cache_, *setup_.library.library()};
        const card::Card* card = setup_.card ? &*setup_.card : nullptr;
        const card::Replacements replacements = prompt::card_replacements(card, user());
        environment.replacements = &replacements;
        environment.lore = &lore_;
        environment.books = books_;
        environment.memories = &memories_;
        environment.card = card;
        environment.history = &history_;
        environment.native_tools = model_ && model_->takes_tools();
        turn::TurnStart start;
        start.number = ++number_;
        start.batch_id = "t" + std::to_string(number_);
        if (section.name() == "said") {
            start.state = state_;
            turn::Machine machine(environment, std::move(start));
            return run(machine, machine.start(turn::TurnRequest{content, now_}), environment,
                       content);
        }
        if (section.name() == "choice") {
            return choose(section, content, environment, std::move(start));
        }
        turn::SuppliedReply reply;
        reply.said = std::exchange(said_, {});
        reply.actor = actor_of(section);
        reply.now = now_;
        reply.tool_calls = std::exchange(calls_, {});
        if (section.name() == "greeting") {
            auto begun = begin_card(section, content);
            if (!begun) {
                return std::unexpected(std::move(begun).error());
            }
            reply = *std::move(begun);
        } else if (section.name() == "reply") {
            reply.text = content;
        } else if (section.is("world")) {
            if (auto restored = rules::restore_world(state_, content)) {
                state_ = *std::move(restored);
            }
        } else if (auto found = engine::propose_restore(
                       state_.document, setup_.rules.profile.policy.recycle_bin, content)) {
            reply.proposals.push_back(*std::move(found));
        }
        start.state = state_;
        const std::string said = reply.said;
        turn::Machine machine(environment, std::move(start));
        return run(machine, machine.start(std::move(reply)), environment, said);
    }

    // `keep`, `accept` or `edit WORDS`, about the turn before, which was reported.
    base::Result<Account> choose(const Section& section, const std::string& content,
                                 const turn::Environment& environment, turn::TurnStart start) {
        const std::size_t end = std::min(content.find_first_of(" \n"), content.size());
        const auto choice = turn::find_report_choice(std::string_view(content).substr(0, end));
        if (!choice || !reported_) {
            return base::fail(ErrorCode::kBadOptionValue,
                              {"choice", content, "keep, accept, edit WORDS"}, section.place);
        }
        const turn::TurnResult reported = *std::exchange(reported_, {});
        start.state = state_;
        turn::Machine machine(environment, std::move(start));
        turn::SuppliedReply reply =
            turn::chosen_reply(reported, *choice, reported_said_,
                               content.substr(std::min(end + 1, content.size())), now_);
        const State before = state_;
        Account account =
            run(machine, machine.start(std::move(reply)), environment, reported_said_);
        if (*choice == turn::ReportChoice::kAccept) {
            const Object settings =
                table::effective_settings(state_, *setup_.rules.registries, setup_.rules.globals);
            auto accepted = turn::accept_claims(state_, reported, settings, now_);
            if (!accepted) {
                return std::unexpected(std::move(accepted).error());
            }
            state_.document = std::move(accepted->document);
            state_.meta = accepted->meta.value_or(state_.meta);
            tell_changes(account, before);
        }
        return account;
    }

    Account run(turn::Machine& machine, turn::Commands first, const turn::Environment& environment,
                const std::string& said) {
        const State before = state_;
        if (turn_.has("prompt") || turn_.has("messages")) {
            prompt_ = prompt_of(environment, said);
        }
        const auto keep_turn = [&](const turn::Commit& commit) -> base::Result<std::string> {
            const turn::Finished& finished = commit.turn->finished;
            if (watch_) {
                watch_({before, *commit.begun, *commit.turn});
            }
            state_ = finished.attempt.candidate();
            const reader::Reading& reading = finished.attempt.reading;
            const auto proposals =
                std::span(reading.proposals).subspan(finished.attempt.player_proposals);
            prompt::append_turn(history_, commit.begun->context.actor, commit.turn->said,
                                reader::remembered(reader::told(reading), reading.text, proposals));
            return std::to_string(number_);
        };
        turn::TurnResult result =
            model::drive(machine, std::move(first), model_ ? &*model_ : nullptr, keep_turn);
        Account account = account_of(before, result);
        if (result.status == turn::Status::kReported) {
            reported_ = std::move(result);
            reported_said_ = said;
        }
        return account;
    }

    std::string prompt_of(const turn::Environment& environment, const std::string& said) {
        const auto begun = turn::begin({state_, said, number_, {now_, Actor::kModel, "prompt"}},
                                       cache_, *setup_.library.library());
        if (!begun) {
            return base::explain(begun.error(), base::Language::kEnglish);
        }
        const prompt::Assembly assembly = turn::build_prompt(*begun, said, environment).assembly;
        messages_ = prompt::plain_text(assembly);
        return internal::lines(prompt::listed_blocks(assembly),
                               [](const prompt::Placed& each) { return each.block.id; });
    }

    Account account_of(const State& before, const turn::TurnResult& result) {
        Account account;
        account["status"] = internal::status_of(result);
        account["shown"] = result.shown.str();
        account["notice"] = result.notice.str();
        account["feedback"] = result.feedback.is_null()
                                  ? ""
                                  : turn::feedback_text(result.feedback, base::Language::kEnglish);
        account["prompt"] = prompt_;
        account["messages"] = messages_;
        internal::tell_reading(account, result.attempt.reading);
        internal::tell_attempt(account, result.attempt);
        tell_changes(account, before);
        for (const std::string_view name : {"notice", "feedback", "messages"}) {
            std::string& text = account[name];
            text.erase(text.find_last_not_of('\n') + 1);
        }
        return account;
    }

    void tell_changes(Account& account, const State& before) const {
        account["changed"] = internal::print_changes(value::diff(before.document, state_.document));
        account["after"] = value::print_json(state_.document);
    }

    // Compares the sections that follow a step, and adds those that are missing.
    base::Result<> compare(const Section& reply, std::span<const Section> sections,
                           const Account& account, bool last) {
        for (const Section& section : sections) {
            const auto content = section.content();
            if (!content) {
                return std::unexpected(content.error());
            }
            const std::string& got = account.at(section.name());
            played_.turn.sections.push_back(section);
            if (!is_same(section.name(), *content, got)) {
                played_.turn.sections.back().say(got);
                played_.mismatches.push_back({section.heading, *content, got, section.place});
            }
        }
        const auto expect = [&](std::string_view name) {
            const std::string& got = account.at(name);
            if (!got.empty() &&
                std::ranges::find(sections, name, &Section::name) == sections.end()) {
                played_.turn.sections.push_back({std::string(name), {}});
                played_.turn.sections.back().say(got);
                played_.mismatches.push_back({std::string(name), "", got, reply.place});
            }
        };
        if (reading_only_) {
            std::ranges::for_each(kOfReading, expect);
            return {};
        }
        std::ranges::for_each(kOfJudging, expect);
        if (reply.name() == "said") {
            std::ranges::for_each(kOfScript, expect);
        } else if (account.at("status") != "committed") {
            expect("status");
        }
        if (bare_ && last) {
            expect("after");
        }
        return {};
    }

    const Turn& turn_;
    Setup setup_;
    const Watch& watch_;
    const bool reading_only_;
    bool bare_ = false;  // the turn expects nothing yet
    turn::RulesCache cache_;
    rules::Memories memories_;
    std::vector<prompt::LoreSource> books_;  // of the card
    prompt::Lore lore_;
    std::vector<prompt::Message> history_;
    std::optional<model::Scripted> model_;
    engine::Instant now_;
    State state_;
    Value table_;                                // the template of the table; null: none
    std::string said_;                           // for the next reply
    std::vector<prompt::NativeToolCall> calls_;  // of the next reply
    std::optional<turn::TurnResult> reported_;   // the turn before, if it was withheld
    std::string reported_said_;
    std::string prompt_;
    std::string messages_;
    std::int64_t number_ = 0;
    PlayedTurn played_;
};

}  // namespace

base::Result<PlayedTurn> play(const Turn& turn, const std::string& folder, const Watch& watch) {
    auto setup = setup_of(turn, folder);
    if (!setup) {
        return std::unexpected(std::move(setup).error());
    }
    return Player(turn, *std::move(setup), watch).play();
}

}  // namespace arbiter::transcript
