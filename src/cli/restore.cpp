#include "cli/restore.h"

#include "campaign/attempt_json.h"
#include "campaign/table_changes.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "cli/player_console.h"
#include "cli/verdicts.h"
#include "engine/bin.h"
#include "engine/describe.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using engine::BinRecord;
using value::Path;
using value::Value;

Exit complain(const Console& console, const base::Error& error, std::string_view about) {
    report(console, error, about, {});
    return Exit::kTrouble;
}

void print_bin(const Console& console, const std::vector<BinRecord>& records) {
    std::string out;
    for (const BinRecord& each : records) {
        out += console.painted(each.id.empty() ? "-" : each.id, Color::kCyan) + "\t" +
               value::print_path(each.place, value::PathSyntax::kDotted) + "\t" +
               (each.deleted_at.empty() ? "-" : each.deleted_at) + "\t" + brief(each.value);
        out += each.reason.empty() ? "\n" : "\t" + each.reason + "\n";
    }
    if (records.empty()) {
        out = std::string(console.say({"The bin is empty.\n", "回收站是空的。\n"}));
    }
    console.print(out);
}

Exit put_back(const Call& call, const Value& document, const Path& bin, const std::string& what) {
    const Console& console = call.console;
    const auto proposal = engine::propose_restore(document, bin, what);
    if (!proposal) {
        std::string there;
        for (const BinRecord& each : engine::list_bin(document, bin)) {
            there += (there.empty() ? "" : ", ") + each.id + " " +
                     value::print_path(each.place, value::PathSyntax::kDotted);
        }
        const std::string words[] = {what, value::print_path(bin, value::PathSyntax::kDotted),
                                     there};
        console.complain(base::format_message(
            there.empty() ? console.say({"{0} cannot be put back: the recycle bin {1} is empty.\n",
                                         "无法放回 {0}：回收站 {1} 是空的。\n"})
                          : console.say({"{0} is not in the recycle bin {1}. In it: {2}.\n",
                                         "回收站 {1} 里没有 {0}。其中有：{2}。\n"}),
            words));
        return Exit::kNo;
    }
    engine::Context context;
    context.actor = engine::Actor::kPlayer;
    context.batch_id = "op";
    const engine::Outcome outcome =
        engine::apply({document, {}}, {&*proposal, 1}, engine::Policy(), context);
    const engine::Verdict& verdict = outcome.verdicts[0];
    const bool done = verdict.status == proposal::Status::kApplied;
    console.print(console.painted(engine::describe(verdict), done ? Color::kGreen : Color::kRed) +
                  "\n");
    if (!done) {
        console.print("\t" + explain(*verdict.problem, console.language) + "\n");
        return Exit::kNo;
    }
    if (call.has("--out")) {
        const std::string text =
            value::print_json(outcome.state.document, value::JsonStyle::kPretty) + "\n";
        if (const auto saved = write_file(std::string(call.value("--out", "")), text); !saved) {
            return complain(console, saved.error(), "arbiter");
        }
    }
    return Exit::kDone;
}

// A turn of the player, judged by the rules of the campaign and stored like any other.
Exit restore_in_campaign(const Call& call, const Path& bin) {
    const Console& console = call.console;
    auto playing =
        open_session(call, call.arguments.empty() ? ledger::Access::kRead : ledger::Access::kWrite);
    const auto now = now_of(call);
    if (!playing || !now) {
        return !playing ? playing.error() : now.error();
    }
    campaign::Session& session = *playing->session;
    const Value document = session.campaign().state().document;
    const table::Redactor redactor = redactor_of(call, session.campaign());
    if (call.arguments.empty()) {
        print_bin(console, engine::list_bin(redactor.value(document).get(), bin));
        return Exit::kDone;
    }
    const std::string& what = call.arguments[0];
    const auto result = campaign::restore_from_bin(session, bin, what, *now);
    if (!result && result.error().code == ErrorCode::kNotFound) {
        report(console, result.error(), value::print_path(bin, value::PathSyntax::kDotted), {});
        return Exit::kNo;
    }
    if (!result) {
        return trouble(console, result.error());
    }
    turn::Attempt visible = result->attempt;
    campaign::mask_hidden_values(visible,
                                 redactor.during(document, session.campaign().state().document));
    PlayerConsole(console).show(redactor.text(
        turn_lines(console, last_words(session), visible, session.registries()->tools)));
    return campaign::is_refused(result->attempt) ? Exit::kNo : Exit::kDone;
}

}  // namespace

Exit run_restore(const Call& call) {
    const std::string file(call.value("--state", ""));
    const bool in_campaign = call.has("--store") || call.has("--campaign");
    if (file.empty() && !in_campaign) {
        return complain(call.console,
                        base::Error(ErrorCode::kMissingArgument, {"--state FILE | --campaign ID"}),
                        "arbiter");
    }
    Path bin = engine::Policy().recycle_bin;
    if (call.has("--bin")) {
        const auto named = value::parse_any_path(call.value("--bin", ""));
        if (!named) {
            return complain(call.console, named.error(), "--bin");
        }
        bin = *named;
    }
    if (in_campaign) {
        return restore_in_campaign(call, bin);
    }
    const auto document = load_document(call.console, file);
    if (!document) {
        return Exit::kTrouble;
    }
    if (call.arguments.empty()) {
        print_bin(call.console, engine::list_bin(*document, bin));
        return Exit::kDone;
    }
    return put_back(call, *document, bin, call.arguments[0]);
}

}  // namespace arbiter::cli
