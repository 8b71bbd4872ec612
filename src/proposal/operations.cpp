#include "proposal/operations.h"

#include <algorithm>
#include <array>
#include <vector>

#include "text/join.h"
#include "value/array.h"

namespace arbiter::proposal {
namespace {

using enum Need;

constexpr auto kOperations = std::to_array<Operation>({
    {Op::kSet, "set", kRequired, "write a value, replacing what is there", "写入一个值，覆盖原值"},
    {Op::kMerge, "merge", kRequired, "change only the named fields of an object",
     "只修改对象中提到的字段，其余保留"},
    {Op::kEnsure, "ensure", kRequired, "write a default where nothing is yet",
     "仅当不存在时写入默认值"},
    {Op::kAdd, "add", kRequired,
     "add to a number, or add a new member to a map or list under a uniqueness rule",
     "给数字做加法，或向映射、列表新增唯一成员"},
    {Op::kIncrement, "increment", kRequired, "add to, subtract from, multiply or divide a number",
     "对数字做加、减、乘、除"},
    {Op::kInsert, "insert", kRequired, "add a member to a map, or an element to a list",
     "向映射新增成员，或向列表插入元素"},
    {Op::kPush, "push", kRequired, "append an element to a list", "向列表末尾追加元素"},
    {Op::kPull, "pull", kOptional, "remove matching elements from a list",
     "从列表中移除匹配的元素"},
    {Op::kPop, "pop", kNone, "remove the last element of a list", "移除列表的最后一个元素"},
    {Op::kSplice, "splice", kRequired,
     "remove and insert elements of a list: {\"start\",\"deleteCount\",\"items\"}",
     "删除并插入列表元素：{\"start\",\"deleteCount\",\"items\"}"},
    {Op::kDelete, "delete", kNone, "remove what is there", "删除"},
    {Op::kMove, "move", kNone, "move or rename", "移动或重命名"},
    {Op::kCopy, "copy", kNone, "copy to another place", "复制到另一处"},
    {Op::kGet, "get", kNone, "read a value (reported to the host, not to you)",
     "读取一个值（结果只报告给宿主）"},
    {Op::kCallback, "callback", kRequired,
     "trigger an event of the host: path is its name, value "
     "the list of arguments",
     "触发宿主的事件：path 是名字，value 是参数列表"},
    {Op::kTest, "test", kRequired, "check that a value is as expected; if not, undo the patch",
     "检查某处的值是否符合预期，不符则撤销整个补丁"},
    {Op::kRestore, "restore", kNone, "put back what was deleted into the recycle bin",
     "把回收站里的内容放回原处"},
});

constexpr auto kVerbs = std::to_array<Verb>({
    {Dialect::kTavern, "set", Op::kSet},
    {Dialect::kTavern, "add", Op::kAdd},
    {Dialect::kTavern, "update", Op::kMerge},
    {Dialect::kTavern, "patch", Op::kMerge, Arithmetic::kAdd, false},
    {Dialect::kTavern, "push", Op::kPush},
    {Dialect::kTavern, "pull", Op::kPull},
    {Dialect::kTavern, "delete", Op::kDelete},
    {Dialect::kTavern, "ensure", Op::kEnsure},

    {Dialect::kJson, "assign", Op::kSet},
    {Dialect::kJson, "merge", Op::kMerge},
    {Dialect::kJson, "push", Op::kPush},
    {Dialect::kJson, "pop", Op::kPop},
    {Dialect::kJson, "splice", Op::kSplice},
    {Dialect::kJson, "delete", Op::kDelete},
    {Dialect::kJson, "get", Op::kGet, Arithmetic::kAdd, false},  // models never see the answer
    {Dialect::kJson, "callback", Op::kCallback},

    {Dialect::kMvu, "set", Op::kSet},
    {Dialect::kMvu, "add", Op::kIncrement},
    {Dialect::kMvu, "insert", Op::kInsert},
    {Dialect::kMvu, "assign", Op::kInsert, Arithmetic::kAdd, false},
    {Dialect::kMvu, "remove", Op::kDelete},
    {Dialect::kMvu, "unset", Op::kDelete, Arithmetic::kAdd, false},
    {Dialect::kMvu, "delete", Op::kDelete, Arithmetic::kAdd, false},
    {Dialect::kMvu, "move", Op::kMove},
    {Dialect::kMvu, "get", Op::kGet, Arithmetic::kAdd, false},
    {Dialect::kMvu, "merge", Op::kMerge},
    {Dialect::kMvu, "push", Op::kPush},
    {Dialect::kMvu, "callback", Op::kCallback},

    {Dialect::kPatch, "replace", Op::kSet},
    {Dialect::kPatch, "add", Op::kInsert},
    {Dialect::kPatch, "insert", Op::kInsert, Arithmetic::kAdd, false},
    {Dialect::kPatch, "remove", Op::kDelete},
    {Dialect::kPatch, "move", Op::kMove},
    {Dialect::kPatch, "copy", Op::kCopy},
    {Dialect::kPatch, "test", Op::kTest},
    {Dialect::kPatch, "delta", Op::kIncrement},

    {Dialect::kMemory, "set_attribute", Op::kSet},
    {Dialect::kMemory, "set_status", Op::kSet},
    {Dialect::kMemory, "memory", Op::kSet},
    {Dialect::kMemory, "delete", Op::kDelete},

    {Dialect::kFilament, "SET", Op::kSet},
    {Dialect::kFilament, "ADD", Op::kIncrement},
    {Dialect::kFilament, "SUB", Op::kIncrement, Arithmetic::kSubtract},
    {Dialect::kFilament, "MUL", Op::kIncrement, Arithmetic::kMultiply},
    {Dialect::kFilament, "DIV", Op::kIncrement, Arithmetic::kDivide},
    {Dialect::kFilament, "PUSH", Op::kPush},
    {Dialect::kFilament, "POP", Op::kPop},
    {Dialect::kFilament, "DELETE", Op::kDelete},
    {Dialect::kFilament, "DEL", Op::kDelete, Arithmetic::kAdd, false},
    {Dialect::kFilament, "REM", Op::kPull},
    {Dialect::kFilament, "REMOVE", Op::kPull, Arithmetic::kAdd, false},
    {Dialect::kFilament, "MERGE", Op::kMerge},
    {Dialect::kFilament, "INSERT", Op::kInsert},
    {Dialect::kFilament, "SPLICE", Op::kSplice},
});

using Type = OptionRow::Type;
constexpr auto kOptions = std::to_array<OptionRow>({
    {"reason", Type::kText, "why, for the record", "变更原因，便于审计", R"("…")"},
    {"idempotencyKey", Type::kText, "the same key and path run only once",
     "幂等键，同一路径重复提交时只执行一次", R"("battle-3")"},
    {"ifMissing", Type::kFlag, "only when nothing is there", "仅当目标缺失时执行", "true"},
    {"ifExists", Type::kFlag, "only when something is there", "仅当目标存在时执行", "true"},
    {"ifEquals", Type::kAny, "only when the present value equals this", "当前值等于它才执行", "5"},
    {"ifVersion", Type::kNumber, "only when the object's __version is this", "对象版本号匹配才执行",
     "3", false},
    {"mergeStrategy", Type::kMergeStrategy,
     "set, update: how an object is written onto an object: replace, shallow or deep",
     "set/update 把对象写到对象上的方式：replace、shallow 或 deep", R"("deep")"},
    {"uniqueBy", Type::kTextOrTexts,
     "add, push: the field or fields that identify an element; add into a map uses it as the key",
     "add/push 的唯一键字段；add 到映射时以它的值为键", R"("id")"},
    {"dedupe", Type::kFlag, "push: not if it is already there", "push 去重", "true"},
    {"position", Type::kPosition, "push, pull: at which end: head or tail",
     "push/pull 在头部还是尾部：head 或 tail", R"("head")"},
    {"limit", Type::kCount, "push: keep only so many", "push 后只保留 N 条", "50"},
    {"where", Type::kObject,
     "pull: which elements: operators for the element itself, or for its fields, such as "
     "{\"count\":{\"<=\":0}}; operators: contains, notContains, startsWith, endsWith, equals, "
     "regex, exists, >, <, >=, <=",
     "pull 移除哪些元素：对元素本身写运算符，或按字段写，如 {\"数量\":{\"<=\":0}}；运算符：包含、"
     "不包含、开头、结尾、等于、正则、存在、大于、小于、>=、<=",
     R"({"包含":"…"})", true, R"({"contains":"…"})"},
    {"count", Type::kCount, "pull: at most so many", "pull 的数量上限", "5"},
    {"softDelete", Type::kFlag, "delete: move to the recycle bin",
     "delete 时移动到回收站而非直接删除", "true"},
    {"recycleBinKey", Type::kText, "delete: where the recycle bin is", "delete 时回收站的位置",
     R"("character.saveData.回收站")"},
    {"cascade", Type::kFlag, "delete: false refuses a target that is not empty",
     "delete 时写 false 则拒绝删除非空的目标", "false"},
    {"allowMissing", Type::kFlag, "a missing target is not an error", "目标缺失也视为成功", "true"},
    {"onConflict", Type::kOnConflict,
     "add: what to do with a member that exists: error, ignore, replace or merge",
     "add 遇到已存在成员时：error、ignore、replace 或 merge", R"("merge")"},
    {"tags", Type::kTexts, "labels for the record", "标签，供审计检索", R"(["battle"])"},
    {"ttl", Type::kPositive, "seconds until it is removed", "过期秒数，到期自动清理", "3600"},
    {"expiresAt", Type::kInstant, "the instant at which it is removed", "过期时间",
     R"("2025-09-20T05:00:00Z")"},
    {"expect", Type::kObject,
     "what must hold afterwards, or the command is undone: exists, equals, notEquals, type, "
     "contains, length, gte, lte",
     "断言执行后的状态，不符则撤销：exists、equals、notEquals、type、contains、length、gte、lte",
     R"({"exists":true})"},
    {"transaction", Type::kFlag, "the whole batch or nothing", "整批全部成功或全部回滚", "true"},
    {"versionScope", Type::kVersionScope, "which objects count versions", "哪些对象递增版本号",
     R"("ancestors")", false},
});

constexpr bool rows_in_order() {
    for (std::size_t i = 0; i < kOperations.size(); ++i) {
        if (static_cast<std::size_t>(kOperations[i].op) != i) {
            return false;
        }
    }
    return kOperations.size() == static_cast<std::size_t>(Op::kCount);
}
static_assert(rows_in_order());

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool equal_folded(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

bool one_of(const value::Value& value, std::initializer_list<std::string_view> words) {
    return value.is_string() && std::ranges::find(words, value.as_string()) != words.end();
}
bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// 2025-09-20T05:00:00Z, with optional fraction and offset.
bool is_instant(std::string_view text) {
    if (text.size() < 20 || !is_digits(text.substr(0, 4)) || text[4] != '-' ||
        !is_digits(text.substr(5, 2)) || text[7] != '-' || !is_digits(text.substr(8, 2)) ||
        (text[10] != 'T' && text[10] != 't' && text[10] != ' ') || !is_digits(text.substr(11, 2)) ||
        text[13] != ':' || !is_digits(text.substr(14, 2)) || text[16] != ':' ||
        !is_digits(text.substr(17, 2))) {
        return false;
    }
    std::string_view rest = text.substr(19);
    if (rest.starts_with('.')) {
        std::size_t digits = 1;
        while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') {
            ++digits;
        }
        rest.remove_prefix(digits);
    }
    const auto number = [&](std::size_t at) {
        return (text[at] - '0') * 10 + (text[at + 1] - '0');
    };
    const bool in_range = number(5) >= 1 && number(5) <= 12 && number(8) >= 1 && number(8) <= 31 &&
                          number(11) <= 23 && number(14) <= 59 && number(17) <= 60;
    const bool zone = rest == "Z" || rest == "z" ||
                      (rest.size() == 6 && (rest[0] == '+' || rest[0] == '-') && rest[3] == ':' &&
                       is_digits(rest.substr(1, 2)) && is_digits(rest.substr(4, 2)));
    return in_range && zone;
}

bool all_texts(const value::Value& value) {
    return value.is_array() && std::ranges::all_of(value.as_array(), &value::Value::is_string);
}

}  // namespace

std::span<const Operation> operations() noexcept {
    return kOperations;
}
const Operation& operation(Op op) noexcept {
    return kOperations[static_cast<std::size_t>(op)];
}
std::string_view name(Op op) noexcept {
    return operation(op).name;
}

std::span<const Verb> verbs() noexcept {
    return kVerbs;
}
const Verb* find_verb(Dialect dialect, std::string_view word) noexcept {
    const bool exact = dialect == Dialect::kTavern || dialect == Dialect::kJson ||
                       dialect == Dialect::kPatch || dialect == Dialect::kMemory;
    const auto found = std::ranges::find_if(kVerbs, [&](const Verb& verb) {
        return verb.dialect == dialect &&
               (exact ? verb.word == word : equal_folded(verb.word, word));
    });
    return found == kVerbs.end() ? nullptr : &*found;
}
std::string list_verbs(Dialect dialect) {
    std::vector<std::string_view> words;
    for (const Verb& verb : kVerbs) {
        if (verb.dialect == dialect) {
            words.push_back(verb.word);
        }
    }
    return text::join(words);
}

std::span<const OptionRow> options() noexcept {
    return kOptions;
}
std::string_view OptionRow::form_in(base::Language language) const noexcept {
    return language == base::Language::kEnglish && !english_form.empty() ? english_form : form;
}
const OptionRow* find_option(std::string_view name) noexcept {
    const auto found = std::ranges::find(kOptions, name, &OptionRow::name);
    return found == kOptions.end() ? nullptr : &*found;
}

std::string_view expected(OptionRow::Type type) noexcept {
    switch (type) {
        case Type::kText:
            return "a text";
        case Type::kFlag:
            return "true or false";
        case Type::kAny:
            return "any value";
        case Type::kCount:
            return "a whole number, 0 or more";
        case Type::kPositive:
            return "a number above 0";
        case Type::kNumber:
            return "a number";
        case Type::kObject:
            return "an object";
        case Type::kTexts:
            return "a list of texts";
        case Type::kTextOrTexts:
            return "a text or a list of texts";
        case Type::kInstant:
            return "an instant such as 2025-09-20T05:00:00Z";
        case Type::kMergeStrategy:
            return "replace, shallow or deep";
        case Type::kPosition:
            return "head or tail";
        case Type::kOnConflict:
            return "error, ignore, replace or merge";
        case Type::kVersionScope:
            return "target or ancestors";
    }
    return "";
}

bool fits(OptionRow::Type type, const value::Value& value) noexcept {
    switch (type) {
        case Type::kText:
            return value.is_string();
        case Type::kFlag:
            return value.is_bool();
        case Type::kAny:
            return true;
        case Type::kCount:
            return value.is_int() && value.as_int() >= 0;
        case Type::kPositive:
            return value.is_number() && value.as_double() > 0;
        case Type::kNumber:
            return value.is_number();
        case Type::kObject:
            return value.is_object();
        case Type::kTexts:
            return all_texts(value);
        case Type::kTextOrTexts:
            return value.is_string() || all_texts(value);
        case Type::kInstant:
            return value.is_string() && is_instant(value.as_string());
        case Type::kMergeStrategy:
            return one_of(value, {"replace", "shallow", "deep"});
        case Type::kPosition:
            return one_of(value, {"head", "tail"});
        case Type::kOnConflict:
            return one_of(value, {"error", "ignore", "replace", "merge"});
        case Type::kVersionScope:
            return one_of(value, {"target", "ancestors"});
    }
    return false;
}

}  // namespace arbiter::proposal
