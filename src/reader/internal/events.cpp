#include "reader/internal/events.h"

#include <algorithm>
#include <utility>

#include "base/limits.h"
#include "reader/internal/glyph.h"
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
    Output& output = output_.change();
    output.proposals.clear();
    output.notices.clear();
    output.text.clear();
    output.has_text = false;
    output.thinking.clear();
    return output;
}

void Events::text(std::string_view text) {
    if (lone_closer_ != nullptr && !std::ranges::all_of(text, is_blank)) {
        withdraw_thought();
    }
    wrappers_.text(text, narrative_, *sink_);
}

void Events::component(proposal::Component&& component) {
    withdraw_thought();
    wrappers_.flush(narrative_, *sink_);  // a component has its place in the text
    sink_->component(std::move(component));
}

void Events::end_thinking(std::string_view name, std::string_view mark, std::size_t at) {
    if (thinking_opened_ && !expects_closer_) {
        notice(Notice::Kind::kStrayTag, name, at, at + mark.size());
        return;
    }
    expects_closer_ = false;
    lone_closer_ = std::make_unique<const LoneCloser>(std::string(name), std::string(mark), at,
                                                      settlement_.candidates());
}

void Events::withdraw_thought() {
    const std::unique_ptr<const LoneCloser> closer = std::move(lone_closer_);
    if (closer == nullptr) {
        return;
    }
    settlement_.end_thinking(closer->candidates);
    if (!shows_thinking_) {
        sink_->withdraw();
        sink_->thinking(closer->mark);
        narrative_.restart();
        wrappers_.restart();
        notices_ = 0;
    }
    notice(Notice::Kind::kStrayTag, closer->name, closer->at, closer->at + closer->mark.size());
}

void Events::emit(Output& output, bool tagged) {
    // A block of commands ends the thought, also an empty one: nothing changes.
    if (!output.proposals.empty() || tagged) {
        withdraw_thought();
    }
    if (output.has_text) {
        const std::string words =
            text::is_valid(output.text) ? output.text : text::repair(output.text);
        if (words.find('<') == std::string::npos && words.find("【") == std::string::npos) {
            text(words);
        } else {
            // Thinking inside it is hidden; nothing in it is a command.
            Options plain;
            plain.dialects = {};
            plain.show_thinking = shows_thinking_;
            const Reading reading = read(words, plain);
            text(reading.text);
            output.thinking += reading.thinking;
        }
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
    if (lone_closer_ != nullptr) {  // nothing followed: it closes nothing
        notice(Notice::Kind::kStrayTag, lone_closer_->name, lone_closer_->at,
               lone_closer_->at + lone_closer_->mark.size());
    }
    settlement_.settle(*sink_);
}

}  // namespace arbiter::reader::internal
