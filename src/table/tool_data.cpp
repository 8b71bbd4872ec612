#include "table/tool_data.h"

#include <algorithm>
#include <array>
#include <memory>

#include "base/limits.h"
#include "expr/formula.h"
#include "expr/formula_field.h"
#include "table/internal/data_tool.h"
#include "table/internal/subjects.h"
#include "table/internal/tools_dice.h"
#include "table/internal/write.h"
#include "table/layout.h"
#include "text/nearest.h"
#include "value/fields.h"
#include "value/json.h"
#include "value/pattern.h"

namespace arbiter::table {

using base::Error;
using base::ErrorCode;
using expr::Formula;
using expr::Known;
using internal::DataTool;
using internal::kActor;
using internal::kSettings;
using internal::Let;
using internal::Row;
using internal::Template;
using proposal::Op;
using value::Fields;
using value::Path;
using value::Pattern;
using value::PatternStep;
using value::Presence;
using value::Value;

namespace {

// How a detail is shown: a text as it is, anything else as JSON.
std::string shown(const Known& value) {
    if (!value) {
        return "-";
    }
    return internal::truncated_id(value->is_string() ? std::string(value->as_string())
                                                     : value::print_json(*value));
}

class Compiler {
  public:
    explicit Compiler(const Value& written)
        : fields_(written, {}, diagnostics_, options()), tool_data_(std::make_shared<DataTool>()) {}

    std::expected<Tool, value::Diagnostics> run() {
        name();
        tool_.for_agents = texts(fields_, "agent_text");
        tool_.for_people = texts(fields_, "human_text");
        args();
        lets();
        reasons();
        conditions();
        effect();
        checks();
        result();
        tool_.continues_turn = fields_.flag("continues_turn").value_or(false);
        fields_.finish();
        if (!diagnostics_.empty()) {
            return std::unexpected(std::move(diagnostics_));
        }
        bind();
        return std::move(tool_);
    }

  private:
    static value::FieldsOptions options() {
        value::FieldsOptions options;
        options.null_is_absent = true;
        options.takes = "{name, args, reasons, …}";
        options.name = "tool";
        options.list_max = base::kToolRowsMax;
        return options;
    }

    void name() {
        const auto name = fields_.text("name", Presence::kRequired);
        if (!name) {
            return;
        }
        // Interfaces of models accept only these in the name of a function.
        const bool valid =
            !name->empty() && name->size() <= 64 && std::ranges::all_of(*name, [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-';
            });
        if (!valid) {
            fields_.reject("name", "a-z A-Z 0-9 _ -", std::string_view(*name));
            return;
        }
        tool_.name = *name;
    }

    // A text for both languages, or one for each: a model gets the one, a player may read the
    // other.
    base::Text texts(Fields& fields, std::string_view key) {
        const Value* found = fields.take(key, Presence::kRequired);
        if (found == nullptr) {
            return {};
        }
        if (found->is_string() && !found->as_string().empty()) {
            return {std::string(found->as_string()), std::string(found->as_string())};
        }
        if (!found->is_object()) {
            fields.reject(key, "text, {en: …, zh: …}", *found);
            return {};
        }
        Fields languages = fields.inner(*found, fields.path_of(key));
        base::Text text;
        for (const auto& [language, target] :
             {std::pair("en", &text.english), std::pair("zh", &text.chinese)}) {
            *target = languages.text(language, Presence::kRequired).value_or("");
            if (target->empty() && languages.contains(language) &&
                languages.members().find(language)->is_string()) {
                languages.reject(language, "text", "");
            }
        }
        languages.finish();
        return text;
    }

    // The members of an object whose keys the author chooses.
    std::vector<std::pair<std::string, const Value*>> named(std::string_view key,
                                                            Presence presence) {
        std::vector<std::pair<std::string, const Value*>> all;
        const Value* found = fields_.take(key, presence);
        if (found == nullptr) {
            return all;
        }
        if (!found->is_object() || found->as_object().size() > base::kToolRowsMax) {
            fields_.reject(key, "{name: …} (1–" + std::to_string(base::kToolRowsMax) + ")", *found);
            return all;
        }
        for (const auto& [name, member] : found->as_object()) {
            all.emplace_back(std::string(name.view()), &member);
        }
        return all;
    }
    Path member_path(std::string_view key, std::string_view name) const {
        Path path = fields_.path_of(key);
        path.emplace_back(name);
        return path;
    }

    // A name that a formula can use with $. False, with a diagnostic, if it is taken or unfit.
    bool declare(std::string_view key, const std::string& name) {
        std::vector<std::string>& known = variables_.variables;
        const expr::Vocabulary own{{}, {}, {name}};
        if (name.empty() || !Formula::compile("$" + name, own)) {
            fields_.add({member_path(key, name), true,
                         value::wrong_value(key, "letters, digits, _", std::string_view(name))});
            return false;
        }
        if (name == kSettings || name == kActor || std::ranges::find(known, name) != known.end()) {
            fields_.add({member_path(key, name), true, Error(ErrorCode::kNameTaken, {"$" + name})});
            return false;
        }
        known.push_back(name);
        return true;
    }

    void args() {
        using Type = Parameter::Type;
        enum class Subject : std::uint8_t { kNone, kCharacter, kArea };
        struct Kind {
            Type type;
            Subject subject = Subject::kNone;
        };
        static constexpr value::Choice<Kind> kTypes[] = {
            {"text", {Type::kText}},
            {"integer", {Type::kInteger}},
            {"number", {Type::kNumber}},
            {"boolean", {Type::kBoolean}},
            {"texts", {Type::kTexts}},
            {"object", {Type::kObject}},
            {"objects", {Type::kObjects}},
            {"character", {Type::kText, Subject::kCharacter}},
            {"area", {Type::kText, Subject::kArea}}};
        tool_.conditions.push_back(internal::campaign_open());
        tool_.reasons.push_back(internal::ended_reason());
        const auto all = named("args", Presence::kRequired);
        if (all.empty() && fields_.members().find("args") != nullptr &&
            fields_.members().find("args")->is_object()) {
            fields_.reject("args", "{name: {type, about}}", *fields_.members().find("args"));
        }
        for (const auto& [name, written] : all) {
            declare("args", name);
            Fields row = fields_.inner(*written, member_path("args", name), "{type, about}");
            Parameter made;
            made.name = name;
            const Kind kind = row.one_of("type", kTypes, Presence::kRequired).value_or(Kind());
            made.type = kind.type;
            made.required = row.flag("required").value_or(true);
            made.about = texts(row, "about");
            if (made.type == Type::kInteger || made.type == Type::kNumber) {
                made.min = row.whole("min", -base::kToolNumberMax, base::kToolNumberMax)
                               .value_or(made.min);
                made.max = row.whole("max", made.min, base::kToolNumberMax).value_or(made.max);
            }
            if (made.type == Type::kText && kind.subject == Subject::kNone) {
                for (Fields::TextItem& choice : row.texts("one_of")) {
                    made.choices.push_back(std::move(choice.text));
                }
            }
            row.finish();
            if (kind.subject != Subject::kNone) {
                const bool is_area = kind.subject == Subject::kArea;
                Reason reason = is_area ? internal::unknown_area() : internal::unknown_character();
                if (std::ranges::find(tool_.reasons, reason.id, &Reason::id) ==
                    tool_.reasons.end()) {
                    tool_.reasons.push_back(std::move(reason));
                }
                tool_.conditions.push_back(is_area ? internal::area_exists(name)
                                                   : internal::character_exists(name));
            }
            tool_.parameters.push_back(std::move(made));
        }
    }

    void lets() {
        bool has_dice = false;
        conditions_ = with_surroundings();
        for (const auto& [name, written] : named("let", Presence::kOptional)) {
            Let made{name, {}, {}};
            if (written->is_object()) {
                Fields row = fields_.inner(*written, member_path("let", name), "{roll: 2d6}");
                made.dice = row.text("roll", Presence::kRequired).value_or("");
                Random random(0);
                if (!made.dice.empty() && !internal::throw_dice(made.dice, random)) {
                    row.reject("roll", "2d6+3", std::string_view(made.dice));
                }
                row.finish();
                has_dice = true;
            } else {
                made.formula = formula(*written, member_path("let", name), with_surroundings());
            }
            declare("let", name);
            if (!has_dice) {
                conditions_.variables.push_back(name);
            }
            tool_data_->lets.push_back(std::move(made));
        }
    }
    // Arguments and lets so far, and what a call finds around it.
    [[nodiscard]] expr::Vocabulary with_surroundings() const {
        expr::Vocabulary words = variables_;
        words.variables.emplace_back(kSettings);
        words.variables.emplace_back(kActor);
        return words;
    }

    std::optional<Formula> formula(const Value& written, const Path& path,
                                   const expr::Vocabulary& words) {
        if (written.is_container() || written.is_null()) {
            fields_.error_at(path,
                             value::wrong_value(path.back().as_key().view(), "a formula", written));
            return std::nullopt;
        }
        const std::string text =
            written.is_string() ? std::string(written.as_string()) : value::print_json(written);
        auto compiled = Formula::compile(text, words);
        if (!compiled) {
            Error error = std::move(compiled).error();
            error.place.reset();  // an offset into the formula, not into the file
            fields_.error_at(path, std::move(error));
            return std::nullopt;
        }
        return *std::move(compiled);
    }

    void reasons() {
        const auto all = named("reasons", Presence::kRequired);
        if (all.empty() && fields_.contains("reasons") &&
            fields_.members().find("reasons")->is_object()) {
            fields_.reject("reasons", "{reason: {en: …, zh: …}}",
                           *fields_.members().find("reasons"));
        }
        if (const Value* found = fields_.members().find("reasons");
            found != nullptr && found->is_object()) {
            Fields rows = fields_.inner(*found, fields_.path_of("reasons"));
            for (const auto& [id, written] : all) {
                const bool is_taken =
                    std::ranges::find(common_reasons(), id, &Reason::id) !=
                        common_reasons().end() ||
                    std::ranges::find(tool_.reasons, id, &Reason::id) != tool_.reasons.end();
                if (id.empty() || is_taken) {
                    rows.key_error(id, Error(ErrorCode::kNameTaken, {id}));
                    rows.ignore({std::string_view(id)});
                    continue;
                }
                tool_.reasons.push_back({id, texts(rows, id)});
            }
        }
    }

    void conditions() {
        const Value* found = fields_.take("conditions", Presence::kRequired);
        if (found == nullptr) {
            return;
        }
        // An empty list is written out: the tool has only the conditions that all tools have.
        for (const Fields::Item& item : fields_.strict_list("conditions")) {
            Fields row = fields_.inner(item.value, item.path, "{holds, reason, about}");
            auto holds = expr::formula(row, "holds", conditions_, Presence::kRequired);
            const std::string reason = row.text("reason", Presence::kRequired).value_or("");
            std::vector<Formula> details;
            for (const Fields::Item& detail : row.list("details")) {
                if (auto made = formula(detail.value, detail.path, conditions_)) {
                    details.push_back(*std::move(made));
                }
            }
            static constexpr value::Choice<Condition::Stage> kStages[] = {
                {"state", Condition::Stage::kState}, {"setting", Condition::Stage::kSetting}};
            Condition made;
            made.stage = row.one_of("stage", kStages).value_or(Condition::Stage::kState);
            made.about = texts(row, "about");
            row.finish();
            if (!reason.empty() &&
                std::ranges::find(tool_.reasons, reason, &Reason::id) == tool_.reasons.end()) {
                std::vector<std::string_view> known;
                for (const Reason& each : tool_.reasons) {
                    known.push_back(each.id);
                }
                row.error("reason", value::unknown_key(reason, known));
            }
            made.reason = reason;
            if (!holds) {
                continue;
            }
            made.broken =
                [tool = tool_data_, holds = *std::move(holds),
                 details = std::move(details)](const ToolContext& at) -> std::optional<Details> {
                const std::vector<expr::Variable> variables =
                    internal::condition_variables(*tool, at);
                const expr::Scope scope{at.document, variables};
                if (holds.holds(scope)) {
                    return std::nullopt;
                }
                Details words;
                for (const Formula& detail : details) {
                    words.emplace_back(shown(detail.evaluate(scope)));
                }
                return words;
            };
            tool_.conditions.push_back(std::move(made));
        }
    }

    Template value(const Value& written, const Path& path, const expr::Vocabulary& words) {
        Template made;
        if (written.is_string()) {
            made.formula = formula(written, path, words);
        } else if (written.is_object()) {
            made.kind = value::Kind::kObject;
            for (const auto& [key, member] : written.as_object()) {
                Path below = path;
                below.emplace_back(key);
                made.keys.emplace_back(key.view());
                made.elements.push_back(value(member, below, words));
            }
        } else if (written.is_array()) {
            made.kind = value::Kind::kArray;
            for (std::size_t i = 0; i < written.as_array().size(); ++i) {
                Path below = path;
                below.emplace_back(static_cast<std::int64_t>(i));
                made.elements.push_back(value(written.as_array()[i], below, words));
            }
        } else {
            made.constant = written;
        }
        return made;
    }

    void effect() {
        struct Verb {
            std::string_view name;
            Op op;
            std::string_view value;  // the key of its value; empty: none
        };
        static constexpr Verb kVerbs[] = {{"set", Op::kSet, "to"},
                                          {"add", Op::kIncrement, "by"},
                                          {"push", Op::kPush, "value"},
                                          {"remove", Op::kPull, "value"},
                                          {"delete", Op::kDelete, ""}};
        if (fields_.take("effect", Presence::kRequired) == nullptr) {
            return;
        }
        for (const Fields::Item& item : fields_.strict_list("effect")) {
            Fields fields = fields_.inner(item.value, item.path, "{set: PATH, to: FORMULA}");
            const Verb* verb = nullptr;
            for (const Verb& each : kVerbs) {
                if (fields.contains(each.name) && verb == nullptr) {
                    verb = &each;
                }
            }
            if (verb == nullptr) {
                report_verb(fields);
                continue;
            }
            Row row;
            row.op = verb->op;
            const auto place = fields.pattern(verb->name, Presence::kRequired);
            expr::Vocabulary words = with_surroundings();
            if (place) {
                row.place = *place;
                check_place(fields, *verb, *place);
                for (const PatternStep& step : *place) {
                    if (step.kind == PatternStep::Kind::kOpen && !step.name.empty()) {
                        words.variables.emplace_back(step.name.view());
                    }
                }
            }
            if (!verb->value.empty()) {
                if (const Value* written = fields.take(verb->value, Presence::kRequired)) {
                    row.value = value(*written, fields.path_of(verb->value), words);
                } else if (fields.contains(verb->value)) {
                    row.value = Template();  // null is a value too
                }
            }
            row.condition = expr::formula(fields, "if", words);
            if (row.op == Op::kPush) {
                row.unique = fields.flag("unique").value_or(false);
            }
            fields.finish();
            tool_data_->effect.push_back(std::move(row));
        }
        tool_.changes_state = !tool_data_->effect.empty();
    }

    // A row without a verb: the misspelt one with its nearest word, or what is missing.
    void report_verb(Fields& fields) {
        constexpr auto kWords =
            std::to_array<std::string_view>({"set", "add", "push", "remove", "delete"});
        constexpr auto kOthers =
            std::to_array<std::string_view>({"to", "by", "value", "if", "unique"});
        for (const auto& [key, member] : fields.members()) {
            const auto meant = std::ranges::find(kOthers, key.view()) == kOthers.end()
                                   ? text::nearest(key.view(), kWords)
                                   : std::nullopt;
            if (meant) {
                fields.key_error(key, Error(ErrorCode::kMisspelledKey,
                                            {std::string(key.view()), std::string(*meant)}));
                return;
            }
        }
        fields.missing("set | add | push | remove | delete");
    }

    template <typename Verb>
    void check_place(Fields& fields, const Verb& verb, const Pattern& place) {
        if (!place.empty() && place.back().kind == PatternStep::Kind::kBelow) {
            fields.error(verb.name, Error(ErrorCode::kPatternBelow, {value::print_pattern(place)}));
            return;
        }
        const bool in_campaign = !place.empty() && place[0].kind == PatternStep::Kind::kPlain &&
                                 place[0].segment == value::Segment(kCampaignKey);
        const bool is_known = place.size() >= 3 && place[1].kind == PatternStep::Kind::kPlain &&
                              !place[1].segment.is_index() &&
                              internal::is_open_part(place[1].segment.key());
        if (place.empty() || (in_campaign && !is_known)) {
            fields.error(verb.name,
                         Error(ErrorCode::kToolPath,
                               {value::print_pattern(place),
                                "campaign.characters…, areas…, paths…, world…, rules…"}));
        }
    }

    void checks() {
        if (fields_.take("check", Presence::kRequired) == nullptr) {
            return;
        }
        const auto rows = fields_.strict_list("check");
        if (rows.empty() && fields_.members().find("check")->is_array()) {
            fields_.reject("check", "[FORMULA]", *fields_.members().find("check"));
        }
        for (const Fields::Item& item : rows) {
            if (auto holds = formula(item.value, item.path, variables_)) {
                std::string field = holds->text();
                tool_data_->checks.push_back({*std::move(holds), std::move(field)});
            }
        }
    }

    void result() {
        for (const auto& [name, written] : named("result", Presence::kOptional)) {
            tool_data_->result.emplace_back(
                name, value(*written, member_path("result", name), variables_));
        }
    }

    void bind() {
        tool_data_->names = variables_.variables;
        const std::shared_ptr<const DataTool> tool = tool_data_;
        tool_.effect = [tool](const ToolContext& at, Random& random) {
            return internal::effect_of(*tool, at, random);
        };
        tool_.check = [tool](const EffectCheck& seen) {
            return internal::broken_check(*tool, seen);
        };
        tool_.report = [tool](const EffectCheck& seen) { return internal::report_of(*tool, seen); };
        tool_.rights = engine::Actor::kPlayer;
    }

    value::Diagnostics diagnostics_;
    Fields fields_;
    std::shared_ptr<DataTool> tool_data_;
    Tool tool_;
    // Arguments and lets. Their values are never described ones: two texts are a list.
    expr::Vocabulary variables_ = {{}, {}, {}, false};
    expr::Vocabulary conditions_;  // those that are known before dice are thrown
};

}  // namespace

std::expected<Tool, value::Diagnostics> compile_tool(const Value& written) {
    return Compiler(written).run();
}

}  // namespace arbiter::table
