#include "turn/report_choice.h"

#include "table/layout.h"
#include "turn/accepted_claims.h"
#include "turn/feedback.h"
#include "turn/narration.h"

namespace arbiter::turn {
namespace {

// The last reply that was withheld.
std::string raw_of(const TurnResult& reported) {
    if (reported.trace.empty()) {
        return {};
    }
    const value::Value last = reported.trace[reported.trace.size() - 1];
    return std::string(table::text_in(&last, "raw"));
}

// The commands of the reply, or only those beside its text, as proposals of the host.
std::vector<proposal::Proposal> commands_of(const Attempt& attempt, bool written) {
    std::vector<proposal::Proposal> commands;
    for (std::size_t i = attempt.player_proposals; i < attempt.reading.proposals.size(); ++i) {
        proposal::Proposal each = attempt.reading.proposals[i];
        if (written || each.span.begin == each.span.end) {
            each.span = {};
            commands.push_back(std::move(each));
        }
    }
    return commands;
}

}  // namespace

std::optional<ReportChoice> find_report_choice(std::string_view word) noexcept {
    if (word == "keep") {
        return ReportChoice::kKeepState;
    }
    if (word == "edit") {
        return ReportChoice::kEdit;
    }
    return word == "accept" ? std::optional(ReportChoice::kAccept) : std::nullopt;
}

SuppliedReply chosen_reply(const TurnResult& reported, ReportChoice choice, std::string said,
                           std::string text, engine::Instant now) {
    const Attempt& attempt = reported.attempt;
    SuppliedReply reply;
    reply.said = std::move(said);
    reply.now = now;
    reply.proposals = commands_of(attempt, choice == ReportChoice::kEdit);
    if (choice == ReportChoice::kEdit) {
        reply.text = std::move(text);
        return reply;
    }
    reply.text = raw_of(reported);
    if (choice == ReportChoice::kKeepState) {
        const std::vector<WrongSentence> wrong =
            wrong_sentences(attempt.reading.text, attempt.narration);
        const std::vector<std::optional<std::string>> cut(wrong.size(), std::string());
        reply.text = with_sentences({std::move(reply.text)}, wrong, cut).front();
    }
    return reply;
}

base::Result<table::Step> accept_claims(const engine::State& state, const TurnResult& reported,
                                        const value::Object& settings, engine::Instant now) {
    const Attempt& attempt = reported.attempt;
    const auto changes = accepted_changes(attempt.narration, attempt.candidate().document);
    if (!changes) {
        return base::fail(base::ErrorCode::kNotAcceptable);
    }
    auto step = table::change_characters(state.document, *changes, settings, now);
    if (step) {
        // Findings that are true now are not sent to the model.
        step->meta = with_pending_feedback(state.meta, {});
    }
    return step;
}

}  // namespace arbiter::turn
