// A small world with a rule of every kind, and random commands of every kind on it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "calendar/shipped.h"
#include "proposal/operations.h"
#include "proposal/shape.h"
#include "rules/rulebook.h"
#include "tests/support/random.h"
#include "value/json.h"

namespace arbiter::tests {

// Dies on diagnostics: for rulebooks that have none.
inline std::shared_ptr<const rules::Rulebook> book_of(std::string_view json) {
    auto compiled = rules::Rulebook::compile(value::parse_json(json).value());
    return std::make_shared<const rules::Rulebook>(std::move(compiled.value()));
}

inline const char* const kBook = R"json({
    "rulebook": "small",
    "names": {"cap": "world.cap"},
    "derived": [
        {"place": "total", "formula": "sum(hero.*.sum)"
},
        {"place": "hero.$w.sum", "formula": "hero.$w.base + hero.$w.extra"},
        {"place": "hero.$w.extra", "formula": "max(0, hero.$w.base - 8)"},
        {"place": "list.$i.twice", "formula": "list.$i.n * 2"},
        {"place": "unboxed", "formula": "boxed.n + 1"},
        {"place": "seen", "formula": "if(npc.gang.ann._showInEJS, 1, 0)"},
        {"place": "left", "formula": "max(0, 10 - days(start, date))"},
        {"place": "back", "formula": "other.double + 1"}
    ],
    "limits": [
        {"id": "base", "place": "hero.$w.base", "min": 0, "max": "cap"},
        {"id": "num", "place": "bag.$i.num", "min": 0},
        {"id": "age", "place": "hero.$w.age", "max": 99, "otherwise": "refuse"},
        {"id": "gold", "place": "gold", "min": 0, "max": 1000, "per_turn": 50, "per_day": 80}
    ],
    "memories": ["small.$t"],
    "aliases": [{"in": "purse", "names": {"coin": "gold"}}],
    "on_change": [
        {"id": "level", "watch": "world.level", "do": [
            {"set": "world.cap", "to": "pick($new, \"low\", 5, \"high\", 20, 10)", "create": true}]},
        {"id": "gone", "watch": "hero.$w", "when": "not has($new)", "do": [{"remove": "tags.$w"}]}
    ],
    "time": {"date": "date", "clock": "clock", "era": "era", "weekday": "weekday",
             "midnight": true},
    "daily": [{"id": "age", "each": "hero.$w.age", "to": "$it + $days"}],
    "cleanup": [
        {"id": "used", "each": "bag.$i", "when": "bag.$i.num <= 0"},
        {"id": "below", "each": "list.$i", "when": "$it.n < 0"},
        {"id": "tag", "each": "marks.$t", "when": "not has(bag.$t)"}
    ],
    "flags": [{"id": "full", "flag": "flags.full", "count": "small", "at": 3, "until": "big",
               "clear": "small", "keep_this_turn": true}],
    "visibility": [{"below": "npc", "keyword": 2, "replies": "number(world.replies) ?? 2"}],
    "leaving": [{"places": ["npc"], "name": "world.level"}]
})json";
inline const char* const kOtherBook = R"json({
    "rulebook": "other",
    "derived": [{"place": "other.double", "formula": "total * 2"}],
    "cleanup": [{"id": "idle", "each": "hero.$w", "when": "hero.$w.age >= 90"}]
})json";
inline const char* const kWorld = R"json({
    "hero": {"甲": {"base": [5, "d"], "extra": [0, "d"], "sum": 0, "age": 20},
             "乙": {"base": 9, "extra": 0, "sum": 0, "age": 88}},
    "total": [0, "all"], "list": [{"n": 1, "twice": 0}, {"n": 2, "twice": 0}, {"n": 3}],
    "boxed": [{"n": 4}, "described"], "unboxed": 0, "seen": 0, "left": 0, "back": 0,
    "other": {"double": 0}, "bag": {"rope": {"num": 2}, "ink": {"num": "1"}}, "gold": 100,
    "purse": {"gold": 5}, "marks": {"rope": 1, "ink": 1}, "tags": {"甲": 1, "乙": 2},
    "date": ["03月05日", "d"], "clock": "08:00", "era": "公元2023年", "weekday": "星期一",
    "start": "03月01日", "small": {}, "big": {}, "flags": {"full": false},
    "npc": {"gang": {"ann": {"_filter": true}, "bob": {"_filter": true, "x": 1}}, "li": [1]},
    "world": {"level": "low", "cap": 10, "replies": 2}
})json";

class Commands {
  public:
    explicit Commands(Random& random) : random_(random) {}

    value::Value scalar() {
        switch (random_.below(8)) {
            case 0:
                return nullptr;
            case 1:
                return random_.chance(50);
            case 2:
                return static_cast<std::int64_t>(random_.below(40)) - 10;
            case 3:
                return static_cast<double>(random_.below(1000)) / 8;
            case 4:
                return "12";
            case 5:
                return std::string_view(random_.pick(kTexts));
            default:
                return static_cast<std::int64_t>(random_.below(12));
        }
    }
    value::Value thing(std::size_t depth) {
        if (depth == 0 || random_.chance(45)) {
            return random_.chance(20) ? value::Value(value::Array{scalar(), "d"}) : scalar();
        }
        if (random_.chance(20)) {
            value::Array list;
            for (std::size_t i = random_.below(4); i > 0; --i) {
                list = std::move(list).push_back(thing(depth - 1));
            }
            return list;
        }
        value::Object object;
        for (std::size_t i = random_.below(4); i > 0; --i) {
            object = std::move(object).set(value::Str(random_.pick(kKeys)), thing(depth - 1));
        }
        return object;
    }
    // A way into the document, perhaps with something at its end that is not there.
    value::Path place(const value::Value& document) {
        value::Path path;
        const value::Value* at = &document;
        do {
            if (at->is_object() && !at->as_object().empty()) {
                path.emplace_back(at->as_object().at(random_.below(at->as_object().size())).key);
            } else if (at->is_array() && !at->as_array().empty()) {
                path.emplace_back(static_cast<std::int64_t>(random_.below(at->as_array().size())));
            } else {
                break;
            }
            at = value::find(document, path);
        } while (random_.chance(70));
        if (random_.chance(25)) {
            path.emplace_back(std::string_view(random_.pick(kKeys)));
        }
        return path;
    }
    proposal::Proposal next(const value::Value& document) {
        using proposal::Op;
        proposal::Proposal made;
        made.dialect = static_cast<proposal::Dialect>(
            random_.below(static_cast<std::size_t>(proposal::Dialect::kTool)));
        made.verb = "test";
        constexpr Op kOften[] = {Op::kSet, Op::kMerge, Op::kIncrement, Op::kDelete, Op::kMove};
        const Op op = random_.chance(70)
                          ? kOften[random_.below(std::size(kOften))]
                          : static_cast<Op>(random_.below(static_cast<std::size_t>(Op::kCount)));
        proposal::Instruction what = proposal::instruction_of(made.dialect, op);
        what.op = op;
        what.mount = proposal::Mount::kRoot;
        what.in_save = false;
        what.creates = random_.chance(80);
        what.all = random_.chance(5);
        what.path = place(document);
        what.from = place(document);
        const value::Value* there = value::find(document, what.path);
        what.value = op == Op::kSplice
                         ? value::Value(value::Object{{"start", 0}, {"items", value::Array{1}}})
                     : op == Op::kIncrement || (there != nullptr && there->is_number())
                         ? value::Value(static_cast<std::int64_t>(random_.below(30)) - 10)
                         : thing(3);
        if (random_.chance(10) && (op == Op::kInsert || op == Op::kDelete)) {
            what.key = scalar();
        }
        made.what = std::move(what);
        proposal::check_shape(made);
        return made;
    }
    // The clock moves now and then.
    proposal::Proposal time() {
        proposal::Proposal made;
        made.dialect = proposal::Dialect::kMemory;
        proposal::Instruction what = proposal::instruction_of(made.dialect, proposal::Op::kSet);
        what.mount = proposal::Mount::kRoot;
        const bool date = random_.chance(50);
        what.path = {date ? "date" : "clock"};
        what.value = std::string_view(date ? random_.pick(kDates) : random_.pick(kHours));
        made.what = std::move(what);
        return made;
    }
    std::string narrative() { return random_.pick(kTexts) + " " + random_.pick(kTexts); }

  private:
    inline static const std::vector<std::string> kKeys = {
        "甲",    "乙",  "base", "extra", "sum", "num",     "n",          "twice",
        "rope",  "ink", "gang", "ann",   "bob", "_filter", "_showInEJS", "_is_protected",
        "level", "cap", "0",    "age",   "x.y"};
    inline static const std::vector<std::string> kTexts = {
        "ann", "bob waits", "low", "high", "rain", "12", "true", "甲", "3 apples", ""};
    inline static const std::vector<std::string> kDates = {
        "03月06日", "03月09日", "12月31日", "01月02日", "某日", "03月05日", "第3天"};
    inline static const std::vector<std::string> kHours = {"08:00", "23:00", "01:00", "黄昏"};

    Random& random_;
};

}  // namespace arbiter::tests
