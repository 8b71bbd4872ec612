#include "conflict/internal/transfers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "conflict/internal/belongings.h"
#include "conflict/internal/stowing.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

// Tokens between a verb and its thing.
constexpr std::size_t kReach = 6;

bool is_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, text) != words.end();
}

// Missiles: lost once they are shot, unlike a knife that is pulled out again.
bool is_missile(std::string_view name) {
    static constexpr auto kWords = std::to_array<std::string_view>(
        {"弹",   "箭",    "针",      "钉",     "镖",        "火折",    "符",
         "雷",   "arrow", "bullet",  "bolt",   "cartridge", "round",   "shell",
         "dart", "flare", "grenade", "charge", "stone",     "harpoon", "rocket"});
    return std::ranges::any_of(
        kWords, [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

// The words before a thing: three more lockpicks, your last lockpick.
struct Determiner {
    std::optional<std::int64_t> number;
    std::size_t begin = 0;  // the first token of the phrase
    bool is_one = false;    // a, an
    bool is_last = false;
    bool is_more = false;
    const Mention* owner = nullptr;

    [[nodiscard]] bool is_counted() const noexcept { return number || is_one || is_last; }
};

class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    bool read(std::size_t item, const std::string& name) {
        item_ = item;
        name_ = name;
        what_ = determiner(item);
        return read_lost() || read_given() || read_cost() || read_left() || read_used() ||
               read_taken() || read_put_away();
    }

  private:
    std::string_view text(std::size_t i) const { return at_.prose.text(at_.token(i)); }
    bool is_han(std::size_t i) const {
        return static_cast<std::uint8_t>(at_.prose.folded[at_.token(i).begin]) >= 0x80;
    }
    Determiner determiner(std::size_t item) const {
        Determiner found;
        found.begin = item;
        for (std::size_t i = item; i-- > clause_.begin && i + 5 > item;) {
            const Token& token = at_.token(i);
            const std::string_view word = text(i);
            const bool number = token.kind == Kind::kNumber || token.number > 0;
            if (number && !found.number) {
                found.number = token.number;
            } else if (is_any(word, {"a", "an", "another"})) {
                found.is_one = true;
                found.is_more = found.is_more || word == "another";
            } else if (is_any(word, {"last", "最后", "仅剩", "仅有", "唯一", "the last of"})) {
                found.is_last = true;
            } else if (is_any(word, {"more", "second", "third", "extra", "spare", "further", "new",
                                     "又", "第二", "备用"})) {
                found.is_more = true;
            } else if (token.kind == Kind::kMark || token.is(Word::kGive) ||
                       token.is(Word::kStow) || token.is(Word::kTake)) {
                break;
            } else if (!is_any(word, {"the",  "of",      "的",    "枚",   "张",   "支", "包",
                                      "根",   "瓶",      "颗",    "把",   "块",   "只", "个",
                                      "份",   "those",   "these", "that", "own",  "那", "这",
                                      "vial", "handful", "pair",  "'s",   "whole"}) &&
                       !token.is(Word::kAdverb) && token.kind != Kind::kText) {
                break;
            }
            found.begin = i;
        }
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.is_owner && mention.token < item && mention.end + 3 >= item &&
                mention.who != kNobody) {
                found.owner = &mention;
            }
        }
        if (found.is_one && !found.number) {
            found.number = 1;
        }
        return found;
    }

    Claim start(std::size_t from, std::size_t to, int confidence) const {
        Claim made;
        made.type = Type::kInventory;
        made.clause = index_;
        made.from = std::min(from, to - 1);
        made.to = to;
        made.confidence = confidence;
        return made;
    }

    bool has_any(std::uint32_t who) const {
        return who != kNobody &&
               (count_of(at_.truth.characters[who], name_) > 0 ||
                std::ranges::any_of(at_.settled.by_character[who].items,
                                    [&](const auto& each) { return each.first == name_; }));
    }

    Subject named(std::uint32_t who, int confidence) const {
        Subject subject;
        subject.who.push_back(who);
        subject.confidence = confidence;
        return subject;
    }

    // Whose thing it is: its possessor, the subject, the topic, the active character; or the only
    // one that has it.
    Subject keeper_of_thing() const {
        if (what_.owner != nullptr) {
            return named(what_.owner->who, 85);
        }
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token < item_ && has_any(mention.who)) {
                return named(mention.who, 85);
            }
        }
        const Subject topic = at_.people.topic(index_, true);
        if (topic.is_known() && topic.who.size() == 1 && has_any(topic.who.front())) {
            return named(topic.who.front(), 80);
        }
        if (has_any(at_.people.actor())) {
            return named(at_.people.actor(), 75);
        }
        std::uint32_t only = kNobody;
        for (std::uint32_t i = 0; i < at_.truth.characters.size(); ++i) {
            if (has_any(i)) {
                if (only != kNobody) {
                    return {};
                }
                only = i;
            }
        }
        return only == kNobody ? Subject() : named(only, 75);
    }

    void claim(std::size_t from, std::size_t to, const Subject& subject, std::int64_t delta,
               bool is_vague, int confidence, bool is_strong = true) const {
        Claim made = start(from, to, confidence);
        made.subject = subject;
        made.found = (delta > 0 ? "+" : "") + std::to_string(delta) + " " + name_;
        const ThingClaim thing{name_, delta, std::nullopt, is_vague, is_strong};
        made.judge = [this, thing](std::uint32_t who) { return judge_thing(at_, who, thing); };
        observe(at_, made);
    }

    // A loss of the counted number, or of some.
    void claim_loss(std::size_t from, std::size_t to, const Subject& subject,
                    int confidence) const {
        const bool counted = what_.number && !what_.is_last;
        claim(from, to, subject, counted ? -*what_.number : -1, !counted, confidence);
    }

    // ---- the thing breaks or goes away
    bool read_lost() {
        std::size_t bytes = 0;
        for (std::size_t i = item_ + 1; i < clause_.end && i < item_ + 8; ++i) {
            const Token& token = at_.token(i);
            const bool part = i + 1 < clause_.end && is_any(text(i + 1), {"个", "一半", "一角"});
            const bool breaks = token.is(Word::kBreak) && is_whole_break(i) && !part;
            if ((breaks || token.is(Word::kSlipAway)) && !is_attribute(i)) {
                if (is_acted_on() && !is_passive(i)) {
                    return false;
                }
                Claim made = start(what_.begin, i + 1, 78);
                made.core = i;
                made.subject = keeper_of_thing();
                made.is_denial = token.is(Word::kNegation);
                const ThingClaim thing{name_, what_.number && !what_.is_last ? -*what_.number : -1,
                                       std::nullopt, !what_.number || what_.is_last, true};
                made.found = "-" + name_;
                made.judge = [this, thing](std::uint32_t who) {
                    return judge_thing(at_, who, thing);
                };
                observe(at_, made);
                return true;
            }
            if (token.kind == Kind::kText) {
                bytes += token.end - token.begin;
            }
            if (token.kind == Kind::kMark || bytes > 18 || token.is(Word::kAnd)) {
                break;
            }
        }
        return false;
    }

    // "snaps off in the keyhole", not "snaps taut" or "breaks the silence".
    bool is_whole_break(std::size_t i) const {
        if (is_han(i) || text(i).find(' ') != std::string_view::npos || i + 1 >= clause_.end) {
            return true;
        }
        const std::string_view next = text(i + 1);
        if (next == "into") {
            return i + 2 < clause_.end &&
                   is_any(text(i + 2), {"pieces", "splinters", "shards", "fragments", "dust",
                                        "halves", "two", "flames", "a"});
        }
        return !is_any(next, {"the",   "a",    "an",   "his",    "her",   "your",    "its", "taut",
                              "tight", "open", "shut", "closed", "loose", "free",    "out", "up",
                              "to",    "at",   "you",  "him",    "back",  "through", "even"}) &&
               at_.token(i + 1).kind != Kind::kName;
    }

    bool is_attribute(std::size_t i) const {
        return i + 1 < clause_.end && text(i + 1) == "的" && !text(i).ends_with("了");
    }

    // A person acts on the thing: "You empty the flask".
    bool is_acted_on() const {
        if (what_.begin > clause_.begin && is_any(text(what_.begin - 1), {"and", "but", "as"})) {
            return false;
        }
        return std::ranges::any_of(at_.people.in(index_), [&](const Mention& mention) {
            return mention.token < what_.begin && !mention.is_owner && !mention.is_agent;
        });
    }
    bool is_passive(std::size_t i) const {
        return is_han(i) || text(i).starts_with("is ") || text(i).find("been") != std::string::npos;
    }

    // ---- giving
    struct Receiver {
        const Mention* mention = nullptr;
        bool is_counter = false;  // across the counter
        std::size_t end = 0;
    };

    bool read_given() {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            const bool near = i < item_ ? i + kReach > item_ : i < item_ + kReach;
            if (!token.is(Word::kGive) || !near || !is_verb(at_, index_, i)) {
                continue;
            }
            const Receiver to = is_han(i) ? receiver_han(i) : receiver_latin(i);
            if (to.mention == nullptr && !to.is_counter) {
                continue;
            }
            const Subject giver = giver_of(i);
            const std::size_t from = std::min(what_.begin, i);
            const std::size_t end = std::max({item_ + 1, i + 1, to.end});
            const bool tracked = giver.is_known() && !giver.is_all && giver.who.size() == 1;
            if (tracked && to.mention != nullptr && giver.who.front() == to.mention->who) {
                continue;
            }
            const bool loses = tracked && has_any(giver.who.front());
            if (loses) {
                claim_loss(from, end, giver, 78);
            }
            if (to.mention != nullptr && to.mention->who != kNobody) {
                const bool more = what_.is_more || what_.is_counted();
                claim(from, end, named(to.mention->who, 80), what_.number.value_or(1),
                      !what_.number, 75, more);
                return true;
            }
            if (loses) {
                return true;
            }
        }
        return false;
    }

    Subject giver_of(std::size_t verb) const {
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token < verb && !mention.is_owner && !mention.is_agent &&
                !mention.is_object) {
                return at_.people.before(index_, mention.end);
            }
        }
        if (is_han(verb)) {
            return at_.people.topic(index_);
        }
        return at_.people.before(index_, std::min(verb, what_.begin));
    }

    // 递给R, 递到R手里, 放进R的掌心
    Receiver receiver_han(std::size_t verb) const {
        const bool direct = text(verb).find("给") != std::string_view::npos;
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token != verb + 1) {
                continue;
            }
            std::size_t next = mention.end;
            if (next < clause_.end && at_.token(next).is(Word::kOf)) {
                ++next;
            }
            const bool hand = next < clause_.end && at_.token(next).is(Word::kHand);
            if (direct || hand) {
                return {&mention, false, hand ? next + 1 : mention.end};
            }
        }
        // 推到柜台上
        if (!direct && verb + 1 < clause_.end && verb > item_ &&
            is_any(text(verb + 1), {"柜台上", "桌上", "案上", "台面上"}) && what_.is_counted()) {
            return {nullptr, true, verb + 2};
        }
        if (direct && verb > item_ && verb + 1 < clause_.end) {
            return {nullptr, at_.token(verb + 1).is(Word::kPerson), verb + 2};
        }
        return {};
    }

    // "hands Ortiz your keycard", "gives it to the child", "presses it into your palm"
    Receiver receiver_latin(std::size_t verb) const {
        if (verb > item_) {
            return {};
        }
        for (const Mention& mention : at_.people.in(index_)) {
            // "hands you the key"
            if (mention.token > verb && mention.end <= what_.begin && !mention.is_owner) {
                return {&mention, false, item_ + 1};
            }
            if (mention.token <= item_) {
                continue;
            }
            const std::string_view last = text(mention.token - 1);
            const bool hand = mention.is_owner && mention.token + 3 > mention.end &&
                              has_hand(mention.end) && is_any(last, {"into", "in", "onto"});
            if (hand) {
                return {&mention, false, mention.end + 1};
            }
            if (!mention.is_owner && (last == "to" || text(mention.token - 1) == "the")) {
                const std::size_t to = last == "to" ? mention.token - 1 : mention.token - 2;
                if (text(to) == "to" && to <= item_ + 3) {
                    return {&mention, false, mention.end};
                }
            }
        }
        for (std::size_t i = item_ + 1; i + 1 < clause_.end && i < item_ + 4; ++i) {
            const bool across =
                is_any(text(i), {"across", "over", "on", "onto", "down on", "upon"});
            for (std::size_t j = i + 1; across && j < clause_.end && j < i + 3; ++j) {
                if (is_any(text(j), {"counter", "bar", "table", "desk"}) && what_.is_counted() &&
                    !is_any(text(verb), {"put", "puts", "lay", "lays", "laid", "place", "places",
                                         "placed", "drop", "drops", "dropped"})) {
                    return {nullptr, true, j + 1};
                }
            }
        }
        return {};
    }
    bool has_hand(std::size_t from) const {
        for (std::size_t i = from; i < clause_.end && i < from + 3; ++i) {
            if (at_.token(i).is(Word::kHand)) {
                return true;
            }
        }
        return false;
    }

    // "It costs you six sovereigns"
    bool read_cost() {
        if (!what_.number) {
            return false;
        }
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token > clause_.begin && mention.end <= what_.begin &&
                mention.end + 2 >= what_.begin && text(mention.token - 1).starts_with("cost") &&
                mention.who != kNobody) {
                claim_loss(mention.token - 1, item_ + 1, named(mention.who, 85), 78);
                return true;
            }
        }
        return false;
    }

    // "leave the syringes behind", 丢下绳索
    bool read_left() {
        for (std::size_t i = what_.begin; i-- > clause_.begin && i + 3 > what_.begin;) {
            const std::string_view verb = text(i);
            const bool leaves =
                is_any(verb, {"leave", "leaves", "left", "leaving", "abandon", "abandons",
                              "abandoned", "ditch", "ditches", "leave the", "left the"});
            const bool behind = item_ + 1 < clause_.end &&
                                is_any(text(item_ + 1), {"behind", "where", "lying", "there"});
            const bool drops = is_any(verb, {"丢下", "扔下", "撇下", "抛下", "丢下了", "扔下了"});
            if ((leaves && (behind || verb.starts_with("abandon"))) || drops) {
                claim_loss(i, item_ + 1, at_.people.before(index_, i), 76);
                return true;
            }
        }
        return false;
    }

    // ---- using up
    bool read_used() {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            const bool near = i < item_ ? i + kReach > item_ : is_han(i) && i < item_ + kReach;
            // 才烧了个头: a part of it.
            const bool part = i + 1 < clause_.end && is_han(i) &&
                              is_any(text(i + 1), {"个", "一半", "半截", "一角", "一小"});
            if (!near || !is_verb(at_, index_, i) || i == item_ || part) {
                continue;
            }
            const bool all = token.is(Word::kConsume);
            const bool some = token.is(Word::kApply) && what_.is_counted();
            const bool shot = token.is(Word::kShoot) && what_.is_counted() && is_missile(name_);
            if (!all && !some && !shot) {
                continue;
            }
            const Subject subject = user_of(std::min(i, what_.begin));
            if (!subject.is_known() || subject.is_all || subject.who.size() != 1 ||
                !has_any(subject.who.front())) {
                continue;
            }
            claim_loss(std::min(i, what_.begin), std::max(i, item_) + 1, subject,
                       all || shot ? 78 : 75);
            return true;
        }
        return false;
    }

    Subject user_of(std::size_t from) const {
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token < from && !mention.is_agent && !mention.is_object &&
                !mention.is_owner) {
                return at_.people.before(index_, mention.end);
            }
        }
        return at_.people.before(index_, from);
    }

    // ---- taking
    bool read_taken() {
        for (std::size_t i = what_.begin; i-- > clause_.begin && i + kReach > what_.begin;) {
            const Token& token = at_.token(i);
            if (!token.is(Word::kTake) || !is_verb(at_, index_, i)) {
                continue;
            }
            if (const Mention* robbed = taken_from()) {
                claim_loss(i, robbed->end, named(robbed->who, 80), 78);
            }
            const Subject subject = user_of(i);
            if (!subject.is_known() || subject.is_all) {
                return taken_from() != nullptr;
            }
            const bool own = has_any(subject.who.front());
            if (own && !what_.is_more) {
                return false;
            }
            claim(i, item_ + 1, subject, what_.number.value_or(1), !what_.number || what_.is_one,
                  75, true);
            return true;
        }
        return false;
    }

    // "tears the rope from your hands": from one who has it.
    const Mention* taken_from() const {
        for (const Mention& mention : at_.people.in(index_)) {
            const Subject taker = at_.people.before(index_, what_.begin);
            const bool own = taker.who.empty() || taker.who.front() == mention.who;
            if (mention.token > item_ && mention.token <= item_ + 3 && has_any(mention.who) &&
                (!own || taker.is_stranger) &&
                is_any(text(mention.token - 1), {"from", "out of", "off"})) {
                return &mention;
            }
        }
        return nullptr;
    }

    // "slides the ring into her pocket", 把银票揣进怀里
    bool read_put_away() {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            if (!is_stowing(at_, index_, i) || i == item_) {
                continue;
            }
            const auto container = own_container(at_, index_, i);
            if (!container || *container < item_) {
                continue;
            }
            const Subject subject =
                keeper_of_container(at_, index_, i, *container, user_of(std::min(i, what_.begin)));
            if (!subject.is_known() || subject.is_all || subject.who.empty()) {
                continue;
            }
            const bool several = is_han(i) && what_.number && *what_.number > 1;
            if (has_any(subject.who.front()) && !what_.is_more && !several) {
                continue;
            }
            claim(std::min(i, what_.begin), *container + 1, subject, what_.number.value_or(1),
                  !what_.number || what_.is_one, 76, true);
            return true;
        }
        return false;
    }

    const Context& at_;
    std::size_t index_;
    const Clause& clause_;
    std::size_t item_ = 0;
    std::string name_;
    Determiner what_;
};

}  // namespace

bool read_transfer(const Context& at, std::size_t clause, std::size_t item,
                   const std::string& name) {
    return Reader(at, clause).read(item, name);
}

}  // namespace arbiter::conflict::internal
