#include "table/authority.h"

#include <algorithm>
#include <array>
#include <memory>

#include "base/check.h"
#include "base/limits.h"
#include "engine/check.h"
#include "engine/place.h"
#include "expr/formula.h"
#include "proposal/describe.h"
#include "proposal/shape.h"
#include "table/internal/write.h"
#include "table/layout.h"

namespace arbiter::table {

using base::ErrorCode;

using proposal::Arithmetic;
using proposal::Instruction;
using proposal::Op;
using value::Bindings;
using value::Object;
using value::Path;
using value::Pattern;
using value::Value;

namespace {

// Rejects direct commands of the model on an authoritative path, or also those of texts.
class Owned final : public engine::Check {
  public:
    explicit Owned(Pattern place, bool to_text = false)
        : place_(std::move(place)), to_text_(to_text) {}
    [[nodiscard]] const Pattern& place() const noexcept override { return place_; }
    [[nodiscard]] bool binds_texts() const noexcept override { return to_text_; }
    [[nodiscard]] engine::CheckResult judge(const Case& about) const override {
        engine::CheckResult result;
        const bool is_text = to_text_ && about.is_text && about.actor == engine::Actor::kSystem;
        if (about.actor == engine::Actor::kModel || is_text) {
            result.action = engine::CheckResult::Action::kRefuse;
            result.problem =
                proposal::Problem{proposal::Code::kNotAllowed,
                                  {value::print_path(about.path, value::PathSyntax::kDotted)}};
        }
        return result;
    }

  private:
    Pattern place_;
    bool to_text_;
};

Pattern below_campaign(std::string_view text) {
    auto parsed = value::parse_pattern("campaign." + std::string(text));
    CHECK(parsed.has_value());
    return std::move(*parsed);
}

bool meets(const Pattern& pattern, Path path, Bindings& bindings) {
    if (value::matches(pattern, path, bindings)) {
        return true;
    }
    // The value of a described pair is the pair's first element.
    if (path.empty() || path.back().as_position() != std::size_t{0}) {
        return false;
    }
    path.pop_back();
    bindings.clear();
    return value::matches(pattern, path, bindings);
}

// The id of the row's character, found by id or by name; empty if the character does not exist.
std::string character_of(const AuthorityRow& row, const Bindings& bindings, const Value& document) {
    std::string wanted = row.character;
    if (wanted.empty()) {
        return std::string(active_actor(document));
    }
    if (wanted.front() == '$') {
        const value::Segment* bound = value::find_binding(bindings, wanted.substr(1));
        wanted = bound != nullptr ? std::string(bound->as_key().view()) : std::string();
    }
    const Object& all = object_or_empty(find_in_campaign(document, {"characters"}));
    if (all.contains(wanted)) {
        return wanted;
    }
    for (const auto& [id, card] : all) {
        if (text_in(&card, "name") == wanted) {
            return std::string(id.view());
        }
    }
    return {};
}

std::string area_named(const Value& document, std::string_view wanted) {
    const Object& all = object_or_empty(find_in_campaign(document, {"areas"}));
    if (!all.contains(wanted)) {
        for (const auto& [id, area] : all) {
            if (text_in(&area, "name") == wanted) {
                return std::string(id.view());
            }
        }
    }
    return std::string(wanted);
}

// The change of hit points; nullopt if it is not an integer within bounds.
std::optional<std::int64_t> delta_of(const Instruction& instruction, std::int64_t current) {
    const auto value = instruction.value
                           ? proposal::as_number(expr::undescribed(*instruction.value))
                           : std::nullopt;
    if (!value) {
        return std::nullopt;
    }
    const double amount = value->as_double();
    const auto now = static_cast<double>(current);
    double next = amount;
    if (instruction.op == Op::kAdd) {
        next = now + amount;
    } else if (instruction.op == Op::kIncrement) {
        switch (instruction.arithmetic) {
            case Arithmetic::kAdd:
                next = now + amount;
                break;
            case Arithmetic::kSubtract:
                next = now - amount;
                break;
            case Arithmetic::kMultiply:
                next = now * amount;
                break;
            case Arithmetic::kDivide:
                next = amount != 0 ? now / amount : 0.5;
                break;
        }
    }
    const double change = next - now;
    constexpr auto kMost = static_cast<double>(base::kToolNumberMax);
    if (!(change >= -kMost && change <= kMost) ||
        change != static_cast<double>(static_cast<std::int64_t>(change))) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(change);
}

std::optional<Object> args_of(const AuthorityRow& row, const Bindings& bindings,
                              const Instruction& instruction, const Value& document) {
    const std::string_view why =
        instruction.reason.empty() ? std::string_view("direct command") : instruction.reason.view();
    const bool sets = instruction.op == Op::kSet;
    const bool says = sets && instruction.value && instruction.value->is_string();
    if (row.tool == "time_advance") {
        return says ? std::optional(Object{{"to", *instruction.value}, {"event", why}})
                    : std::nullopt;
    }
    const std::string who = character_of(row, bindings, document);
    if (row.tool == "move") {
        return says ? std::optional(Object{
                          {"actor_id", std::string_view(who)},
                          {"to_area_id",
                           std::string_view(area_named(document, instruction.value->as_string()))}})
                    : std::nullopt;
    }
    if (!sets && instruction.op != Op::kAdd && instruction.op != Op::kIncrement) {
        return std::nullopt;
    }
    const auto hp = hp_of(find_character(document, who));
    const auto delta = delta_of(instruction, hp ? hp->current : 0);
    return delta ? std::optional(Object{{"target_character_id", std::string_view(who)},
                                        {"delta", *delta},
                                        {"cause", why}})
                 : std::nullopt;
}

}  // namespace

base::Result<std::vector<AuthorityRow>> authority_rows(const Value& written) {
    std::vector<AuthorityRow> rows;
    const auto refuse = [](const Value& row, std::string why) {
        return base::fail(ErrorCode::kAuthorityRow,
                          {std::string(text_in(&row, "path")), std::move(why)});
    };
    if (!written.is_array() || written.as_array().size() > base::kAuthorityRowsMax) {
        return refuse({}, "[{path, tool?, character?}]");
    }
    for (const Value& row : written.as_array()) {
        auto place = value::parse_pattern(text_in(&row, "path"));
        if (!place || place->empty()) {
            return refuse(row, "path");
        }
        AuthorityRow made{std::move(*place), std::string(text_in(&row, "tool")),
                          std::string(text_in(&row, "character"))};
        constexpr std::array<std::string_view, 4> kTools = {"", "hp_delta", "move", "time_advance"};
        if (std::ranges::find(kTools, made.tool) == kTools.end()) {
            return refuse(row, "tool");
        }
        const bool bound = made.character.empty() || made.character.front() != '$' ||
                           std::ranges::any_of(made.place, [&](const value::PatternStep& step) {
                               return step.name == std::string_view(made.character).substr(1);
                           });
        if (!bound) {
            return refuse(row, "character");
        }
        rows.push_back(std::move(made));
    }
    return rows;
}

base::Result<std::vector<AuthorityRow>> rows_of(const Value& document) {
    std::vector<AuthorityRow> rows = {
        {below_campaign("characters.$who.hp.current"), "hp_delta", "$who"},
        {below_campaign("characters.$who.area_id"), "move", "$who"}};
    if (const Value* written = find_in_campaign(document, {"authority"})) {
        auto own = authority_rows(*written);
        if (!own) {
            return own;
        }
        rows.insert(rows.end(), own->begin(), own->end());
    }
    return rows;
}

void protect_authoritative_paths(engine::Policy& policy, const std::vector<AuthorityRow>& rows,
                                 const Value& document) {
    if (has_campaign(document)) {
        policy.closed.push_back({campaign_path({}), false, true});
        policy.closed.push_back({campaign_path({"goal"}), true, true});
    } else {
        // Only the system creates `campaign`, and no text; the rest of the document stays open.
        auto place = value::parse_pattern(kCampaignKey);
        CHECK(place.has_value());
        policy.checks.push_back(std::make_shared<Owned>(*std::move(place), true));
    }
    for (const AuthorityRow& row : rows) {
        policy.checks.push_back(std::make_shared<Owned>(row.place));
    }
}

bool is_authoritative(const std::vector<AuthorityRow>& rows, const Path& path) noexcept {
    if (!path.empty() && !path[0].is_index() && path[0].key() == kCampaignKey) {
        return true;
    }
    return std::ranges::any_of(
        rows, [&](const AuthorityRow& row) { return value::touches(row.place, path); });
}

std::optional<Redirected> redirect(const Instruction& instruction, const Value& document,
                                   const std::vector<AuthorityRow>& rows) {
    if (instruction.op == Op::kGet || instruction.op == Op::kTest ||
        instruction.op == Op::kCallback) {
        return std::nullopt;
    }
    const Path path = engine::place_of(instruction, instruction.path, document).path;
    for (const AuthorityRow& row : rows) {
        Bindings bindings;
        if (row.tool.empty() || !meets(row.place, path, bindings)) {
            continue;
        }
        Redirected made{row.tool, path, {}};
        // A tool call cannot express the command's options (conditions).
        auto args = instruction.options.empty() ? args_of(row, bindings, instruction, document)
                                                : std::nullopt;
        if (args) {
            proposal::ToolCall call;
            call.tool = std::string_view(row.tool);
            call.args = std::move(*args);
            call.reason = instruction.reason;
            made.call = std::move(call);
        }
        return made;
    }
    return std::nullopt;
}

std::vector<Instruction> agreement(const Value& before, const Value& after,
                                   const std::vector<AuthorityRow>& rows) {
    std::vector<Instruction> made;
    for (const AuthorityRow& row : rows) {
        const bool is_hp = row.tool == "hp_delta";
        if ((!is_hp && row.tool != "move") ||
            row.place[0].segment == value::Segment(kCampaignKey)) {
            continue;
        }
        value::visit_matches(
            row.place, after, [&](const Path& path, const Bindings& bindings, const Value& found) {
                const std::string who = character_of(row, bindings, after);
                const Path own =
                    is_hp ? campaign_path({"characters", std::string_view(who), "hp", "current"})
                          : campaign_path({"characters", std::string_view(who), "area_id"});
                const Value* now = value::find(after, own);
                if (now == nullptr) {
                    return true;
                }
                const Value* was = value::find(before, own);
                const Value* shown = value::find(before, path);
                const Value& wanted = expr::undescribed(found);
                if (wanted == *now) {
                    return true;
                }
                // The description of a pair stays.
                Path shown_at = path;
                if (&wanted != &found) {
                    shown_at.emplace_back(std::int64_t{0});
                }
                const bool moved = was == nullptr || *was != *now;
                const bool theirs =
                    !moved && shown != nullptr && expr::undescribed(*shown) != wanted;
                if (theirs && is_hp && wanted.is_int()) {
                    const auto hp = hp_of(find_character(after, who));
                    const std::int64_t most = hp ? std::max<std::int64_t>(0, hp->max) : 0;
                    const std::int64_t kept = std::clamp<std::int64_t>(wanted.as_int(), 0, most);
                    made.push_back(set_at(own, kept));
                    if (kept != wanted.as_int()) {
                        made.push_back(set_at(shown_at, kept));
                    }
                } else if (theirs && !is_hp && wanted.is_string() &&
                           find_area(after, wanted.as_string()) != nullptr) {
                    made.push_back(set_at(own, wanted));
                } else {
                    made.push_back(set_at(shown_at, *now));
                }
                return true;
            });
    }
    return made;
}

}  // namespace arbiter::table
