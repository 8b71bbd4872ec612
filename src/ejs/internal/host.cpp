#include "ejs/internal/host.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ejs/internal/convert.h"
#include "ejs/internal/lodash.h"
#include "ejs/internal/machine.h"
#include "ejs/internal/methods.h"
#include "ejs/internal/patterns.h"
#include "value/object.h"

namespace arbiter::ejs::internal {
namespace {

using Role = ChatMessage::Role;

// ---- variables

Datum document_of(Machine& machine) {
    const value::Value* document = machine.environment().document;
    return document != nullptr && document->is_object() ? Datum::of(*document)
                                                        : Datum(machine.heap().record());
}

// getvar(path, {defaults}). The scopes of SillyTavern are one document here, and behind it the
// variables of macros.
Datum getvar(Machine& machine, Arguments arguments) {
    const Datum path = argument(arguments, 0);
    const Datum options = argument(arguments, 1);
    if (options.is_record() && !field_of(options, "index").is_nullish()) {
        return machine.fail(Fault::kUnsupported, "getvar(…, {index})");
    }
    const Datum root = document_of(machine);
    if (path.is_nullish()) {
        return root;
    }
    const Datum found = value_at(machine, root, path);
    if (!found.is_undefined()) {
        return found;
    }
    if (path.is_text() && machine.environment().variable) {
        if (auto text = machine.environment().variable(path.text())) {
            return machine.text(*std::move(text));
        }
    }
    return options.is_record() ? field_of(options, "defaults") : Datum();
}

Datum get_variables(Machine& machine, Arguments) {
    return document_of(machine);
}

// define(name, value): for this template and those after it.
Datum define(Machine& machine, Arguments arguments) {
    value::Object* defined = machine.environment().defined;
    const Datum value = argument(arguments, 1);
    if (defined == nullptr || value.is_callable()) {
        return machine.fail(Fault::kUnsupported, "define");
    }
    // Names are few; a template that makes many is bounded by its steps.
    if (machine.spend(64)) {
        machine.keep(*defined);
        *defined = defined->set(value::Str(to_text(argument(arguments, 0))), to_value(value));
    }
    return {};
}

// ---- lore and card

// getwi(title, data?), getwi(book, title, data?)
Datum getwi(Machine& machine, Arguments arguments) {
    if (!machine.environment().entry) {
        return machine.fail(Fault::kUnsupported, "getwi");
    }
    const Datum second = argument(arguments, 1);
    const bool has_book = !second.is_undefined() && !second.is_record();
    const Datum title = has_book ? second : argument(arguments, 0);
    const Datum book = has_book ? argument(arguments, 0) : Datum();
    if (title.is(Datum::Kind::kPattern)) {
        return machine.fail(Fault::kUnsupported, "getwi(" + to_text(title) + ")");
    }
    if (!machine.spend(256)) {
        return {};
    }
    auto text = machine.environment().entry(book.is_nullish() ? "" : to_text(book), to_text(title));
    return text ? machine.render_entry(*std::move(text), argument(arguments, has_book ? 2 : 1))
                : Datum(std::string_view());
}

Datum print(Machine& machine, Arguments arguments) {
    for (const Datum& each : arguments) {
        machine.print(each);
    }
    return {};
}

// ---- the chat

std::optional<Role> role_of(const Datum& datum) {
    if (!datum.is_text()) {
        return std::nullopt;
    }
    const std::string_view word = datum.text();
    return word == "user" ? Role::kUser : word == "system" ? Role::kSystem : Role::kAssistant;
}

// Messages [from, to) of one role, oldest first; negative numbers count from the end.
std::vector<Datum> messages(Machine& machine, double from, double to, std::optional<Role> role) {
    const auto count = static_cast<double>(machine.environment().message_count);
    const auto place = [count](double at) {
        return std::clamp(at < 0 ? count + at : at, 0.0, count);
    };
    std::vector<Datum> found;
    for (auto i = static_cast<std::size_t>(place(from));
         i < static_cast<std::size_t>(place(to)) && machine.spend(1); ++i) {
        const ChatMessage said = machine.environment().message(i);
        if (!role || said.role == *role) {
            found.emplace_back(said.text);
        }
    }
    return found;
}

Datum get_chat_message(Machine& machine, Arguments arguments) {
    const auto role = role_of(argument(arguments, 1));
    const std::vector<Datum> all =
        messages(machine, 0, static_cast<double>(machine.environment().message_count), role);
    double at = to_number(argument(arguments, 0));
    at += at < 0 ? static_cast<double>(all.size()) : 0;
    return at >= 0 && at < static_cast<double>(all.size()) ? all[static_cast<std::size_t>(at)]
                                                           : Datum(std::string_view());
}

// getChatMessages(count, role?), getChatMessages(from, to, role?)
Datum get_chat_messages(Machine& machine, Arguments arguments) {
    const auto size = static_cast<double>(machine.environment().message_count);
    if (arguments.size() > 1 && arguments[1].is_number()) {
        return machine.list(messages(machine, to_number(arguments[0]), to_number(arguments[1]),
                                     role_of(argument(arguments, 2))));
    }
    const double count = arguments.empty() ? size : to_number(arguments[0]);
    std::vector<Datum> all = messages(machine, 0, size, role_of(argument(arguments, 1)));
    const auto kept = static_cast<std::ptrdiff_t>(
        std::min(std::isnan(count) ? 0 : std::abs(count), static_cast<double>(all.size())));
    // A negative number takes the last ones.
    all = count < 0 ? std::vector<Datum>(all.end() - kept, all.end())
                    : std::vector<Datum>(all.begin(), all.begin() + kept);
    return machine.list(std::move(all));
}

bool stands_in(Machine& machine, const Datum& wanted, const std::vector<Datum>& texts) {
    return std::ranges::any_of(texts, [&](const Datum& text) {
        if (!machine.spend(1 + text.text().size() / 64)) {
            return false;
        }
        return wanted.is(Datum::Kind::kPattern)
                   ? is_match(machine, wanted, text.text())
                   : text.text().find(to_text(wanted)) != std::string_view::npos;
    });
}

// matchChatMessages(text | pattern | list, {start = -2, end, role, and})
Datum match_chat_messages(Machine& machine, Arguments arguments) {
    const Datum options = argument(arguments, 1);
    const auto option = [&](std::string_view name) {
        return options.is_record() ? field_of(options, name) : Datum();
    };
    const Datum start = option("start");
    const Datum end = option("end");
    const std::vector<Datum> texts =
        messages(machine, start.is_nullish() ? -2 : to_number(start),
                 end.is_nullish() ? static_cast<double>(machine.environment().message_count)
                                  : to_number(end),
                 role_of(option("role")));
    const Datum wanted = argument(arguments, 0);
    const std::vector<Datum> list =
        wanted.is_list() ? machine.elements(wanted) : std::vector<Datum>{wanted};
    const auto is_there = [&](const Datum& each) { return stands_in(machine, each, texts); };
    return is_true(option("and")) ? std::ranges::all_of(list, is_there)
                                  : std::ranges::any_of(list, is_there);
}

constexpr auto kFunctions = std::to_array<Builtin>({
    {"getvar", getvar},
    {"getVariable", getvar},
    {"getLocalVar", getvar},
    {"getGlobalVar", getvar},
    {"getMessageVar", getvar},
    {"getVariables", get_variables},
    {"getAllVariables", get_variables},
    {"define", define},
    {"getwi", getwi},
    {"getWorldInfo", getwi},
    {"print", print},
    {"getChatMessage", get_chat_message},
    {"getChatMessages", get_chat_messages},
    {"matchChatMessages", match_chat_messages},
});

// Names that exist only while a message is shown.
constexpr auto kUndefinedNames = std::to_array<std::string_view>(
    {"message_id", "swipe_id", "name", "is_last", "is_user", "is_system", "world_info",
     "charLoreBook", "userLoreBook", "chatLoreBook"});

// The newest message of a role: its text and its index.
struct Newest {
    std::string_view text;
    double index = -1;
};
Newest newest(Machine& machine, Role role) {
    for (std::size_t i = machine.environment().message_count; i > 0 && machine.spend(1); --i) {
        const ChatMessage said = machine.environment().message(i - 1);
        if (said.role == role) {
            return {said.text, static_cast<double>(i - 1)};
        }
    }
    return {};
}

}  // namespace

std::span<const Builtin> host_functions() noexcept {
    return kFunctions;
}

std::optional<Datum> host_name(Machine& machine, std::string_view name) {
    const Environment& environment = machine.environment();
    if (environment.defined != nullptr) {
        if (const value::Value* found = environment.defined->find(name)) {
            return Datum::of(*found);
        }
    }
    if (name == "variables" || name == "all_variables") {
        return document_of(machine);
    }
    if (name == "stat_data" && environment.document != nullptr) {
        const value::Value* found = value::find_member(environment.document, name);
        return found != nullptr ? std::optional(Datum::of(*found)) : std::nullopt;
    }
    if (name == "userName") {
        return environment.user;
    }
    if (name == "charName" || name == "assistantName") {
        return environment.character;
    }
    if (name == "model") {
        return environment.model;
    }
    if (name == "runType") {
        return std::string_view("generate");
    }
    if (name == "generateType") {
        return environment.generation;
    }
    if (name == "isDryRun") {
        return false;
    }
    if (name == "lastMessageId") {
        return static_cast<double>(environment.message_count) - 1;
    }
    if (name == "lastUserMessage" || name == "lastUserMessageId") {
        const Newest said = newest(machine, Role::kUser);
        return name.ends_with("Id") ? Datum(said.index) : Datum(said.text);
    }
    if (name == "lastCharMessage" || name == "lastCharMessageId") {
        const Newest said = newest(machine, Role::kAssistant);
        return name.ends_with("Id") ? Datum(said.index) : Datum(said.text);
    }
    if (std::ranges::find(kUndefinedNames, name) != kUndefinedNames.end()) {
        return Datum();
    }
    return std::nullopt;
}

}  // namespace arbiter::ejs::internal
