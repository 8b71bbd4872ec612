// Goal: what was acknowledged is on disk whatever happens to the process, and damage to the file is
// seen and named.
// Method: a child that plays and tells what was acknowledged is killed at random moments; bits of
// the file are flipped.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <mutex>

#include "ledger/committer.h"
#include "tests/ledger/support.h"

namespace arbiter::ledger {
namespace {

constexpr std::size_t kBusy = 64;

std::string busy_id(std::size_t i) {
    return "campaign-" + std::to_string(i);
}

// Plays all campaigns for ever, each as fast as it is acknowledged, and writes which one was.
[[noreturn]] void play_for_ever(const std::string& url, int out, std::uint64_t seed) {
    const auto store = open_store(url).value();
    std::vector<Campaign> campaigns;
    for (std::size_t i = 0; i < kBusy; ++i) {
        campaigns.push_back(Campaign::open(*store, busy_id(i)).value());
    }
    std::vector<PreparedTurn> prepared(kBusy);
    tests::Random random(seed);
    std::mutex lock;
    std::condition_variable some;
    std::vector<std::size_t> acknowledged;
    Committer committer(*store);
    const auto go_on = [&](std::size_t i) {
        prepared[i] = prepare(campaigns[i], some_reply(random));
        committer.commit(prepared[i].commit, [&, i](const base::Result<>& kept) {
            if (!kept) {
                _exit(1);
            }
            const std::scoped_lock locked(lock);
            acknowledged.push_back(i);
            some.notify_one();
        });
    };
    for (std::size_t i = 0; i < kBusy; ++i) {
        go_on(i);
    }
    while (true) {
        std::vector<std::size_t> now;
        {
            std::unique_lock locked(lock);
            some.wait(locked, [&] { return !acknowledged.empty(); });
            now.swap(acknowledged);
        }
        for (const std::size_t i : now) {
            const std::string line = static_cast<char>(i) + std::string(prepared[i].id.view());
            if (write(out, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
                _exit(1);
            }
            campaigns[i].accept(std::move(prepared[i]));
            go_on(i);
        }
    }
}

// F2: 500 kills with ARBITER_FULL, else as many as there is time for. Where memory or threads are
// watched, everything takes several times as long, and a kill shows nothing that it does not show
// elsewhere.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define ARBITER_IS_WATCHED
#endif
#endif
std::size_t kills_wanted() {
#ifdef ARBITER_IS_WATCHED
    return 30;
#else
    return std::getenv("ARBITER_FULL") != nullptr ? 500 : 30;
#endif
}

TEST(Durability, KilledAtAnyMomentUnder64CampaignsNothingAcknowledgedIsLost) {
    const Folder folder;
    const std::string url = "sqlite:" + folder.file("a.db");
    const std::size_t kills = kills_wanted();
    std::vector<TurnId> last;
    {
        const auto store = open_store(url).value();
        for (std::size_t i = 0; i < kBusy; ++i) {
            last.push_back(Campaign::begin(*store, beginning(busy_id(i)))->head());
        }
    }
    tests::Random random(41);
    std::size_t acknowledged = 0;
    for (std::size_t kill_number = 0; kill_number < kills; ++kill_number) {
        int ends[2];
        ASSERT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            close(ends[0]);
            play_for_ever(url, ends[1], kill_number);
        }
        close(ends[1]);
        // At the soonest when something was acknowledged.
        std::string told;
        char buffer[4096];
        const ssize_t first = read(ends[0], buffer, sizeof buffer);
        ASSERT_GT(first, 0);
        told.append(buffer, static_cast<std::size_t>(first));
        usleep(static_cast<useconds_t>(random.below(20'000)));
        kill(child, SIGKILL);
        for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;) {
            told.append(buffer, static_cast<std::size_t>(got));
        }
        close(ends[0]);
        waitpid(child, nullptr, 0);
        for (std::size_t at = 0; at + 33 <= told.size(); at += 33) {
            last[static_cast<std::size_t>(told[at])] =
                Digest::from_bytes(std::string_view(told).substr(at + 1, 32)).value();
            ++acknowledged;
        }
        // Opens without any repair. Of each campaign there is the last turn that was acknowledged,
        // and at most the one after it.
        const auto store = open_store(url).value();
        for (std::size_t i = 0; i < kBusy; ++i) {
            const TurnId head = store->campaign(busy_id(i))->head.value();
            const auto row = store->turn(busy_id(i), head).value().value();
            ASSERT_TRUE(head == last[i] || row.parent == last[i])
                << busy_id(i) << " after kill " << kill_number;
            last[i] = head;
        }
    }
    EXPECT_GE(acknowledged, kills);
    const auto store = open_store(url).value();
    EXPECT_TRUE(store->check()->empty());
    for (std::size_t i = 0; i < kBusy; ++i) {
        const Campaign campaign = Campaign::open(*store, busy_id(i)).value();
        EXPECT_TRUE(verify(campaign)->defects.empty());
        EXPECT_EQ(campaign.line_to(campaign.head())->size(), campaign.turns()->size());
        if (i % 16 == 0) {
            EXPECT_TRUE(rebuild(campaign, step_under(world_rules()))->defects.empty());
        }
    }
}

TEST(Durability, FlippedBitsAreFound) {
    const Folder folder;
    const std::string file = folder.file("a.db");
    {
        const auto store = open_store("sqlite:" + file).value();
        Campaign campaign = Campaign::begin(*store, beginning("c")).value();
        tests::Random random(43);
        for (int i = 0; i < 40; ++i) {
            ASSERT_TRUE(say(campaign, some_reply(random)));
        }
    }
    std::ifstream in(file, std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    ASSERT_FALSE(std::filesystem::exists(file + "-wal"));
    // The history of the intact file.
    const auto history = [](const std::string& path) -> std::string {
        const auto store = open_store("sqlite:" + path);
        if (!store) {
            return "unreadable";
        }
        const auto campaign = Campaign::open(**store, "c");
        if (!campaign) {
            return "unreadable";
        }
        const auto wrong = (*store)->check();
        const auto report = verify(*campaign);
        if (!wrong || !wrong->empty() || !report || !report->defects.empty()) {
            return "damaged";
        }
        return campaign->head().hex() + " " + std::to_string(report->turns);
    };
    const std::string sound = history(file);
    tests::Random random(47);
    std::size_t found = 0;
    for (int i = 0; i < 150; ++i) {
        std::string damaged = whole;
        damaged[random.below(damaged.size())] ^= static_cast<char>(1 << random.below(8));
        const std::string copy = folder.file("copy.db");
        std::ofstream(copy, std::ios::binary) << damaged;
        const std::string said = history(copy);
        // A bit in a part of the file that holds nothing does no harm; everything else is seen.
        EXPECT_TRUE(said == sound || said == "damaged" || said == "unreadable") << said;
        found += said == sound ? 0U : 1U;
        std::filesystem::remove(copy);
    }
    EXPECT_GT(found, 30U);
}

TEST(Durability, NoRoomOnTheDiskChangesNothing) {
    // A file that may not grow: the pages of SQLite are limited instead of the disk.
    const Folder folder;
    const std::string file = folder.file("a.db");
    const auto store = open_store("sqlite:" + file).value();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    ASSERT_TRUE(say(campaign, "一。"));
    const TurnId before = campaign.head();
    struct rlimit limit = {};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlim_t usual = limit.rlim_cur;
    std::signal(SIGXFSZ, SIG_IGN);
    limit.rlim_cur = 1;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const auto refused = say(campaign, "二。");
    limit.rlim_cur = usual;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
    EXPECT_FALSE(refused);
    // Reading goes on.
    EXPECT_EQ(campaign.head(), before);
    EXPECT_TRUE(campaign.state_at(before));
    const auto again = open_store("sqlite:" + file).value();
    EXPECT_EQ(Campaign::open(*again, "c")->head(), before);
}

}  // namespace
}  // namespace arbiter::ledger
