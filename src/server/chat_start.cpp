#include "server/chat_start.h"

#include "campaign/start.h"
#include "card/card_text.h"
#include "card/parse.h"
#include "value/array.h"

namespace arbiter::server {

using base::Result;
using prompt::Message;
using prompt::Role;
using value::Array;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kTag = "[initvar]";

// The variables that a message defines: in <initvar> elements, or behind the tag to its end.
std::vector<std::string> initvars_in(std::string_view text) {
    std::vector<std::string> found;
    for (const std::string_view each : card::split_initvars(text).initvars) {
        found.emplace_back(each);
    }
    const std::size_t tag = card::find_ignoring_case(text, kTag);
    if (found.empty() && tag != std::string_view::npos) {
        found.emplace_back(card::trimmed(text.substr(tag + kTag.size())));
    }
    return found;
}

// The first reply, if it is before the player's first words.
std::string greeting_in(const std::vector<Message>& messages) {
    for (const Message& each : messages) {
        if (each.role == Role::kUser) {
            return {};
        }
        if (each.role == Role::kAssistant) {
            return std::string(each.content.view());
        }
    }
    return {};
}

Object card_of(const std::vector<Message>& messages, bool has_variables) {
    Array entries;
    for (const Message& each : messages) {
        if (each.role == Role::kAssistant || !has_variables) {
            continue;
        }
        for (const std::string& text : initvars_in(each.content)) {
            entries = std::move(entries).push_back(Object{{"comment", kTag},
                                                          {"keys", Array()},
                                                          {"content", std::string_view(text)},
                                                          {"enabled", false},
                                                          {"insertion_order", 100},
                                                          {"extensions", Object()}});
        }
    }
    Object data{{"name", "Chat"},
                {"description", std::string_view(leading_system_text(messages))},
                {"personality", ""},
                {"scenario", ""},
                {"first_mes", std::string_view(greeting_in(messages))},
                {"mes_example", ""}};
    if (!entries.empty()) {
        data = std::move(data).set(
            "character_book",
            Object{{"name", "Chat"}, {"extensions", Object()}, {"entries", entries}});
    }
    return {{"spec", "chara_card_v2"}, {"spec_version", "2.0"}, {"data", std::move(data)}};
}

Result<std::string> start(ledger::Store& store, const campaign::SessionOptions& options,
                          const Object& written, engine::Instant now) {
    auto card = card::card_from(Value(written), card::Card::Form::kJson);
    if (!card) {
        return std::unexpected(std::move(card).error().error);
    }
    campaign::CampaignPlan plan;
    plan.card = *std::move(card);
    plan.now = now;
    auto prepared = campaign::CampaignStart::prepare(std::move(plan));
    if (!prepared) {
        return std::unexpected(prepared.error().errors[0]);
    }
    std::vector<base::Error> warnings;
    auto begun = prepared->begin(store, options, warnings);
    return begun ? Result<std::string>(begun->session->campaign().row().id)
                 : std::unexpected(std::move(begun).error());
}

}  // namespace

std::string leading_system_text(const std::vector<Message>& messages) {
    std::string text;
    for (const Message& each : messages) {
        if (each.role != Role::kSystem) {
            break;
        }
        text += (text.empty() ? "" : "\n\n") + std::string(each.content.view());
    }
    return text;
}

Result<std::string> start_from_chat(ledger::Store& store, const campaign::SessionOptions& options,
                                    const std::vector<Message>& messages, engine::Instant now) {
    auto started = start(store, options, card_of(messages, true), now);
    return started ? started : start(store, options, card_of(messages, false), now);
}

}  // namespace arbiter::server
