// Lore by the thousand over a new message, and a whole prompt. The file has the names of keywords
// and a text (see keyword_cases.cpp): each name is the key of an entry, the text is what was said.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "bench/cases.h"
#include "prompt/assemble.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::bench {
namespace {

using prompt::Lore;
using prompt::LoreSettings;
using prompt::LoreSource;
using prompt::Message;
using prompt::Role;
using value::Object;
using value::Str;
using value::Value;

struct Scene {
    std::vector<std::string_view> names;
    std::string_view said;
};
Scene scene_of(const Document& document) {
    Scene scene;
    std::string_view rest = document.text;
    while (!rest.starts_with('\n')) {
        const std::size_t end = rest.find('\n');
        CHECK(end != std::string_view::npos);
        scene.names.push_back(rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
    scene.said = rest.substr(1);
    return scene;
}

Value entry_of(std::string_view name, std::string_view content) {
    return Object{{"key", value::Array{name}}, {"content", content}};
}
// {"entries": {"0": …}}
Object entries_of(const Scene& scene, std::size_t count, std::string_view content) {
    Object entries;
    for (std::size_t i = 0; i < count; ++i) {
        entries = std::move(entries).set(Str(std::to_string(i)), entry_of(scene.names[i], content));
    }
    return entries;
}

// A talk whose newest message is never the one that was searched before.
struct Talk {
    explicit Talk(std::string_view said)
        : texts{std::string(said) + "。", std::string(said) + "！"} {
        for (std::size_t i = 0; i < 2; ++i) {
            messages[i] = {{Role::kAssistant, Str("从前。"), {}},
                           {Role::kUser, Str(std::string_view(texts[i])), {}}};
        }
    }
    std::vector<std::string> texts;
    std::vector<Message> messages[2];
};

class LoreCase {
  public:
    LoreCase(const Request& request, const LoreSettings& settings)
        : settings_(settings),
          scene_(scene_of(*request.document)),
          talk_(scene_.said),
          entries_(entries_of(scene_, scene_.names.size(), "。")) {
        follow(entries_);
    }

    prompt::LoreResult turn(std::size_t number) {
        return lore_.activate({state_, talk_.messages[number % 2], world_, count_, 0, false});
    }
    // One entry more than there were, and the one of the turn before gone.
    prompt::LoreResult turn_with_another(std::size_t number) {
        follow(entries_.set(Str(std::to_string(scene_.names.size() + number % 2)),
                            entry_of(number % 2 == 0 ? "无名来客" : "另一来客", "。")));
        return turn(number);
    }
    std::string found(const prompt::LoreResult& result) const {
        std::vector<std::int64_t> ids;
        for (const prompt::Block& block : result.blocks) {
            ids.push_back(std::stoll(block.id.substr(block.id.find('/') + 1)));
        }
        std::ranges::sort(ids);
        std::vector<Value> values(ids.begin(), ids.end());
        return value::print_json(value::Array(values));
    }

  private:
    void follow(const Object& entries) {
        const Value book = Object{{"entries", entries}};
        const LoreSource source{"b", book};
        lore_.follow({&source, 1}, settings_);
    }

    LoreSettings settings_;
    Scene scene_;
    Talk talk_;
    Object entries_;
    Lore lore_;
    Value state_ = Object();
    prompt::MacroWorld world_;
    text::TokenCounter count_;
};

// Settings that match the peers: plain byte search.
LoreSettings as_includes() {
    LoreSettings settings;
    settings.case_sensitive = true;
    settings.whole_words = false;
    settings.recursive = false;
    return settings;
}

Answer measure_lore(const Request& request) {
    LoreCase lore(request, {});
    std::size_t number = 0;
    return {measure(request.target_ms, [&] { keep(lore.turn(++number)); })};
}
std::string check_lore(const Request& request) {
    LoreCase lore(request, as_includes());
    keep(lore.turn(0));
    return lore.found(lore.turn(1));
}
Answer measure_lore_change(const Request& request) {
    LoreCase lore(request, {});
    std::size_t number = 0;
    return {measure(request.target_ms, [&] { keep(lore.turn_with_another(++number)); })};
}
std::string check_lore_change(const Request& request) {
    LoreCase lore(request, as_includes());
    keep(lore.turn_with_another(0));
    return lore.found(lore.turn_with_another(1));
}

// 1,000 entries, and 64 KB of prompt: rules, a state, what was said, and the lore that it wakes.
class PromptCase {
  public:
    explicit PromptCase(const Request& request)
        : scene_(scene_of(*request.document)), talk_(scene_.said) {
        const std::string content(300, 'x');
        Object entries = entries_of(scene_, 980, content);
        for (std::size_t i = 980; i < 1000; ++i) {
            entries = std::move(entries).set(
                Str(std::to_string(i)),
                Object{{"constant", true}, {"content", std::string_view(content)}});
        }
        const Value book = Object{{"entries", entries}};
        const LoreSource source{"b", book};
        lore_.follow({&source, 1});
        Object people;
        for (std::size_t i = 0; i < 100; ++i) {
            people = std::move(people).set(
                Str(scene_.names[i]),
                Object{{"气血", value::Array{static_cast<std::int64_t>(i), "剩余"}},
                       {"心情", "平静"}});
        }
        state_ = Object{{"stat_data", people}};
        prompt::Block rules;
        rules.id = "rules";
        rules.kind = prompt::Kind::kRules;
        rules.text = std::string(8 << 10, 'r') + "{{char}}";
        rules.macros = true;
        pieces_.push_back(rules);
        // Older talk, as much as is wanted.
        for (const std::size_t i : {0U, 1U}) {
            std::vector<Message>& messages = talk_.messages[i];
            while (assembled(i).bytes < std::size_t{64} << 10) {
                messages.insert(messages.begin(),
                                Message{Role::kAssistant, Str(scene_.said.substr(0, 900)), {}});
            }
        }
    }

    prompt::Assembly assembled(std::size_t number) {
        prompt::AssemblyInputs inputs{state_, plan_};
        inputs.pieces = pieces_;
        inputs.history = talk_.messages[number % 2];
        inputs.lore = &lore_;
        inputs.world.character = "灯";
        return prompt::assemble(inputs);
    }

  private:
    Scene scene_;
    Talk talk_;
    Value state_;
    prompt::Plan plan_;
    std::vector<prompt::Block> pieces_;
    Lore lore_;
};

Answer measure_prompt(const Request& request) {
    PromptCase prompt(request);
    std::size_t number = 0;
    return {measure(request.target_ms, [&] { keep(prompt.assembled(++number)); })};
}
// The same bytes whatever was searched before; how many is no secret.
std::string check_prompt(const Request& request) {
    PromptCase once(request);
    PromptCase again(request);
    keep(again.assembled(1));
    CHECK(once.assembled(0).messages == again.assembled(0).messages);
    CHECK(once.assembled(0).bytes >= std::size_t{64} << 10);
    return "";
}

// The templates of a card: stages by affection, a list of belongings, a controller that chooses an
// entry, and a status text; 2 KB in six entries.
const std::vector<std::string>& card_templates() {
    static const std::vector<std::string> kTexts = [] {
        std::string stages = "角色阶段:\n";
        const std::string_view names[] = {"戒备", "认识", "友好", "信任", "亲密"};
        for (std::size_t i = 0; i < std::size(names); ++i) {
            const std::string limit = std::to_string((i + 1) * 20);
            stages += std::string(i == 0 ? "<%_ if" : "<%_ } else if") +
                      " (getvar('stat_data.理.好感度[0]') < " + limit + ") { _%>\n  " +
                      std::string(names[i]) +
                      ":\n    - 保持礼貌但疏离的态度\n    - 回答简短而谨慎\n";
        }
        stages += "<%_ } _%>\n";
        std::string status =
            "<% const s = getvar('stat_data'); const 好感 = _.get(s, '理.好感度[0]', 0); let 阶段 "
            "= "
            "好感 >= 80 ? '挚爱' : 好感 >= 50 ? '友好' : '陌生'; %>\n当前阶段：<%= 阶段 %>（<%= "
            "好感 "
            "%>）\n";
        std::string things =
            "<%_ const 物品 = getvar('stat_data.主角.物品', {defaults: {}}); _%>\n<%_ for (const "
            "[k, v] "
            "of Object.entries(物品)) { _%>\n- <%= k %> ×<%= v.数量 %>\n<%_ } _%>\n";
        std::string present =
            "在场：<%= stat_data.人物.filter(x => x.在场).map(x => "
            "`${x.名}(${x.好感})`).join('、') %>\n";
        std::string router =
            "<%_ const 地点 = String(getvar('stat_data.地点') ?? '').trim(); if "
            "(地点.includes('少林')) { _%>\n少林寺在山上。\n<%_ } else if (地点.includes('武当')) "
            "{ "
            "_%>\n武当山云雾缭绕。\n<%_ } _%>\n";
        return std::vector<std::string>{stages, stages, status, things, present, router};
    }();
    return kTexts;
}
struct TemplateCase {
    Value state = value::parse_json(R"({"stat_data":{"理":{"好感度":[65,"每次互动更新"]},
        "主角":{"物品":{"灵石":{"数量":3},"剑":{"数量":1},"符":{"数量":7}}},"地点":"武当山下",
        "人物":[{"名":"甲","在场":true,"好感":5},{"名":"乙","在场":false,"好感":2},
        {"名":"丙","在场":true,"好感":9}]}})")
                      .value();
    std::string rendered() {
        std::string all;
        prompt::MacroWorld world;
        world.document = &state;
        for (const std::string& text : card_templates()) {
            prompt::Expanded expanded = prompt::expand_macros(text, world, "card");
            CHECK(!expanded.failure);
            all += expanded.text;
        }
        return all;
    }
};
Answer measure_templates(const Request& request) {
    TemplateCase card;
    return {measure(request.target_ms, [&] { keep(card.rendered()); })};
}
std::string check_templates(const Request&) {
    CHECK(TemplateCase().rendered().contains("在场：甲(5)、丙(9)"));
    return "";
}

constexpr Case kCases[] = {
    {"templates", measure_templates, check_templates},
    {"lore", measure_lore, check_lore},
    {"lore_change", measure_lore_change, check_lore_change},
    {"prompt", measure_prompt, check_prompt},
};

}  // namespace

std::span<const Case> prompt_cases() {
    return kCases;
}

}  // namespace arbiter::bench
