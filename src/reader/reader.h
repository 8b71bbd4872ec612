// Reader: splits a model's reply, as it streams in, into visible narrative and proposals.
//
//   Reader reader(options);
//   reader.feed("…", sink);   // any number of times, cut anywhere
//   reader.finish(sink);      // once
//
// The events do not depend on how the bytes are cut, if adjacent texts are joined. Proposals are
// candidates until finish(), which reports those that are rejected (JSON instructions take
// precedence over _. calls, <updateMemory> over calls outside it). The visible text does not depend
// on that. Total: accepts any bytes, in linear time, within base/limits.h.
//
// A Reader reads one reply. Not thread-safe.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proposal/proposal.h"

namespace arbiter::reader {

// A set of dialects. Blocks of dialects that are not enabled stay in the text.
class Dialects {
  public:
    constexpr Dialects() noexcept = default;
    constexpr Dialects(std::initializer_list<proposal::Dialect> dialects) noexcept {
        for (const proposal::Dialect dialect : dialects) {
            add(dialect);
        }
    }
    static constexpr Dialects all() noexcept {
        Dialects dialects;
        dialects.bits_ = (1U << static_cast<unsigned>(proposal::Dialect::kCount)) - 1U;
        return dialects;
    }
    constexpr void add(proposal::Dialect dialect) noexcept {
        bits_ |= 1U << static_cast<unsigned>(dialect);
    }
    [[nodiscard]] constexpr bool has(proposal::Dialect dialect) const noexcept {
        return (bits_ & (1U << static_cast<unsigned>(dialect))) != 0;
    }
    [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }
    friend constexpr bool operator==(const Dialects&, const Dialects&) noexcept = default;

  private:
    std::uint32_t bits_ = 0;
};

// The meaning of a tag's content.
enum class TagMeaning : std::uint8_t {
    kIgnore,     // hidden and not executed
    kDisplay,    // the tags are hidden, the content is narrative
    kExecute,    // commands of any enabled dialect
    kComponent,  // delivered to the host as a component
    kThinking    // hidden and never executed; not available to hints
};
// A tag that a protocol declares (parser_hints).
struct TagHint {
    std::string tag;
    TagMeaning meaning;
    bool hidden = false;  // of a component: it is not to be displayed
};

struct Options {
    Dialects dialects = Dialects::all();
    std::vector<TagHint> hints;
    bool hybrid_both = false;    // accept _. calls beside JSON instructions
    bool show_thinking = false;  // thinking is part of the visible text
};

// Options that many readers use: what they need of them is made once. Immutable; may be shared
// between threads.
struct PreparedOptions;
std::shared_ptr<const PreparedOptions> prepare(Options options);

class Sink {
  public:
    Sink() = default;
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;
    virtual ~Sink() = default;

    // Visible narrative, in order. Whole UTF-8 characters.
    virtual void text(std::string_view text) = 0;
    // Everything so far was thinking after all (only the closing tag is there): texts, components
    // and notices are void.
    virtual void withdraw() = 0;
    // The model's thinking with its tags; not part of the narrative.
    virtual void thinking(std::string_view) {}
    virtual void candidate(proposal::Proposal&& proposal) = 0;
    virtual void component(proposal::Component) {}
    virtual void notice(proposal::Notice) {}
    // During finish(), in ascending order: candidate `index`, counted from 0, is rejected.
    virtual void lost(std::size_t index, std::string_view why) = 0;
};

class Reader {
  public:
    explicit Reader(Options options = {});
    explicit Reader(std::shared_ptr<const PreparedOptions> options);
    Reader(Reader&&) noexcept;
    Reader& operator=(Reader&&) noexcept;
    ~Reader();

    void feed(std::string_view bytes, Sink& sink);
    void finish(Sink& sink);

  private:
    class Machine;
    std::unique_ptr<Machine> machine_;
};

// The complete result of one reply.
struct Reading {
    struct Lost {
        proposal::Proposal proposal;
        std::string why;
    };
    std::string text;
    std::string thinking;
    std::vector<proposal::Proposal> proposals;  // accepted candidates, in text order
    std::vector<Lost> lost;
    std::vector<proposal::Component> components;
    std::vector<proposal::Notice> notices;
};

// Reads one reply and collects its events, so that a reply that is shown while it streams in is
// read only once.
//
//   Collector collector(options);
//   show(collector.feed("…"));               // any number of times
//   if (collector.withdrew()) …               // the texts before are void
//   const std::size_t shown = collector.text().size();
//   Reading reading = collector.finish();    // once
//   show(reading.text.substr(shown));        // text that was held back until the end
//
// Not thread-safe.
class Collector {
  public:
    explicit Collector(Options options = {}) : reader_(std::move(options)) {}
    explicit Collector(std::shared_ptr<const PreparedOptions> options)
        : reader_(std::move(options)) {}

    // Reads more of the reply. Returns the visible text that became known, empty if none did. The
    // view is valid until the next call.
    std::string_view feed(std::string_view bytes);
    // Whether the last feed() or finish() withdrew the text before: it was thinking.
    [[nodiscard]] bool withdrew() const noexcept { return withdrew_; }
    // The visible text so far; the views that feed() returned since it was last withdrawn, joined.
    [[nodiscard]] std::string_view text() const noexcept { return reading_.text; }
    // Ends the reply. Nothing may be fed afterwards.
    [[nodiscard]] Reading finish();

  private:
    class Events;
    struct Loss {
        std::size_t index;
        std::string why;
    };
    Reader reader_;
    Reading reading_;
    std::vector<Loss> losses_;  // ascending
    bool withdrew_ = false;
};

// Reads a complete reply.
Reading read(std::string_view reply, const Options& options = {});
Reading read(std::string_view reply, std::shared_ptr<const PreparedOptions> options);

}  // namespace arbiter::reader
