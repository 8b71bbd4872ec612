#include "protocol/lesson.h"

#include <algorithm>

#include "protocol/internal/meanings.h"
#include "text/join.h"
#include "value/array.h"
#include "value/object.h"
#include "value/path.h"
#include "writer/teach.h"

namespace arbiter::protocol {

using base::Language;
using base::TextView;
using proposal::Dialect;
using proposal::Instruction;
using proposal::Mount;
using proposal::Op;
using value::Path;
using value::Pattern;
using value::PatternStep;
using value::Value;
using writer::Form;

std::optional<Form> taught_form(Dialect dialect) noexcept {
    switch (dialect) {
        case Dialect::kTavern:
            return Form::kTavern;
        case Dialect::kJson:
            return Form::kJson;
        case Dialect::kMvu:
            return Form::kMvu;
        case Dialect::kPatch:
            return Form::kPatch;
        case Dialect::kMemory:
            return Form::kMemory;
        case Dialect::kFilament:
            return Form::kFilament2;
        case Dialect::kTool:
        case Dialect::kCount:
            break;
    }
    return std::nullopt;
}

bool teaches(const Protocol& protocol, Dialect dialect) noexcept {
    if (protocol.teach && internal::dialect_of(*protocol.teach) == dialect) {
        return true;
    }
    return std::ranges::any_of(protocol.hints, [&](const Hint& hint) {
        const internal::OwnMeaning* own = internal::own_meaning(hint.tag);
        return own != nullptr && own->dialect == dialect &&
               hint.meaning == reader::TagMeaning::kExecute;
    });
}

namespace {

constexpr std::string_view kCharacter = "play_character_data";
constexpr std::string_view kStatus = "stat_data";
constexpr std::string_view kAssets = "assa_data";

std::string_view root_of(const Path& path) {
    return path.empty() || path.front().is_index() ? std::string_view() : path.front().key();
}

std::string dotted(const Path& path) {
    return value::print_path(path, value::PathSyntax::kDotted);
}

// `a.*.b`, from a step on. Names of wildcards mean nothing to a model.
std::string print_from(const Pattern& pattern, std::size_t first) {
    Pattern open(pattern.begin() + static_cast<std::ptrdiff_t>(first), pattern.end());
    for (PatternStep& step : open) {
        step.name = {};
    }
    return value::print_pattern(open);
}

// The steps before the first wildcard.
Path plain_prefix(const Pattern& pattern) {
    Path path;
    for (const PatternStep& step : pattern) {
        if (step.kind != PatternStep::Kind::kPlain) {
            break;
        }
        path.push_back(step.segment);
    }
    return path;
}

// Whether a rule about these places concerns the document: their container is there.
bool concerns(const Pattern& pattern, const Value& document) {
    if (pattern.empty() || pattern[0].kind != PatternStep::Kind::kPlain) {
        bool found = false;
        value::visit_matches(pattern, document, [&](const auto&...) {
            found = true;
            return false;
        });
        return found;
    }
    const Value* container = &document;
    for (std::size_t i = 0; i + 1 < pattern.size() && pattern[i].kind == PatternStep::Kind::kPlain;
         ++i) {
        const auto step = value::step_into(*container, pattern[i].segment);
        if (!step) {
            return false;
        }
        container = step->value;
    }
    return true;
}

// The value of [value, description].
const Value& plain(const Value& value) {
    const bool described = value.is_array() && value.as_array().size() == 2 &&
                           value.as_array()[1].is_string() && !value.as_array()[0].is_object() &&
                           !value.as_array()[0].is_array();
    return described ? value.as_array()[0] : value;
}

// Collects the facts of a lesson.
class Survey {
  public:
    Survey(std::span<const std::shared_ptr<const rules::Rulebook>> books, const Value& document)
        : books_(books), document_(document) {}

    LessonFacts run() {
        for (const auto& book : books_) {
            survey(*book);
        }
        if (const Value* found = value::find(document_, {kCharacter})) {
            Path path = {kCharacter};
            find_leaf(*found, path, facts_.number,
                      [](const Value& leaf) { return leaf.is_number(); });
        }
        if (const Value* found = value::find(document_, {kStatus})) {
            Path path = {kStatus};
            find_leaf(*found, path, facts_.text,
                      [](const Value& leaf) { return leaf.is_string(); });
        }
        containers();
        return std::move(facts_);
    }

  private:
    void survey(const rules::Rulebook& book) {
        for (const rules::RuleSummary& rule : book.summaries) {
            if (rule.kind == "derived" || rule.kind == "read_only" || rule.kind == "countdown") {
                for (const Pattern& place : rule.writes) {
                    add_automatic(place);
                }
            }
        }
        for (const Pattern& place : book.memories) {
            if (place.size() > 1 && concerns(place, document_)) {
                Path container = plain_prefix(place);
                if (container.size() + 1 == place.size()) {
                    facts_.memories.push_back(std::move(container));
                }
            }
        }
        for (const rules::Visibility& rule : book.visibilities) {
            if (value::find(document_, rule.below) != nullptr) {
                facts_.marks.push_back(rule.mark);
            }
        }
        if (book.clock && facts_.date.empty() && !book.clock->date.empty() &&
            value::find(document_, book.clock->date) != nullptr) {
            facts_.date = book.clock->date;
            facts_.date_form = form_of(book, book.clock->date);
            for (const Path* path :
                 {&book.clock->date, &book.clock->time, &book.clock->era, &book.clock->weekday}) {
                clock_.push_back(*path);
            }
        }
        for (const rules::Daily& rule : book.daily) {
            // A stock beside its rate: the rule writes the second element of the place.
            const bool is_stock = rule.place.size() == rule.each.size() + 1;
            if (is_stock && concerns(rule.each, document_)) {
                facts_.resources.push_back(print_from(rule.each, 0));
            }
        }
        for (const rules::Stocks& rule : book.stocks) {
            if (value::find(document_, rule.below) != nullptr) {
                facts_.resources.push_back(dotted(rule.below) + ".*." + rule.key);
            }
        }
        for (const Pattern& place : book.open) {
            const Path container = plain_prefix(place);
            if (!container.empty() && value::find(document_, container) != nullptr) {
                facts_.open.push_back(dotted(container));
            }
        }
        for (const rules::Leaving& rule : book.leavings) {
            for (const Path& place : rule.places) {
                if (value::find(document_, place) != nullptr) {
                    facts_.left.push_back(place);
                }
            }
        }
        for (const rules::Cleanup& rule : book.cleanups) {
            if (concerns(rule.each, document_)) {
                facts_.cleaned.push_back(print_from(rule.each, 0));
                if (facts_.things.empty() && plain_prefix(rule.each).size() > 1) {
                    facts_.things = plain_prefix(rule.each);
                }
            }
        }
    }

    void add_automatic(const Pattern& place) {
        if (place.size() < 2 || !concerns(place, document_)) {
            return;
        }
        automatic_.push_back(place);
        const std::size_t shared =
            std::min<std::size_t>(2, std::min(plain_prefix(place).size(), place.size() - 1));
        const Path prefix = plain_prefix(place);
        const std::string container =
            dotted(Path(prefix.begin(), prefix.begin() + static_cast<std::ptrdiff_t>(shared)));
        auto group = std::ranges::find(facts_.automatic, container, &LessonFacts::Group::container);
        if (group == facts_.automatic.end()) {
            facts_.automatic.push_back({container, {}});
            group = facts_.automatic.end() - 1;
        }
        std::string member = print_from(place, shared);
        if (std::ranges::find(group->members, member) == group->members.end()) {
            group->members.push_back(std::move(member));
        }
    }

    // How a new save writes a value; the present one changes from day to day.
    static std::string form_of(const rules::Rulebook& book, const Path& path) {
        const Value* found = path.empty() ? nullptr : value::find(Value(book.blueprint), path);
        return found != nullptr && plain(*found).is_string()
                   ? std::string(plain(*found).as_string())
                   : std::string();
    }

    [[nodiscard]] bool is_taken(const Path& path) const {
        value::Bindings bindings;
        return std::ranges::find(clock_, path) != clock_.end() ||
               std::ranges::any_of(automatic_, [&](const Pattern& place) {
                   bindings.clear();
                   return value::matches(place, path, bindings);
               });
    }

    // The first leaf that commands may set.
    template <typename Fits>
    bool find_leaf(const Value& at, Path& path, Path& into, Fits fits) {
        constexpr std::size_t kDepthMax = 6;
        const Value& leaf = plain(at);
        if (!leaf.is_object()) {
            if (!fits(leaf) || is_taken(path)) {
                return false;
            }
            into = path;
            return true;
        }
        if (path.size() == kDepthMax) {
            return false;
        }
        for (const auto& [key, member] : leaf.as_object()) {
            if (key.view().starts_with('_') || key.view().starts_with('$')) {
                continue;
            }
            path.emplace_back(key);
            const bool found = find_leaf(member, path, into, fits);
            path.pop_back();
            if (found) {
                return true;
            }
        }
        return false;
    }

    // Containers of the world's assets. Those that a world is left with hold its people.
    void containers() {
        if (!facts_.left.empty()) {
            facts_.people = facts_.left.front();
        }
        const Value* assets = value::find(document_, {kAssets});
        if (assets == nullptr || !assets->is_object()) {
            return;
        }
        for (const auto& [set, members] : assets->as_object()) {
            if (!members.is_object() || set == "summary" || set == "config") {
                continue;
            }
            for (const auto& [key, container] : members.as_object()) {
                Path path = {kAssets, set, key};
                if (!container.is_object() || path == facts_.people || path == facts_.things) {
                    continue;
                }
                if (facts_.people.empty()) {
                    facts_.people = std::move(path);
                } else if (facts_.things.empty()) {
                    facts_.things = std::move(path);
                }
            }
        }
    }

    std::span<const std::shared_ptr<const rules::Rulebook>> books_;
    const Value& document_;
    LessonFacts facts_;
    std::vector<Pattern> automatic_;
    std::vector<Path> clock_;
};

// ---- the text

std::string_view say(const TextView& text, Language language) {
    return text.in(language);
}

// A command on a path of the document, as the form addresses it; empty if it cannot.
class Phrasebook {
  public:
    Phrasebook(Form form, Language language) : form_(form), language_(language) {}

    [[nodiscard]] std::optional<Instruction> on(Op op, const Path& path) const {
        Instruction made = proposal::instruction_of(dialect(), op);
        made.mount = Mount::kRoot;
        made.path = path;
        if (form_ == Form::kMemory) {
            const std::string_view root = root_of(path);
            if (root != kCharacter && root != kStatus && root != kAssets) {
                return std::nullopt;
            }
            made.mount = root == kCharacter ? Mount::kCharacter
                         : root == kStatus  ? Mount::kStatus
                                            : Mount::kAssets;
            made.creates = made.mount == Mount::kAssets;
            made.path.erase(made.path.begin());
        } else if ((form_ == Form::kMvu || form_ == Form::kPatch) && path.size() > 1 &&
                   root_of(path) == kStatus) {
            made.path.erase(made.path.begin());
        }
        return made;
    }
    [[nodiscard]] std::string print(const std::optional<Instruction>& instruction) const {
        if (!instruction) {
            return "";
        }
        proposal::Proposal proposal;
        proposal.dialect = dialect();
        proposal.what = *instruction;
        auto text = writer::write_one(proposal, form_);
        return text ? *std::move(text) : std::string();
    }
    [[nodiscard]] std::string set(const Path& path, std::string_view value) const {
        auto made = on(Op::kSet, path);
        if (made) {
            made->value = value;
        }
        return print(made);
    }
    [[nodiscard]] std::string remove_all(const Path& path) const {
        auto made = on(Op::kDelete, path);
        if (made) {
            made->all = true;
        }
        return print(made);
    }
    [[nodiscard]] Dialect dialect() const { return internal::dialect_of(form_); }
    [[nodiscard]] Language language() const { return language_; }

  private:
    Form form_;
    Language language_;
};

// A line of the notes, and one with an example if the form can write it.
void add(std::string& out, const TextView& text, const Phrasebook& book,
         std::initializer_list<std::string> words) {
    const std::vector<std::string> all(words);
    out += base::format_message(text.in(book.language()), all);
    out += '\n';
}

std::string with_example(const std::string& example, Language language) {
    return example.empty() ? ""
                           : std::string(language == Language::kChinese ? "：" : ": ") + example;
}

std::string world_notes(const LessonFacts& facts, const Phrasebook& book) {
    const bool chinese = book.language() == Language::kChinese;
    const writer::ExampleNames& names = writer::example_names(book.language());
    const std::string_view comma = chinese ? "、" : ", ";
    std::string out;
    if (!facts.automatic.empty()) {
        const auto group_text = [&](const LessonFacts::Group& group) {
            return group.container + (chinese ? " 下的 " : ": ") + text::join(group.members, comma);
        };
        std::vector<std::string> groups;
        std::ranges::transform(facts.automatic, std::back_inserter(groups), group_text);
        add(out,
            {"- Computed automatically, never write it: {0}.",
             "- 以下由系统自动计算，不要写：{0}。"},
            book, {text::join(groups, chinese ? "；" : "; ")});
    }
    if (!facts.open.empty()) {
        add(out, {"- New fields may be created in {0}.", "- 可以在这些位置新建字段：{0}。"}, book,
            {text::join(facts.open, comma)});
    }
    for (const Path& place : facts.memories) {
        Path entry = place;
        entry.emplace_back(names.title);
        const std::string example = book.set(entry, names.event);
        add(out,
            {"- In every turn add one entry to {0} that sums up what happened, under a new "
             "title{1}",
             "- 每回合都要在 {0} 里新增一条，用新的标题概括本回合发生的事{1}"},
            book, {dotted(place), with_example(example, book.language())});
    }
    if (!facts.date.empty()) {
        add(out,
            {"- When time passes in the story, set the date and the time, never back, in the form "
             "that they have now{0}",
             "- 剧情中时间流逝时，更新日期与时间，只能向后，并保持现有的写法{0}"},
            book,
            {with_example(facts.date_form.empty() ? "" : book.set(facts.date, facts.date_form),
                          book.language())});
    }
    for (const std::string& place : facts.resources) {
        add(out,
            {"- A resource ({0}) is written [\"3/d\", 100]: 3 more each day, 100 in stock; a "
             "negative rate consumes. The stock follows the date automatically.",
             "- 资源（{0}）写成 [\"3/d\", 100]：每天增加 3，现有 "
             "100；负数表示消耗。存量随日期自动变化。"},
            book, {place});
    }
    for (const std::string& place : facts.cleaned) {
        add(out,
            {"- Used-up entries of {0} are removed automatically.",
             "- {0} 中用尽的条目会自动移除。"},
            book, {place});
    }
    for (const std::string& mark : facts.marks) {
        add(out,
            {"- An entry with \"{0}\": true is shown only while the story mentions it. Never "
             "change or "
             "recreate a field that is shown as hidden.",
             "- 带 \"{0}\": true 的条目只在剧情提到时显示。显示为已隐藏的字段不要修改或重新创建。"},
            book, {mark});
    }
    if (!facts.left.empty()) {
        std::vector<std::string> commands;
        for (const Path& place : facts.left) {
            std::string command = book.remove_all(place);
            commands.push_back(command.empty() ? dotted(place) : std::move(command));
        }
        add(out,
            {"- When the characters leave a world, clear what belongs to it; a backup is kept: {0}",
             "- 离开当前世界时，清空它的专属内容（系统会自动备份）：{0}"},
            book, {text::join(commands, " ")});
    }
    return out;
}

// Samples for the memory calls, whose words differ in the part of the state that they change.
std::vector<writer::Sample> memory_samples(const LessonFacts& facts, const Phrasebook& book) {
    const writer::ExampleNames& names = writer::example_names(book.language());
    std::vector<writer::Sample> samples;
    const auto put = [&](std::string_view word, std::optional<Instruction> made) {
        if (made) {
            samples.push_back({word, *std::move(made)});
        }
    };
    if (!facts.number.empty()) {
        auto set = book.on(Op::kSet, facts.number);
        set->value = 3;
        set->reason = say({"reason", "原因"}, book.language());
        put("set_attribute", std::move(set));
    }
    if (!facts.text.empty()) {
        auto set = book.on(Op::kSet, facts.text);
        set->value = names.text;
        set->reason = say({"reason", "原因"}, book.language());
        put("set_status", std::move(set));
    }
    if (root_of(facts.people) != kAssets) {
        return samples;
    }
    Path person = facts.people;
    person.emplace_back(names.character);
    Path field = person;
    field.emplace_back(say({"liking", "好感度"}, book.language()));
    auto set = book.on(Op::kSet, field);
    set->value = 5;
    put("memory", std::move(set));
    auto merge = book.on(Op::kMerge, person);
    merge->value = value::Object{{say({"description", "描述"}, book.language()), names.text}};
    put("memory", std::move(merge));
    Path renamed = facts.people;
    renamed.emplace_back(names.title);
    auto rename = book.on(Op::kMove, renamed);
    rename->from = Path(person.begin() + 1, person.end());
    put("memory", std::move(rename));
    if (root_of(facts.things) == kAssets) {
        Path thing = facts.things;
        thing.emplace_back(names.item);
        auto stock = book.on(Op::kMerge, thing);
        stock->value = value::Object{{"num", 1}};
        put("memory", std::move(stock));
    }
    put("delete", book.on(Op::kDelete, person));
    auto all = book.on(Op::kDelete, facts.people);
    all->all = true;
    put("delete", std::move(all));
    return samples;
}

}  // namespace

LessonFacts lesson_facts(std::span<const std::shared_ptr<const rules::Rulebook>> books,
                         const Value& document) {
    return Survey(books, document).run();
}

std::string lesson(Form form, const LessonFacts& facts, Language language) {
    const Phrasebook book(form, language);
    const std::vector<writer::Sample> samples =
        form == Form::kMemory ? memory_samples(facts, book) : std::vector<writer::Sample>();
    std::string text = writer::teach(form, language, {}, samples);
    if (!text.empty()) {
        text += world_notes(facts, book);
    }
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
}

}  // namespace arbiter::protocol
