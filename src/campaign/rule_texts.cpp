#include "campaign/rule_texts.h"

#include <algorithm>

#include "base/limits.h"
#include "card/parse.h"
#include "config/recent.h"
#include "table/layout.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::campaign {

using base::ErrorCode;
using base::Result;
using config::NamedText;
using config::TextKind;
using value::Object;

namespace {

// "profile auto": how a text is called in what a turn was judged under.
std::string key_of(const NamedText& source) {
    return std::string(name(source.kind)) + " " + source.name;
}

std::optional<NamedText> source_of(std::string_view key) {
    for (const TextKind kind :
         {TextKind::kProfile, TextKind::kRulebook, TextKind::kProtocol, TextKind::kTool}) {
        const std::string prefix = std::string(name(kind)) + " ";
        if (key.starts_with(prefix)) {
            return NamedText{kind, std::string(key.substr(prefix.size())), {}};
        }
    }
    return std::nullopt;
}

Object digests_of(const std::vector<NamedText>& sources) {
    Object named;
    for (const NamedText& source : sources) {
        named = std::move(named).set(value::Str(key_of(source)),
                                     std::string_view(ledger::sha256(source.text).hex()));
    }
    return named;
}

constexpr std::string_view kCardKey = "card";
constexpr std::string_view kCardOptionsKey = "card options";  // {"blueprints", "variables"}
constexpr std::string_view kLibraryKey = "protocols";         // {"id@version": text}

// A text that was kept by its digest.
Result<std::string> kept_text(const ledger::Campaign& campaign, std::string_view key,
                              const value::Value& digest) {
    const auto id =
        digest.is_string() ? ledger::Digest::from_hex(digest.as_string()) : std::nullopt;
    if (!id) {
        return base::fail(ErrorCode::kRecordField, {"rules"});
    }
    const auto packed = campaign.store().blob(campaign.row().id, *id);
    if (!packed) {
        return std::unexpected(packed.error());
    }
    auto text = *packed ? ledger::unpack(**packed, base::kRecordBytesMax)
                        : Result<std::string>(std::string());
    if (!text || ledger::sha256(*text) != *id) {
        return base::fail(ErrorCode::kCorrupt,
                          {std::string(key), "its text is missing or damaged"});
    }
    return text;
}

bool is_of_world(const NamedText& source) {
    return source.kind != TextKind::kProtocol;
}

// The names and digests of the texts that make up a world: the profile first, then rulebooks and
// tools.
Result<Object> world_digests(const Object& rules) {
    Object own;
    bool is_first = true;
    for (const auto& [key, digest] : rules) {
        if (key.view() == kCardKey || key.view() == kCardOptionsKey || key.view() == kLibraryKey) {
            continue;
        }
        const auto source = source_of(key.view());
        if (!source || (is_first && source->kind != TextKind::kProfile)) {
            return base::fail(ErrorCode::kRecordField, {"rules"});
        }
        is_first = false;
        if (is_of_world(*source)) {
            own = std::move(own).set(key, digest);
        }
    }
    return is_first ? Result<Object>(base::fail(ErrorCode::kRecordField, {"rules"})) : own;
}

// The texts of a turn's rules for which `wanted` holds.
Result<std::vector<NamedText>> kept_sources(const ledger::Campaign& campaign, const Object& rules,
                                            bool (*wanted)(const NamedText& source)) {
    std::vector<NamedText> sources;
    for (const auto& [key, digest] : rules) {
        auto source = source_of(key.view());
        if (!source || !wanted(*source)) {
            continue;
        }
        auto text = kept_text(campaign, key.view(), digest);
        if (!text) {
            return std::unexpected(std::move(text).error());
        }
        source->text = *std::move(text);
        sources.push_back(*std::move(source));
    }
    return sources;
}

Result<std::vector<NamedText>> recorded_protocols(const ledger::Campaign& campaign,
                                                  const Object& rules) {
    return kept_sources(campaign, rules,
                        [](const NamedText& source) { return !is_of_world(source); });
}

struct SameBytes {
    bool operator()(const Object& a, const Object& b) const {
        return value::same_bytes(value::Value(a), value::Value(b));
    }
};

// The worlds that were used last, by the digests of their texts. Sessions of one campaign, and
// campaigns of one profile, are made of the same texts, and reading and compiling these takes
// longer than many turns.
using CompiledWorlds = config::RecentValues<Object, std::shared_ptr<SharedWorld>, SameBytes>;
constexpr std::size_t kWorldsMost = 32;  // some of each profile that a server plays

}  // namespace

std::vector<ledger::Blob> RuleTexts::blobs(const Object& stored) const {
    std::vector<ledger::Blob> blobs;
    static config::RecentTexts<ledger::Blob> packed;
    const auto add = [&](const std::string& text) {
        const ledger::Digest digest = ledger::sha256(text);
        const std::string hex = digest.hex();
        const value::Value name = std::string_view(hex);
        if (std::ranges::any_of(stored, [&](const auto& each) { return each.value == name; })) {
            return;
        }
        auto blob = packed.find(text);
        if (!blob) {
            blob = {digest, ledger::pack(text)};
            packed.add(text, *blob);
        }
        blobs.push_back(*std::move(blob));
    };
    for (const NamedText& source : sources) {
        add(source.text);
    }
    if (!library.empty()) {
        add(library);
    }
    return blobs;
}

RuleTexts texts_of(const config::World& world, const protocol::Resolved& protocols,
                   const config::Protocols& library, const value::Value& document) {
    RuleTexts texts;
    texts.sources = world.sources;
    for (NamedText& tool : config::built_in_tools_of(document)) {
        const bool is_kept = std::ranges::any_of(world.sources, [&](const NamedText& each) {
            return each.kind == tool.kind && each.name == tool.name;
        });
        if (!is_kept) {
            texts.sources.push_back(std::move(tool));
        }
    }
    for (NamedText& source : config::sources_of(protocols, library)) {
        texts.sources.push_back(std::move(source));
    }
    texts.digests = digests_of(texts.sources);
    Object own;
    for (const NamedText& each : library.own()) {
        own = std::move(own).set(value::Str(each.name), std::string_view(each.text));
    }
    if (!own.empty()) {
        texts.library = value::print_json(std::move(own));
        texts.digests =
            std::move(texts.digests)
                .set(kLibraryKey, std::string_view(ledger::sha256(texts.library).hex()));
    }
    return texts;
}

Result<std::shared_ptr<const turn::Rules>> recorded_rules(const ledger::Campaign& campaign,
                                                          const Object& digests,
                                                          const value::Value& document,
                                                          Object globals) {
    auto world = world_of(campaign, digests);
    const auto sources =
        world ? recorded_protocols(campaign, digests) : std::unexpected(world.error());
    if (!sources) {
        return std::unexpected(sources.error());
    }
    // The stored protocols are exactly those that were active, so all of them are requested, in the
    // order that they had.
    const protocol::Library library = config::library_of(*sources);
    std::vector<protocol::ProtocolRequest> requests;
    for (const NamedText& source : *sources) {
        requests.push_back({source.name});
    }
    protocol::ResolveOptions options;
    options.is_recorded = true;
    const config::World& written = (*world)->world();
    options.clock = turn::clock_of(written.books);
    turn::BaseRules base{written.profile, written.books, written.registries};
    base.globals = std::move(globals);
    auto rules = turn::make_rules(std::move(base), library.resolve(requests, options), document);
    if (!rules) {
        return std::unexpected(std::move(rules).error());
    }
    return std::make_shared<const turn::Rules>(*std::move(rules));
}

Result<Object> present_rules(const ledger::Campaign& campaign) {
    if (!campaign.rules().empty()) {
        return campaign.rules();
    }
    Object rules;
    auto visited = campaign.visit_back(campaign.head(), ledger::Store::Content::kWhole,
                                       [&](const ledger::TurnRow& row) -> Result<bool> {
                                           auto record = campaign.replay_inputs_of(row);
                                           if (!record) {
                                               return std::unexpected(std::move(record).error());
                                           }
                                           rules = std::move(record->rules);
                                           return rules.empty();
                                       });
    return visited ? Result<Object>(std::move(rules)) : std::unexpected(std::move(visited).error());
}

Result<std::shared_ptr<SharedWorld>> world_of(const ledger::Campaign& campaign,
                                              const Object& rules) {
    static CompiledWorlds compiled(kWorldsMost);
    const auto digests = world_digests(rules);
    if (!digests) {
        return std::unexpected(digests.error());
    }
    if (auto known = compiled.find(*digests)) {
        return *std::move(known);
    }
    const auto sources = kept_sources(campaign, rules, is_of_world);
    if (!sources) {
        return std::unexpected(sources.error());
    }
    auto world = config::load_world(sources->front().name, *sources);
    if (!world) {
        return std::unexpected(std::move(world.error().errors[0]));
    }
    auto shared = std::make_shared<SharedWorld>(*std::move(world));
    compiled.add(*digests, shared);
    return shared;
}

Result<config::Protocols::Kept> kept_protocols(const ledger::Campaign& campaign,
                                               const Object& rules) {
    auto sources = recorded_protocols(campaign, rules);
    if (!sources) {
        return std::unexpected(std::move(sources).error());
    }
    config::Protocols::Kept kept;
    kept.active = *std::move(sources);
    const value::Value* digest = rules.find(kLibraryKey);
    if (digest == nullptr) {
        return kept;
    }
    const auto text = kept_text(campaign, kLibraryKey, *digest);
    const auto library = text ? value::parse_json(*text) : std::unexpected(text.error());
    if (!library || !library->is_object()) {
        return library ? base::fail(ErrorCode::kRecordField, {std::string(kLibraryKey)})
                       : std::unexpected(library.error());
    }
    for (const auto& [name, written] : library->as_object()) {
        if (written.is_string()) {
            kept.own.push_back(
                {TextKind::kProtocol, std::string(name.view()), std::string(written.as_string())});
        }
    }
    return kept;
}

Result<std::optional<NamedText>> find_earlier(const ledger::Campaign& campaign,
                                              const protocol::Reference& reference) {
    std::optional<ledger::TurnId> at = campaign.head();
    while (at) {
        const auto record = campaign.record(*at);
        if (!record) {
            return std::unexpected(record.error());
        }
        for (const auto& [key, digest] : record->rules) {
            const auto source = source_of(key.view());
            const auto full = source && source->kind == TextKind::kProtocol
                                  ? protocol::parse_reference(source->name)
                                  : std::nullopt;
            const std::size_t mark = source ? source->name.find('@') : std::string::npos;
            const auto version = mark != std::string::npos
                                     ? protocol::parse_version(source->name.substr(mark + 1))
                                     : std::nullopt;
            if (full && version && full->id == reference.id && reference.pin.allows(*version)) {
                auto text = kept_text(campaign, key.view(), digest);
                if (!text) {
                    return std::unexpected(std::move(text).error());
                }
                return NamedText{TextKind::kProtocol, source->name, *std::move(text)};
            }
        }
        at = record->parent;
    }
    return std::nullopt;
}

namespace {

void add_text(std::string_view key, std::string_view text, ledger::NewCampaign& campaign) {
    campaign.rules =
        std::move(campaign.rules).set(key, std::string_view(ledger::sha256(text).hex()));
    campaign.texts.push_back({ledger::sha256(text), ledger::pack(text)});
}

// The first turn of a campaign. It has a keyframe, usually the first one, so the turns need not be
// listed.
Result<std::optional<ledger::TurnRow>> first_turn(const ledger::Campaign& campaign) {
    ledger::Store& store = campaign.store();
    const std::string& id = campaign.row().id;
    const auto keyframes = store.keyframes(id);
    if (!keyframes) {
        return std::unexpected(keyframes.error());
    }
    for (const ledger::TurnId& turn : *keyframes) {
        auto row = store.turn(id, turn);
        if (!row || (*row && !(*row)->parent)) {
            return row;
        }
    }
    // Its keyframe is damaged.
    std::optional<ledger::TurnRow> first;
    auto visited = store.visit_turns(id, std::nullopt, [&first](const ledger::TurnRow& row) {
        first = row;
        return false;
    });
    return visited ? Result<std::optional<ledger::TurnRow>>(std::move(first))
                   : std::unexpected(std::move(visited).error());
}

// A text that the first turn names; nullopt: it names none.
Result<std::optional<std::string>> first_text(const ledger::Campaign& campaign,
                                              std::string_view key) {
    const auto found = first_turn(campaign);
    if (!found || !*found) {
        return found ? Result<std::optional<std::string>>(std::nullopt)
                     : std::unexpected(found.error());
    }
    const std::optional<ledger::TurnRow>& row = *found;
    const auto first = campaign.record_of(*row);
    if (!first) {
        return std::unexpected(first.error());
    }
    const value::Value* digest = first->rules.find(key);
    if (digest == nullptr) {
        return std::nullopt;
    }
    auto text = kept_text(campaign, key, *digest);
    return text ? Result<std::optional<std::string>>(*std::move(text))
                : std::unexpected(std::move(text).error());
}

}  // namespace

void add_card(const card::Card& card, const CardOptions& options, ledger::NewCampaign& campaign) {
    add_text(kCardKey, value::print_json(card.whole), campaign);
    if (options.variables.empty() && !options.fills_blueprints) {
        return;
    }
    value::Array variables;
    for (const card::Initvar& each : options.variables) {
        variables = std::move(variables).push_back(
            Object{{"name", std::string_view(each.name)}, {"text", std::string_view(each.text)}});
    }
    const Object written = {{"blueprints", options.fills_blueprints},
                            {"variables", std::move(variables)}};
    add_text(kCardOptionsKey, value::print_json(written), campaign);
}

Result<std::optional<card::Card>> card_of(const ledger::Campaign& campaign) {
    const auto text = first_text(campaign, kCardKey);
    if (!text) {
        return std::unexpected(text.error());
    }
    if (!*text) {
        return std::nullopt;
    }
    auto card = card::parse_card(**text);
    if (!card) {
        return std::unexpected(std::move(card.error().error));
    }
    return *std::move(card);
}

Result<CardOptions> card_options_of(const ledger::Campaign& campaign) {
    const auto text = first_text(campaign, kCardOptionsKey);
    if (!text) {
        return std::unexpected(text.error());
    }
    const auto written = *text ? value::parse_json(**text) : Result<value::Value>(value::Value());
    if (!written) {
        return std::unexpected(written.error());
    }
    CardOptions options;
    const value::Value* blueprints = value::find_member(&*written, "blueprints");
    options.fills_blueprints =
        blueprints != nullptr && blueprints->is_bool() && blueprints->as_bool();
    for (const value::Value& each :
         table::array_or_empty(value::find_member(&*written, "variables"))) {
        options.variables.push_back({std::string(table::text_in(&each, "name")),
                                     std::string(table::text_in(&each, "text"))});
    }
    return options;
}

}  // namespace arbiter::campaign
