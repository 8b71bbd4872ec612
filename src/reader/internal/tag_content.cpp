#include "reader/internal/tag_content.h"

#include <algorithm>

#include "reader/blanks.h"
#include "reader/internal/call_scan.h"
#include "reader/internal/calls.h"
#include "reader/internal/filament.h"
#include "reader/internal/glyph.h"
#include "reader/internal/json_commands.h"
#include "reader/internal/literal_entries.h"
#include "reader/internal/window.h"
#include "reader/internal/yaml_block.h"

namespace arbiter::reader::internal {

using proposal::Code;
using proposal::Dialect;
using proposal::Notice;
using proposal::Op;
using value::Object;
using value::Path;
using value::Value;

namespace {

// Reads the content of one tag.
class TagContent {
  public:
    TagContent(Output& output, const Source& source, BlockKind block, const TagTable& table)
        : output_(output), source_(source), block_(block), table_(table) {}

    void run() {
        const std::string_view text = source_.text;
        if (block_ == BlockKind::kPatch && read_yaml()) {
            return;
        }
        while (at_ < text.size()) {
            const std::size_t before = at_;
            skip_between();
            if (at_ >= text.size()) {
                break;
            }
            if (!tag() && !fence() && !literal() && !call()) {
                skip_ignored();
            }
            if (at_ == before) {
                ++at_;  // guarantees progress
            }
        }
        end_ignored();
    }

  private:
    // Skips blanks, comments and separators.
    void skip_between() {
        const std::string_view text = source_.text;
        while (at_ < text.size()) {
            const std::string_view rest = text.substr(at_);
            if (const std::size_t blank = blank_at(text, at_); blank > 0) {
                at_ += blank;
            } else if (rest.starts_with("//")) {
                at_ = std::min(text.find('\n', at_), text.size());
            } else if (rest.starts_with("/*")) {
                skip_to("*/");
            } else if (rest.starts_with("<!--")) {
                skip_to("-->");
            } else if (const char c = glyph_at(text, at_).ascii; c == ';' || c == ',') {
                at_ += glyph_at(text, at_).size;
            } else {
                return;
            }
        }
    }
    void skip_to(std::string_view closer) {
        const std::size_t end = source_.text.find(closer, at_);
        at_ = end == std::string_view::npos ? source_.text.size() : end + closer.size();
    }

    // <analysis> is skipped, <JSONPatch> is read. False: not a tag of the table.
    bool tag() {
        const std::string_view rest = source_.text.substr(at_);
        TagText found;
        if (rest[0] != '<' || scan_tag(rest, table_, true, found) != Scan::kDone) {
            return false;
        }
        const Tag& tag = *table_.find(found.name);
        if (found.closing || found.empty) {
            at_ += found.size;
            return true;
        }
        const std::size_t begin = at_ + found.size;
        const auto [end, after] = find_closing_tag(tag, begin);
        if (tag.meaning == TagMeaning::kThinking && end == source_.text.size()) {
            end_unclosed_thinking(tag, begin);
            return true;
        }
        if (tag.meaning == TagMeaning::kThinking) {
            output_.thinking += source_.text.substr(at_, after - at_);
        }
        at_ = after;
        if (tag.meaning == TagMeaning::kExecute && !is_about_protocol(tag.block) && depth_ == 0) {
            Source inner = source_.part(begin, end);
            inner.closed = source_.closed || after < source_.text.size();
            TagContent content(output_, inner, tag.block, table_);
            content.depth_ = depth_ + 1;
            content.run();
        }
        return true;
    }

    // Thinking without its closing tag ends where the commands begin, if nothing but commands
    // follows. Otherwise it is unknown which commands were only thought: refused.
    void end_unclosed_thinking(const Tag& tag, std::size_t begin) {
        const std::string_view text = source_.text;
        std::size_t commands = text.size();
        bool mixed = false;
        for (std::size_t line = begin; line < text.size();) {
            const std::size_t end = std::min(text.find('\n', line), text.size());
            std::size_t first = line;
            skip_blanks(text, first);
            if (first < end) {
                const std::string_view words = text.substr(first, end - first);
                const char mark = glyph_at(text, first).ascii;
                const bool opens =
                    mark == '[' || mark == '{' || find_command(words, true) == Scan::kDone;
                constexpr std::string_view kInside = "\"'`]}),;:0123456789/";
                if (opens) {
                    commands = std::min(commands, first);
                } else if (commands < text.size() &&
                           (mark == 0 || kInside.find(mark) == std::string_view::npos)) {
                    mixed = true;
                }
            }
            line = end + 1;
        }
        note(output_, source_, Notice::Kind::kUnclosed, tag.name, {at_, commands});
        if (mixed) {
            refuse_unreadable(
                output_, source_,
                source_.reads(Dialect::kFilament) ? Dialect::kFilament : Dialect::kMvu,
                {at_, text.size()}, at_, "unclosed_tag");
            commands = text.size();
        }
        output_.thinking += text.substr(at_, commands - at_);
        at_ = commands;
    }

    // Where the closing tag of `tag` begins and ends; the end of the text if it is missing.
    [[nodiscard]] Range find_closing_tag(const Tag& tag, std::size_t at) const {
        const std::string_view text = source_.text;
        while ((at = text.find("</", at)) != std::string_view::npos) {
            TagText closer;
            if (scan_tag(text.substr(at), table_, true, closer) == Scan::kDone &&
                table_.find(closer.name)->family == tag.family) {
                return {at, at + closer.size};
            }
            at += 2;
        }
        return {text.size(), text.size()};
    }

    // Skips the lines ```json and ``` around the commands.
    bool fence() {
        const std::string_view text = source_.text;
        if (!text.substr(at_).starts_with("```") && !text.substr(at_).starts_with("~~~")) {
            return false;
        }
        const char mark = text[at_];
        while (at_ < text.size() && text[at_] == mark) {
            ++at_;
        }
        while (at_ < text.size() && (is_letter(text[at_]) || is_digit(text[at_]))) {
            ++at_;
        }
        return true;
    }

    bool literal() {
        const std::string_view text = source_.text;
        const Glyph first = glyph_at(text, at_);
        if ((first.ascii != '[' && first.ascii != '{') || block_ == BlockKind::kMemory) {
            return false;
        }
        end_ignored();
        if (first.ascii == '[' && is_filament_list()) {
            read_filament_list(output_, source_, at_);
            return true;
        }
        const std::size_t begin = at_;
        const Dialect dialect = dialect_of_json();
        auto parsed = parse_literal(text, at_);
        if (!parsed) {
            at_ = text.size();
            refuse_literal(output_, source_, dialect, {begin, at_}, parsed.error());
            return true;
        }
        at_ = parsed->end;
        read_value(*parsed, {begin, at_}, dialect);
        return true;
    }

    // [SET, …] or [[SET, …], …], not [{…}] and not a list of a patch.
    bool is_filament_list() const {
        if (block_ == BlockKind::kPatch || block_ == BlockKind::kToolCall ||
            !source_.reads(Dialect::kFilament)) {
            return false;
        }
        std::size_t at = at_ + glyph_at(source_.text, at_).size;
        skip_blanks(source_.text, at);
        if (at >= source_.text.size()) {
            return false;
        }
        const char next = glyph_at(source_.text, at).ascii;
        return next != '{' && next != ']';
    }

    Dialect dialect_of_json() const {
        switch (block_) {
            case BlockKind::kToolCall:
                return Dialect::kTool;
            case BlockKind::kPatch:
                return Dialect::kPatch;
            case BlockKind::kMvuUpdate:
                if (source_.reads(Dialect::kPatch)) {
                    return Dialect::kPatch;
                }
                [[fallthrough]];
            default:
                return source_.reads(Dialect::kFilament) ? Dialect::kFilament : Dialect::kPatch;
        }
    }

    void read_value(const Literal& literal, Range range, Dialect dialect) {
        const Value& value = literal.value;
        if (block_ == BlockKind::kToolCall) {
            const Value* calls = value.is_object() ? value.as_object().find("tool_calls") : nullptr;
            read_tools(output_, source_, literal, calls != nullptr ? *calls : value, range);
            return;
        }
        // {"ops": […], "analysis": …}, and the answers of MVU's second model.
        if (value.is_object() && !value.as_object().contains("op")) {
            for (const std::string_view name :
                 {"ops", "json_patch", "jsonPatch", "patch", "delta"}) {
                const Value* operations = value.as_object().find(name);
                if (operations != nullptr && operations->is_array()) {
                    read_patch(output_, source_, literal, *operations, {name}, range, dialect);
                    return;
                }
            }
        }
        const Value* first =
            value.is_array() && !value.as_array().empty() ? &value.as_array()[0] : &value;
        const bool listed = first->is_object() && first->as_object().contains("path") &&
                            first->as_object().find("path")->is_array();
        if (value.is_array() && value.as_array().empty()) {
            return;
        }
        if (listed && source_.reads(Dialect::kJson)) {
            read_instructions(output_, source_, literal, range);
            return;
        }
        const bool has_op = first->is_object() && first->as_object().contains("op");
        if (has_op || block_ == BlockKind::kPatch) {
            read_patch(output_, source_, literal, value, {}, range, dialect);
            return;
        }
        if (!read_json(output_, source_, literal, range)) {
            note(output_, source_, Notice::Kind::kIgnored, "not_a_command", range);
        }
    }

    bool read_yaml() {
        std::size_t at = 0;
        skip_blanks(source_.text, at);
        if (!source_.text.substr(at).starts_with("- ")) {
            return false;
        }
        Literal literal;
        if (auto list = parse_yaml_block(source_.text)) {
            literal.value = std::move(*list);
            read_patch(output_, source_, literal, literal.value, {}, {0, source_.text.size()},
                       Dialect::kPatch);
            return true;
        }
        return false;
    }

    bool call() {
        const std::string_view text = source_.text;
        if (block_ == BlockKind::kPatch || block_ == BlockKind::kToolCall) {
            return false;
        }
        // Up to the bracket.
        std::size_t paren = at_;
        while (paren < text.size() && paren - at_ < 32 && text[paren] != '\n' &&
               glyph_at(text, paren).ascii != '(') {
            ++paren;
        }
        if (paren >= text.size() || glyph_at(text, paren).ascii != '(') {
            return false;
        }
        const auto head = call_head(text.substr(0, paren));
        const bool wanted = head && head->begin == at_ &&
                            (head->dialect == Dialect::kMemory ? source_.reads(Dialect::kMemory)
                                                               : block_ != BlockKind::kMemory);
        if (!wanted) {
            return false;
        }
        end_ignored();
        const Glyph bracket = glyph_at(text, paren);
        if (window_.end() == 0) {
            window_.append(text);
        }
        CallScan scan(paren + bracket.size, lookahead_);
        scan.advance(window_, true);
        Call call;
        call.dialect = head->dialect;
        call.name = head->name;
        call.bracket = scan.is_closed();
        call.closed = scan.is_closed() || (source_.closed && !scan.is_in_string());
        call.arguments = scan.arguments();
        call.open_quote = scan.open_quote();
        std::size_t seen = 0;
        const auto tail = call_tail(text.substr(scan.end()), true, seen);
        const std::size_t end = std::max(scan.end(), scan.end() + tail->end);
        call.reason = tail->reason;
        call.reason_below = tail->below;
        call.repaired =
            !scan.is_closed() || !tail->semicolon || bracket.wide || scan.has_wide_marks();
        call.range = {at_, end};
        at_ = end;
        if (call.dialect == Dialect::kMemory) {
            call.repaired = !scan.is_closed() || bracket.wide || scan.has_wide_marks();
            read_memory_call(output_, source_, call);
        } else {
            read_mvu_call(output_, source_, call);
        }
        return true;
    }

    // Text that is not a command: up to the end of the line, or to a call on it.
    void skip_ignored() {
        const std::string_view text = source_.text;
        ignored_begin_ = ignored_begin_ == std::string_view::npos ? at_ : ignored_begin_;
        std::size_t at = at_ + 1;
        while (at < text.size() && text[at] != '\n') {
            if (glyph_at(text, at).ascii == '(') {
                if (const auto head = call_head(text.substr(0, at)); head && head->begin > at_) {
                    at = head->begin;
                    break;
                }
            }
            if (text[at] == '<') {
                break;
            }
            ++at;
        }
        at_ = at;
        ignored_end_ = at;
    }
    void end_ignored() {
        if (ignored_begin_ != std::string_view::npos) {
            note(output_, source_, Notice::Kind::kIgnored, "not_a_command",
                 {ignored_begin_, ignored_end_});
            ignored_begin_ = std::string_view::npos;
        }
    }

    Output& output_;
    const Source source_;
    BlockKind block_;
    const TagTable& table_;
    Window window_;  // a copy of the text, made when the first call needs it
    std::size_t lookahead_ = CallScan::kLookahead;
    std::size_t at_ = 0;
    std::size_t ignored_begin_ = std::string_view::npos;
    std::size_t ignored_end_ = 0;
    std::size_t depth_ = 0;  // of tags in tags
};

}  // namespace

void read_tag_content(Output& output, const Source& source, BlockKind block,
                      const TagTable& table) {
    // Reserves for the usual number of commands in a text of this size, to avoid moving them.
    constexpr std::size_t kUsualBytes = 40;
    constexpr std::size_t kReserveMax = 8;
    output.proposals.reserve(std::min(source.text.size() / kUsualBytes, kReserveMax));
    switch (block) {
        case BlockKind::kInsert:
            read_variable_tag(output, source, Op::kEnsure);
            return;
        case BlockKind::kEdit:
            read_variable_tag(output, source, Op::kSet);
            return;
        case BlockKind::kRemove:
            read_variable_tag(output, source, Op::kDelete);
            return;
        case BlockKind::kUseProtocol: {
            const std::string_view id = trim(source.text);
            if (!id.empty()) {
                note(output, source, Notice::Kind::kUseProtocol, id, {0, source.text.size()});
            }
            return;
        }
        case BlockKind::kEndProtocol:
            note(output, source, Notice::Kind::kEndProtocol, trim(source.text),
                 {0, source.text.size()});
            return;
        case BlockKind::kNone:
        case BlockKind::kUpdate:
        case BlockKind::kMvuUpdate:
        case BlockKind::kMemory:
        case BlockKind::kPatch:
        case BlockKind::kToolCall:
        case BlockKind::kScript:
            break;
    }
    TagContent(output, source, block, table).run();
}

}  // namespace arbiter::reader::internal
