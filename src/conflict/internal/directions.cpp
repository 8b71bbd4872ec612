#include "conflict/internal/directions.h"

#include <algorithm>
#include <string_view>

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

// Tokens between a verb and its preposition: "bursts, coat flying, out onto".
constexpr std::size_t kReach = 7;
constexpr std::size_t kHanBytes = 3;

bool is_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, text) != words.end();
}

// The last character of a text, and what is before it.
std::string_view last_character(std::string_view text) {
    return text.size() < kHanBytes ? std::string_view() : text.substr(text.size() - kHanBytes);
}

std::string_view without_last(std::string_view text) {
    return text.substr(0, text.size() - std::min(text.size(), kHanBytes));
}

// Verbs by which a person goes: the character before 出, 上 and 过.
bool is_gait(std::string_view character) {
    return is_any(character,
                  {"走", "跑", "逃", "冲", "退", "撤", "溜", "钻", "爬", "跨", "迈", "步",
                   "驶", "飞", "翻", "挤", "潜", "搬", "闪", "掠", "踱", "奔", "踏", "摸",
                   "追", "赶", "拖", "抬", "扶", "闯", "滚", "登", "攀", "骑", "跃", "跳",
                   "蹿", "窜", "游", "晃", "逛", "踩", "绕", "拐", "折", "迎", "押", "带"});
}

// Perception and speech: 看到, 听到, 提到 do not go there.
bool is_far(std::string_view character) {
    return is_any(
        character,
        {"看", "望", "听", "想", "提", "说", "谈", "聊", "梦", "见", "感", "传", "通", "接", "轮",
         "直", "等", "收", "意", "伸", "连", "寄", "发", "打", "送", "写", "画", "照", "射", "飘",
         "察", "闻", "念", "记", "扔", "丢", "抛", "投", "调", "派", "约", "请", "叫", "喊", "问",
         "指", "查", "猜", "料", "遇", "买", "卖", "找", "做", "办", "达", "运", "搬", "移"});
}

}  // namespace

std::optional<Direction> direction_han(const Context& at, std::size_t clause, std::size_t place) {
    const Clause& in = at.prose.clauses[clause];
    if (place == in.begin) {
        return std::nullopt;
    }
    const Token& last = at.token(place - 1);
    if (last.end != at.token(place).begin || last.kind == Kind::kMark || last.is(Word::kPerceive)) {
        return std::nullopt;
    }
    std::string_view before =
        std::string_view(at.prose.folded)
            .substr(at.token(in.begin).begin, last.end - at.token(in.begin).begin);
    if (before.ends_with("了")) {
        before = without_last(before);
    }
    const std::string_view end = last_character(before);
    const std::string_view verb = last_character(without_last(before));
    for (std::size_t i = in.begin; i < place; ++i) {
        if (at.token(i).is(Word::kPerceive)) {
            return std::nullopt;
        }
    }
    if (is_any(end, {"进", "入", "到", "回", "至", "抵"}) && !is_far(verb) && !verb.empty()) {
        return Direction{Way::kArrive, place - 1, 80};
    }
    if ((end == "上" || end == "过") && is_gait(verb)) {
        return Direction{Way::kArrive, place - 1, 80};
    }
    if (end == "出" && is_gait(verb)) {
        return Direction{Way::kLeave, place - 1, 80};
    }
    if (end == "在" && !verb.empty() &&
        !is_any(verb,
                {"想", "约", "死", "葬", "生", "存", "埋", "放", "写", "刻", "画", "挂", "落",
                 "开", "长", "发", "摆", "停", "消", "失", "锁", "留", "丢", "关", "现", "不"})) {
        return Direction{Way::kBeAt, place - 1, 80};
    }
    if (before.ends_with("不在")) {
        return Direction{Way::kLeave, place - 1, 80, true};
    }
    return std::nullopt;
}

std::optional<Direction> direction_latin(const Context& at, std::size_t clause, std::size_t word) {
    const Clause& in = at.prose.clauses[clause];
    const std::string_view preposition = at.prose.text(at.token(word));
    const bool goal =
        is_any(preposition, {"to", "into", "onto", "through", "back to", "inside", "aboard", "in",
                             "on", "at", "among", "up", "down", "as far as", "across"});
    const bool rest = is_any(
        preposition, {"in", "on", "at", "inside", "aboard", "within", "among", "under", "around"});
    if (!goal && !rest) {
        return std::nullopt;
    }
    for (std::size_t i = word; i-- > in.begin && i + kReach > word;) {
        const Token& token = at.token(i);
        const std::string_view text = at.prose.text(token);
        if (token.is(Word::kPerceive) || token.kind == Kind::kMark || text == "and" ||
            text == "but") {
            return std::nullopt;
        }
        // "is nowhere in the ward"
        if (rest && is_any(text, {"nowhere", "no longer", "not"}) && i > in.begin &&
            is_any(at.prose.text(at.token(i - 1)), {"is", "are", "was"})) {
            return Direction{Way::kLeave, i - 1, 80, true};
        }
        if (token.is(Word::kMotion) && goal) {
            return Direction{Way::kArrive, i, 80};
        }
        if (token.is(Word::kPosture) && rest) {
            return Direction{Way::kBeAt, i, 80};
        }
    }
    return std::nullopt;
}

}  // namespace arbiter::conflict::internal
