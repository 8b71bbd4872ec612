#include "reader/internal/block.h"

#include <algorithm>

#include "base/limits.h"
#include "proposal/shape.h"
#include "reader/blanks.h"
#include "text/truncate.h"

namespace arbiter::reader::internal {

using proposal::Code;
using proposal::Dialect;
using proposal::Notice;
using proposal::Proposal;

Proposal begin_proposal(const Source& source, Dialect dialect, std::string_view verb, Range range) {
    Proposal proposal;
    proposal.dialect = dialect;
    proposal.verb = std::string(verb);
    proposal.span = {source.offset + range.begin, source.offset + range.end};
    proposal.raw = std::string(text::truncate(
        source.text.substr(range.begin, range.end - range.begin), base::kRawBytesMax));
    proposal.batch = source.batch;
    if (!source.closed) {
        proposal.warnings.add(proposal::Warning::kUnclosed);
    }
    return proposal;
}

void finish_proposal(Output& output, Proposal&& proposal) {
    proposal::check_shape(proposal);
    output.proposals.push_back(std::move(proposal));
}

void refuse(Output& output, const Source& source, Dialect dialect, Range range, Code code,
            std::vector<std::string> details) {
    Proposal proposal = begin_proposal(source, dialect, "", range);
    proposal.refuse(code, std::move(details));
    output.proposals.push_back(std::move(proposal));
}

void refuse_unreadable(Output& output, const Source& source, Dialect dialect, Range range,
                       std::size_t at, std::string_view cause) {
    constexpr std::size_t kQuoteBytesMax = 120;
    const std::string_view command = trim(source.text.substr(range.begin, range.end - range.begin));
    const std::string_view line = command.substr(0, command.find('\n'));
    const Position position = source.position_of(std::min(at, source.text.size()));
    refuse(output, source, dialect, range, Code::kParseError,
           {text::truncate_with_ellipsis(line, kQuoteBytesMax), std::to_string(position.line),
            std::to_string(position.column), std::string(cause)});
}

void refuse_literal(Output& output, const Source& source, Dialect dialect, Range range,
                    const LiteralError& error) {
    if (error.kind == LiteralError::Kind::kTooDeep) {
        refuse(output, source, dialect, range, Code::kTooDeep,
               {std::to_string(base::kLiteralDepthMax)});
    } else {
        refuse_unreadable(output, source, dialect, range, error.offset, error.cause);
    }
}

void note(Output& output, const Source& source, Notice::Kind kind, std::string_view about,
          Range range) {
    output.notices.push_back(
        {kind, std::string(about), {source.offset + range.begin, source.offset + range.end}});
}

void mark_repairs(Output& output, const Source& source, Proposal& proposal, Repairs repairs,
                  Range range) {
    if (repairs.empty()) {
        return;
    }
    proposal.warnings.add(proposal::Warning::kRepaired);
    // The entries of one literal share its repairs; saying so once is enough.
    const bool told = !output.notices.empty() &&
                      output.notices.back().kind == Notice::Kind::kRepaired &&
                      output.notices.back().about == repairs.list();
    if (!told) {
        note(output, source, Notice::Kind::kRepaired, repairs.list(), range);
    }
}

std::string_view kind_words(const value::Value& value) {
    switch (value.kind()) {
        case value::Kind::kNull:
            return "null";
        case value::Kind::kBool:
            return "true or false";
        case value::Kind::kInt:
        case value::Kind::kDouble:
            return "a number";
        case value::Kind::kString:
            return "a text";
        case value::Kind::kArray:
            return "a list";
        case value::Kind::kObject:
            return "an object";
    }
    return "";
}

}  // namespace arbiter::reader::internal
