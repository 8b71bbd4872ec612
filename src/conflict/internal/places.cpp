#include "conflict/internal/places.h"

#include <algorithm>

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

// Bytes of unknown words between a verb and its place.
constexpr std::size_t kFillerBytes = 24;
// Clauses back in which the scene was named.
constexpr std::size_t kSceneClauses = 8;

enum class Way : std::uint8_t { kArrive, kBeAt, kStillAt, kLeave };

class Reader {
  public:
    explicit Reader(const Context& at) : at_(at) {}

    void read() {
        for (std::size_t i = 0; i < at_.prose.clauses.size(); ++i) {
            read_clause(i);
        }
    }

  private:
    void read_clause(std::size_t index) {
        const Clause& clause = at_.prose.clauses[index];
        for (std::size_t i = clause.begin; i < clause.end; ++i) {
            const Token& token = at_.token(i);
            if (token.is(Word::kFollowIn)) {
                claim_follow(index, i);
            }
            if (token.is(Word::kStay)) {
                claim_stay(index, i);
            }
            if (const Meaning* area = at_.meaning(i, Meaning::Kind::kArea)) {
                read_area(index, i, *area);
            }
        }
    }

    bool is_outside(const Clause& clause, std::size_t place) const {
        if (place + 1 >= clause.end) {
            return false;
        }
        const Token& next = at_.token(place + 1);
        const Token& own = at_.token(place);
        const bool han = static_cast<std::uint8_t>(at_.prose.folded[next.begin]) >= 0x80;
        if (next.is(Word::kOutside) && (next.begin == own.end || !han)) {
            return true;
        }
        // 编辑部的楼下
        return next.is(Word::kOf) && place + 2 < clause.end &&
               at_.token(place + 2).is(Word::kOutside) && han &&
               at_.token(place + 2).begin == next.end;
    }

    void read_area(std::size_t index, std::size_t place, const Meaning& area) {
        const Clause& clause = at_.prose.clauses[index];
        const bool outside = is_outside(clause, place);
        std::size_t bytes = 0;
        bool inner = false;
        for (std::size_t i = place; i-- > clause.begin;) {
            const Token& token = at_.token(i);
            if (token.kind == Kind::kName && at_.meaning(i, Meaning::Kind::kArea) != nullptr) {
                break;
            }
            const bool verb =
                token.is(Word::kArrive) || token.is(Word::kBeAt) || token.is(Word::kLeave);
            // "at the bottom of the Oubliette" is in it.
            if (at_.prose.text(token) == "of" && i > clause.begin &&
                is_inner(at_.prose.text(at_.token(i - 1)))) {
                inner = true;
                continue;
            }
            if (token.is(Word::kToward) && !verb) {
                return;
            }
            if (verb) {
                if (!outside || token.is(Word::kLeave)) {
                    claim_verb(index, i, place, area, token);
                }
                return;
            }
            if (is_preposition(at_.prose.text(token)) && (inner || i + 2 >= place) && !outside) {
                claim_copula(index, i, place, area);
                return;
            }
            if (at_.prose.text(token) == "在" && i + 1 == place && !outside) {
                claim_at(index, i, place, area);
                return;
            }
            if (token.kind == Kind::kText) {
                bytes += token.end - token.begin;
            }
            if (bytes > kFillerBytes) {
                return;
            }
        }
        // 把酒馆甩在身后
        for (std::size_t i = place + 1; i < clause.end && i < place + 3; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text == "甩在身后" || text == "抛在身后") {
                claim(index, place, i + 1, area, Way::kLeave, at_.people.before(index, place), 90);
            }
        }
        read_panel(index, place, area);
    }

    // "area: 渡鸦酒馆" of a panel: the word stands in the clause before.
    void read_panel(std::size_t index, std::size_t place, const Meaning& area) {
        const Clause& clause = at_.prose.clauses[index];
        if (index == 0 || place != clause.begin || !clause.after_colon) {
            return;
        }
        const Clause& last = at_.prose.clauses[index - 1];
        for (std::size_t i = last.begin; i < last.end; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text == "位置" || text == "地点" || text == "所在地" || text == "当前位置" ||
                text == "当前地点" || text == "所在区域" || text == "当前区域" || text == "area" ||
                text == "location" || text == "current location" || text == "position" ||
                text == "区域" || text == "所在") {
                Subject subject = at_.people.before(index - 1, i);
                if (!subject.is_known() && at_.people.actor() != kNobody) {
                    subject = {};
                    subject.who.push_back(at_.people.actor());
                    subject.confidence = 85;
                }
                claim(index, place, place + 1, area, Way::kStillAt, subject, 90, true);
                return;
            }
        }
    }

    void claim_verb(std::size_t index, std::size_t verb, std::size_t place, const Meaning& area,
                    const Token& token) {
        const std::string_view text = at_.prose.text(token);
        Subject subject = mover(index, verb);
        if (token.is(Word::kBeAt) && !token.is(Word::kArrive)) {
            const bool still = text == "仍在" || is_still(index, verb) || text == "还在" ||
                               text.starts_with("留在") || text.starts_with("stay") ||
                               text.starts_with("remain");
            claim(index, verb, place + 1, area, still ? Way::kStillAt : Way::kBeAt, subject, 90);
        } else if (token.is(Word::kArrive)) {
            claim(index, verb, place + 1, area, Way::kArrive, subject, 95);
        } else {
            claim(index, verb, place + 1, area, Way::kLeave, subject, 90);
        }
    }

    // "is still sitting in the camp", 到现在还蹲在
    bool is_still(std::size_t index, std::size_t verb) const {
        for (std::size_t i = at_.prose.clauses[index].begin; i < verb; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text == "still" || text == "is still" || text.ends_with("还")) {
                return true;
            }
        }
        return false;
    }

    // The one who is moved: 把铁牛拖进, 铁牛被拖进.
    Subject mover(std::size_t index, std::size_t verb) const {
        for (const Mention& mention : at_.people.in(index)) {
            if (mention.token > at_.prose.clauses[index].begin && mention.token < verb) {
                const std::string_view last = at_.prose.text(at_.token(mention.token - 1));
                if (last == "把" || last == "将") {
                    return at_.people.before(index, mention.end);
                }
            }
        }
        return at_.people.before(index, verb);
    }

    static bool is_inner(std::string_view text) {
        for (const std::string_view each :
             {"bottom", "floor",   "top",    "middle",   "heart", "centre",  "center", "corner",
              "back",   "end",     "depths", "belly",    "shade", "rafters", "aisle",  "stage",
              "deck",   "awnings", "bells",  "speakers", "steps", "inside",  "rear",   "front"}) {
            if (text == each) {
                return true;
            }
        }
        return false;
    }

    static bool is_preposition(std::string_view text) {
        return text == "in" || text == "on" || text == "at" || text == "inside" || text == "aboard";
    }

    // "He is still sitting in the camp": a form of "to be" before the preposition, and its person.
    void claim_copula(std::size_t index, std::size_t word, std::size_t place, const Meaning& area) {
        const Clause& clause = at_.prose.clauses[index];
        for (std::size_t i = word; i-- > clause.begin;) {
            const std::string_view text = at_.prose.text(at_.token(i));
            const bool be = text == "is" || text == "are" || text == "was" || text == "were" ||
                            text == "you're" || text == "he's" || text == "she's" ||
                            text == "is on" || text == "is at" || text == "is in" ||
                            text == "are on" || text == "are at" || text == "are in";
            if (!be) {
                continue;
            }
            // "…, and is on her knees in the church": the subject stands before the comma.
            if (i <= clause.begin + 1 && at_.people.in(index).empty()) {
                const Subject subject = at_.people.before(index, i);
                if (subject.is_known() && !subject.is_distant) {
                    claim(index, i, place + 1, area, Way::kBeAt, subject, 80);
                }
                return;
            }
            for (const Mention& mention : at_.people.in(index)) {
                const bool close = (mention.end == i || mention.token == i) && !mention.is_owner;
                if (close) {
                    claim(index, i, place + 1, area, Way::kBeAt,
                          at_.people.before(index, mention.end), 85);
                    return;
                }
            }
            return;
        }
    }

    // 周也在编辑部: the person stands right before it.
    void claim_at(std::size_t index, std::size_t word, std::size_t place, const Meaning& area) {
        for (const Mention& mention : at_.people.in(index)) {
            bool close = mention.end <= word && !mention.is_owner;
            for (std::size_t i = mention.end; close && i < word; ++i) {
                close = at_.token(i).is(Word::kAdverb) || at_.token(i).is(Word::kEach);
            }
            if (close) {
                claim(index, word, place + 1, area, Way::kBeAt, at_.people.before(index, word), 80);
                return;
            }
        }
    }

    void claim(std::size_t index, std::size_t from, std::size_t to, const Meaning& area, Way way,
               const Subject& subject, int confidence, bool is_value = false) {
        if (subject.is_stranger || subject.is_owner) {
            return;
        }
        const Area& place = at_.truth.areas[area.index];
        Claim made;
        made.type = Type::kPosition;
        made.clause = index;
        made.from = from;
        made.to = to;
        made.subject = subject;
        made.found = way == Way::kLeave ? "left " + place.id : place.id;
        made.is_value = is_value;
        made.confidence = area.form == Meaning::Form::kFull ? confidence : confidence - 10;
        made.judge = [this, &place, way](std::uint32_t who) {
            const Character& character = at_.truth.characters[who];
            const Changes& changes = at_.settled.by_character[who];
            const bool passed = std::ranges::find(changes.places, place.id) != changes.places.end();
            Verdict verdict;
            verdict.expected = character.area_id;
            if (character.area_id.empty()) {
                verdict.is_none = true;
            } else if (way == Way::kLeave) {
                verdict.is_contradicted =
                    std::ranges::find(changes.left, place.id) == changes.left.end();
                verdict.is_none = verdict.is_contradicted && character.area_id != place.id;
                verdict.is_settled = !verdict.is_contradicted;
            } else {
                verdict.is_contradicted =
                    character.area_id != place.id && (way == Way::kStillAt || !passed);
                verdict.is_settled = passed;
            }
            return verdict;
        };
        scenes_.push_back(
            {index, area.index,
             subject.is_known() && subject.who.size() == 1 ? subject.who.front() : kNobody});
        observe(at_, made);
    }

    // 跟了进来: to the place that was named last, or where the active character is.
    void claim_follow(std::size_t index, std::size_t verb) {
        const Subject subject = at_.people.before(index, verb);
        if (!subject.is_known() || subject.is_all || at_.people.actor() == kNobody) {
            return;
        }
        std::string scene = at_.truth.characters[at_.people.actor()].area_id;
        for (std::size_t i = scenes_.size(); i-- > 0;) {
            if (scenes_[i].clause + kSceneClauses >= index && scenes_[i].who != kNobody) {
                scene = at_.truth.characters[scenes_[i].who].area_id;
                break;
            }
        }
        Claim made;
        made.type = Type::kPosition;
        made.clause = index;
        made.from = verb;
        made.to = verb + 1;
        made.subject = subject;
        made.found = scene;
        made.confidence = 80;
        made.judge = [this, scene](std::uint32_t who) {
            const Character& character = at_.truth.characters[who];
            const Changes& changes = at_.settled.by_character[who];
            Verdict verdict;
            verdict.expected = character.area_id;
            verdict.is_contradicted =
                character.area_id != scene &&
                std::ranges::find(changes.places, scene) == changes.places.end();
            verdict.is_settled = !verdict.is_contradicted && !changes.places.empty();
            return verdict;
        };
        observe(at_, made);
    }

    // A settled move that the text denies.
    void claim_stay(std::size_t index, std::size_t verb) {
        Claim made;
        made.type = Type::kPosition;
        made.clause = index;
        made.from = verb;
        made.to = verb + 1;
        made.subject = at_.people.before(index, verb);
        made.found = "no move";
        made.is_denial = true;
        made.confidence = 85;
        made.judge = [this](std::uint32_t who) {
            Verdict verdict;
            verdict.expected = at_.truth.characters[who].area_id;
            verdict.is_contradicted = !at_.settled.by_character[who].left.empty();
            return verdict;
        };
        observe(at_, made);
    }

    struct Scene {
        std::size_t clause = 0;
        std::uint32_t area = 0;
        std::uint32_t who = kNobody;
    };
    const Context& at_;
    std::vector<Scene> scenes_;
};

}  // namespace

void find_places(const Context& at) {
    Reader(at).read();
}

}  // namespace arbiter::conflict::internal
