#include "protocol/protocol.h"

#include <algorithm>
#include <iterator>

#include "base/limits.h"
#include "protocol/internal/constraints.h"
#include "protocol/internal/meanings.h"
#include "protocol/words.h"
#include "text/case_fold.h"
#include "text/join.h"
#include "value/fields.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/preview.h"
#include "writer/teach.h"

namespace arbiter::protocol {

using base::Error;
using base::ErrorCode;
using reader::TagMeaning;
using value::Choice;
using value::Fields;
using value::Presence;
using value::Value;

namespace {

constexpr std::int64_t kPriorityMax = 1'000'000;
constexpr std::int64_t kPriorityUsual = 100;
constexpr std::int64_t kPriorityOverride = 200;

constexpr Choice<Target> kTargets[] = {{"system_start", Target::kSystemStart},
                                       {"system_end", Target::kSystemEnd},
                                       {"before_history", Target::kBeforeHistory},
                                       {"after_history", Target::kAfterHistory},
                                       {"floating", Target::kDepth},
                                       {"system_instruction", Target::kSystemEnd},
                                       {"post_history", Target::kAfterHistory}};
constexpr Choice<Type> kTypes[] = {{"core", Type::kCore},
                                   {"extension", Type::kExtension},
                                   {"mode", Type::kMode},
                                   {"override", Type::kOverride},
                                   {"augmentation", Type::kExtension}};

// Texts that are not blank, each once.
std::vector<Fields::TextItem> distinct_texts(Fields& fields, std::string_view key) {
    std::vector<Fields::TextItem> all;
    for (Fields::TextItem& item : fields.texts(key)) {
        if (item.text.find_first_not_of(" \t\r\n") == std::string::npos) {
            fields.error_at(item.path, Error(ErrorCode::kProtocolEmpty, {std::string(key)}));
        } else if (std::ranges::find(all, item.text, &Fields::TextItem::text) != all.end()) {
            fields.error_at(item.path, Error(ErrorCode::kProtocolRepeated, {item.text}));
        } else {
            all.push_back(std::move(item));
        }
    }
    return all;
}

class Compiler {
  public:
    explicit Compiler(Protocol& made) : made_(made) {}

    value::Diagnostics diagnostics;

    void run(const Value& written, std::shared_ptr<const calendar::Calendars> calendars) {
        Fields fields(written, {}, diagnostics,
                      {.unknown_keys = value::UnknownKeys::kRemark,
                       .remarks = &made_.remarks,
                       .null_is_absent = true,
                       .name = "protocol",
                       .list_max = base::kProtocolListMax});
        const Value* meta = fields.take("meta", Presence::kRequired);
        Fields about = fields.inner(meta != nullptr ? *meta : Value(value::Object()), {"meta"});
        identity(about, meta != nullptr ? Presence::kRequired : Presence::kOptional);
        for (Fields* each : {&about, &fields}) {
            references(*each, "dependencies", made_.dependencies);
            references(*each, "requires", made_.dependencies);
            references(*each, "conflicts_with", made_.conflicts);
            references(*each, "replaces", made_.replaces);
            references(*each, "keep", made_.keep);
        }
        type(about);
        injection(fields);
        instruction(fields);
        hints(fields);
        examples(fields);
        activation(fields);
        lexicon(fields);
        auto constraints =
            internal::compile_constraints(fields, "constraints", made_.id, std::move(calendars));
        made_.constraints = std::move(constraints.book);
        made_.own_clock = constraints.own_clock;
        // Keys of other programs that read these files.
        fields.ignore({"tags", "lore_context", "intent_mappings"});
        about.ignore({"filament_spec"});
        about.finish();
        fields.finish();
    }

  private:
    void identity(Fields& about, Presence presence) {
        const auto id = about.text("id", presence);
        if (id && !is_id(*id)) {
            about.error("id", Error(ErrorCode::kProtocolId, {"\"" + *id + "\""}));
        } else if (id) {
            made_.id = *id;
        }
        if (const Value* written = about.take("version")) {
            // A number of a host; a loader of YAML gives its text (1.10 is not 1.1).
            const std::string text = written->is_string()   ? std::string(written->as_string())
                                     : written->is_number() ? value::print_json(*written)
                                                            : std::string();
            const auto version = parse_version(text);
            if (version) {
                made_.version = *version;
            } else {
                about.error("version",
                            Error(ErrorCode::kProtocolVersion, {value::preview(*written)}));
            }
        }
        made_.name = about.bilingual("name").value_or(base::Text());
        if (made_.name.empty()) {
            made_.name = {made_.id, made_.id};
        }
        made_.description = about.bilingual("description").value_or(base::Text());
        made_.author = about.text("author").value_or("");
    }

    void type(Fields& about) {
        const auto first = about.one_of("type", kTypes);
        const auto second = about.one_of("schema_type", kTypes);
        const auto overrides = [](Type type) {
            return type == Type::kMode || type == Type::kOverride;
        };
        if (first && second && overrides(*first) != overrides(*second)) {
            about.error("schema_type", Error(ErrorCode::kProtocolNames, {"type", "schema_type"}));
        }
        made_.type = second.value_or(first.value_or(Type::kExtension));
        // The older word for both; one that takes no other's place changes the whole reply.
        if (made_.type == Type::kOverride && !second && made_.replaces.empty()) {
            made_.type = Type::kMode;
        }
    }

    void references(Fields& fields, std::string_view key, std::vector<Reference>& into) {
        for (const auto& [text, where] : distinct_texts(fields, key)) {
            auto reference = parse_reference(text);
            if (!reference) {
                fields.error_at(where, Error(ErrorCode::kProtocolReference, {"\"" + text + "\""}));
            } else if (reference->id == made_.id) {
                fields.error_at(where,
                                Error(ErrorCode::kProtocolSelf, {std::string(key), made_.id}));
            } else if (std::ranges::find(into, *reference) == into.end()) {
                into.push_back(std::move(*reference));
            }
        }
    }

    void injection(Fields& fields) {
        const bool overrides = made_.type == Type::kMode || made_.type == Type::kOverride;
        made_.priority = overrides ? kPriorityOverride : kPriorityUsual;
        const Value* written = fields.take("injection");
        if (written == nullptr) {
            return;
        }
        Fields rule = fields.inner(*written, fields.path_of("injection"));
        const auto target = rule.one_of("target", kTargets);
        const auto position = rule.one_of("position", kTargets);
        if (target && position && *target != *position) {
            rule.error("position", Error(ErrorCode::kProtocolNames, {"target", "position"}));
        }
        made_.target = target.value_or(position.value_or(Target::kSystemEnd));
        made_.priority =
            rule.whole("priority", -kPriorityMax, kPriorityMax).value_or(made_.priority);
        rule.finish();
    }

    void instruction(Fields& fields) {
        made_.instruction = fields.bilingual("instruction").value_or(base::Text());
        const auto blank = [](const std::string& text) {
            return text.find_first_not_of(" \t\r\n") == std::string::npos;
        };
        const Value* written = fields.take("instruction");
        if (written != nullptr && written->is_string() && blank(made_.instruction.english)) {
            fields.error("instruction", Error(ErrorCode::kProtocolEmpty, {"instruction"}));
        }
        const auto dialect = fields.text("teach");
        if (dialect) {
            made_.teach = writer::find_form(*dialect);
            if (!made_.teach || !writer::is_taught(*made_.teach)) {
                std::vector<std::string_view> forms;
                for (std::size_t i = 0; i < static_cast<std::size_t>(writer::Form::kCount); ++i) {
                    const auto form = static_cast<writer::Form>(i);
                    if (writer::is_taught(form)) {
                        forms.push_back(writer::name(form));
                    }
                }
                fields.error("teach",
                             Error(ErrorCode::kProtocolTeach, {*dialect, text::join(forms)}));
                return;
            }
            const auto add = [&](std::string& text, base::Language language) {
                text += (text.empty() || text.ends_with('\n') ? "" : "\n") +
                        writer::teach(*made_.teach, language);
            };
            add(made_.instruction.english, base::Language::kEnglish);
            add(made_.instruction.chinese, base::Language::kChinese);
            made_.dialects.add(internal::dialect_of(*made_.teach));
        } else if (written == nullptr) {
            fields.missing("instruction");
        }
    }

    void hints(Fields& fields) {
        for (const auto& [written, where] : fields.list("parser_hints")) {
            Fields rule = fields.inner(written, where);
            const auto tag = rule.text("root_tag", Presence::kRequired);
            const auto behavior = rule.text("behavior");
            Hint hint{tag.value_or(""), {}, behavior.value_or(""), {}};
            hint.component = rule.text("component_type").value_or("");
            // Keys of other programs that read these files.
            rule.ignore({"body_format", "required_fields", "streaming_support", "partial_tag",
                         "expected_tags"});
            rule.finish();
            const auto meaning = behavior ? internal::find_behavior(*behavior) : std::nullopt;
            if (behavior && !meaning) {
                rule.reject("behavior", internal::all_behaviors(),
                            Value(std::string_view(*behavior)));
            }
            if (!tag) {
                continue;
            }
            if (!internal::is_tag_name(*tag)) {
                rule.error("root_tag", Error(ErrorCode::kProtocolTag, {"\"" + *tag + "\""}));
                continue;
            }
            if (std::ranges::any_of(made_.hints, [&](const Hint& other) {
                    return internal::same_tag(other.tag, *tag);
                })) {
                rule.error("root_tag", Error(ErrorCode::kProtocolRepeated, {*tag}));
                continue;
            }
            register_hint(rule, std::move(hint), meaning);
        }
    }

    void register_hint(Fields& rule, Hint hint, std::optional<TagMeaning> meaning) {
        const internal::OwnMeaning* own = internal::own_meaning(hint.tag);
        if (own != nullptr && own->meaning == TagMeaning::kThinking) {
            // It is hidden in any case.
            if (meaning && *meaning != TagMeaning::kIgnore) {
                rule.error("behavior", Error(ErrorCode::kProtocolThinking, {hint.tag}));
                return;
            }
        } else {
            hint.meaning = meaning.value_or(own != nullptr ? own->meaning : TagMeaning::kDisplay);
            if (own != nullptr && own->dialect && hint.meaning == own->meaning) {
                made_.dialects.add(*own->dialect);
            }
        }
        made_.hints.push_back(std::move(hint));
    }

    void examples(Fields& fields) {
        reader::Options options;
        for (const Hint& hint : made_.hints) {
            if (hint.meaning) {
                options.hints.push_back({hint.tag, *hint.meaning});
            }
        }
        for (const auto& [written, where] : fields.list("examples")) {
            Fields rule = fields.inner(written, where);
            Example example{rule.text("name").value_or(""),
                            rule.bilingual("input").value_or(base::Text()),
                            rule.bilingual("output").value_or(base::Text())};
            rule.finish();
            for (const std::string_view key : {"input", "output"}) {
                const base::Text& text = key == "input" ? example.input : example.output;
                const Value* found = rule.take(key, Presence::kRequired);
                if (found != nullptr && found->is_string() && text.empty()) {
                    rule.error(key, Error(ErrorCode::kProtocolEmpty, {std::string(key)}));
                }
            }
            made_.examples.push_back(std::move(example));
            check_example(rule, options);
        }
    }

    // A model copies what it is shown, mistakes too.
    void check_example(Fields& rule, const reader::Options& options) {
        const base::Text& output = made_.examples.back().output;
        const std::string number = std::to_string(made_.examples.size());
        for (const std::string* text : {&output.english, &output.chinese}) {
            const reader::Reading reading = reader::read(*text, options);
            const auto remark = [&](std::string why, std::string command) {
                rule.remark_at(rule.path_of("output"),
                               Error(ErrorCode::kProtocolExample,
                                     {number, std::move(why), std::move(command)}));
            };
            for (const proposal::Proposal& proposal : reading.proposals) {
                if (!proposal.problems.empty()) {
                    remark(std::string(proposal::name(proposal.problems[0].code)), proposal.raw);
                }
            }
            for (const proposal::Notice& notice : reading.notices) {
                if (notice.kind == proposal::Notice::Kind::kUnclosed) {
                    remark("unclosed", "<" + notice.about + ">");
                }
            }
            if (output.english == output.chinese) {
                break;
            }
        }
    }

    void activation(Fields& fields) {
        const Value* written = fields.take("activation");
        if (written == nullptr) {
            return;
        }
        Fields rule = fields.inner(*written, fields.path_of("activation"));
        for (const auto& [text, where] : distinct_texts(rule, "keywords")) {
            made_.activation.keywords.push_back({text::fold_case_and_width(text), made_.id});
        }
        for (const auto& [text, where] : distinct_texts(rule, "end_keywords")) {
            made_.activation.end_keywords.push_back(text::fold_case_and_width(text));
        }
        for (const auto& [mapping, where] : rule.list("intent_mappings")) {
            Fields one = rule.inner(mapping, where);
            const auto id = one.text("schema", Presence::kRequired);
            if (id && !is_id(*id)) {
                one.error("schema", Error(ErrorCode::kProtocolId, {"\"" + *id + "\""}));
            }
            for (const auto& [text, place] : distinct_texts(one, "keywords")) {
                made_.activation.keywords.push_back(
                    {text::fold_case_and_width(text), id.value_or("")});
            }
            one.finish();
        }
        scope(rule);
        rule.finish();
    }

    // Words for the conflict check, by category; it reads them from the source.
    void lexicon(Fields& fields) {
        const Value* written = fields.take("lexicon");
        if (written == nullptr) {
            return;
        }
        Fields words = fields.inner(*written, fields.path_of("lexicon"));
        // An unknown category has no effect, as unknown keys have; but it is always reported.
        Fields categories(*written, fields.path_of("lexicon"), made_.remarks,
                          {.unknown_keys = value::UnknownKeys::kError, .null_is_absent = true});
        for (std::size_t i = 0; i < static_cast<std::size_t>(Word::kCount); ++i) {
            const std::string_view category = protocol::name(static_cast<Word>(i));
            distinct_texts(words, category);
            categories.take(category);
        }
        if (written->is_object()) {
            categories.finish();
        }
    }

    // `scope: until_ended`, `scope: {turns: 3}`, or `turns: 3` for short.
    void scope(Fields& rule) {
        if (const auto turns = rule.whole("turns", 1, base::kProtocolTurnsMax)) {
            made_.activation.turns = *turns;
        }
        const Value* written = rule.take("scope");
        if (written == nullptr || *written == Value("until_ended")) {
            return;
        }
        if (!written->is_object()) {
            rule.reject("scope", "until_ended, {turns: 3}", *written);
            return;
        }
        Fields inner = rule.inner(*written, rule.path_of("scope"));
        if (const auto turns =
                inner.whole("turns", 1, base::kProtocolTurnsMax, Presence::kRequired)) {
            if (made_.activation.turns != 0 && made_.activation.turns != *turns) {
                rule.error("scope", Error(ErrorCode::kProtocolNames, {"turns", "scope"}));
            }
            made_.activation.turns = *turns;
        }
        inner.finish();
    }

    Protocol& made_;
};

}  // namespace

std::expected<Protocol, value::Diagnostics> Protocol::compile(
    const Value& written, std::shared_ptr<const calendar::Calendars> calendars) {
    Protocol made;
    Compiler compiler(made);
    compiler.run(written, std::move(calendars));
    if (!compiler.diagnostics.empty()) {
        // The author of a broken file needs the remarks as well.
        std::ranges::move(made.remarks, std::back_inserter(compiler.diagnostics));
        return std::unexpected(std::move(compiler.diagnostics));
    }
    made.written = written;
    made.fingerprint = static_cast<std::int64_t>(value::fingerprint_of(written).exact >> 11U);
    return made;
}

std::string_view name(Type type) noexcept {
    return kTypes[static_cast<std::size_t>(type)].name;
}

std::string full_name(const Protocol& protocol) {
    return protocol.id + "@" + print(protocol.version);
}

}  // namespace arbiter::protocol
