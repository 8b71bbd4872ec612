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

// Writers wait for the disk, not for the processor: more connections gain nothing.
constexpr std::size_t kWritersMax = 4;
// Bytes of a NOTIFY payload; PostgreSQL accepts less than 8000.
constexpr std::size_t kPayloadMax = 7900;
// Between two checks whether a session has ended.
constexpr std::chrono::milliseconds kTerminateInterval(2);

// Leaves READ ONLY to the session's default: an administrator may have set it.
constexpr Statement kBegin = {"begin", "BEGIN ISOLATION LEVEL READ COMMITTED"};
constexpr Statement kCommit = {"commit", "COMMIT"};
constexpr Statement kDrop = {
    "drop the state", "DELETE FROM keyframes WHERE campaign = $1::text AND turn = $2::bytea"};
constexpr Statement kRename = {"rename the campaign",
                               "UPDATE campaigns SET name = $2::text WHERE campaign = $1::text"};
// The campaign's row first: writers of the campaign wait for it, and then find it deleted.
constexpr Statement kDelete[] = {
    {"delete the campaign", "DELETE FROM campaigns WHERE campaign = $1::text"},
    {"delete turns", "DELETE FROM turns WHERE campaign = $1::text"},
    {"delete keys", "DELETE FROM turn_keys WHERE campaign = $1::text"},
    {"delete states", "DELETE FROM keyframes WHERE campaign = $1::text"},
    {"delete texts", "DELETE FROM blobs WHERE campaign = $1::text"},
    {"delete checkpoints", "DELETE FROM checkpoints WHERE campaign = $1::text"}};
// A repetition writes the same text again, so that its commit waits for the disk and standbys too.
constexpr Statement kInsertText = {
    "store a named text",
    "INSERT INTO named_texts AS t (name, text) VALUES ($1::text, $2::text) ON CONFLICT (name) "
    "DO UPDATE SET text = excluded.text WHERE t.text = excluded.text"};
constexpr Statement kReplaceText = {
    "replace a named text",
    "UPDATE named_texts SET text = $2::text WHERE name = $1::text AND text IN ($2::text, "
    "$3::text)"};
constexpr Statement kNotify = {"notify", "SELECT pg_notify('arbiter_heads', $1::text)"};

// 1 if the rows of a commit exist, else 0; no row if the campaign does not exist. A later commit
// may have replaced the campaign's mark, so turns and checkpoints are checked too.
constexpr Statement kLookup = {
    "look for the commit",
    "SELECT (c.mark = $2::int8 OR EXISTS (SELECT FROM turns t WHERE t.campaign = $1::text AND "
    "t.id = $3::bytea AND t.mark = $2::int8) OR EXISTS (SELECT FROM checkpoints p WHERE "
    "p.campaign = $1::text AND p.mark = $2::int8))::int::int8 "
    "FROM campaigns c WHERE c.campaign = $1::text"};
// The same with a row lock. The transaction around it then writes, so when it commits, everything
// it saw is durable too, also on synchronous standbys.
constexpr Statement kLookupDurably = {
    "look for the commit again",
    "SELECT (c.mark = $2::int8 OR EXISTS (SELECT FROM turns t WHERE t.campaign = $1::text AND "
    "t.id = $3::bytea AND t.mark = $2::int8) OR EXISTS (SELECT FROM checkpoints p WHERE "
    "p.campaign = $1::text AND p.mark = $2::int8))::int::int8 "
    "FROM campaigns c WHERE c.campaign = $1::text FOR UPDATE"};
// Returns a row as long as the session exists.
constexpr Statement kTerminate = {
    "end the session",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1::int8 AND "
    "(extract(epoch FROM backend_start) * 1000000)::int8 = $2::int8"};

void send_lookup(Connection& connection, const Statement& statement, const Commit& commit,
                 std::int64_t mark) {
    Arguments arguments;
    arguments.text(commit.campaign).number(mark);
    connection.send(statement, arguments.digest_or_null(
                                   commit.turns.empty() ? std::optional<TurnId>()
                                                        : std::optional(commit.turns.front().id)));
}

bool is_stored(const Rows& rows) {
    return rows.size() == 1 && rows.number(0, 0).value_or(0) != 0;
}

// Errors that concern all writing, not one commit.
bool is_store_error(const base::Error& error) {
    return error.code == ErrorCode::kStoreFull || error.code == ErrorCode::kStoreRefuses;
}

std::vector<const Statement*> all_statements() {
    std::vector<const Statement*> all = {&kBegin,  &kCommit,        &kDrop,     &kNotify,
                                         &kLookup, &kLookupDurably, &kTerminate};
    all.insert(all.end(), {&kRename, &kInsertText, &kReplaceText});
    for (const Statement& each : kDelete) {
        all.push_back(&each);
    }
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

std::string random_name() {
    std::random_device device;
    return hex_of((static_cast<std::uint64_t>(device()) << 32) | device());
}

// ---- notifications

std::vector<std::string> campaigns_in_payload(const NotifySender& self, std::string_view payload) {
    std::vector<std::string> campaigns;
    if (payload.size() < 32 || payload.substr(0, 16) == self.store ||
        payload.substr(16, 16) != self.schema) {
        return campaigns;
    }
    payload.remove_prefix(32);
    while (!payload.empty()) {
        std::size_t length = 0;
        const char* const last = payload.data() + payload.size();
        // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): `last` bounds the text
        const auto [end, error] = std::from_chars(payload.data(), last, length);
        if (error != std::errc() || end == last || *end != ':' ||
            static_cast<std::size_t>(last - end - 1) < length) {
            break;  // not our payload format: ignore
        }
        campaigns.emplace_back(end + 1, length);
        payload = std::string_view(end + 1 + length, last);
    }
    return campaigns;
}

namespace {

// Sends the names of the campaigns whose heads moved. This happens after the commit, not in it:
// PostgreSQL serialises the commits of transactions that notify, which would prevent group commit.
template <typename PendingCommits>
void send_notifications(Connection& connection, const PendingCommits& pending,
                        const NotifySender& self) {
    std::string payload = self.store + self.schema;
    const std::size_t empty = payload.size();
    const std::string* last = nullptr;
    for (const auto& each : pending) {
        const std::string& campaign = each.commit->campaign;
        if (!each.commit->head || (last != nullptr && *last == campaign)) {
            continue;
        }
        last = &campaign;
        const std::string name = std::to_string(campaign.size()) + ":" + campaign;
        if (payload.size() + name.size() > kPayloadMax && payload.size() > empty) {
            connection.send(kNotify, Arguments().text(payload));
            payload.resize(empty);
        }
        if (payload.size() + name.size() <= kPayloadMax) {
            payload += name;
        }
    }
    if (payload.size() > empty) {
        connection.send(kNotify, Arguments().text(payload));
    }
}

}  // namespace

// ---- writing

PostgresWriter::PostgresWriter(const Target& target, NotifySender self,
                               std::chrono::milliseconds patience)
    : pool_(target, all_statements(), kWritersMax),
      self_(std::move(self)),
      patience_(patience),
      seed_((static_cast<std::uint64_t>(std::random_device{}()) << 32) | std::random_device{}()) {}

// SplitMix64: spread over all 64-bit numbers, so two stores hardly draw the same mark.
std::int64_t PostgresWriter::next_mark() {
    std::uint64_t mixed = seed_ + ++marks_drawn_ * 0x9E3779B97F4A7C15ULL;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<std::int64_t>(mixed ^ (mixed >> 31));
}

std::vector<Result<>> PostgresWriter::write(std::span<const Commit> commits) {
    std::vector<Result<>> results(commits.size());
    PendingCommits pending;
    for (std::size_t i = 0; i < commits.size(); ++i) {
        const Commit& commit = commits[i];
        if (commit.create && commit.head && commit.head->from != commit.create->head) {
            results[i] = base::fail(ErrorCode::kHeadMoved, {commit.campaign});
            continue;
        }
        pending.push_back({&commit, &results[i], next_mark()});
    }
    // All writers lock campaigns in the same order, which prevents deadlocks. Commits to one
    // campaign keep their order.
    std::ranges::sort(pending, {}, [](const PendingCommit& each) {
        return std::pair(std::string_view(each.commit->campaign), each.commit);
    });
    write(std::move(pending), {}, Clock::now() + patience_);
    return results;
}

void PostgresWriter::write(PendingCommits pending, UncertainSessions uncertain, Deadline until) {
    if (pending.empty()) {
        return;
    }
    const auto fail_all = [&](const base::Error& error) {
        for (const PendingCommit& each : pending) {
            *each.result = std::unexpected(error);
        }
    };
    auto lease = pool_.take(until);
    if (!lease) {
        fail_all(lease.error());
        return;
    }
    Backoff backoff;
    auto form = Batch::Form::kTogether;
    while (true) {
        auto connection = lease->connection(until);
        auto done = connection ? try_once(**connection, pending, form, uncertain, until)
                               : PgResult<>(std::unexpected(std::move(connection).error()));
        if (done) {
            return;
        }
        const Failure& failure = done.error();
        lease->failed(failure.kind, until);
        if (pending.empty()) {
            return;  // only the notification failed
        }
        if (failure.kind == FailureKind::kRefused) {
            if (pending.size() == 1 || is_store_error(failure.error)) {
                fail_all(failure.error);
                return;
            }
            if (form == Batch::Form::kTogether) {
                // This form also fails when a turn exists already, which is not an error.
                form = Batch::Form::kOneByOne;
                continue;
            }
            break;
        }
        if (!backoff.sleep(until)) {
            fail_all(failure.error);
            return;
        }
    }
    // The server refuses the rows of at least one commit. Each is tried alone, so that the others
    // succeed. The connection is returned first: the recursive calls need one.
    {
        const auto returned = std::move(*lease);
    }
    for (const PendingCommit& each : pending) {
        write(PendingCommits{each}, uncertain, until);
    }
}

PgResult<> PostgresWriter::try_once(Connection& connection, PendingCommits& pending,
                                    Batch::Form form, UncertainSessions& uncertain,
                                    Deadline until) {
    if (!uncertain.sessions.empty()) {
        if (auto ended = terminate(connection, uncertain, until); !ended) {
            return ended;
        }
        if (auto looked_up = remove_stored(connection, pending, until); !looked_up) {
            return looked_up;
        }
        uncertain.sessions.clear();
        if (pending.empty()) {
            return {};
        }
    }
    auto done = send_batch(connection, pending, form, uncertain, until);
    if (!done && done.error().kind == FailureKind::kLost) {
        uncertain.sessions.push_back(connection.session());
        uncertain.any = true;
    }
    return done;
}

PgResult<> PostgresWriter::send_batch(Connection& connection, PendingCommits& pending,
                                      Batch::Form form, const UncertainSessions& uncertain,
                                      Deadline until) {
    std::vector<Batch::Item> items;
    items.reserve(pending.size());
    for (const PendingCommit& each : pending) {
        items.push_back({each.commit, each.mark});
    }
    Batch batch(std::move(items), form);
    connection.send(kBegin);
    const std::size_t sent = 1 + batch.send(connection);
    connection.send(kCommit);
    send_notifications(connection, pending, self_);
    std::vector<Rows> answers;
    auto done = connection.finish(answers, until);
    // With an answer to COMMIT, later failures concern only the notifications.
    if (answers.size() <= sent) {
        return done;
    }
    if (answers[sent].done() != "COMMIT") {
        return std::unexpected(
            Failure{FailureKind::kAgain,
                    base::Error(ErrorCode::kStoreFailed, {"commit", "the server rolled it back"})});
    }
    const auto allowed = batch.decide(std::span(answers).subspan(1));
    if (!allowed) {
        return std::unexpected(Failure{FailureKind::kRefused, allowed.error()});
    }
    PendingCommits refused;
    for (std::size_t i = 0; i < pending.size(); ++i) {
        if ((*allowed)[i]) {
            *pending[i].result = {};
        } else {
            refused.push_back(pending[i]);
        }
    }
    pending = std::move(refused);
    if (!done || pending.empty()) {
        return done;
    }
    return explain_refusals(connection, pending, uncertain, until);
}

PgResult<> PostgresWriter::explain_refusals(Connection& connection, PendingCommits& refused,
                                            const UncertainSessions& uncertain, Deadline until) {
    for (const PendingCommit& each : refused) {
        send_lookup(connection, kLookup, *each.commit, each.mark);
    }
    const auto answers = connection.finish(until);
    if (!answers) {
        return std::unexpected(answers.error());
    }
    for (std::size_t i = 0; i < refused.size(); ++i) {
        const Rows& rows = (*answers)[i];
        const std::string& campaign = refused[i].commit->campaign;
        if (uncertain.any && is_stored(rows)) {
            // Refused because an earlier try was stored after remove_stored() looked for it.
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

// A session may not have noticed that its connection broke, and would still execute what it was
// sent.
PgResult<> PostgresWriter::terminate(Connection& connection, const UncertainSessions& uncertain,
                                     Deadline until) {
    for (const Connection::Session& session : uncertain.sessions) {
        while (true) {
            connection.send(kTerminate, Arguments().number(session.process).number(session.since));
            const auto answers = connection.finish(until);
            if (!answers) {
                if (answers.error().kind == FailureKind::kRefused && connection.settle(until)) {
                    break;  // not supported here: explain_refusals() covers late commits
                }
                return std::unexpected(answers.error());
            }
            if (answers->at(0).size() == 0) {
                break;
            }
            if (Clock::now() + kTerminateInterval >= until) {
                return std::unexpected(
                    Failure{FailureKind::kLost,
                            base::Error(ErrorCode::kStoreFailed,
                                        {"commit", "an earlier session does not end"})});
            }
            std::this_thread::sleep_for(kTerminateInterval);
        }
    }
    return {};
}

PgResult<> PostgresWriter::remove_stored(Connection& connection, PendingCommits& pending,
                                         Deadline until) {
    connection.send(kBegin);
    for (const PendingCommit& each : pending) {
        send_lookup(connection, kLookupDurably, *each.commit, each.mark);
    }
    connection.send(kCommit);
    const auto answers = connection.finish(until);
    if (!answers) {
        return std::unexpected(answers.error());
    }
    PendingCommits missing;
    for (std::size_t i = 0; i < pending.size(); ++i) {
        if (is_stored((*answers)[i + 1])) {  // the first answer is BEGIN's
            *pending[i].result = {};
        } else {
            missing.push_back(pending[i]);
        }
    }
    pending = std::move(missing);
    return {};
}

Result<> PostgresWriter::run(std::span<const Request> requests) {
    const Deadline until = Clock::now() + patience_;
    auto lease = pool_.take(until);
    if (!lease) {
        return std::unexpected(std::move(lease).error());
    }
    Backoff backoff;
    while (true) {
        auto connection = lease->connection(until);
        PgResult<> done;
        if (connection) {
            for (const auto& [statement, arguments] : requests) {
                (*connection)->send(*statement, arguments);
            }
            std::vector<Rows> answers;
            done = (*connection)->finish(answers, until);
        } else {
            done = std::unexpected(std::move(connection).error());
        }
        if (done) {
            return {};
        }
        lease->failed(done.error().kind, until);
        if (done.error().kind == FailureKind::kRefused || !backoff.sleep(until)) {
            return std::unexpected(std::move(done).error().error);
        }
    }
}

Result<> PostgresWriter::drop_keyframe(std::string_view campaign, const TurnId& turn) {
    const Request request[] = {{&kDrop, Arguments().text(campaign).digest(turn)}};
    return run(request);
}
Result<> PostgresWriter::rename_campaign(std::string_view campaign, std::string_view name) {
    const Request request[] = {{&kRename, Arguments().text(campaign).text(name)}};
    return run(request);
}
Result<> PostgresWriter::put_named_text(const NamedText& text,
                                        std::optional<std::string_view> replaces) {
    Arguments arguments = Arguments().text(text.name).text(text.text);
    if (replaces) {
        arguments.text(*replaces);
    }
    const Request request[] = {{replaces ? &kReplaceText : &kInsertText, arguments}};
    return run(request);
}
Result<> PostgresWriter::delete_campaign(std::string_view campaign) {
    const Arguments arguments = Arguments().text(campaign);
    std::vector<Request> requests;
    for (const Statement& each : kDelete) {
        requests.emplace_back(&each, arguments);
    }
    return run(requests);
}

}  // namespace arbiter::ledger
