#include "writer/internal/samples.h"

#include <array>

#include "value/array.h"
#include "writer/teach.h"

namespace arbiter::writer {
namespace {

constexpr auto kNames = std::to_array<std::string_view>(
    {"示例角色", "示例物品", "示例事件", "ExampleCharacter", "ExampleItem", "ExampleEvent",
     "示例任务", "示例时间", "ExampleQuest", "ExampleTime", "示例标题", "示例内容", "ExampleTitle",
     "ExampleText"});

constexpr ExampleNames kChineseNames = {kNames[0], kNames[1], kNames[2], kNames[10], kNames[11]};
constexpr ExampleNames kEnglishNames = {kNames[3], kNames[4], kNames[5], kNames[12], kNames[13]};

}  // namespace

const ExampleNames& example_names(base::Language language) noexcept {
    return language == base::Language::kChinese ? kChineseNames : kEnglishNames;
}

std::span<const std::string_view> example_names() noexcept {
    return kNames;
}

namespace internal {
namespace {

using base::Language;
using proposal::Arithmetic;
using proposal::Dialect;
using proposal::Mount;
using proposal::Op;
using proposal::Verb;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

// The names of one language.
struct Words {
    std::string_view character;
    std::string_view item;
    std::string_view event;
    std::string_view health;
    std::string_view liking;
    std::string_view bag;
    std::string_view store;
    std::string_view notes;
    std::string_view count;
    std::string_view hurt;
    std::string_view quest;
    std::string_view time;
};
constexpr Words kChinese = {kNames[0], kNames[1], kNames[2], "气血", "好感",    "背包",
                            "仓库",    "记录",    "数量",    "受伤", kNames[6], kNames[7]};
constexpr Words kEnglish = {kNames[3], kNames[4], kNames[5], "health",  "liking",  "bag",
                            "store",   "notes",   "count",   "wounded", kNames[8], kNames[9]};

const Words& words_of(Language language) {
    return language == Language::kChinese ? kChinese : kEnglish;
}

Dialect dialect_of(Form form) {
    switch (form) {
        case Form::kTavern:
            return Dialect::kTavern;
        case Form::kMvu:
            return Dialect::kMvu;
        case Form::kPatch:
        case Form::kFilament3:
            return Dialect::kPatch;
        case Form::kMemory:
            return Dialect::kMemory;
        case Form::kFilament2:
            return Dialect::kFilament;
        case Form::kTools:
            return Dialect::kTool;
        case Form::kJson:
        case Form::kDirect:
        case Form::kInternal:
        case Form::kCount:
            break;
    }
    return Dialect::kJson;
}

void fill(proposal::Instruction& sample, const Words& words, Form form) {
    const auto at = [&](std::initializer_list<std::string_view> keys) {
        Path path;
        if (form == Form::kTavern) {
            path = {"character", "saveData"};
        }
        path.emplace_back(words.character);
        for (const std::string_view key : keys) {
            path.emplace_back(key);
        }
        return path;
    };
    sample.path = at({words.health});
    switch (sample.op) {
        case Op::kSet:
            sample.value = 80;
            sample.reason = words.hurt;
            if (form == Form::kJson || form == Form::kMvu) {
                sample.old = 100;
            }
            break;
        case Op::kMerge:
            sample.path = at({});
            sample.value = Object{{words.health, 80}, {words.liking, 5}};
            break;
        case Op::kEnsure:
            sample.path = at({words.liking});
            sample.value = 0;
            break;
        case Op::kAdd:
            sample.path = at({words.liking});
            sample.value = 5;
            break;
        case Op::kIncrement:
            if (sample.arithmetic == Arithmetic::kAdd) {
                sample.path = at({words.liking});
            }
            sample.value = sample.arithmetic == Arithmetic::kAdd ? 5 : 2;
            break;
        case Op::kInsert:
            sample.path = at({words.bag});
            sample.key = words.item;
            sample.value = Object{{words.count, 1}};
            break;
        case Op::kPush:
        case Op::kPull:
            sample.path = at({words.notes});
            sample.value = words.event;
            break;
        case Op::kPop:
            sample.path = at({words.notes});
            break;
        case Op::kSplice:
            sample.path = at({words.notes});
            sample.value = Object{{"start", 0}, {"deleteCount", 1}, {"items", Array{words.event}}};
            break;
        case Op::kDelete:
            sample.path = at({words.bag, words.item});
            break;
        case Op::kMove:
        case Op::kCopy:
            sample.from = at({words.bag, words.item});
            sample.path = at({words.store, words.item});
            break;
        case Op::kCallback:
            sample.path = {"showMessage"};
            sample.value = Array{words.event};
            break;
        case Op::kTest:
            sample.value = 100;
            break;
        case Op::kGet:
        case Op::kRestore:
        case Op::kCount:
            break;
    }
}

// The memory calls have four words for more operations, each with its own paths.
std::vector<proposal::Instruction> memory_samples(std::string_view word, const Words& words) {
    const auto sample = [](Op op, Mount mount, Path path) {
        proposal::Instruction made = proposal::instruction_of(Dialect::kMemory, op);
        made.mount = mount;
        made.creates = mount == Mount::kAssets;
        made.path = std::move(path);
        return made;
    };
    const Path npc = {"world_set", "npc", words.character};
    const Path bag = {"global_set", words.bag, words.item};
    if (word == "set_attribute" || word == "set_status") {
        const Mount mount = word == "set_status" ? Mount::kStatus : Mount::kCharacter;
        auto set = sample(Op::kSet, mount, {words.character, words.health});
        set.value = 80;
        set.reason = words.hurt;
        return {set};
    }
    if (word == "delete") {
        auto all = sample(Op::kDelete, Mount::kAssets, {"world_set", "npc"});
        all.all = true;
        return {sample(Op::kDelete, Mount::kAssets, npc), all};
    }
    auto set = sample(Op::kSet, Mount::kAssets, npc);
    set.path.emplace_back(words.liking);
    set.value = 5;
    auto merge = sample(Op::kMerge, Mount::kAssets, npc);
    merge.value = Object{{words.health, 80}, {words.liking, 5}};
    auto move = sample(Op::kMove, Mount::kAssets, bag);
    move.from = npc;
    move.from.emplace_back(words.item);
    return {set, merge, move};
}

}  // namespace

std::vector<Lesson> lessons(Form form, Language language) {
    const Words& words = words_of(language);
    const Dialect dialect = dialect_of(form);
    std::vector<Lesson> out;
    for (const Verb& verb : proposal::verbs()) {
        if (verb.dialect != dialect || !verb.taught) {
            continue;
        }
        if (form == Form::kMemory) {
            out.push_back({verb.word, dialect, memory_samples(verb.word, words)});
            continue;
        }
        proposal::Instruction sample = proposal::instruction_of(dialect, verb.op);
        sample.forgiving = dialect == Dialect::kTavern;  // the short form, without options
        sample.arithmetic = verb.arithmetic;
        sample.mount = Mount::kRoot;
        fill(sample, words, form);
        if (form == Form::kTavern) {
            // Only in the sample that demonstrates it.
            sample.merge = proposal::MergeKind::kByOptions;
        }
        out.push_back({verb.word, dialect, {std::move(sample)}});
    }
    return out;
}

std::vector<Pattern> tavern_patterns(Language language) {
    const Words& words = words_of(language);
    const bool chinese = language == Language::kChinese;
    const auto command = [](Op op, Path path, std::optional<Value> value, Object options) {
        proposal::Instruction made = proposal::instruction_of(Dialect::kTavern, op);
        made.path = {"character", "saveData"};
        made.path.insert(made.path.end(), path.begin(), path.end());
        made.value = std::move(value);
        made.options = std::move(options);
        made.forgiving = made.options.empty();
        return made;
    };
    const std::string_view contains = chinese ? "包含" : "contains";
    const Path notes = {words.character, words.notes};
    // The names below 时间 and 任务 are those of the save, in every language.
    return {
        {{"When time passes, set the time and record it; keep tasks under their id",
          "时间推进时，既要设置 时间.当前，也要写入 时间.时间轴；任务按 id 记录"},
         {command(Op::kSet, {"时间", "当前"}, words.time, {}),
          command(Op::kPush, {"时间", "时间轴"},
                  Object{{"时间", words.time}, {"事件", words.event}, {"原因", "…"}}, {}),
          command(Op::kSet, {"任务", words.quest},
                  Object{{"阶段", "…"}, {"备注", "…"}, {"更新时间", words.time}}, {})}},
        {{"A new item under its own key", "按唯一键新增物品"},
         {command(Op::kAdd, {words.character, words.bag},
                  Object{{"id", words.item}, {words.count, 1}},
                  Object{{"uniqueBy", "id"}, {"onConflict", "ignore"}})}},
        {{"A list without repetitions, and removing what contains a word",
          "列表去重并限长；移除包含某词的条目"},
         {command(Op::kPush, notes, words.event,
                  Object{{"dedupe", true}, {"limit", 50}, {"position", "tail"}}),
          command(Op::kPull, notes, {},
                  Object{{"where", Object{{contains, words.event}}}, {"count", 5}})}},
        {{"Changing nested fields of what exists", "合并已有对象的内层字段"},
         {command(Op::kMerge, {words.character}, Object{{words.bag, Object{{words.item, 2}}}},
                  Object{{"mergeStrategy", "deep"}, {"ifExists", true}})}},
        {{"Deleting into the recycle bin; a change that must hold",
          "删除到回收站；断言修改后的结果"},
         {command(Op::kDelete, {words.character, words.bag, words.item}, {},
                  Object{{"softDelete", true}, {"allowMissing", true}}),
          command(Op::kSet, {words.character, words.health}, 80,
                  Object{{"expect", Object{{"equals", 80}}}})}},
    };
}

proposal::ToolCall sample_call(Language language) {
    const Words& words = words_of(language);
    return {"call-1", "example_tool", Object{{"target", words.character}, {"amount", 2}},
            words.hurt};
}

}  // namespace internal
}  // namespace arbiter::writer
