// Dialog types: the kinds of answer a player can ask for, and the prompt blocks of each kind.
//
// The player's selection always wins. A router's decision can be stored in the campaign but has no
// effect.
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
    std::vector<std::string> blocks;  // ids of prompt blocks, in order
};

class DialogTypes {
  public:
    // Fails with kDialogIncomplete if the id, title or blocks are missing or the id is a duplicate.
    base::Result<> add(DialogType type);
    [[nodiscard]] const DialogType* find(std::string_view id) const noexcept;
    [[nodiscard]] const std::vector<DialogType>& all() const noexcept { return all_; }

  private:
    std::vector<DialogType> all_;
};

// The built-in types: scene, action, rules, free_chat.
DialogTypes shipped_dialogs();

struct RouteDecision {
    std::string dialog_type;
    std::string variant;
    std::string context_profile;
    std::vector<std::string> guards;
};
value::Value to_value(const RouteDecision& decision);
base::Result<RouteDecision> route_decision_from(const value::Value& written);

// Returns the document with the decision stored in campaign.dialog.future_route_decision.
value::Value with_route_decision(const value::Value& document, const RouteDecision& decision);

// The type of the next prompt: the one named by the effective settings, regardless of any router
// decision. Default: the first registered type.
const DialogType& chosen_dialog(const DialogTypes& types, const value::Value& effective);

}  // namespace arbiter::table
