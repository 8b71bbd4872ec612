#include "conflict/internal/places.h"

#include <algorithm>

#include "conflict/internal/directions.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

// Bytes of unknown words between a verb and its place.
constexpr std::size_t kFillerBytes = 24;
// Clauses back in which the scene was named.
constexpr std::size_t kSceneClauses = 8;

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
        if (!clause.has_name && !clause.has_any({Word::kFollowIn, Word::kStay})) {
            return;
        }
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
        if (is_life_told(clause, place) || (outside && read_door(index, place, area))) {
            return;
        }
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
            if (at_.prose.text(token) == "of" && i > clause.begin && is_inner(i - 1)) {
                inner = true;
                continue;
            }
            // 一路跑回生活舱, "walks back up to the roof"
            const bool han = static_cast<std::uint8_t>(at_.prose.folded[token.begin]) >= 0x80;
            if (!verb && !outside && (han ? i + 1 == place : inner || i + 3 >= place)) {
                const auto direction =
                    han ? direction_han(at_, index, place) : direction_latin(at_, index, i);
                if (direction) {
                    claim_direction(index, place, area, *direction);
                    return;
                }
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
        if (!read_door(index, place, area) && !read_surrounding(index, place, area)) {
            read_panel(index, place, area);
        }
    }

    // 推开义庄的门，跨了进去: through the door of a place.
    bool read_door(std::size_t index, std::size_t place, const Meaning& area) {
        const Clause& clause = at_.prose.clauses[index];
        std::size_t open = clause.end;
        for (std::size_t i = clause.begin; i < clause.end; ++i) {
            if (at_.token(i).is(Word::kOpenDoor)) {
                open = i;
            }
        }
        if (open == clause.end) {
            return false;
        }
        const std::size_t last = at_.prose.sentences[clause.sentence].end;
        for (std::size_t in = index; in < last && in < index + 2; ++in) {
            const Clause& each = at_.prose.clauses[in];
            if (each.is_quoted || (in > index && !at_.people.in(in).empty())) {
                break;
            }
            for (std::size_t i = in == index ? open + 1 : each.begin; i < each.end; ++i) {
                if (at_.token(i).is(Word::kEnterIn)) {
                    const Subject subject = at_.people.before(index, open);
                    claim(index, open, std::max(place, open) + 1, area, Way::kArrive, subject, 82);
                    return true;
                }
            }
        }
        return false;
    }

    // "The cold of the Morgue closes around you": the place surrounds a character.
    bool read_surrounding(std::size_t index, std::size_t place, const Meaning& area) {
        const Clause& clause = at_.prose.clauses[index];
        for (std::size_t i = place + 1; i < clause.end && i < place + 8; ++i) {
            if (!at_.token(i).is(Word::kSurround)) {
                continue;
            }
            for (const Mention& mention : at_.people.in(index)) {
                if (mention.token > i && mention.token <= i + 2 && mention.who != kNobody) {
                    claim(index, place, mention.end, area, Way::kBeAt,
                          at_.people.affected(index, i, mention.end + 1), 80);
                    return true;
                }
            }
        }
        return false;
    }

    // 在长乐街长大: of a life, not of the scene.
    bool is_life_told(const Clause& clause, std::size_t place) const {
        if (place + 1 >= clause.end) {
            return false;
        }
        const std::string_view after =
            std::string_view(at_.prose.folded).substr(at_.token(place + 1).begin);
        for (const std::string_view each : {"长大", "出生", "住了", "住过", "待过", "混了", "当过",
                                            "开过", "做过", "上过", "读过"}) {
            if (after.starts_with(each) && at_.token(place + 1).begin == at_.token(place).end) {
                return true;
            }
        }
        return false;
    }

    void claim_direction(std::size_t index, std::size_t place, const Meaning& area,
                         const Direction& direction) {
        Subject subject = mover(index, direction.verb);
        if (subject.is_all && direction.confidence < 80) {
            return;
        }
        claim(index, direction.verb, place + 1, area, direction.way, subject, direction.confidence,
              false, direction.is_denial);
    }

    // "area: 渡鸦酒馆" of a panel: the word is in the clause before.
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
            // "was in the ward when the sirens started": earlier.
            if (text.starts_with("was ") || text.starts_with("were ")) {
                for (std::size_t i = place + 1; i < at_.prose.clauses[index].end; ++i) {
                    const std::string_view later = at_.prose.text(at_.token(i));
                    if (later == "when" || later == "while" || later == "before") {
                        return;
                    }
                }
            }
            // 并肩走在街上: a walk together is described more loosely.
            if (text.ends_with("走在") && (subject.is_all || subject.who.size() > 1)) {
                return;
            }
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

    // "in the stern of the ship" is in the ship, "at the gates of the town" is not in the town.
    bool is_inner(std::size_t noun) const {
        const Token& token = at_.token(noun);
        if (token.is(Word::kOutside) || token.is(Word::kPerson) || token.is(Word::kToward) ||
            token.is(Word::kPerceive)) {
            return false;
        }
        for (const std::string_view far :
             {"edge",    "edges",   "mouth",  "foot",      "outskirts", "king",  "queen", "lord",
              "lady",    "name",    "smell",  "sound",     "story",     "tale",  "news",  "memory",
              "thought", "view",    "sight",  "direction", "picture",   "model", "image", "plan",
              "shadow",  "brink",   "border", "most",      "end",       "rest",  "half",  "out",
              "because", "instead", "short",  "ahead",     "outside"}) {
            if (at_.prose.text(token) == far) {
                return false;
            }
        }
        return token.kind == Kind::kText || token.is(Word::kBody) || token.is(Word::kFurniture);
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
            // "…, and is on her knees in the church": the subject is before the comma.
            if (i <= clause.begin + 1 && has_only_owners(index)) {
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
        claim_by_subject(index, word, place, area);
    }

    // "Doc is sewing … in the Loft", "You swear under your breath in the Morgue": a person at the
    // start of the clause, any verb that does not reach far, and the place with its preposition.
    void claim_by_subject(std::size_t index, std::size_t word, std::size_t place,
                          const Meaning& area) {
        const Clause& clause = at_.prose.clauses[index];
        const std::vector<Mention>& mentions = at_.people.in(index);
        if (mentions.empty() || area.form != Meaning::Form::kFull) {
            return;
        }
        const Mention& lead = mentions.front();
        if (lead.is_owner || lead.who == kNobody || lead.token > clause.begin + 1) {
            return;
        }
        for (std::size_t i = lead.end; i < word; ++i) {
            const Token& token = at_.token(i);
            const std::string_view text = at_.prose.text(token);
            if (token.is(Word::kPerceive) || token.is(Word::kReport) || token.is(Word::kToward) ||
                token.is(Word::kPerson) || token.is(Word::kModal) || token.is(Word::kPlan) ||
                token.is(Word::kAttempt) || token.is(Word::kNegation) || text == "who" ||
                text == "that" || text == "what" || text == "had" || text == "was" ||
                text == "were" || text == "whose" || text == "and" || token.kind == Kind::kMark) {
                return;
            }
        }
        claim(index, lead.token, place + 1, area, Way::kBeAt, at_.people.before(index, lead.end),
              74);
    }

    bool has_only_owners(std::size_t index) const {
        return std::ranges::all_of(at_.people.in(index),
                                   [](const Mention& each) { return each.is_owner; });
    }

    // 周也在编辑部: the person is right before it.
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
               const Subject& subject, int confidence, bool is_value = false,
               bool is_denial = false) {
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
        made.is_denial = is_denial;
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
