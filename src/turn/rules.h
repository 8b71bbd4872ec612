// Rules: everything that a turn is read and judged under: the profile, the rulebooks, the active
// protocols and the table's own rules, compiled into one engine policy. Immutable once made; safe
// to share between threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/messages.h"
#include "conflict/lexicon.h"
#include "conflict/name_cache.h"
#include "engine/engine.h"
#include "profile/profile.h"
#include "prompt/plan.h"
#include "protocol/activation.h"
#include "protocol/lesson.h"
#include "protocol/library.h"
#include "rules/react.h"
#include "rules/rulebook.h"
#include "table/authority.h"
#include "table/registries.h"
#include "turn/rules_shelf.h"
#include "value/object.h"
#include "value/path.h"

namespace arbiter::turn {

using Books = std::vector<std::shared_ptr<const rules::Rulebook>>;

// The part of the rules that does not depend on the state: chosen when a campaign is created.
struct BaseRules {
    profile::Profile profile;
    Books books;
    std::shared_ptr<const table::Registries> registries = table::shipped_registries();
    value::Object globals = {};   // settings of all campaigns of a store
    bool shows_thinking = false;  // thinking is part of the visible text
};

struct Rules {
    profile::Profile profile;
    Books books;            // of the profile, then of the protocols
    engine::Policy policy;  // the profile's, with the books and the table's protected paths
    protocol::Resolved protocols;
    std::shared_ptr<const table::Registries> registries;
    std::vector<table::AuthorityRow> authority;
    value::Object globals;
    bool shows_thinking = false;
    bool has_table = false;  // tools are taught, so their calls are read
    const calendar::Calendars* calendars = nullptr;
    value::Path clock;  // the date that time_advance sets
    value::Path timeline;
    // Of the conflict check: the shipped words with those of the protocols. Null if these have
    // none.
    std::shared_ptr<const conflict::Lexicon> own_words;

    // Of the registered dialog types, in their order; set by make_rules().
    std::vector<prompt::Plan> plans;
    // Of reading(); set by make_rules(). Players whose text is not read have none.
    std::shared_ptr<const reader::PreparedOptions> model_reading;
    std::shared_ptr<const reader::PreparedOptions> player_reading;

    [[nodiscard]] const conflict::Lexicon& words() const {
        return own_words != nullptr ? *own_words : conflict::shipped_lexicon();
    }
    // How the text of an actor is read. Tags and dialects of protocols apply to the model only.
    [[nodiscard]] reader::Options reading(engine::Actor actor) const;
    // The plan of a dialog type; nullptr: it is not a registered one.
    [[nodiscard]] const prompt::Plan* plan_of(const table::DialogType& dialog) const;
    // The settings in effect for a state under these rules.
    [[nodiscard]] value::Object settings(const engine::State& state) const {
        return table::effective_settings(state, *registries, globals);
    }
};

// Fails with kAuthorityRow if the document's own authority rows are malformed.
base::Result<Rules> make_rules(BaseRules base, protocol::Resolved protocols,
                               const value::Value& document);
// Resolves the protocols that are active in the state's metadata.
base::Result<Rules> make_rules(BaseRules base, const protocol::Library& library,
                               const engine::State& state, base::Language language);

// The switches of protocols that a profile allows.
protocol::ActivationPolicy activation_policy(const profile::Profile& profile) noexcept;

// The world's date, for protocols that limit a value per day.
std::optional<rules::Clock> clock_of(const Books& books);

// The tools that a prompt offers, described for the model.
struct OfferedTools {
    std::string document;  // empty: no tools
    std::vector<table::ToolSchema> schemas;
};

// Rules for the states of one campaign: made anew only if the active protocols or the authority
// rows differ from those of the call before; with other things that a turn reuses. Not thread-safe.
class RulesCache {
  public:
    RulesCache(BaseRules base, base::Language language)
        : RulesCache(std::make_shared<const BaseRules>(std::move(base)), language, nullptr) {}
    // `shelf`: of the same base rules but for their globals; nullptr: none.
    RulesCache(std::shared_ptr<const BaseRules> base, base::Language language,
               std::shared_ptr<RulesShelf> shelf)
        : base_(std::move(base)), language_(language), shelf_(std::move(shelf)) {}

    base::Result<std::shared_ptr<const Rules>> for_state(const engine::State& state,
                                                         const protocol::Library& library);
    // The lessons of the prompt of a document. Valid until the next call.
    const std::vector<protocol::Lesson>& lessons(const Rules& rules, const value::Value& document,
                                                 bool has_card, base::Language language);
    // The tools that the campaign allows and the dialog type offers. Valid until the next call;
    // made anew only if the tools or the language differ from it.
    const OfferedTools& offered_tools(const Rules& rules, const value::Value& document,
                                      const table::DialogType& dialog, base::Language language);
    // The names of the campaign's state, for the conflict check.
    [[nodiscard]] conflict::NameCache& names() noexcept { return names_; }
    [[nodiscard]] const BaseRules& base() const noexcept { return *base_; }
    // Replaces the base rules and their shelf; rules handed out before stay valid.
    void reset(std::shared_ptr<const BaseRules> base, std::shared_ptr<RulesShelf> shelf);
    // Drops what was made, because the protocol library has changed.
    void clear() noexcept { made_.reset(); }

  private:
    std::shared_ptr<const BaseRules> base_;
    base::Language language_;
    std::shared_ptr<RulesShelf> shelf_;
    std::shared_ptr<const Rules> made_;
    value::Value protocols_;
    value::Value authority_;
    bool has_campaign_ = false;

    std::shared_ptr<const Lessons> lessons_ = std::make_shared<const Lessons>();
    // The inputs of lessons_. No rules: unknown.
    struct LessonInputs {
        std::shared_ptr<const Rules> rules = nullptr;
        value::Value document = {};
        bool has_card = false;
        base::Language language = base::Language::kEnglish;
    };
    LessonInputs taught_;

    // Of offered_tools(). The registries own the tools.
    std::shared_ptr<const table::Registries> registries_;
    std::vector<const table::Tool*> tools_;
    base::Language tools_language_ = base::Language::kEnglish;
    OfferedTools offered_;

    conflict::NameCache names_;
};

}  // namespace arbiter::turn
