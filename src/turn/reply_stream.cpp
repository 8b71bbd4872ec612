#include "turn/reply_stream.h"

#include "table/summary.h"
#include "turn/rounds.h"

namespace arbiter::turn {
namespace {

reader::Options block_options(const reader::Options& options) {
    reader::Options made;
    made.dialects = {};
    made.show_thinking = options.show_thinking;
    for (const reader::TagHint& hint : options.hints) {
        const bool is_hidden = hint.meaning == reader::TagMeaning::kIgnore ||
                               (hint.meaning == reader::TagMeaning::kComponent &&
                                (hint.hidden || hint.tag == table::kSummaryTag));
        if (is_hidden || hint.meaning == reader::TagMeaning::kDisplay) {
            made.hints.push_back(hint);
        }
    }
    return made;
}

}  // namespace

std::string with_blocks(const std::vector<std::string>& rounds, const reader::Options& options) {
    std::string text;
    for (const std::string& round : rounds) {
        const std::string more = reader::read(round, block_options(options)).text;
        text += (text.empty() || more.empty() ? "" : std::string(kBetweenRounds)) + more;
    }
    return text;
}

void ReplyStream::keep_blocks(const reader::Options& options) {
    blocks_ = std::make_unique<reader::Collector>(block_options(options));
}

std::string_view ReplyStream::feed(std::string_view bytes) {
    const std::string_view narrative = narrative_.feed(bytes);
    return blocks_ != nullptr ? blocks_->feed(bytes) : narrative;
}

ReplyStream::Reply ReplyStream::finish() {
    Reply reply;
    reply.reading = narrative_.finish();
    reply.shown = blocks_ != nullptr ? blocks_->finish().text : reply.reading.text;
    return reply;
}

}  // namespace arbiter::turn
