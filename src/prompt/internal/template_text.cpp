#include "prompt/internal/template_text.h"

#include <utility>

#include "prompt/template_notes.h"

namespace arbiter::prompt::internal {
namespace {

ejs::ChatMessage::Role role_of(Role role) {
    switch (role) {
        case Role::kUser:
            return ejs::ChatMessage::Role::kUser;
        case Role::kAssistant:
            return ejs::ChatMessage::Role::kAssistant;
        case Role::kSystem:
        case Role::kTool:
            return ejs::ChatMessage::Role::kSystem;
    }
    return ejs::ChatMessage::Role::kSystem;
}

}  // namespace

std::expected<std::string, Why> render_template(std::string_view text, MacroWorld& world,
                                                const EntryText& entry_text) {
    ejs::Environment environment;
    environment.document = world.document;
    environment.character = world.character;
    environment.user = world.user;
    environment.model = world.model;
    environment.generation = world.generation;
    environment.message_count = world.history.size();
    environment.message = [&world](std::size_t index) {
        const Message& said = world.history[index];
        return ejs::ChatMessage{role_of(said.role), said.content.view()};
    };
    environment.variable = [&world](std::string_view name) -> std::optional<std::string> {
        for (const Variables* variables : {&world.local, &world.global}) {
            if (const auto found = variables->find(name); found != variables->end()) {
                return found->second;
            }
        }
        return std::nullopt;
    };
    if (world.entry) {
        environment.entry = [&](std::string_view book,
                                std::string_view title) -> std::optional<std::string> {
            const auto content = world.entry(book, title);
            return content ? std::optional(entry_text(*content, title)) : std::nullopt;
        };
    }
    environment.defined = &world.defined;
    environment.budget = &world.template_budget;
    auto rendered = ejs::render(text, environment);
    if (!rendered) {
        return std::unexpected(prompt::why_of(rendered.error()));
    }
    return *std::move(rendered);
}

}  // namespace arbiter::prompt::internal
