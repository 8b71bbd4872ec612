#include "text/regex.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/limits.h"
#include "text/case_fold.h"
#include "text/internal/regex_parse.h"
#include "text/utf8.h"

namespace arbiter::text {
namespace {

using base::ErrorCode;
using base::Result;
using internal::kForever;
using internal::Part;
using Kind = Regex::Kind;
using Range = Regex::Range;
using Step = Regex::Step;

// Compiles the syntax tree to steps. False: too many steps.
class Compiler {
  public:
    // `groups`: how many have slots; the slots of the whole match come first, that of the tail
    // last. nullopt: no slots.
    Compiler(std::vector<Step>& program, std::optional<std::size_t> groups)
        : program_(program), groups_(groups) {}

    bool emit(const Part& part) {
        // Repeated nodes that emit no step are limited too.
        if (++visits_ > 2 * base::kRegexStepsMax || program_.size() > base::kRegexStepsMax) {
            return false;
        }
        switch (part.kind) {
            case Part::Kind::kEmpty:
                return true;
            case Part::Kind::kSet:
                program_.push_back({.kind = Kind::kSet, .set = part.set});
                return true;
            case Part::Kind::kAssert:
                program_.push_back({.kind = part.assertion});
                return true;
            case Part::Kind::kThen:
                return emit_sequence(part);
            case Part::Kind::kOr:
                return emit_choice(part);
            case Part::Kind::kRepeat:
                return emit_repeat(part);
        }
        return false;
    }

  private:
    [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(program_.size()); }

    void emit_slot(std::size_t slot) {
        if (groups_) {
            program_.push_back({.kind = Kind::kJump,
                                .next = here() + 1,
                                .slot = static_cast<std::uint32_t>(slot + 1)});
        }
    }

    bool emit_sequence(const Part& part) {
        if (part.group != 0) {
            emit_slot(2 * std::size_t{part.group});
        }
        if (part.is_tail && groups_) {
            emit_slot(2 * (*groups_ + 1));
        }
        if (!std::ranges::all_of(part.parts, [this](const Part& p) { return emit(p); })) {
            return false;
        }
        if (part.group != 0) {
            emit_slot(2 * std::size_t{part.group} + 1);
        }
        return true;
    }

    // The end of an optional part that begins behind `split`. The first way of a split is
    // preferred.
    void leave(std::uint32_t split, bool is_lazy) {
        program_[split].other = here();
        if (is_lazy) {
            std::swap(program_[split].next, program_[split].other);
        }
    }

    bool emit_choice(const Part& part) {
        std::vector<std::uint32_t> ends;
        for (std::size_t i = 0; i < part.parts.size(); ++i) {
            const bool last = i + 1 == part.parts.size();
            const std::uint32_t split = here();
            if (!last) {
                program_.push_back({.kind = Kind::kSplit, .next = split + 1});
            }
            if (!emit(part.parts[i])) {
                return false;
            }
            if (!last) {
                ends.push_back(here());
                program_.push_back({.kind = Kind::kJump});
                program_[split].other = here();
            }
        }
        for (const std::uint32_t end : ends) {
            program_[end].next = here();
        }
        return true;
    }

    bool emit_repeat(const Part& part) {
        const Part& what = part.parts[0];
        for (std::uint32_t i = 0; i < part.least; ++i) {
            if (!emit(what)) {
                return false;
            }
        }
        if (part.most == kForever) {
            const std::uint32_t split = here();
            program_.push_back({.kind = Kind::kSplit, .next = split + 1});
            if (!emit(what)) {
                return false;
            }
            program_.push_back({.kind = Kind::kJump, .next = split});
            leave(split, part.is_lazy);
            return true;
        }
        std::vector<std::uint32_t> splits;
        for (std::uint32_t i = part.least; i < part.most; ++i) {
            splits.push_back(here());
            program_.push_back({.kind = Kind::kSplit, .next = here() + 1});
            if (!emit(what)) {
                return false;
            }
        }
        for (const std::uint32_t split : splits) {
            leave(split, part.is_lazy);
        }
        return true;
    }

    std::vector<Step>& program_;
    std::optional<std::size_t> groups_;
    std::size_t visits_ = 0;
};

// Whether one of the cases of a character is in a set.
bool has(const Regex::Set& set, const LetterCases& cases) noexcept {
    const bool found = std::ranges::any_of(set.ranges, [&cases](const Range& range) {
        return std::ranges::any_of(
            cases.view(), [&range](char32_t c) { return c >= range.low && c <= range.high; });
    });
    return found != set.inverted;
}

}  // namespace

Result<Regex> Regex::compile(std::string_view pattern, const RegexOptions& options) {
    if (pattern.size() > base::kRegexBytesMax) {
        return base::fail(ErrorCode::kRegexTooLarge, {std::to_string(base::kRegexBytesMax)});
    }
    auto parsed = internal::parse_pattern(pattern, options);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    Regex made;
    if (parsed->groups.size() > base::kRegexGroupsMax) {
        return base::fail(ErrorCode::kRegexTooLarge, {std::to_string(base::kRegexGroupsMax)});
    }
    const auto groups = options.captures ? std::optional(parsed->groups.size()) : std::nullopt;
    if (!Compiler(made.program_, groups).emit(parsed->whole) ||
        made.program_.size() >= base::kRegexStepsMax) {
        return base::fail(ErrorCode::kRegexTooLarge, {std::to_string(base::kRegexStepsMax)});
    }
    made.program_.push_back({.kind = Kind::kFound});
    made.sets_ = std::move(parsed->sets);
    made.groups_ = std::move(parsed->groups);
    made.folds_ = parsed->folds;
    made.begin_mark_ = options.begin_mark;
    for (const Step& step : made.program_) {
        made.weight_ += 1 + (step.kind == Kind::kSet ? made.sets_[step.set].ranges.size() : 0);
    }
    return made;
}

bool Regex::is_in(std::string_view text) const {
    Search search(*this);
    return search.feed(text) || search.matches_at_end();
}

// The steps that are reached at one position.
class Regex::Search::States {
  public:
    explicit States(std::size_t size) : seen_(size, 0) {}
    void clear() {
        list.clear();
        if (++round_ == 0) {
            std::ranges::fill(seen_, 0U);
            round_ = 1;
        }
    }
    bool add(std::uint32_t step) {
        if (seen_[step] == round_) {
            return false;
        }
        seen_[step] = round_;
        return true;
    }
    std::vector<std::uint32_t> list;   // steps that wait for a character
    std::vector<std::uint32_t> stack;  // steps to be followed

  private:
    std::vector<std::uint32_t> seen_;
    std::uint32_t round_ = 0;
};

bool Regex::Search::holds(Kind assertion, std::optional<char32_t> after) const noexcept {
    const bool begins = before_ && regex_->begin_mark_ != 0 && *before_ == regex_->begin_mark_;
    return internal::holds(assertion, begins ? std::nullopt : before_, after);
}

bool Regex::Search::follow(States& now, std::optional<char32_t> after) const {
    // A match may begin at every character.
    now.stack.push_back(0);
    now.stack.insert(now.stack.end(), active_.rbegin(), active_.rend());
    now.clear();
    while (!now.stack.empty()) {
        const std::uint32_t index = now.stack.back();
        now.stack.pop_back();
        if (!now.add(index)) {
            continue;
        }
        const Step& step = regex_->program_[index];
        switch (step.kind) {
            case Kind::kFound:
                return true;
            case Kind::kSet:
                now.list.push_back(index);
                break;
            case Kind::kSplit:
                now.stack.push_back(step.other);
                now.stack.push_back(step.next);
                break;
            case Kind::kJump:
                now.stack.push_back(step.next);
                break;
            case Kind::kBegin:
            case Kind::kEnd:
            case Kind::kLineBegin:
            case Kind::kLineEnd:
            case Kind::kEdge:
            case Kind::kNoEdge:
                if (holds(step.kind, after)) {
                    now.stack.push_back(index + 1);
                }
                break;
        }
    }
    return false;
}

bool Regex::Search::feed(std::string_view piece) {
    States now(regex_->program_.size());
    for (std::size_t at = 0; at < piece.size() && !is_found_;) {
        const Decoded read = decode(piece.substr(at));
        if (follow(now, read.code_point)) {
            is_found_ = true;
            break;
        }
        active_.clear();
        const LetterCases cases =
            regex_->folds_ ? letter_cases(read.code_point) : LetterCases{{read.code_point}, 1};
        for (const std::uint32_t index : now.list) {
            if (has(regex_->sets_[regex_->program_[index].set], cases)) {
                active_.push_back(index + 1);
            }
        }
        before_ = read.code_point;
        at += read.size;
    }
    return is_found_;
}

bool Regex::Search::matches_at_end() const {
    States now(regex_->program_.size());
    return is_found_ || follow(now, std::nullopt);
}

}  // namespace arbiter::text
