// Machine: what a Reader is inside. One pass over the stream; see reader/reader.h.
//
// In prose it looks for places where a block may begin (a tag, a fence, a JSON value, a call).
// There it hands over to a scanner, which takes the bytes as they come and says where the block
// ends, or that it is none. What is not yet known to be narrative is not shown; what is, is shown
// at once. The window holds only what somebody may still ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reader/internal/block.h"
#include "reader/internal/call_scan.h"
#include "reader/internal/json_scan.h"
#include "reader/internal/narrative.h"
#include "reader/internal/quotes.h"
#include "reader/internal/tags.h"
#include "reader/internal/window.h"
#include "reader/reader.h"

namespace arbiter::reader {

class Reader::Machine {
  public:
    explicit Machine(Options options);

    void feed(std::string_view bytes, Sink& sink);
    void finish(Sink& sink);

  private:
    enum class Mode : std::uint8_t {
        kProse,
        kJson,      // in a JSON value that may be a command
        kJsonSkip,  // in one that is too large
        kCall,      // between the brackets of a call
        kCallTail,  // behind them
        kRegion     // between two tags
    };
    // What finish() must know of a candidate.
    enum class Sort : std::uint8_t { kOther, kJson, kMvu, kLooseMemory };

    struct Fence {
        enum class State : std::uint8_t { kNone, kOpaque, kUndecided, kShown, kHidden };
        State state = State::kNone;
        char mark = 0;
        std::size_t marks = 0;
        std::size_t begin = 0;    // of the opening line
        std::size_t checked = 0;  // no narrative between its content's begin and here
        std::size_t junk_begin = 0;
        std::size_t junk_end = 0;
        enum class Line : std::uint8_t { kBlank, kSlash, kComment, kText };
        Line line = Line::kBlank;  // what the present line began with
        std::size_t nested = 0;    // fences inside a listing
    };
    struct Region {
        const internal::Tag* tag = nullptr;
        std::size_t begin = 0;    // of the opening tag
        std::size_t content = 0;  // behind it
        std::size_t scanned = 0;
        std::size_t line = 0;      // where quotes are counted from
        unsigned quotes = 0;       // which of the three kinds are open on this line, as bits
        bool skipping = false;     // too large: only its end is looked for
        bool alone = true;         // nothing but blanks stands before it on its line
        std::uint8_t thought = 0;  // the family of a tag of thinking that is open in it
    };

    bool show_plain(Sink& sink);
    [[nodiscard]] bool may_wait(std::string_view bytes) const;
    void reveal();
    void append_replacement();
    void run(Sink& sink, bool finished);
    bool prose(Sink& sink, bool finished);
    bool candidate_at(std::size_t at, Sink& sink, bool finished);
    bool begin_reply(Sink& sink, bool finished);
    bool tag_at(std::size_t at, Sink& sink, bool finished);
    bool fence_at(std::size_t at, Sink& sink, bool finished);
    bool json_at(std::size_t at, Sink& sink, bool finished);
    bool call_at(std::size_t at, Sink& sink, bool finished);
    bool pipe_at(std::size_t at, Sink& sink, bool finished);
    bool json(Sink& sink, bool finished);
    bool json_skip(Sink& sink, bool finished);
    bool call(Sink& sink, bool finished);
    bool call_tail(Sink& sink, bool finished);
    bool region(Sink& sink, bool finished);

    bool is_free(std::size_t at, Sink& sink, bool finished, bool& more);
    [[nodiscard]] bool at_line_start(std::size_t at) const;
    [[nodiscard]] bool starts_alone(std::size_t at) const;
    [[nodiscard]] std::string_view tail_of(std::size_t at) const;
    void json_is_text(std::size_t end, bool look_inside);
    void end_json(Sink& sink, std::size_t end, bool closed);
    void stray(const internal::Tag& tag, std::size_t at, std::size_t end, Sink& sink);
    [[nodiscard]] bool holds_region() const;
    void stream_region(Sink& sink, std::size_t to);
    void restart_region(Sink& sink, std::size_t at, std::size_t content);
    void end_region(Sink& sink, std::size_t content_end, std::size_t end, bool closed);
    void emit_component(Sink& sink, std::size_t content_end, std::size_t end);
    bool is_in_string(std::size_t at, std::size_t after, bool finished, bool& more);

    static bool is_readable_language(std::string_view info);
    void open_fence(Sink& sink, std::size_t at, std::size_t content, char mark, std::size_t marks,
                    bool readable);
    void close_fence(Sink& sink, std::size_t at, std::size_t end);
    void check_fence(std::size_t to);
    void add_junk(std::size_t to);
    void keep(std::string_view text);
    void show_kept(Sink& sink);
    void end_junk(Sink& sink);

    void begin_block(Sink& sink, std::size_t at);
    void end_block(std::size_t end);
    void show(Sink& sink, std::size_t to);
    internal::Source source(std::size_t begin, std::size_t end, bool closed);
    // Empty; the one before is gone.
    internal::Output& new_output();
    void emit(Sink& sink, internal::Output& output, bool tagged);
    void notice(Sink& sink, proposal::Notice::What what, std::string_view about, std::size_t begin,
                std::size_t end);
    static Sort sort_of(const proposal::Proposal& proposal, bool tagged);
    void settle(Sink& sink);
    void forget();

    static constexpr std::size_t kInfoMax = 64;          // of the line that opens a fence
    static constexpr std::size_t kMarksMax = 64;         // of a fence
    static constexpr std::size_t kLookBack = 64;         // text before a block that is still known
    static constexpr std::size_t kForgetMin = 16 << 10;  // text that it pays to forget

    const Options options_;
    const internal::TagTable tags_;
    internal::Window window_;
    internal::Narrative narrative_;
    internal::Quotes quotes_;
    std::optional<std::size_t> bad_utf8_;  // where the first broken bytes were

    Mode mode_ = Mode::kProse;
    bool begun_ = false;            // the beginning of the reply was looked at
    std::size_t scan_ = 0;          // prose was looked at up to here
    std::size_t shown_ = 0;         // and was shown, or taken out, up to here
    std::size_t block_ = 0;         // where the present block begins
    std::size_t block_end_ = 0;     // where the last one ended
    std::size_t json_blocked_ = 0;  // no JSON value begins before this
    std::size_t call_blocked_ = 0;  // no call begins before this
    std::optional<internal::JsonScan> json_scan_;
    std::optional<internal::CallScan> call_scan_;
    proposal::Dialect call_dialect_ = proposal::Dialect::kMvu;
    std::size_t call_name_ = 0;
    std::size_t call_name_size_ = 0;
    std::size_t call_paren_ = 0;
    std::size_t tail_seen_ = 0;
    Fence fence_;
    Region region_;
    internal::Output output_;  // of the last block; its room is used again
    std::string kept_;         // shown after all, if the fence or the thinking is never closed

    // What finish() needs to settle.
    std::vector<Sort> sorts_;
    std::vector<std::string> said_;  // by each candidate, where JSON and _. calls both stand
    std::uint32_t batch_ = 0;
    std::size_t beyond_ = 0;  // proposals over the limit
    std::size_t notices_ = 0;
    bool has_json_ = false;
    bool has_memory_tag_ = false;
    bool thought_ended_ = false;  // a closing tag of thinking came without its opening one
    std::size_t thought_candidates_ = 0;
    std::size_t thought_bytes_ = 0;
};

}  // namespace arbiter::reader
