#include "conflict/internal/sheets.h"

#include <algorithm>
#include <optional>

#include "text/case_fold.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

// Words that need a role behind them: "becomes a knight", not "becomes angry".
bool is_weak(std::string_view text) {
    for (const std::string_view weak : {"成为",
                                        "成为了",
                                        "成了",
                                        "变成",
                                        "变成了",
                                        "化为",
                                        "化作",
                                        "变为",
                                        "而是",
                                        "当了",
                                        "做了",
                                        "become",
                                        "becomes",
                                        "became",
                                        "becoming",
                                        "turns into",
                                        "turned into",
                                        "now a",
                                        "now an",
                                        "named",
                                        "title",
                                        "rank",
                                        "class",
                                        "当上",
                                        "当上了",
                                        "transforms into",
                                        "transformed into",
                                        "changes into",
                                        "changed into",
                                        "转为",
                                        "is made",
                                        "was made",
                                        "降为",
                                        "appointed",
                                        "is now the",
                                        "are now the",
                                        "is now a",
                                        "is now an",
                                        "are now a",
                                        "are now an",
                                        "a full",
                                        "授予",
                                        "接任",
                                        "继任",
                                        "继承了",
                                        "沦为",
                                        "已是"}) {
        if (text == weak) {
            return true;
        }
    }
    return false;
}

class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    void read() {
        read_is_now();
        if (clause_.has_name) {
            read_is_now_han();
        }
        if (clause_.has_name || clause_.has_any({Word::kNoLonger, Word::kBecomeRole, Word::kLearn,
                                                 Word::kForget, Word::kRename, Word::kLevelUp})) {
            read_tokens();
        }
    }

  private:
    void read_tokens() {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            if (token.kind == Kind::kWord && !token.is(Word::kPlain)) {
                if (token.is(Word::kNoLonger)) {
                    read_no_longer(i);
                } else if (token.is(Word::kBecomeRole)) {
                    read_become(i);
                }
                if (token.is(Word::kLearn)) {
                    read_learn(i);
                }
                if (token.is(Word::kForget)) {
                    read_forget(i);
                }
                if (token.is(Word::kRename)) {
                    read_rename(i);
                }
                if (token.is(Word::kLevelUp)) {
                    read_realm(i);
                }
            }
            if (const Meaning* meaning = at_.meaning(i, Meaning::Kind::kAttribute)) {
                read_amount(i, *meaning, false);
            } else if (const Meaning* skill = at_.meaning(i, Meaning::Kind::kSkill)) {
                read_amount(i, *skill, true);
            }
        }
    }

    bool has(Word word, std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i) {
            if (at_.token(i).is(word)) {
                return true;
            }
        }
        return false;
    }

    // The first role named in a range.
    std::optional<std::size_t> role_in(std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i) {
            if (at_.meaning(i, Meaning::Kind::kRole) != nullptr) {
                return i;
            }
        }
        return std::nullopt;
    }

    Subject owner(std::size_t before) const {
        for (const Mention& mention : at_.people.in(index_)) {
            const bool role = at_.meaning(mention.token, Meaning::Kind::kRole) != nullptr &&
                              mention.form == Mention::Form::kEpithet;
            if (mention.token < before && !mention.is_agent && !role) {
                return at_.people.before(index_, mention.end);
            }
        }
        return at_.people.before(index_, before);
    }

    Claim start(std::size_t from, std::size_t to, Subject subject, int confidence) const {
        Claim made;
        made.type = Type::kCharacterSheet;
        made.clause = index_;
        made.from = from;
        made.to = to;
        made.subject = std::move(subject);
        made.confidence = confidence;
        made.found = at_.prose.folded.substr(at_.token(from).begin,
                                             at_.token(to - 1).end - at_.token(from).begin);
        return made;
    }

    // 不再是牧师
    void read_no_longer(std::size_t i) {
        auto role = role_in(i + 1, std::min(i + 4, clause_.end));
        // "is a student no longer"
        if (!role && at_.prose.text(at_.token(i)) == "no longer") {
            role = role_in(i > clause_.begin + 3 ? i - 3 : clause_.begin, i);
        }
        if (!role) {
            return;
        }
        const std::size_t from = std::min(i, *role);
        const std::size_t to = std::max(i, *role) + 1;
        const std::string named = at_.names.text(at_.meaning(*role, Meaning::Kind::kRole)->index);
        Claim made = start(from, to, owner(from), 90);
        made.is_denial = true;
        made.judge = [this, named](std::uint32_t who) {
            const Character& sheet = at_.truth.characters[who];
            Verdict verdict;
            verdict.expected = sheet.job;
            verdict.is_contradicted =
                sheet.job == named || sheet.title == named || sheet.race == named;
            verdict.is_none = !verdict.is_contradicted;
            return verdict;
        };
        observe(at_, made);
    }

    void read_become(std::size_t i) {
        const Token& token = at_.token(i);
        const std::string_view text = at_.prose.text(token);
        const std::size_t end = std::min(i + 7, clause_.end);
        const auto role = role_in(i + 1, end);
        const bool titled = has(Word::kTitleNoun, clause_.begin, clause_.end);
        const auto old = role_in(clause_.begin, i);
        const Subject subject = owner(i);
        bool after_no_longer = false;
        if (index_ > 0 && at_.prose.clauses[index_ - 1].sentence == clause_.sentence) {
            const Clause& last = at_.prose.clauses[index_ - 1];
            after_no_longer = has(Word::kNoLonger, last.begin, last.end);
        }
        if (is_weak(text) && !role && !(titled && old) && !after_no_longer &&
            !(titled && !text.empty() && text != "title" && text != "rank" && text != "class")) {
            return;
        }
        const bool alone = text.ends_with("promoted") || text.ends_with("demoted");
        if (i + 1 >= clause_.end && !alone) {
            return;
        }
        std::string named;
        if (role) {
            named = at_.names.text(at_.meaning(*role, Meaning::Kind::kRole)->index);
        }
        const std::string rest = at_.prose.folded.substr(
            at_.token(i).end, at_.token(clause_.end - 1).end - at_.token(i).end);
        Claim made = start(i, role ? *role + 1 : end, subject, is_weak(text) ? 80 : 85);
        made.judge = [this, named, rest](std::uint32_t who) {
            const Character& sheet = at_.truth.characters[who];
            Verdict verdict;
            verdict.expected = sheet.job;
            const auto same = [&](const std::string& field) {
                return !field.empty() &&
                       (field == named || rest.find(text::fold_case(field)) != std::string::npos);
            };
            verdict.is_contradicted = !same(sheet.job) && !same(sheet.title) && !same(sheet.race) &&
                                      !same(sheet.name) &&
                                      !at_.settled.by_character[who].is_sheet_changed;
            return verdict;
        };
        observe(at_, made);
    }

    // 武小楼从今天起就是班主了: 是 with a known role, and a word that it is new.
    void read_is_now_han() {
        for (std::size_t i = clause_.begin + 1; i + 1 < clause_.end; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text != "是" && text != "就是" && text != "便是" && text != "已是") {
                continue;
            }
            const auto role = role_in(i + 1, std::min(i + 4, clause_.end));
            const bool fresh = has(Word::kFromNow, clause_.begin, i) || text == "已是" ||
                               at_.prose.text(at_.token(clause_.end - 1)).ends_with("了");
            if (!role || !fresh) {
                continue;
            }
            for (const Mention& mention : at_.people.in(index_)) {
                if (mention.who == kNobody || mention.is_owner || mention.end > i ||
                    mention.end + 4 < i) {
                    continue;
                }
                const std::string named =
                    at_.names.text(at_.meaning(*role, Meaning::Kind::kRole)->index);
                Claim made = start(i, *role + 1, at_.people.before(index_, mention.end), 80);
                made.judge = [this, named](std::uint32_t who) {
                    const Character& sheet = at_.truth.characters[who];
                    Verdict verdict;
                    verdict.expected = sheet.job;
                    verdict.is_contradicted = sheet.job != named && sheet.title != named &&
                                              sheet.race != named &&
                                              !at_.settled.by_character[who].is_sheet_changed;
                    return verdict;
                };
                observe(at_, made);
                return;
            }
        }
    }

    // "Marisol is a mutant now": a copula right behind the person, "now" at the end.
    void read_is_now() {
        std::size_t end = clause_.end;
        while (end > clause_.begin && at_.token(end - 1).kind == Kind::kMark) {
            --end;
        }
        if (end < clause_.begin + 4 || at_.prose.text(at_.token(end - 1)) != "now") {
            return;
        }
        for (const Mention& mention : at_.people.in(index_)) {
            const std::size_t be = mention.end;
            if (mention.who == kNobody || mention.is_owner || be + 3 > end || end > be + 7) {
                continue;
            }
            const std::string_view text = at_.prose.text(at_.token(be));
            const std::string_view article = at_.prose.text(at_.token(be + 1));
            if ((text != "is" && text != "are") || (article != "a" && article != "an")) {
                continue;
            }
            const std::string rest = at_.prose.folded.substr(
                at_.token(be).end, at_.token(end - 1).begin - at_.token(be).end);
            Claim made = start(be, end, at_.people.before(index_, be), 75);
            made.judge = [this, rest](std::uint32_t who) {
                const Character& sheet = at_.truth.characters[who];
                Verdict verdict;
                verdict.expected = sheet.job;
                verdict.is_contradicted = !at_.settled.by_character[who].is_sheet_changed;
                for (const std::string& field : {sheet.job, sheet.title, sheet.race}) {
                    verdict.is_contradicted =
                        verdict.is_contradicted &&
                        (field.empty() || rest.find(text::fold_case(field)) == std::string::npos);
                }
                return verdict;
            };
            observe(at_, made);
            return;
        }
    }

    void read_learn(std::size_t i) {
        const std::string_view text = at_.prose.text(at_.token(i));
        std::size_t end = std::min(i + 6, clause_.end);
        bool named = has(Word::kSkillNoun, clause_.begin, clause_.end) ||
                     text.find("skill") != std::string_view::npos ||
                     text.find("技能") != std::string_view::npos;
        for (std::size_t j = i + 1; j < end; ++j) {
            named = named || at_.meaning(j, Meaning::Kind::kSkill) != nullptr;
        }
        const bool strong = text.starts_with("习得") || text.starts_with("领悟") ||
                            text.starts_with("学会了") || text.starts_with("练成") ||
                            text.starts_with("修成") || text.starts_with("悟出");
        // 符咒之术，你已学会了: the skill is before the verb.
        std::size_t from = at_.token(i).end;
        if (i + 1 >= clause_.end) {
            named = named || has(Word::kSkillNoun, object_before(), clause_.begin);
            from = at_.token(object_before()).begin;
        }
        if ((!named && !strong) || (i + 1 >= clause_.end && !named)) {
            return;
        }
        const std::string rest =
            at_.prose.folded.substr(from, at_.token(clause_.end - 1).end - from);
        Claim made = start(i, end, at_.people.before(index_, i), named ? 85 : 70);
        made.judge = [this, rest](std::uint32_t who) {
            const Character& sheet = at_.truth.characters[who];
            Verdict verdict;
            verdict.is_contradicted =
                !at_.settled.by_character[who].is_sheet_changed &&
                std::ranges::none_of(sheet.skills, [&](const Skill& skill) {
                    return rest.find(text::fold_case(skill.name)) != std::string::npos;
                });
            return verdict;
        };
        observe(at_, made);
    }

    // The first token of the clause before, in the same sentence: the topic of this one.
    std::size_t object_before() const {
        if (index_ == 0 || at_.prose.clauses[index_ - 1].sentence != clause_.sentence ||
            at_.prose.clauses[index_ - 1].is_quoted) {
            return clause_.begin;
        }
        return at_.prose.clauses[index_ - 1].begin;
    }

    void read_forget(std::size_t i) {
        const bool last = i + 1 >= clause_.end || at_.token(i + 1).kind == Kind::kMark;
        for (std::size_t j = last ? object_before() : clause_.begin; j < clause_.end; ++j) {
            const Meaning* meaning = at_.meaning(j, Meaning::Kind::kSkill);
            if (meaning == nullptr) {
                continue;
            }
            const std::string skill = at_.names.text(meaning->index);
            const bool topical = j < clause_.begin;
            Claim made = start(topical ? i : std::min(i, j), std::max(i, j) + 1,
                               at_.people.before(index_, topical ? i : std::min(i, j)), 85);
            made.judge = [this, skill](std::uint32_t who) {
                const Character& sheet = at_.truth.characters[who];
                Verdict verdict;
                verdict.expected = skill;
                verdict.is_contradicted =
                    std::ranges::find(sheet.skills, skill, &Skill::name) != sheet.skills.end();
                verdict.is_none = !verdict.is_contradicted;
                return verdict;
            };
            observe(at_, made);
            return;
        }
    }

    void read_rename(std::size_t i) {
        for (std::size_t j = clause_.begin; j < clause_.end; ++j) {
            if (at_.meaning(j, Meaning::Kind::kArea) != nullptr && j < i) {
                return;
            }
        }
        const Subject subject = at_.people.before(index_, i);
        const std::size_t end = std::min(i + 4, clause_.end);
        const std::string rest = at_.prose.folded.substr(
            at_.token(i).end, at_.token(clause_.end - 1).end - at_.token(i).end);
        Claim made = start(i, end, subject, 80);
        made.judge = [this, rest](std::uint32_t who) {
            const Character& sheet = at_.truth.characters[who];
            Verdict verdict;
            verdict.expected = sheet.name;
            verdict.is_contradicted = rest.find(text::fold_case(sheet.name)) == std::string::npos &&
                                      !at_.settled.by_character[who].is_sheet_changed;
            return verdict;
        };
        observe(at_, made);
    }

    // 突破到金丹期, against an attribute that is a text.
    void read_realm(std::size_t i) {
        const std::size_t end = std::min(i + 4, clause_.end);
        std::string step;
        std::size_t noun = i + 1;
        while (noun < end && !at_.token(noun).is(Word::kLevelNoun)) {
            ++noun;
        }
        if (noun >= end) {
            return;
        }
        std::string level(at_.prose.text(at_.token(noun)));
        // 炼气八层: the step inside the realm, in 汉字 as sheets write it.
        if (noun + 2 < clause_.end && at_.token(noun + 1).kind == Kind::kNumber &&
            at_.token(noun + 2).is(Word::kLevelNoun) &&
            static_cast<std::uint8_t>(at_.prose.folded[at_.token(noun + 1).begin]) >= 0x80) {
            step = at_.prose.folded.substr(at_.token(noun).begin,
                                           at_.token(noun + 2).end - at_.token(noun).begin);
        }
        if (level == "级" || level == "level" || level == "rank" || level == "境界" ||
            level == "等级" || level == "修为") {
            return;
        }
        Claim made = start(i, noun + 1, at_.people.before(index_, i), 80);
        made.judge = [this, level, step](std::uint32_t who) {
            Verdict verdict;
            verdict.is_none = true;
            for (const auto& [name, value] : at_.truth.characters[who].attributes) {
                if (!value.is_string()) {
                    continue;
                }
                verdict.is_none = false;
                verdict.expected = value.as_string();
                const std::string now = text::fold_case(value.as_string());
                const bool figures = now.find_first_of("0123456789") != std::string::npos;
                verdict.is_contradicted =
                    (now.find(level) == std::string::npos ||
                     (!step.empty() && !figures && now.size() > level.size() &&
                      now.find(step) == std::string::npos)) &&
                    !at_.settled.by_character[who].is_sheet_changed;
            }
            return verdict;
        };
        observe(at_, made);
    }

    // 力量 +2, "strength is now 18", 追踪升到5级
    void read_amount(std::size_t i, const Meaning& meaning, bool is_skill) {
        const std::string named = at_.names.text(meaning.index);
        for (std::size_t j = i + 1; j < clause_.end && j < i + 7; ++j) {
            const Token& token = at_.token(j);
            if (token.kind != Kind::kNumber) {
                continue;
            }
            const Token& last = at_.token(j - 1);
            const std::string_view before = at_.prose.text(last);
            if (before == "从" || before == "由" || before == "from") {
                continue;
            }
            bool change = last.is_mark('+') || last.is_mark('-');
            bool value = false;
            for (std::size_t k = i + 1; k < j; ++k) {
                const Token& word = at_.token(k);
                const std::string_view copula = at_.prose.text(word);
                if (word.is(Word::kBecome) || copula == "is" || copula == "是" || copula == "为") {
                    value = true;
                } else if (word.is(Word::kGain) || word.is(Word::kLose) ||
                           (word.is(Word::kLevelUp) && !word.is(Word::kBecome))) {
                    change = true;
                }
            }
            value = (value && !change) || (j == i + 1 && !is_skill);
            if (!change && !value) {
                return;
            }
            const std::int64_t number = token.number;
            Claim made = start(i, j + 1, at_.people.holder(index_, i), 85);
            made.is_value = true;
            made.judge = [this, named, number, value, is_skill](std::uint32_t who) {
                return judge_amount(named, number, value, is_skill, who);
            };
            observe(at_, made);
            return;
        }
    }

    Verdict judge_amount(const std::string& named, std::int64_t number, bool value, bool is_skill,
                         std::uint32_t who) const {
        const Character& sheet = at_.truth.characters[who];
        std::optional<std::int64_t> now;
        if (is_skill) {
            const auto found = std::ranges::find(sheet.skills, named, &Skill::name);
            now = found == sheet.skills.end() ? std::nullopt : found->level;
        } else {
            for (const auto& [name, amount] : sheet.attributes) {
                if (name == named && amount.is_int()) {
                    now = amount.as_int();
                }
            }
        }
        Verdict verdict;
        if (!now) {
            verdict.is_none = true;
            return verdict;
        }
        verdict.expected = std::to_string(*now);
        const bool updated = at_.settled.by_character[who].is_sheet_changed;
        verdict.is_contradicted = value ? number != *now : !updated && number != *now;
        return verdict;
    }

    const Context& at_;
    std::size_t index_;
    const Clause& clause_;
};

}  // namespace

void find_sheets(const Context& at) {
    for (std::size_t i = 0; i < at.prose.clauses.size(); ++i) {
        Reader(at, i).read();
    }
}

}  // namespace arbiter::conflict::internal
