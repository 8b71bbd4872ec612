// The conflict check: one reply of 2 KB against a table of 50 characters and 100 areas.
#include "conflict/check.h"

#include "base/check.h"
#include "bench/cases.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::bench {
namespace {

constexpr std::size_t kCharacters = 50;
constexpr std::size_t kAreas = 100;
constexpr std::size_t kReplyBytes = 2048;

constexpr std::string_view kSurnames[] = {"沈", "陆", "顾", "柳", "江",
                                          "秦", "韩", "白", "叶", "苏"};
constexpr std::string_view kGiven[] = {"惊鸿", "沉舟", "寒江", "三娘", "小满"};
constexpr std::string_view kPlaces[] = {"酒馆", "码头", "药铺", "山门", "地窖",
                                        "书院", "渡口", "钟楼", "集市", "矿洞"};
constexpr std::string_view kWhose[] = {"青石", "落霞", "渡鸦", "白鹿", "镇北",
                                       "听雨", "幽冥", "南海", "长乐", "黑水"};
// A reply as a model writes it: people, places, wounds, things, speech, and what does not count.
constexpr std::string_view kSentences[] = {
    "雨从傍晚一直下到深夜，客栈里只剩下两盏灯。",
    "沈惊鸿掉了6点血，踉跄着退了两步。",
    "“你来晚了。”陆沉舟低声说，“城门今晚不开。”",
    "你推开青石酒馆的门，一股潮气扑面而来，却没有走进去。",
    "顾寒江打算天亮前赶到落霞码头，可是船已经停了三天。",
    "她从怀里摸出两枚铜钱，放在桌上，又收了回去。",
    "要是柳三娘当时再慢半步，这一剑就会要了她的命。",
    "The rain had not stopped since dusk, and only two lamps were still burning in the inn.",
    "You lose three hit points and stagger back against the counter.",
    "She remembers the summer when the ferry still ran; nobody speaks of it now.",
    "He steps out into the yard, counts his arrows twice, and hands the boy a lantern."};

conflict::Truth scene() {
    conflict::Truth truth;
    for (std::size_t i = 0; i < kCharacters; ++i) {
        conflict::Character who;
        who.id = "c" + std::to_string(i);
        who.name = std::string(kSurnames[i % 10]) + std::string(kGiven[i / 10]);
        who.job = "镖师";
        who.alive_state = "alive";
        who.area_id = "a" + std::to_string(i);
        who.hp = conflict::Amount{20, 30};
        who.has_inventory = true;
        who.inventory = {{"铜钱", 12}, {"疗伤药" + std::to_string(i), 2}};
        who.skills = {{"剑法", 3}};
        truth.characters.push_back(std::move(who));
    }
    for (std::size_t i = 0; i < kAreas; ++i) {
        truth.areas.push_back({"a" + std::to_string(i),
                               std::string(kWhose[i / 10]) + std::string(kPlaces[i % 10]),
                               {"a" + std::to_string((i + 1) % kAreas)}});
    }
    truth.rules = {"夜里不得出城。", "城中禁止私斗。"};
    truth.active_actor = "c0";
    return truth;
}

std::string reply() {
    std::string text;
    for (std::size_t i = 0; text.size() < kReplyBytes; ++i) {
        text += kSentences[i % std::size(kSentences)];
        text += i % 4 == 3 ? "\n\n" : " ";
    }
    return text;
}

Answer measure_check(const Request& request) {
    const conflict::Truth truth = scene();
    const std::string text = reply();
    conflict::NameCache names;
    return {measure(request.target_ms,
                    [&] {
                        keep(conflict::check_text(
                            {.truth = truth, .actions = {}, .narrative = text, .names = &names}));
                    }),
            {{"bytes", static_cast<double>(text.size())}}};
}

std::string check_check(const Request&) {
    const conflict::Truth truth = scene();
    std::vector<value::Value> found;
    for (const conflict::Finding& finding :
         conflict::check_text({.truth = truth, .actions = {}, .narrative = reply()}).findings) {
        found.emplace_back(std::string_view(finding.quote));
    }
    CHECK(!found.empty());
    return value::print_json(value::Array(found));
}

constexpr Case kCases[] = {{"conflict", measure_check, check_check}};

}  // namespace

std::span<const Case> conflict_cases() {
    return kCases;
}

}  // namespace arbiter::bench
