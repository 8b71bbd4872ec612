#include "cli/apply.h"

#include <algorithm>
#include <map>

#include "base/limits.h"
#include "campaign/attempt_json.h"
#include "cli/json_lines.h"
#include "cli/profiles.h"
#include "cli/replies.h"
#include "cli/verdicts.h"
#include "config/rulebooks.h"
#include "engine/describe.h"
#include "engine/engine.h"
#include "engine/initvar.h"
#include "engine/suggest.h"
#include "profile/keys.h"
#include "proposal/describe.h"
#include "proposal/operations.h"
#include "reader/reader.h"
#include "reader/told.h"
#include "turn/intake.h"
#include "turn/turn.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using engine::Actor;
using engine::Outcome;
using engine::Policy;
using engine::State;
using profile::Profile;
using proposal::Proposal;
using reader::Reading;
using value::Array;
using value::Object;
using value::Value;

constexpr engine::Instant kDefaultNow = 1'767'225'600'000;  // 2026-01-01T00:00:00Z

// Overrides a profile with the options of a case: policy keys, hybrid, mvu_schema and the groups of
// a profile.
std::expected<Profile, value::Diagnostics> with_options(const Profile& base,
                                                        const Object& options) {
    Object over;
    Object policy;
    for (const auto& [key, option] : options) {
        const auto in_group = [&](std::string_view group) {
            return std::ranges::any_of(profile::keys(), [&](const profile::Key& each) {
                return each.group == group && each.name == key;
            });
        };
        if (key == "hybrid") {
            const bool both = option.is_string() && option.as_string() == "both";
            over = std::move(over).set("hybrid", both ? "both" : "json");
        } else if (key == "mvu_schema" && option.is_string()) {
            policy = std::move(policy)
                         .set("locks_structure", option.as_string() == "init")
                         .set("locks_top", option.as_string() == "none");
        } else if (in_group("policy")) {
            policy = std::move(policy).set(key, option);
        } else if (key == "features" || key == "warnings" || key == "tags") {
            over = std::move(over).set(key, option);
        }
    }
    return profile::parse_profile(std::move(over).set("policy", std::move(policy)), base);
}

// A cache of loaded profiles.
class Profiles {
  public:
    struct Loaded {
        Profile profile;
        std::vector<config::Book> books;
    };
    const Loaded* find(std::string_view name) {
        auto known = loaded_.find(name);
        if (known == loaded_.end()) {
            known = loaded_.emplace(std::string(name), load(name)).first;
        }
        return known->second ? &*known->second : nullptr;
    }

  private:
    static std::optional<Loaded> load(std::string_view name) {
        auto profile = config::load_profile(name);
        auto books = profile ? std::optional(config::load_books(*profile)) : std::nullopt;
        if (!books || !*books) {
            return std::nullopt;
        }
        return Loaded{std::move(*profile), std::move(**books)};
    }

    std::map<std::string, std::optional<Loaded>, std::less<>> loaded_;
};

Actor actor_of(const Value* word) {
    const std::string_view text = word != nullptr && word->is_string() ? word->as_string() : "ai";
    return text == "user" ? Actor::kPlayer : text == "system" ? Actor::kSystem : Actor::kModel;
}

// Reads, judges and finishes a reply like a turn of a campaign.
base::Result<turn::Finished> play_reply(const State& state, std::string_view text,
                                        std::size_t chunk, const engine::Context& context,
                                        turn::RulesCache& cache, std::size_t number,
                                        rules::Memories* memories) {
    static const protocol::Library kNoProtocols;
    if (auto fits = turn::check_reply(text); !fits) {
        return std::unexpected(std::move(fits).error());
    }
    turn::Input input{state, {}, static_cast<std::int64_t>(number), context};
    const auto begun = turn::begin(input, cache, kNoProtocols);
    if (!begun) {
        return std::unexpected(begun.error());
    }
    turn::Ending ending;
    ending.library = &kNoProtocols;
    return turn::apply_reply(*begun,
                             read_in_pieces(text, begun->rules->reading(context.actor), chunk),
                             std::move(ending), base::Language::kEnglish, memories);
}

// Runs one case of the conformance format. Returns an error object for an invalid case.
Value run_case(const Value& line, Profiles& profiles, std::size_t chunk) {
    if (!line.is_object()) {
        return Object{{"error", "a case is a JSON object"}};
    }
    const Object& given = line.as_object();
    const auto member = [&](std::string_view key) { return given.find(key); };
    Object out;
    if (const Value* id = member("id")) {
        out = std::move(out).set("id", *id);
    }
    const Value* profile_word = member("profile");
    const Profiles::Loaded* base = profiles.find(
        profile_word != nullptr && profile_word->is_string() ? profile_word->as_string() : "auto");
    if (base == nullptr) {
        return std::move(out).set("error", "there is no such profile");
    }
    const Value* switches = member("options");
    const Object options =
        switches != nullptr && switches->is_object() ? switches->as_object() : Object();
    const auto profile = with_options(base->profile, options);
    if (!profile) {
        const std::string why = base::explain(profile.error()[0].error, base::Language::kEnglish);
        return std::move(out).set("error", std::string_view(why));
    }
    turn::RulesCache cache({*profile, base->books, config::built_in_registries()},
                           base::Language::kEnglish);
    const Policy& policy = profile->policy;
    State state;
    if (const Value* document = member("state")) {
        state = policy.locks_structure ? engine::take_structure(*document) : State{*document, {}};
    }
    const auto instant = [](const Value* text, engine::Instant otherwise) {
        const auto parsed = text != nullptr && text->is_string()
                                ? engine::parse_instant(text->as_string())
                                : std::nullopt;
        return parsed.value_or(otherwise);
    };
    engine::Context context;
    context.now = instant(member("now"), kDefaultNow);
    Array turns;
    rules::Memories memories;
    const Value* messages = member("messages");
    std::size_t number = 0;
    for (const Value& message :
         messages != nullptr && messages->is_array() ? messages->as_array() : Array()) {
        std::string_view text;
        const Value* actor = nullptr;
        if (message.is_string()) {
            text = message.as_string();
        } else if (message.is_object()) {
            const Value* words = message.as_object().find("text");
            text = words != nullptr && words->is_string() ? words->as_string() : "";
            actor = message.as_object().find("actor");
            context.now = instant(message.as_object().find("now"), context.now);
        }
        context.actor = actor_of(actor);
        context.batch_id = "turn_" + std::to_string(++number);
        const auto done = play_reply(state, text, chunk, context, cache, number, &memories);
        if (!done) {
            const std::string why = base::explain(done.error(), base::Language::kEnglish);
            return std::move(out).set("error", std::string_view(why));
        }
        state = done->attempt.outcome.state;
        turns = std::move(turns).push_back(
            Object{{"text", std::string_view(done->attempt.reading.text)},
                   {"results", campaign::results_json(done->attempt)},
                   {"events", campaign::events_json(done->attempt)}});
    }
    return std::move(out).set("state", state.document).set("turns", std::move(turns));
}

Exit run_lines(const Call& call, std::size_t chunk) {
    Profiles profiles;
    const bool is_read = read_json_lines(call.console, [&](const base::Result<Value>& parsed) {
        const Value answer =
            parsed ? run_case(*parsed, profiles, chunk)
                   : Value(Object{{"error", std::string_view(base::explain(
                                                parsed.error(), call.console.language))}});
        call.console.print(value::print_json(answer) + "\n");
    });
    return is_read ? Exit::kDone : Exit::kTrouble;
}

// The initial state. Default: {}.
std::expected<State, Exit> load_state(const Call& call, const Policy& policy) {
    const std::string file(call.value("--state", ""));
    if (file.empty()) {
        return State();
    }
    const auto text = read_file(call.console, file, base::kJsonBytesMax);
    if (!text) {
        report(call.console, text.error(), file, {});
        return std::unexpected(Exit::kTrouble);
    }
    auto document = value::parse_json(*text);
    if (!document) {
        report(call.console, document.error(), file, *text);
        return std::unexpected(Exit::kTrouble);
    }
    return policy.locks_structure ? engine::take_structure(std::move(*document))
                                  : State{std::move(*document), {}};
}

Exit run_reply(const Call& call, std::size_t chunk) {
    const Console& console = call.console;
    auto profile = profile_of(call, "--profile");
    if (!profile) {
        return profile.error();
    }
    Policy& policy = profile->policy;
    policy.locks_structure = policy.locks_structure || call.has("--initvar");
    const std::string file = call.arguments.empty() ? "-" : call.arguments[0];
    if (file == "-" && call.value("--state", "") == "-") {
        report(console, base::Error(ErrorCode::kTwiceStdin), "arbiter", {});
        return Exit::kTrouble;
    }
    const auto state = load_state(call, policy);
    if (!state) {
        return state.error();
    }
    const auto text = read_file(console, file, base::kTurnTextBytesMax);
    if (!text) {
        report(console, text.error(), file, {});
        return Exit::kTrouble;
    }
    engine::Context context;
    context.now = kDefaultNow;
    if (call.has("--now")) {
        const auto now = engine::parse_instant(call.value("--now", ""));
        if (!now) {
            report(console,
                   base::Error(
                       ErrorCode::kBadOptionValue,
                       {"--now", std::string(call.value("--now", "")), "2026-01-01T00:00:00Z"}),
                   "arbiter", {});
            return Exit::kTrouble;
        }
        context.now = *now;
    }
    context.actor = call.has("--player") ? Actor::kPlayer : Actor::kModel;
    context.batch_id = "op";
    auto books = config::load_books(*profile);
    if (!books) {
        report(console, books.error());
        return Exit::kTrouble;
    }
    turn::RulesCache cache({*profile, *std::move(books), config::built_in_registries()},
                           console.language);
    const auto finished = play_reply(*state, *text, chunk, context, cache, 1, nullptr);
    if (!finished) {
        report(console, finished.error(), "arbiter", {});
        return Exit::kTrouble;
    }
    const turn::Attempt& attempt = finished->attempt;
    const Outcome& outcome = attempt.outcome;
    console.print(turn_lines(console, reader::displayed(attempt.reading), attempt,
                             config::built_in_registries()->tools));
    if (call.has("--out") && !call.has("--dry-run")) {
        const std::string target(call.value("--out", ""));
        const std::string document =
            value::print_json(outcome.state.document, value::JsonStyle::kPretty) + "\n";
        if (const auto saved = write_file(target, document); !saved) {
            report(console, saved.error(), "arbiter", {});
            return Exit::kTrouble;
        }
    }
    return campaign::is_refused(attempt) ? Exit::kNo : Exit::kDone;
}

}  // namespace

Exit run_apply(const Call& call) {
    const auto chunk = chunk_of(call);
    if (!chunk) {
        return Exit::kTrouble;
    }
    return call.has("--lines") ? run_lines(call, *chunk) : run_reply(call, *chunk);
}

}  // namespace arbiter::cli
