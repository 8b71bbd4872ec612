#include "cli/history.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/limits.h"
#include "campaign/turn_json.h"
#include "campaign/view.h"
#include "cli/documents.h"
#include "cli/json_lines.h"
#include "cli/ledger.h"
#include "cli/player_console.h"
#include "ledger/history.h"
#include "table/layout.h"
#include "text/truncate.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using ledger::Campaign;
using ledger::TurnId;
using ledger::TurnRow;
using value::Value;

// One turn of a listing.
struct ListedTurn {
    TurnId id;
    std::optional<TurnId> parent;
    std::string line;  // without its column
    value::Object json;
};

// Lists turns of a campaign.
class Listing {
  public:
    Listing(const Console& console, const Campaign& campaign, const campaign::Display& display)
        : console_(console), campaign_(campaign), display_(display) {}

    // `row` has its bytes.
    void add(const TurnRow& row) {
        const auto record = campaign_.record_of(row);
        const bool here = row.id == campaign_.head();
        const std::int64_t number = record ? record->shown_number() : row.number;
        const std::string words = !record        ? base::explain(record.error(), console_.language)
                                  : record->edit ? "(" + record->edit->reason + ")"
                                                 : beginning(*record);
        ListedTurn turn{row.id, row.parent, {}, campaign::turn_row_json(row).set("turn", number)};
        turn.line = console_.painted(here ? "◉ " : "○ ", here ? Color::kGreen : Color::kNone) +
                    std::to_string(number) + "  " + console_.painted(row.id.brief(), Color::kCyan) +
                    "  " + minute_of(row.time) + "  " +
                    (record ? std::string(name(record->actor)) + "  " + said_in(*record) : "") +
                    on_one_line(words) + "\n";
        if (record) {
            turn.json = std::move(turn.json)
                            .set("actor", name(record->actor))
                            .set(record->edit ? "edit" : "beginning",
                                 std::string_view(record->edit ? record->edit->reason : words))
                            .set("state_hash", std::string_view(record->state));
        } else {
            turn.json =
                std::move(turn.json).set("damaged", true).set("message", std::string_view(words));
            has_damage_ = true;
        }
        turn.json = std::move(turn.json).set("is_head", here);
        turns_.push_back(std::move(turn));
    }
    // To be called when all turns are listed: one whose parent is not among them is damage.
    void find_orphans() {
        std::set<TurnId> known;
        for (const ListedTurn& turn : turns_) {
            known.insert(turn.id);
        }
        for (ListedTurn& turn : turns_) {
            if (turn.parent && !known.contains(*turn.parent)) {
                turn.parent.reset();  // listed as a beginning
                turn.json = std::move(turn.json).set("damaged", true);
                has_damage_ = true;
            }
        }
    }
    void reverse() { std::ranges::reverse(turns_); }
    [[nodiscard]] bool has_damage() const noexcept { return has_damage_; }

    // Children below their parent, all but the newest in their own column.
    [[nodiscard]] std::string tree() const {
        std::map<TurnId, std::vector<const ListedTurn*>> children;
        // Iterative, because a long campaign is a deep tree.
        std::vector<std::pair<const ListedTurn*, std::size_t>> open;
        for (const ListedTurn& turn : turns_) {
            if (turn.parent) {
                children[*turn.parent].push_back(&turn);
            } else {
                open.emplace_back(&turn, 0);
            }
        }
        std::ranges::reverse(open);
        std::string out;
        while (!open.empty()) {
            const auto [turn, column] = open.back();
            open.pop_back();
            for (std::size_t i = 0; i < std::min<std::size_t>(column, 20); ++i) {
                out += "│ ";
            }
            out += turn->line;
            const auto& below = children[turn->id];
            // The newest child continues the column; older children branch off and come first.
            for (std::size_t i = below.size(); i-- > 0;) {
                const bool newest = i + 1 == below.size();
                open.emplace_back(below[i], newest ? column : column + 1);
            }
        }
        return out;
    }
    [[nodiscard]] std::string lines() const {
        std::string out;
        for (const ListedTurn& turn : turns_) {
            out += turn.line;
        }
        return out;
    }
    [[nodiscard]] value::Array json() const {
        value::Array all;
        for (const ListedTurn& turn : turns_) {
            all = std::move(all).push_back(turn.json);
        }
        return all;
    }

  private:
    // 2026-11-18 01:42
    static std::string minute_of(engine::Instant time) {
        std::string text = engine::print_instant(time);
        std::ranges::replace(text, 'T', ' ');
        return text.substr(0, text.rfind(':'));
    }
    // The player's words of a turn of the story, as they were typed.
    static std::string said_in(const ledger::Record& record) {
        constexpr std::size_t kBytesMax = 60;
        return record.said.empty() || record.edit
                   ? ""
                   : "> " + on_one_line(text::truncate_with_ellipsis(record.said, kBytesMax)) +
                         "  ";
    }
    [[nodiscard]] std::string beginning(const ledger::Record& record) const {
        constexpr std::size_t kBytesMax = 60;
        const std::string text = display_.shown(record);
        return text::truncate_with_ellipsis(std::string_view(text).substr(0, text.find('\n')),
                                            kBytesMax);
    }

    const Console& console_;
    const Campaign& campaign_;
    const campaign::Display& display_;
    std::vector<ListedTurn> turns_;
    bool has_damage_ = false;
};

base::Result<> list_all(const Campaign& campaign, Listing& listing) {
    auto visited =
        campaign.store().visit_turns(campaign.row().id, std::nullopt, [&](const TurnRow& row) {
            listing.add(row);
            return true;
        });
    listing.find_orphans();
    return visited;
}

// The last `limit` turns of the line to a turn, oldest first; 0: all of them.
base::Result<> list_line(const Campaign& campaign, const TurnId& to, std::size_t limit,
                         Listing& listing) {
    std::size_t left = limit;
    auto visited = campaign.visit_back(to, ledger::Store::Content::kWhole,
                                       [&](const TurnRow& row) -> base::Result<bool> {
                                           listing.add(row);
                                           return limit == 0 || --left > 0;
                                       });
    listing.reverse();
    return visited;
}

std::string member(const Value& record, std::string_view key) {
    const Value* found = record.is_object() ? record.as_object().find(key) : nullptr;
    return found == nullptr     ? std::string("-")
           : found->is_string() ? on_one_line(found->as_string())
                                : brief(*found);
}

// The changes of a tool call, one on a line, unless the line above shows the only one.
std::string tool_changes(const Console& console, const Value& record) {
    const Value* changes = value::find_member(&record, "changes");
    const auto diff =
        changes != nullptr ? value::diff_from_value(*changes) : base::Result<value::Diff>();
    if (!diff || !record.as_object().contains("tool") ||
        (diff->size() == 1 &&
         value::print_path((*diff)[0].path, value::PathSyntax::kDotted) == member(record, "key"))) {
        return "";
    }
    std::string lines;
    for (const value::Change& change : *diff) {
        lines += "\t" + change_line(console, change);
    }
    return lines;
}

// True for an action of the table itself that changed nothing but bookkeeping.
bool is_bookkeeping_action(const Value& action) {
    const Value* changes = value::find_member(&action, "changes");
    const auto diff =
        changes != nullptr ? value::diff_from_value(*changes) : base::Result<value::Diff>();
    return member(action, "kind") == "close" && diff &&
           std::ranges::all_of(*diff, table::is_bookkeeping, &value::Change::path);
}
// The same for an audit record. A tool call has words of its own.
bool is_bookkeeping_record(const Value& record) {
    const auto place = value::parse_path(member(record, "key"), value::PathSyntax::kDotted);
    return place && table::is_bookkeeping(*place) && !record.as_object().contains("tool");
}

// 12  applied set a.b: 1 → 2  (reason)
std::string audit_line(const Console& console, std::int64_t number, const Value& record) {
    std::string line = std::to_string(number) + "  " + member(record, "actor") + "  " +
                       member(record, "status") + " " + member(record, "action") + " ";
    // A refused call has arguments, no place.
    const bool is_refused_call =
        record.as_object().contains("tool") && member(record, "key") == "$";
    line += console.painted(member(record, is_refused_call ? "value" : "key"), Color::kCyan);
    if (member(record, "status") == "applied") {
        line += ": " + member(record, "before") + " → " + member(record, "after");
    } else if (record.as_object().contains("code")) {
        line += " X " + member(record, "code");
    }
    if (record.as_object().contains("kept")) {  // protected parts of an expired node
        line += " ! protected " + member(record, "kept");
    }
    if (record.as_object().contains("reason")) {
        line += console.painted("  (" + member(record, "reason") + ")", Color::kDim);
    }
    return line + "\n" + tool_changes(console, record);
}

}  // namespace

std::string tree_of(const Console& console, const Campaign& campaign,
                    const campaign::Display& display) {
    Listing listing(console, campaign, display);
    const auto listed = list_all(campaign, listing);
    return listed ? listing.tree() : base::explain(listed.error(), console.language) + "\n";
}

Exit run_history(const Call& call) {
    const Console& console = call.console;
    const auto limit = number_of(call, "--limit", 0);
    if (!limit) {
        return limit.error();
    }
    const auto opened = look_at_campaign(call);
    if (!opened) {
        return opened.error();
    }
    const Campaign& campaign = opened->campaign;
    const auto display = display_of(call, *opened);
    if (!display) {
        return display.error();
    }
    Listing listing(console, campaign, *display);
    const bool is_line = call.has("--limit") || call.has("--to");
    const auto to = campaign.find(call.value("--to", "head"));
    const auto listed = !to       ? std::unexpected(to.error())
                        : is_line ? list_line(campaign, *to, *limit, listing)
                                  : list_all(campaign, listing);
    if (!listed) {
        return trouble(console, listed.error());
    }
    if (call.has("--reverse")) {
        listing.reverse();
    }
    const table::Redactor redactor = redactor_of(call, campaign);
    if (call.has("--json")) {
        const value::Object answer = campaign::where_json(campaign).set("turns", listing.json());
        console.print(redactor.text(json_line(answer)).str());
    } else {
        const bool is_tree = !is_line && !call.has("--reverse");
        PlayerConsole(console).show(redactor.text(is_tree ? listing.tree() : listing.lines()));
    }
    return listing.has_damage() ? Exit::kNo : Exit::kDone;
}

Exit run_show(const Call& call) {
    const auto opened = look_at_campaign(call);
    if (!opened) {
        return opened.error();
    }
    const Console& console = call.console;
    const auto turn = turn_of(call, opened->campaign, 0);
    if (!turn) {
        return turn.error();
    }
    if (call.has("--state")) {
        const auto state = opened->campaign.state_at(*turn);
        if (!state) {
            return trouble(console, state.error());
        }
        PlayerConsole(console).show(redactor_of(call, opened->campaign).value(state->document));
        return Exit::kDone;
    }
    const auto record = opened->campaign.record(*turn);
    if (!record) {
        return trouble(console, record.error());
    }
    const table::Redactor redactor = redactor_during(call, opened->campaign, *turn);
    const Value log = redactor.records(campaign::turn_log(*record)).get();
    if (call.has("--json")) {
        console.print(json_line(campaign::turn_json(opened->campaign, *turn, *record, redactor)));
        return Exit::kDone;
    }
    const auto display = display_of(call, *opened);
    if (!display) {
        return display.error();
    }
    std::string out = std::to_string(record->shown_number()) + "  " + turn->hex() + "\n" +
                      engine::print_instant(record->time) + "  " +
                      std::string(name(record->actor)) + "\n" + member(log, "turn_id") +
                      "  actor_id " + member(log, "actor_id") + "  settings_revision " +
                      member(log, "settings_revision") +
                      (record->edit ? "  (" + record->edit->reason + ")" : "") + "\n";
    if (!record->said.empty()) {
        out += "> " + display->said(*record) + "\n";
    }
    const std::string shown = display->shown(*record);
    out += shown + (shown.empty() || shown.ends_with('\n') ? "" : "\n");
    for (const Value& each : table::array_or_empty(value::find_member(&log, "applied_actions"))) {
        if (is_bookkeeping_action(each)) {
            continue;
        }
        out += "applied_actions: " +
               brief(each.is_object() ? Value(each.as_object().erase("changes")) : each) + "\n";
    }
    const auto row = opened->campaign.store().turn(opened->campaign.row().id, *turn);
    const Value before =
        row && *row ? ledger::LineDocuments(opened->campaign).at(**row).before : Value();
    for (const Value& each : ledger::audit_records(*record, &before)) {
        if (!is_bookkeeping_record(each)) {
            out += audit_line(console, record->number, redactor.records(each).get());
        }
    }
    const auto changes = ledger::document_changes(opened->campaign, *record);
    if (!changes) {
        return trouble(console, changes.error());
    }
    for (const value::Change& change : *changes) {
        if (!table::is_bookkeeping(change.path)) {
            out += change_line(console, redactor.change(change));
        }
    }
    PlayerConsole(console).show(redactor.text(out));
    return Exit::kDone;
}

Exit run_audit(const Call& call) {
    const Console& console = call.console;
    const auto opened = look_at_campaign(call);
    if (!opened) {
        return opened.error();
    }
    ledger::AuditFilter filter;
    if (call.has("--path")) {
        auto path = value::parse_any_path(call.value("--path", ""));
        if (!path) {
            return trouble(console, path.error());
        }
        filter.path = *std::move(path);
    }
    filter.actor = call.value("--actor", "");
    filter.tag = call.value("--tag", "");
    filter.reason = call.value("--reason", "");
    filter.status = call.value("--status", "");
    filter.has_large_values = !call.has("--json");
    if (call.has("--turn")) {
        const auto turn = opened->campaign.find(call.value("--turn", ""));
        const auto record = turn ? opened->campaign.record(*turn) : std::unexpected(turn.error());
        if (!record) {
            return trouble(console, record.error());
        }
        filter.turn = *turn;
    }
    for (const auto& [option, time] :
         {std::pair("--from", &filter.from), std::pair("--to", &filter.to)}) {
        if (!call.has(option)) {
            continue;
        }
        const std::string text(call.value(option, ""));
        *time = engine::parse_instant(text);
        if (!*time) {
            return trouble(console, base::Error(ErrorCode::kBadOptionValue,
                                                {option, text, "2026-01-01T00:00:00Z"}));
        }
    }
    const auto entries = ledger::audit(opened->campaign, filter, progress_of(console));
    if (!entries) {
        return trouble(console, entries.error());
    }
    const table::Redactor redactor = redactor_of(call, opened->campaign);
    std::string out;
    for (const ledger::AuditEntry& entry : *entries) {
        const Value record = redactor.during(entry.documents.before, entry.documents.after)
                                 .records(entry.record)
                                 .get();
        out += call.has("--json") ? value::print_json(record) + "\n"
                                  : audit_line(console, entry.number, record);
    }
    PlayerConsole(console).show(redactor.text(out));
    return entries->empty() ? Exit::kNo : Exit::kDone;
}

Exit run_blame(const Call& call) {
    const Console& console = call.console;
    const auto opened = look_at_campaign(call);
    if (!opened) {
        return opened.error();
    }
    const auto path = value::parse_any_path(call.arguments[0]);
    if (!path) {
        return trouble(console, path.error());
    }
    const auto entries = ledger::blame(opened->campaign, *path, progress_of(console));
    if (!entries) {
        return trouble(console, entries.error());
    }
    const table::Redactor redactor = redactor_of(call, opened->campaign);
    std::string out;
    for (const ledger::BlameEntry& entry : *entries) {
        const table::Redactor then = redactor.during(entry.documents.before, entry.documents.after);
        const auto shown = [&](const std::optional<Value>& value) {
            if (!value || then.hides(*path)) {
                return std::string(value ? "……" : "-");
            }
            return brief(then.value_at(*path, *value).get());
        };
        out += std::to_string(entry.number) + "  " + entry.turn.brief() + "  " +
               engine::print_instant(entry.time) + "  " + shown(entry.before) + " → " +
               shown(entry.after) + "\n";
        for (const Value& record : entry.records) {
            out += "\t" + audit_line(console, entry.number, then.records(record).get());
        }
    }
    PlayerConsole(console).show(redactor.text(out));
    return entries->empty() ? Exit::kNo : Exit::kDone;
}

}  // namespace arbiter::cli
