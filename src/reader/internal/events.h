// Events: the way from the block readers to the sink. Joins the narrative around blocks, limits the
// notices, and counts the candidates for the settlement at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/lazy.h"
#include "reader/internal/block.h"
#include "reader/internal/narrative.h"
#include "reader/internal/settlement.h"
#include "reader/internal/wrappers.h"
#include "reader/reader.h"

namespace arbiter::reader::internal {

class Events {
  public:
    explicit Events(const Options& options) noexcept
        : settlement_(options.hybrid_both), shows_thinking_(options.show_thinking) {}

    // The receiver of the events of one feed; borrowed until the next call.
    void set_sink(Sink& sink) noexcept { sink_ = &sink; }

    void text(std::string_view text);
    // A block was removed from the narrative here.
    void cut() { wrappers_.cut(narrative_); }
    void thinking(std::string_view text) { sink_->thinking(text); }
    void component(proposal::Component&& component);
    // Dropped beyond base::kNoticesMax, unless it asks the host for something.
    void notice(proposal::Notice::Kind kind, std::string_view about, std::size_t begin,
                std::size_t end);

    // An empty output; the one returned before becomes invalid.
    Output& new_output();
    // Passes on the content of a block, which was a tag if `tagged`.
    void emit(Output& output, bool tagged);
    // The number of the block that is read, for proposals of one block.
    [[nodiscard]] std::uint32_t batch() const noexcept { return batch_; }

    void add_memory_tag() noexcept { settlement_.add_memory_tag(); }
    // Thinking opens: the reply did not begin inside it.
    void begin_thinking() noexcept {
        thinking_opened_ = true;
        expects_closer_ = false;
        is_first_ = !narrative_.has_begun() && !wrappers_.is_holding();
    }
    // Thinking has ended, but a tag inside it may have been nested: the next closing mark may end
    // it once more. Not if narrative is before it, which is not a thought.
    void expect_closer() noexcept { expects_closer_ = is_first_; }
    [[nodiscard]] bool has_thinking() const noexcept { return thinking_opened_; }
    // A closing mark of thinking that has no opening one. Unless thinking was opened before
    // and has ended, everything so far was thought, provided that anything follows.
    void end_thinking(std::string_view name, std::string_view mark, std::size_t at);

    // The end of the reply. `first_replaced` is the offset of the first U+FFFD that replaced broken
    // bytes.
    void finish_text() {
        wrappers_.finish(narrative_, *sink_);
        narrative_.finish(*sink_);
    }
    void settle(std::optional<std::size_t> first_replaced);

  private:
    // The text behind a lone closing mark begins.
    void withdraw_thought();

    struct LoneCloser {
        std::string name;
        std::string mark;  // the tag as it is written
        std::size_t at = 0;
        std::size_t candidates = 0;  // before it
    };

    Sink* sink_ = nullptr;
    Narrative narrative_;
    Wrappers wrappers_;  // on the way to it
    Settlement settlement_;
    base::Lazy<Output> output_;  // of the last block; reused for its capacity
    std::uint32_t batch_ = 0;
    std::size_t notices_ = 0;
    const bool shows_thinking_;
    bool thinking_opened_ = false;
    bool is_first_ = false;        // nothing was shown before this thinking
    bool expects_closer_ = false;  // a closing mark means that everything so far was thought
    std::unique_ptr<const LoneCloser> lone_closer_;  // nothing has followed it yet
};

}  // namespace arbiter::reader::internal
