#include "cli/player_actions.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/check.h"
#include "campaign/greeting.h"
#include "campaign/table_changes.h"
#include "card/card_text.h"
#include "cli/cards.h"
#include "table/goal.h"
#include "table/layout.h"
#include "table/life.h"
#include "text/join.h"
#include "value/json.h"

namespace arbiter::cli {

using base::ErrorCode;
using base::Result;
using value::Array;
using value::Object;
using value::Value;

namespace {

constexpr std::array<std::string_view, 12> kActions = {"actor",  "join",  "leave", "type",
                                                       "route",  "allow", "deny",  "disable",
                                                       "enable", "goal",  "end",   "greeting"};

class Doer {
  public:
    Doer(campaign::Session& session, const PlayerAction& what, base::Language language)
        : session_(session), what_(what), language_(language) {}

    Result<std::string> run() {
        const std::string_view action = what_.action;
        if (action == "allow" || action == "deny") {
            return change_tools(action == "allow");
        }
        if (action == "greeting") {
            return what_.words.empty() ? list_greetings() : switch_greeting();
        }
        if (what_.words.empty() && action == "goal") {
            return show_goal();
        }
        if (what_.words.empty() && action != "end") {
            return base::fail(ErrorCode::kMissingArgument,
                              {std::string(action) + (action == "type"           ? " TYPE"
                                                      : action == "route"        ? " JSON"
                                                      : action.ends_with("able") ? " TOOL"
                                                                                 : " CHARACTER")});
        }
        if (action == "actor" || action == "join" || action == "leave") {
            return change_party(action);
        }
        if (action == "type") {
            return after(session_.patch_settings(
                             Object{{"dialog.manual_type", std::string_view(first())}}, what_.now),
                         {"The dialog type is {0}.", "对话类型为 {0}。"}, {first()});
        }
        if (action == "route") {
            return store_route();
        }
        if (action == "disable" || action == "enable") {
            return switch_tool(action == "disable");
        }
        return action == "goal" ? set_goal() : end();
    }

  private:
    [[nodiscard]] std::string first() const { return what_.words.front(); }
    [[nodiscard]] Value document() const { return session_.campaign().state().document; }

    Result<std::string> after(const Result<>& done, const base::TextView& sentence,
                              std::vector<std::string> words) const {
        if (!done) {
            return std::unexpected(done.error());
        }
        return base::format_message(sentence.in(language_), words);
    }
    [[nodiscard]] std::string party() const {
        const Value now = document();
        return text::join(table::party(now), ", ", [](const Value& id) {
            return id.is_string() ? id.as_string() : std::string_view("?");
        });
    }

    Result<std::string> change_party(std::string_view action) {
        const std::string who = first();
        if (action == "actor") {
            return after(session_.select_actor(who, what_.now),
                         {"{0} acts now.", "现在由 {0} 行动。"}, {who});
        }
        const bool joins = action == "join";
        const auto done = joins ? campaign::join_party(session_, who, what_.now)
                                : campaign::leave_party(session_, who, what_.now);
        return after(done, {"The party: {0}.", "队伍：{0}。"}, {party()});
    }

    // The allowlist with the named tools added or removed; without names it is only shown.
    Result<std::string> change_tools(bool adds) {
        Array names = campaign::allowed_tools(document());
        if (!what_.words.empty() || !table::has_campaign(document())) {
            auto changed = adds ? campaign::allow_tools(session_, what_.words, what_.now)
                                : campaign::deny_tools(session_, what_.words, what_.now);
            if (!changed) {
                return std::unexpected(std::move(changed).error());
            }
            names = *std::move(changed);
        }
        const std::string list =
            text::join(names, ", ", [](const Value& each) { return each.as_string(); });
        return after({}, {"Tools that the narrator may call: {0}.", "说书人可用的工具：{0}。"},
                     {list.empty() ? "-" : list});
    }

    // {"dialog_type": …, "variant": …, "context_profile": …, "guards": […]}
    Result<std::string> store_route() {
        const auto written = value::parse_json(text::join(what_.words, " "));
        if (!written) {
            return std::unexpected(written.error());
        }
        return after(campaign::store_route(session_, *written, what_.now),
                     {"The route decision is stored. The dialog type stays as the player chose it.",
                      "路由决定已保存；对话类型仍由玩家的选择决定。"},
                     {});
    }

    Result<std::string> switch_tool(bool off) {
        if (!off) {
            return after(campaign::enable_tool(session_, first(), what_.now),
                         {"{0} is switched on.", "{0} 已启用。"}, {first()});
        }
        std::optional<std::int64_t> turns;
        if (what_.words.size() > 1) {
            const std::string& text = what_.words[1];
            turns = 0;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), *turns);
            if (error != std::errc() || end != text.data() + text.size() || *turns < 1 ||
                *turns > INT32_MAX) {
                return base::fail(ErrorCode::kBadOptionValue, {"disable", text, "1, 2, 3 …"});
            }
        }
        const auto until = campaign::disable_tool(session_, first(), turns, what_.now);
        if (!until) {
            return std::unexpected(until.error());
        }
        return *until ? after({}, {"{0} is switched off until {1}.", "{0} 停用至 {1}。"},
                              {first(), table::turn_name(**until)})
                      : after({}, {"{0} is switched off.", "{0} 已停用。"}, {first()});
    }

    // As the player may see it.
    Result<std::string> show_goal() {
        const Value now = document();
        const std::string_view goal =
            table::text_in(table::find_in_campaign(now, {"goal"}), "ultimate_goal_text");
        if (goal.empty()) {
            return after({}, {"No goal is set yet.", "还没有设定终极目标。"}, {});
        }
        return table::is_goal_hidden(now)
                   ? after({}, {"The goal is hidden from the player.", "终极目标对玩家隐藏。"}, {})
                   : after({}, {"The goal: {0}", "终极目标：{0}"}, {std::string(goal)});
    }
    Result<std::string> set_goal() {
        const base::TextView kSet = {"The goal is set.", "终极目标已设定。"};
        if (first() == "generate" && what_.words.size() == 1) {
            CHECK(what_.model != nullptr);
            const auto goal = session_.generate_goal(*what_.model, what_.is_hidden, what_.now);
            return after(goal ? Result<>() : std::unexpected(goal.error()), kSet, {});
        }
        return after(session_.set_goal(text::join(what_.words, " "), what_.is_hidden, what_.now),
                     kSet, {});
    }

    Result<std::string> list_greetings() {
        const ledger::Campaign campaign = session_.campaign();
        const auto card = campaign::card_of(campaign);
        if (!card) {
            return std::unexpected(card.error());
        }
        if (!*card) {
            return base::fail(ErrorCode::kCampaignNoCard, {campaign.row().id});
        }
        const std::size_t present = campaign::greeting_of(campaign.state().meta);
        std::string lines;
        for (std::size_t i = 0; i < (*card)->greetings.size(); ++i) {
            lines += (lines.empty() ? "" : "\n") + std::string(i == present ? "* " : "  ") +
                     std::to_string(i) + "  " +
                     first_words(card::trimmed(card::split_initvars((*card)->greetings[i]).rest));
        }
        return lines;
    }

    Result<std::string> switch_greeting() {
        std::size_t number = 0;
        const std::string& text = what_.words[0];
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size()) {
            return base::fail(ErrorCode::kBadOptionValue, {"greeting", text, "0, 1, 2 …"});
        }
        const auto greeted = campaign::switch_greeting(session_, number, what_.now);
        if (!greeted) {
            return std::unexpected(greeted.error());
        }
        return after({},
                     {"The story begins with greeting {0}.\n{1}", "故事改从开场白 {0} 开始。\n{1}"},
                     {text, greeted->shown.str()});
    }

    Result<std::string> end() {
        if (const auto ended = campaign::end_reason(document())) {
            return after({}, {"The campaign has ended before: {0}.", "战役早已结束：{0}。"},
                         {std::string(table::end_words(*ended).in(language_))});
        }
        const std::string reason = what_.words.empty() ? "given_up" : first();
        return after(campaign::end_campaign(session_, reason, what_.now),
                     {"The campaign has ended: {0}.", "战役已结束：{0}。"},
                     {std::string(table::end_words(reason).in(language_))});
    }

    campaign::Session& session_;
    const PlayerAction& what_;
    base::Language language_;
};

}  // namespace

bool is_player_action(std::string_view action) noexcept {
    return std::ranges::find(kActions, action) != kActions.end();
}

std::string player_actions() {
    return text::join(kActions, ", ");
}

Result<std::string> do_player_action(campaign::Session& session, const PlayerAction& what,
                                     base::Language language) {
    return Doer(session, what, language).run();
}

}  // namespace arbiter::cli
