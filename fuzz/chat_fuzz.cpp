// Any request of a chat client, and any chat file: refused with an error, or read within its
// limits. A chat whose replies are stored leads to the last of them, also when its head is cut off.
// A chat file that is written again means the same.
//
// Input: the body of a request, a zero byte, the lines of a chat file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/messages.h"
#include "chat/alignment.h"
#include "chat/chat_file.h"
#include "chat/client_request.h"
#include "value/json.h"

using namespace arbiter;

namespace {

// A tree of the replies of a file, and the check of what was read.
chat::ReplyTree read_file(std::string_view text) {
    chat::ReplyTree tree;
    tree.add_other("start", "");
    const auto file = chat::parse_chat_file(text);
    if (!file) {
        CHECK(file.error().place && file.error().place->offset <= text.size());
        CHECK(!base::explain(file.error(), base::Language::kChinese).empty());
        return tree;
    }
    std::vector<value::Object> lines;
    std::string parent = "start";
    std::string said;
    for (const chat::FileMessage& each : file->messages) {
        CHECK(each.swipe < each.swipes.size() && each.variables.size() == each.swipes.size());
        lines.push_back(each.whole);
        if (each.is_user) {
            chat::join_said(said, each.text);
            continue;
        }
        std::string shown;
        for (std::size_t i = 0; i < each.swipes.size(); ++i) {
            const std::string id = std::to_string(lines.size()) + "." + std::to_string(i);
            tree.add({id, parent, said, chat::history_reply(each.swipes[i], {}).text});
            shown = i == each.swipe ? id : shown;
        }
        parent = shown;
        said.clear();
    }
    const auto again = chat::parse_chat_file(chat::print_chat_file(file->header, lines));
    CHECK(again && again->messages.size() == lines.size());
    CHECK(value::Value(again->header) == value::Value(file->header));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        CHECK(value::Value(again->messages[i].whole) == value::Value(lines[i]));
    }
    return tree;
}

void check(const chat::Alignment& found, const chat::ReplyTree& tree, std::size_t replies) {
    CHECK(found.node < tree.size() && found.found <= replies);
    CHECK(found.adoptions.size() <= replies);
    for (const chat::Adoption& each : found.adoptions) {
        CHECK(!each.source || *each.source < tree.size());
    }
}

// The replies of a history as one chat: it leads to its end.
void store_and_find(const chat::History& history) {
    chat::ReplyTree tree;
    tree.add_other("start", "");
    std::string parent = "start";
    for (std::size_t i = 0; i < history.replies.size(); ++i) {
        const std::string id = "t" + std::to_string(i);
        tree.add({id, parent, history.replies[i].said, history.replies[i].text});
        parent = id;
    }
    chat::AlignmentOptions options;
    options.reads_commands = true;
    const chat::Alignment found = chat::align(tree, history, options);
    CHECK(tree.node(found.node).position == parent && found.adoptions.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view data(reinterpret_cast<const char*>(bytes), size);
    const std::size_t end = std::min(data.find('\0'), data.size());
    const chat::ReplyTree tree = read_file(data.substr(std::min(end + 1, data.size())));
    const auto body = value::parse_json(data.substr(0, end));
    const auto request = body ? chat::parse_client_request(*body) : std::unexpected(body.error());
    if (!request) {
        return 0;
    }
    const chat::History history = chat::read_history(request->messages, request->hints->generation);
    store_and_find(history);
    const chat::History split = chat::split_joined(history, tree);
    chat::AlignmentOptions options;
    options.reads_commands = true;
    options.messages = chat::messages_before(*request->hints, history.generation);
    options.swipe = request->hints->swipe;
    check(chat::align(tree, split, options), tree, split.replies.size());
    return 0;
}
