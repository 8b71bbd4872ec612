#include "turn/rounds.h"

#include <algorithm>
#include <iterator>

#include "base/limits.h"
#include "table/summary.h"
#include "text/truncate.h"
#include "value/json.h"

namespace arbiter::turn {

using prompt::NativeToolCall;
using proposal::Proposal;

namespace {

void shift(proposal::Span& span, std::size_t offset) {
    span.begin += offset;
    span.end += offset;
}

// The summary of a reply is in a section of its own, so that every dialect and every model can
// write it; from here on it is a tool call like any other. It follows the commands of the text and
// precedes those of the host, which are not in the text: a reply that is read again has the
// same order.
void take_summaries(reader::Reading& reading) {
    const auto is_written = [](const Proposal& each) { return each.span.begin != each.span.end; };
    auto at = std::ranges::find_if_not(reading.proposals, is_written);
    std::vector<Proposal> of_host(std::make_move_iterator(at),
                                  std::make_move_iterator(reading.proposals.end()));
    reading.proposals.erase(at, reading.proposals.end());
    const std::uint32_t batch = reading.proposals.empty() ? 0 : reading.proposals.back().batch + 1;
    bool has_summary = false;
    for (const proposal::Component& section : reading.components) {
        auto args =
            section.tag == table::kSummaryTag ? table::summary_args(section.content) : std::nullopt;
        if (!args) {
            continue;
        }
        Proposal proposal;
        proposal.dialect = proposal::Dialect::kTool;
        proposal.verb = table::kSummaryTool;
        proposal.span = section.span;
        proposal.raw = text::truncate(section.content, base::kRawBytesMax);
        proposal.batch = batch;
        proposal::ToolCall call;
        call.id = std::string_view("summary-" + std::to_string(reading.proposals.size()));
        call.tool = table::kSummaryTool;
        call.args = *std::move(args);
        proposal.what = std::move(call);
        reading.proposals.push_back(std::move(proposal));
        has_summary = true;
    }
    for (Proposal& each : of_host) {
        each.batch += has_summary ? 1 : 0;
        reading.proposals.push_back(std::move(each));
    }
    std::erase_if(reading.components,
                  [](const proposal::Component& each) { return each.tag == table::kSummaryTag; });
}

}  // namespace

void silence(reader::Reading& reading) {
    reading.text.clear();
    std::erase_if(reading.components,
                  [](const proposal::Component& each) { return each.tag != table::kSummaryTag; });
}

void append_reading(reader::Reading& all, reader::Reading more, std::size_t offset) {
    take_summaries(more);
    if (!all.text.empty() && !more.text.empty()) {
        all.text += kBetweenRounds;
    }
    const std::size_t before = all.text.size();
    all.text += more.text;
    all.thinking += more.thinking;
    const std::uint32_t batch = all.proposals.empty() ? 0 : all.proposals.back().batch + 1;
    for (Proposal& each : more.proposals) {
        each.batch += batch;
        shift(each.span, offset);
        all.proposals.push_back(std::move(each));
    }
    for (reader::Reading::Lost& each : more.lost) {
        shift(each.proposal.span, offset);
        all.lost.push_back(std::move(each));
    }
    for (proposal::Component& each : more.components) {
        shift(each.span, offset);
        each.at += before;
        all.components.push_back(std::move(each));
    }
    for (proposal::Notice& each : more.notices) {
        shift(each.span, offset);
        all.notices.push_back(std::move(each));
    }
}

std::vector<Proposal> proposals_of(std::span<const NativeToolCall> calls, std::uint32_t batch) {
    std::vector<Proposal> proposals;
    for (const NativeToolCall& call : calls) {
        Proposal proposal;
        proposal.dialect = proposal::Dialect::kTool;
        proposal.verb = call.name;
        proposal.batch = batch;
        proposal.raw = text::truncate(call.arguments, base::kRawBytesMax);
        proposal::ToolCall asked;
        asked.id = value::Str(call.id);
        asked.tool = value::Str(call.name);
        auto arguments = value::parse_json(call.arguments);
        if (arguments && arguments->is_object()) {
            asked.args = *std::move(arguments);
        } else {
            proposal.refuse(proposal::Code::kBadEntry,
                            {std::string(text::truncate(call.arguments, base::kDetailBytesMax))});
        }
        proposal.what = std::move(asked);
        proposals.push_back(std::move(proposal));
    }
    return proposals;
}

}  // namespace arbiter::turn
