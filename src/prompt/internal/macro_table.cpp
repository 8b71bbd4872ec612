#include "prompt/internal/macro_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "expr/formula.h"
#include "prompt/internal/macro_time.h"
#include "prompt/render.h"
#include "text/truncate.h"
#include "text/utf8.h"
#include "value/path.h"

namespace arbiter::prompt::internal {
namespace {

using Expansion = std::optional<std::string>;

// No limit in practice.
constexpr std::size_t kMany = 10'000;

// ---- names and texts

Expansion give_character(const Call& call) {
    return call.world.character;
}
Expansion give_user(const Call& call) {
    return call.world.user;
}
Expansion give_group(const Call& call) {
    return call.world.group.empty() ? call.world.character : call.world.group;
}

Expansion text_of(const Call& call, std::string_view name) {
    const auto found = call.world.texts.find(name);
    return found == call.world.texts.end() ? Expansion() : Expansion(found->second);
}
Expansion give_persona(const Call& call) {
    return text_of(call, "persona");
}
Expansion give_description(const Call& call) {
    return text_of(call, "description");
}
Expansion give_personality(const Call& call) {
    return text_of(call, "personality");
}
Expansion give_scenario(const Call& call) {
    return text_of(call, "scenario");
}
Expansion give_char_prompt(const Call& call) {
    return text_of(call, "charprompt");
}
Expansion give_instruction(const Call& call) {
    return text_of(call, "charinstruction");
}
Expansion give_examples(const Call& call) {
    return text_of(call, "mesexamples");
}
Expansion give_first(const Call& call) {
    return text_of(call, "charfirstmessage");
}
Expansion give_original(const Call& call) {
    return text_of(call, "original");
}
Expansion give_input(const Call& call) {
    return call.world.input;
}
Expansion give_model(const Call& call) {
    return call.world.model;
}
Expansion give_generation(const Call& call) {
    return call.world.generation;
}
Expansion give_swipe(const Call& call) {
    return std::to_string(call.world.swipe);
}
Expansion give_context(const Call& call) {
    return std::to_string(call.world.context_tokens);
}
Expansion give_outlet(const Call& call) {
    const auto found = call.world.outlets.find(call.arguments[0]);
    return found == call.world.outlets.end() ? "" : found->second;
}

// ---- history

Expansion last_of(const Call& call, std::optional<Role> role) {
    const auto& history = call.world.history;
    for (std::size_t i = history.size(); i > 0; --i) {
        if (!role || history[i - 1].role == *role) {
            return std::string(history[i - 1].content.view());
        }
    }
    return "";
}
Expansion give_last(const Call& call) {
    return last_of(call, std::nullopt);
}
Expansion give_last_user(const Call& call) {
    return last_of(call, Role::kUser);
}
Expansion give_last_character(const Call& call) {
    return last_of(call, Role::kAssistant);
}
Expansion give_last_id(const Call& call) {
    return call.world.history.empty() ? "" : std::to_string(call.world.history.size() - 1);
}

// ---- text

Expansion give_line(const Call& call) {
    std::size_t count = 1;
    if (!call.arguments.empty()) {
        const std::string_view text = call.arguments[0];
        const auto read = std::from_chars(text.data(), text.data() + text.size(), count);
        if (read.ec != std::errc() || count > 100) {
            return std::nullopt;
        }
    }
    return std::string(count, '\n');
}
Expansion give_space(const Call&) {
    return " ";
}
Expansion give_nothing(const Call&) {
    return "";
}
Expansion give_false(const Call&) {
    return "false";
}
Expansion give_reverse(const Call& call) {
    std::string_view rest = call.arguments[0];
    std::vector<std::string_view> characters;
    while (!rest.empty()) {
        const std::size_t size = text::decode(rest).size;
        characters.push_back(rest.substr(0, size));
        rest.remove_prefix(size);
    }
    std::string out;
    for (auto each = characters.rbegin(); each != characters.rend(); ++each) {
        out += *each;
    }
    return out;
}

// ---- the document

Expansion of_document(const Call& call, StateView::Format format) {
    if (call.world.document == nullptr) {
        return std::nullopt;
    }
    const auto path = value::parse_any_path(call.arguments[0]);
    if (!path) {
        return std::nullopt;
    }
    const value::Value* found = value::find(*call.world.document, *path);
    const auto is_kept = [](const value::Segment& each) {
        return !each.is_index() && is_reserved_key(each.key());
    };
    if (found == nullptr || std::ranges::any_of(*path, is_kept)) {
        if (call.report.missing.size() < 20) {
            call.report.missing.emplace_back(text::truncate(call.arguments[0], 80));
        }
        return "";
    }
    StateView view;
    view.format = format;
    view.descriptions = StateView::Descriptions::kNever;
    // A hidden ancestor hides the value.
    for (std::size_t count = 1; count < path->size(); ++count) {
        const value::Value* above = value::find(*call.world.document, *path, count);
        if (above != nullptr && is_hidden(*above, view)) {
            return std::string(kHiddenText);
        }
    }
    return render_value(*found, view);
}
Expansion give_get(const Call& call) {
    return of_document(call, StateView::Format::kJson);
}
Expansion give_format(const Call& call) {
    return of_document(call, StateView::Format::kYaml);
}

// ---- variables

// Limits of variables, so that macros cannot exhaust memory.
constexpr std::size_t kVariablesMax = 1000;
constexpr std::size_t kVariableBytesMax = std::size_t{64} << 10;

Expansion give_variable(const Call& call) {
    const auto found = call.variables.find(call.arguments[0]);
    return found == call.variables.end() ? "" : found->second;
}
bool put(Variables& all, std::string_view name, std::string value) {
    if (value.size() > kVariableBytesMax || name.size() > kVariableBytesMax ||
        (all.size() >= kVariablesMax && !all.contains(name))) {
        return false;
    }
    all.insert_or_assign(std::string(name), std::move(value));
    return true;
}
Expansion set_variable(const Call& call) {
    return put(call.variables, call.arguments[0], std::string(call.arguments[1])) ? Expansion("")
                                                                                  : Expansion();
}
Expansion added(Variables& all, std::string_view name, std::string_view by, bool shows) {
    const auto found = all.find(name);
    const std::string before = found == all.end() ? "0" : found->second;
    const auto a = expr::number_of(value::Value(std::string_view(before)));
    const auto b = expr::number_of(value::Value(by));
    std::string sum;
    if (a && b) {
        const auto number = expr::number_value(*a + *b);
        sum = number ? render_value(*number, StateView()) : before;
    } else {
        sum = (found == all.end() ? "" : before) + std::string(by);
    }
    if (!put(all, name, sum)) {
        return std::nullopt;
    }
    return shows ? sum : "";
}
Expansion add_variable(const Call& call) {
    return added(call.variables, call.arguments[0], call.arguments[1], false);
}
Expansion increase_variable(const Call& call) {
    return added(call.variables, call.arguments[0], "1", true);
}
Expansion decrease_variable(const Call& call) {
    return added(call.variables, call.arguments[0], "-1", true);
}
Expansion has_variable(const Call& call) {
    return call.variables.contains(call.arguments[0]) ? "true" : "false";
}
Expansion delete_variable(const Call& call) {
    const auto found = call.variables.find(call.arguments[0]);
    if (found != call.variables.end()) {
        call.variables.erase(found);
    }
    return "";
}

// ---- randomness

// One of the arguments; a single argument is a comma-separated list.
Expansion choice(const Call& call, std::uint64_t seed) {
    std::vector<std::string> all;
    if (call.arguments.size() > 1) {
        all.assign(call.arguments.begin(), call.arguments.end());
    } else {
        all.emplace_back();
        const std::string_view list = call.arguments[0];
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ',') {
                all.back() += list[++i];
            } else if (list[i] == ',') {
                all.emplace_back();
            } else if (list[i] != ' ' || !all.back().empty()) {
                all.back() += list[i];
            }
        }
    }
    return all[mixed(seed, call.place) % all.size()];
}
Expansion give_random(const Call& call) {
    return choice(call, call.world.seed);
}
Expansion give_pick(const Call& call) {
    return choice(call, call.world.pick_seed);
}

// 2d6+3, d20, 20.
Expansion give_roll(const Call& call) {
    std::string_view rest = call.arguments[0];
    const auto number = [&rest](std::int64_t& to, std::int64_t most) {
        const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), to);
        if (read.ec != std::errc() || to < 0 || to > most) {
            return false;
        }
        rest.remove_prefix(static_cast<std::size_t>(read.ptr - rest.data()));
        return true;
    };
    constexpr std::int64_t kDiceMax = 1000;
    constexpr std::int64_t kSidesMax = 1'000'000'000;
    std::int64_t count = 1;
    std::int64_t sides = 0;
    std::int64_t more = 0;
    const bool counted = !rest.empty() && rest[0] != 'd' && rest[0] != 'D';
    if (counted && !number(count, kSidesMax)) {
        return std::nullopt;
    }
    if (rest.starts_with('d') || rest.starts_with('D')) {
        rest.remove_prefix(1);
        if (!number(sides, kSidesMax)) {
            return std::nullopt;
        }
    } else {
        sides = std::exchange(count, 1);
    }
    if (rest.starts_with('+') || rest.starts_with('-')) {
        const bool minus = rest[0] == '-';
        rest.remove_prefix(1);
        if (!number(more, kSidesMax)) {
            return std::nullopt;
        }
        more = minus ? -more : more;
    }
    if (!rest.empty() || count < 1 || count > kDiceMax || sides < 1) {
        return std::nullopt;
    }
    std::int64_t sum = more;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint64_t thrown =
            mixed(mixed(call.world.seed, call.place), static_cast<std::uint64_t>(i) + 1);
        sum += 1 + static_cast<std::int64_t>(thrown % static_cast<std::uint64_t>(sides));
    }
    return std::to_string(sum);
}

// Sorted by name.
constexpr auto kRows = std::to_array<MacroRow>({
    {"//", 0, 1, true, false, give_nothing},
    {"addglobalvar", 2, 2, false, false, add_variable, true},
    {"addvar", 2, 2, false, false, add_variable},
    {"banned", 0, 1, true, false, give_nothing},
    {"bot", 0, 0, true, false, give_character},
    {"char", 0, 0, true, false, give_character},
    {"charfirstmessage", 0, 0, true, true, give_first},
    {"charinstruction", 0, 0, true, true, give_instruction},
    {"charprompt", 0, 0, true, true, give_char_prompt},
    {"comment", 0, 1, true, false, give_nothing},
    {"currentswipeid", 0, 0, false, false, give_swipe},
    {"decglobalvar", 1, 1, false, false, decrease_variable, true},
    {"decvar", 1, 1, false, false, decrease_variable},
    {"deleteglobalvar", 1, 1, false, false, delete_variable, true},
    {"deletevar", 1, 1, false, false, delete_variable},
    {"description", 0, 0, true, true, give_description},
    {"flushglobalvar", 1, 1, false, false, delete_variable, true},
    {"flushvar", 1, 1, false, false, delete_variable},
    {"format_character_variable", 1, 1, false, false, give_format},
    {"format_chat_variable", 1, 1, false, false, give_format},
    {"format_global_variable", 1, 1, false, false, give_format},
    {"format_message_variable", 1, 1, false, false, give_format},
    {"format_preset_variable", 1, 1, false, false, give_format},
    {"get", 1, 1, false, false, give_get},
    {"get_character_variable", 1, 1, false, false, give_get},
    {"get_chat_variable", 1, 1, false, false, give_get},
    {"get_global_variable", 1, 1, false, false, give_get},
    {"get_message_variable", 1, 1, false, false, give_get},
    {"get_preset_variable", 1, 1, false, false, give_get},
    {"getglobalvar", 1, 1, false, false, give_variable, true},
    {"getvar", 1, 1, false, false, give_variable},
    {"globalvarexists", 1, 1, false, false, has_variable, true},
    {"group", 0, 0, true, false, give_group},
    {"hasextension", 1, 1, true, false, give_false},
    {"hasglobalvar", 1, 1, false, false, has_variable, true},
    {"hasvar", 1, 1, false, false, has_variable},
    {"hidden_key", 0, 1, true, false, give_nothing},
    {"incglobalvar", 1, 1, false, false, increase_variable, true},
    {"incvar", 1, 1, false, false, increase_variable},
    {"input", 0, 0, false, false, give_input},
    {"lastcharmessage", 0, 0, false, false, give_last_character},
    {"lastgenerationtype", 0, 0, false, false, give_generation},
    {"lastmessage", 0, 0, false, false, give_last},
    {"lastmessageid", 0, 0, false, false, give_last_id},
    {"lastusermessage", 0, 0, false, false, give_last_user},
    {"maxprompt", 0, 0, true, false, give_context},
    {"mesexamples", 0, 0, true, true, give_examples},
    {"model", 0, 0, true, false, give_model},
    {"newline", 0, 1, true, false, give_line},
    {"noop", 0, 0, true, false, give_nothing},
    {"original", 0, 0, true, true, give_original},
    {"outlet", 1, 1, false, false, give_outlet},
    {"persona", 0, 0, true, true, give_persona},
    {"personality", 0, 0, true, true, give_personality},
    {"pick", 1, kMany, true, false, give_pick},
    {"random", 1, kMany, false, false, give_random},
    {"reverse", 1, 1, true, false, give_reverse},
    {"roll", 1, 1, false, false, give_roll},
    {"scenario", 0, 0, true, true, give_scenario},
    {"setglobalvar", 2, 2, false, false, set_variable, true},
    {"setvar", 2, 2, false, false, set_variable},
    {"space", 0, 0, true, false, give_space},
    {"user", 0, 0, true, false, give_user},
    {"varexists", 1, 1, false, false, has_variable},
});
static_assert(std::ranges::is_sorted(kRows, {}, &MacroRow::name));

}  // namespace

const MacroRow* find_macro(std::string_view small_name) {
    const auto found = std::ranges::lower_bound(kRows, small_name, {}, &MacroRow::name);
    if (found != kRows.end() && found->name == small_name) {
        return &*found;
    }
    const auto timed = std::ranges::find(time_rows(), small_name, &MacroRow::name);
    return timed == time_rows().end() ? nullptr : &*timed;
}

std::uint64_t mixed(std::uint64_t seed, std::uint64_t place) noexcept {
    // Two rounds of a 64-bit mixer: neighbouring inputs give unrelated outputs.
    std::uint64_t z = seed + 0x9E3779B97F4A7C15ULL * (place + 1);
    for (int round = 0; round < 2; ++round) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        z ^= z >> 31;
    }
    return z;
}

std::uint64_t number_of_text(std::string_view text, std::uint64_t seed) noexcept {
    std::uint64_t sum = seed + text.size();
    for (const char c : text) {
        sum = (sum ^ static_cast<std::uint8_t>(c)) * 0x100000001B3ULL;
    }
    return mixed(sum, text.size());
}

}  // namespace arbiter::prompt::internal
