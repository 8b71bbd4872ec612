#include "cli/convert.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "cli/documents.h"
#include "cli/profiles.h"
#include "cli/replies.h"
#include "cli/verdicts.h"
#include "engine/legacy_commands.h"
#include "engine/plain_commands.h"
#include "proposal/advice.h"
#include "reader/reader.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;
using value::Value;
using writer::Form;

using Commands = std::vector<Proposal>;

bool is_read(Form form) {
    return form != Form::kDirect && form != Form::kInternal && form != Form::kTools;
}

// The proposal with MVU's mount resolved: below stat_data where the document has it.
Proposal mounted(const Proposal& proposal, const Value& document) {
    Proposal made = proposal;
    auto* instruction = std::get_if<Instruction>(&made.what);
    const bool has_status =
        document.is_object() && document.as_object().contains(name(proposal::Mount::kStatus));
    if (instruction != nullptr && instruction->mount == proposal::Mount::kMvu &&
        instruction->op != Op::kCallback) {
        instruction->mount = has_status ? proposal::Mount::kStatus : proposal::Mount::kRoot;
    }
    return made;
}

// Options whose effect is not in the document; a command without them is not the same.
std::optional<std::string_view> lasting_option(const Instruction& instruction) {
    constexpr std::array<std::string_view, 4> kLasting = {"ttl", "expiresAt", "idempotencyKey",
                                                          "tags"};
    for (const std::string_view option : kLasting) {
        if (instruction.options.contains(option)) {
            return option;
        }
    }
    return std::nullopt;
}

// Converts the commands one after another, and follows the document.
class Converter {
  public:
    Converter(Form form, const engine::State& state, const engine::Policy& policy,
              const engine::Context& context)
        : form_(form), state_(state), policy_(policy), context_(context) {}

    Conversion run(std::span<const Proposal> proposals) {
        const engine::Outcome outcome = engine::apply(state_, proposals, policy_, context_);
        for (const engine::Expired& expired : outcome.expired) {
            follow(expired.changes);
        }
        for (std::size_t i = 0; i < proposals.size(); ++i) {
            const engine::Verdict& verdict = outcome.verdicts[i];
            if (proposals[i].instruction() == nullptr || !proposals[i].problems.empty()) {
                take(proposals[i], i);
            } else if (verdict.status == proposal::Status::kApplied) {
                convert_applied(proposals[i], verdict, i);
            } else if (verdict.status == proposal::Status::kRejected ||
                       verdict.status == proposal::Status::kFailed ||
                       verdict.status == proposal::Status::kRolledBack) {
                made_.failures.push_back({i, base::Error(ErrorCode::kWriteRefused, {}),
                                          verdict.problem.value_or(proposal::Problem{
                                              proposal::Code::kGuardNotMet, {"transaction"}})});
            }
        }
        return std::move(made_);
    }

  private:
    // A command that does not depend on the state: a tool call, or one that was refused.
    void take(const Proposal& proposal, std::size_t index) {
        if (auto text = writer::write_one(proposal, form_); text) {
            made_.commands.push_back(proposal);
        } else {
            made_.failures.push_back({index, text.error(), {}});
        }
    }
    Value follow(const value::Diff& changes) {
        auto after = value::apply_diff(changes, document_);
        CHECK(after);
        return std::exchange(document_, *std::move(after));
    }
    void convert_applied(const Proposal& proposal, const engine::Verdict& verdict,
                         std::size_t index) {
        const Value before = follow(verdict.changes);
        const Proposal same = mounted(proposal, before);
        const auto written = writer::write_one(same, form_);
        if (written && leads_to({same}, before)) {
            keep({same});
            return;
        }
        const Instruction& what = *proposal.instruction();
        const base::Error error =
            written ? base::Error(ErrorCode::kWriteLost, {std::string(writer::name(form_)),
                                                          "what the command does to this document"})
                    : written.error();
        if (const auto option = lasting_option(what)) {
            made_.failures.push_back(
                {index,
                 base::Error(ErrorCode::kWriteLost,
                             {std::string(writer::name(form_)), "options." + std::string(*option)}),
                 {}});
            return;
        }
        // Reading and events have no result that could be written instead.
        if (what.op == Op::kGet || what.op == Op::kCallback) {
            made_.failures.push_back({index, error, {}});
            return;
        }
        for (Commands& way : ways(verdict, before, what.reason)) {
            if (leads_to(way, before)) {
                keep(std::move(way));
                return;
            }
        }
        made_.failures.push_back({index, error, {}});
    }
    // The result as plain commands, from the most careful on. None is needed where nothing changed.
    std::vector<Commands> ways(const engine::Verdict& verdict, const Value& before,
                               const value::Str& reason) const {
        std::vector<Commands> all;
        if (verdict.changes.empty()) {
            all.emplace_back();
        }
        const value::Path root = form_ == Form::kTavern ? policy_.tavern_root : value::Path();
        for (const auto how : {engine::NewMembers::kSet, engine::NewMembers::kInsert}) {
            all.push_back(engine::plain_commands(verdict.changes, before, document_, root, how));
        }
        // The target as a whole, where it does not matter that more than the change is written.
        const Value* now = value::find(document_, verdict.path);
        if (now != nullptr && !verdict.path.empty()) {
            all.push_back({engine::plain_command(Op::kSet, "set", verdict.path, *now)});
        }
        for (Commands& way : all) {
            for (Proposal& command : way) {
                std::get<Instruction>(command.what).reason = reason;
            }
        }
        return all;
    }
    // Whether the commands, written and read again, lead from `before` to the document.
    bool leads_to(const Commands& commands, const Value& before) const {
        if (commands.empty()) {
            return before == document_;
        }
        Commands alone = commands;
        for (Proposal& each : alone) {
            each.transaction = false;
        }
        const auto text = writer::write(alone, form_);
        if (!text || !is_read(form_)) {
            return text.has_value();
        }
        const reader::Reading reading = reader::read(*text);
        const engine::Outcome outcome =
            engine::apply({before, state_.meta}, reading.proposals, policy_, context_);
        return outcome.state.document == document_;
    }
    void keep(Commands commands) {
        for (Proposal& command : commands) {
            command.transaction = false;  // it is decided
            made_.commands.push_back(std::move(command));
        }
    }

    Form form_;
    const engine::State& state_;
    const engine::Policy& policy_;
    const engine::Context& context_;
    Value document_ = state_.document;
    Conversion made_;
};

std::string form_names() {
    std::string names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Form::kCount); ++i) {
        names += names.empty() ? "" : ", ";
        names += writer::name(static_cast<Form>(i));
    }
    return names + ", tavern1";
}

void complain_about(const Console& console, const Proposal& proposal, const std::string& why) {
    console.complain(quoted_command(proposal) + "\n\t" +
                     console.painted_error(console.say({"error", "错误"}), Color::kRed) + ": " +
                     why + "\n");
}

void report_failure(const Console& console, const Proposal& proposal,
                    const Conversion::Failure& failure, bool has_state) {
    if (!proposal.problems.empty()) {
        std::string why(
            console.say({"It was refused and is not converted.", "它被拒绝，未转换。"}));
        for (const proposal::Problem& problem : proposal.problems) {
            why += "\n\t" + explain(proposal, problem, console.language);
        }
        complain_about(console, proposal, why);
        return;
    }
    if (failure.problem) {
        complain_about(console, proposal, explain(*failure.problem, console.language));
        return;
    }
    std::string why = base::explain(failure.error, console.language);
    const Instruction* instruction = proposal.instruction();
    const bool changes =
        instruction != nullptr && instruction->op != Op::kGet && instruction->op != Op::kCallback;
    const bool settles = failure.error.code == ErrorCode::kWriteUnsupported ||
                         failure.error.code == ErrorCode::kWriteLost ||
                         failure.error.code == ErrorCode::kWriteMissing;
    if (changes && settles && !has_state) {
        why += "\n\t";
        why += console.say({"With --state FILE (the document it is for) its result is written.",
                            "用 --state FILE 给出它所作用的文档，即可写出执行结果。"});
    }
    complain_about(console, proposal, why);
}

// True if the result would contain the present: a deletion into the recycle bin is dated.
bool is_dated(std::span<const Proposal> proposals) {
    return std::ranges::any_of(proposals, [](const Proposal& proposal) {
        const Instruction* instruction = proposal.instruction();
        const Value* soft =
            instruction != nullptr ? instruction->options.find("softDelete") : nullptr;
        return soft != nullptr && *soft == Value(true);
    });
}

// Whether version 1.0 has the same command, whatever the document contains.
bool is_in_old_version(const Instruction& instruction) {
    return instruction.options.empty() &&
           (instruction.op == Op::kSet || instruction.op == Op::kAdd ||
            instruction.op == Op::kIncrement);
}

// Reports the commands whose result depends on the document. True if there is one.
bool report_dependent(const Console& console, std::span<const Proposal> proposals) {
    bool any = false;
    for (const Proposal& each : proposals) {
        const Instruction* instruction = each.problems.empty() ? each.instruction() : nullptr;
        if (instruction != nullptr && !is_in_old_version(*instruction)) {
            any = true;
            complain_about(console, each,
                           std::string(console.say(
                               {"What it does depends on the document. Give it with --state FILE.",
                                "它的结果取决于文档，请用 --state FILE 给出。"})));
        }
    }
    return any;
}

// Converts for consumers of 1.0. They cannot evaluate conditions, so the state is evaluated here.
Exit convert_to_old(const Call& call, const reader::Reading& reading, const engine::State& state,
                    const engine::Policy& policy, const engine::Context& context) {
    const Console& console = call.console;
    const engine::LegacyCommands made =
        to_legacy_commands(state, reading.proposals, policy, context);
    bool all = made.lost.empty();
    for (std::size_t i = 0; i < reading.proposals.size(); ++i) {
        const engine::Verdict& verdict = made.outcome.verdicts[i];
        if (verdict.problem && verdict.status != proposal::Status::kSkipped) {
            all = false;
            complain_about(console, reading.proposals[i],
                           explain(reading.proposals[i], *verdict.problem, console.language));
        }
    }
    for (const std::size_t i : made.lost) {
        const base::Error error(
            ErrorCode::kWritePrefix,
            {"tavern_commands 1.0", "character.saveData.",
             value::print_path(made.outcome.verdicts[i].path, value::PathSyntax::kDotted)});
        complain_about(console, reading.proposals[i], base::explain(error, console.language));
    }
    for (const std::size_t i : made.timed) {
        console.complain(quoted_command(reading.proposals[i]) + "\n\t" +
                         std::string(console.say({"1.0 will not remove it when its time is over.\n",
                                                  "1.0 不会在到期时移除它。\n"})));
    }
    const auto text = writer::write(made.commands, Form::kTavern);
    if (!text) {
        report(console, text.error(), "arbiter", {});
        return Exit::kNo;
    }
    console.print_data(text->empty() ? "" : *text + "\n");
    return all ? Exit::kDone : Exit::kNo;
}

Exit complain(const Console& console, const base::Error& error) {
    report(console, error, "arbiter", {});
    return Exit::kTrouble;
}

std::expected<std::optional<engine::State>, Exit> state_of(const Call& call) {
    const std::string file(call.value("--state", ""));
    if (file.empty()) {
        return std::nullopt;
    }
    const auto document = load_document(call.console, file);
    if (!document) {
        return std::unexpected(Exit::kTrouble);
    }
    return engine::State{*document, {}};
}

std::expected<engine::Context, Exit> context_of(const Call& call,
                                                std::span<const Proposal> proposals) {
    engine::Context context;
    context.batch_id = "op";
    if (!call.has("--now")) {
        if (is_dated(proposals)) {
            return std::unexpected(complain(
                call.console, base::Error(ErrorCode::kMissingArgument, {"--now INSTANT"})));
        }
        return context;
    }
    const std::string text(call.value("--now", ""));
    const auto now = engine::parse_instant(text);
    if (!now) {
        return std::unexpected(complain(
            call.console,
            base::Error(ErrorCode::kBadOptionValue, {"--now", text, "2026-01-01T00:00:00Z"})));
    }
    context.now = *now;
    return context;
}

}  // namespace

Conversion convert(std::span<const Proposal> proposals, Form form) {
    Conversion made;
    for (std::size_t i = 0; i < proposals.size(); ++i) {
        if (const auto text = writer::write_one(proposals[i], form)) {
            made.commands.push_back(proposals[i]);
        } else {
            made.failures.push_back({i, text.error(), {}});
        }
    }
    return made;
}

Conversion convert(std::span<const Proposal> proposals, Form form, const engine::State& state,
                   const engine::Policy& policy, const engine::Context& context) {
    return Converter(form, state, policy, context).run(proposals);
}

Exit run_convert(const Call& call) {
    const Console& console = call.console;
    const std::string_view wanted = call.value("--to", "");
    if (wanted.empty()) {
        return complain(console, base::Error(ErrorCode::kMissingArgument, {"--to DIALECT"}));
    }
    const bool old = wanted == "tavern1";
    const auto form = old ? Form::kTavern : writer::find_form(wanted);
    if (!form) {
        return complain(console, base::Error(ErrorCode::kBadOptionValue,
                                             {"--to", std::string(wanted), form_names()}));
    }
    const auto reading = read_reply(call, 0);
    if (!reading) {
        return reading.error();
    }
    const auto profile = profile_of(call, "--from");
    if (!profile) {
        return profile.error();
    }
    const auto state = state_of(call);
    if (!state) {
        return state.error();
    }
    engine::Context context;
    if (old || *state) {
        const auto dated = context_of(call, reading->proposals);
        if (!dated) {
            return dated.error();
        }
        context = *dated;
    }
    if (old && !*state && report_dependent(console, reading->proposals)) {
        return Exit::kNo;
    }
    if (old) {
        return convert_to_old(call, *reading, state->value_or(engine::State{}), profile->policy,
                              context);
    }
    const Conversion made =
        *state ? convert(reading->proposals, *form, **state, profile->policy, context)
               : convert(reading->proposals, *form);
    // Commands that can be written are written; the others are reported.
    for (const Conversion::Failure& failure : made.failures) {
        report_failure(console, reading->proposals[failure.proposal], failure, state->has_value());
    }
    const auto text = writer::write(made.commands, *form);
    if (!text) {
        report(console, text.error(), "arbiter", {});
        return Exit::kNo;
    }
    if (!text->empty()) {
        console.print_data(text->ends_with('\n') ? *text : *text + "\n");
    }
    return made.failures.empty() ? Exit::kDone : Exit::kNo;
}

}  // namespace arbiter::cli
