#include "tests/sim/oracles.h"

#include <cmath>
#include <cstdlib>
#include <map>

#include "engine/describe.h"
#include "engine/marks.h"
#include "ledger/record.h"
#include "tests/sim/reference.h"
#include "turn/conflicts.h"
#include "value/described.h"
#include "value/diff.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::sim {

using proposal::Status;
using value::Value;

namespace {

using Mistake = std::optional<Failure>;

const Value* at(const Value& document, std::string_view path) {
    return value::find(document, *value::parse_path(path, value::PathSyntax::kDotted));
}

std::optional<std::int64_t> whole(const Value* value) {
    return value != nullptr && value->is_int() ? std::optional(value->as_int()) : std::nullopt;
}

// A number, or that of a described pair.
std::optional<double> number_at(const Value& document, std::string_view path) {
    const Value* found = at(document, path);
    const Value inner = found != nullptr ? value::undescribed(*found) : Value();
    return inner.is_number() ? std::optional(inner.as_double()) : std::nullopt;
}

// Every proposal has one verdict; refused ones changed nothing; transactions are whole.
Mistake verdict_mistake(const turn::Attempt& attempt, bool has_transactions) {
    const auto& proposals = attempt.reading.proposals;
    const auto& verdicts = attempt.outcome.verdicts;
    if (proposals.size() != verdicts.size()) {
        return Failure{
            "every proposal has a verdict",
            std::to_string(proposals.size()) + " proposals, " + std::to_string(verdicts.size())};
    }
    std::map<std::uint32_t, std::pair<bool, bool>> batches;  // applied, failed
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const engine::Verdict& verdict = verdicts[i];
        if (verdict.status != Status::kApplied && !verdict.changes.empty()) {
            return Failure{"a refused proposal changes nothing", engine::describe(verdict)};
        }
        const bool is_refused =
            verdict.status == Status::kRejected || verdict.status == Status::kFailed;
        if (is_refused && !verdict.problem && verdict.reason.empty()) {
            return Failure{"a refusal has a reason", engine::describe(verdict)};
        }
        if (has_transactions && proposals[i].transaction && i >= attempt.player_proposals) {
            auto& [applied, failed] = batches[proposals[i].batch];
            applied |= verdict.status == Status::kApplied;
            failed |= is_refused;
        }
    }
    for (const auto& [batch, seen] : batches) {
        if (seen.first && seen.second) {
            return Failure{"a transaction is all or nothing", "batch " + std::to_string(batch)};
        }
    }
    return std::nullopt;
}

// The actions lead to the state, the audit leads back, and the record says the same.
Mistake audit_mistake(const CommittedTurn& turn, const ledger::Record& record) {
    const auto forward = turn::apply_actions(turn.before.document, turn.result.attempt.actions);
    if (!forward || !value::same_bytes(*forward, turn.after.document)) {
        return Failure{"the actions lead to the state", forward ? "another state" : "do not fit"};
    }
    const auto stepped = ledger::step(turn.before, record);
    if (!stepped || ledger::hash_of(*stepped) != ledger::hash_of(turn.after)) {
        return Failure{"the stored changes lead to the state", record.batch};
    }
    const value::Array audit = ledger::audit_records(record, &turn.before.document);
    const std::vector<Value> records(audit.begin(), audit.end());
    const auto back = engine::undo(turn.after.document, records);
    if (!back || !value::same_bytes(*back, turn.before.document)) {
        return Failure{"the audit leads back", back ? "to another document" : "does not fit"};
    }
    return std::nullopt;
}

// Whether the character that a tool heals or hurts has hit points in range, before the rules of
// the table correct them.
bool keeps_range(const turn::Action& action, const Value& after) {
    const Value* tool = action.about.find("tool");
    if (action.kind != turn::Action::Kind::kTool || tool == nullptr ||
        (*tool != Value("hp_delta") && *tool != Value("heal"))) {
        return true;
    }
    for (const value::Change& change : action.changes) {
        if (change.path.size() != 5 || change.path[4] != value::Segment("current")) {
            continue;
        }
        value::Path hp = change.path;
        const auto current = whole(value::find(after, hp));
        hp.back() = value::Segment("max");
        const auto max = whole(value::find(after, hp));
        if (current && max && (*current < 0 || *current > *max)) {
            return false;
        }
    }
    return true;
}

// Applies the actions one by one and asks the reference about each command.
Mistake command_mistakes(const CommittedTurn& turn) {
    Value document = turn.before.document;
    const turn::Attempt& attempt = turn.result.attempt;
    for (const turn::Action& action : attempt.actions) {
        auto next = value::apply_diff(action.changes, document);
        if (!next) {
            return Failure{"the actions lead to the state", "an action does not fit"};
        }
        if (!keeps_range(action, *next)) {
            return Failure{"a tool keeps hit points in range",
                           value::print_json(Value(action.about))};
        }
        if (action.kind == turn::Action::Kind::kCommand) {
            const engine::Verdict& verdict = attempt.outcome.verdicts[action.source];
            if (auto wrong = command_mistake(document, *next,
                                             attempt.reading.proposals[action.source], verdict)) {
                return Failure{"a command does what it says",
                               *wrong + ": " + engine::describe(verdict)};
            }
        }
        document = *std::move(next);
    }
    return std::nullopt;
}

std::map<std::string, std::int64_t> items_of(const Value& document) {
    std::map<std::string, std::int64_t> counts;
    for (const char* holders : {"campaign.characters", "campaign.areas"}) {
        const Value* all = at(document, holders);
        if (all == nullptr || !all->is_object()) {
            continue;
        }
        for (const auto& [id, holder] : all->as_object()) {
            const Value* items = value::find(holder, {value::Segment("items")});
            if (items == nullptr || !items->is_object()) {
                continue;
            }
            for (const auto& [item, entry] : items->as_object()) {
                if (const auto count = whole(value::find(entry, {value::Segment("count")}))) {
                    counts[std::string(item.view())] += *count;
                }
            }
        }
    }
    std::erase_if(counts, [](const auto& each) { return each.second == 0; });
    return counts;
}

// The hit points of a character that a turn changed are in range, whoever played it.
Mistake range_mistake(const CommittedTurn& turn) {
    const Value* before = at(turn.before.document, "campaign.characters");
    const Value* after = at(turn.after.document, "campaign.characters");
    if (after == nullptr || !after->is_object() ||
        (before != nullptr && before->is_identical(*after))) {
        return std::nullopt;
    }
    for (const auto& [id, each] : after->as_object()) {
        const Value* was = value::find_member(before, id);
        if (was != nullptr && *was == each) {
            continue;
        }
        const auto current =
            whole(value::find(each, {value::Segment("hp"), value::Segment("current")}));
        const auto max = whole(value::find(each, {value::Segment("hp"), value::Segment("max")}));
        if (current && max && *max >= 0 && (*current < 0 || *current > *max)) {
            return Failure{"hit points stay in range", std::string(id.view())};
        }
    }
    return std::nullopt;
}

// Invariants of the table.
Mistake table_mistake(const CommittedTurn& turn) {
    const Value& document = turn.after.document;
    const Value* characters = at(document, "campaign.characters");
    const Value* areas = at(document, "campaign.areas");
    const auto is_kept = [&](const char* own) {
        const Value* old = at(turn.before.document, own);
        const Value* now = at(document, own);
        return old == nullptr ? now == nullptr : now != nullptr && *old == *now;
    };
    if (!is_kept("campaign.goal")) {
        return Failure{"the goal is set by its own command", ""};
    }
    // The text of a card or a host does not reach the table.
    if (turn.actor == engine::Actor::kSystem &&
        !(is_kept("campaign.settings") && is_kept("campaign.characters"))) {
        return Failure{"the text of a card does not change the table", ""};
    }
    // The player may write to the rest of the table, the model only through tools.
    const Value* characters_before = at(turn.before.document, "campaign.characters");
    if (turn.actor != engine::Actor::kModel || characters_before == nullptr) {
        return std::nullopt;
    }
    if (characters == nullptr || !characters->is_object() || areas == nullptr) {
        return characters_before->is_object() &&
                       at(turn.before.document, "campaign.areas") != nullptr
                   ? Mistake(Failure{"the table stays", "it is gone"})
                   : std::nullopt;
    }
    for (const auto& [id, each] : characters->as_object()) {
        const Value* before = value::find(*characters_before, {value::Segment(id)});
        if (before != nullptr && *before == each) {
            continue;
        }
        const Value* area = value::find(each, {value::Segment("area_id")});
        const Value* area_before =
            before != nullptr ? value::find(*before, {value::Segment("area_id")}) : nullptr;
        const bool has_moved = area_before == nullptr || area == nullptr || *area != *area_before;
        if (has_moved && area != nullptr && area->is_string() && !area->as_string().empty() &&
            value::find(*areas, {value::Segment(area->as_string())}) == nullptr) {
            return Failure{"a character is in an area that exists", std::string(id.view())};
        }
    }
    bool only_transfers = true;
    for (const turn::Action& action : turn.result.attempt.actions) {
        if (action.kind != turn::Action::Kind::kTool) {
            continue;
        }
        const Value* tool = action.about.find("tool");
        const std::string name =
            tool != nullptr && tool->is_string() ? std::string(tool->as_string()) : "";
        only_transfers = only_transfers && name != "map_generate" && name != "character_generate";
    }
    if (only_transfers && items_of(turn.before.document) != items_of(document)) {
        return Failure{"items are neither made nor lost", ""};
    }
    // Settings and tools belong to the player.
    for (const char* own : {"campaign.settings", "campaign.tools.allow"}) {
        if (!is_kept(own)) {
            return Failure{"the model does not change the player's choices", own};
        }
    }
    return std::nullopt;
}

// Invariants of the rulebook of tests/rules/worlds.h.
Mistake book_mistake(const CommittedTurn& turn) {
    const turn::Attempt& attempt = turn.result.attempt;
    if (!turn.campaign.has_book || !attempt.settled || attempt.spent || !attempt.oversize.empty()) {
        return std::nullopt;
    }
    // A limit counts from the last number, also if a text or nothing stood there since (D-24).
    const std::optional<double> before = turn.gold;
    const auto after = number_at(turn.after.document, "gold");
    if (before && after && *after != *before) {
        if (*after < 0 || *after > 1000) {
            return Failure{"a limit holds", "gold " + std::to_string(*after)};
        }
        if (turn.actor == engine::Actor::kModel && std::abs(*after - *before) > 50) {
            return Failure{"a limit per turn holds",
                           "gold " + std::to_string(*before) + " → " + std::to_string(*after)};
        }
    }
    const Value* hero = at(turn.after.document, "hero");
    if (hero == nullptr || !hero->is_object() || turn.after.document == turn.before.document) {
        return std::nullopt;
    }
    for (const auto& [name, each] : hero->as_object()) {
        // Talk beside the story computes nothing: what it left alone may never have been computed.
        const Value* old = value::find(turn.before.document, {value::Segment("hero"), name});
        if (!each.is_object() || (old != nullptr && *old == each)) {
            continue;
        }
        const auto base = number_at(each, "base");
        const auto extra = number_at(each, "extra");
        const auto sum = number_at(each, "sum");
        if (base && extra && sum &&
            (std::abs(*extra - std::max(0.0, *base - 8)) > 1e-9 ||
             std::abs(*sum - *base - *extra) > 1e-9)) {
            return Failure{"derived values follow", "hero." + std::string(name.view())};
        }
    }
    return std::nullopt;
}

// The effect of a tool passes the check of that tool: a refusal that says otherwise is a defect of
// the tool, which the player would take for a mistake of the model.
Mistake tool_mistake(const CommittedTurn& turn) {
    for (const turn::FailedCall& each : turn.result.attempt.failed_calls) {
        if (each.refusal.reason == "conflict") {
            return Failure{"a tool does what it says", each.tool};
        }
    }
    return std::nullopt;
}

// Nodes with _is_protected stay, whatever the model says.
Mistake mark_mistake(const CommittedTurn& turn) {
    const Value* before = at(turn.before.document, "护符");
    const Value* after = at(turn.after.document, "护符");
    if (turn.actor == engine::Actor::kModel && before != nullptr && engine::is_protected(*before) &&
        (after == nullptr || !engine::is_protected(*after))) {
        std::string done = after == nullptr ? "gone" : value::print_json(*after);
        for (const turn::Action& action : turn.result.attempt.actions) {
            done += "; " + value::print_json(Value(action.about));
            if (action.kind == turn::Action::Kind::kCommand) {
                done += engine::describe(turn.result.attempt.outcome.verdicts[action.source]);
            }
        }
        return Failure{"a protected node stays", done};
    }
    return std::nullopt;
}

}  // namespace

Mistake turn_mistake(const CommittedTurn& turn) {
    for (const auto oracle :
         {table_mistake, range_mistake, book_mistake, mark_mistake, tool_mistake}) {
        if (auto wrong = oracle(turn)) {
            return wrong;
        }
    }
    return verdict_mistake(turn.result.attempt,
                           turn.campaign.setup.world.profile.policy.features.has("transaction"));
}

Mistake record_mistake(const CommittedTurn& turn, const ledger::Record& record) {
    auto wrong = audit_mistake(turn, record);
    return wrong ? wrong : command_mistakes(turn);
}

bool quotes(std::string_view text, std::string_view secret) {
    constexpr std::size_t kLetters = 8;
    if (secret.size() < kLetters || text.empty()) {
        return false;
    }
    std::string folded;
    folded.reserve(text.size());
    for (const char letter : text) {
        if ((letter >= 'a' && letter <= 'z') || static_cast<unsigned char>(letter) >= 0x80) {
            folded += letter;
        } else if (letter >= 'A' && letter <= 'Z') {
            folded += static_cast<char>(letter - 'A' + 'a');
        }
    }
    for (std::size_t i = 0; i + kLetters <= secret.size(); ++i) {
        if (folded.contains(secret.substr(i, kLetters))) {
            return true;
        }
    }
    return false;
}

bool is_node_hidden(const Value& document) {
    const Value* node = value::find(document, {value::Segment(kHiddenKey)});
    return node != nullptr && node->is_object() && engine::is_filtered_out(*node);
}

}  // namespace arbiter::sim
