#include "cli/replies.h"

#include <algorithm>
#include <charconv>

#include "base/limits.h"
#include "cli/documents.h"
#include "cli/profiles.h"
#include "cli/verdicts.h"
#include "proposal/describe.h"
#include "reader/reader.h"
#include "turn/intake.h"
#include "value/json.h"
#include "writer/teach.h"
#include "writer/writer.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using proposal::Proposal;
using reader::Reading;
using value::Object;
using value::Value;

std::string_view shown_name(std::string_view file) {
    return file == "-" ? "<stdin>" : file;
}

// Parses a positive integer; nullopt if the text is not one.
std::optional<std::size_t> positive(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0
               ? std::optional(number)
               : std::nullopt;
}

// One line for a proposal, coloured, and the lines of its problems.
std::string proposal_line(const Console& console, const Proposal& proposal) {
    const bool refused = !proposal.problems.empty();
    std::string line(console.painted(name(proposal.dialect), Color::kCyan));
    line += '\t';
    line += refused ? console.painted(describe(proposal), Color::kRed) : describe(proposal);
    line += '\n';
    return line + problem_lines(console, proposal);
}

base::TextView ignored_text(std::string_view why) {
    if (why == "hybrid") {
        return {"not taken: JSON instructions come before _. calls",
                "未采用：JSON 指令优先于 _. 调用"};
    }
    if (why == "duplicate") {
        return {"not taken: a JSON instruction says the same", "未采用：已有相同的 JSON 指令"};
    }
    if (why == "outside_tag") {
        return {"not taken: it stands outside <updateMemory>", "未采用：它在 <updateMemory> 之外"};
    }
    return {"not taken: it was only thought", "未采用：它只是思考内容"};
}

void print_reading(const Console& console, const Reading& reading) {
    std::string out;
    for (const Proposal& proposal : reading.proposals) {
        out += proposal_line(console, proposal);
    }
    for (const Reading::Lost& lost : reading.lost) {
        out += console.painted(std::string("-\t") + describe(lost.proposal), Color::kDim);
        out += "\n\t" + std::string(console.say(ignored_text(lost.why))) + "\n";
    }
    for (const proposal::Component& component : reading.components) {
        out += "component\t<" + component.tag + "> " +
               value::print_json(Value(component.children)) + "\n";
    }
    out += notice_lines(console, reading.notices, nullptr);
    if (!out.empty() && !reading.text.empty()) {
        out += console.painted("--", Color::kDim) + "\n";
    }
    out += reading.text;
    if (!reading.text.empty() && !reading.text.ends_with('\n')) {
        out += '\n';
    }
    console.print(out);
}

void print_json_lines(const Console& console, const Reading& reading) {
    std::string out;
    const auto line = [&out](const Value& value) {
        value::append_json(out, value);
        out += '\n';
    };
    for (const Proposal& proposal : reading.proposals) {
        line(Object{{"proposal", to_value(proposal)}});
    }
    for (const Reading::Lost& lost : reading.lost) {
        line(Object{{"ignored", to_value(lost.proposal)}, {"reason", std::string_view(lost.why)}});
    }
    for (const proposal::Component& component : reading.components) {
        line(Object{{"component", to_value(component)}});
    }
    for (const proposal::Notice& notice : reading.notices) {
        line(Object{{"notice", to_value(notice)}});
    }
    line(Object{{"text", std::string_view(reading.text)}});
    console.print(out);
}

Exit complain(const Console& console, const base::Error& error) {
    report(console, error, "arbiter", {});
    return Exit::kTrouble;
}

// The dialects that can be taught.
std::string taught_names() {
    std::string names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(writer::Form::kCount); ++i) {
        if (const auto form = static_cast<writer::Form>(i); writer::is_taught(form)) {
            names += names.empty() ? "" : ", ";
            names += writer::name(form);
        }
    }
    return names;
}

}  // namespace

std::optional<std::size_t> chunk_of(const Call& call) {
    const std::string_view text = call.value("--chunk", "65536");
    const auto chunk = positive(text);
    if (!chunk) {
        report(
            call.console,
            base::Error(ErrorCode::kBadOptionValue, {"--chunk", std::string(text), "1, 2, 3, …"}),
            "arbiter", {});
    }
    return chunk;
}

Reading read_in_pieces(std::string_view text, reader::Options options, std::size_t chunk) {
    reader::Collector collector(std::move(options));
    for (std::size_t at = 0; at < text.size(); at += chunk) {
        collector.feed(text.substr(at, chunk));
    }
    return collector.finish();
}

std::expected<Reading, Exit> read_reply(const Call& call, std::size_t file_argument) {
    const std::string file =
        call.arguments.size() > file_argument ? call.arguments[file_argument] : "-";
    const auto text = read_file(call.console, file, base::kTurnTextBytesMax);
    const auto fits = text ? turn::check_reply(*text) : std::unexpected(text.error());
    if (!fits) {
        report(call.console, fits.error(), shown_name(file), {});
        return std::unexpected(Exit::kTrouble);
    }
    const auto profile = profile_of(call, call.has("--from") ? "--from" : "--profile");
    if (!profile) {
        return std::unexpected(profile.error());
    }
    reader::Options options = profile::reading(
        *profile, call.has("--player") ? engine::Actor::kPlayer : engine::Actor::kModel);
    options.hybrid_both = options.hybrid_both || call.has("--both");
    options.show_thinking = call.has("--thinking");
    const auto chunk = chunk_of(call);
    if (!chunk) {
        return std::unexpected(Exit::kTrouble);
    }
    return read_in_pieces(*text, std::move(options), *chunk);
}

Exit run_parse(const Call& call) {
    const auto reading = read_reply(call, 0);
    if (!reading) {
        return reading.error();
    }
    if (call.has("--json")) {
        print_json_lines(call.console, *reading);
    } else {
        print_reading(call.console, *reading);
    }
    const bool refused = std::ranges::any_of(
        reading->proposals, [](const Proposal& each) { return !each.problems.empty(); });
    return refused ? Exit::kNo : Exit::kDone;
}

Exit run_teach(const Call& call) {
    const auto form = writer::find_form(call.arguments[0]);
    const std::string text = form ? writer::teach(*form, call.console.language) : std::string();
    if (text.empty()) {
        return complain(call.console, base::Error(ErrorCode::kBadOptionValue,
                                                  {"DIALECT", call.arguments[0], taught_names()}));
    }
    call.console.print(text.ends_with('\n') ? text : text + "\n");
    return Exit::kDone;
}

}  // namespace arbiter::cli
