#include "rules/rulebook.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/limits.h"
#include "expr/formula_field.h"
#include "rules/blueprint.h"
#include "rules/internal/blueprint_texts.h"
#include "rules/internal/day_limits.h"
#include "rules/internal/derived_order.h"
#include "rules/internal/list_form.h"
#include "rules/internal/rule_compiler.h"
#include "rules/internal/time_rules.h"
#include "rules/limit.h"
#include "text/join.h"
#include "value/array.h"
#include "value/editor.h"
#include "value/fields.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::rules {

using base::Error;
using base::ErrorCode;
using expr::Formula;
using expr::formula;
using expr::Vocabulary;
using value::Fields;
using value::Path;
using value::Pattern;
using value::Presence;
using value::Value;

class Compiler : private internal::RuleCompiler {
  public:
    using RuleCompiler::RuleCompiler;

    void run(const Value& written) {
        Fields fields(written, {}, diagnostics_, {.takes = "rulebook: NAME …", .name = "rulebook"});
        book_.name = fields.text("rulebook", Presence::kRequired).value_or("");
        book_.title = fields.bilingual("title").value_or(base::Text());
        fields.ignore({"about"});
        names(fields);
        internal::compile_calendars(*this, fields);
        functions();
        each(fields, "derived", [&](Fields& rule) { derived(rule); });
        each(fields, "limits", [&](Fields& rule) { limit(rule); });
        for (Pattern& place : fields.patterns("read_only")) {
            read_only(std::move(place));
        }
        kept(fields);
        book_.memories = fields.patterns("memories");
        for (const Pattern& place : book_.memories) {
            summarize("memories", {place}, {}, value::print_pattern(place));
        }
        each(fields, "aliases", [&](Fields& rule) { alias(rule); });
        each(fields, "on_change", [&](Fields& rule) { reaction(rule); });
        const bool has_clock = fields.contains("time");
        internal::compile_clock(*this, fields);
        each(fields, "daily", [&](Fields& rule) { internal::compile_daily(*this, rule); });
        each(fields, "stocks", [&](Fields& rule) { internal::compile_stocks(*this, rule); });
        each(fields, "countdowns", [&](Fields& rule) { internal::compile_countdown(*this, rule); });
        each(fields, "forms", [&](Fields& rule) { form(rule); });
        book_.open = fields.patterns("open");
        for (const Pattern& place : book_.open) {
            id_ = "open";
            summarize("open", {place}, {}, value::print_pattern(place));
        }
        each(fields, "cleanup", [&](Fields& rule) { cleanup(rule); });
        each(fields, "flags", [&](Fields& rule) { flag(rule); });
        each(fields, "visibility", [&](Fields& rule) { visibility(rule); });
        each(fields, "leaving", [&](Fields& rule) { leaving(rule); });
        if (const auto blueprint = fields.object("blueprint")) {
            book_.blueprint = blueprint->members();
        }
        fields.finish();
        order();
        remark();
        // Limits per day need the date of the story.
        for (const Path& where : book_.clock || has_clock ? std::vector<Path>() : per_day_at_) {
            diagnostics_.push_back({where, true, Error(ErrorCode::kMissingKey, {"time"})});
        }
    }

  private:
    template <typename Rule>
    void each(Fields& fields, std::string_view section, Rule rule) {
        index_ = 0;
        for (const auto& [written, where] : fields.list(section)) {
            if (++rules_ > base::kRulesMax) {
                fields.error(section,
                             Error(ErrorCode::kTooManyRules, {std::to_string(base::kRulesMax)}));
                return;
            }
            ++index_;
            Fields one(written, where, diagnostics_);
            id_ = one.text("id").value_or(std::string(section) + " " + std::to_string(index_));
            rule(one);
            one.finish();
        }
    }

    void names(Fields& fields) {
        const Value* written = fields.take("names");
        if (written == nullptr) {
            return;
        }
        Fields all(*written, fields.path_of("names"), diagnostics_);
        if (written->is_object()) {
            for (const auto& [key, member] : written->as_object()) {
                if (auto path = all.path(key.view())) {
                    words_.aliases.insert_or_assign(std::string(key.view()), std::move(*path));
                }
            }
        }
    }

    // days(from, to) counts with the calendars.
    void functions() {
        const auto days = [calendars = book_.calendars](std::span<const expr::Known> values) {
            const auto date = [&](std::size_t i) -> std::optional<calendar::Date> {
                return values[i] && values[i]->is_string()
                           ? calendars->parse(values[i]->as_string())
                           : std::nullopt;
            };
            const auto from = date(0);
            const auto to = date(1);
            const auto between = from && to ? calendars->days_between(*from, *to) : std::nullopt;
            return between ? expr::Known(Value(*between)) : std::nullopt;
        };
        words_.functions.push_back({"days", 2, 2, days});
    }

    void derived(Fields& rule) {
        auto place = rule.pattern("place", Presence::kRequired);
        auto value =
            formula(rule, "formula", words(place.value_or(Pattern())), Presence::kRequired);
        if (place && value) {
            summarize("derived", {*place}, value->reads(),
                      value::print_pattern(*place) + " = " + value->text());
            book_.derived.push_back({id_, std::move(*place), std::move(*value)});
            derived_at_.push_back(rule.path_of("formula"));
        }
    }

    void limit(Fields& rule) {
        LimitTerms terms;
        auto place = rule.pattern("place", Presence::kRequired);
        const Vocabulary& all = words(place.value_or(Pattern()), {"old", "new"});
        terms.book = book_.name;
        terms.min = formula(rule, "min", all);
        terms.max = formula(rule, "max", all);
        const auto step = formula(rule, "step", all);
        terms.step_up = formula(rule, "step_up", all);
        terms.step_down = formula(rule, "step_down", all);
        terms.step_up = terms.step_up ? terms.step_up : step;
        terms.step_down = terms.step_down ? terms.step_down : step;
        terms.per_turn = formula(rule, "per_turn", all);
        terms.per_day = formula(rule, "per_day", all);
        if (const Value* start = rule.take("start")) {
            if (start->is_number()) {
                terms.start = start->as_double();
            } else {
                rule.reject("start", "0", *start);
            }
        }
        for (const auto& [value, where] : rule.strict_list("one_of", "[a, b]")) {
            terms.one_of.push_back(value);
        }
        types(rule, terms);
        terms.unique = rule.text("unique");
        terms.append_only = rule.flag("append_only").value_or(false);
        terms.required = rule.flag("required").value_or(false);
        constexpr value::Choice<bool> kOtherwise[] = {{"clamp", false}, {"refuse", true}};
        terms.refuses = rule.one_of("otherwise", kOtherwise).value_or(false);
        check_limit(rule);
        if (!place) {
            return;
        }
        std::vector<Pattern> reads;
        std::string text = value::print_pattern(*place);
        const auto note = [&](std::string_view word, const std::optional<Formula>& term) {
            if (term) {
                text += " " + std::string(word) + " " + term->text();
                reads.insert(reads.end(), term->reads().begin(), term->reads().end());
            }
        };
        note("min", terms.min);
        note("max", terms.max);
        note("step_up", terms.step_up);
        note("step_down", terms.step_down);
        note("per_turn", terms.per_turn);
        note("per_day", terms.per_day);
        text += terms.append_only ? " append_only" : "";
        text += terms.required ? " required" : "";
        text += terms.unique ? " unique " + *terms.unique : "";
        text += terms.one_of.empty() ? "" : " one_of";
        text += terms.types.empty() ? "" : " type " + text::join(terms.types, " | ");
        text += terms.members ? " members " + text::join(*terms.members, " | ") : "";
        summarize("limit", {*place}, std::move(reads), std::move(text));
        if (terms.per_day) {
            book_.daily_limits.push_back({*place, terms.start});
            per_day_at_.push_back(rule.path_of("per_day"));
        }
        if (terms.min || terms.max) {
            book_.ranges.push_back({id_, *place, terms.min, terms.max});
        }
        terms.place = std::move(*place);
        book_.checks.push_back(std::make_shared<Limit>(std::move(terms)));
    }

    void types(Fields& rule, LimitTerms& terms) {
        constexpr std::string_view kTypes[] = {"number", "whole",  "text", "flag",
                                               "list",   "object", "null"};
        for (auto& [type, where] : rule.texts("type")) {
            if (std::ranges::find(kTypes, type) == std::end(kTypes)) {
                rule.reject("type", text::join(kTypes, " | "), Value(std::string_view(type)));
            }
            terms.types.push_back(std::move(type));
        }
        if (const Value* presets = rule.take("presets", value::Kind::kObject)) {
            terms.presets = presets->as_object();
        }
        if (rule.contains("members")) {
            terms.members.emplace();
            for (auto& [name, where] : rule.texts("members")) {
                terms.members->push_back(std::move(name));
            }
        }
    }

    // Bounds that compile but cannot be meant.
    void check_limit(Fields& rule) {
        constexpr std::string_view kBounds[] = {"min",       "max",      "step",   "step_up",
                                                "step_down", "per_turn", "per_day"};
        const auto has = [&rule](std::string_view key) { return rule.contains(key); };
        // A misspelled bound is reported as an unknown key, and is not missing as well.
        constexpr std::string_view kPlain[] = {"id", "place", "otherwise", "start"};
        const bool is_plain = std::ranges::all_of(rule.members(), [&](value::Member member) {
            return std::ranges::find(kPlain, member.key.view()) != std::end(kPlain);
        });
        if (has("place") && is_plain) {
            rule.add({rule.path_of(""), false, Error(ErrorCode::kLimitWithoutBound)});
        }
        for (const std::string_view key : kBounds) {
            const Value* written = rule.members().find(key);
            if (written == nullptr || !written->is_string()) {
                continue;
            }
            const std::string word(written->as_string());
            if (expr::is_numeral(word)) {
                rule.error(key, Error(ErrorCode::kNumberInWords, {word}));
            } else if (expr::is_word(word) && !words_.aliases.contains(word)) {
                bare_words_.push_back(
                    {rule.path_of(key), false, Error(ErrorCode::kUnknownRoot, {word})});
            }
        }
        const Value* min = rule.members().find("min");
        const Value* max = rule.members().find("max");
        if (min != nullptr && max != nullptr && min->is_number() && max->is_number() &&
            min->as_double() > max->as_double()) {
            rule.error("max", Error(ErrorCode::kBoundsCrossed,
                                    {value::print_json(*min), value::print_json(*max)}));
        }
    }

    // Words that nothing else in the rulebook mentions, and derived values that the blueprint gives
    // no place.
    void remark() {
        std::set<std::string, std::less<>> roots;
        const auto add = [&roots](const std::vector<Pattern>& places) {
            for (const Pattern& place : places) {
                if (!place.empty() && !place[0].segment.is_index()) {
                    roots.emplace(place[0].segment.key());
                }
            }
        };
        for (const RuleSummary& each : book_.summaries) {
            add(each.writes);
            if (each.kind != "limit") {
                add(each.reads);
            }
        }
        for (const auto& [key, member] : book_.blueprint) {
            roots.emplace(key.view());
        }
        for (value::Diagnostic& each : bare_words_) {
            if (!roots.contains(each.error.arguments[0])) {
                book_.remarks.push_back(std::move(each));
            }
        }
        const std::vector<std::string> missing =
            book_.blueprint.empty()
                ? std::vector<std::string>()
                : uncomputed(book_, with_blueprint(Value(value::Object()), book_.blueprint));
        if (!missing.empty()) {
            book_.remarks.push_back(
                {{"derived"},
                 true,
                 Error(ErrorCode::kNotComputed, {book_.name, text::join(missing)})});
        }
    }

    void form(Fields& rule) {
        auto place = rule.pattern("place", Presence::kRequired);
        constexpr value::Choice<bool> kOf[] = {{"names", false}, {"numbers", true}};
        const bool numbers = rule.one_of("of", kOf, Presence::kRequired).value_or(false);
        if (place) {
            summarize("form", {*place}, {},
                      value::print_pattern(*place) + (numbers ? " a:1;b:2" : " a;b"));
            book_.checks.push_back(
                std::make_shared<internal::ListFormCheck>(std::move(*place), numbers));
        }
    }

    void read_only(Pattern place) {
        id_ = "read_only";
        summarize("read_only", {place}, {}, value::print_pattern(place));
        book_.read_only.push_back(std::move(place));
    }

    void kept(Fields& fields) {
        id_ = "kept";
        for (const Pattern& place : fields.patterns("kept")) {
            if (auto path = value::bound_path(place, {})) {
                summarize("kept", {place}, {}, value::print_pattern(place));
                book_.kept.push_back(std::move(*path));
            } else {
                fields.reject("kept", "a.b.c",
                              Value(std::string_view(value::print_pattern(place))));
            }
        }
    }

    void alias(Fields& rule) {
        const auto container = rule.path("in", Presence::kRequired);
        const Value* written = rule.take("names", Presence::kRequired);
        if (!container || written == nullptr) {
            return;
        }
        Fields all(*written, rule.path_of("names"), diagnostics_);
        if (!written->is_object()) {
            return;
        }
        for (const auto& [name, key] : written->as_object()) {
            if (auto meant = all.text(name.view())) {
                summarize("alias", {value::pattern_of(*container)}, {},
                          std::string(name.view()) + " → " + *meant);
                book_.aliases.push_back({*container, std::string(name.view()), std::move(*meant)});
            }
        }
    }

    // The list `do` of a rule.
    std::vector<Action> actions(Fields& rule, const Vocabulary& all, const Pattern& known) {
        constexpr std::pair<std::string_view, Action::Kind> kKinds[] = {
            {"set", Action::Kind::kSet},
            {"remove", Action::Kind::kRemove},
            {"clear", Action::Kind::kClear}};
        std::vector<Action> made;
        for (const auto& [written, where] : rule.list("do")) {
            Fields fields(written, where, diagnostics_, {.takes = "{set: a.b, to: 1}"});
            Action action;
            bool named = false;
            for (const auto& [key, kind] : kKinds) {
                auto place = fields.pattern(key);
                if (place && !named) {
                    named = true;
                    action.kind = kind;
                    action.place = std::move(*place);
                    check_bound(fields, key, action.place, known);
                }
                named = named || fields.contains(key);
            }
            const bool sets = named && action.kind == Action::Kind::kSet;
            action.to =
                formula(fields, "to", all, sets ? Presence::kRequired : Presence::kOptional);
            action.creates = fields.flag("create").value_or(false);
            if (!named) {
                fields.missing("set");
            }
            fields.finish();
            if (!action.place.empty()) {
                made.push_back(std::move(action));
            }
        }
        return made;
    }

    void reaction(Fields& rule) {
        Reaction reaction;
        reaction.id = id_;
        auto watch = rule.pattern("watch", Presence::kRequired);
        const Vocabulary& all = words(watch.value_or(Pattern()), {"old", "new"});
        reaction.when = formula(rule, "when", all);
        std::vector<Pattern> writes;
        std::vector<Pattern> reads;
        std::string text;
        reaction.actions = actions(rule, all, watch.value_or(Pattern()));
        for (const Action& action : reaction.actions) {
            writes.push_back(action.place);
            if (action.to) {
                reads.insert(reads.end(), action.to->reads().begin(), action.to->reads().end());
                text += " ; " + value::print_pattern(action.place) + " = " + action.to->text();
            }
        }
        if (watch) {
            reads.push_back(*watch);
            if (reaction.when) {
                reads.insert(reads.end(), reaction.when->reads().begin(),
                             reaction.when->reads().end());
            }
            summarize("on_change", std::move(writes), std::move(reads),
                      value::print_pattern(*watch) + text);
            reaction.watch = std::move(*watch);
            book_.reactions.push_back(std::move(reaction));
        }
    }

    void cleanup(Fields& rule) {
        auto each_place = rule.pattern("each", Presence::kRequired);
        auto when = formula(rule, "when", words(each_place.value_or(Pattern()), {"it"}),
                            Presence::kRequired);
        if (each_place && when) {
            summarize("cleanup", {*each_place}, when->reads(),
                      value::print_pattern(*each_place) + " : " + when->text());
            book_.cleanups.push_back({id_, std::move(*each_place), std::move(*when)});
        }
    }

    void flag(Fields& rule) {
        auto flag_path = rule.path("flag", Presence::kRequired);
        auto count = rule.path("count", Presence::kRequired);
        auto at = formula(rule, "at", words({}), Presence::kRequired);
        auto until = rule.path("until", Presence::kRequired);
        auto clear = rule.path("clear", Presence::kRequired);
        const auto keep = rule.count("keep");
        const bool this_turn = rule.flag("keep_this_turn").value_or(false);
        if (flag_path && count && at && until && clear) {
            summarize("flag", {value::pattern_of(*flag_path), value::pattern_of(*clear)},
                      {value::pattern_of(*count), value::pattern_of(*until)}, at->text());
            book_.flags.push_back({id_, std::move(*flag_path), std::move(*count), std::move(*at),
                                   std::move(*until), std::move(*clear), keep.value_or(0),
                                   this_turn});
        }
    }

    void visibility(Fields& rule) {
        Visibility visibility;
        visibility.id = id_;
        auto below = rule.path("below", Presence::kRequired);
        auto replies = formula(rule, "replies", words({}), Presence::kRequired);
        visibility.mark = rule.text("mark").value_or(visibility.mark);
        visibility.shown = rule.text("shown").value_or(visibility.shown);
        visibility.segment = std::max<std::size_t>(rule.count("keyword").value_or(3), 1);
        if (below && replies) {
            visibility.below = std::move(*below);
            visibility.replies = std::move(*replies);
            Pattern all = value::pattern_of(visibility.below);
            all.push_back({value::PatternStep::Kind::kBelow, value::Segment(""), {}});
            summarize("visibility", {all}, visibility.replies.reads(), visibility.mark);
            book_.checks.push_back(
                std::make_shared<MarkCheck>(visibility.below, visibility.mark, visibility.segment));
            book_.visibilities.push_back(std::move(visibility));
        }
    }

    void leaving(Fields& rule) {
        std::vector<Path> places;
        for (const Pattern& pattern : rule.patterns("places")) {
            if (auto path = value::bound_path(pattern, {})) {
                places.push_back(std::move(*path));
            } else {
                rule.reject("places", "a.b.c",
                            Value(std::string_view(value::print_pattern(pattern))));
            }
        }
        const Vocabulary& all = words({});
        const bool acts = rule.contains("do");
        auto world = formula(rule, "name", all, acts ? Presence::kOptional : Presence::kRequired);
        std::vector<Action> made = actions(rule, all, {});
        if (const Value* written = rule.take("places", Presence::kRequired);
            written != nullptr && written->is_array() && written->as_array().empty()) {
            rule.reject("places", "a.b.c", *written);
        }
        std::vector<Pattern> reads;
        for (const Path& place : places) {
            reads.push_back(value::pattern_of(place));
        }
        std::vector<Pattern> writes;
        for (const Action& action : made) {
            writes.push_back(action.place);
        }
        summarize("leaving", std::move(writes), std::move(reads), world ? world->text() : "");
        book_.leavings.push_back({id_, std::move(places), std::move(world), std::move(made)});
    }

    // Sorts the derived values topologically; a cycle is an error.
    void order() {
        constexpr std::size_t kNamed = 8;
        const internal::DerivedOrder order = internal::order_of(book_.derived);
        if (!order.cycle.empty()) {
            std::string places;
            for (std::size_t i = 0; i < std::min(order.cycle.size(), kNamed); ++i) {
                places += value::print_pattern(book_.derived[order.cycle[i]].place) + " → ";
            }
            places += order.cycle.size() > kNamed
                          ? "…"
                          : value::print_pattern(book_.derived[order.cycle[0]].place);
            diagnostics_.push_back({derived_at_[order.cycle[0]], false,
                                    Error(ErrorCode::kRuleCycle, {std::move(places)})});
            return;
        }
        std::vector<Derived> in_order;
        for (const std::size_t i : order.sorted) {
            in_order.push_back(std::move(book_.derived[i]));
        }
        book_.derived = std::move(in_order);
    }

    std::vector<Path> per_day_at_;
    value::Diagnostics bare_words_;  // bounds that are one word
    std::vector<Path> derived_at_;   // the path of each derived value
    std::size_t index_ = 0;
    std::size_t rules_ = 0;
};

std::expected<Rulebook, value::Diagnostics> Rulebook::compile(
    const Value& written, std::shared_ptr<const calendar::Calendars> calendars) {
    Rulebook book;
    book.calendars = std::move(calendars);
    book.fingerprint = static_cast<std::int64_t>(value::fingerprint_of(written).exact >> 11U);
    value::Diagnostics diagnostics;
    Compiler(book, diagnostics).run(written);
    if (!diagnostics.empty()) {
        return std::unexpected(std::move(diagnostics));
    }
    book.index = RuleIndex::of(book);
    return book;
}

void Rulebook::add_to(engine::Policy& policy) const {
    std::ranges::move(internal::blueprint_texts(blueprint), std::back_inserter(policy.texts));
    for (const Leaving& each : leavings) {
        if (each.name) {
            policy.emptied.insert(policy.emptied.end(), each.places.begin(), each.places.end());
        }
    }
    for (const Derived& each : derived) {
        policy.derived.push_back(each.place);
    }
    policy.read_only.insert(policy.read_only.end(), read_only.begin(), read_only.end());
    policy.kept.insert(policy.kept.end(), kept.begin(), kept.end());
    for (const Countdown& each : countdowns) {
        policy.derived.push_back(value::pattern_of(each.left));
    }
    policy.open.insert(policy.open.end(), open.begin(), open.end());
    policy.memories.insert(policy.memories.end(), memories.begin(), memories.end());
    policy.aliases.insert(policy.aliases.end(), aliases.begin(), aliases.end());
    policy.checks.insert(policy.checks.end(), checks.begin(), checks.end());
    if (clock && !daily_limits.empty()) {
        policy.checks.push_back(std::make_shared<internal::DayCheck>(*this));
    }
}

}  // namespace arbiter::rules
