// Protocols compiled.
#include "protocol/protocol.h"

#include <algorithm>

#include "base/limits.h"
#include "protocol/internal/constraints.h"
#include "protocol/internal/fields.h"
#include "protocol/internal/fold.h"
#include "protocol/internal/meanings.h"
#include "value/hash.h"
#include "writer/teach.h"

namespace arbiter::protocol {

using base::Error;
using base::ErrorCode;
using internal::Fields;
using internal::Notes;
using internal::shown;
using reader::TagMeaning;
using value::Path;
using value::Value;

namespace {

constexpr std::int64_t kPriorityMax = 1'000'000;
constexpr std::int64_t kPriorityUsual = 100;
constexpr std::int64_t kPriorityOverride = 200;

template <typename T>
struct Word {
    std::string_view name;
    T meaning;
};
constexpr Word<Target> kTargets[] = {{"system_start", Target::kSystemStart},
                                     {"system_end", Target::kSystemEnd},
                                     {"before_history", Target::kBeforeHistory},
                                     {"after_history", Target::kAfterHistory},
                                     {"floating", Target::kFloating},
                                     {"system_instruction", Target::kSystemEnd},
                                     {"post_history", Target::kAfterHistory}};
constexpr Word<Type> kTypes[] = {{"core", Type::kCore},
                                 {"extension", Type::kExtension},
                                 {"mode", Type::kMode},
                                 {"override", Type::kOverride},
                                 {"augmentation", Type::kExtension}};

// A word of a list; a fault names all of them.
template <typename T, std::size_t N>
std::optional<T> word_of(Fields& fields, std::string_view key, const Word<T> (&words)[N]) {
    const Value* written = fields.take(key);
    if (written == nullptr) {
        return std::nullopt;
    }
    std::string all;
    for (const Word<T>& word : words) {
        if (written->is_string() && written->as_string() == word.name) {
            return word.meaning;
        }
        all += (all.empty() ? "" : ", ") + std::string(word.name);
    }
    fields.bad(key, std::move(all), *written);
    return std::nullopt;
}

class Compiler {
  public:
    Compiler(Protocol& made, Notes& notes) : made_(made), notes_(notes) {}

    void run(const Value& written, std::shared_ptr<const rules::Calendars> calendars) {
        Fields fields(written, {}, notes_);
        const Value* meta = fields.take("meta");
        const Value none = value::Object();
        if (meta == nullptr && written.is_object()) {
            fields.missing("meta");
        }
        Fields about(meta != nullptr ? *meta : none, {"meta"}, notes_);
        identity(about, meta != nullptr);
        for (Fields* each : {&about, &fields}) {
            references(*each, "dependencies", made_.dependencies);
            references(*each, "requires", made_.dependencies);
            references(*each, "conflicts_with", made_.conflicts);
            references(*each, "replaces", made_.replaces);
            references(*each, "keep", made_.keep);
        }
        type(about);
        injection(fields);
        instruction(fields, written.is_object());
        hints(fields);
        examples(fields);
        activation(fields);
        if (const Value* limits = fields.take("constraints")) {
            auto compiled = internal::compile_constraints(*limits, fields.at("constraints"),
                                                          made_.id, notes_, std::move(calendars));
            made_.constraints = std::move(compiled.book);
            made_.own_clock = compiled.own_clock;
        }
        // Known to others who read these files; here they only are kept.
        for (const std::string_view key : {"tags", "lore_context", "intent_mappings"}) {
            fields.take(key);
        }
        about.take("filament_spec");
        about.finish();
        fields.finish();
    }

  private:
    void identity(Fields& about, bool there) {
        const auto id = about.text("id");
        if (id && !is_id(*id)) {
            about.fault("id", Error(ErrorCode::kProtocolId, {"\"" + *id + "\""}));
        } else if (id) {
            made_.id = *id;
        } else if (there && about.take("id") == nullptr) {
            about.missing("id");
        }
        if (const Value* written = about.take("version")) {
            const auto version =
                written->is_string() ? parse_version(written->as_string()) : std::nullopt;
            if (version) {
                made_.version = *version;
            } else {
                about.fault("version", Error(ErrorCode::kProtocolVersion, {shown(*written)}));
            }
        }
        made_.name = about.words("name");
        if (made_.name.empty()) {
            made_.name = {made_.id, made_.id};
        }
        made_.description = about.words("description");
        made_.author = about.text("author").value_or("");
    }

    void type(Fields& about) {
        const auto first = word_of(about, "type", kTypes);
        const auto second = word_of(about, "schema_type", kTypes);
        const auto overrides = [](Type type) {
            return type == Type::kMode || type == Type::kOverride;
        };
        if (first && second && overrides(*first) != overrides(*second)) {
            about.fault("schema_type", Error(ErrorCode::kProtocolNames, {"type", "schema_type"}));
        }
        made_.type = second.value_or(first.value_or(Type::kExtension));
        // The older word for both; one that takes no other's place changes the whole reply.
        if (made_.type == Type::kOverride && !second && made_.replaces.empty()) {
            made_.type = Type::kMode;
        }
    }

    void references(Fields& fields, std::string_view key, std::vector<Reference>& into) {
        for (const auto& [text, where] : fields.texts(key)) {
            auto reference = parse_reference(text);
            if (!reference) {
                fields.fault_at(where, Error(ErrorCode::kProtocolReference, {"\"" + text + "\""}));
            } else if (reference->id == made_.id) {
                fields.fault_at(where,
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
        Fields rule(*written, fields.at("injection"), notes_);
        const auto target = word_of(rule, "target", kTargets);
        const auto position = word_of(rule, "position", kTargets);
        if (target && position && *target != *position) {
            rule.fault("position", Error(ErrorCode::kProtocolNames, {"target", "position"}));
        }
        made_.target = target.value_or(position.value_or(Target::kSystemEnd));
        made_.priority =
            rule.whole("priority", -kPriorityMax, kPriorityMax).value_or(made_.priority);
        rule.finish();
    }

    void instruction(Fields& fields, bool needed) {
        made_.instruction = fields.words("instruction");
        const auto blank = [](const std::string& text) {
            return text.find_first_not_of(" \t\r\n") == std::string::npos;
        };
        const Value* written = fields.take("instruction");
        if (written != nullptr && written->is_string() && blank(made_.instruction.english)) {
            fields.fault("instruction", Error(ErrorCode::kProtocolEmpty, {"instruction"}));
        }
        const auto dialect = fields.text("teach");
        if (dialect) {
            made_.teach = writer::find_form(*dialect);
            if (!made_.teach || made_.teach == writer::Form::kDirect) {
                std::string all;
                for (std::size_t i = 0; i < static_cast<std::size_t>(writer::Form::kCount); ++i) {
                    const auto form = static_cast<writer::Form>(i);
                    if (form != writer::Form::kDirect) {
                        all += (all.empty() ? "" : ", ") + std::string(writer::name(form));
                    }
                }
                fields.fault("teach", Error(ErrorCode::kProtocolTeach, {*dialect, all}));
                return;
            }
            const auto add = [&](std::string& text, base::Language language) {
                text += (text.empty() || text.ends_with('\n') ? "" : "\n") +
                        writer::teach(*made_.teach, language);
            };
            add(made_.instruction.english, base::Language::kEnglish);
            add(made_.instruction.chinese, base::Language::kChinese);
            made_.dialects.add(internal::dialect_of(*made_.teach));
        } else if (written == nullptr && needed) {
            fields.missing("instruction");
        }
    }

    void hints(Fields& fields) {
        for (const auto& [written, where] : fields.list("parser_hints")) {
            Fields rule(*written, where, notes_);
            const auto tag = rule.text("root_tag");
            const auto behavior = rule.text("behavior");
            Hint hint{tag.value_or(""), {}, behavior.value_or(""), {}};
            hint.component = rule.text("component_type").value_or("");
            // Known to others who read these files.
            for (const std::string_view key :
                 {"body_format", "required_fields", "streaming_support", "partial_tag",
                  "expected_tags"}) {
                rule.take(key);
            }
            rule.finish();
            const auto meaning = behavior ? internal::find_behavior(*behavior) : std::nullopt;
            if (behavior && !meaning) {
                rule.bad("behavior", internal::all_behaviors(), Value(std::string_view(*behavior)));
            }
            if (!tag) {
                if (written->is_object() && rule.take("root_tag") == nullptr) {
                    rule.missing("root_tag");
                }
                continue;
            }
            if (!internal::is_tag_name(*tag)) {
                rule.fault("root_tag", Error(ErrorCode::kProtocolTag, {"\"" + *tag + "\""}));
                continue;
            }
            if (std::ranges::any_of(made_.hints, [&](const Hint& other) {
                    return internal::same_tag(other.tag, *tag);
                })) {
                rule.fault("root_tag", Error(ErrorCode::kProtocolRepeated, {*tag}));
                continue;
            }
            register_hint(rule, std::move(hint), meaning);
        }
    }

    void register_hint(Fields& rule, Hint hint, std::optional<TagMeaning> meaning) {
        const internal::OwnMeaning* own = internal::own_meaning(hint.tag);
        if (own != nullptr && own->meaning == TagMeaning::kThinking) {
            // Hidden is what it is anyway.
            if (meaning && *meaning != TagMeaning::kIgnore) {
                rule.fault("behavior", Error(ErrorCode::kProtocolThinking, {hint.tag}));
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
            Fields rule(*written, where, notes_);
            Example example{rule.text("name").value_or(""), rule.words("input"),
                            rule.words("output")};
            rule.finish();
            for (const std::string_view key : {"input", "output"}) {
                const Words& words = key == "input" ? example.input : example.output;
                if (written->is_object() && rule.take(key) == nullptr) {
                    rule.missing(key);
                } else if (rule.take(key) != nullptr && rule.take(key)->is_string() &&
                           words.empty()) {
                    rule.fault(key, Error(ErrorCode::kProtocolEmpty, {std::string(key)}));
                }
            }
            made_.examples.push_back(std::move(example));
            check_example(rule, options);
        }
    }

    // A model copies what it is shown, mistakes too.
    void check_example(Fields& rule, const reader::Options& options) {
        const Words& output = made_.examples.back().output;
        const std::string number = std::to_string(made_.examples.size());
        for (const std::string* text : {&output.english, &output.chinese}) {
            const reader::Reading reading = reader::read(*text, options);
            const auto remark = [&](std::string why, std::string command) {
                rule.remark_at(rule.at("output"),
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
        Fields rule(*written, fields.at("activation"), notes_);
        for (const auto& [text, where] : rule.texts("keywords")) {
            made_.activation.keywords.push_back({internal::folded(text), made_.id});
        }
        for (const auto& [text, where] : rule.texts("end_keywords")) {
            made_.activation.end_keywords.push_back(internal::folded(text));
        }
        for (const auto& [mapping, where] : rule.list("intent_mappings")) {
            Fields one(*mapping, where, notes_);
            const auto id = one.text("schema");
            if (id && !is_id(*id)) {
                one.fault("schema", Error(ErrorCode::kProtocolId, {"\"" + *id + "\""}));
            } else if (!id && mapping->is_object()) {
                one.missing("schema");
            }
            for (const auto& [text, place] : one.texts("keywords")) {
                made_.activation.keywords.push_back({internal::folded(text), id.value_or("")});
            }
            one.finish();
        }
        scope(rule);
        rule.finish();
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
            rule.bad("scope", "until_ended, {turns: 3}", *written);
            return;
        }
        Fields inner(*written, rule.at("scope"), notes_);
        if (const auto turns = inner.whole("turns", 1, base::kProtocolTurnsMax)) {
            if (made_.activation.turns != 0 && made_.activation.turns != *turns) {
                rule.fault("scope", Error(ErrorCode::kProtocolNames, {"turns", "scope"}));
            }
            made_.activation.turns = *turns;
        } else if (inner.take("turns") == nullptr) {
            inner.missing("turns");
        }
        inner.finish();
    }

    Protocol& made_;
    Notes& notes_;
};

}  // namespace

std::expected<Protocol, value::Diagnostics> Protocol::compile(
    const Value& written, std::shared_ptr<const rules::Calendars> calendars) {
    Protocol made;
    Notes notes;
    Compiler(made, notes).run(written, std::move(calendars));
    if (!notes.diagnostics.empty()) {
        // Someone who mends the file wants to hear of slips too.
        notes.diagnostics.insert(notes.diagnostics.end(), notes.remarks.begin(),
                                 notes.remarks.end());
        return std::unexpected(std::move(notes.diagnostics));
    }
    made.remarks = std::move(notes.remarks);
    made.written = written;
    made.print = static_cast<std::int64_t>(value::fingerprint_of(written).exact >> 11U);
    return made;
}

std::string_view name(Type type) noexcept {
    return kTypes[static_cast<std::size_t>(type)].name;
}
std::string_view name(Target target) noexcept {
    return kTargets[static_cast<std::size_t>(target)].name;
}

std::string full_name(const Protocol& protocol) {
    return protocol.id + "@" + print(protocol.version);
}

}  // namespace arbiter::protocol
