#include "turn/rules.h"

#include "calendar/shipped.h"
#include "protocol/activation.h"
#include "table/layout.h"
#include "table/summary.h"

namespace arbiter::turn {

using base::Result;
using value::Value;

std::optional<rules::Clock> clock_of(const Books& books) {
    for (const auto& book : books) {
        if (book->clock) {
            return book->clock;
        }
    }
    return std::nullopt;
}

reader::Options Rules::reading(engine::Actor actor) const {
    reader::Options options = profile::reading(profile, actor);
    options.show_thinking = shows_thinking;
    if (actor != engine::Actor::kModel) {
        return options;
    }
    options.hints.push_back({std::string(table::kSummaryTag), reader::TagMeaning::kComponent});
    options.hints.insert(options.hints.end(), protocols.hints.begin(), protocols.hints.end());
    for (std::size_t i = 0; i < static_cast<std::size_t>(proposal::Dialect::kCount); ++i) {
        const auto dialect = static_cast<proposal::Dialect>(i);
        if (protocols.dialects.has(dialect)) {
            options.dialects.add(dialect);
        }
    }
    return options;
}

Result<Rules> make_rules(BaseRules base, protocol::Resolved protocols, const Value& document) {
    auto rows = table::rows_of(document);
    if (!rows) {
        return std::unexpected(std::move(rows).error());
    }
    Rules made;
    made.policy = base.profile.policy;
    made.profile = std::move(base.profile);
    made.books = std::move(base.books);
    made.books.insert(made.books.end(), protocols.constraints.begin(), protocols.constraints.end());
    made.protocols = std::move(protocols);
    made.registries = std::move(base.registries);
    made.globals = std::move(base.globals);
    made.shows_thinking = base.shows_thinking;
    made.authority = *std::move(rows);
    made.calendars = &calendar::default_calendars();
    for (const auto& book : made.books) {
        book->add_to(made.policy);
        if (book->calendars != nullptr) {
            made.calendars = book->calendars.get();
        }
    }
    const bool has_clock = !made.policy.clock.empty() && !made.policy.timeline.empty();
    made.clock = has_clock ? made.policy.clock : value::Path{"时间", "当前"};
    made.timeline = has_clock ? made.policy.timeline : value::Path{"时间", "时间轴"};
    table::protect_authoritative_paths(made.policy, made.authority, document);
    return made;
}

Result<Rules> make_rules(BaseRules base, const protocol::Library& library,
                         const engine::State& state, base::Language language) {
    protocol::ResolveOptions options;
    options.language = language;
    options.clock = clock_of(base.books);
    protocol::Resolved resolved = library.resolve(protocol::active_requests(state.meta), options);
    return make_rules(std::move(base), std::move(resolved), state.document);
}

Result<std::shared_ptr<const Rules>> RulesCache::for_state(const engine::State& state,
                                                           const protocol::Library& library) {
    const Value* active = state.meta.find(protocol::kProtocolsKey);
    const Value protocols = active != nullptr ? *active : Value();
    const Value* rows = table::find_in_campaign(state.document, {"authority"});
    const Value authority = rows != nullptr ? *rows : Value();
    const bool has_campaign = table::has_campaign(state.document);
    if (made_ && protocols == protocols_ && authority == authority_ &&
        has_campaign == has_campaign_) {
        return made_;
    }
    auto made = make_rules(base_, library, state, language_);
    if (!made) {
        return std::unexpected(std::move(made).error());
    }
    made_ = std::make_shared<const Rules>(*std::move(made));
    protocols_ = protocols;
    authority_ = authority;
    has_campaign_ = has_campaign;
    return made_;
}

const OfferedTools& RulesCache::offered_tools(const Rules& rules, const Value& document,
                                              const table::DialogType& dialog,
                                              base::Language language) {
    std::vector<const table::Tool*> tools = table::advertised(rules.registries->tools, document);
    std::erase_if(tools, [&](const table::Tool* tool) { return !dialog.offers(tool->name); });
    if (registries_ == rules.registries && tools_ == tools && tools_language_ == language) {
        return offered_;
    }
    registries_ = rules.registries;
    tools_ = std::move(tools);
    tools_language_ = language;
    offered_ = {};
    if (!tools_.empty()) {
        offered_.document = table::agent_document(tools_, language);
    }
    for (const table::Tool* tool : tools_) {
        offered_.schemas.push_back(table::schema_of(*tool, language));
    }
    return offered_;
}

void RulesCache::reset(BaseRules base) {
    base_ = std::move(base);
    made_.reset();
}

}  // namespace arbiter::turn
