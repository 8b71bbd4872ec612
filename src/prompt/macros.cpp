#include "prompt/macros.h"

#include <algorithm>

#include "base/limits.h"
#include "prompt/internal/macro_table.h"
#include "prompt/internal/template_text.h"
#include "text/truncate.h"

namespace arbiter::prompt {
namespace {

using internal::MacroRow;

// Reports are for people: about one screen.
constexpr std::size_t kReportedMax = 20;
constexpr std::size_t kReportedBytesMax = 80;

char small(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}
bool is_space(char c) noexcept {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}
bool is_line_end(char c) noexcept {
    return c == '\n' || c == '\r';
}
std::string_view trimmed(std::string_view text) noexcept {
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_space(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

void note(std::vector<std::string>& list, std::string_view what) {
    what = text::truncate(what, kReportedBytesMax);
    if (list.size() < kReportedMax && std::ranges::find(list, what) == list.end()) {
        list.emplace_back(what);
    }
}

// `name::a::b`, `name:a`, `name a`; a comment is // with anything behind it.
struct Parts {
    std::string name;
    std::vector<std::string_view> arguments;
};
Parts parts_of(std::string_view body) {
    body = trimmed(body);
    if (body.starts_with("//")) {
        return {"//", {body.substr(2)}};
    }
    std::size_t end = 0;
    while (end < body.size() && body[end] != ':' && !is_space(body[end])) {
        ++end;
    }
    Parts parts;
    parts.name.assign(body.substr(0, end));
    std::ranges::transform(parts.name, parts.name.begin(), small);
    std::string_view rest = body.substr(end);
    if (rest.starts_with("::")) {
        while (rest.starts_with("::")) {
            rest.remove_prefix(2);
            const std::size_t next = std::min(rest.find("::"), rest.size());
            parts.arguments.push_back(rest.substr(0, next));
            rest.remove_prefix(next);
        }
    } else if (!rest.empty()) {
        parts.arguments.push_back(trimmed(rest.substr(1)));
    }
    return parts;
}

// Expansion of one text. Open macros form a stack of their partial contents.
class Expansion {
  public:
    Expansion(std::string_view text, MacroWorld& world, std::uint64_t place, std::size_t level,
              Expanded& report, std::size_t& left, std::size_t& spent)
        : text_(text),
          world_(world),
          place_(place),
          level_(level),
          report_(report),
          left_(left),
          spent_(spent) {}

    std::string run() {
        open_.push_back({});
        while (at_ < text_.size()) {
            const std::size_t next = next_bracket();
            open_.back().held.append(text_.substr(at_, next - at_));
            at_ = next;
            if (at_ == text_.size()) {
                break;
            }
            if (text_[at_] == '{') {
                begin();
            } else {
                end();
            }
        }
        // Unclosed macros are plain text.
        while (open_.size() > 1) {
            const std::string held = std::move(open_.back().held);
            open_.pop_back();
            open_.back().held += "{{" + held;
        }
        return std::move(open_.back().held);
    }

  private:
    struct Open {
        std::string held;
        std::size_t from = 0;  // offset of its opening braces
    };

    [[nodiscard]] std::size_t next_bracket() const {
        std::size_t at = at_;
        for (;; ++at) {
            at = std::min(text_.find_first_of("{}", at), text_.size());
            if (at + 1 >= text_.size()) {
                return text_.size();
            }
            if (text_[at + 1] == text_[at]) {
                return at;
            }
        }
    }

    void begin() {
        // Of three braces the last two open the macro.
        const bool more = at_ + 2 < text_.size() && text_[at_ + 2] == '{';
        if (more || open_.size() > base::kMacroDepthMax) {
            report_.limited |= !more;
            open_.back().held += more ? "{" : "{{";
            at_ += more ? 1 : 2;
            return;
        }
        open_.push_back({{}, at_});
        at_ += 2;
    }

    void end() {
        at_ += 2;
        if (open_.size() == 1) {
            open_.back().held += "}}";
            return;
        }
        const Open closed = std::move(open_.back());
        open_.pop_back();
        const std::string_view written = text_.substr(closed.from, at_ - closed.from);
        std::string& out = open_.back().held;
        const Parts parts = parts_of(closed.held);
        if (parts.name == "trim" && parts.arguments.empty()) {
            while (!out.empty() && is_line_end(out.back())) {
                out.pop_back();
            }
            while (at_ < text_.size() && is_line_end(text_[at_])) {
                ++at_;
            }
            return;
        }
        out += work_out(parts, closed.from).value_or(std::string(written));
    }

    std::optional<std::string> work_out(const Parts& parts, std::size_t from) {
        const MacroRow* row = internal::find_macro(parts.name);
        if (row == nullptr || parts.arguments.size() < row->least ||
            parts.arguments.size() > row->most) {
            note(report_.unknown, text_.substr(from, at_ - from));
            return std::nullopt;
        }
        if (left_ == 0 || spent_ >= base::kMacroBytesMax || level_ > base::kMacroDepthMax) {
            report_.limited = true;
            return std::nullopt;
        }
        --left_;
        report_.stable &= row->stable;
        const std::uint64_t place = internal::mixed(place_, from);
        Variables& variables = row->is_global ? world_.global : world_.local;
        auto given = row->give({world_, place, report_, parts.arguments, variables});
        if (!given) {
            note(report_.unknown, text_.substr(from, at_ - from));
            return std::nullopt;
        }
        spent_ += given->size();
        if (spent_ > base::kMacroBytesMax) {
            report_.limited = true;
            return std::nullopt;
        }
        if (row->nests && given->find("{{") != std::string::npos) {
            const std::string inner = std::move(*given);
            return Expansion(inner, world_, place, level_ + 1, report_, left_, spent_).run();
        }
        return given;
    }

    std::string_view text_;
    MacroWorld& world_;
    std::uint64_t place_;
    std::size_t level_;
    Expanded& report_;
    std::size_t& left_;
    std::size_t& spent_;
    std::vector<Open> open_;
    std::size_t at_ = 0;
};

// <USER> and <BOT> of old cards.
std::string without_old_names(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t next = std::min(text.find('<'), text.size());
        out.append(text.substr(0, next));
        text.remove_prefix(next);
        if (text.starts_with("<USER>")) {
            out += "{{user}}";
            text.remove_prefix(6);
        } else if (text.starts_with("<BOT>") || text.starts_with("<CHAR>")) {
            out += "{{char}}";
            text.remove_prefix(text.find('>') + 1);
        } else if (!text.empty()) {
            out += '<';
            text.remove_prefix(1);
        }
    }
    return out;
}

Expanded expand_names(std::string_view text, MacroWorld& world, std::string_view where) {
    Expanded expanded;
    std::string renamed;
    if (text.find("<USER>") != std::string_view::npos ||
        text.find("<BOT>") != std::string_view::npos ||
        text.find("<CHAR>") != std::string_view::npos) {
        renamed = without_old_names(text);
        text = renamed;
    }
    if (text.find("{{") == std::string_view::npos) {
        expanded.text = text;
        return expanded;
    }
    std::size_t left = base::kMacrosMax;
    std::size_t spent = 0;
    const std::uint64_t place = internal::number_of_text(where, 0);
    Expanded report;
    expanded.text = Expansion(text, world, place, 1, report, left, spent).run();
    expanded.stable = report.stable;
    expanded.limited = report.limited;
    expanded.unknown = std::move(report.unknown);
    expanded.missing = std::move(report.missing);
    return expanded;
}

}  // namespace

Expanded expand_macros(std::string_view text, MacroWorld& world, std::string_view where) {
    Expanded expanded = expand_names(text, world, where);
    if (!ejs::has_tags(expanded.text)) {
        return expanded;
    }
    const auto entry_text = [&world](std::string_view content, std::string_view title) {
        return expand_names(content, world, title).text;
    };
    auto rendered = internal::render_template(expanded.text, world, entry_text);
    expanded.stable = false;
    if (rendered) {
        expanded.text = *std::move(rendered);
    } else {
        expanded.text = ejs::without_tags(expanded.text);
        expanded.failure = std::move(rendered.error());
    }
    return expanded;
}

}  // namespace arbiter::prompt
