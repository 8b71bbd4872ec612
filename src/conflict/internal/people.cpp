#include "conflict/internal/people.h"

#include <algorithm>

#include "text/ascii.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;
using Form = Mention::Form;

// Clauses back in which a pronoun or an omitted subject finds its person.
constexpr std::size_t kReach = 12;

bool is_han(std::string_view text) {
    return !text.empty() && static_cast<std::uint8_t>(text[0]) >= 0xE3;
}

// 法医室, 骑士团: the epithet is a part of another noun.
bool is_compound(std::string_view text) {
    for (const std::string_view end :
         {"室",   "院",   "所",   "局",   "们", "会", "团", "行", "帽", "服",
          "袍",   "帮",   "族",   "店",   "铺", "楼", "馆", "队", "营", "塔",
          "公会", "协会", "长老", "学徒", "证", "刀", "剑", "枪", "技", "术"}) {
        if (text.starts_with(end)) {
            return true;
        }
    }
    return false;
}

}  // namespace

People::People(const Truth& truth, const Prose& prose, const Names& names)
    : truth_(truth),
      prose_(prose),
      names_(names),
      mentions_(prose.clauses.size()),
      gender_(truth.characters.size(), Word::kCount) {
    for (std::uint32_t i = 0; i < truth.characters.size(); ++i) {
        if (truth.characters[i].id == truth.active_actor) {
            actor_ = i;
        }
    }
    for (std::size_t i = 0; i < prose.clauses.size(); ++i) {
        read_clause(i);
    }
}

bool People::in_quote(std::size_t clause) const {
    return prose_.clauses[clause].is_quoted;
}

// A name, an epithet, or a surname with an honorific.
bool People::add_name(std::size_t clause, std::size_t& at) {
    const Clause& in = prose_.clauses[clause];
    const Token& token = prose_.tokens[at];
    const Meaning* meaning = names_.find(token.name, Meaning::Kind::kCharacter);
    if (meaning == nullptr) {
        return false;
    }
    const Token* last = at > in.begin ? &prose_.tokens[at - 1] : nullptr;
    const Token* next = at + 1 < in.end ? &prose_.tokens[at + 1] : nullptr;
    const bool touches_next = next != nullptr && next->begin == token.end;
    const bool touches_last = last != nullptr && last->end == token.begin;
    Mention mention;
    mention.token = at;
    mention.end = at + 1;
    mention.who = meaning->index;
    switch (meaning->form) {
        case Meaning::Form::kFull:
        case Meaning::Form::kPart:
            // A place may have the same name.
            if (meaning->form == Meaning::Form::kPart &&
                names_.find(token.name, Meaning::Kind::kArea) != nullptr) {
                return false;
            }
            break;
        case Meaning::Form::kSurname:
            if (touches_next && next->is(Word::kHonorAfter)) {
                mention.end = at + 2;
            } else if (!(touches_last && last->is(Word::kHonorBefore))) {
                return false;
            }
            mention.form = Form::kEpithet;
            break;
        case Meaning::Form::kEpithet: {
            mention.form = Form::kEpithet;
            const std::string_view text = prose_.text(token);
            // 法医室 is a room; a medic, another medic is a different person.
            if (is_han(text)) {
                if ((touches_next && is_compound(prose_.text(*next))) ||
                    (touches_last && (last->is(Word::kSomeone) || last->is(Word::kBecomeRole) ||
                                      last->is(Word::kNoLonger) || last->kind == Kind::kNumber ||
                                      last->kind == Kind::kText))) {
                    return false;
                }
            } else if (last == nullptr || prose_.text(*last) != "the" ||
                       (next != nullptr && next->kind == Kind::kText && next->begin == token.end)) {
                return false;
            }
            break;
        }
    }
    at = mention.end - 1;
    note_role(mention, clause);
    mentions_[clause].push_back(mention);
    return true;
}

void People::note_role(Mention& mention, std::size_t clause) const {
    const Clause& in = prose_.clauses[clause];
    const Token* next = mention.end < in.end ? &prose_.tokens[mention.end] : nullptr;
    const Token* last = mention.token > in.begin ? &prose_.tokens[mention.token - 1] : nullptr;
    mention.is_owner = next != nullptr && next->is(Word::kOf);
    mention.is_agent = last != nullptr && last->is(Word::kBy);
    mention.is_object = last != nullptr && last->is(Word::kObject);
    if (last != nullptr) {
        const std::string_view text = prose_.text(*last);
        mention.is_with = text == "随" || text == "跟着" || text == "跟随" || text == "带着" ||
                          text == "领着" || text == "拉着" || text == "陪着" || text == "扶着" ||
                          text == "背着" || text == "搀着" || text == "随着" ||
                          (text == "和" && mention.token == in.begin + 1) ||
                          (text == "与" && mention.token == in.begin + 1);
    }
}

void People::add_stranger(std::size_t clause, std::size_t at) {
    Mention mention;
    mention.token = at;
    mention.end = at + 1;
    mention.form = Form::kStranger;
    note_role(mention, clause);
    mentions_[clause].push_back(mention);
}

std::uint32_t People::antecedent(std::size_t clause, std::size_t at, Word pronoun) const {
    const bool owner =
        at + 1 < prose_.clauses[clause].end &&
        (prose_.tokens[at + 1].is(Word::kOf) || prose_.text(prose_.tokens[at]) == "his" ||
         prose_.text(prose_.tokens[at]) == "her" || prose_.text(prose_.tokens[at]) == "himself" ||
         prose_.text(prose_.tokens[at]) == "herself");
    for (std::size_t i = seen_.size(); i-- > 0;) {
        const Seen& seen = seen_[i];
        if (seen.clause + kReach < clause) {
            break;
        }
        // The subject of a clause is not its object: "Brom asks him".
        if (seen.clause == clause && !owner) {
            continue;
        }
        if (seen.who == kNobody) {
            // 有人叫他的名字: not the stranger who acts.
            if (seen.clause == clause) {
                continue;
            }
            return kNobody;
        }
        const Word known = gender_[seen.who];
        if (known != Word::kCount && known != pronoun) {
            continue;
        }
        // "you" is not "he".
        if (seen.is_you) {
            continue;
        }
        return seen.who;
    }
    return kNobody;
}

void People::read_clause(std::size_t index) {
    const Clause& in = prose_.clauses[index];
    std::vector<Mention>& mentions = mentions_[index];
    for (std::size_t at = in.begin; at < in.end; ++at) {
        const Token& token = prose_.tokens[at];
        if (token.kind == Kind::kName && add_name(index, at)) {
            if (!in.is_quoted) {
                seen_.push_back({mentions.back().who, index, mentions.size() == 1});
            }
            continue;
        }
        if (token.kind == Kind::kNumber || token.kind == Kind::kMark) {
            continue;
        }
        Mention mention;
        mention.token = at;
        mention.end = at + 1;
        if (token.is(Word::kAllOfYou)) {
            mention.form = Form::kAll;
            const std::string_view text = prose_.text(token);
            if (text == "the two of you" || text == "both of you" || text == "the pair of you" ||
                text == "you both" || text == "你们俩" || text == "你们两个") {
                // The active character and the one named last.
                mention.group = last_named(index, 1);
                if (mention.group.empty() || mention.group.front() == actor_) {
                    mention.form = Form::kYou;
                    mention.who = actor_;
                    mention.group.clear();
                } else if (actor_ != kNobody) {
                    mention.group.push_back(actor_);
                }
            } else if (text == "两人" || text == "二人" || text == "两个人") {
                mention.group = last_named(index, 2);
            } else if (text == "三人" || text == "三个人") {
                mention.group = last_named(index, 3);
            }
        } else if (token.is(Word::kYou)) {
            mention.form = Form::kYou;
            mention.who = actor_;
        } else if (token.is(Word::kHe) || token.is(Word::kShe)) {
            const Word pronoun = token.is(Word::kHe) ? Word::kHe : Word::kShe;
            mention.form = Form::kPronoun;
            mention.who = in.is_quoted ? kNobody : antecedent(index, at, pronoun);
            if (mention.who != kNobody && gender_[mention.who] == Word::kCount) {
                gender_[mention.who] = pronoun;
            }
        } else if (token.is(Word::kThey)) {
            mention.form = Form::kStranger;
            if (at + 1 < in.end && prose_.text(prose_.tokens[at + 1]) == "both") {
                mention.group = last_named(index, 2);
                mention.form = mention.group.empty() ? Form::kStranger : Form::kAll;
            }
        } else if (token.is(Word::kIt)) {
            add_stranger(index, at);
            continue;
        } else if (token.is(Word::kPerson)) {
            add_stranger(index, at);
            if (!in.is_quoted) {
                seen_.push_back({kNobody, index, mentions.size() == 1});
            }
            continue;
        } else {
            continue;
        }
        note_role(mention, index);
        const std::string_view text = prose_.text(token);
        if (text == "your" || text == "his" || text == "its" || text == "their" ||
            (text == "her" && at + 1 < in.end &&
             (prose_.tokens[at + 1].kind == Kind::kText ||
              prose_.tokens[at + 1].is(Word::kPerson)))) {
            mention.is_owner = true;
        }
        mentions.push_back(mention);
        if (!in.is_quoted && mention.form != Form::kAll && !token.is(Word::kThey)) {
            seen_.push_back({mention.who, index, mentions.size() == 1, mention.form == Form::kYou});
        }
    }
}

// The last `count` different characters that were named; empty if there are fewer nearby.
std::vector<std::uint32_t> People::last_named(std::size_t clause, std::size_t count) const {
    std::vector<std::uint32_t> named;
    for (std::size_t i = seen_.size(); i-- > 0 && named.size() < count;) {
        if (seen_[i].clause + kReach < clause) {
            break;
        }
        if (seen_[i].who != kNobody && std::ranges::find(named, seen_[i].who) == named.end()) {
            named.push_back(seen_[i].who);
        }
    }
    return named.size() == count ? named : std::vector<std::uint32_t>();
}

const Mention* People::lead(std::size_t clause) const {
    const std::vector<Mention>& all = mentions_[clause];
    const Mention* best = nullptr;
    for (const Mention& mention : all) {
        if (mention.is_agent) {
            continue;
        }
        const bool body = mention.is_owner && mention.end + 1 < prose_.clauses[clause].end &&
                          (prose_.tokens[mention.end].is(Word::kBody) ||
                           prose_.tokens[mention.end + 1].is(Word::kBody));
        if (mention.is_owner && !body && mention.form == Form::kStranger) {
            continue;
        }
        best = &mention;
        break;
    }
    return best;
}

Subject People::subject_of(const Mention& mention, std::size_t clause) const {
    Subject subject;
    switch (mention.form) {
        case Form::kStranger:
            subject.is_stranger = true;
            return subject;
        case Form::kAll:
            subject.is_all = mention.group.empty();
            subject.who = mention.group;
            subject.confidence = 85;
            return subject;
        case Form::kName:
            subject.confidence = 95;
            break;
        case Form::kYou:
            subject.confidence = 95;
            break;
        case Form::kEpithet:
            subject.confidence = 85;
            break;
        case Form::kPronoun:
            subject.confidence = 85;
            break;
    }
    if (mention.who == kNobody) {
        subject.is_stranger = true;
        return subject;
    }
    subject.who.push_back(mention.who);
    // 甲和乙, A and B.
    const std::vector<Mention>& all = mentions_[clause];
    const auto index = static_cast<std::size_t>(&mention - all.data());
    for (std::size_t i = index; i-- > 0;) {
        const Mention& other = all[i];
        if (other.end + 1 == all[i + 1].token && prose_.tokens[other.end].is(Word::kAnd) &&
            other.who != kNobody) {
            subject.who.push_back(other.who);
        } else {
            break;
        }
    }
    if (mention.form == Form::kPronoun) {
        subject.doubt = others_near(clause, subject.who);
    }
    return subject;
}

// The other characters that the clauses nearby name, and the active one.
std::vector<std::uint32_t> People::others_near(std::size_t clause,
                                               const std::vector<std::uint32_t>& who) const {
    std::vector<std::uint32_t> others;
    const auto add = [&](std::uint32_t each) {
        if (each != kNobody && std::ranges::find(who, each) == who.end() &&
            std::ranges::find(others, each) == others.end()) {
            others.push_back(each);
        }
    };
    for (std::size_t i = seen_.size(); i-- > 0;) {
        if (seen_[i].clause <= clause && seen_[i].clause + kReach >= clause) {
            add(seen_[i].who);
        }
    }
    return others;
}

// "who was leaning over it": a relative clause without a subject of its own.
bool People::is_relative(std::size_t clause) const {
    const Clause& in = prose_.clauses[clause];
    for (std::size_t i = in.begin; i < in.end && i < in.begin + 2; ++i) {
        const std::string_view text = prose_.text(prose_.tokens[i]);
        if (text.starts_with("who") || text.starts_with("which") || text.starts_with("whose")) {
            return prose_.clauses[clause].begin > 0;
        }
    }
    return false;
}

Subject People::topic(std::size_t clause, bool through) const {
    const std::uint32_t paragraph = prose_.sentences[prose_.clauses[clause].sentence].paragraph;
    for (std::size_t i = clause, steps = 0; i-- > 0 && steps < kReach; ++steps) {
        if (in_quote(i)) {
            continue;
        }
        if (prose_.sentences[prose_.clauses[i].sentence].paragraph + 1 < paragraph) {
            break;
        }
        const Mention* mention = lead(i);
        if (mention == nullptr || is_relative(i)) {
            continue;
        }
        Subject subject = subject_of(*mention, i);
        if (through && !subject.is_known() &&
            (mention->form == Form::kPronoun ||
             prose_.clauses[i].sentence != prose_.clauses[clause].sentence)) {
            continue;
        }
        add_joined(subject, *mention, i);
        if (subject.is_known() && !subject.is_all) {
            subject.confidence = std::min(subject.confidence, 80);
            subject.is_distant = prose_.clauses[i].sentence != prose_.clauses[clause].sentence;
            subject.doubt = others_near(clause, subject.who);
            // An omitted subject of another sentence may be the active character.
            if (subject.is_distant && actor_ != kNobody &&
                std::ranges::find(subject.who, actor_) == subject.who.end()) {
                subject.doubt.push_back(actor_);
            }
        }
        return subject;
    }
    return {};
}

// 甲和乙 of the clause before: both, not the first.
void People::add_joined(Subject& subject, const Mention& mention, std::size_t clause) const {
    const std::vector<Mention>& all = mentions_[clause];
    auto index = static_cast<std::size_t>(&mention - all.data());
    for (; subject.is_known() && index + 1 < all.size(); ++index) {
        const Mention& next = all[index + 1];
        if (all[index].end + 1 != next.token || next.who == kNobody || next.is_owner ||
            prose_.text(prose_.tokens[all[index].end]) == "with" ||
            !prose_.tokens[all[index].end].is(Word::kAnd)) {
            return;
        }
        subject.who.push_back(next.who);
    }
}

// True if unknown words before `at` may name another subject: 大盘又掉了, the lamp dies.
bool People::has_other_subject(std::size_t clause, std::size_t at) const {
    const Clause& in = prose_.clauses[clause];
    std::size_t bytes = 0;
    bool body = false;
    bool article = false;
    for (std::size_t i = in.begin; i < at; ++i) {
        const Token& token = prose_.tokens[i];
        body = body || token.is(Word::kBody);
        if (token.is(Word::kThing)) {
            return true;
        }
        const std::string_view text = prose_.text(token);
        article =
            article || text == "the" || text == "a" || text == "an" || token.is(Word::kSomeone);
        if (token.kind == Kind::kText) {
            bytes += token.end - token.begin;
        }
        if (token.kind == Kind::kName &&
            names_.find(token.name, Meaning::Kind::kCharacter) == nullptr) {
            bytes += 3;
        }
    }
    if (body) {
        return false;
    }
    const bool latin = in.begin < at && !is_han(prose_.text(prose_.tokens[in.begin]));
    return latin ? article || bytes > 14 : bytes > 9 || (bytes > 3 && article);
}

// "slips out by the stage door and leaves": the verb shares the subject of the one before.
bool People::is_coordinated(std::size_t clause, std::size_t at) const {
    const Clause& in = prose_.clauses[clause];
    for (std::size_t i = at; i-- > in.begin + 1 && i + 3 > at;) {
        const Token& token = prose_.tokens[i];
        if (prose_.text(token) == "and" || prose_.text(token) == "then") {
            const Token& verb = prose_.tokens[in.begin];
            const bool starts = verb.kind == Kind::kText || verb.is(Word::kLeave) ||
                                verb.is(Word::kArrive) || verb.is(Word::kAct) ||
                                verb.is(Word::kLose) || verb.is(Word::kMotion) ||
                                verb.is(Word::kPosture) || verb.is(Word::kTake) ||
                                verb.is(Word::kGive) || verb.is(Word::kStow);
            return starts;
        }
        if (!token.is(Word::kAdverb)) {
            break;
        }
    }
    return false;
}

Subject People::before(std::size_t clause, std::size_t at, bool through) const {
    const std::vector<Mention>& all = mentions_[clause];
    const Mention* found = nullptr;
    const Mention* with = nullptr;
    for (const Mention& mention : all) {
        if (mention.token >= at) {
            break;
        }
        if (mention.is_agent) {
            continue;
        }
        if (mention.is_object && found != nullptr) {
            continue;
        }
        if (mention.is_with && mention.who != kNobody) {
            with = &mention;
            continue;
        }
        found = &mention;
    }
    // "a princess, who loses all her gold": the last one named before.
    if (found == nullptr && with == nullptr && clause > 0 && is_relative(clause) &&
        !mentions_[clause - 1].empty()) {
        return subject_of(mentions_[clause - 1].back(), clause - 1);
    }
    if (with != nullptr && found == nullptr) {
        Subject subject = topic(clause, through);
        if (!subject.is_known()) {
            return subject_of(*with, clause);
        }
        subject.who.push_back(with->who);
        return subject;
    }
    if (found != nullptr) {
        Subject subject = subject_of(*found, clause);
        if (with != nullptr && subject.is_known() && !subject.is_all && with->who != found->who) {
            subject.who.push_back(with->who);
        }
        const std::size_t owned = found->end + (prose_.tokens[found->end].is(Word::kOf) ? 1 : 0);
        subject.is_owner = found->is_owner;
        for (std::size_t i = owned; i < at && i < owned + 3; ++i) {
            subject.is_owner = subject.is_owner && !prose_.tokens[i].is(Word::kBody);
        }
        return subject;
    }
    if (!is_coordinated(clause, at) && has_other_subject(clause, at)) {
        Subject stranger;
        stranger.is_stranger = true;
        return stranger;
    }
    return topic(clause, through);
}

Subject People::holder(std::size_t clause, std::size_t at) const {
    Subject subject = before(clause, at, true);
    if (subject.is_stranger && mentions_[clause].size() == 1 &&
        mentions_[clause].front().form == Form::kPronoun && mentions_[clause].front().token < at) {
        subject = topic(clause, true);
        subject.confidence = std::min(subject.confidence, 75);
    }
    if (!subject.is_known() && !subject.is_stranger && actor_ != kNobody) {
        subject.who.push_back(actor_);
        subject.confidence = 75;
    }
    return subject;
}

Subject People::affected(std::size_t clause, std::size_t from, std::size_t to) const {
    const std::vector<Mention>& all = mentions_[clause];
    // Inside the phrase (打掉了他8点生命), then just behind it (5 damage to Rhea).
    for (const Mention& mention : all) {
        if (mention.token > from && mention.token < to && !mention.is_agent) {
            return subject_of(mention, clause);
        }
    }
    for (const Mention& mention : all) {
        if (mention.token > to && mention.is_object) {
            return subject_of(mention, clause);
        }
    }
    return before(clause, from);
}

std::vector<std::uint32_t> People::party() const {
    std::vector<std::uint32_t> party;
    for (std::uint32_t i = 0; i < truth_.characters.size(); ++i) {
        if (truth_.characters[i].alive_state != "dead") {
            party.push_back(i);
        }
    }
    return party;
}

}  // namespace arbiter::conflict::internal
