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

// All statements are of one schema, and all arguments and results in binary form.
constexpr int kBinary = 1;

// Never weaker than `on`: an acknowledged commit is on the disk. A plan is kept as long as the
// connection, so it must not be one that was made for a small table; each statement has an index.
// And it is kept: of itself the server would plan statements with short lists each time again, for
// longer than it then works on them.
// Rows that are changed together are found one after the other in the order in which they are
// named: so those who lock them do not wait in a circle. Nobody waits for a lock longer than his
// caller does, and a session whose client is gone without a word keeps none.
// Compiling plans (jit) is never worth it for statements like these. What a server does not know
// is left out.
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

// The server's words on one line, without the full stop that ours have.
std::string words_of(const char* message) {
    std::string words = message == nullptr ? "" : message;
    std::ranges::replace(words, '\n', ' ');
    while (!words.empty() && (words.back() == ' ' || words.back() == '.')) {
        words.pop_back();
    }
    return words.empty() ? "no reason given" : words;
}

Trouble trouble_of(std::string_view state) {
    // Connections that are ended by the server or by an administrator, a statement of which it is
    // not known whether it was done, and statements that a pooler made the session forget.
    if (state.empty() || state.starts_with("08") || state.starts_with("57P") || state == "40003" ||
        state == "26000") {
        return Trouble::kLost;
    }
    return state.starts_with("40") ? Trouble::kAgain : Trouble::kRefused;
}

}  // namespace

// ---- arguments and rows

Arguments& Arguments::add(const char* data, std::size_t size) {
    const auto at = static_cast<std::size_t>(count_++);
    // A length beyond the limits of PostgreSQL (1 GB) is refused by it.
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
    // Where it is now is known only when it is sent: arguments can be copied.
    return add("", sizeof swapped);
}

// The form in which the server itself sends arrays: how many dimensions, whether there are nulls,
// the type, how many and from which number on; then each with its length before it.
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
    return base::fail(ErrorCode::kCorrupt,
                      {std::string("the answer to '") + statement_->name + "'",
                       "column " + std::to_string(column + 1) + " is no " + std::string(wanted)});
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

Result<Target> read_target(std::string_view url) {
    Target target{std::string(url)};
    char* words = nullptr;
    PQconninfoOption* options = PQconninfoParse(target.url.c_str(), &words);
    if (options == nullptr) {
        PQfreemem(words);
        // Not all of it: there may be a password in it.
        return base::fail(ErrorCode::kStoreUrl,
                          {target.url.substr(0, target.url.find("//")) + "//…"});
    }
    for (const PQconninfoOption* each = options; each->keyword != nullptr; ++each) {
        if (std::string_view(each->keyword) == "options" && each->val != nullptr) {
            target.names_schema =
                std::string_view(each->val).find("search_path") != std::string_view::npos;
        }
    }
    PQconninfoFree(options);
    return target;
}

Connection::~Connection() {
    PQfinish(handle_);
}

Failure Connection::lost(std::string_view what) {
    return {Trouble::kLost, base::Error(ErrorCode::kStoreFailed,
                                        {std::string(what), words_of(PQerrorMessage(handle_))})};
}

Failure Connection::failure_of(const pg_result* result, const char* what) {
    const char* field = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const std::string_view state = field == nullptr ? "" : field;
    if (PQstatus(handle_) == CONNECTION_BAD) {
        return lost(what);
    }
    const std::string words = words_of(PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY));
    const Trouble trouble = trouble_of(state);
    if (state == "53100") {
        return {trouble, base::Error(ErrorCode::kStoreFull, {what})};
    }
    if (state == "25006") {
        return {trouble, base::Error(ErrorCode::kStoreRefuses, {words})};
    }
    return {trouble, base::Error(ErrorCode::kStoreFailed, {what, words})};
}

Answered<> Connection::wait(bool write, Deadline until) {
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
            Trouble::kLost,
            base::Error(ErrorCode::kStoreFailed, {"reach the server", "no answer in time"})});
    }
    return {};  // an interrupted wait is taken up again by the caller
}

Answered<> Connection::connect(Deadline until) {
    auto step = PGRES_POLLING_WRITING;
    while (step != PGRES_POLLING_OK) {
        if (step == PGRES_POLLING_FAILED) {
            return std::unexpected(lost("connect"));
        }
        pollfd socket = {PQsocket(handle_),
                         static_cast<short>(step == PGRES_POLLING_READING ? POLLIN : POLLOUT), 0};
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
        if (left <= 0) {
            return std::unexpected(
                Failure{Trouble::kLost,
                        base::Error(ErrorCode::kStoreFailed, {"connect", "no answer in time"})});
        }
        if (poll(&socket, 1, static_cast<int>(std::min<std::int64_t>(left, 60'000))) > 0) {
            step = PQconnectPoll(handle_);
        }
    }
    if (PQsetnonblocking(handle_, 1) != 0 || PQenterPipelineMode(handle_) != 1) {
        return std::unexpected(lost("connect"));
    }
    return {};
}

Answered<std::unique_ptr<Connection>> Connection::open(const Target& target,
                                                       std::span<const Statement* const> statements,
                                                       Deadline until) {
    // What comes before the url can be said otherwise in it, what comes after cannot. A peer that
    // does not even confirm what it is sent is given up long before the patience of a call is, so
    // that there is time for another try.
    const char* const names[] = {"fallback_application_name", "keepalives_idle",
                                 "tcp_user_timeout",          "dbname",
                                 "client_encoding",           nullptr};
    const char* const values[] = {"arbiter", "10", "5000", target.url.c_str(), "UTF8", nullptr};
    auto connection = std::make_unique<Connection>(PQconnectStartParams(names, values, 1));
    if (connection->handle_ == nullptr) {
        return std::unexpected(Failure{
            Trouble::kLost, base::Error(ErrorCode::kStoreFailed, {"connect", "out of memory"})});
    }
    if (PQstatus(connection->handle_) == CONNECTION_BAD) {
        return std::unexpected(connection->lost("connect"));
    }
    // Else libpq would print them.
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
        connection->takes_lists_ = who.number(0, 4).value_or(1) == 0;
    }
    return connection;
}

// ---- sending and receiving

void Connection::send(const Statement& statement, const Arguments& arguments) {
    std::array<const char*, Arguments::kMost> values = arguments.values_;
    std::array<int, Arguments::kMost> formats = {};
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

Answered<pg_result*> Connection::next(Deadline until) {
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
        // Reading also while there is more to send: else both sides might wait for each other.
        if (PQconsumeInput(handle_) != 1) {
            return std::unexpected(lost("receive"));
        }
    }
}

Answered<std::vector<Rows>> Connection::finish(Deadline until) {
    std::vector<Rows> answers;
    if (auto done = finish(answers, until); !done) {
        return std::unexpected(std::move(done).error());
    }
    return answers;
}

Answered<> Connection::finish(std::vector<Rows>& answers, Deadline until) {
    const std::vector<const Statement*> sent = std::exchange(sent_, {});
    if (std::exchange(send_failed_, false) || PQpipelineSync(handle_) != 1) {
        return std::unexpected(lost("send"));
    }
    answers.reserve(sent.size());
    std::optional<Failure> first;
    // The failure that came first, or else this one.
    const auto fail = [&](Failure failure) {
        return std::unexpected(first ? *std::move(first) : std::move(failure));
    };
    for (const Statement* statement : sent) {
        bool given = false;
        while (true) {
            auto result = next(until);
            if (!result) {
                return fail(std::move(result).error());
            }
            if (*result == nullptr) {
                break;
            }
            given = true;
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
        if (!given) {
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
        // Whatever it says: what was to be kept at the end may be.
        first->trouble = Trouble::kLost;
    }
    PQclear(*end);
    return first ? Answered<>(std::unexpected(*std::move(first))) : Answered<>();
}

Answered<> Connection::run_script(const char* name, const char* sql, Deadline until) {
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
    return first ? Answered<>(std::unexpected(*std::move(first))) : Answered<>();
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

Answered<std::vector<std::string>> Connection::calls(Deadline until) {
    std::vector<std::string> payloads;
    while (true) {
        if (PQconsumeInput(handle_) != 1) {
            return std::unexpected(lost("listen"));
        }
        while (PGnotify* call = PQnotifies(handle_)) {
            payloads.emplace_back(call->extra);
            PQfreemem(call);
        }
        if (!payloads.empty() || Clock::now() >= until) {
            return payloads;
        }
        if (auto waited = wait(false, until); !waited) {
            if (PQstatus(handle_) == CONNECTION_OK) {
                return payloads;  // nobody called
            }
            return std::unexpected(std::move(waited).error());
        }
    }
}

}  // namespace arbiter::ledger
