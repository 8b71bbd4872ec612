// Reader: a model's reply, as it streams in, becomes visible narrative and proposals.
//
//   Reader reader(options);
//   reader.feed("…", sink);   // any number of times, cut anywhere
//   reader.finish(sink);      // once
//
// Any way of cutting the same bytes gives the same events (neighbouring texts joined). Nothing
// stands before finish(): proposals come as candidates, and finish() says which of them lost (JSON
// instructions before _. calls, <updateMemory> before loose calls). What is hidden from the player
// does not depend on that. Total: any bytes are read in linear time, within base/limits.h.
//
// For one thread. A Reader reads one reply.
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

// Which dialects are read; blocks of the others stay in the text.
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

// What a tag's content is.
enum class TagMeaning : std::uint8_t {
    kIgnore,     // hidden and not executed
    kDisplay,    // the tags are hidden, the content is narrative
    kExecute,    // commands, of any dialect that is read
    kComponent,  // delivered to the host as a component
    kThinking    // hidden and never executed; cannot be given to a tag by a hint
};
// A tag that a protocol brings (parser_hints).
struct TagHint {
    std::string tag;
    TagMeaning meaning;
};

struct Options {
    Dialects dialects = Dialects::all();
    std::vector<TagHint> hints;
    bool hybrid_both = false;    // _. calls stand beside JSON instructions
    bool show_thinking = false;  // thinking is part of the visible text
};

class Sink {
  public:
    Sink() = default;
    Sink(const Sink&) = delete;
    Sink& operator=(const Sink&) = delete;
    virtual ~Sink() = default;

    // Visible narrative, in order. Whole UTF-8 characters.
    virtual void text(std::string_view text) = 0;
    // What the model thought, tags and all; not part of the narrative.
    virtual void thinking(std::string_view) {}
    virtual void candidate(proposal::Proposal&& proposal) = 0;
    virtual void component(proposal::Component) {}
    virtual void notice(proposal::Notice) {}
    // At finish: candidate number `index` (from 0) does not stand.
    virtual void lost(std::size_t index, std::string_view why) = 0;
};

class Reader {
  public:
    explicit Reader(Options options = {});
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
//   const std::size_t shown = collector.text().size();
//   Reading reading = collector.finish();    // once
//   show(reading.text.substr(shown));        // text that was held back until the end
//
// For one thread.
class Collector {
  public:
    explicit Collector(Options options = {}) : reader_(std::move(options)) {}

    // Reads more of the reply. Returns the visible text that became known, empty if none did. The
    // view is valid until the next call.
    std::string_view feed(std::string_view bytes);
    // The visible text so far; the views that feed() returned, joined.
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
};

// Reads a complete reply.
Reading read(std::string_view reply, const Options& options = {});

}  // namespace arbiter::reader
