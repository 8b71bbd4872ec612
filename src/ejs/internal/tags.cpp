#include "ejs/internal/tags.h"

#include <algorithm>

namespace arbiter::ejs::internal {
namespace {

constexpr std::string_view kEscape = "<#escape-ejs>";
constexpr std::string_view kEscapeEnd = "<#/escape-ejs>";

bool is_blank(char c) noexcept {
    return c == ' ' || c == '\t';
}

class Splitter {
  public:
    explicit Splitter(std::string_view text) : text_(text) {}

    std::expected<std::vector<Piece>, Failure> run() {
        while (at_ < text_.size()) {
            const std::size_t next = find_mark();
            if (next == text_.size()) {
                break;
            }
            if (const std::string_view rest = text_.substr(next); rest.starts_with(kEscape)) {
                escape(next);
            } else if (rest.starts_with("%%>")) {
                literal(next, "%>");
            } else if (rest.starts_with("<%%")) {
                literal(next, "<%");
            } else if (!tag(next)) {
                return std::unexpected(Failure{Fault::kUnclosed, line_at(next), {"<%"}});
            }
        }
        add_text(text_.substr(from_));
        return std::move(pieces_);
    }

  private:
    [[nodiscard]] std::size_t find_mark() const {
        for (std::size_t at = at_;; ++at) {
            at = std::min(text_.find_first_of("<%", at), text_.size());
            const std::string_view rest = text_.substr(at);
            if (rest.empty() || rest.starts_with("<%") || rest.starts_with("%%>") ||
                rest.starts_with(kEscape)) {
                return at;
            }
        }
    }
    // Lines are counted once, forward.
    std::size_t line_at(std::size_t offset) {
        line_ += static_cast<std::size_t>(
            std::ranges::count(text_.substr(counted_, offset - counted_), '\n'));
        counted_ = offset;
        return line_;
    }
    void add_text(std::string_view text) {
        if (!text.empty()) {
            pieces_.push_back({Piece::Kind::kText, text, line_});
        }
    }
    void literal(std::size_t next, std::string_view meaning) {
        add_text(text_.substr(from_, next - from_));
        add_text(meaning);
        at_ = from_ = next + 3;
    }
    void escape(std::size_t next) {
        add_text(text_.substr(from_, next - from_));
        const std::size_t begin = next + kEscape.size();
        const std::size_t end = std::min(text_.find(kEscapeEnd, begin), text_.size());
        add_text(text_.substr(begin, end - begin));
        at_ = from_ = std::min(end + kEscapeEnd.size(), text_.size());
    }

    bool tag(std::size_t next) {
        const std::size_t line = line_at(next);
        const std::size_t close = text_.find("%>", next + 2);
        if (close == std::string_view::npos) {
            return false;
        }
        std::string_view body = text_.substr(next + 2, close - next - 2);
        const char mode = body.empty() ? ' ' : body.front();
        std::size_t end = next;
        if (mode == '_') {
            while (end > from_ && is_blank(text_[end - 1])) {
                --end;
            }
        }
        add_text(text_.substr(from_, end - from_));
        if (mode == '_' || mode == '=' || mode == '-' || mode == '#') {
            body.remove_prefix(1);
        }
        at_ = close + 2;
        if (body.ends_with('_') || body.ends_with('-')) {
            slurp(body.back() == '_');
            body.remove_suffix(1);
        }
        from_ = at_;
        if (mode != '#') {
            const bool is_output = mode == '=' || mode == '-';
            pieces_.push_back({is_output ? Piece::Kind::kOutput : Piece::Kind::kCode, body, line});
        }
        return true;
    }
    void slurp(bool with_blanks) {
        while (with_blanks && at_ < text_.size() && is_blank(text_[at_])) {
            ++at_;
        }
        if (text_.substr(at_).starts_with("\r\n")) {
            at_ += 2;
        } else if (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) {
            ++at_;
        }
    }

    std::string_view text_;
    std::vector<Piece> pieces_;
    std::size_t at_ = 0;
    std::size_t from_ = 0;  // where the plain text begins
    std::size_t counted_ = 0;
    std::size_t line_ = 1;
};

}  // namespace

std::expected<std::vector<Piece>, Failure> split_tags(std::string_view text) {
    return Splitter(text).run();
}

}  // namespace arbiter::ejs::internal
