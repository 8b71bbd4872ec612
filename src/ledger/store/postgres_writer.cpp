#include "ledger/store/postgres_writer.h"

#include <algorithm>
#include <charconv>
#include <random>
#include <thread>

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

using Clock = std::chrono::steady_clock;

// Writers wait for the disk, not for the processor: more connections than this gain nothing.
constexpr std::size_t kWritersMax = 4;
// Bytes of a NOTIFY's payload; PostgreSQL takes less than 8000.
constexpr std::size_t kPayloadMax = 7900;
// Between two looks at whether a session has ended.
constexpr std::chrono::milliseconds kEndingPause(2);

// The default of the session decides whether it may write: an administrator may have set it.
constexpr Statement kBegin = {"begin", "BEGIN ISOLATION LEVEL READ COMMITTED"};
constexpr Statement kCommit = {"commit", "COMMIT"};
constexpr Statement kDrop = {
    "drop the state", "DELETE FROM keyframes WHERE campaign = $1::text AND turn = $2::bytea"};
constexpr Statement kCall = {"notify", "SELECT pg_notify('arbiter_heads', $1::text)"};

// Whether a commit was kept: no row when there is no such campaign.
constexpr Statement kTrace = {
    "look for the commit",
    "SELECT (c.mark = $2::int8 OR EXISTS (SELECT FROM turns t WHERE t.campaign = $1::text AND "
    "t.id = $3::bytea AND t.mark = $2::int8) OR EXISTS (SELECT FROM checkpoints p WHERE "
    "p.campaign = $1::text AND p.mark = $2::int8))::int::int8 "
    "FROM campaigns c WHERE c.campaign = $1::text"};
// The same, and when the transaction around it is kept, so is all that was seen in it, on the
// standbys too that are waited for.
constexpr Statement kTraceFirmly = {
    "look for the commit again",
    "SELECT (c.mark = $2::int8 OR EXISTS (SELECT FROM turns t WHERE t.campaign = $1::text AND "
    "t.id = $3::bytea AND t.mark = $2::int8) OR EXISTS (SELECT FROM checkpoints p WHERE "
    "p.campaign = $1::text AND p.mark = $2::int8))::int::int8 "
    "FROM campaigns c WHERE c.campaign = $1::text FOR UPDATE"};
// Gives a row as long as the session is there.
constexpr Statement kEnd = {
    "end the session",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1::int8 AND "
    "(extract(epoch FROM backend_start) * 1000000)::int8 = $2::int8"};

void send_trace(Connection& connection, const Statement& statement, const Commit& commit,
                std::int64_t mark) {
    Arguments arguments;
    arguments.text(commit.campaign).number(mark);
    connection.send(statement, arguments.digest_or_null(
                                   commit.turns.empty() ? std::optional<TurnId>()
                                                        : std::optional(commit.turns.front().id)));
}

bool is_found(const Rows& rows) {
    return rows.size() == 1 && rows.number(0, 0).value_or(0) != 0;
}

// Where the trouble lies with all writing, and not with what one commit wants to write.
bool is_of_the_store(const base::Error& error) {
    return error.code == ErrorCode::kStoreFull || error.code == ErrorCode::kStoreRefuses;
}

std::vector<const Statement*> all_statements() {
    std::vector<const Statement*> all = {&kBegin, &kCommit,      &kDrop, &kCall,
                                         &kTrace, &kTraceFirmly, &kEnd};
    all.insert(all.end(), batch_statements().begin(), batch_statements().end());
    return all;
}

std::string hex_of(std::uint64_t number) {
    std::string text(16, '0');
    for (std::size_t i = 0; i < text.size(); ++i) {
        text[i] = "0123456789abcdef"[(number >> (60 - 4 * i)) & 0xF];
    }
    return text;
}

}  // namespace

std::string draw_name() {
    std::random_device device;
    return hex_of((static_cast<std::uint64_t>(device()) << 32) | device());
}

// ---- calling

std::vector<std::string> campaigns_called(const Caller& self, std::string_view payload) {
    std::vector<std::string> campaigns;
    if (payload.size() < 32 || payload.substr(0, 16) == self.store ||
        payload.substr(16, 16) != self.schema) {
        return campaigns;
    }
    payload.remove_prefix(32);
    while (!payload.empty()) {
        std::size_t length = 0;
        const char* const last = payload.data() + payload.size();
        const auto [end, error] = std::from_chars(payload.data(), last, length);
        if (error != std::errc() || end == last || *end != ':' ||
            static_cast<std::size_t>(last - end - 1) < length) {
            break;  // of somebody who speaks otherwise
        }
        campaigns.emplace_back(end + 1, length);
        payload = std::string_view(end + 1 + length, last);
    }
    return campaigns;
}

namespace {

// After the commit and not in it: a transaction that calls is not written to disk together with
// those of other servers.
template <typename Opens>
void send_calls(Connection& connection, const Opens& open, const Caller& self) {
    std::string payload = self.store + self.schema;
    const std::size_t empty = payload.size();
    const std::string* last = nullptr;
    for (const auto& each : open) {
        const std::string& campaign = each.commit->campaign;
        if (!each.commit->head || (last != nullptr && *last == campaign)) {
            continue;
        }
        last = &campaign;
        const std::string name = std::to_string(campaign.size()) + ":" + campaign;
        if (payload.size() + name.size() > kPayloadMax && payload.size() > empty) {
            connection.send(kCall, Arguments().text(payload));
            payload.resize(empty);
        }
        if (payload.size() + name.size() <= kPayloadMax) {
            payload += name;
        }
    }
    if (payload.size() > empty) {
        connection.send(kCall, Arguments().text(payload));
    }
}

}  // namespace

// ---- writing

PostgresWriter::PostgresWriter(const Target& target, Caller self,
                               std::chrono::milliseconds patience)
    : pool_(target, all_statements(), kWritersMax),
      self_(std::move(self)),
      patience_(patience),
      seed_((static_cast<std::uint64_t>(std::random_device{}()) << 32) | std::random_device{}()) {}

// Scattered over all numbers, so that no two stores draw the same for one campaign.
std::int64_t PostgresWriter::next_mark() {
    std::uint64_t mixed = seed_ + ++drawn_ * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<std::int64_t>(mixed ^ (mixed >> 31));
}

std::vector<Result<>> PostgresWriter::write(std::span<const Commit> commits) {
    std::vector<Result<>> results(commits.size());
    Opens open;
    for (std::size_t i = 0; i < commits.size(); ++i) {
        const Commit& commit = commits[i];
        if (commit.create && commit.head && commit.head->from != commit.create->head) {
            results[i] = base::fail(ErrorCode::kHeadMoved, {commit.campaign});
            continue;
        }
        open.push_back({&commit, &results[i], next_mark()});
    }
    // Whoever locks several campaigns does it in the same order: so nobody waits in a circle.
    // Commits to the same one stay in the order in which they came.
    std::ranges::sort(open, {}, [](const Open& each) {
        return std::pair(std::string_view(each.commit->campaign), each.commit);
    });
    write(std::move(open), {}, Clock::now() + patience_);
    return results;
}

void PostgresWriter::write(Opens open, Doubt doubt, Deadline until) {
    if (open.empty()) {
        return;
    }
    const auto fail_all = [&](const base::Error& error) {
        for (const Open& each : open) {
            *each.result = std::unexpected(error);
        }
    };
    auto lease = pool_.take(until);
    if (!lease) {
        fail_all(lease.error());
        return;
    }
    Pauses pauses;
    auto form = Batch::Form::kTogether;
    while (true) {
        auto connection = lease->connection(until);
        auto done = connection ? attempt(**connection, open, form, doubt, until)
                               : Answered<>(std::unexpected(std::move(connection).error()));
        if (done) {
            return;
        }
        const Failure& failure = done.error();
        lease->failed(failure.trouble, until);
        if (open.empty()) {
            return;  // only calling the others failed
        }
        if (failure.trouble == Trouble::kRefused) {
            if (open.size() == 1 || is_of_the_store(failure.error)) {
                fail_all(failure.error);
                return;
            }
            if (form == Batch::Form::kTogether) {
                // Perhaps only because a turn is there already.
                form = Batch::Form::kOneByOne;
                continue;
            }
            break;
        }
        if (!pauses.sleep(until)) {
            fail_all(failure.error);
            return;
        }
    }
    // Something in one of them cannot be kept: each alone, so that the others do not suffer.
    {
        const auto given_back = std::move(*lease);
    }
    for (const Open& each : open) {
        write(Opens{each}, doubt, until);
    }
}

Answered<> PostgresWriter::attempt(Connection& connection, Opens& open, Batch::Form form,
                                   Doubt& doubt, Deadline until) {
    if (!doubt.sessions.empty()) {
        if (auto ended = end_sessions(connection, doubt, until); !ended) {
            return ended;
        }
        if (auto looked = look_again(connection, open, until); !looked) {
            return looked;
        }
        doubt.sessions.clear();
        if (open.empty()) {
            return {};
        }
    }
    auto done = send_off(connection, open, form, doubt, until);
    if (!done && done.error().trouble == Trouble::kLost) {
        // What was sent may still be under way there.
        doubt.sessions.push_back(connection.session());
        doubt.ever = true;
    }
    return done;
}

Answered<> PostgresWriter::send_off(Connection& connection, Opens& open, Batch::Form form,
                                    const Doubt& doubt, Deadline until) {
    std::vector<Batch::Item> items;
    items.reserve(open.size());
    for (const Open& each : open) {
        items.push_back({each.commit, each.mark});
    }
    Batch batch(std::move(items), form);
    connection.send(kBegin);
    const std::size_t sent = 1 + batch.send(connection);
    connection.send(kCommit);
    send_calls(connection, open, self_);
    std::vector<Rows> answers;
    auto done = connection.finish(answers, until);
    // What fails after the commit was kept does not concern it.
    if (answers.size() <= sent) {
        return done;
    }
    if (answers[sent].done() != "COMMIT") {
        return std::unexpected(
            Failure{Trouble::kAgain,
                    base::Error(ErrorCode::kStoreFailed, {"commit", "the server rolled it back"})});
    }
    const auto allowed = batch.decide(std::span(answers).subspan(1));
    if (!allowed) {
        return std::unexpected(Failure{Trouble::kRefused, allowed.error()});
    }
    Opens refused;
    for (std::size_t i = 0; i < open.size(); ++i) {
        if ((*allowed)[i]) {
            *open[i].result = {};
        } else {
            refused.push_back(open[i]);
        }
    }
    open = std::move(refused);
    if (!done || open.empty()) {
        return done;
    }
    return explain(connection, open, doubt, until);
}

// Why they were refused.
Answered<> PostgresWriter::explain(Connection& connection, Opens& refused, const Doubt& doubt,
                                   Deadline until) {
    for (const Open& each : refused) {
        send_trace(connection, kTrace, *each.commit, each.mark);
    }
    const auto answers = connection.finish(until);
    if (!answers) {
        return std::unexpected(answers.error());
    }
    for (std::size_t i = 0; i < refused.size(); ++i) {
        const Rows& rows = (*answers)[i];
        const std::string& campaign = refused[i].commit->campaign;
        if (doubt.ever && is_found(rows)) {
            // An earlier try of ours was kept after we had looked for it.
            *refused[i].result = {};
        } else if (refused[i].commit->create) {
            *refused[i].result = base::fail(ErrorCode::kCampaignExists, {campaign});
        } else {
            *refused[i].result = base::fail(
                rows.size() == 0 ? ErrorCode::kCampaignUnknown : ErrorCode::kHeadMoved, {campaign});
        }
    }
    refused.clear();
    return {};
}

// A session whose connection broke may not have noticed it, and would do what it was sent at any
// time later.
Answered<> PostgresWriter::end_sessions(Connection& connection, Doubt& doubt, Deadline until) {
    for (const Connection::Session& session : doubt.sessions) {
        while (true) {
            connection.send(kEnd, Arguments().number(session.process).number(session.since));
            const auto answers = connection.finish(until);
            if (!answers) {
                if (answers.error().trouble == Trouble::kRefused && connection.settle(until)) {
                    break;  // a server that cannot: explain() sees what comes late
                }
                return std::unexpected(answers.error());
            }
            if (answers->at(0).size() == 0) {
                break;
            }
            if (Clock::now() + kEndingPause >= until) {
                return std::unexpected(Failure{
                    Trouble::kLost, base::Error(ErrorCode::kStoreFailed,
                                                {"commit", "an earlier session does not end"})});
            }
            std::this_thread::sleep_for(kEndingPause);
        }
    }
    return {};
}

// Those that were kept are settled; rows are only ever seen of what was kept.
Answered<> PostgresWriter::look_again(Connection& connection, Opens& open, Deadline until) {
    connection.send(kBegin);
    for (const Open& each : open) {
        send_trace(connection, kTraceFirmly, *each.commit, each.mark);
    }
    connection.send(kCommit);
    const auto answers = connection.finish(until);
    if (!answers) {
        return std::unexpected(answers.error());
    }
    Opens missing;
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (is_found((*answers)[i + 1])) {
            *open[i].result = {};
        } else {
            missing.push_back(open[i]);
        }
    }
    open = std::move(missing);
    return {};
}

Result<> PostgresWriter::drop_keyframe(std::string_view campaign, const TurnId& turn) {
    const Deadline until = Clock::now() + patience_;
    auto lease = pool_.take(until);
    if (!lease) {
        return std::unexpected(std::move(lease).error());
    }
    Pauses pauses;
    while (true) {
        auto connection = lease->connection(until);
        Answered<> done;
        if (connection) {
            (*connection)->send(kDrop, Arguments().text(campaign).digest(turn));
            std::vector<Rows> answers;
            done = (*connection)->finish(answers, until);
        } else {
            done = std::unexpected(std::move(connection).error());
        }
        if (done) {
            return {};
        }
        lease->failed(done.error().trouble, until);
        if (done.error().trouble == Trouble::kRefused || !pauses.sleep(until)) {
            return std::unexpected(std::move(done).error().error);
        }
    }
}

}  // namespace arbiter::ledger
