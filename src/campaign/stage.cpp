#include "campaign/stage.h"

#include <algorithm>

#include "base/limits.h"
#include "card/parse.h"
#include "protocol/activation.h"
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
    for (const TextKind kind : {TextKind::kProfile, TextKind::kRulebook, TextKind::kProtocol}) {
        const std::string prefix = std::string(name(kind)) + " ";
        if (key.starts_with(prefix)) {
            return NamedText{kind, std::string(key.substr(prefix.size())), {}};
        }
    }
    return std::nullopt;
}

std::optional<rules::Clock> clock_of(const rules::Setting& setting) {
    for (const auto& book : setting.books) {
        if (book->clock) {
            return book->clock;
        }
    }
    return std::nullopt;
}

Object rules_of(const std::vector<NamedText>& sources) {
    Object named;
    for (const NamedText& source : sources) {
        named = std::move(named).set(value::Str(key_of(source)),
                                     std::string_view(ledger::sha256(source.text).hex()));
    }
    return named;
}

Result<Stage> put_together(config::World world, protocol::Resolved protocols,
                           std::shared_ptr<const table::Kit> kit, const value::Value& document,
                           Object globals) {
    Stage stage;
    stage.profile = std::move(world.profile);
    rules::Setting setting = std::move(world.setting);
    if (!protocols.constraints.empty()) {
        auto books = setting.books;
        books.insert(books.end(), protocols.constraints.begin(), protocols.constraints.end());
        // From the profile's own policy: that of the setting has its rulebooks in it already.
        setting = rules::make_setting(stage.profile.policy, std::move(books));
    }
    auto made =
        table::make_table_setting(std::move(setting), std::move(kit), document, std::move(globals));
    if (!made) {
        return std::unexpected(std::move(made).error());
    }
    stage.table = *std::move(made);
    stage.protocols = std::move(protocols);
    return stage;
}

constexpr std::string_view kCardKey = "card";

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

// The texts that a turn names.
Result<std::vector<NamedText>> kept_sources(const ledger::Campaign& campaign, const Object& rules) {
    std::vector<NamedText> sources;
    for (const auto& [key, digest] : rules) {
        if (key.view() == kCardKey) {
            continue;
        }
        auto source = source_of(key.view());
        auto text = source ? kept_text(campaign, key.view(), digest)
                           : base::fail(ErrorCode::kRecordField, {"rules"});
        if (!text) {
            return std::unexpected(std::move(text).error());
        }
        source->text = *std::move(text);
        sources.push_back(*std::move(source));
    }
    if (sources.empty() || sources[0].kind != TextKind::kProfile) {
        return base::fail(ErrorCode::kRecordField, {"rules"});
    }
    return sources;
}

Result<config::World> world_of(const std::vector<NamedText>& sources) {
    std::vector<NamedText> own;
    std::ranges::copy_if(sources, std::back_inserter(own), [](const NamedText& source) {
        return source.kind != TextKind::kProtocol;
    });
    auto world = config::load_world(sources[0].name, std::move(own));
    if (!world) {
        return std::unexpected(std::move(world.error().errors[0]));
    }
    return *std::move(world);
}

}  // namespace

reader::Options Stage::reading(engine::Actor actor) const {
    reader::Options options = profile::reading(profile, actor);
    if (actor != engine::Actor::kModel) {
        return options;
    }
    options.hints.insert(options.hints.end(), protocols.hints.begin(), protocols.hints.end());
    for (std::size_t i = 0; i < static_cast<std::size_t>(proposal::Dialect::kCount); ++i) {
        const auto dialect = static_cast<proposal::Dialect>(i);
        if (protocols.dialects.has(dialect)) {
            options.dialects.add(dialect);
        }
    }
    return options;
}

std::vector<ledger::Blob> Stage::texts() const {
    std::vector<ledger::Blob> blobs;
    for (const NamedText& source : sources) {
        blobs.push_back({ledger::sha256(source.text), ledger::pack(source.text)});
    }
    return blobs;
}

Result<Stage> make_stage(config::World world, const engine::State& state, const Gear& gear) {
    std::vector<NamedText> sources = world.sources;
    protocol::ResolveOptions options;
    options.language = gear.language;
    options.clock = clock_of(world.setting);
    protocol::Resolved resolved =
        gear.protocols.library()->resolve(protocol::active_requests(state.meta), options);
    for (NamedText& source : config::sources_of(resolved, gear.protocols)) {
        sources.push_back(std::move(source));
    }
    auto stage =
        put_together(std::move(world), std::move(resolved), gear.kit, state.document, gear.globals);
    if (stage) {
        stage->rules = rules_of(sources);
        stage->sources = std::move(sources);
    }
    return stage;
}

Result<Stage> kept_stage(const ledger::Campaign& campaign, const Object& rules,
                         const value::Value& document, Object globals) {
    auto sources = kept_sources(campaign, rules);
    auto world = sources ? world_of(*sources) : std::unexpected(sources.error());
    if (!world) {
        return std::unexpected(std::move(world).error());
    }
    // All that were kept held then, and nothing else.
    const protocol::Library library = config::library_of(*sources);
    std::vector<protocol::ProtocolRequest> wishes;
    for (const protocol::Library::Row& row : library.rows()) {
        wishes.push_back({protocol::full_name(*row.protocol)});
    }
    protocol::ResolveOptions options;
    options.clock = clock_of(world->setting);
    auto stage = put_together(*std::move(world), library.resolve(wishes, options),
                              table::shipped_kit(), document, std::move(globals));
    if (stage) {
        stage->rules = rules;
        stage->sources = *std::move(sources);
    }
    return stage;
}

Result<Object> present_rules(const ledger::Campaign& campaign) {
    ledger::TurnId at = campaign.head();
    while (true) {
        const auto record = campaign.record(at);
        if (!record) {
            return std::unexpected(record.error());
        }
        if (!record->rules.empty() || !record->parent) {
            return record->rules;
        }
        at = *record->parent;
    }
}

Result<config::World> present_world(const ledger::Campaign& campaign) {
    const auto rules = present_rules(campaign);
    const auto sources = rules ? kept_sources(campaign, *rules) : std::unexpected(rules.error());
    return sources ? world_of(*sources) : std::unexpected(sources.error());
}

void add_card(const card::Card& card, ledger::Beginning& beginning) {
    const std::string text = value::print_json(card.whole);
    beginning.rules =
        std::move(beginning.rules).set(kCardKey, std::string_view(ledger::sha256(text).hex()));
    beginning.texts.push_back({ledger::sha256(text), ledger::pack(text)});
}

Result<std::optional<card::Card>> card_of(const ledger::Campaign& campaign) {
    const auto line = campaign.line_to(campaign.head());
    const auto first = line ? campaign.record(line->front()) : std::unexpected(line.error());
    if (!first) {
        return std::unexpected(first.error());
    }
    const value::Value* digest = first->rules.find(kCardKey);
    if (digest == nullptr) {
        return std::nullopt;
    }
    const auto text = kept_text(campaign, kCardKey, *digest);
    if (!text) {
        return std::unexpected(text.error());
    }
    auto card = card::parse_card(*text);
    if (!card) {
        return std::unexpected(std::move(card.error().error));
    }
    return *std::move(card);
}

}  // namespace arbiter::campaign
