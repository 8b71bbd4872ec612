#include "conflict/internal/lives.h"

#include <algorithm>
#include <string_view>

#include "table/layout.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;
namespace alive = table::alive;

// A character may not be claimed dead or downed for certain: only not alive any more.
constexpr std::string_view kGone = "gone";

bool ends_in_any(std::string_view text, std::initializer_list<std::string_view> ends) {
    return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

bool is_downed(std::string_view state) {
    return state == alive::kDowned || state == alive::kUnconscious;
}

class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    void read() {
        if (clause_.has_any(
                {Word::kCorpse, Word::kDie, Word::kDown, Word::kRestrain, Word::kRevive})) {
            read_words();
        }
        if (clause_.has(Word::kRise)) {
            read_never_again();
        }
        read_acting();
    }

  private:
    void read_words() {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            if (token.is(Word::kPlain) || token.kind != Kind::kWord) {
                continue;
            }
            if (token.is(Word::kCorpse)) {
                read_corpse(i);
            } else if (token.is(Word::kDie) && !is_attribute(i)) {
                read_death(i);
            }
            if (token.is(Word::kDown) && !is_attribute(i)) {
                claim(i, patient_of_blow(i), alive::kDowned, 85);
            }
            if (token.is(Word::kRestrain) && !is_attribute(i)) {
                claim(i, patient(i), alive::kRestrained, 85);
            }
            if (token.is(Word::kRevive)) {
                read_revival(i);
            }
        }
    }

    std::string_view text(std::size_t i) const { return at_.prose.text(at_.token(i)); }

    // "never gets up again", 再也没有睁开眼
    void read_never_again() {
        std::size_t no = clause_.end;
        bool again = false;
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            const std::string_view word = text(i);
            if ((token.is(Word::kNegation) || word.starts_with("再也")) && no == clause_.end) {
                no = i;
            }
            again = again || word == "again" || word == "never to" ||
                    (word == "never" && i + 1 < clause_.end && text(i + 1) == "to") ||
                    word == "ever again" || word.starts_with("再也") || word == "再" ||
                    word == "永远";
        }
        for (std::size_t i = no; i < clause_.end; ++i) {
            if (!at_.token(i).is(Word::kRise) || i > no + 4) {
                continue;
            }
            const bool han = static_cast<std::uint8_t>(text(i)[0]) >= 0x80;
            if (!again || (han && !has_again_before(i))) {
                return;
            }
            // "will never rise again" states a fact.
            std::size_t from = no;
            while (from > clause_.begin && at_.token(from - 1).is(Word::kModal)) {
                --from;
            }
            Claim made = start(from, at_.people.before(index_, from), 80);
            made.to = i + 1;
            made.is_denial = true;
            made.found = kGone;
            made.judge = [this](std::uint32_t who) { return judge(who, kGone); };
            observe(at_, made);
            return;
        }
    }
    bool has_again_before(std::size_t rise) const {
        for (std::size_t i = clause_.begin; i < rise; ++i) {
            if (text(i).starts_with("再") || text(i) == "永远") {
                return true;
            }
        }
        return false;
    }

    // "the dark takes you", 敲晕了柳三娘: the one behind the verb.
    Subject patient_of_blow(std::size_t i) const {
        if (ends_in_any(text(i), {"takes",  "claims", "swallows", "knocks out", "打晕",   "打晕了",
                                  "敲晕",   "敲晕了", "击昏",     "打昏",       "打昏了", "迷晕",
                                  "迷晕了", "电晕",   "药倒",     "药倒了",     "放倒",   "放倒了",
                                  "震昏",   "震晕",   "撞晕",     "砸晕"})) {
            const bool named = std::ranges::any_of(at_.people.in(index_), [&](const Mention& each) {
                return each.token == i + 1 && !each.is_owner;
            });
            if (!named && text(i) == "knocks out") {
                return {};
            }
            return patient(i);
        }
        return at_.people.before(index_, i);
    }
    // "the light goes out of her eyes", "a sheet over Crane's face": whose, just behind it.
    const Mention* owner_behind(std::size_t i) const {
        if (!ends_in_any(text(i), {" of", " from", " in", " over", " leaves", " left"})) {
            return nullptr;
        }
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token > i && mention.token <= i + 2) {
                return &mention;
            }
        }
        return nullptr;
    }

    // 死亡的气息, dead leaves: describes something else.
    bool is_attribute(std::size_t i) const {
        if (i + 1 >= clause_.end) {
            return false;
        }
        const Token& next = at_.token(i + 1);
        const std::string_view text = at_.prose.text(at_.token(i));
        if (next.is(Word::kOf) && at_.prose.text(next) == "的") {
            return !text.ends_with("了");
        }
        return (text == "dead" && next.kind == Kind::kText) || is_idiom(i, text);
    }

    // "is dead tired", "been dead on paper", "passes out bandages": not a death, not a faint.
    bool is_idiom(std::size_t i, std::string_view text) const {
        const Token& next = at_.token(i + 1);
        const std::string_view word = this->text(i + 1);
        if (text.ends_with("dead")) {
            for (const std::string_view each :
                 {"to",       "set",   "tired",   "certain", "sure",   "serious", "wrong",
                  "right",    "ahead", "asleep",  "quiet",   "silent", "calm",    "weight",
                  "last",     "keen",  "against", "easy",    "slow",   "inside",  "level",
                  "straight", "drunk", "broke",   "bored",   "even"}) {
                if (word == each) {
                    return true;
                }
            }
            return word == "on" && i + 2 < clause_.end &&
                   (this->text(i + 2) == "paper" || this->text(i + 2) == "time");
        }
        if (text.starts_with("pass") && text.ends_with(" out")) {
            const bool thing = next.kind == Kind::kName || next.kind == Kind::kNumber ||
                               (next.kind == Kind::kText && word.ends_with("s"));
            return thing || word == "the" || word == "some" || word == "more";
        }
        return false;
    }

    // The victim of a transitive verb, or the subject of an intransitive one.
    Subject patient(std::size_t verb) const {
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token == verb + 1 && !mention.is_owner) {
                return at_.people.affected(index_, verb, mention.end);
            }
            if (mention.token > clause_.begin && mention.token < verb) {
                const std::string_view last = at_.prose.text(at_.token(mention.token - 1));
                if (last == "把" || last == "将") {
                    return at_.people.before(index_, mention.end);
                }
            }
        }
        return at_.people.before(index_, verb);
    }

    void read_corpse(std::size_t i) {
        const std::string_view text = at_.prose.text(at_.token(i));
        if (text == "body" || text == "remains" || text == "残骸") {
            return;
        }
        for (const Mention& mention : at_.people.in(index_)) {
            const bool owns = mention.end == i || (mention.end + 1 == i && mention.is_owner);
            if (owns && mention.who != kNobody) {
                Subject subject = at_.people.before(index_, i);
                subject.is_owner = false;
                claim(i, subject, alive::kDead, 85);
            }
        }
    }

    void read_death(std::size_t i) {
        const std::string_view text = this->text(i);
        const bool kills = text.starts_with("kill") || text.starts_with("杀") ||
                           text.starts_with("击杀") || text == "击毙" || text == "处死";
        if (!kills) {
            const Mention* owner = owner_behind(i);
            if (owner != nullptr) {
                Subject subject = at_.people.affected(index_, i, owner->end + 1);
                subject.is_owner = false;
                claim(i, subject, alive::kDead, 80);
                return;
            }
            if (text.starts_with("the end of")) {
                // "the end of her thumb"
                if (i + 1 < clause_.end || at_.people.actor() == kNobody) {
                    return;
                }
                Subject subject;
                if (text.ends_with("you")) {
                    subject.who.push_back(at_.people.actor());
                    subject.confidence = 80;
                } else {
                    subject = at_.people.topic(index_);
                }
                claim(i, subject, alive::kDead, 80);
                return;
            }
            claim(i, at_.people.before(index_, i), alive::kDead, 90);
            return;
        }
        if (text.ends_with("you") && at_.people.actor() != kNobody) {
            Subject subject;
            subject.who.push_back(at_.people.actor());
            subject.confidence = 85;
            claim(i, subject, alive::kDead, 85);
            return;
        }
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token == i + 1 && !mention.is_owner) {
                claim(i, at_.people.affected(index_, i, mention.end), alive::kDead, 90);
                return;
            }
        }
    }

    void read_revival(std::size_t i) {
        const Subject subject = at_.people.before(index_, i);
        Claim made = start(i, subject, 85);
        made.found = alive::kAlive;
        made.judge = [this](std::uint32_t who) {
            const std::string& state = at_.truth.characters[who].alive_state;
            Verdict verdict;
            verdict.expected = state;
            verdict.is_contradicted = state != alive::kAlive;
            verdict.is_none = state == alive::kAlive;
            return verdict;
        };
        observe(at_, made);
    }

    // A dead character speaks, walks, smiles; one that is down walks.
    void read_acting() {
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.who == kNobody || mention.is_owner || mention.is_agent ||
                mention.is_object) {
                continue;
            }
            const std::string& state = at_.truth.characters[mention.who].alive_state;
            if (state != alive::kDead && !is_downed(state)) {
                continue;
            }
            const std::size_t verb = verb_behind(mention, state == alive::kDead);
            if (verb < clause_.end) {
                claim_acting(mention, verb);
                return;
            }
        }
    }

    // The verb of an act behind a person, or the end of the clause.
    std::size_t verb_behind(const Mention& mention, bool is_dead) const {
        for (std::size_t i = mention.end; i < clause_.end && i <= mention.end + 4; ++i) {
            const Token& token = at_.token(i);
            const std::string_view word = text(i);
            const bool han = static_cast<std::uint8_t>(word[0]) >= 0x80;
            const bool moves = token.is(Word::kArrive) || token.is(Word::kFollowIn) ||
                               (token.is(Word::kMotion) && word.ends_with("s")) ||
                               (han && is_bodily(i));
            const bool sits = is_dead && han && token.is(Word::kBeAt) &&
                              (word.find("坐") != std::string_view::npos ||
                               word.find("站") != std::string_view::npos ||
                               word.find("蹲") != std::string_view::npos);
            if (moves || sits || (is_dead && token.is(Word::kAct))) {
                return i;
            }
            if (is_dead && is_name(mention) && (han ? is_act_han(i) : is_act_latin(i))) {
                return i;
            }
            const bool filler =
                token.is(Word::kAdverb) || token.is(Word::kBody) || token.kind == Kind::kText;
            if (!filler || token.is(Word::kStill)) {
                break;
            }
        }
        return clause_.end;
    }
    static bool is_name(const Mention& mention) {
        return mention.form == Mention::Form::kName || mention.form == Mention::Form::kEpithet;
    }
    bool is_bodily(std::size_t i) const {
        for (const std::string_view first : {"站", "走", "跑", "冲", "跳", "跃", "追", "扑"}) {
            if (text(i).starts_with(first)) {
                return text(i).size() > first.size() ||
                       (i + 1 < clause_.end && at_.token(i + 1).is(Word::kAdverb));
            }
        }
        return false;
    }
    // "tips his hat", "is waiting": the present tense of an act.
    bool is_act_latin(std::size_t i) const {
        const std::string_view word = text(i);
        if (word == "is" && i + 1 < clause_.end) {
            const std::string_view next = text(i + 1);
            return next.size() > 5 && next.ends_with("ing") && next != "lying" &&
                   next != "resting" && next != "rotting" && next != "missing" &&
                   next != "hanging" && next != "nothing" && next != "bleeding";
        }
        const Token& token = at_.token(i);
        return !token.is(Word::kStill) && !token.is(Word::kDie) && !token.is(Word::kDown) &&
               !token.is(Word::kAdverb) && token.kind != Kind::kName && word.size() > 3 &&
               word.ends_with("s") && !word.ends_with("ss") && !word.ends_with("us") &&
               i <= clause_.begin + 6;
    }
    // 了尘低声念了句佛号: a verb with 了, 着 or a direction.
    bool is_act_han(std::size_t i) const {
        const Token& token = at_.token(i);
        if (token.kind != Kind::kText || token.is(Word::kStill)) {
            return false;
        }
        std::string_view rest =
            std::string_view(at_.prose.folded)
                .substr(token.begin, at_.token(clause_.end - 1).end - token.begin);
        for (const std::string_view still :
             {"的", "是", "已", "死", "生前", "曾", "当年", "躺",   "倒",
              "仰", "面", "没", "不", "毫",   "早", "被",   "留",   "教",
              "尸", "遗", "棺", "坟", "墓",   "之", "也",   "在世", "活着"}) {
            if (rest.starts_with(still)) {
                return false;
            }
        }
        rest = rest.substr(0, 24);
        return rest.find("了") != std::string_view::npos ||
               rest.find("着") != std::string_view::npos ||
               rest.find("起") != std::string_view::npos ||
               rest.find("道") != std::string_view::npos;
    }

    void claim_acting(const Mention& mention, std::size_t verb) {
        Claim made = start(verb, at_.people.before(index_, mention.end), 85);
        made.from = mention.token;
        made.found = "acts";
        made.judge = [this](std::uint32_t who) {
            Verdict verdict;
            verdict.expected = at_.truth.characters[who].alive_state;
            verdict.is_contradicted = verdict.expected != alive::kAlive;
            // It may act before it falls in this turn.
            verdict.is_none = at_.settled.by_character[who].is_life_set;
            return verdict;
        };
        observe(at_, made);
    }

    // "Pete's heart starts beating": the part of the body is a part of the phrase.
    bool is_owned(std::size_t word) const {
        return std::ranges::any_of(at_.people.in(index_), [&](const Mention& each) {
            return each.is_owner && (each.end == word || each.end + 1 == word);
        });
    }
    // True if the sentence before names one person only, and this clause starts its sentence.
    bool is_alone_before() const {
        if (clause_.sentence == 0 || at_.prose.sentences[clause_.sentence].begin != index_) {
            return false;
        }
        const Sentence& last = at_.prose.sentences[clause_.sentence - 1];
        std::uint32_t who = kNobody;
        for (std::size_t i = last.begin; i < last.end; ++i) {
            for (const Mention& each : at_.people.in(i)) {
                if (at_.prose.clauses[i].is_quoted || each.who == kNobody ||
                    (who != kNobody && who != each.who)) {
                    return false;
                }
                who = each.who;
            }
        }
        return who != kNobody;
    }

    Claim start(std::size_t word, const Subject& subject, int confidence) const {
        Claim made;
        made.type = Type::kAliveState;
        made.clause = index_;
        made.from = word;
        made.to = word + 1;
        made.subject = subject;
        // An omitted subject belongs to its own sentence, or to one about a single person.
        const bool distant = subject.is_distant && !is_alone_before();
        const bool owner = subject.is_owner && !is_owned(word);
        made.confidence = distant || owner ? 60 : confidence;
        // "stops breathing" and 没了气息 contain their own negation.
        made.is_denial = at_.token(word).is(Word::kNegation);
        return made;
    }

    void claim(std::size_t word, const Subject& subject, std::string_view state, int confidence) {
        Claim made = start(word, subject, confidence);
        made.found = state;
        made.judge = [this, state](std::uint32_t who) { return judge(who, state); };
        observe(at_, made);
    }

    Verdict judge(std::uint32_t who, std::string_view state) const {
        const std::string& truth = at_.truth.characters[who].alive_state;
        Verdict verdict;
        verdict.expected = truth;
        if (state == kGone) {
            verdict.is_contradicted = truth == alive::kAlive;
        } else if (state == alive::kDowned) {
            verdict.is_contradicted = !is_downed(truth) && truth != alive::kDead;
        } else {
            verdict.is_contradicted = truth != state;
        }
        verdict.is_settled = !verdict.is_contradicted;
        return verdict;
    }

    const Context& at_;
    std::size_t index_;
    const Clause& clause_;
};

}  // namespace

void find_lives(const Context& at) {
    for (std::size_t i = 0; i < at.prose.clauses.size(); ++i) {
        Reader(at, i).read();
    }
}

}  // namespace arbiter::conflict::internal
