#include "transcript/play.h"

#include <algorithm>
#include <map>

#include "engine/bin.h"
#include "engine/describe.h"
#include "engine/initvar.h"
#include "proposal/describe.h"
#include "rules/worlds.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::transcript {

using base::ErrorCode;
using engine::Actor;
using engine::Outcome;
using engine::State;
using reader::Reading;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kOfReading[] = {"shown", "thinking",   "proposals",
                                           "lost",  "components", "notices"};
constexpr std::string_view kOfJudging[] = {"verdicts", "events", "expired"};

// Whether only the reading of a turn is looked at.
bool is_reading(const Turn& turn) {
    const auto has = [&turn](std::string_view name) { return turn.has(name); };
    return std::ranges::any_of(kOfReading, has) && std::ranges::none_of(kOfJudging, has) &&
           !turn.has("state") && !turn.has("after");
}

// One line each.
template <typename List, typename Line>
std::string lines(const List& list, Line line) {
    std::string text;
    for (const auto& each : list) {
        text += text.empty() ? "" : "\n";
        text += line(each);
    }
    return text;
}

// What happened in one step, by the name of the section that tells it.
using Account = std::map<std::string_view, std::string>;

Account account_of(const Reading& reading, const rules::Played& played) {
    const Outcome& outcome = played.outcome;
    Account account;
    account["shown"] = reading.text;
    account["thinking"] = reading.thinking;
    account["proposals"] = lines(reading.proposals, [](const proposal::Proposal& each) {
        return std::string(name(each.dialect)) + ": " + describe(each);
    });
    account["lost"] = lines(reading.lost, [](const Reading::Lost& each) {
        return each.why + ": " + describe(each.proposal);
    });
    account["components"] = lines(reading.components, [](const proposal::Component& each) {
        return value::print_json(Object{{"tag", std::string_view(each.tag)},
                                        {"content", std::string_view(each.content)},
                                        {"children", each.children}});
    });
    account["notices"] = lines(
        reading.notices, [](const proposal::Notice& each) { return proposal::describe(each); });
    account["verdicts"] =
        lines(outcome.verdicts, [](const engine::Verdict& each) { return engine::describe(each); });
    account["events"] = lines(outcome.events, [](const engine::Event& each) {
        return each.name + " " + value::print_json(Value(each.arguments));
    });
    account["expired"] = lines(outcome.expired, [](const engine::Expired& each) {
        return value::print_path(each.path, value::PathSyntax::kDotted) +
               (each.binned ? " → bin" : "");
    });
    account["rules"] =
        lines(played.effects, [](const rules::Effect& each) { return rules::describe(each); });
    if (!played.settled) {
        account["rules"] += "\nstopped";  // they would have gone on for ever
    }
    account["after"] = value::print_json(outcome.state.document);
    return account;
}

base::Error placed(base::Error error, const Section& section) {
    error.place = error.place ? in_file(section, *error.place) : section.place;
    return error;
}

// Documents are the same however they are laid out; lists of lines, whatever blank lines follow.
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
        : turn_(turn), setup_(std::move(setup)), watch_(watch), reading_only_(is_reading(turn)) {
        context_.now = setup_.now;
        bare_ = std::ranges::all_of(turn.sections, &Section::is_given);
        played_.turn = turn;
        played_.turn.sections.clear();
    }

    base::Result<Played> play() {
        for (std::size_t i = 0; i < turn_.sections.size();) {
            const Section& section = turn_.sections[i];
            auto content = section.content();
            if (!content) {
                return std::unexpected(std::move(content).error());
            }
            played_.turn.sections.push_back(section);
            ++i;
            if (section.name() == "reply" || section.name() == "restore") {
                const Account account = section.name() == "reply" ? answer(section, *content)
                                                                  : restore(section, *content);
                const std::size_t begin = i;
                while (i < turn_.sections.size() && !turn_.sections[i].is_given()) {
                    ++i;
                }
                const std::span<const Section> all(turn_.sections);
                if (auto done = compare(section, all.subspan(begin, i - begin), account,
                                        i == turn_.sections.size());
                    !done) {
                    return std::unexpected(std::move(done).error());
                }
            } else if (auto done = take(section, *content); !done) {
                return std::unexpected(std::move(done).error());
            }
        }
        return std::move(played_);
    }

  private:
    // A state or a time.
    base::Result<> take(const Section& section, const std::string& content) {
        if (section.name() == "now") {
            const auto now = engine::parse_instant(content);
            if (!now) {
                return base::fail(ErrorCode::kBadOptionValue,
                                  {"now", content, "2026-01-01T00:00:00Z"}, section.place);
            }
            context_.now = *now;
            return {};
        }
        auto document = value::parse_json(content);
        if (!document) {
            return std::unexpected(placed(std::move(document).error(), section));
        }
        state_ = setup_.setting.policy.locks_structure
                     ? engine::take_structure(*std::move(document))
                     : State{*std::move(document), {}};
        return {};
    }

    Account answer(const Section& section, std::string_view reply) {
        context_.actor = section.is("system")                     ? Actor::kSystem
                         : section.is("user") || setup_.is_player ? Actor::kPlayer
                                                                  : Actor::kModel;
        return step(reader::read(reply, setup_.options_for(context_.actor)));
    }
    // What the host makes of a player's wish to have something back.
    Account restore(const Section& section, const std::string& what) {
        context_.actor = section.is("system")  ? Actor::kSystem
                         : section.is("model") ? Actor::kModel
                                               : Actor::kPlayer;
        Reading reading;
        if (section.is("world")) {
            if (auto restored = rules::restore_world(state_, what)) {
                state_ = *std::move(restored);
            }
        } else if (auto found = engine::propose_restore(state_.document,
                                                        setup_.setting.policy.recycle_bin, what)) {
            reading.proposals.push_back(*std::move(found));
        }
        return step(reading);
    }
    Account step(const Reading& reading) {
        context_.batch_id = "t" + std::to_string(++number_);
        const rules::Played played =
            rules::play(state_, reading.proposals, reading.text, setup_.setting, context_);
        if (watch_) {
            watch_({state_, setup_.setting, context_, reading, played.outcome, played.effects});
        }
        state_ = played.outcome.state;
        return account_of(reading, played);
    }

    // The sections that follow a reply, and those that should.
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
        if (bare_ && last) {
            expect("after");
        }
        return {};
    }

    const Turn& turn_;
    const Setup setup_;
    const Watch& watch_;
    const bool reading_only_;
    bool bare_ = false;  // nothing is expected yet
    engine::Context context_;
    State state_;
    std::size_t number_ = 0;
    Played played_;
};

}  // namespace

base::Result<Played> play(const Turn& turn, const Watch& watch) {
    auto setup = setup_of(turn);
    if (!setup) {
        return std::unexpected(std::move(setup).error());
    }
    return Player(turn, *std::move(setup), watch).play();
}

}  // namespace arbiter::transcript
