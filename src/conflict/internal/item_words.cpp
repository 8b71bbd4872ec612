#include "conflict/internal/item_words.h"

#include <algorithm>
#include <array>

namespace arbiter::conflict::internal {
namespace {

bool contains_any(std::string_view text, auto& words) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace

bool is_clear_gain(std::string_view text) {
    static constexpr auto kWords = std::to_array<std::string_view>({"获得",
                                                                    "获得了",
                                                                    "得到",
                                                                    "得到了",
                                                                    "收入囊中",
                                                                    "收进囊中",
                                                                    "入手",
                                                                    "到手",
                                                                    "捡到",
                                                                    "捡到了",
                                                                    "买下",
                                                                    "买到了",
                                                                    "买了",
                                                                    "购得",
                                                                    "搜出了",
                                                                    "搜到了",
                                                                    "缴获",
                                                                    "缴获了",
                                                                    "赢得",
                                                                    "赢得了",
                                                                    "赢了",
                                                                    "赚了",
                                                                    "赚到",
                                                                    "领取了",
                                                                    "领到了",
                                                                    "夺得",
                                                                    "抢到了",
                                                                    "偷到了",
                                                                    "到账",
                                                                    "入账",
                                                                    "进账",
                                                                    "收进背包",
                                                                    "放进背包",
                                                                    "放入背包",
                                                                    "装进背包",
                                                                    "塞进背包",
                                                                    "加入背包",
                                                                    "进了背包",
                                                                    "收入怀中",
                                                                    "揣进怀里",
                                                                    "揣进了怀里",
                                                                    "换来了",
                                                                    "换到了",
                                                                    "挖到了",
                                                                    "采到了",
                                                                    "obtain",
                                                                    "obtains",
                                                                    "obtained",
                                                                    "acquires",
                                                                    "acquired",
                                                                    "gains",
                                                                    "gained",
                                                                    "gain",
                                                                    "receives",
                                                                    "received",
                                                                    "receive",
                                                                    "pockets",
                                                                    "pocketed",
                                                                    "earns",
                                                                    "earned",
                                                                    "loots",
                                                                    "looted",
                                                                    "buys",
                                                                    "bought",
                                                                    "added to your inventory",
                                                                    "added to his inventory",
                                                                    "added to her inventory",
                                                                    "added to the inventory",
                                                                    "to your inventory",
                                                                    "into your pack",
                                                                    "into your bag",
                                                                    "into his pack",
                                                                    "into her pack",
                                                                    "into his bag",
                                                                    "into her bag",
                                                                    "wins",
                                                                    "won"});
    return std::ranges::find(kWords, text) != kWords.end();
}

bool is_classifier(std::string_view text) {
    static constexpr auto kWords = std::to_array<std::string_view>(
        {"个", "枚", "张", "发", "根", "块", "粒", "颗", "支", "瓶", "件", "把", "本",
         "片", "丸", "包", "罐", "只", "两", "元", "文", "份", "盒", "株", "卷"});
    return std::ranges::find(kWords, text) != kWords.end();
}

bool is_money_name(std::string_view name) {
    static constexpr auto kWords = std::to_array<std::string_view>(
        {"币", "钱", "银", "灵石", "信用点", "大洋", "现金", "铜板", "dollar", "credit", "gold",
         "coin", "crown", "doubloon", "cash", "silver", "copper", "eddies"});
    return contains_any(name, kWords);
}

bool names_purse(std::string_view text) {
    static constexpr auto kWords =
        std::to_array<std::string_view>({"皮夹", "钱包", "钱袋", "荷包", "余额", "账户", "账上",
                                         "balance", "purse", "wallet", "account"});
    return contains_any(text, kWords);
}

}  // namespace arbiter::conflict::internal
