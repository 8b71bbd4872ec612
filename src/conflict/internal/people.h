// People: who is meant by the names and pronouns of each clause.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "conflict/internal/prose.h"
#include "conflict/truth.h"

namespace arbiter::conflict::internal {

inline constexpr std::uint32_t kNobody = 0xFFFFFFFF;

// A mention of a person in a clause.
struct Mention {
    enum class Form : std::uint8_t { kName, kEpithet, kYou, kPronoun, kAll, kStranger };
    std::size_t token = 0;
    std::size_t end = 0;  // the token after it (沈公子 has two)
    Form form = Form::kName;
    std::uint32_t who = kNobody;  // the character; kNobody for a stranger or an unknown pronoun
    bool is_owner = false;        // 艾文的, Dolan's
    bool is_agent = false;        // after 被 or by
    bool is_object = false;       // after 把, 对, to
    bool is_with = false;         // after 随, 跟着, 带着: goes along with the subject
    std::vector<std::uint32_t> group;  // of 两人, "they both": the persons named last
};

// Whom a claim is about.
struct Subject {
    std::vector<std::uint32_t> who;  // several after "and"
    bool is_all = false;             // the whole party
    bool is_stranger = false;
    bool is_owner = false;    // 艾文的手机: the owner of the subject, not of a body
    bool is_distant = false;  // the topic of an earlier sentence
    int confidence = 0;
    // The others that a pronoun or an omitted subject may mean.
    std::vector<std::uint32_t> doubt;

    [[nodiscard]] bool is_known() const noexcept {
        return !is_stranger && (is_all || !who.empty());
    }
};

class People {
  public:
    People(const Truth& truth, const Prose& prose, const Names& names);

    [[nodiscard]] const std::vector<Mention>& in(std::size_t clause) const {
        return mentions_[clause];
    }
    // Of whom the token at `at` of a clause says something: the nearest mention before it that can
    // be a subject; otherwise the topic of the clauses before.
    [[nodiscard]] Subject before(std::size_t clause, std::size_t at, bool through = false) const;
    // The nearest mention before or after, for "deals Rhea 5 damage" and "5 damage to Rhea".
    [[nodiscard]] Subject affected(std::size_t clause, std::size_t from, std::size_t to) const;
    // The topic that a clause inherits. A stranger named in an earlier sentence is passed over if
    // `through`.
    [[nodiscard]] Subject topic(std::size_t clause, bool through = false) const;
    // As before(), for what only tracked characters have: strangers of other sentences are passed
    // over, and the default is the active character.
    [[nodiscard]] Subject holder(std::size_t clause, std::size_t at) const;
    [[nodiscard]] std::uint32_t actor() const noexcept { return actor_; }
    // The characters that "you all" means.
    [[nodiscard]] std::vector<std::uint32_t> party() const;

  private:
    [[nodiscard]] bool in_quote(std::size_t clause) const;
    void read_clause(std::size_t index);
    bool add_name(std::size_t clause, std::size_t& at);
    void add_stranger(std::size_t clause, std::size_t at);
    std::uint32_t antecedent(std::size_t clause, std::size_t at, Word pronoun) const;
    void note_role(Mention& mention, std::size_t clause) const;
    [[nodiscard]] std::vector<std::uint32_t> last_named(std::size_t clause,
                                                        std::size_t count) const;
    [[nodiscard]] Subject subject_of(const Mention& mention, std::size_t clause) const;
    [[nodiscard]] std::vector<std::uint32_t> others_near(
        std::size_t clause, const std::vector<std::uint32_t>& who) const;
    [[nodiscard]] const Mention* lead(std::size_t clause) const;
    [[nodiscard]] bool is_relative(std::size_t clause) const;
    [[nodiscard]] bool is_coordinated(std::size_t clause, std::size_t at) const;
    void add_joined(Subject& subject, const Mention& mention, std::size_t clause) const;
    [[nodiscard]] bool has_other_subject(std::size_t clause, std::size_t at) const;

    const Truth& truth_;
    const Prose& prose_;
    const Names& names_;
    std::uint32_t actor_ = kNobody;
    std::vector<std::vector<Mention>> mentions_;  // by clause
    struct Seen {
        std::uint32_t who = kNobody;
        std::size_t clause = 0;
        bool is_lead = false;
        bool is_you = false;
    };
    std::vector<Seen> seen_;    // in text order, outside quotations
    std::vector<Word> gender_;  // by character; kCount: not known
};

}  // namespace arbiter::conflict::internal
