#include "chat/reply_commands.h"

#include <algorithm>

#include "reader/reader.h"

namespace arbiter::chat {

ReplyCommands read_commands(std::string_view text) {
    reader::Reading reading = reader::read(text);
    ReplyCommands read;
    std::string all;
    for (const proposal::Proposal& each : reading.proposals) {
        const std::size_t begin = std::min(each.span.begin, text.size());
        read.texts.emplace_back(text.substr(begin, each.span.end - begin));
        all += read.texts.back();
    }
    if (!reading.proposals.empty()) {
        read.key = PlainText(all).key();
    }
    read.has_thinking = !reading.thinking.empty();
    read.narrative = std::move(reading.text);
    return read;
}

std::string without_thinking(std::string_view text) {
    reader::Options options;
    options.dialects = {};
    return reader::read(text, options).text;
}

}  // namespace arbiter::chat
