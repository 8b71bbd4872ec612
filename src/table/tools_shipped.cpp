#include "table/tools_shipped.h"

#include "base/check.h"
#include "table/internal/tools_body.h"
#include "table/internal/tools_dice.h"
#include "table/internal/tools_play.h"
#include "table/internal/tools_world.h"
#include "table/summary.h"

namespace arbiter::table {

ToolRegistry shipped_tools() {
    ToolRegistry registry;
    for (Tool& tool : std::vector<Tool>{
             internal::move_tool(), internal::hp_delta_tool(), internal::map_generate_tool(),
             internal::character_generate_tool(), internal::item_transfer_tool(),
             internal::roll_tool(), internal::time_advance_tool(), summarize_tool()}) {
        CHECK(registry.add(std::move(tool)).has_value());
    }
    return registry;
}

}  // namespace arbiter::table
