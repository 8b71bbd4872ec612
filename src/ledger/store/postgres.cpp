#include "ledger/store/postgres.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "ledger/store/postgres_pool.h"
#include "ledger/store/postgres_schema.h"
#include "ledger/store/postgres_writer.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Concurrent reads; further readers wait for a connection, never for writers.
constexpr std::size_t kReadersMax = 8;
// Turns of one page when turns are visited: a few hundred kilobytes.
constexpr std::int64_t kPageTurns = 128;
// The same where only their headers are needed, about 100 bytes each.
constexpr std::int64_t kPageHeaders = 2048;
constexpr std::int64_t kFirstAncestors = 16;
// For starting to listen, even if the caller waits less.
constexpr milliseconds kListenPatience(2000);

constexpr Statement kCampaigns = {
    "list campaigns",
    "SELECT campaign, name, created, head, undo FROM campaigns ORDER BY made, campaign"};
constexpr Statement kCampaign = {
    "read the campaign",
    "SELECT campaign, name, created, head, undo FROM campaigns WHERE campaign = $1::text"};
constexpr Statement kTurn = {
    "read the turn",
    "SELECT id, parent, number, time, bytes FROM turns WHERE campaign = $1::text AND "
    "id = $2::bytea"};
constexpr Statement kTurnOfKey = {
    "find the turn of a key",
    "SELECT turn FROM turn_keys WHERE campaign = $1::text AND key = $2::text"};
constexpr Statement kTurns = {
    "list turns",
    "SELECT id, parent, number, time FROM turns WHERE campaign = $1::text ORDER BY seq"};
constexpr Statement kTurnCount = {"count turns",
                                  "SELECT count(*) FROM turns WHERE campaign = $1::text"};
constexpr Statement kPage = {
    "read turns",
    "SELECT id, parent, number, time, bytes, seq FROM turns WHERE campaign = $1::text AND "
    "seq > $2::int8 ORDER BY seq LIMIT $3::int8"};
constexpr Statement kPlace = {"find a turn",
                              "SELECT seq FROM turns WHERE campaign = $1::text AND id = $2::bytea"};
// A turn and its ancestors, newest first; the server stops when it has $3 of them.
constexpr Statement kAncestors = {
    "read earlier turns",
    "WITH RECURSIVE line AS (SELECT id, parent, number, time, bytes FROM turns WHERE "
    "campaign = $1::text AND id = $2::bytea UNION ALL SELECT t.id, t.parent, t.number, t.time, "
    "t.bytes FROM line JOIN turns t ON t.campaign = $1::text AND t.id = line.parent) "
    "SELECT id, parent, number, time, bytes FROM line LIMIT $3::int8"};
constexpr Statement kAncestorHeaders = {
    "list earlier turns",
    "WITH RECURSIVE line AS (SELECT id, parent, number, time FROM turns WHERE "
    "campaign = $1::text AND id = $2::bytea UNION ALL SELECT t.id, t.parent, t.number, t.time "
    "FROM line JOIN turns t ON t.campaign = $1::text AND t.id = line.parent) "
    "SELECT id, parent, number, time FROM line LIMIT $3::int8"};
constexpr Statement kIdsBetween = {
    "find turns",
    "SELECT id FROM turns WHERE campaign = $1::text AND id BETWEEN $2::bytea AND $3::bytea "
    "ORDER BY id LIMIT $4::int8"};
constexpr Statement kKeyframe = {
    "read the state", "SELECT bytes FROM keyframes WHERE campaign = $1::text AND turn = $2::bytea"};
constexpr Statement kKeyframes = {
    "list states", "SELECT turn FROM keyframes WHERE campaign = $1::text ORDER BY seq"};
constexpr Statement kBlob = {
    "read the text", "SELECT bytes FROM blobs WHERE campaign = $1::text AND digest = $2::bytea"};
constexpr Statement kCheckpoints = {
    "list checkpoints",
    "SELECT turn, label, time FROM checkpoints WHERE campaign = $1::text ORDER BY seq"};
constexpr Statement kNamedTexts = {
    "list named texts",
    "SELECT name, text FROM named_texts WHERE starts_with(name, $1::text) ORDER BY name"};
constexpr Statement kNames = {"list the names of campaigns", "SELECT campaign FROM campaigns"};

// Problems: what is damaged, and how. Each part joins rows of one campaign only.
constexpr Statement kCheck = {
    "check the tables",
    "SELECT 'campaign ' || c.campaign, 'the head is missing' FROM campaigns c WHERE "
    "c.head IS NOT NULL AND NOT EXISTS (SELECT FROM turns t WHERE t.campaign = c.campaign AND "
    "t.id = c.head) "
    "UNION ALL SELECT 'campaign ' || t.campaign, 'the turn before one of its turns is missing: ' "
    "|| t.number FROM turns t WHERE t.parent IS NOT NULL AND NOT EXISTS (SELECT FROM turns p "
    "WHERE p.campaign = t.campaign AND p.id = t.parent) "
    "UNION ALL SELECT 'campaign ' || t.campaign, 'it is missing, but has a turn: ' || t.number "
    "FROM turns t WHERE NOT EXISTS (SELECT FROM campaigns c WHERE c.campaign = t.campaign) "
    "UNION ALL SELECT 'campaign ' || t.campaign, 'the id of a turn is not a digest: ' || t.number "
    "FROM turns t WHERE octet_length(t.id) <> 32 OR octet_length(t.parent) <> 32 "
    "UNION ALL SELECT 'campaign ' || k.campaign, 'the turn of a stored state is missing' "
    "FROM keyframes k "
    "WHERE NOT EXISTS (SELECT FROM turns t WHERE t.campaign = k.campaign AND t.id = k.turn) "
    "UNION ALL SELECT 'campaign ' || p.campaign, 'the turn of a checkpoint is missing: ' || "
    "p.label FROM checkpoints p WHERE NOT EXISTS (SELECT FROM turns t WHERE "
    "t.campaign = p.campaign AND t.id = p.turn)"};

Result<CampaignRow> campaign_of(const Rows& rows, int at) {
    const auto created = rows.number(at, 2);
    const auto head = rows.digest_or_null(at, 3);
    const auto undo = rows.digest_or_null(at, 4);
    if (!created || !head || !undo) {
        return std::unexpected(!created ? created.error() : !head ? head.error() : undo.error());
    }
    return CampaignRow{std::string(rows.bytes(at, 0)), std::string(rows.bytes(at, 1)), *created,
                       *head, *undo};
}
Result<TurnRow> header_of(const Rows& rows, int at) {
    const auto id = rows.digest(at, 0);
    const auto parent = rows.digest_or_null(at, 1);
    const auto number = rows.number(at, 2);
    const auto time = rows.number(at, 3);
    if (!id || !parent) {
        return std::unexpected(!id ? id.error() : parent.error());
    }
    if (!number || !time) {
        return std::unexpected(!number ? number.error() : time.error());
    }
    return TurnRow{*id, *parent, *number, *time, {}};
}
Result<TurnRow> whole_turn_of(const Rows& rows, int at) {
    auto row = header_of(rows, at);
    if (row) {
        row->bytes = rows.bytes(at, 4);
    }
    return row;
}
Result<Checkpoint> checkpoint_of(const Rows& rows, int at) {
    const auto turn = rows.digest(at, 0);
    const auto time = rows.number(at, 2);
    if (!turn || !time) {
        return std::unexpected(!turn ? turn.error() : time.error());
    }
    return Checkpoint{*turn, std::string(rows.bytes(at, 1)), *time};
}
Result<TurnId> id_of(const Rows& rows, int at) {
    return rows.digest(at, 0);
}
Result<base::Error> problem_of(const Rows& rows, int at) {
    return base::Error(base::ErrorCode::kCorrupt,
                       {std::string(rows.bytes(at, 0)), std::string(rows.bytes(at, 1))});
}
Result<std::string> bytes_of(const Rows& rows, int at) {
    return std::string(rows.bytes(at, 0));
}

Result<NamedText> named_text_of(const Rows& rows, int at) {
    return NamedText{std::string(rows.bytes(at, 0)), std::string(rows.bytes(at, 1))};
}

class PostgresStore final : public Store {
  public:
    PostgresStore(Target target, NotifySender self, milliseconds patience)
        : target_(target),
          self_(self),
          patience_(patience),
          readers_(std::move(target),
                   {&kCampaigns, &kCampaign, &kTurn, &kTurnOfKey, &kTurns, &kPage, &kPlace,
                    &kAncestors, &kTurnCount, &kAncestorHeaders, &kIdsBetween, &kKeyframe,
                    &kKeyframes, &kBlob, &kCheckpoints, &kCheck, &kNamedTexts},
                   kReadersMax),
          writer_(target_, std::move(self), patience) {}

    Result<std::vector<CampaignRow>> campaigns() override {
        return all<CampaignRow>(kCampaigns, {}, campaign_of);
    }
    Result<CampaignRow> campaign(std::string_view id) override {
        auto found = first<CampaignRow>(kCampaign, Arguments().text(id), campaign_of);
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        if (!*found) {
            return base::fail(ErrorCode::kCampaignUnknown, {std::string(id)});
        }
        return **std::move(found);
    }
    // Other servers write too, and their notifications arrive later than their turns are seen.
    std::optional<KnownCampaign> known(std::string_view) override { return std::nullopt; }

    std::vector<Result<>> commit_all(std::span<const Commit> commits) override {
        return writer_.write(commits);
    }
    Result<> drop_keyframe(std::string_view campaign, const TurnId& turn) override {
        return writer_.drop_keyframe(campaign, turn);
    }

    Result<> rename_campaign(std::string_view id, std::string_view name) override {
        const auto present = campaign(id);
        return present ? writer_.rename_campaign(id, name) : std::unexpected(present.error());
    }
    Result<> delete_campaign(std::string_view id) override {
        const auto present = campaign(id);
        return present ? writer_.delete_campaign(id) : std::unexpected(present.error());
    }
    Result<std::vector<NamedText>> named_texts(std::string_view prefix) override {
        return all<NamedText>(kNamedTexts, Arguments().text(prefix), named_text_of);
    }
    // The answer may be that to a repetition, after a lost connection: the stored text shows it.
    Result<bool> put_named_text(const NamedText& text,
                                std::optional<std::string_view> replaces) override {
        if (auto done = writer_.put_named_text(text, replaces); !done) {
            return std::unexpected(std::move(done).error());
        }
        const auto present = named_texts(text.name);
        return present ? Result<bool>(std::ranges::find(*present, text) != present->end())
                       : std::unexpected(present.error());
    }
    Result<> backup(const std::string&) override {
        return base::fail(ErrorCode::kStoreNoBackup, {"postgres://"});
    }

    Result<std::optional<TurnRow>> turn(std::string_view campaign, const TurnId& id) override {
        return first<TurnRow>(kTurn, Arguments().text(campaign).digest(id), whole_turn_of);
    }
    Result<std::optional<TurnId>> turn_of_key(std::string_view campaign,
                                              std::string_view key) override {
        return first<TurnId>(kTurnOfKey, Arguments().text(campaign).text(key), id_of);
    }
    Result<std::vector<TurnRow>> turns(std::string_view campaign) override {
        return all<TurnRow>(kTurns, Arguments().text(campaign), header_of);
    }
    Result<std::size_t> turn_count(std::string_view campaign) override {
        const auto rows = ask(kTurnCount, Arguments().text(campaign));
        const auto count = !rows               ? std::unexpected(rows.error())
                           : rows->size() == 1 ? rows->number(0, 0)
                                               : Result<std::int64_t>(0);
        return count ? Result<std::size_t>(static_cast<std::size_t>(*count))
                     : std::unexpected(count.error());
    }
    // By pages, each from where the last one ended. Rows are ordered and never change, so a broken
    // connection does no harm, and `each` may use the store.
    Result<> visit_turns(std::string_view campaign, const std::optional<TurnId>& behind,
                         const std::function<bool(const TurnRow&)>& each) override {
        auto after = std::numeric_limits<std::int64_t>::min();
        if (behind) {
            const auto place = ask(kPlace, Arguments().text(campaign).digest(*behind));
            const auto seq =
                place && place->size() == 1 ? place->number(0, 0) : Result<std::int64_t>(after);
            if (!place || !seq) {
                return std::unexpected(!place ? place.error() : seq.error());
            }
            after = *seq;
        }
        while (true) {
            const auto rows =
                ask(kPage, Arguments().text(campaign).number(after).number(kPageTurns));
            if (!rows) {
                return std::unexpected(rows.error());
            }
            for (int at = 0; at < rows->size(); ++at) {
                const auto row = whole_turn_of(*rows, at);
                const auto seq = rows->number(at, 5);
                if (!row || !seq) {
                    return std::unexpected(!row ? row.error() : seq.error());
                }
                after = *seq;
                if (!each(*row)) {
                    return {};
                }
            }
            if (rows->size() < kPageTurns) {
                return {};
            }
        }
    }
    // By pages, each from the parent of the last turn. The first is short: callers often need only
    // a few turns.
    Result<> visit_ancestors(std::string_view campaign, const TurnId& from, Content content,
                             const std::function<bool(const TurnRow&)>& each) override {
        const bool whole = content == Content::kWhole;
        std::int64_t page = kFirstAncestors;
        for (std::optional<TurnId> at = from; at;) {
            const auto rows = ask(whole ? kAncestors : kAncestorHeaders,
                                  Arguments().text(campaign).digest(*at).number(page));
            if (!rows) {
                return std::unexpected(rows.error());
            }
            at.reset();
            for (int i = 0; i < rows->size(); ++i) {
                const auto row = whole ? whole_turn_of(*rows, i) : header_of(*rows, i);
                if (!row) {
                    return std::unexpected(row.error());
                }
                if (!each(*row)) {
                    return {};
                }
                at = row->parent;
            }
            page = whole ? kPageTurns : kPageHeaders;
        }
        return {};
    }
    Result<std::vector<TurnId>> turn_ids_between(std::string_view campaign, const TurnId& first,
                                                 const TurnId& last, std::size_t limit) override {
        Arguments arguments;
        arguments.text(campaign).digest(first).digest(last);
        return all<TurnId>(kIdsBetween, arguments.number(static_cast<std::int64_t>(limit)), id_of);
    }
    Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                const TurnId& turn) override {
        return first<std::string>(kKeyframe, Arguments().text(campaign).digest(turn), bytes_of);
    }
    Result<std::vector<TurnId>> keyframes(std::string_view campaign) override {
        return all<TurnId>(kKeyframes, Arguments().text(campaign), id_of);
    }
    Result<std::optional<std::string>> blob(std::string_view campaign,
                                            const Digest& digest) override {
        return first<std::string>(kBlob, Arguments().text(campaign).digest(digest), bytes_of);
    }
    Result<std::vector<Checkpoint>> checkpoints(std::string_view campaign) override {
        return all<Checkpoint>(kCheckpoints, Arguments().text(campaign), checkpoint_of);
    }
    Result<std::vector<base::Error>> check() override {
        return all<base::Error>(kCheck, {}, problem_of);
    }

    Result<std::vector<std::string>> moved(milliseconds wait) override {
        const std::scoped_lock lock(watching_);
        const Deadline until = Clock::now() + wait;
        Backoff backoff;
        while (true) {
            auto found = listener_ ? heard(until) : listen();
            if (found && (!found->empty() || Clock::now() >= until)) {
                return *std::move(found);
            }
            if (found) {
                continue;
            }
            listener_.reset();
            if (found.error().kind == FailureKind::kRefused || !backoff.sleep(until)) {
                return std::unexpected(std::move(found).error().error);
            }
        }
    }

  private:
    // Retries until there is an answer or the timeout has passed.
    Result<Rows> ask(const Statement& statement, const Arguments& arguments) {
        const Deadline until = Clock::now() + patience_;
        auto lease = readers_.take(until);
        if (!lease) {
            return std::unexpected(std::move(lease).error());
        }
        Backoff backoff;
        while (true) {
            auto answers = answers_on(*lease, statement, arguments, until);
            if (answers) {
                return std::move(answers->at(0));
            }
            lease->failed(answers.error().kind, until);
            if (answers.error().kind == FailureKind::kRefused || !backoff.sleep(until)) {
                return std::unexpected(std::move(answers).error().error);
            }
        }
    }
    static PgResult<std::vector<Rows>> answers_on(Pool::Lease& lease, const Statement& statement,
                                                  const Arguments& arguments, Deadline until) {
        auto connection = lease.connection(until);
        if (!connection) {
            return std::unexpected(std::move(connection).error());
        }
        (*connection)->send(statement, arguments);
        return (*connection)->finish(until);
    }

    template <typename Row>
    Result<std::vector<Row>> all(const Statement& statement, const Arguments& arguments,
                                 Result<Row> (*make)(const Rows&, int)) {
        const auto rows = ask(statement, arguments);
        if (!rows) {
            return std::unexpected(rows.error());
        }
        std::vector<Row> made;
        made.reserve(static_cast<std::size_t>(rows->size()));
        for (int at = 0; at < rows->size(); ++at) {
            auto row = make(*rows, at);
            if (!row) {
                return std::unexpected(std::move(row).error());
            }
            made.push_back(*std::move(row));
        }
        return made;
    }
    template <typename Row>
    Result<std::optional<Row>> first(const Statement& statement, const Arguments& arguments,
                                     Result<Row> (*make)(const Rows&, int)) {
        const auto rows = ask(statement, arguments);
        if (!rows) {
            return std::unexpected(rows.error());
        }
        if (rows->size() == 0) {
            return std::nullopt;
        }
        return make(*rows, 0);
    }

    // Starts to listen. After a lost connection all campaigns are named, since notifications may
    // have been missed.
    PgResult<std::vector<std::string>> listen() {
        static constexpr const Statement* kStatements[] = {&kListen, &kNames};
        const Deadline until = Clock::now() + kListenPatience;
        auto made = Connection::open(target_, kStatements, until);
        if (!made) {
            return std::unexpected(std::move(made).error());
        }
        (*made)->send(kListen);
        if (auto done = (*made)->finish(until); !done) {
            return std::unexpected(std::move(done).error());
        }
        std::vector<std::string> names;
        if (std::exchange(listened_, true)) {
            // Not in the same transaction, which would not see later commits.
            (*made)->send(kNames);
            const auto rows = (*made)->finish(until);
            if (!rows) {
                return std::unexpected(rows.error());
            }
            for (int at = 0; at < rows->at(0).size(); ++at) {
                names.emplace_back(rows->at(0).bytes(at, 0));
            }
        }
        listener_ = *std::move(made);
        return names;
    }
    PgResult<std::vector<std::string>> heard(Deadline until) {
        auto payloads = listener_->notifications(until);
        if (!payloads) {
            return payloads;
        }
        std::vector<std::string> names;
        for (const std::string& payload : *payloads) {
            auto moved = campaigns_in_payload(self_, payload);
            names.insert(names.end(), std::make_move_iterator(moved.begin()),
                         std::make_move_iterator(moved.end()));
        }
        std::ranges::sort(names);
        const auto doubles = std::ranges::unique(names);
        names.erase(doubles.begin(), doubles.end());
        return names;
    }

    const Target target_;
    const NotifySender self_;
    const milliseconds patience_;
    Pool readers_;
    PostgresWriter writer_;
    std::mutex watching_;
    std::unique_ptr<Connection> listener_;
    bool listened_ = false;
};

}  // namespace

Result<std::unique_ptr<Store>> open_postgres_store(std::string_view url, Access access,
                                                   PostgresOptions options) {
    auto target = read_target(url);
    if (!target) {
        return std::unexpected(std::move(target).error());
    }
    const bool creates = access == Access::kCreate;
    const auto schema = prepare_schema(*target, creates, Clock::now() + options.patience);
    if (!schema) {
        return std::unexpected(schema.error());
    }
    NotifySender self = {random_name(), sha256(*schema).hex().substr(0, 16)};
    return std::make_unique<PostgresStore>(*std::move(target), std::move(self), options.patience);
}

Result<std::int64_t> migrate_postgres_store(std::string_view url, PostgresOptions options) {
    auto target = read_target(url);
    if (!target) {
        return std::unexpected(std::move(target).error());
    }
    return migrate_schema(*target, Clock::now() + options.patience);
}

}  // namespace arbiter::ledger
