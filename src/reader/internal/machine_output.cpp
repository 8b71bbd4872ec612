// What comes out of a reply: events on the way, and at the end which candidates stand.
#include <set>

#include "base/limits.h"
#include "proposal/operations.h"
#include "reader/internal/machine.h"
#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::reader {

using internal::Output;
using internal::Source;
using proposal::Dialect;
using proposal::Notice;

namespace {

// What a command says, whatever dialect it says it in.
std::string said_by(const proposal::Proposal& proposal) {
    const proposal::Instruction* instruction = proposal.instruction();
    if (instruction == nullptr) {
        return proposal.raw;
    }
    std::string said(name(instruction->op));
    said += ' ' + value::print_path(instruction->path, value::PathSyntax::kPointer);
    if (instruction->value) {
        said += ' ' + value::print_json(*instruction->value, value::JsonStyle::kCanonical);
    }
    return said;
}

}  // namespace

Source Reader::Machine::source(std::size_t begin, std::size_t end, bool closed) {
    Source source;
    source.text = window_.view(begin, end);
    source.offset = begin;
    source.closed = closed;
    source.dialects = options_.dialects;
    source.batch = batch_;
    return source;
}

void Reader::Machine::notice(Sink& sink, Notice::What what, std::string_view about,
                             std::size_t begin, std::size_t end) {
    if (++notices_ <= base::kNoticesMax || what == Notice::What::kUseProtocol ||
        what == Notice::What::kEndProtocol || what == Notice::What::kInspect) {
        sink.notice({what, std::string(about), {begin, end}});
    }
}

Reader::Machine::Sort Reader::Machine::sort_of(const proposal::Proposal& proposal, bool tagged) {
    switch (proposal.dialect) {
        case Dialect::kJson:
            return proposal.problems.empty() || proposal.instruction() != nullptr ? Sort::kJson
                                                                                  : Sort::kOther;
        case Dialect::kMvu:
            return Sort::kMvu;
        case Dialect::kMemory:
            return tagged ? Sort::kOther : Sort::kLooseMemory;
        case Dialect::kTavern:
        case Dialect::kPatch:
        case Dialect::kFilament:
        case Dialect::kTool:
        case Dialect::kCount:
            return Sort::kOther;
    }
    return Sort::kOther;
}

Output& Reader::Machine::new_output() {
    output_.proposals.clear();
    output_.notices.clear();
    output_.text.clear();
    output_.has_text = false;
    output_.thinking.clear();
    return output_;
}

void Reader::Machine::emit(Sink& sink, Output& output, bool tagged) {
    if (output.has_text) {
        narrative_.text(text::is_valid(output.text) ? output.text : text::repair(output.text),
                        sink);
        narrative_.cut();
    }
    if (!output.thinking.empty()) {
        sink.thinking(output.thinking);
    }
    for (Notice& each : output.notices) {
        notice(sink, each.what, each.about, each.span.begin, each.span.end);
    }
    for (proposal::Proposal& each : output.proposals) {
        if (sorts_.size() >= base::kProposalsMax) {
            ++beyond_;
            continue;
        }
        const Sort sort = sort_of(each, tagged);
        has_json_ = has_json_ || sort == Sort::kJson;
        sorts_.push_back(sort);
        if (options_.hybrid_both) {
            said_.push_back(said_by(each));
        }
        sink.candidate(std::move(each));
    }
    ++batch_;
}

// Which candidates stand needs the whole reply: JSON instructions come before _. calls (both, if
// asked for), calls in <updateMemory> before loose ones, and what was only thought is nothing.
void Reader::Machine::settle(Sink& sink) {
    if (bad_utf8_) {
        sink.notice({Notice::What::kBadUtf8, "", {*bad_utf8_, *bad_utf8_ + 3}});
    }
    if (beyond_ > 0) {
        sink.notice({Notice::What::kCut, std::to_string(beyond_), {}});
    }
    const bool thought = thought_ended_ && (sorts_.size() > thought_candidates_ ||
                                            narrative_.bytes() > thought_bytes_);
    std::set<std::string_view> in_json;
    for (std::size_t i = 0; i < said_.size(); ++i) {
        if (sorts_[i] == Sort::kJson) {
            in_json.insert(said_[i]);
        }
    }
    for (std::size_t i = 0; i < sorts_.size(); ++i) {
        if (thought && i < thought_candidates_) {
            sink.lost(i, "thinking");
        } else if (sorts_[i] == Sort::kMvu && has_json_ && !options_.hybrid_both) {
            sink.lost(i, "hybrid");
        } else if (sorts_[i] == Sort::kMvu && !said_.empty() && in_json.contains(said_[i])) {
            sink.lost(i, "duplicate");
        } else if (sorts_[i] == Sort::kLooseMemory && has_memory_tag_) {
            sink.lost(i, "outside_tag");
        }
    }
}

}  // namespace arbiter::reader
