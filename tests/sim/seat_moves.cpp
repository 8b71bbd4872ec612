#include <algorithm>

#include "base/explain.h"
#include "campaign/display.h"
#include "campaign/redaction.h"
#include "campaign/table_changes.h"
#include "campaign/view.h"
#include "ledger/history.h"
#include "tests/sim/seat.h"
#include "text/truncate.h"
#include "value/json.h"

namespace arbiter::sim {

using Check = std::optional<Failure>;
using value::Object;
using value::Value;

namespace {

Value some_value(const table::SettingDefinition& each, tests::Random& random) {
    if (random.chance(10)) {
        return random.chance(50) ? Value("nonsense") : Value(-7);
    }
    if (random.chance(15)) {
        return {};
    }
    switch (each.type) {
        case table::SettingType::kBool:
            return random.chance(50);
        case table::SettingType::kInt: {
            const auto low = static_cast<std::int64_t>(each.validation.min.value_or(0));
            return low + static_cast<std::int64_t>(random.below(6));
        }
        case table::SettingType::kEnum:
            return std::string_view(random.pick(each.validation.allowed));
        default:
            return each.fallback;
    }
}

}  // namespace

Check Seat::change_setting(Player& player, tests::Random& random) {
    const auto registries = player.session->registries();
    const auto& all = registries->settings.all();
    Object patch;
    std::vector<std::string> keys;
    for (std::size_t i = 1 + random.below(2); i > 0; --i) {
        const table::SettingDefinition& each = all[random.below(all.size())];
        keys.push_back(each.key);
        patch = std::move(patch).set(std::string_view(each.key), some_value(each, random));
    }
    if (random.chance(4)) {
        patch = std::move(patch).set("turn.moed", "live");
    }
    // A cap of the campaign would end the run: it is lifted again.
    if (random.chance(50)) {
        patch = Object{{"spend.campaign_calls_max", 0},
                       {"spend.campaign_tokens_max", 0},
                       {"spend.turn_tokens_max", 0},
                       {"rollback.max_checkpoints", 5},
                       {table::kDialogSetting, "action"}};
    }
    const Before before = begin_step(player, random);
    around_.note("settings " + value::print_json(Value(patch)));
    const auto result = player.session->patch_settings(patch, around_.now);
    for (const std::string& key : keys) {
        around_.coverage.count(result ? "setting" : "setting refused", key);
    }
    return after_edit(player, before, result);
}

Check Seat::change_table(Player& player, tests::Random& random) {
    static const std::vector<std::string> kPeople = {"hero", "mage", "guard", "ghost"};
    static const std::vector<std::string> kTools = {"move", "roll", "heal", "hp_delta", "no_tool"};
    const std::string who = random.pick(kPeople);
    const std::string tool = random.pick(kTools);
    campaign::Session& session = *player.session;
    const Before before = begin_step(player, random);
    const engine::Instant now = around_.now;
    base::Result<> result;
    const auto without = [](const auto& answer) {
        return answer ? base::Result<>() : std::unexpected(answer.error());
    };
    switch (random.below(9)) {
        case 0:
            around_.note("actor " + who);
            result = session.select_actor(who, now);
            break;
        case 1:
            around_.note("join " + who);
            result = campaign::join_party(session, who, now);
            break;
        case 2:
            around_.note("leave " + who);
            result = campaign::leave_party(session, who, now);
            break;
        case 3:
            around_.note("allow " + tool);
            result = without(campaign::allow_tools(session, std::span(&tool, 1), now));
            break;
        case 4:
            around_.note("deny " + tool);
            result = without(campaign::deny_tools(session, std::span(&tool, 1), now));
            break;
        case 5:
            around_.note("disable " + tool);
            result = without(campaign::disable_tool(session, tool, 1 + random.below(3), now));
            break;
        case 6:
            around_.note("enable " + tool);
            result = campaign::enable_tool(session, tool, now);
            break;
        case 7:
            around_.note("goal");
            result = session.set_goal(random.chance(50) ? "另一个目标" : "", true, now);
            break;
        default:
            if (random.chance(80)) {
                const std::vector<table::CharacterChange> changes = {{"hero", 10, "gate", "alive"},
                                                                     {"mage", 6, "gate", "alive"}};
                around_.note("characters");
                result = session.edit(
                    [&](const engine::State& state) {
                        return table::change_characters(state.document, changes, session.settings(),
                                                        now);
                    },
                    now, "characters");
            } else {
                around_.note("world");
                result = session.restore_world("雾港", now);
            }
            break;
    }
    around_.coverage.count("player", result ? "table changed" : "table change refused");
    return after_edit(player, before, result);
}

Check Seat::move(Player& player, tests::Random& random) {
    Before before = begin_step(player, random);
    if (before.is_stale) {
        (void)around_.storage.disarm();
        return std::nullopt;
    }
    base::Result<> result;
    const std::size_t act = random.below(10);
    if (act < 5) {
        const auto line = reference_.line();
        const std::size_t back = std::min(line.size() - 1, random.below(6));
        const ledger::TurnId to = line[line.size() - 1 - back];
        before.move = reference_.after_rollback(to);
        around_.note("rollback " + std::to_string(back));
        around_.coverage.count("player", "rollback");
        result = player.session->rollback(to);
    } else if (act < 8) {
        const auto expected = reference_.after_undo();
        before.move = expected.value_or(before.position);
        around_.note("undo");
        around_.coverage.count("player", expected ? "undo" : "nothing to undo");
        result = player.session->undo();
        if (!expected && result) {
            return failure("there is nothing to undo", "undone");
        }
    } else {
        const ledger::TurnId to = random.pick(reference_.order());
        before.move = reference_.after_going_to(to);
        around_.note("go to");
        around_.coverage.count("player", "branch");
        result = player.session->go_to(to);
    }
    return after_move(player, before, result);
}

Check Seat::mark(Player& player, tests::Random& random) {
    const Before before = begin_step(player, random, false);
    if (before.is_stale) {
        return std::nullopt;
    }
    const std::string label = random.chance(5) ? "" : "点" + std::to_string(random.below(9));
    const Object settings = player.session->settings();
    const Value* limit = settings.find("rollback.max_checkpoints");
    const std::size_t most =
        limit != nullptr && limit->is_int() ? static_cast<std::size_t>(limit->as_int()) : 0;
    const auto result = player.session->checkpoint(label, around_.now, 0);
    around_.note("checkpoint");
    if (result) {
        reference_.add_checkpoint(label, most);
        around_.coverage.count("player", "checkpoint");
    } else {
        around_.coverage.count("error", base::name(result.error().code));
    }
    const auto stored = player.session->campaign().checkpoints();
    if (!stored || stored->size() != reference_.checkpoints().size()) {
        return failure("checkpoints are kept", "another number");
    }
    for (std::size_t i = 0; i < stored->size(); ++i) {
        if ((*stored)[i].turn != reference_.checkpoints()[i].turn ||
            (*stored)[i].label != reference_.checkpoints()[i].label) {
            return failure("checkpoints are kept", (*stored)[i].label);
        }
    }
    return std::nullopt;
}

// A session that was moved about asks its model as one does that was opened just now.
Check Seat::check_prompt(Player& player) {
    const auto prompt = player.session->prompt("看看", around_.now);
    const auto opened =
        campaign::Session::open(around_.storage.store(), made_.setup.id, player.session->options());
    if (!opened) {
        return failure("a stored campaign can be opened",
                       base::explain(opened.error(), base::Language::kEnglish));
    }
    const auto fresh = (*opened)->prompt("看看", around_.now);
    if (!prompt || !fresh) {
        return prompt.has_value() == fresh.has_value()
                   ? std::nullopt
                   : Check(failure("a session asks as a new one does", "one of them fails"));
    }
    const auto is_same = [](const prompt::Message& a, const prompt::Message& b) {
        return a.role == b.role && a.content == b.content;
    };
    around_.coverage.count("checked", "prompts");
    constexpr std::size_t kNewest = 6;
    const auto newest_of = [kNewest](const std::vector<prompt::Message>& messages) {
        std::string text;
        for (std::size_t i = messages.size() - std::min(kNewest, messages.size());
             i < messages.size(); ++i) {
            text += "[" + std::string(text::truncate(messages[i].content.view(), 100)) + "]\n";
        }
        return text;
    };
    // The newest ones, to the first that only one of them has: a session that was open for long
    // knows older messages, which a new one does not read.
    const auto& own = prompt->messages;
    const auto& other = fresh->messages;
    for (std::size_t i = 1; i <= std::min({kNewest, own.size(), other.size()}); ++i) {
        const prompt::Message& mine = own[own.size() - i];
        const prompt::Message& theirs = other[other.size() - i];
        if (is_same(mine, theirs)) {
            continue;
        }
        // Where the older messages are cut depends on how many a session knows, and neighbouring
        // messages of one side are joined.
        const bool is_cut =
            (mine.role == prompt::Role::kSystem) != (theirs.role == prompt::Role::kSystem) ||
            mine.content.view().ends_with(theirs.content.view()) ||
            theirs.content.view().ends_with(mine.content.view());
        if (is_cut) {
            break;
        }
        return failure("a session asks as a new one does",
                       newest_of(own) + "is not\n" + newest_of(other));
    }
    return std::nullopt;
}

// Everything that a player can look at, redacted as for one.
Check Seat::look(Player& player, tests::Random& random) {
    const ledger::Campaign campaign = player.session->campaign();
    const engine::State& state = campaign.state();
    const auto shows = [&](const table::PlayerValue& value, std::string_view where) {
        return secret_in(value::print_json(value.get()), where, state);
    };
    const auto view = campaign::campaign_view(campaign, player.session->options());
    if (!view) {
        return failure("a campaign can be shown",
                       base::explain(view.error(), base::Language::kEnglish));
    }
    const table::Redactor redactor = player.session->redactor();
    if (auto wrong = shows(redactor.value_at({}, state.document), "the state")) {
        return wrong;
    }
    if (auto wrong = shows(redactor.records(*view), "the view of the campaign")) {
        return wrong;
    }
    const auto record = campaign.record(campaign.head());
    if (!record) {
        return failure("a turn can be read back", campaign.head().hex());
    }
    const table::Redactor during =
        campaign::redactor_during(campaign, campaign.head(), table::Viewer::kPlayer);
    if (auto wrong = shows(during.records(campaign::turn_log(*record)), "the turn log")) {
        return wrong;
    }
    if (random.chance(25) && campaign.head() == reference_.head()) {
        if (auto wrong = check_prompt(player)) {
            return wrong;
        }
    }
    around_.coverage.count("checked", "views");
    return std::nullopt;
}

}  // namespace arbiter::sim
