// Goal: the place that a client's history leads to (spec HTTP.md, "Semantics of chats behind the
// gateway", 1 and 3 to 8). Method: small trees by hand, and in chat_model_test.cpp random chats
// against a model of a client that knows the truth.
#include "chat/alignment.h"

#include <gtest/gtest.h>

namespace arbiter::chat {
namespace {

class AlignmentTest : public ::testing::Test {
  protected:
    AlignmentTest() { tree_.add_other("start", ""); }

    void reply(std::string id, std::string parent, std::string said, std::string text) {
        tree_.add({id, std::move(parent), std::move(said), std::move(text)});
    }
    // The turn that the history leads to.
    std::string place(std::vector<HistoryReply> replies, const AlignmentOptions& options = {}) {
        History history;
        history.replies = std::move(replies);
        result_ = align(tree_, split_joined(std::move(history), tree_), options);
        return tree_.node(result_.node).position;
    }

    ReplyTree tree_;
    Alignment result_;
};

TEST_F(AlignmentTest, AnEmptyHistoryIsTheBeginning) {
    reply("a", "start", "hi", "Hello there.");
    EXPECT_EQ(place({}), "start");
}

TEST_F(AlignmentTest, FollowsTextsAndEditsAfterThem) {
    reply("a", "start", "hi", "Hello there.");
    reply("b", "a", "go on", "You walk to the market.");
    tree_.add_other("edit", "b");
    EXPECT_EQ(place({{"Hello there.", "hi"}}), "a");
    EXPECT_EQ(place({{"Hello there.", "hi"}, {"You walk to the market.\n", "go on"}}), "edit");
}

// Rule 5: among swipes the edited one is found by likeness, a rewritten one is the newest.
TEST_F(AlignmentTest, FindsEditedSwipes) {
    reply("one", "start", "look", "A red fox sits below the old oak and stares at you.");
    reply("two", "start", "look", "Rain falls on the empty harbour while gulls cry above.");
    EXPECT_EQ(place({{"A red fox sits below the old elm and stares at you.", "look"}}), "one");
    EXPECT_EQ(place({{"Something else entirely happened here.", "look"}}), "two");
}

// Rule 5 in the middle of a chat: the reply after it tells which swipe was rewritten.
TEST_F(AlignmentTest, ARewrittenReplyIsTheParentOfTheNext) {
    reply("one", "start", "look", "A red fox.");
    reply("two", "start", "look", "Rain falls.");
    reply("next", "one", "wait", "The fox runs away.");
    EXPECT_EQ(place({{"Totally different words now.", "peek"}, {"The fox runs away.", "wait"}}),
              "next");
}

TEST_F(AlignmentTest, TheHeadMayBeCutOff) {
    reply("a", "start", "one", "First answer.");
    reply("b", "a", "two", "Second answer.");
    reply("c", "b", "three", "Third answer.");
    EXPECT_EQ(place({{"Third answer.", "three"}}), "c");
    EXPECT_EQ(place({{"Second answer.", ""}, {"Third answer.", "three"}}), "c");
    EXPECT_TRUE(result_.adoptions.empty());
}

// The same reply again and again: the words of the player tell them apart.
TEST_F(AlignmentTest, RepeatedTextsAreToldApartByTheWordsBeforeThem) {
    reply("a", "start", "one", "Fine.");
    reply("b", "a", "two", "Fine.");
    reply("c", "b", "three", "Fine.");
    EXPECT_EQ(place({{"Fine.", "one"}}), "a");
    EXPECT_EQ(place({{"Fine.", "two"}}), "b");
    EXPECT_EQ(place({{"Fine.", ""}, {"Fine.", "three"}}), "c");
    EXPECT_EQ(place({{"Fine.", "one"}, {"Fine.", "two"}, {"Fine.", "three"}}), "c");
}

TEST_F(AlignmentTest, TiesGoToTheNewest) {
    reply("a", "start", "one", "Fine.");
    reply("b", "start", "one", "Fine.");
    EXPECT_EQ(place({{"Fine.", "one"}}), "b");
    AlignmentOptions options;
    options.swipe = 1;
    EXPECT_EQ(place({{"Fine.", "one"}}, options), "a");
}

// Rule 3: an aborted reply is recognised by its beginning.
TEST_F(AlignmentTest, FindsAbortedRepliesByTheirBeginning) {
    reply("whole", "start", "open", "The door stays shut for now, whatever you try.");
    tree_.add({"cut", "start", "open", "The door creaks and behind it you s", {}, true});
    EXPECT_EQ(place({{"The door creaks and", "open"}}), "cut");
    EXPECT_EQ(place({{"The door creaks and behind it you s", "open"}}), "cut");
}

// Rule 4: a continuation is the same message, longer.
TEST_F(AlignmentTest, AContinuedReplyIsOneMessage) {
    reply("a", "start", "go", "You enter.");
    tree_.add({"more", "a", "", "It is dark.", {}, false, "You enter."});
    reply("b", "more", "light", "A torch burns.");
    EXPECT_EQ(place({{"You enter.", "go"}}), "a");
    EXPECT_EQ(place({{"You enter. It is dark.", "go"}}), "more");
    EXPECT_EQ(place({{"You enter.It is dark.", "go"}, {"A torch burns.", "light"}}), "b");
}

// Rule 1: the replies that survive count, in order.
TEST_F(AlignmentTest, RepeatsRepliesBehindADeletedOne) {
    reply("a", "start", "one", "First answer of them all.");
    reply("b", "a", "two", "Second thing that happens.");
    reply("c", "b", "three", "Third event of the day.");
    EXPECT_EQ(place({{"First answer of them all.", "one"}, {"Third event of the day.", "three"}}),
              "a");
    ASSERT_EQ(result_.adoptions.size(), 1U);
    EXPECT_EQ(tree_.node(*result_.adoptions[0].source).id, "c");
}

// Rule 8: foreign replies with commands become turns, the others are left out.
TEST_F(AlignmentTest, AdoptsForeignRepliesWithCommands) {
    AlignmentOptions options;
    options.reads_commands = true;
    EXPECT_EQ(place({{"Hello.", ""}, {"Ouch. _.set('hp', 3);", "hit me"}}, options), "start");
    ASSERT_EQ(result_.adoptions.size(), 2U);  // with the greeting
    EXPECT_EQ(result_.adoptions[1].reply, 1U);
    tree_.add({"x", "start", "hit me", "Ouch.", "Ouch. _.set('hp', 3);"});
    EXPECT_EQ(place({{"Hello.", ""}, {"Ouch. _.set('hp', 3);", "hit me"}}, options), "x");
    EXPECT_TRUE(result_.adoptions.empty());
}

// A client that is sent the blocks of replies (chat.passthrough_blocks) sends them back.
TEST_F(AlignmentTest, RepliesWithTheirBlocksAreFoundAlsoWhenTheirWordsAreEdited) {
    AlignmentOptions options;
    options.reads_commands = true;
    const std::string words = "A red fox sits below the old oak and stares at you.";
    const std::string set = "\n<UpdateVariable>_.set('hp', 3);//x</UpdateVariable>";
    // As it was sent, and as the ledger has it.
    tree_.add({"sent", "start", "look", words + set});
    tree_.add({"read", "sent", "wait", "It runs away.", "<think>Hm.</think>It runs away." + set});
    EXPECT_EQ(place({{words + set, "look"}, {"It runs away." + set, "wait"}}, options), "read");
    EXPECT_EQ(place({{words, "look"}, {"It runs away.", "wait"}}, options), "read");
    EXPECT_TRUE(result_.adoptions.empty());
    const std::string edited = "A red fox sits below the old elm and stares at you.";
    EXPECT_EQ(place({{edited + set, "look"}}, options), "sent");
    EXPECT_TRUE(result_.adoptions.empty());
    // Other commands count instead of its own.
    const std::string other = "\n<UpdateVariable>_.set('hp', 9);//x</UpdateVariable>";
    EXPECT_EQ(place({{words + other, "look"}}, options), "start");
    ASSERT_EQ(result_.adoptions.size(), 1U);
    EXPECT_FALSE(result_.adoptions[0].source);
}

// Rule 3 with blocks: a block that was complete when the reply was stopped counts for nothing.
TEST_F(AlignmentTest, AStoppedReplyWithABlockIsNotReplayed) {
    AlignmentOptions options;
    options.reads_commands = true;
    const std::string sent = "<UpdateVariable>_.set('hp', 3);//x</UpdateVariable>The door cre";
    tree_.add({"cut", "start", "open", sent, {}, true});
    EXPECT_EQ(place({{sent, "open"}}, options), "cut");
    EXPECT_EQ(place({{sent.substr(0, sent.size() - 5), "open"}}, options), "cut");
    EXPECT_TRUE(result_.adoptions.empty());
}

TEST_F(AlignmentTest, NamesAndInjectedMessagesDoNotDisturb) {
    reply("a", "start", "one", "First answer.");
    reply("b", "a", "two", "Second answer.");
    EXPECT_EQ(place({{"Alice: First answer.", "Bob: one"},
                     {"[Note: it is winter.]", ""},
                     {"Alice： Second answer.", "Bob: two"}}),
              "b");
}

TEST_F(AlignmentTest, SplitsJoinedMessages) {
    reply("a", "start", "one", "First answer.\n\nWith two lines.");
    reply("b", "a", "", "Second speaker.");
    EXPECT_EQ(place({{"First answer.\n\nWith two lines.\n\nSecond speaker.", "one"}}), "b");
    History all;
    all.said =
        "Card text.\n\nBob: one\n\nFirst answer.\n\nWith two lines.\n\nSecond speaker.\n\nand?";
    const History split = split_joined(all, tree_);
    ASSERT_EQ(split.replies.size(), 2U);
    EXPECT_EQ(split.said, "and?");
    EXPECT_EQ(tree_.node(align(tree_, split).node).position, "b");
}

// A tree of replies that are all alike, and a history of that length: the work stays linear.
TEST_F(AlignmentTest, ManyEqualRepliesAreNoBurden) {
    std::string parent = "start";
    std::vector<HistoryReply> replies;
    for (int i = 0; i < 3000; ++i) {
        const std::string id = "t" + std::to_string(i);
        reply(id, parent, "go", "Fine.");
        parent = id;
        replies.push_back({"Fine.", "go"});
    }
    EXPECT_EQ(place(replies), "t2999");
}

}  // namespace
}  // namespace arbiter::chat
