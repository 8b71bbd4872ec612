#include "turn/rules.h"

#include <algorithm>

#include "calendar/shipped.h"
#include "table/layout.h"
#include "table/summary.h"
#include "writer/teach.h"

namespace arbiter::turn {

using base::Result;
using value::Value;

namespace {

std::shared_ptr<const conflict::Lexicon> own_words(const protocol::Resolved& protocols) {
    std::shared_ptr<conflict::Lexicon> words;
    for (const protocol::Resolved::Active& each : protocols.active) {
        if (const Value* own = value::find_member(&each.protocol->written, "lexicon")) {
            if (words == nullptr) {
                words = std::make_shared<conflict::Lexicon>(conflict::shipped_lexicon());
            }
            words->add(*own);
        }
    }
    return words;
}

}  // namespace

protocol::ActivationPolicy activation_policy(const profile::Profile& profile) noexcept {
    return {profile.protocols.keywords, profile.protocols.model_tags,
            profile.protocols.model_keywords};
}

std::optional<rules::Clock> clock_of(const Books& books) {
    for (const auto& book : books) {
        if (book->clock) {
            return book->clock;
        }
    }
    return std::nullopt;
}

const prompt::Plan* Rules::plan_of(const table::DialogType& dialog) const {
    const std::vector<table::DialogType>& types = registries->dialogs.all();
    const auto found = std::ranges::find_if(types, [&](const table::DialogType& each) {
        return each.id == dialog.id && each.prompt.is_identical(dialog.prompt);
    });
    const auto place = static_cast<std::size_t>(found - types.begin());
    return place < plans.size() ? &plans[place] : nullptr;
}

reader::Options Rules::reading(engine::Actor actor) const {
    reader::Options options = profile::reading(profile, actor);
    options.show_thinking = shows_thinking;
    if (actor != engine::Actor::kModel) {
        return options;
    }
    options.hints.push_back({std::string(table::kSummaryTag), reader::TagMeaning::kComponent});
    options.hints.insert(options.hints.end(), protocols.hints.begin(), protocols.hints.end());
    if (has_table) {
        options.dialects.add(proposal::Dialect::kTool);
    }
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
    if (made.policy.warns_placeholders) {
        // The names of the lessons are examples too.
        const auto names = writer::example_names();
        made.policy.example_names.insert(made.policy.example_names.end(), names.begin(),
                                         names.end());
    }
    made.books = std::move(base.books);
    made.books.insert(made.books.end(), protocols.constraints.begin(), protocols.constraints.end());
    made.own_words = own_words(protocols);
    made.protocols = std::move(protocols);
    made.registries = std::move(base.registries);
    made.globals = std::move(base.globals);
    made.shows_thinking = base.shows_thinking;
    made.authority = *std::move(rows);
    made.has_table = table::has_campaign(document);
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
    made.policy.index = engine::PolicyIndex::of(made.policy);
    for (const table::DialogType& each : made.registries->dialogs.all()) {
        made.plans.push_back(prompt::plan_of(each));
    }
    made.model_reading = reader::prepare(made.reading(engine::Actor::kModel));
    if (reader::Options player = made.reading(engine::Actor::kPlayer); !player.dialects.empty()) {
        made.player_reading = reader::prepare(std::move(player));
    }
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
    const bool is_shared = shelf_ != nullptr && protocol::active_requests(state.meta).empty();
    const RulesKey key{base_->globals, authority, has_campaign, language_};
    made_ = is_shared ? shelf_->rules(key) : nullptr;
    if (made_ == nullptr) {
        auto made = make_rules(*base_, library, state, language_);
        if (!made) {
            return std::unexpected(std::move(made).error());
        }
        made_ = std::make_shared<const Rules>(*std::move(made));
        if (is_shared) {
            shelf_->add(key, made_);
        }
    }
    protocols_ = protocols;
    authority_ = authority;
    has_campaign_ = has_campaign;
    return made_;
}

namespace {

// A table whose document holds nothing else is changed by tools alone.
bool has_only_table(const Value& document) {
    return table::has_campaign(document) && document.as_object().size() == 1;
}

// A card without variables, under the default profile: it is a story without
// state.
bool keeps_no_state(const Rules& rules, const Value& document, bool has_card) {
    return has_card && rules.profile.name == "auto" && document.is_object() &&
           document.as_object().empty();
}

// The default profile reads every dialect and teaches one of them; a protocol that teaches another
// one takes its place, since two ways of writing the same confuse a model.
bool is_taught_otherwise(const Rules& rules) {
    if (rules.profile.name != "auto") {
        return false;
    }
    for (const protocol::Resolved::Active& each : rules.protocols.active) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(proposal::Dialect::kCount); ++i) {
            const auto dialect = static_cast<proposal::Dialect>(i);
            if (dialect != proposal::Dialect::kTool && protocol::teaches(*each.protocol, dialect)) {
                return true;
            }
        }
    }
    return false;
}

// The forms to teach, those of active protocols included. Texts are not filled in.
std::vector<protocol::Lesson> forms_to_teach(const Rules& rules, const Value& document,
                                             bool has_card) {
    std::vector<protocol::Lesson> forms;
    for (const protocol::Resolved::Active& each : rules.protocols.active) {
        if (each.protocol->teach) {
            forms.push_back({*each.protocol->teach, {}, 0, true});
        }
    }
    if ((rules.profile.of_model.has(proposal::Dialect::kTool) && has_only_table(document)) ||
        keeps_no_state(rules, document, has_card) || is_taught_otherwise(rules)) {
        return forms;
    }
    const reader::Dialects taught = profile::taught_dialects(rules.profile, has_card);
    for (std::size_t i = 0; i < static_cast<std::size_t>(proposal::Dialect::kCount); ++i) {
        const auto dialect = static_cast<proposal::Dialect>(i);
        const auto form = protocol::taught_form(dialect);
        const bool is_taught = std::ranges::any_of(
            rules.protocols.active, [&](const protocol::Resolved::Active& each) {
                return protocol::teaches(*each.protocol, dialect);
            });
        if (taught.has(dialect) && form && !is_taught) {
            forms.push_back({*form, {}, 0, false});
        }
    }
    return forms;
}

}  // namespace

const std::vector<protocol::Lesson>& RulesCache::lessons(const Rules& rules, const Value& document,
                                                         bool has_card, base::Language language) {
    const bool is_same = &rules == taught_.rules.get() && taught_.document.is_identical(document) &&
                         taught_.has_card == has_card && taught_.language == language;
    if (is_same) {
        return lessons_->all;
    }
    taught_ = {&rules == made_.get() ? made_ : nullptr, document, has_card, language};
    std::vector<protocol::Lesson> forms = forms_to_teach(rules, document, has_card);
    protocol::LessonFacts facts;
    if (!forms.empty()) {
        facts = protocol::lesson_facts(rules.books, document);
    }
    if (lessons_->fits(facts, language, forms)) {
        return lessons_->all;
    }
    auto shared = shelf_ != nullptr ? shelf_->lessons(facts, language, forms) : nullptr;
    if (shared != nullptr) {
        lessons_ = std::move(shared);
        return lessons_->all;
    }
    auto made = std::make_shared<Lessons>(Lessons{std::move(facts), language, std::move(forms)});
    for (protocol::Lesson& each : made->all) {
        each.text = protocol::lesson(each.form, made->facts, language);
        each.standard_bytes = writer::teach(each.form, language).size();
    }
    lessons_ = std::move(made);
    if (shelf_ != nullptr) {
        shelf_->add(lessons_);
    }
    return lessons_->all;
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

void RulesCache::reset(std::shared_ptr<const BaseRules> base, std::shared_ptr<RulesShelf> shelf) {
    base_ = std::move(base);
    shelf_ = std::move(shelf);
    made_.reset();
}

}  // namespace arbiter::turn
