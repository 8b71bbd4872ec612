#include "profile/keys.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "value/array.h"
#include "value/object.h"

namespace arbiter::profile {
namespace {

using engine::Coercion;
using engine::OldCheck;
using engine::OnConflict;
using proposal::Dialect;
using reader::TagMeaning;
using value::Path;
using value::Value;
// The path of the wrong part of a value, or nothing.
using Wrong = std::optional<Path>;

Wrong wrong(Path path = {}) {
    return path;
}

Wrong take(const Value& value, bool& out) {
    if (!value.is_bool()) {
        return wrong();
    }
    out = value.as_bool();
    return std::nullopt;
}

Wrong take(const Value& value, std::string& out) {
    if (!value.is_string()) {
        return wrong();
    }
    out = value.as_string();
    return std::nullopt;
}

Wrong take(const Value& value, Path& out) {
    if (!value.is_string()) {
        return wrong();
    }
    auto path = value::parse_any_path(value.as_string());
    if (!path) {
        return wrong();
    }
    out = std::move(*path);
    return std::nullopt;
}

Wrong take(const Value& value, std::size_t& out) {
    constexpr std::int64_t kMost = 1'000'000;
    if (!value.is_int() || value.as_int() < 0 || value.as_int() > kMost) {
        return wrong();
    }
    out = static_cast<std::size_t>(value.as_int());
    return std::nullopt;
}

template <typename Choice>
struct Word {
    std::string_view word;
    Choice choice;
};

template <typename Choice>
const Choice* find_word(const Value& value, std::span<const Word<Choice>> words) {
    const auto found = std::ranges::find_if(words, [&](const Word<Choice>& each) {
        return value.is_string() && each.word == value.as_string();
    });
    return found == words.end() ? nullptr : &found->choice;
}
template <typename Choice, std::size_t kSize>
Wrong take(const Value& value, Choice& out, const std::array<Word<Choice>, kSize>& words) {
    const Choice* choice = find_word<Choice>(value, words);
    if (choice == nullptr) {
        return wrong();
    }
    out = *choice;
    return std::nullopt;
}

constexpr std::array<Word<OldCheck>, 3> kOldChecks = {
    {{"off", OldCheck::kOff}, {"warn", OldCheck::kWarn}, {"strict", OldCheck::kStrict}}};
constexpr std::array<Word<Coercion>, 2> kCoercions = {
    {{"allow", Coercion::kAllow}, {"refuse", Coercion::kRefuse}}};
constexpr std::array<Word<OnConflict>, 4> kConflicts = {{{"error", OnConflict::kError},
                                                         {"ignore", OnConflict::kIgnore},
                                                         {"replace", OnConflict::kReplace},
                                                         {"merge", OnConflict::kMerge}}};
constexpr std::array<Word<bool>, 2> kParents = {{{"create", false}, {"require", true}}};
constexpr std::array<Word<bool>, 2> kReasons = {{{"optional", false}, {"required", true}}};
constexpr std::array<Word<bool>, 2> kHybrids = {{{"json", false}, {"both", true}}};
constexpr std::array<Word<TagMeaning>, 4> kMeanings = {{{"execute", TagMeaning::kExecute},
                                                        {"ignore", TagMeaning::kIgnore},
                                                        {"display", TagMeaning::kDisplay},
                                                        {"component", TagMeaning::kComponent}}};

// Reads each element of a list with a function.
template <typename Take>
Wrong take_list(const Value& value, Take take_one) {
    if (!value.is_array()) {
        return wrong();
    }
    for (std::size_t i = 0; i < value.as_array().size(); ++i) {
        if (Wrong inner = take_one(value.as_array()[i])) {
            inner->insert(inner->begin(), value::Segment(static_cast<std::int64_t>(i)));
            return inner;
        }
    }
    return std::nullopt;
}

Wrong take_dialects(const Value& value, reader::Dialects& out) {
    reader::Dialects dialects;
    Wrong bad = take_list(value, [&](const Value& each) -> Wrong {
        const auto found =
            each.is_string() ? proposal::find_dialect(each.as_string()) : std::nullopt;
        if (!found) {
            return wrong();
        }
        dialects.add(*found);
        return std::nullopt;
    });
    if (!bad) {
        out = dialects;
    }
    return bad;
}

// `card`, or a list of dialects.
Wrong take_teaching(const Value& value, Profile& profile) {
    if (value == Value("card")) {
        profile.card_teaches = true;
        return std::nullopt;
    }
    reader::Dialects dialects;
    Wrong bad = take_dialects(value, dialects);
    if (!bad) {
        profile.taught = dialects;
        profile.card_teaches = false;
    }
    return bad;
}

Wrong take_tags(const Value& value, std::vector<reader::TagHint>& out) {
    if (!value.is_object()) {
        return wrong();
    }
    std::map<std::string, std::size_t, std::less<>> places;
    for (const reader::TagHint& each : out) {
        places.emplace(each.tag, places.size());
    }
    for (const auto& [tag, word] : value.as_object()) {
        const TagMeaning* meaning = find_word<TagMeaning>(word, kMeanings);
        if (meaning == nullptr || tag.empty()) {
            return wrong({value::Segment(tag)});
        }
        const auto [known, is_new] = places.emplace(std::string(tag.view()), out.size());
        if (is_new) {
            out.push_back({std::string(tag.view()), *meaning});
        } else {
            out[known->second].meaning = *meaning;
        }
    }
    return std::nullopt;
}

// `a.b`, or {path: a.b, to: [model, player]}.
Wrong take_closed(const Value& value, engine::ClosedPath& out) {
    if (value.is_string()) {
        return take(value, out.path);
    }
    if (!value.is_object()) {
        return wrong();
    }
    bool has_path = false;
    for (const auto& [key, member] : value.as_object()) {
        Wrong bad = wrong();
        if (key == "path") {
            has_path = true;
            bad = take(member, out.path);
        } else if (key == "to") {
            bool to_model = false;
            bad = take_list(member, [&](const Value& each) -> Wrong {
                const std::string_view actor = each.is_string() ? each.as_string() : "";
                to_model = to_model || actor == "model";
                out.to_player = out.to_player || actor == "player";
                return actor == "model" || actor == "player" ? Wrong() : wrong();
            });
            bad = bad || to_model ? bad : wrong();
        }
        if (bad) {
            bad->insert(bad->begin(), value::Segment(key));
            return bad;
        }
    }
    return has_path ? Wrong() : wrong();
}

Wrong take_all_closed(const Value& value, std::vector<engine::ClosedPath>& out) {
    std::vector<engine::ClosedPath> closed;
    Wrong bad = take_list(value, [&](const Value& each) {
        Wrong inner = take_closed(each, closed.emplace_back());
        // An empty path would close the whole document.
        return !inner && closed.back().path.empty() ? wrong() : inner;
    });
    if (!bad) {
        out = std::move(closed);
    }
    return bad;
}

Wrong take_names(const Value& value, std::vector<std::string>& out) {
    std::vector<std::string> names;
    Wrong bad = take_list(value, [&](const Value& each) {
        Wrong inner = take(each, names.emplace_back());
        return !inner && names.back().empty() ? wrong() : inner;
    });
    if (!bad) {
        out = std::move(names);
    }
    return bad;
}

Wrong take_summary(const Value& value, Profile& profile) {
    if (value.is_string()) {
        profile.summary.english = profile.summary.chinese = value.as_string();
        return std::nullopt;
    }
    if (!value.is_object()) {
        return wrong();
    }
    for (const auto& [language, line] : value.as_object()) {
        if ((language != "en" && language != "zh") || !line.is_string()) {
            return wrong({value::Segment(language)});
        }
        (language == "en" ? profile.summary.english : profile.summary.chinese) = line.as_string();
    }
    return std::nullopt;
}

// Only their shape; config/ compiles them.
Wrong take_calendars(const Value& value, std::vector<Value>& out) {
    std::vector<Value> all;
    Wrong bad = take_list(value, [&](const Value& each) -> Wrong {
        all.push_back(each);
        return each.is_object() ? Wrong() : wrong();
    });
    if (!bad) {
        out = std::move(all);
    }
    return bad;
}

#define ARBITER_FIELD(...) [](const Value& v, Profile& p) -> Wrong { return __VA_ARGS__; }

constexpr std::string_view kFlag = "true | false";
constexpr std::string_view kPathText = "a path such as character.saveData";
constexpr std::string_view kDialectList =
    "a list of tavern, json, mvu, patch, memory, filament, tool";

constexpr auto kKeys = std::to_array<Key>({
    {"", "name", "a text", {"how it is called", "名称"}, ARBITER_FIELD(take(v, p.name))},
    {"",
     "summary",
     "{en: …, zh: …}",
     {"one line for people, in both languages", "一行说明（中英文）"},
     ARBITER_FIELD(take_summary(v, p))},
    {"",
     "extends",
     "a profile or a .yaml file",
     {"the profile that this one changes", "在哪个方案之上修改"},
     ARBITER_FIELD(take(v, p.extends))},
    {"",
     "hybrid",
     "json | both",
     {"a reply with JSON instructions and _. calls: which of them count",
      "同一回复里既有 JSON 指令又有 _. 调用时采用哪些"},
     ARBITER_FIELD(take(v, p.hybrid_both, kHybrids))},
    {"",
     "teaches",
     "card | a list (列表) of tavern, json, mvu, patch, memory, filament",
     {"the dialects that a prompt teaches; card: the card does it; default: those read in a reply",
      "提示词教哪些方言；card 表示由角色卡自己教；默认为回复中读取的方言"},
     ARBITER_FIELD(take_teaching(v, p))},
    {"",
     "tags",
     "{tag: execute | ignore | display | component}",
     {"what the content of further tags is", "其他标签的内容如何处理"},
     ARBITER_FIELD(take_tags(v, p.tags))},

    {"",
     "rulebooks",
     "a list of rulebooks or .yaml files",
     {"what the world does by itself after each turn", "每回合之后世界自行遵循的规则书"},
     ARBITER_FIELD(take_names(v, p.rulebooks))},
    {"",
     "calendars",
     "[{name: …, title: …, months: […]}]",
     {"calendars for the dates of all rulebooks", "供各规则书使用的历法"},
     ARBITER_FIELD(take_calendars(v, p.calendars))},

    {"reads",
     "model",
     kDialectList,
     {"the dialects read in a model's reply", "模型回复中读取的方言"},
     ARBITER_FIELD(take_dialects(v, p.of_model))},
    {"reads",
     "player",
     kDialectList,
     {"the dialects read in what the player typed", "玩家输入中读取的方言"},
     ARBITER_FIELD(take_dialects(v, p.of_player))},

    {"protocols",
     "keywords",
     kFlag,
     {"the player's keywords switch protocols on and off", "玩家说出关键词即可启用或结束协议"},
     ARBITER_FIELD(take(v, p.protocols.keywords))},
    {"protocols",
     "model_tags",
     kFlag,
     {"<use_protocol> and <end_protocol> in a model's reply count",
      "模型回复中的 <use_protocol> 与 <end_protocol> 生效"},
     ARBITER_FIELD(take(v, p.protocols.model_tags))},
    {"protocols",
     "model_keywords",
     kFlag,
     {"keywords in a model's narrative count", "模型叙事中的关键词生效"},
     ARBITER_FIELD(take(v, p.protocols.model_keywords))},

    {"policy",
     "tavern_root",
     kPathText,
     {"keys of tavern_commands must lie below it; empty: anywhere",
      "tavern_commands 的键必须在此之下；留空表示不限"},
     ARBITER_FIELD(take(v, p.policy.tavern_root))},
    {"policy",
     "recycle_bin",
     kPathText,
     {"where a soft delete puts what it removes", "软删除的去处"},
     ARBITER_FIELD(take(v, p.policy.recycle_bin))},
    {"policy",
     "old_check",
     "off | warn | strict",
     {"what a wrong stated old value does", "所说旧值不符时如何处理"},
     ARBITER_FIELD(take(v, p.policy.old_check, kOldChecks))},
    {"policy",
     "coercion",
     "allow | refuse",
     {"a text where a number stands", "数字处写入文字时如何处理"},
     ARBITER_FIELD(take(v, p.policy.coercion, kCoercions))},
    {"policy",
     "parents",
     "create | require",
     {"a write to a path whose container is missing", "路径的上级不存在时创建还是拒绝"},
     ARBITER_FIELD(take(v, p.policy.needs_parents, kParents))},
    {"policy",
     "reason",
     "optional | required",
     {"whether a tavern entry must say why", "tavern 条目是否必须写 reason"},
     ARBITER_FIELD(take(v, p.policy.needs_reason, kReasons))},
    {"policy",
     "on_conflict",
     "error | ignore | replace | merge",
     {"add of a member that is there, unless the entry says", "add 遇到已有成员时的默认处理"},
     ARBITER_FIELD(take(v, p.policy.on_conflict, kConflicts))},
    {"policy",
     "delete_as_null",
     kFlag,
     {"a JSON delete leaves null", "JSON delete 留下 null"},
     ARBITER_FIELD(take(v, p.policy.delete_as_null))},
    {"policy",
     "strict_set",
     kFlag,
     {"a set replaces [value, description] as a whole", "set 整体替换 [值, 描述]"},
     ARBITER_FIELD(take(v, p.policy.strict_set))},
    {"policy",
     "set_creates",
     kFlag,
     {"_.set makes a missing path too", "_.set 也可新建路径"},
     ARBITER_FIELD(take(v, p.policy.set_creates))},
    {"policy",
     "locks_structure",
     kFlag,
     {"the $meta rules of an MVU initvar hold", "MVU initvar 的 $meta 规则生效"},
     ARBITER_FIELD(take(v, p.policy.locks_structure))},
    {"policy",
     "locks_top",
     kFlag,
     {"_.insert takes nothing into the outermost containers", "_.insert 不得写入最外层"},
     ARBITER_FIELD(take(v, p.policy.locks_top))},
    {"policy",
     "closed",
     "a list of paths, or of {path: …, to: [model, player]}",
     {"parts that direct commands may not touch", "不允许直接修改的部分"},
     ARBITER_FIELD(take_all_closed(v, p.policy.closed))},
    {"policy",
     "marks_max",
     "0 … 1000000",
     {"idempotency keys that are remembered", "记住多少个幂等键"},
     ARBITER_FIELD(take(v, p.policy.marks_max))},

    {"warnings",
     "placeholders",
     kFlag,
     {"a value still holds a <placeholder>: example_name", "值中仍有 <占位符> 时警告 example_name"},
     ARBITER_FIELD(take(v, p.policy.warns_placeholders))},
    {"warnings",
     "example_names",
     "a list of texts",
     {"a value holds one of them: example_name", "值中含有这些示例名时警告 example_name"},
     ARBITER_FIELD(take_names(v, p.policy.example_names))},
    {"warnings",
     "clock",
     kPathText,
     {"set without a push to the timeline: timeline_missing; empty: never",
      "设置它却未写时间轴时警告 timeline_missing；留空表示不检查"},
     ARBITER_FIELD(take(v, p.policy.clock))},
    {"warnings",
     "timeline",
     kPathText,
     {"the list that goes with the clock", "与之对应的时间轴"},
     ARBITER_FIELD(take(v, p.policy.timeline))},
});

#undef ARBITER_FIELD

}  // namespace

std::span<const Key> keys() noexcept {
    return kKeys;
}

}  // namespace arbiter::profile
