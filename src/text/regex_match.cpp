#include "text/regex_match.h"

#include <algorithm>
#include <bitset>
#include <optional>
#include <span>
#include <utility>

#include "text/case_fold.h"
#include "text/internal/regex_parse.h"
#include "text/utf8.h"

namespace arbiter::text {
namespace {

// Work that a search for all matches may take, in passes over the text.
constexpr std::uint64_t kPassesMax = 32;
constexpr std::size_t kNone = std::string_view::npos;

bool has(const Regex::Set& set, const LetterCases& cases) noexcept {
    const bool found = std::ranges::any_of(set.ranges, [&cases](const Regex::Range& range) {
        return std::ranges::any_of(
            cases.view(), [&range](char32_t c) { return c >= range.low && c <= range.high; });
    });
    return found != set.inverted;
}

// The steps that wait for a character, by priority, each with the slots of its way.
class Threads {
  public:
    Threads(std::size_t steps, std::size_t slots)
        : seen_(steps, 0), slots_(steps * slots), width_(slots) {}
    void clear() {
        list.clear();
        if (++round_ == 0) {
            std::ranges::fill(seen_, 0U);
            round_ = 1;
        }
    }
    bool add(std::uint32_t step) { return std::exchange(seen_[step], round_) != round_; }
    [[nodiscard]] std::span<std::size_t> slots(std::uint32_t step) {
        return std::span(slots_).subspan(step * width_, width_);
    }
    std::vector<std::uint32_t> list;

  private:
    std::vector<std::uint32_t> seen_;
    std::vector<std::size_t> slots_;
    std::size_t width_;
    std::uint32_t round_ = 0;
};

}  // namespace

// The search for all matches of one regex in one text.
class Matcher {
  public:
    Matcher(const Regex& regex, std::string_view text)
        : regex_(regex),
          text_(text),
          tail_(2 * (regex.groups_.size() + 1)),
          now_(regex.program_.size(), tail_ + 1),
          next_(regex.program_.size(), tail_ + 1),
          slots_(tail_ + 1),
          work_max_(regex.cost(text.size()) * kPassesMax) {
        find_first_bytes();
    }

    std::vector<Match> run(std::size_t most) {
        std::vector<Match> found;
        for (std::size_t from = 0; from <= text_.size() && found.size() < most;) {
            const auto match = find(from);
            if (!match) {
                break;
            }
            found.push_back(match_of(*match));
            const Span& whole = found.back()[0];
            // Behind an empty match the search continues at the next character.
            from = whole.end > whole.begin || whole.end == text_.size()
                       ? whole.end + (whole.end > whole.begin ? 0 : 1)
                       : whole.end + decode(text_.substr(whole.end)).size;
        }
        return found;
    }

    static std::size_t number_of(const Regex& regex, std::string_view name) noexcept {
        const auto found = std::ranges::find(regex.groups_, name);
        return name.empty() || found == regex.groups_.end()
                   ? 0
                   : static_cast<std::size_t>(found - regex.groups_.begin()) + 1;
    }

  private:
    using Kind = Regex::Kind;

    // The bytes with which a match can begin; all of them if it may be empty.
    void find_first_bytes() {
        std::vector<std::uint32_t> stack = {0};
        std::vector<bool> seen(regex_.program_.size());
        while (!stack.empty()) {
            const std::uint32_t index = stack.back();
            stack.pop_back();
            if (seen[index]) {
                continue;
            }
            seen[index] = true;
            const Regex::Step& step = regex_.program_[index];
            switch (step.kind) {
                case Kind::kSet:
                    add_first_bytes(regex_.sets_[step.set]);
                    break;
                case Kind::kSplit:
                    stack.push_back(step.other);
                    stack.push_back(step.next);
                    break;
                case Kind::kJump:
                    stack.push_back(step.next);
                    break;
                case Kind::kFound:
                    may_be_empty_ = true;
                    break;
                case Kind::kBegin:
                case Kind::kEnd:
                case Kind::kLineBegin:
                case Kind::kLineEnd:
                case Kind::kEdge:
                case Kind::kNoEdge:
                    stack.push_back(index + 1);
                    break;
            }
        }
    }
    void add_first_bytes(const Regex::Set& set) {
        for (char32_t c = 0; c < 0x80; ++c) {
            if (has(set, cases_of(c))) {
                first_.set(static_cast<std::size_t>(c));
            }
        }
        // Every other character begins with a byte beyond ASCII.
        const bool beyond =
            set.inverted || regex_.folds_ ||
            std::ranges::any_of(set.ranges, [](const auto& range) { return range.high >= 0x80; });
        for (std::size_t byte = 0x80; beyond && byte < 0x100; ++byte) {
            first_.set(byte);
        }
    }

    [[nodiscard]] LetterCases cases_of(char32_t c) const noexcept {
        return regex_.folds_ ? letter_cases(c) : LetterCases{{c}, 1};
    }

    // The character before a position; U+FFFD if the bytes there are broken.
    [[nodiscard]] char32_t before(std::size_t at) const noexcept {
        std::size_t begin = at - 1;
        while (begin > 0 && at - begin < 4 && (text_[begin] & 0xC0) == 0x80) {
            --begin;
        }
        const Decoded character = decode(text_.substr(begin));
        return begin + character.size == at ? character.code_point : kReplacement;
    }

    [[nodiscard]] bool holds(Kind assertion, std::size_t at) const noexcept {
        const auto left = at == 0 ? std::nullopt : std::optional(before(at));
        const auto right =
            at >= text_.size() ? std::nullopt : std::optional(decode(text_.substr(at)).code_point);
        return internal::holds(assertion, left, right);
    }

    // Adds a step with the slots of its way, and the steps that follow without a character.
    void add(Threads& threads, std::uint32_t first, std::size_t at) {
        jobs_.push_back({first});
        while (!jobs_.empty()) {
            const Job job = jobs_.back();
            jobs_.pop_back();
            if (job.slot != kNone) {
                slots_[job.slot] = job.old;
                continue;
            }
            if (!threads.add(job.step)) {
                continue;
            }
            work_ += 1;
            const Regex::Step& step = regex_.program_[job.step];
            switch (step.kind) {
                case Kind::kSet:
                case Kind::kFound:
                    std::ranges::copy(slots_, threads.slots(job.step).begin());
                    threads.list.push_back(job.step);
                    break;
                case Kind::kSplit:
                    jobs_.push_back({step.other});
                    jobs_.push_back({step.next});
                    break;
                case Kind::kJump:
                    if (step.slot != 0) {
                        std::size_t& slot = slots_[step.slot - 1];
                        jobs_.push_back({0, step.slot - 1, slot});
                        slot = at;
                    }
                    jobs_.push_back({step.next});
                    break;
                case Kind::kBegin:
                case Kind::kEnd:
                case Kind::kLineBegin:
                case Kind::kLineEnd:
                case Kind::kEdge:
                case Kind::kNoEdge:
                    if (holds(step.kind, at)) {
                        jobs_.push_back({job.step + 1});
                    }
                    break;
            }
        }
    }

    // The slots of the first match from `from` on.
    std::optional<std::vector<std::size_t>> find(std::size_t from) {
        std::optional<std::vector<std::size_t>> found;
        now_.clear();
        for (std::size_t at = from; work_ <= work_max_;) {
            if (now_.list.empty()) {
                if (found) {
                    return found;
                }
                while (!may_be_empty_ && at < text_.size() &&
                       !first_.test(static_cast<unsigned char>(text_[at]))) {
                    ++at;
                }
                if (!may_be_empty_ && at == text_.size()) {
                    return std::nullopt;
                }
            }
            // A match that begins later is less preferred than any that has begun.
            if (!found) {
                std::ranges::fill(slots_, kNone);
                slots_[0] = at;
                add(now_, 0, at);
            }
            const bool is_end = at >= text_.size();
            const Decoded read = is_end ? Decoded() : decode(text_.substr(at));
            const LetterCases cases = cases_of(read.code_point);
            next_.clear();
            for (const std::uint32_t index : now_.list) {
                work_ += 1;
                const Regex::Step& step = regex_.program_[index];
                const auto slots = now_.slots(index);
                if (step.kind == Kind::kFound) {
                    found.emplace(slots.begin(), slots.end());
                    found->at(1) = at;
                    break;  // the others are less preferred
                }
                work_ += regex_.sets_[step.set].ranges.size();
                if (!is_end && has(regex_.sets_[step.set], cases)) {
                    std::ranges::copy(slots, slots_.begin());
                    add(next_, index + 1, at + read.size);
                }
            }
            if (is_end) {
                return found;
            }
            std::swap(now_, next_);
            at += read.size;
        }
        return std::nullopt;
    }

    [[nodiscard]] Match match_of(const std::vector<std::size_t>& slots) const {
        Match match;
        for (std::size_t slot = 0; slot < tail_; slot += 2) {
            const bool is_whole = slots[slot] != kNone && slots[slot + 1] != kNone;
            match.push_back(is_whole ? Span{slots[slot], slots[slot + 1]} : Span());
        }
        if (slots[tail_] != kNone) {
            match[0].end = slots[tail_];
        }
        return match;
    }

    struct Job {
        std::uint32_t step;
        std::size_t slot = kNone;  // a slot that gets its old value back
        std::size_t old = 0;
    };

    const Regex& regex_;
    std::string_view text_;
    std::size_t tail_;  // the slot of the place where the tail begins
    Threads now_;
    Threads next_;
    std::vector<std::size_t> slots_;
    std::vector<Job> jobs_;
    std::bitset<256> first_;
    bool may_be_empty_ = false;
    std::uint64_t work_ = 0;
    std::uint64_t work_max_;
};

std::vector<Match> find_all(const Regex& regex, std::string_view text, std::size_t most) {
    return Matcher(regex, text).run(most);
}

std::size_t group_number(const Regex& regex, std::string_view name) noexcept {
    return Matcher::number_of(regex, name);
}

}  // namespace arbiter::text
