// ReplyStream: reads a reply while it streams in, and gives out the text that is shown: the
// narrative, or for a host that reads the blocks of commands itself, the text with these.
//
// Used as reader::Collector is. Not thread-safe.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reader/reader.h"

namespace arbiter::turn {

// The texts of the rounds of a reply with their blocks, joined: only thinking and hidden elements
// are left out.
std::string with_blocks(const std::vector<std::string>& rounds, const reader::Options& options);

class ReplyStream {
  public:
    explicit ReplyStream(std::shared_ptr<const reader::PreparedOptions> options)
        : narrative_(std::move(options)) {}
    // From the beginning on, the text to be shown has its blocks.
    void keep_blocks(const reader::Options& options);

    // Reads more of the reply. Returns the text to be shown that became known; valid until the next
    // call.
    std::string_view feed(std::string_view bytes);
    // Whether the last call withdrew the text before: it was thinking.
    [[nodiscard]] bool withdrew() const noexcept { return shown().withdrew(); }
    // The text to be shown so far.
    [[nodiscard]] std::string_view text() const noexcept { return shown().text(); }
    struct Reply {
        reader::Reading reading;
        std::string shown;  // all of the text to be shown
    };
    // Ends the reply. Nothing may be fed afterwards.
    [[nodiscard]] Reply finish();

  private:
    [[nodiscard]] const reader::Collector& shown() const noexcept {
        return blocks_ != nullptr ? *blocks_ : narrative_;
    }

    reader::Collector narrative_;
    std::unique_ptr<reader::Collector> blocks_;  // nullptr: blocks are not shown
};

}  // namespace arbiter::turn
