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

constexpr Case kCases[] = {
    {"lore", measure_lore, check_lore},
    {"lore_change", measure_lore_change, check_lore_change},
    {"prompt", measure_prompt, check_prompt},
};

}  // namespace

std::span<const Case> prompt_cases() {
    return kCases;
}

}  // namespace arbiter::bench
