// Goal: the kind of a request shows in its shape (spec HTTP.md, rule 7), and the history is read
// from it whatever stands around it.
#include "chat/history.h"

#include <gtest/gtest.h>

namespace arbiter::chat {
namespace {

using prompt::Message;
using prompt::Role;

std::vector<Message> chat(std::vector<std::pair<Role, std::string>> lines) {
    std::vector<Message> messages;
    for (const auto& [role, text] : lines) {
        messages.push_back({role, value::Str(text)});
    }
    return messages;
}

constexpr Role kSystem = Role::kSystem;
constexpr Role kUser = Role::kUser;
constexpr Role kReply = Role::kAssistant;

Generation kind(std::vector<std::pair<Role, std::string>> lines) {
    return read_history(chat(std::move(lines))).generation;
}

TEST(History, ThePlayersWordsStandBeforeEachReply) {
    const History history = read_history(chat({{kSystem, "card"},
                                               {kReply, "Welcome."},
                                               {kUser, "one"},
                                               {kSystem, "lore"},
                                               {kUser, "two"},
                                               {kReply, "Answer."},
                                               {kUser, "three"},
                                               {kSystem, "Write well."}}));
    ASSERT_EQ(history.replies.size(), 2U);
    EXPECT_EQ(history.replies[0].said, "");
    EXPECT_EQ(history.replies[1].said, "one\ntwo");
    EXPECT_EQ(history.said, "three");
    EXPECT_EQ(history.generation, Generation::kNormal);
}

TEST(History, TheKindShowsInTheShape) {
    const std::string nudge =
        "[Continue your last message without repeating its original content.]";
    EXPECT_EQ(kind({{kUser, "a"}}), Generation::kNormal);
    EXPECT_EQ(kind({{kUser, "a"}, {kSystem, "Write well."}}), Generation::kNormal);
    EXPECT_EQ(kind({{kUser, "a"}, {kReply, "b"}, {kSystem, nudge}}), Generation::kContinue);
    EXPECT_EQ(kind({{kUser, "a"}, {kReply, "b"}, {kUser, nudge}}), Generation::kContinue);
    EXPECT_EQ(kind({{kUser, "a"}, {kReply, "b"}}), Generation::kContinue);
    EXPECT_EQ(kind({{kReply, "b"}, {kSystem, "[Write the next reply only as Bob.]"}}),
              Generation::kNormal);
    EXPECT_EQ(kind({{kReply, "b"}, {kSystem, "Summarise the story."}}), Generation::kQuiet);
}

// Clients join messages of one role, and those of all roles into one of the user.
TEST(History, AnInstructionJoinedToTheWordsIsNotPartOfThem) {
    const History group = read_history(
        chat({{kReply, "Hi."}, {kUser, "I wait.\n\n[Write the next reply only as Bob.]"}}));
    EXPECT_EQ(group.said, "I wait.\n\n");
    EXPECT_EQ(group.generation, Generation::kNormal);

    ReplyTree tree;
    tree.add_other("start", "");
    tree.add({"a", "start", "hi", "First answer."});
    const std::string all = "You narrate.\n\nhi\n\nFirst answer.\n\n";
    const History more = split_joined(
        read_history(chat({{kUser, all + "[Continue your last message, please.]"}})), tree);
    ASSERT_EQ(more.replies.size(), 1U);
    EXPECT_EQ(more.generation, Generation::kContinue);
    const History next = split_joined(
        read_history(chat({{kUser, all + "[Write the next reply only as Bob.]"}})), tree);
    ASSERT_EQ(next.replies.size(), 1U);
    EXPECT_EQ(next.generation, Generation::kNormal);
    EXPECT_EQ(next.said.find("Write"), std::string::npos);
}

TEST(History, AReplyWithoutWordsIsOneIfTheChatWentOn) {
    const auto replies = [](std::vector<std::pair<Role, std::string>> lines) {
        return read_history(chat(std::move(lines))).replies.size();
    };
    // Such as a call of the client's tool, with its result.
    EXPECT_EQ(replies({{kUser, "a"}, {kReply, ""}, {Role::kTool, "rain"}}), 1U);
    EXPECT_EQ(replies({{kUser, "a"}, {kReply, ""}, {Role::kTool, "x"}, {kReply, ""}, {kUser, "b"}}),
              2U);
    // The words and the calls of one reply.
    EXPECT_EQ(replies({{kUser, "a"}, {kReply, "Well."}, {kReply, ""}, {Role::kTool, "rain"}}), 1U);
    EXPECT_EQ(replies({{kUser, "a"}, {kReply, "Well."}, {kSystem, "lore"}, {kReply, ""}}), 1U);
    // An empty place for the reply that is asked for.
    EXPECT_EQ(replies({{kUser, "a"}, {kReply, ""}}), 0U);
}

TEST(History, AHintDecides) {
    EXPECT_EQ(read_history(chat({{kUser, "a"}}), Generation::kQuiet).generation,
              Generation::kQuiet);
    EXPECT_EQ(find_generation("swipe"), Generation::kSwipe);
    EXPECT_EQ(find_generation(""), std::nullopt);
    EXPECT_EQ(name(Generation::kImpersonate), "impersonate");
}

}  // namespace
}  // namespace arbiter::chat
