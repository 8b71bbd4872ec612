// Redaction: everything that leaves Arbiter for a player passes here. Interfaces towards a player
// take PlayerText and PlayerValue, which only a Redactor can make, so that an unredacted text does
// not compile.
//
// Two things are hidden: the text of a goal that the campaign hides, wherever it is quoted, and the
// content of nodes that are switched off for the model (engine/marks.h). A goal is recognised in
// any case and width, with or without white space and punctuation, from eight of its characters on,
// or from half of it where that is less.
//
// A Redactor is immutable and may be shared; a RedactedStream belongs to one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "value/value.h"

namespace arbiter::table {

class PlayerText {
  public:
    PlayerText() = default;
    [[nodiscard]] const std::string& str() const noexcept { return text_; }
    [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
    friend bool operator==(const PlayerText&, const PlayerText&) = default;

  private:
    friend class Redactor;
    explicit PlayerText(std::string text) : text_(std::move(text)) {}
    std::string text_;
};

class PlayerValue {
  public:
    PlayerValue() = default;
    [[nodiscard]] const value::Value& get() const noexcept { return value_; }

  private:
    friend class Redactor;
    explicit PlayerValue(value::Value value) : value_(std::move(value)) {}
    value::Value value_;
};

// Whether a viewer sees what is hidden.
enum class Viewer : bool { kPlayer, kOperator };

class Redactor {
  public:
    // The secrets of a document. An operator sees everything unchanged.
    explicit Redactor(const value::Value& document, Viewer viewer = Viewer::kPlayer);

    [[nodiscard]] PlayerText text(std::string_view text) const;
    // Parts without a secret stay shared with `value`.
    [[nodiscard]] PlayerValue value(const value::Value& value) const;
    // False if text() returns every text unchanged.
    [[nodiscard]] bool has_secret() const noexcept { return secret_ != nullptr; }

  private:
    friend class RedactedStream;
    struct Secret;
    [[nodiscard]] value::Value redacted(const value::Value& value) const;

    std::shared_ptr<const Secret> secret_;  // nullptr: no hidden goal
    Viewer viewer_;
};

// A text that streams in: the pieces that are given out, joined, are text() of the whole. The end
// of a text that could be the beginning of a secret is held back.
class RedactedStream {
  public:
    explicit RedactedStream(Redactor redactor) : redactor_(std::move(redactor)) {}
    PlayerText feed(std::string_view piece);
    PlayerText finish();

  private:
    Redactor redactor_;
    std::string pending_;
};

}  // namespace arbiter::table
