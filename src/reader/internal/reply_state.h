// ReplyState: the state that the readers of one reply share: the text so far, how far it was read,
// and what was shown of it.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "reader/internal/block.h"
#include "reader/internal/display.h"
#include "reader/internal/events.h"
#include "reader/internal/prepared_options.h"
#include "reader/internal/quotes.h"
#include "reader/internal/scan.h"
#include "reader/internal/tags.h"
#include "reader/internal/window.h"
#include "reader/reader.h"

namespace arbiter::reader::internal {

struct ReplyState {
    explicit ReplyState(std::shared_ptr<const PreparedOptions> reader_options);
    ReplyState(const ReplyState&) = delete;
    ReplyState& operator=(const ReplyState&) = delete;

    // ---- moving on

    // Narrative continues at `at`, and no quote is open there.
    void resume(std::size_t at) noexcept;
    // The block that begin_block() began ends at `end`.
    void begin_block(std::size_t at) { display.begin_block(at); }
    void end_block(std::size_t end);

    // ---- the text around a place

    // Whether `at` is quoted. kDone: `scanned` moved behind the quote. kMore: text before `at` was
    // shown.
    Scan check_quoted(std::size_t at, Quotes::Place place = Quotes::Place::kText);
    // Only blanks are before `at` on its line.
    [[nodiscard]] bool at_line_start(std::size_t at) const;
    // Only blanks, list marks and other commands are before `at` on its line.
    [[nodiscard]] bool starts_alone(std::size_t at) const;
    // The last bytes before `at`, back to the last block at most: enough for the name of a call.
    [[nodiscard]] std::string_view tail_of(std::size_t at) const;

    // Text before `at` may be dropped: its lines are counted.
    void count_lines(std::size_t at);

    // The source of a block from `begin` to `end`; `closed` if the block has its own end.
    [[nodiscard]] Source source(std::size_t begin, std::size_t end, bool closed) const;

    // Distance that at_line_start() and starts_alone() look back. That much text is kept before
    // every block, so that the result does not depend on how the text was cut into pieces.
    static constexpr std::size_t kLookBack = 64;

    const std::shared_ptr<const PreparedOptions> prepared;
    const Options& options;
    const TagTable& tags;
    Window window;
    Events events;
    Display display;
    Quotes quotes;
    std::size_t known = 0;      // an offset whose position is known, not behind the window
    Position known_position;    // of it
    std::size_t scanned = 0;    // blocks were looked for up to here
    std::size_t block_end = 0;  // where the last block ended
    bool finished = false;      // the reply is complete
};

}  // namespace arbiter::reader::internal
