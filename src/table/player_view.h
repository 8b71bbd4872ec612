// Redaction: all output to a player passes through here. Interfaces to a player take PlayerText and
// PlayerValue, which only a Redactor can construct, so that passing unredacted text does not
// compile.
//
// Two things are hidden: quotations of a hidden goal, and the content of nodes that are disabled
// for the model (engine/marks.h). A quotation is a run of at least eight characters of the goal, or
// half of the goal if that is shorter. Matching ignores case, width, white space and punctuation.
// Views of the past also hide what was hidden then: during().
//
// A Redactor is immutable and may be shared; a RedactedStream belongs to one thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "value/diff.h"
#include "value/path.h"
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

// A player gets redacted output, an operator the original.
enum class Viewer : bool { kPlayer, kOperator };

class Redactor {
  public:
    // Takes the secrets from a document. For an operator, all output is unchanged.
    explicit Redactor(const value::Value& document, Viewer viewer = Viewer::kPlayer);

    [[nodiscard]] PlayerText text(std::string_view text) const;
    // The result shares the parts without a secret with `value`.
    [[nodiscard]] PlayerValue value(const value::Value& value) const;
    // A value of a path: also masks what is hidden at the path or below it in the document.
    [[nodiscard]] PlayerValue value_at(const value::Path& path, const value::Value& value) const;
    // Records of what was done (audit records, turn logs, diffs): the values of an object that
    // names a path are masked as those of that path.
    [[nodiscard]] PlayerValue records(const value::Value& records) const;
    // Masks the values of a change within a hidden node.
    [[nodiscard]] value::Change change(value::Change change) const;
    // True if the path leads into a hidden node of the document.
    [[nodiscard]] bool hides(const value::Path& path) const;
    // True if there is a hidden node at the path or below it.
    [[nodiscard]] bool covers(const value::Path& path) const;
    // A redactor that also hides what was hidden before or after a turn.
    [[nodiscard]] Redactor during(const value::Value& before, const value::Value& after) const;
    // False if text() returns every text unchanged.

  private:
    friend class RedactedStream;
    struct Secret;
    using Nodes = std::vector<const value::Value*>;
    // `nodes`: what the documents have at the place of the value.
    [[nodiscard]] value::Value redacted(const value::Value& value, const Nodes& nodes) const;
    [[nodiscard]] value::Value redacted_record(const value::Value& record) const;
    [[nodiscard]] value::Value redacted_entry(const value::Object& entry,
                                              const value::Path& path) const;
    [[nodiscard]] Nodes nodes_at(const value::Path& path) const;

    std::vector<value::Value> documents_;   // whose marks hide nodes
    std::shared_ptr<const Secret> secret_;  // nullptr: no hidden goal
    Viewer viewer_;
};

// Redacts a stream: the concatenated output equals text() of the concatenated input. A suffix that
// could be the beginning of a secret is held back until the next feed() or finish().
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
