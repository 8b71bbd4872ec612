#include "ledger/store/postgres_batch.h"

#include <algorithm>
#include <string_view>

namespace arbiter::ledger {

using base::Result;

namespace {

// Bytes of turns in one statement; further turns get their own.
constexpr std::size_t kTogetherBytesMax = std::size_t{32} << 20;

// The first statement of a commit decides: it returns a row and sets the campaign's mark if the
// commit is allowed. It also reserves `seq` numbers for the rows. The other statements do nothing
// unless the mark is set. Each touches one campaign.
constexpr Statement kCreate = {
    "begin the campaign",
    "INSERT INTO campaigns (campaign, name, created, head, undo, seq, mark) VALUES ($1::text, "
    "$3::text, $4::int8, $5::bytea, $6::bytea, $7::int8, $2::int8) "
    "ON CONFLICT (campaign) DO NOTHING RETURNING seq"};
constexpr Statement kMove = {
    "move the head",
    "UPDATE campaigns SET head = $4::bytea, undo = $5::bytea, seq = seq + $6::int8, "
    "mark = $2::int8 WHERE campaign = $1::text AND head IS NOT DISTINCT FROM $3::bytea "
    "RETURNING seq"};
// A second head under one key is refused like a moved head.
constexpr Statement kMoveKeyed = {
    "move the head under a key",
    "UPDATE campaigns SET head = $4::bytea, undo = $5::bytea, seq = seq + $6::int8, "
    "mark = $2::int8 WHERE campaign = $1::text AND head IS NOT DISTINCT FROM $3::bytea "
    "AND NOT EXISTS (SELECT FROM turn_keys k WHERE k.campaign = $1::text AND k.key = $7::text) "
    "RETURNING seq"};
constexpr Statement kTouch = {
    "find the campaign",
    "UPDATE campaigns SET seq = seq + $3::int8, mark = $2::int8 WHERE campaign = $1::text "
    "RETURNING seq"};

constexpr Statement kTurn = {
    "store the turn",
    "INSERT INTO turns (campaign, mark, seq, id, parent, number, time, bytes) "
    "SELECT campaign, mark, seq - $3::int8, $4::bytea, $5::bytea, $6::int8, $7::int8, $8::bytea "
    "FROM campaigns WHERE campaign = $1::text AND mark = $2::int8 "
    "ON CONFLICT (campaign, id) DO NOTHING"};
constexpr Statement kKeyframe = {"store the state",
                                 "INSERT INTO keyframes (campaign, seq, turn, bytes) "
                                 "SELECT campaign, seq - $3::int8, $4::bytea, $5::bytea "
                                 "FROM campaigns WHERE campaign = $1::text AND mark = $2::int8 "
                                 "ON CONFLICT (campaign, turn) DO NOTHING"};
constexpr Statement kBlob = {
    "store the text",
    "INSERT INTO blobs (campaign, digest, bytes) SELECT campaign, $3::bytea, $4::bytea "
    "FROM campaigns WHERE campaign = $1::text AND mark = $2::int8 "
    "ON CONFLICT (campaign, digest) DO NOTHING"};
constexpr Statement kKey = {
    "store the key",
    "INSERT INTO turn_keys (campaign, key, turn) SELECT campaign, $3::text, $4::bytea "
    "FROM campaigns WHERE campaign = $1::text AND mark = $2::int8 "
    "ON CONFLICT (campaign, key) DO NOTHING"};
constexpr Statement kCheckpoint = {
    "store the checkpoint",
    "INSERT INTO checkpoints (campaign, mark, seq, part, turn, label, time) "
    "SELECT campaign, mark, seq - $3::int8, $4::int8, $5::bytea, $6::text, $7::int8 "
    "FROM campaigns WHERE campaign = $1::text AND mark = $2::int8 "
    "ON CONFLICT (campaign, mark, part) DO NOTHING"};
constexpr Statement kTrim = {
    "drop old checkpoints",
    "DELETE FROM checkpoints WHERE campaign = $1::text AND seq <= (SELECT seq FROM checkpoints "
    "WHERE campaign = $1::text ORDER BY seq DESC OFFSET $3::int8 LIMIT 1) AND EXISTS "
    "(SELECT FROM campaigns WHERE campaign = $1::text AND mark = $2::int8)"};

// The usual commit, one new turn behind the head, for many campaigns in one statement: most of the
// cost of a small statement is overhead. It fails if a turn exists already, which is rare; checking
// first would cost a third of the insert. No other writer can insert it meanwhile, because the row
// of the campaign is locked.
constexpr Statement kAppendAll = {
    "store the turns",
    "WITH moved AS (UPDATE campaigns c SET head = w.id, undo = NULL, seq = c.seq + w.rows, "
    "mark = w.mark FROM unnest($1::text[], $2::int8[], $3::int8[], $4::bytea[], $5::bytea[], "
    "$6::int8[], $7::int8[], $8::bytea[]) "
    "AS w (campaign, mark, rows, id, parent, number, time, bytes) "
    "WHERE c.campaign = w.campaign AND c.head IS NOT DISTINCT FROM w.parent "
    "RETURNING c.campaign, c.mark, c.seq - w.rows + 1 AS seq, w.id, w.parent, w.number, w.time, "
    "w.bytes) "
    "INSERT INTO turns (campaign, mark, seq, id, parent, number, time, bytes) "
    "SELECT campaign, mark, seq, id, parent, number, time, bytes FROM moved RETURNING mark"};
// For batches that need several statements: locks all campaigns in one order, which prevents
// deadlocks.
constexpr Statement kLockAll = {
    "lock the campaigns",
    "SELECT FROM campaigns WHERE campaign = ANY ($1::text[]) ORDER BY campaign FOR NO KEY UPDATE"};

constexpr const Statement* kStatements[] = {&kCreate,     &kMove,     &kMoveKeyed, &kTouch,
                                            &kTurn,       &kKeyframe, &kBlob,      &kKey,
                                            &kCheckpoint, &kTrim,     &kAppendAll, &kLockAll};

Arguments marked(const Batch::Item& item) {
    Arguments arguments;
    arguments.text(item.commit->campaign).number(item.mark);
    return arguments;
}

std::int64_t rows_of(const Commit& commit) {
    return static_cast<std::int64_t>(commit.turns.size() + commit.keyframes.size() +
                                     commit.checkpoints.size());
}

bool is_append(const Commit& commit) {
    return !commit.create && commit.keys.empty() && commit.turns.size() == 1 && commit.head &&
           !commit.head->undo && commit.head->from == commit.turns[0].parent &&
           commit.head->to == commit.turns[0].id;
}

}  // namespace

std::span<const Statement* const> batch_statements() noexcept {
    return kStatements;
}

void Batch::send(Connection& connection, const Statement& statement, const Arguments& arguments) {
    connection.send(statement, arguments);
    ++sent_;
}

std::size_t Batch::send(Connection& connection) {
    const bool may_join = form_ == Form::kTogether && connection.supports_lists();
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
        const Commit& commit = *items_[i].commit;
        const auto is_same = [&](std::size_t other) {
            return other < items_.size() && items_[other].commit->campaign == commit.campaign;
        };
        // One statement cannot update a row twice.
        const bool once = (i == 0 || !is_same(i - 1)) && !is_same(i + 1);
        if (may_join && once && is_append(commit) &&
            bytes + commit.turns[0].bytes.size() <= kTogetherBytesMax) {
            together_.push_back(i);
            bytes += commit.turns[0].bytes.size();
        } else {
            alone_.push_back(i);
        }
    }
    if (together_.size() < 2) {
        alone_.insert(alone_.end(), together_.begin(), together_.end());
        std::ranges::sort(alone_);
        together_.clear();
    }
    if (!together_.empty()) {
        send_together(connection, bytes);
    }
    for (const std::size_t i : alone_) {
        decided_at_.push_back(sent_);
        send_first(connection, items_[i]);
        send_rows(connection, items_[i], true);
    }
    return sent_;
}

void Batch::send_together(Connection& connection, std::size_t bytes) {
    List campaigns(List::Of::kText);
    if (!alone_.empty()) {
        for (const Item& item : items_) {
            campaigns.add(std::string_view(item.commit->campaign));
        }
        send(connection, kLockAll, Arguments().bytes(campaigns.bytes()));
    }
    List names(List::Of::kText);
    List marks(List::Of::kNumbers);
    List rows(List::Of::kNumbers);
    List ids(List::Of::kBytes);
    List parents(List::Of::kBytes);
    List numbers(List::Of::kNumbers);
    List times(List::Of::kNumbers);
    List texts(List::Of::kBytes, bytes + together_.size() * sizeof(std::uint32_t));
    for (const std::size_t i : together_) {
        const Item& item = items_[i];
        const TurnRow& turn = item.commit->turns[0];
        names.add(std::string_view(item.commit->campaign));
        marks.add(item.mark);
        rows.add(rows_of(*item.commit));
        ids.add(turn.id.view());
        parents.add(turn.parent);
        numbers.add(turn.number);
        times.add(turn.time);
        texts.add(std::string_view(turn.bytes));
    }
    appended_at_ = sent_;
    send(connection, kAppendAll,
         Arguments()
             .bytes(names.bytes())
             .bytes(marks.bytes())
             .bytes(rows.bytes())
             .bytes(ids.bytes())
             .bytes(parents.bytes())
             .bytes(numbers.bytes())
             .bytes(times.bytes())
             .bytes(texts.bytes()));
    for (const std::size_t i : together_) {
        send_rows(connection, items_[i], false);
    }
}

// Sends the deciding statement.
void Batch::send_first(Connection& connection, const Item& item) {
    const Commit& commit = *item.commit;
    const std::int64_t rows = rows_of(commit);
    Arguments arguments = marked(item);
    if (commit.create) {
        const CampaignRow& row = *commit.create;
        arguments.text(row.name).number(row.created);
        arguments.digest_or_null(commit.head ? commit.head->to : row.head);
        arguments.digest_or_null(commit.head ? commit.head->undo : row.undo);
        send(connection, kCreate, arguments.number(rows));
    } else if (commit.head) {
        arguments.digest_or_null(commit.head->from);
        arguments.digest_or_null(commit.head->to).digest_or_null(commit.head->undo);
        arguments.number(rows);
        if (commit.keys.size() == 1) {
            send(connection, kMoveKeyed, arguments.text(commit.keys[0].key));
        } else {
            send(connection, kMove, arguments);
        }
    } else {
        send(connection, kTouch, arguments.number(rows));
    }
}

void Batch::send_rows(Connection& connection, const Item& item, bool with_turns) {
    const Commit& commit = *item.commit;
    std::int64_t behind = rows_of(commit);
    for (const TurnRow& turn : commit.turns) {
        --behind;
        if (with_turns) {
            Arguments arguments = marked(item);
            arguments.number(behind).digest(turn.id).digest_or_null(turn.parent);
            arguments.number(turn.number).number(turn.time);
            send(connection, kTurn, arguments.bytes(turn.bytes));
        }
    }
    for (const Keyframe& keyframe : commit.keyframes) {
        Arguments arguments = marked(item);
        arguments.number(--behind).digest(keyframe.turn);
        send(connection, kKeyframe, arguments.bytes(keyframe.bytes));
    }
    for (const Blob& blob : commit.blobs) {
        send(connection, kBlob, marked(item).digest(blob.digest).bytes(blob.bytes));
    }
    for (const TurnKey& each : commit.keys) {
        send(connection, kKey, marked(item).text(each.key).digest(each.turn));
    }
    std::int64_t part = 0;
    for (const Checkpoint& checkpoint : commit.checkpoints) {
        Arguments arguments = marked(item);
        arguments.number(--behind).number(part++).digest(checkpoint.turn);
        send(connection, kCheckpoint, arguments.text(checkpoint.label).number(checkpoint.time));
    }
    if (!commit.checkpoints.empty() && commit.checkpoints_max > 0) {
        send(connection, kTrim,
             marked(item).number(static_cast<std::int64_t>(commit.checkpoints_max)));
    }
}

Result<std::vector<bool>> Batch::decide(std::span<const Rows> answers) const {
    std::vector<bool> allowed(items_.size());
    if (!together_.empty()) {
        const Rows& stored = answers[appended_at_];
        std::vector<std::int64_t> marks;
        marks.reserve(together_.size());
        for (int row = 0; row < stored.size(); ++row) {
            const auto mark = stored.number(row, 0);
            if (!mark) {
                return std::unexpected(mark.error());
            }
            marks.push_back(*mark);
        }
        std::ranges::sort(marks);
        for (const std::size_t i : together_) {
            allowed[i] = std::ranges::binary_search(marks, items_[i].mark);
        }
    }
    for (std::size_t at = 0; at < alone_.size(); ++at) {
        allowed[alone_[at]] = answers[decided_at_[at]].size() == 1;
    }
    return allowed;
}

}  // namespace arbiter::ledger
