// Dialog types: what kind of answer the player wants, and the blocks that a prompt for it has.
//
// The player chooses. A decision of some router can be kept in the campaign, and changes nothing:
// the choice by hand wins.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "value/value.h"

namespace arbiter::table {

struct DialogType {
    std::string id;
    base::Text title;
    std::vector<std::string> blocks;  // ids of the blocks of a prompt, in order
};

class DialogTypes {
  public:
    // Fails with kDialogIncomplete: no id, no title, no blocks, or an id that is there already.
    base::Result<> add(DialogType type);
    [[nodiscard]] const DialogType* find(std::string_view id) const noexcept;
    [[nodiscard]] const std::vector<DialogType>& all() const noexcept { return all_; }

  private:
    std::vector<DialogType> all_;
};

// scene, action, rules, free_chat.
DialogTypes shipped_dialogs();

struct RouteDecision {
    std::string dialog_type;
    std::string variant;
    std::string context_profile;
    std::vector<std::string> guards;
};
value::Value to_value(const RouteDecision& decision);
base::Result<RouteDecision> route_decision_from(const value::Value& written);

// The document with a decision kept in campaign.dialog.future_route_decision.
value::Value with_route_decision(const value::Value& document, const RouteDecision& decision);

// The type that the next prompt is built for: the one that the effective settings name, whatever
// a router decided; the first that there is where they name none.
const DialogType& chosen_dialog(const DialogTypes& types, const value::Value& effective);

}  // namespace arbiter::table
