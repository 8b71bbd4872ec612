// ChatFile: a chat as SillyTavern stores it (.jsonl): a header, then one message a line.
//
// Every member of the lines is kept, so that a file that is read and written again means the same.
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::chat {

// A message, as members that are read. Swipes are the versions of one message; a message without
// them has one.
struct FileMessage {
    value::Object whole;  // all members, as they were written
    bool is_user = false;
    bool is_hidden = false;  // is_system: not part of the story
    std::string text;        // mes, of the version that is shown
    std::vector<std::string> swipes;
    std::size_t swipe = 0;  // the version that is shown
    // The state after each version, as MVU keeps it (stat_data …); null: none.
    std::vector<value::Value> variables;
};

struct ChatFile {
    value::Object header;  // empty: the file has none
    std::vector<FileMessage> messages;
};

// Fails with the error of a line, at its place: not JSON, not an object (kFieldType), or without
// `mes` (kFieldMissing). Blank lines are passed over; a file without messages is not a chat.
base::Result<ChatFile> parse_chat_file(std::string_view text);

// The message of a line. `object` has a text member `mes`.
FileMessage file_message(value::Object object);

// The lines of a file.
std::string print_chat_file(const value::Object& header,
                            const std::vector<value::Object>& messages);

}  // namespace arbiter::chat
