// Goal: the replies of a campaign are read from the store once. Method: a store that counts the
// rows that are read, and chats that grow by replies of this server, by edits and by another
// process.
#include "server/gateway.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "campaign/create.h"
#include "campaign/session.h"
#include "config/rulebooks.h"
#include "ledger/forwarding_store.h"
#include "server/chat_records.h"

namespace arbiter::server {
namespace {

class CountingStore final : public ledger::ForwardingStore {
  public:
    using ForwardingStore::ForwardingStore;

    base::Result<> visit_turns(std::string_view campaign,
                               const std::optional<ledger::TurnId>& after,
                               const std::function<bool(const ledger::TurnRow&)>& each) override {
        return inner_.visit_turns(campaign, after, [&](const ledger::TurnRow& row) {
            ++rows_read;
            return each(row);
        });
    }

    std::size_t rows_read = 0;
};

class GatewayTest : public testing::Test {
  protected:
    GatewayTest() {
        campaign::CampaignSetup setup;
        setup.id = setup.name = "c";
        setup.world = config::load_world("auto").value();
        std::vector<base::Error> warnings;
        EXPECT_TRUE(campaign::create_campaign(store, std::move(setup), options(), warnings));
        session = campaign::Session::open(store, "c", options()).value();
    }
    ~GatewayTest() override { std::filesystem::remove_all(folder); }
    static campaign::SessionOptions options() {
        return campaign::SessionOptions{config::Protocols()};
    }
    // A turn as a chat makes it; its reply is handed over if `is_added`.
    void reply(campaign::Session& to, const std::string& said, const std::string& text,
               bool is_added) {
        const ledger::TurnId parent = to.head();
        turn::SuppliedReply supplied;
        supplied.said = said;
        supplied.text = text;
        ASSERT_TRUE(to.apply(std::move(supplied)));
        if (is_added) {
            gateway.add("c", {to.head().hex(), parent.hex(), said, text});
        }
    }
    // The place of a chat that ends in this reply, and the rows that were read for it.
    std::pair<std::string, std::size_t> locate(const std::string& said, const std::string& text) {
        chat::History history;
        history.replies.push_back({text, said});
        history.said = "next";
        store.rows_read = 0;
        const auto place =
            gateway.locate("c", session->head().hex(), false, std::move(history), {});
        return {place ? place->turn : std::string(), store.rows_read};
    }

    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("arbiter-gateway-" + std::to_string(getpid()));
    std::unique_ptr<ledger::Store> inner = [this] {
        std::filesystem::create_directory(folder);
        return ledger::open_store("sqlite:" + (folder / "a.db").string()).value();
    }();
    CountingStore store{*inner};
    std::unique_ptr<campaign::Session> session;
    Gateway gateway{store, {}};
};

TEST_F(GatewayTest, AReplyThatWasSentIsNotReadAgain) {
    reply(*session, "one", "First reply.", false);
    EXPECT_EQ(locate("one", "First reply."), std::pair(session->head().hex(), std::size_t{2}));
    for (const std::string number : {"two", "three"}) {
        reply(*session, number, "The reply to " + number + ".", true);
        EXPECT_EQ(locate(number, "The reply to " + number + "."),
                  std::pair(session->head().hex(), std::size_t{0}));
    }
    // A turn that was not handed over is read, and the next one is known again.
    reply(*session, "four", "From elsewhere.", false);
    EXPECT_EQ(locate("four", "From elsewhere."), std::pair(session->head().hex(), std::size_t{1}));
    reply(*session, "five", "And here.", true);
    EXPECT_EQ(locate("five", "And here."), std::pair(session->head().hex(), std::size_t{0}));
    // Two commits: the reply alone is not all that is new.
    ASSERT_TRUE(keep_reply(*session, {{}, {}, "six", "A reply of the client."}, 0));
    reply(*session, "seven", "Behind it.", true);
    EXPECT_EQ(locate("six", "A reply of the client.").first,
              session->campaign().record(session->head())->parent->hex());
}

// Of another process everything is read, whatever was handed over here.
TEST_F(GatewayTest, ATurnOfAnotherProcessIsRead) {
    reply(*session, "one", "First reply.", true);
    EXPECT_FALSE(locate("one", "First reply.").first.empty());
    const auto theirs = ledger::open_store("sqlite:" + (folder / "a.db").string()).value();
    const auto other = campaign::Session::open(*theirs, "c", options()).value();
    reply(*other, "two", "Their reply.", false);
    ASSERT_TRUE(session->refresh().value());
    reply(*session, "three", "Our reply.", true);
    EXPECT_EQ(locate("two", "Their reply.").first, other->head().hex());
}

}  // namespace
}  // namespace arbiter::server
