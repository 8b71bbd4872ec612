#include "text/regex.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/limits.h"
#include "text/internal/regex_parse.h"
#include "text/utf8.h"

namespace arbiter::text {
namespace {

using base::ErrorCode;
using base::Result;
using internal::is_word;
using internal::kForever;
using internal::Part;
using Kind = Regex::Kind;
using Range = Regex::Range;
using Step = Regex::Step;

// Compiles the syntax tree to steps. False: too many steps.
class Compiler {
  public:
    explicit Compiler(std::vector<Step>& program) : program_(program) {}

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
                return std::ranges::all_of(part.parts, [this](const Part& p) { return emit(p); });
            case Part::Kind::kOr:
                return emit_choice(part);
            case Part::Kind::kRepeat:
                return emit_repeat(part);
        }
        return false;
    }

  private:
    [[nodiscard]] std::uint32_t here() const { return static_cast<std::uint32_t>(program_.size()); }

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
            program_[split].other = here();
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
            program_[split].other = here();
        }
        return true;
    }

    std::vector<Step>& program_;
    std::size_t visits_ = 0;
};

// The set of active states.
class States {
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
    std::vector<std::uint32_t> list;  // states that wait for a character

  private:
    std::vector<std::uint32_t> seen_;
    std::uint32_t round_ = 0;
};

}  // namespace

Result<Regex> Regex::compile(std::string_view pattern) {
    if (pattern.size() > base::kRegexBytesMax) {
        return base::fail(ErrorCode::kRegexTooLarge, {std::to_string(base::kRegexBytesMax)});
    }
    auto parsed = internal::parse_pattern(pattern);
    if (!parsed) {
        return std::unexpected(parsed.error());
    }
    Regex made;
    if (!Compiler(made.program_).emit(parsed->whole) ||
        made.program_.size() >= base::kRegexStepsMax) {
        return base::fail(ErrorCode::kRegexTooLarge, {std::to_string(base::kRegexStepsMax)});
    }
    made.program_.push_back({.kind = Kind::kFound});
    made.sets_ = std::move(parsed->sets);
    made.folds_ = parsed->folds;
    for (const Step& step : made.program_) {
        made.weight_ += 1 + (step.kind == Kind::kSet ? made.sets_[step.set].ranges.size() : 0);
    }
    return made;
}

bool Regex::has(const Set& set, char32_t character) const noexcept {
    const auto inside = [&set](char32_t c) {
        return std::ranges::any_of(
            set.ranges, [c](const Range& range) { return c >= range.low && c <= range.high; });
    };
    bool found = inside(character);
    if (!found && folds_ && is_word(character) && character > '9' && character != '_') {
        found = inside(character ^ 0x20U);
    }
    return found != set.inverted;
}

bool Regex::is_in(std::string_view text) const {
    States now(program_.size());
    std::vector<std::uint32_t> next;
    std::vector<std::uint32_t> stack;
    std::optional<char32_t> before;
    now.clear();
    for (std::size_t at = 0;;) {
        const bool end = at >= text.size();
        const Decoded read = end ? Decoded() : decode(text.substr(at));
        // A match may begin at every character. Steps that consume no character are followed at
        // once.
        stack.push_back(0);
        stack.insert(stack.end(), now.list.rbegin(), now.list.rend());
        now.clear();
        const bool edge = (before && is_word(*before)) != (!end && is_word(read.code_point));
        while (!stack.empty()) {
            const std::uint32_t index = stack.back();
            stack.pop_back();
            if (!now.add(index)) {
                continue;
            }
            const Step& step = program_[index];
            switch (step.kind) {
                case Kind::kFound:
                    return true;
                case Kind::kSet:
                    now.list.push_back(index);
                    break;
                case Kind::kSplit:
                    stack.push_back(step.other);
                    stack.push_back(step.next);
                    break;
                case Kind::kJump:
                    stack.push_back(step.next);
                    break;
                case Kind::kBegin:
                case Kind::kEnd:
                case Kind::kEdge:
                case Kind::kNoEdge:
                    if (step.kind == Kind::kBegin  ? !before
                        : step.kind == Kind::kEnd  ? end
                        : step.kind == Kind::kEdge ? edge
                                                   : !edge) {
                        stack.push_back(index + 1);
                    }
                    break;
            }
        }
        if (end) {
            return false;
        }
        next.clear();
        for (const std::uint32_t index : now.list) {
            if (has(sets_[program_[index].set], read.code_point)) {
                next.push_back(index + 1);
            }
        }
        std::swap(now.list, next);
        before = read.code_point;
        at += read.size;
    }
}

}  // namespace arbiter::text
