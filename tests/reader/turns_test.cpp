// Goal: every transcript in tests/turns/reader is read as it says, and the same however it is cut.
// Method: read it whole and compare the sections; then cut it at every place into two, into single
// bytes, and at random into many pieces, and compare all events.
// proves: S4-47, X-20
#include <gtest/gtest.h>

#include <array>

#include "config/profiles.h"
#include "tests/support/random.h"
#include "tests/support/trace.h"
#include "tests/support/turn_file.h"

namespace arbiter::reader {
namespace {

using tests::trace;
using tests::Turn;

Options options_of(const Turn& turn) {
    const auto profile = config::load_profile(turn.setting("profile", "auto"));
    EXPECT_TRUE(profile) << turn.title;
    Options options = profile::reading(
        profile.value_or(profile::Profile()),
        turn.setting("player") == "yes" ? engine::Actor::kPlayer : engine::Actor::kModel);
    options.hybrid_both = options.hybrid_both || turn.setting("hybrid") == "both";
    options.show_thinking = turn.setting("thinking") == "shown";
    for (const auto& [key, value] : turn.settings) {
        if (key != "hint") {
            continue;
        }
        const std::size_t space = value.find(' ');
        const std::string word = value.substr(space + 1);
        const TagMeaning meaning = word == "ignore"      ? TagMeaning::kIgnore
                                   : word == "display"   ? TagMeaning::kDisplay
                                   : word == "execute"   ? TagMeaning::kExecute
                                   : word == "component" ? TagMeaning::kComponent
                                                         : TagMeaning::kThinking;
        options.hints.push_back({value.substr(0, space), meaning});
    }
    return options;
}

void add_line(std::string& text, const std::string& line) {
    text += text.empty() ? line : "\n" + line;
}

// What happened, in the words of a transcript.
void read_into(Turn& turn) {
    const Reading reading = read(turn.section("reply"), options_of(turn));
    std::string proposals;
    for (const proposal::Proposal& each : reading.proposals) {
        add_line(proposals, std::string(name(each.dialect)) + ": " + describe(each));
    }
    std::string lost;
    for (const Reading::Lost& each : reading.lost) {
        add_line(lost, each.why + ": " + describe(each.proposal));
    }
    std::string notices;
    for (const proposal::Notice& each : reading.notices) {
        add_line(notices, describe(each));
    }
    std::string components;
    for (const proposal::Component& each : reading.components) {
        add_line(components,
                 value::print_json(value::Object{{"tag", std::string_view(each.tag)},
                                                 {"content", std::string_view(each.content)},
                                                 {"children", each.children}}));
    }
    turn.expect("shown", reading.text);
    turn.expect("thinking", reading.thinking);
    turn.expect("proposals", proposals);
    turn.expect("lost", lost);
    turn.expect("components", components);
    turn.expect("notices", notices);
}

std::filesystem::path folder() {
    return std::filesystem::path(ARBITER_TEST_DATA).parent_path().parent_path() / "turns" /
           "reader";
}

constexpr std::array<std::string_view, 6> kSections = {"shown", "thinking",   "proposals",
                                                       "lost",  "components", "notices"};

TEST(Turns, AreReadAsTheySay) {
    std::size_t count = 0;
    for (const auto& path : tests::turn_files(folder())) {
        tests::TurnFile file = tests::load_turns(path);
        for (Turn& turn : file.turns) {
            Turn now = turn;
            read_into(now);
            ++count;
            if (tests::is_update()) {
                turn = now;
                continue;
            }
            for (const std::string_view section : kSections) {
                EXPECT_EQ(now.section(section), turn.section(section))
                    << path.filename() << ":" << turn.line << ": " << turn.title << ": " << section;
            }
        }
        if (tests::is_update()) {
            tests::save_turns(file);
        }
    }
    EXPECT_GT(count, 40U);
}

TEST(Turns, AreReadTheSameHoweverTheyAreCut) {
    tests::Random random(7);
    for (const auto& path : tests::turn_files(folder())) {
        for (const Turn& turn : tests::load_turns(path).turns) {
            const Options options = options_of(turn);
            const std::string reply = turn.section("reply");
            const std::string whole = trace(reply, options, std::array<std::size_t, 0>{});
            for (std::size_t cut = 1; cut < reply.size(); ++cut) {
                ASSERT_EQ(trace(reply, options, std::array{cut}), whole)
                    << path.filename() << ":" << turn.line << ": " << turn.title << ", cut at "
                    << cut;
            }
            for (const std::size_t size : {1U, 2U, 3U, 5U, 7U, 64U}) {
                std::vector<std::size_t> cuts;
                for (std::size_t at = size; at < reply.size(); at += size) {
                    cuts.push_back(at);
                }
                ASSERT_EQ(trace(reply, options, cuts), whole)
                    << path.filename() << ":" << turn.line << ": " << turn.title << ", pieces of "
                    << size;
            }
            for (int i = 0; i < 20 && !reply.empty(); ++i) {
                std::vector<std::size_t> cuts;
                for (std::size_t n = random.below(12) + 1; n > 0; --n) {
                    cuts.push_back(random.below(reply.size() + 1));
                }
                std::ranges::sort(cuts);
                ASSERT_EQ(trace(reply, options, cuts), whole)
                    << path.filename() << ":" << turn.line << ": " << turn.title;
            }
        }
    }
}

}  // namespace
}  // namespace arbiter::reader
