// Dialog types: the kinds of answer a player can ask for. A type is data: an instruction for the
// model, the composition of its prompt, the tools that it offers, and whether a reply may change
// the state at all. data/dialogs has those that ship; a campaign may bring its own.
//
//   duel:
//     extends: action                  # absent keys come from there; default: scene
//     title: {en: Duel, zh: 决斗}
//     instruction: {en: …, zh: …}
//     tools: [roll, hp_delta]          # all (default), none, or a list
//     changes_state: true              # false: commands and calls of the model are refused
//     prompt: {without: [lore]}        # a plan (prompt/plan.h)
//
// The player's selection always wins. A router's decision can be stored in the campaign but has no
// effect. Pure functions.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "value/diagnostic.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

struct DialogType {
    std::string id;
    base::Text title;
    base::Text instruction = {};                         // for the model
    std::optional<std::vector<std::string>> tools = {};  // offered ones; nullopt: all
    bool changes_state = true;                           // false: a reply changes nothing
    value::Value prompt = value::Object();               // its plan, as written

    // False for every tool if the type changes nothing.
    [[nodiscard]] bool offers(std::string_view tool) const noexcept;
};

class DialogTypes {
  public:
    // Fails with kDialogIncomplete if the id, title, instruction or plan is missing or the id is a
    // duplicate.
    base::Result<> add(DialogType type);
    [[nodiscard]] const DialogType* find(std::string_view id) const noexcept;
    [[nodiscard]] const std::vector<DialogType>& all() const noexcept { return all_; }

  private:
    std::vector<DialogType> all_;
};

// Written types on top of `base`: {id: {title, …}}. Fails with all mistakes. The plans are checked
// by prompt::check_plans().
std::expected<DialogTypes, value::Diagnostics> parse_dialogs(const value::Value& written,
                                                             const DialogTypes& base,
                                                             value::Path path = {});

// A file of data/dialogs.
struct ShippedDialogs {
    std::string_view name;
    std::string_view json;
};
std::span<const ShippedDialogs> shipped_dialog_files() noexcept;
// The built-in types: scene, action, rules, free_chat.
DialogTypes shipped_dialogs();

// The types that a campaign brought, as written; nullptr: none.
const value::Value* own_dialogs(const value::Value& document) noexcept;
// `shipped` and the campaign's own.
DialogTypes dialogs_of(const value::Value& document, const DialogTypes& shipped);

struct RouteDecision {
    std::string dialog_type;
    std::string variant;
    std::string context_profile;
    std::vector<std::string> guards;
};
value::Value to_value(const RouteDecision& decision);
base::Result<RouteDecision> route_decision_from(const value::Value& written);

// The setting that names the type of the next prompt.
constexpr std::string_view kDialogSetting = "dialog.manual_type";
// Whether the settings name a type that is not one of `types`. Types of a campaign have other ids
// than the shipped ones, so only then they have to be parsed.
bool names_other_dialog(const value::Object& settings, const DialogTypes& types) noexcept;

// The type of the next prompt: the one named by the effective settings, regardless of any router
// decision. Default: the first registered type.
const DialogType& chosen_dialog(const DialogTypes& types, const value::Value& effective);
// The same among all types of a campaign.
DialogType chosen_dialog(const value::Value& document, const DialogTypes& shipped,
                         const value::Object& effective);

}  // namespace arbiter::table
