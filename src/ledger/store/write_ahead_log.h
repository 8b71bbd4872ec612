// Inspection of the write-ahead log that an SQLite store leaves behind when its process ends
// without closing it.
//
// SQLite reads the log up to the first frame whose checksum is wrong and forgets the rest, since it
// cannot distinguish a transaction torn by a power cut from one that was acknowledged and damaged
// later. Most of the time the difference shows:
//   1. The index of the log (FILE-shm) names the last acknowledged frame. It is written after the
//      sync of a commit, so a shorter log has lost something.
//   2. A transaction is written only after the one before it was synced. A bad frame with a whole
//      transaction and the beginning of another behind it was whole once.
//   3. Checksums are linear: they show whether one changed word explains the difference. A torn
//      sector differs in many words, unless only the first words of a frame's header are in it:
//      such a header proves nothing.
// Anything else is normal: a last transaction that was never acknowledged, and frames of an older
// log (another salt).
//
// Pure functions of bytes, safe from any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace arbiter::ledger {

// Copies bytes of the log from an offset; false if they are not all there.
using ReadLog = std::function<bool(std::uint64_t at, char* to, std::size_t size)>;

struct LogReport {
    std::uint32_t frames = 0;  // of whole transactions that SQLite will read
    bool is_damaged = false;   // acknowledged transactions behind them cannot be read
    std::string first_page;    // page 1 as of the last of these frames; empty if it is not there
};

// The last frame that an index says was acknowledged, and the salt of its log. Nothing if the
// bytes (96 at least) are not an index of a running or killed process.
struct IndexedLog {
    std::uint32_t frames = 0;
    std::array<char, 8> salt = {};
};
std::optional<IndexedLog> read_log_index(std::string_view bytes);

// `page_size`: of the store's file, used where the log's own header is damaged.
LogReport inspect_log(const ReadLog& read, std::uint32_t page_size,
                      const std::optional<IndexedLog>& index);

// Puts the pages of the log's whole transactions into the content of the store's file.
void apply_log(const ReadLog& read, std::uint32_t page_size, std::string& image);

}  // namespace arbiter::ledger
