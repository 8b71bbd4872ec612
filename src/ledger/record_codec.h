// Record codec: compresses the texts of a record, some KB each, against words that both sides know.
//
// A text becomes a sequence of symbols: bytes, and repetitions of earlier bytes. The codes of the
// symbols are constants. A general compressor measures each text and makes codes for it, which
// takes most of its time when a text is this short, and its larger code runs cold once in a turn.
// docs/ledger.md describes the bytes. They are part of the record format and never change.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbiter::ledger {

// Not thread-safe.
class RecordEncoder {
  public:
    explicit RecordEncoder(std::string_view words);

    // Forgets the texts before.
    void restart();
    // Appends a text, compressed against the words and the texts since restart().
    void append(std::string& out, std::string_view text);

  private:
    void append_symbols(std::string& out, std::size_t begin);

    // The low bits of the last place at which bytes of some hash were.
    using Places = std::vector<std::uint16_t>;
    std::size_t words_ = 0;  // bytes of them
    std::string known_;      // the words and the texts
    Places places_of_words_;
    Places places_;
};

// The text that an encoder made `coded` of. `known` are its words and its texts before. Input is
// not trusted: fails with kCorrupt, also if the text has more than `bytes_max` bytes.
base::Result<std::string> decode_text(std::string_view coded, std::string_view known,
                                      std::size_t bytes_max);

}  // namespace arbiter::ledger
