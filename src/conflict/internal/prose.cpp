#include "conflict/internal/prose.h"

#include <algorithm>

#include "conflict/internal/numbers.h"
#include "text/ascii.h"
#include "text/case_fold.h"
#include "text/utf8.h"

namespace arbiter::conflict::internal {
namespace {

constexpr std::u32string_view kEnders = U"。！？!?\n；;";
constexpr std::u32string_view kBreaks = U"，,：:—–…()（）[]【】《》「」『』“”\"\u3000｜|";
constexpr std::u32string_view kMarks = U"/／→+-－−＋%％>*~～、·&×";
// Bytes of a quotation that is a name or a term, not speech.
constexpr std::size_t kTermBytes = 30;

// Letters, digits and 汉字, which are not marks: most characters of a text.
bool is_plain(char32_t c) {
    return (c >= 0x3400 && c <= 0x9FFF) || (c >= U'a' && c <= U'z') || c == U' ' ||
           (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9');
}

char32_t closing(char32_t open) {
    switch (open) {
        case U'“':
            return U'”';
        case U'「':
            return U'」';
        case U'『':
            return U'』';
        case U'《':
            return U'》';
        case U'"':
            return U'"';
        default:
            return 0;
    }
}

char32_t plain_mark(char32_t c) {
    switch (c) {
        case U'－':
        case U'−':
            return U'-';
        case U'＋':
            return U'+';
        case U'／':
            return U'/';
        default:
            return c;
    }
}

// Builds the tokens, clauses and sentences in one pass.
class Parser {
  public:
    Parser(std::string_view text, const Names& names, const Lexicon& lexicon)
        : text_(text), names_(names), lexicon_(lexicon) {
        prose_.folded = text::fold_case(text);
        // Chinese prose has a token for about five bytes, others have fewer.
        prose_.tokens.reserve(text.size() / 5);
    }

    Prose parse() {
        find_names();
        std::size_t next = 0;
        while (at_ < text_.size()) {
            while (next < found_.size() && found_[next].at < at_) {
                ++next;
            }
            const bool named = next < found_.size() && found_[next].at == at_;
            if (named) {
                Token token = start(found_[next].size, Token::Kind::kName);
                token.name = found_[next].id;
                push(token);
                continue;
            }
            const std::size_t limit = next < found_.size() ? found_[next].at : text_.size();
            take_other(limit);
        }
        end_sentence(false);
        return std::move(prose_);
    }

  private:
    struct Found {
        std::size_t at = 0;
        std::size_t size = 0;
        std::uint32_t id = 0;
    };

    void find_names() {
        const std::string_view folded = prose_.folded;
        std::size_t at = 0;
        while (at < text_.size()) {
            if ((static_cast<std::uint8_t>(text_[at]) & 0xC0U) == 0x80) {
                ++at;
                continue;
            }
            const auto name = names_.longest_at(text_, folded, at);
            const bool strong =
                name && std::ranges::any_of(names_.meanings(name->id), [](const Meaning& each) {
                    return each.form != Meaning::Form::kSurname;
                });
            if (strong && lexicon_.at(folded, at).size <= name->size) {
                found_.push_back({at, name->size, name->id});
                at += name->size;
                continue;
            }
            if (name) {
                weak_.push_back({at, name->size, name->id});
            }
            ++at;
        }
    }

    Token start(std::size_t size, Token::Kind kind) const {
        Token token;
        token.begin = static_cast<std::uint32_t>(at_);
        token.end = static_cast<std::uint32_t>(at_ + size);
        token.kind = kind;
        return token;
    }

    void push(const Token& token) {
        prose_.tokens.push_back(token);
        at_ = token.end;
    }

    void take_other(std::size_t limit) {
        const std::string_view folded = std::string_view(prose_.folded).substr(0, limit);
        const text::Decoded c = text::decode(text_.substr(at_));
        const std::size_t size = std::max<std::size_t>(1, c.size);
        if (take_mark(c.code_point, size)) {
            return;
        }
        Lexicon::Match word = lexicon_.at(folded, at_);
        const auto number = begins_number(c.code_point)
                                ? number_at(folded.substr(at_), at_ > 0 ? folded[at_ - 1] : '\0')
                                : std::nullopt;
        while (next_weak_ < weak_.size() && weak_[next_weak_].at < at_) {
            ++next_weak_;
        }
        const Found* surname =
            next_weak_ < weak_.size() && weak_[next_weak_].at == at_ ? &weak_[next_weak_] : nullptr;
        if (surname != nullptr && surname->size >= word.size && at_ + surname->size <= limit) {
            Token token = start(surname->size, Token::Kind::kName);
            token.name = surname->id;
            token.words = word.size == surname->size ? word.words : Words();
            push(token);
            return;
        }
        if (number && number->size >= word.size) {
            Token token = start(number->size, Token::Kind::kNumber);
            token.number = number->value;
            token.divisor = number->divisor;
            push(token);
            return;
        }
        if (word.size > 0) {
            Token token = start(word.size, Token::Kind::kWord);
            token.words = word.words;
            if (word.words.test(static_cast<std::size_t>(Word::kSomeone)) && number) {
                token.number = number->value;
            }
            // "but" opens a clause of its own.
            if (prose_.text(token) == "but" || prose_.text(token) == "while") {
                end_clause();
            }
            push(token);
            return;
        }
        take_text(size);
    }

    // Unknown text: a word of an alphabet, or one character joined to the run before it.
    void take_text(std::size_t size) {
        const bool word = text::is_letter(text_[at_]) || text::is_digit(text_[at_]);
        if (word) {
            std::size_t end = at_ + 1;
            while (end < text_.size() &&
                   (text::is_letter(text_[end]) || text::is_digit(text_[end]) ||
                    text_[end] == '\'' || text_[end] == '_')) {
                ++end;
            }
            if (end > at_ + 2 && text_.substr(0, end).ends_with("'s")) {
                end -= 2;
            }
            push(start(end - at_, Token::Kind::kText));
            return;
        }
        if (text::is_blank(text_[at_]) || text_[at_] == '\'') {
            ++at_;
            return;
        }
        Token* last = prose_.tokens.size() > clause_ ? &prose_.tokens.back() : nullptr;
        if (last != nullptr && last->kind == Token::Kind::kText && last->end == at_ &&
            !text::is_letter(text_[last->end - 1])) {
            last->end += static_cast<std::uint32_t>(size);
            at_ += size;
            return;
        }
        push(start(size, Token::Kind::kText));
    }

    bool is_full_stop() const {
        if (text_[at_] != '.') {
            return false;
        }
        const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : '\n';
        if (!text::is_blank(next) && next != '"' && next != '\'' &&
            static_cast<std::uint8_t>(next) < 0x80) {
            return false;
        }
        const std::size_t word = text_.substr(0, at_).find_last_of(" \n\"") + 1;
        const std::string_view before = std::string_view(prose_.folded).substr(word, at_ - word);
        return before != "mr" && before != "mrs" && before != "dr" && before != "ms" &&
               before != "st" && (before.size() != 1 || text::is_digit(before[0]));
    }

    bool take_mark(char32_t c, std::size_t size) {
        if (is_plain(c)) {
            return false;
        }
        const bool ends = kEnders.find(c) != std::u32string_view::npos || is_full_stop();
        const bool breaks = kBreaks.find(c) != std::u32string_view::npos;
        if (!ends && !breaks && kMarks.find(c) == std::u32string_view::npos) {
            return false;
        }
        if (ends) {
            if (c != U'\n') {
                at_ += size;
                while (at_ < text_.size() &&
                       kEnders.find(text::decode(text_.substr(at_)).code_point) !=
                           std::u32string_view::npos &&
                       text_[at_] != '\n') {
                    c = c == U'？' || c == U'?' ? c : text::decode(text_.substr(at_)).code_point;
                    at_ += text::decode(text_.substr(at_)).size;
                }
                end_sentence(c == U'？' || c == U'?');
                return true;
            }
            at_ += size;
            end_sentence(false);
            ++paragraph_;
            quote_ = 0;
            panel_ = false;
            panel_line_ = false;
            return true;
        }
        if (breaks) {
            take_break(c, size);
            return true;
        }
        Token token = start(size, Token::Kind::kMark);
        token.mark = plain_mark(c);
        if (c == U'、' || c == U'&') {
            token.kind = Token::Kind::kWord;
            token.words.set(static_cast<std::size_t>(Word::kAnd));
        }
        push(token);
        return true;
    }

    void take_break(char32_t c, std::size_t size) {
        if (quote_ != 0 && c == quote_) {
            end_clause();
            quote_ = 0;
        } else if (quote_ == 0 && closing(c) != 0) {
            if (!is_term(closing(c), size)) {
                end_clause();
                quote_ = closing(c);
            }
        } else if (c == U'【' || c == U'[') {
            end_clause();
            panel_ = true;
            panel_line_ = true;
        } else if (c == U'】' || c == U']') {
            end_clause();
            panel_ = false;
        } else if (c == U'：' || c == U':') {
            Token token = start(size, Token::Kind::kMark);
            token.mark = U':';
            push(token);
            end_clause();
            colon_ = true;
            return;
        } else if (c != U'》' && c != U'”' && c != U'」' && c != U'』') {
            end_clause();
        }
        at_ += size;
    }

    // A short quotation inside a clause: a name or a term.
    bool is_term(char32_t close, std::size_t size) const {
        std::size_t end = at_ + size;
        while (end < text_.size() && end - at_ <= kTermBytes) {
            const text::Decoded c = text::decode(text_.substr(end));
            if (c.code_point == close) {
                const bool fresh = prose_.tokens.size() == clause_;
                return !fresh && end > at_ + size;
            }
            if (kEnders.find(c.code_point) != std::u32string_view::npos ||
                kBreaks.find(c.code_point) != std::u32string_view::npos || c.code_point == U'.') {
                return false;
            }
            end += std::max<std::size_t>(1, c.size);
        }
        return false;
    }

    void end_clause() {
        if (prose_.tokens.size() == clause_) {
            return;
        }
        Clause clause;
        clause.begin = clause_;
        clause.end = prose_.tokens.size();
        clause.sentence = static_cast<std::uint32_t>(prose_.sentences.size());
        for (std::size_t i = clause.begin; i < clause.end; ++i) {
            const Token& token = prose_.tokens[i];
            clause.words |= token.words;
            clause.has_name = clause.has_name || token.kind == Token::Kind::kName;
            clause.has_number = clause.has_number || token.kind == Token::Kind::kNumber;
        }
        clause.is_quoted = quote_ != 0;
        clause.is_panel = panel_ || panel_line_;
        clause.after_colon = colon_;
        prose_.clauses.push_back(clause);
        clause_ = prose_.tokens.size();
    }

    void end_sentence(bool question) {
        end_clause();
        colon_ = false;
        if (prose_.clauses.size() == sentence_) {
            if (question && !prose_.sentences.empty() && quote_ == 0) {
                prose_.sentences.back().is_question = true;
            }
            return;
        }
        Sentence sentence;
        sentence.begin = sentence_;
        sentence.end = prose_.clauses.size();
        sentence.paragraph = paragraph_;
        sentence.is_question = question && quote_ == 0;
        sentence.is_option = is_option(prose_.tokens[prose_.clauses[sentence_].begin]);
        if (!prose_.sentences.empty() && prose_.sentences.back().is_option &&
            prose_.sentences.back().paragraph == paragraph_) {
            sentence.is_option = true;
        }
        prose_.sentences.push_back(sentence);
        sentence_ = prose_.clauses.size();
    }

    // "A. …", "1) …", "2、…" at the start of a line.
    bool is_option(const Token& first) const {
        const bool line =
            first.begin == 0 ||
            text_.substr(0, first.begin).find_last_not_of(" *-\t") == std::string_view::npos ||
            text_[text_.substr(0, first.begin).find_last_not_of(" *-\t")] == '\n';
        if (!line || first.end - first.begin != 1) {
            return false;
        }
        const char c = text_[first.begin];
        const std::string_view rest = text_.substr(first.end);
        return ((c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f') || (c >= '1' && c <= '9')) &&
               (rest.starts_with(". ") || rest.starts_with(") ") || rest.starts_with("、") ||
                rest.starts_with("）") || rest.starts_with("．") || rest.starts_with(")") ||
                rest.starts_with("："));
    }

    std::string_view text_;
    const Names& names_;
    const Lexicon& lexicon_;
    Prose prose_;
    std::vector<Found> found_;
    std::vector<Found> weak_;  // surnames, and names inside a longer word of the lexicon
    std::size_t next_weak_ = 0;
    std::size_t at_ = 0;
    std::size_t clause_ = 0;    // first token of the clause
    std::size_t sentence_ = 0;  // first clause of the sentence
    std::uint32_t paragraph_ = 0;
    char32_t quote_ = 0;  // the mark that closes it
    bool panel_ = false;
    bool panel_line_ = false;
    bool colon_ = false;
};

}  // namespace

Prose parse_prose(std::string_view narration, const Names& names, const Lexicon& lexicon) {
    return Parser(narration, names, lexicon).parse();
}

}  // namespace arbiter::conflict::internal
