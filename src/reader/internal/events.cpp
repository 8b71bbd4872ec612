#include "reader/internal/events.h"

#include "base/limits.h"
#include "text/utf8.h"

namespace arbiter::reader::internal {

using proposal::Notice;

void Events::notice(Notice::Kind kind, std::string_view about, std::size_t begin, std::size_t end) {
    if (++notices_ <= base::kNoticesMax || kind == Notice::Kind::kUseProtocol ||
        kind == Notice::Kind::kEndProtocol || kind == Notice::Kind::kInspect) {
        sink_->notice({kind, std::string(about), {begin, end}});
    }
}

Output& Events::new_output() {
    output_.proposals.clear();
    output_.notices.clear();
    output_.text.clear();
    output_.has_text = false;
    output_.thinking.clear();
    return output_;
}

void Events::emit(Output& output, bool tagged) {
    if (output.has_text) {
        text(text::is_valid(output.text) ? output.text : text::repair(output.text));
        cut();
    }
    if (!output.thinking.empty()) {
        thinking(output.thinking);
    }
    for (const Notice& each : output.notices) {
        notice(each.kind, each.about, each.span.begin, each.span.end);
    }
    for (proposal::Proposal& each : output.proposals) {
        if (settlement_.add(each, tagged)) {
            sink_->candidate(std::move(each));
        }
    }
    ++batch_;
}

void Events::settle(std::optional<std::size_t> first_replaced) {
    if (first_replaced) {
        sink_->notice({Notice::Kind::kBadUtf8, "", {*first_replaced, *first_replaced + 3}});
    }
    settlement_.settle(narrative_.bytes(), *sink_);
}

}  // namespace arbiter::reader::internal
