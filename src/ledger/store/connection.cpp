#include "ledger/store/connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

using Clock = std::chrono::steady_clock;

// Arguments and results are in binary form.
constexpr int kBinary = 1;

// - synchronous_commit: at least `on`, so an acknowledged commit is on disk.
// - enable_seqscan off: plans live as long as the connection; one made for a small table would
// stay.
//   Every statement has an index.
// - enable_hashjoin, enable_mergejoin off: rows of one statement are locked in the order in which
//   they are named, which prevents deadlocks.
// - jit off, plan_cache_mode: planning and compiling would take longer than executing.
// - lock_timeout, idle_in_transaction_session_timeout: no wait outlasts its caller, and a session
//   without a client holds no locks.
// Settings that the server does not know are skipped.
constexpr Statement kSettings = {
    "settings",
    "SELECT set_config(w.name, w.value, false) FROM (VALUES ('synchronous_commit', CASE "
    "current_setting('synchronous_commit', true) WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' "
    "END), ('enable_seqscan', 'off'), ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), "
    "('jit', 'off'), ('plan_cache_mode', 'force_generic_plan'), ('lock_timeout', '10s'), "
    "('idle_in_transaction_session_timeout', '10s')) "
    "AS w (name, value) WHERE current_setting(w.name, true) IS NOT NULL"};
constexpr Statement kSchema = {"schema", "SELECT set_config('search_path', 'arbiter', false)"};
constexpr Statement kWho = {
    "who",
    "SELECT pid::int8, (extract(epoch FROM backend_start) * 1000000)::int8, "
    "coalesce(current_schema()::text, ''), current_setting('server_encoding'), "
    "(EXISTS (SELECT FROM pg_extension WHERE extname = 'citus'))::int::int8 "
    "FROM pg_stat_activity WHERE pid = pg_backend_pid()"};

// The server's message on one line, without its full stop: ours adds one.
std::string words_of(const char* message) {
    std::string words = message == nullptr ? "" : message;
    std::ranges::replace(words, '\n', ' ');
    while (!words.empty() && (words.back() == ' ' || words.back() == '.')) {
        words.pop_back();
    }
    return words.empty() ? "no reason given" : words;
}

FailureKind kind_of(std::string_view state) {
    // The connection was ended by the server or an administrator (08, 57P), the outcome is unknown
    // (40003), or a pooler dropped the prepared statements (26000).
    if (state.empty() || state.starts_with("08") || state.starts_with("57P") || state == "40003" ||
        state == "26000") {
        return FailureKind::kLost;
    }
    return state.starts_with("40") ? FailureKind::kAgain : FailureKind::kRefused;
}

}  // namespace

// ---- arguments and rows

Arguments& Arguments::add(const char* data, std::size_t size) {
    const auto at = static_cast<std::size_t>(count_++);
    // PostgreSQL refuses lengths above 1 GB itself.
    values_[at] = data;
    lengths_[at] = static_cast<int>(
        std::min<std::size_t>(size, static_cast<std::size_t>(std::numeric_limits<int>::max())));
    return *this;
}
Arguments& Arguments::number(std::int64_t value) {
    const auto swapped = std::byteswap(static_cast<std::uint64_t>(value));
    auto& place = numbers_[static_cast<std::size_t>(count_)];
    std::memcpy(place.data(), &swapped, sizeof swapped);
    is_number_[static_cast<std::size_t>(count_)] = true;
    // send() sets the pointer: arguments can be copied until then.
    return add("", sizeof swapped);
}

// The binary form of a PostgreSQL array: dimensions, has-nulls, element type, count, lower bound;
// then each element after its length.
namespace {

void append_word(std::string& to, std::uint32_t word) {
    const std::uint32_t swapped = std::byteswap(word);
    to.append(reinterpret_cast<const char*>(&swapped), sizeof swapped);
}
constexpr std::size_t kListHeader = 20;
constexpr std::size_t kListCountAt = 12;

std::uint32_t type_of(List::Of what) {
    switch (what) {
        case List::Of::kText:
            return 25;
        case List::Of::kBytes:
            return 17;
        case List::Of::kNumbers:
            return 20;
    }
    return 0;
}

}  // namespace

List::List(Of what, std::size_t bytes) {
    bytes_.reserve(kListHeader + bytes);
    for (const std::uint32_t word : {1U, 1U, type_of(what), 0U, 1U}) {
        append_word(bytes_, word);
    }
}
void List::add(std::string_view bytes) {
    append_word(bytes_, static_cast<std::uint32_t>(bytes.size()));
    bytes_ += bytes;
    ++count_;
}
void List::add(std::int64_t number) {
    const auto whole = static_cast<std::uint64_t>(number);
    append_word(bytes_, sizeof whole);
    append_word(bytes_, static_cast<std::uint32_t>(whole >> 32));
    append_word(bytes_, static_cast<std::uint32_t>(whole));
    ++count_;
}
void List::add(const std::optional<Digest>& digest) {
    if (digest) {
        add(digest->view());
        return;
    }
    append_word(bytes_, ~std::uint32_t{0});
    ++count_;
}
std::string_view List::bytes() {
    std::string word;
    append_word(word, count_);
    bytes_.replace(kListCountAt, word.size(), word);
    return bytes_;
}

void Rows::Clear::operator()(pg_result* result) const {
    PQclear(result);
}
int Rows::size() const {
    return PQntuples(result_.get());
}
std::string_view Rows::done() const {
    return PQcmdStatus(result_.get());
}
bool Rows::is_null(int row, int column) const {
    return PQgetisnull(result_.get(), row, column) != 0;
}
std::string_view Rows::bytes(int row, int column) const {
    return {PQgetvalue(result_.get(), row, column),
            static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}
std::unexpected<base::Error> Rows::corrupt(int column, std::string_view wanted) const {
    return base::fail(ErrorCode::kCorrupt, {std::string("the answer to '") + statement_->name + "'",
                                            "column " + std::to_string(column + 1) + " is not a " +
                                                std::string(wanted)});
}
Result<std::int64_t> Rows::number(int row, int column) const {
    const std::string_view text = bytes(row, column);
    std::uint64_t value = 0;
    if (text.size() != sizeof value) {
        return corrupt(column, "number");
    }
    std::memcpy(&value, text.data(), sizeof value);
    return static_cast<std::int64_t>(std::byteswap(value));
}
Result<Digest> Rows::digest(int row, int column) const {
    const auto found = Digest::from_bytes(bytes(row, column));
    return found ? Result<Digest>(*found) : corrupt(column, "digest");
}
Result<std::optional<Digest>> Rows::digest_or_null(int row, int column) const {
    if (is_null(row, column)) {
        return std::nullopt;
    }
    return digest(row, column);
}

// ---- connecting

namespace {

// The code in the message of a refused connection ("FATAL:  57P03: the database system is starting
// up"), which libpq reports in no other way. Empty if the server did not answer. Removes the code
// and the place in the server's source.
std::string take_state(std::string& words) {
    constexpr std::size_t kStateLength = 5;
    words.resize(std::min(words.find("LOCATION:"), words.size()));
    for (std::size_t at = words.find(":  "); at != std::string::npos; at = words.find(":  ", at)) {
        at += 3;
        const std::string state = words.substr(at, kStateLength);
        if (state.size() == kStateLength && words.compare(at + kStateLength, 2, ": ") == 0 &&
            state.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos) {
            words.erase(at, kStateLength + 2);
            return state;
        }
    }
    return {};
}

}  // namespace

Connection::~Connection() {
    PQfinish(handle_);
}

Failure Connection::lost(std::string_view what) {
    return {FailureKind::kLost,
            base::Error(ErrorCode::kStoreFailed,
                        {std::string(what), words_of(PQerrorMessage(handle_))})};
}

Failure Connection::failure_of(const pg_result* result, const char* what) {
    const char* field = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const std::string_view state = field == nullptr ? "" : field;
    if (PQstatus(handle_) == CONNECTION_BAD) {
        return lost(what);
    }
    const std::string words = words_of(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
    const FailureKind kind = kind_of(state);
    if (state == "53100") {
        return {kind, base::Error(ErrorCode::kStoreFull, {what})};
    }
    if (state == "25006") {
        return {kind, base::Error(ErrorCode::kStoreRefuses, {words})};
    }
    return {kind, base::Error(ErrorCode::kStoreFailed, {what, words})};
}

PgResult<> Connection::wait(bool write, Deadline until) {
    pollfd socket = {PQsocket(handle_), static_cast<short>(write ? POLLIN | POLLOUT : POLLIN), 0};
    if (socket.fd < 0) {
        return std::unexpected(lost("reach the server"));
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    const int ready =
        poll(&socket, 1,
             static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max())));
    if (ready == 0 && left <= 0) {
        return std::unexpected(Failure{
            FailureKind::kLost,
            base::Error(ErrorCode::kStoreFailed, {"reach the server", "no answer in time"})});
    }
    return {};  // after an interrupted wait the caller waits again
}

Failure Connection::refused_connection() const {
    std::string words = PQerrorMessage(handle_);
    const std::string state = take_state(words);
    // Starting up or shutting down, or too many connections: a later try may succeed.
    const bool may_pass = state.starts_with("57P") || state.starts_with("53");
    const FailureKind kind = state.empty() ? FailureKind::kLost
                             : may_pass    ? FailureKind::kAgain
                                           : FailureKind::kRefused;
    return {kind,
            base::Error(ErrorCode::kStoreFailed, {"reach the server", words_of(words.c_str())})};
}

PgResult<> Connection::connect(Deadline until) {
    PQsetErrorVerbosity(handle_, PQERRORS_VERBOSE);
    auto step = PGRES_POLLING_WRITING;
    while (step != PGRES_POLLING_OK) {
        if (step == PGRES_POLLING_FAILED) {
            return std::unexpected(refused_connection());
        }
        pollfd socket = {PQsocket(handle_),
                         static_cast<short>(step == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
        if (left <= 0) {
            return std::unexpected(
                Failure{FailureKind::kLost,
                        base::Error(ErrorCode::kStoreFailed, {"connect", "no answer in time"})});
        }
        if (poll(&socket, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000))) > 0) {
            step = PQconnectPoll(handle_);
        }
    }
    PQsetErrorVerbosity(handle_, PQERRORS_DEFAULT);
    if (PQsetnonblocking(handle_, 1) != 0 || PQenterPipelineMode(handle_) != 1) {
        return std::unexpected(lost("connect"));
    }
    return {};
}

PgResult<std::unique_ptr<Connection>> Connection::open(const Target& target,
                                                       std::span<const Statement* const> statements,
                                                       Deadline until) {
    const std::size_t count = target.places.size();
    const std::size_t first = *target.last_place;
    std::optional<Failure> failure;
    for (std::size_t tried = 0; tried < count; ++tried) {
        const std::size_t at = (first + tried) % count;
        // Each place gets its part of the time that is left.
        const Deadline now = Clock::now();
        const Deadline part = now + (until - now) / static_cast<std::int64_t>(count - tried);
        auto made = open_at(target, target.places[at], statements, part);
        if (made) {
            *target.last_place = at;
            return made;
        }
        // Later a place may be right that is not now, unless all of them refuse.
        if (!failure || failure->kind == FailureKind::kRefused) {
            failure = std::move(made).error();
        }
    }
    return std::unexpected(*std::move(failure));
}

PgResult<std::unique_ptr<Connection>> Connection::open_at(
    const Target& target, const Target::Place& place, std::span<const Statement* const> statements,
    Deadline until) {
    // Options before the url are defaults, options after it override it; empty ones do not. A peer
    // that acknowledges nothing is given up after 5 s, which leaves time for a retry.
    const char* const names[] = {"fallback_application_name",
                                 "keepalives_idle",
                                 "tcp_user_timeout",
                                 "dbname",
                                 "client_encoding",
                                 "host",
                                 "hostaddr",
                                 "port",
                                 nullptr};
    const char* const values[] = {"arbiter",
                                  "10",
                                  "5000",
                                  target.url.c_str(),
                                  "UTF8",
                                  place.host.c_str(),
                                  place.address.c_str(),
                                  place.port.c_str(),
                                  nullptr};
    auto connection = std::make_unique<Connection>(PQconnectStartParams(names, values, 1));
    if (connection->handle_ == nullptr) {
        return std::unexpected(
            Failure{FailureKind::kLost,
                    base::Error(ErrorCode::kStoreFailed, {"connect", "out of memory"})});
    }
    if (PQstatus(connection->handle_) == CONNECTION_BAD) {
        return std::unexpected(connection->lost("connect"));
    }
    // By default libpq prints notices.
    PQsetNoticeReceiver(connection->handle_, [](void*, const pg_result*) {}, nullptr);
    if (auto done = connection->connect(until); !done) {
        return std::unexpected(std::move(done).error());
    }
    const auto prepare = [&](const Statement& statement) {
        connection->sent_.push_back(&statement);
        connection->send_failed_ |=
            PQsendPrepare(connection->handle_, statement.name, statement.sql, 0, nullptr) != 1;
    };
    for (const Statement* each : {&kSettings, &kSchema, &kWho}) {
        prepare(*each);
        if (each != &kSchema || !target.names_schema) {
            connection->send(*each);
        }
    }
    std::ranges::for_each(statements, [&](const Statement* each) { prepare(*each); });
    auto answers = connection->finish(until);
    if (!answers) {
        return std::unexpected(std::move(answers).error());
    }
    const Rows& who = (*answers)[target.names_schema ? 4 : 5];
    if (who.size() == 1) {
        connection->session_ = {who.number(0, 0).value_or(0), who.number(0, 1).value_or(0)};
        connection->schema_ = who.bytes(0, 2);
        connection->encoding_ = who.bytes(0, 3);
        connection->supports_lists_ = who.number(0, 4).value_or(1) == 0;
    }
    return connection;
}

// ---- sending and receiving

void Connection::send(const Statement& statement, const Arguments& arguments) {
    std::array<const char*, Arguments::kCountMax> values = arguments.values_;
    std::array<int, Arguments::kCountMax> formats = {};
    formats.fill(kBinary);
    for (std::size_t i = 0; i < static_cast<std::size_t>(arguments.count_); ++i) {
        if (values[i] != nullptr && arguments.is_number_[i]) {
            values[i] = arguments.numbers_[i].data();
        }
    }
    sent_.push_back(&statement);
    send_failed_ |= PQsendQueryPrepared(handle_, statement.name, arguments.count_, values.data(),
                                        arguments.lengths_.data(), formats.data(), kBinary) != 1;
}

PgResult<pg_result*> Connection::next(Deadline until) {
    while (true) {
        const int unsent = PQflush(handle_);
        if (unsent < 0) {
            return std::unexpected(lost("send"));
        }
        if (PQisBusy(handle_) == 0) {
            return PQgetResult(handle_);
        }
        if (auto waited = wait(unsent > 0, until); !waited) {
            return std::unexpected(std::move(waited).error());
        }
        // Read while there is more to send: otherwise both sides could block on full buffers.
        if (PQconsumeInput(handle_) != 1) {
            return std::unexpected(lost("receive"));
        }
    }
}

PgResult<std::vector<Rows>> Connection::finish(Deadline until) {
    std::vector<Rows> answers;
    if (auto done = finish(answers, until); !done) {
        return std::unexpected(std::move(done).error());
    }
    return answers;
}

PgResult<> Connection::finish(std::vector<Rows>& answers, Deadline until) {
    const std::vector<const Statement*> sent = std::exchange(sent_, {});
    if (std::exchange(send_failed_, false) || PQpipelineSync(handle_) != 1) {
        return std::unexpected(lost("send"));
    }
    answers.reserve(sent.size());
    std::optional<Failure> first;
    // Returns the first failure.
    const auto fail = [&](Failure failure) {
        return std::unexpected(first ? *std::move(first) : std::move(failure));
    };
    for (const Statement* statement : sent) {
        bool is_answered = false;
        while (true) {
            auto result = next(until);
            if (!result) {
                return fail(std::move(result).error());
            }
            if (*result == nullptr) {
                break;
            }
            is_answered = true;
            Rows rows(*statement, *result);
            const ExecStatusType status = PQresultStatus(*result);
            if (status == PGRES_PIPELINE_SYNC) {
                return fail(lost(statement->name));
            }
            if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && !first) {
                first = failure_of(*result, statement->name);
            }
            if (!first) {
                answers.push_back(std::move(rows));
            }
        }
        if (!is_answered) {
            return fail(lost(statement->name));
        }
    }
    auto end = next(until);
    if (!end) {
        return fail(std::move(end).error());
    }
    const bool synced = *end != nullptr && PQresultStatus(*end) == PGRES_PIPELINE_SYNC;
    if (!synced && !first) {
        first = *end != nullptr ? failure_of(*end, "commit") : lost("commit");
        // The failure is one of the final commit: its outcome is unknown, whatever the code says.
        first->kind = FailureKind::kLost;
    }
    PQclear(*end);
    return first ? PgResult<>(std::unexpected(*std::move(first))) : PgResult<>();
}

PgResult<> Connection::run_script(const char* name, const char* sql, Deadline until) {
    if (PQexitPipelineMode(handle_) != 1 || PQsendQuery(handle_, sql) != 1) {
        return std::unexpected(lost(name));
    }
    std::optional<Failure> first;
    while (true) {
        auto result = next(until);
        if (!result) {
            return std::unexpected(std::move(result).error());
        }
        if (*result == nullptr) {
            break;
        }
        const ExecStatusType status = PQresultStatus(*result);
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && !first) {
            first = failure_of(*result, name);
        }
        PQclear(*result);
    }
    if (PQenterPipelineMode(handle_) != 1 && !first) {
        first = lost(name);
    }
    return first ? PgResult<>(std::unexpected(*std::move(first))) : PgResult<>();
}

bool Connection::settle(Deadline until) {
    if (PQstatus(handle_) != CONNECTION_OK || PQpipelineStatus(handle_) != PQ_PIPELINE_ON ||
        PQtransactionStatus(handle_) == PQTRANS_ACTIVE) {
        return false;
    }
    if (PQtransactionStatus(handle_) == PQTRANS_IDLE) {
        return true;
    }
    return run_script("rollback", "ROLLBACK", until).has_value() &&
           PQtransactionStatus(handle_) == PQTRANS_IDLE;
}

PgResult<std::vector<std::string>> Connection::notifications(Deadline until) {
    std::vector<std::string> payloads;
    while (true) {
        if (PQconsumeInput(handle_) != 1) {
            return std::unexpected(lost("listen"));
        }
        while (PGnotify* notification = PQnotifies(handle_)) {
            payloads.emplace_back(notification->extra);
            PQfreemem(notification);
        }
        if (!payloads.empty() || Clock::now() >= until) {
            return payloads;
        }
        if (auto waited = wait(false, until); !waited) {
            if (PQstatus(handle_) == CONNECTION_OK) {
                return payloads;  // none in time
            }
            return std::unexpected(std::move(waited).error());
        }
    }
}

}  // namespace arbiter::ledger
