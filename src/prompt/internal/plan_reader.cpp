#include "prompt/internal/plan_reader.h"

#include "expr/formula.h"
#include "text/join.h"
#include "value/array.h"
#include "value/fields.h"
#include "value/object.h"

namespace arbiter::prompt::internal {
namespace {

using value::Choice;
using value::Fields;
using value::Path;
using value::Value;

constexpr std::size_t kTokensMax = 100'000'000;
constexpr std::int64_t kFragmentPriorityMax = 1000;

void read_count(Fields& fields, std::string_view key, std::size_t& to) {
    to = fields.count(key, kTokensMax).value_or(to);
}

std::string kind_names() {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < kKinds; ++i) {
        names.push_back(name(static_cast<Kind>(i)));
    }
    return text::join(names);
}

// The kinds in a list, as indexes; unknown ones are reported.
struct ListedKind {
    std::size_t kind;
    Fields::Item item;
};
std::vector<ListedKind> read_kinds(Fields& fields, std::string_view key) {
    std::vector<ListedKind> kinds;
    const Value* list = fields.take(key);
    if (list == nullptr) {
        return kinds;
    }
    if (!list->is_array()) {
        fields.reject(key, "[" + kind_names() + "]", *list);
        return kinds;
    }
    for (Fields::Item& item : fields.list(key)) {
        const auto kind = item.value.is_string() ? find_kind(item.value.as_string()) : std::nullopt;
        if (kind) {
            kinds.push_back({static_cast<std::size_t>(*kind), std::move(item)});
        } else {
            fields.error_at(item.path, value::wrong_value(key, kind_names(), item.value));
        }
    }
    return kinds;
}

void read_contents(Fields& fields, Plan& plan) {
    const Value* only = fields.take("only");
    if (only != nullptr && only->is_array()) {
        plan.has.fill(false);
        // History, pins and feedback are mandatory.
        for (const Kind kind : {Kind::kHistory, Kind::kPins, Kind::kFeedback}) {
            plan.has[static_cast<std::size_t>(kind)] = true;
        }
    }
    for (const ListedKind& listed : read_kinds(fields, "only")) {
        plan.has[listed.kind] = true;
    }
    for (const ListedKind& listed : read_kinds(fields, "without")) {
        plan.has[listed.kind] = false;
    }
}

// 1200, or "25%"; nothing if the key is absent.
std::optional<Share> read_share(Fields& budgets, std::string_view key) {
    const Value* amount = budgets.take(key);
    if (amount == nullptr) {
        return std::nullopt;
    }
    const std::string_view text = amount->is_string() ? amount->as_string() : "";
    if (!text.ends_with('%')) {
        const auto tokens = budgets.count(key, kTokensMax);
        return tokens ? std::optional(Share{.tokens = *tokens}) : std::nullopt;
    }
    const auto percent = expr::number_of(Value(text.substr(0, text.size() - 1)));
    if (!percent || *percent < 0 || *percent > 100) {
        budgets.reject(key, "0% – 100%", *amount);
        return std::nullopt;
    }
    return Share{.percent = static_cast<std::size_t>(*percent)};
}

void read_budgets(Fields& fields, Plan& plan) {
    auto budgets = fields.object("budgets");
    if (!budgets) {
        return;
    }
    for (std::size_t i = 0; i < kKinds; ++i) {
        if (const auto share = read_share(*budgets, name(static_cast<Kind>(i)))) {
            plan.budgets[i] = *share;
        }
    }
    budgets->finish();
}

// The kinds that may be dropped, in order; the others are never dropped.
void read_sacrifice(Fields& fields, Plan& plan) {
    const Value* list = fields.take("sacrifice");
    if (list == nullptr) {
        return;
    }
    if (list->is_array()) {
        plan.ranks.fill(0);
    }
    std::uint8_t rank = 0;
    for (const ListedKind& listed : read_kinds(fields, "sacrifice")) {
        if (listed.kind == static_cast<std::size_t>(Kind::kPins)) {
            fields.error_at(listed.item.path,
                            value::wrong_value("sacrifice", "pins never go", listed.item.value));
            continue;
        }
        rank = rank + 1 < kRecentRank ? static_cast<std::uint8_t>(rank + 1) : rank;
        plan.ranks[listed.kind] = rank;
    }
}

void read_view(Fields& fields, StateView& view) {
    auto state = fields.object("state");
    if (!state) {
        return;
    }
    using Format = StateView::Format;
    using Descriptions = StateView::Descriptions;
    constexpr Choice<Format> kFormats[] = {{"yaml", Format::kYaml}, {"json", Format::kJson}};
    constexpr Choice<Descriptions> kDescriptions[] = {{"once", Descriptions::kOnce},
                                                      {"always", Descriptions::kAlways},
                                                      {"never", Descriptions::kNever}};
    constexpr Choice<bool> kHidden[] = {{"switched_off", false}, {"filtered", true}};
    view.format = state->one_of("format", kFormats).value_or(view.format);
    view.descriptions = state->one_of("descriptions", kDescriptions).value_or(view.descriptions);
    view.needs_filter = state->one_of("hidden", kHidden).value_or(view.needs_filter);
    read_count(*state, "depth", view.depth);
    state->finish();
}

std::optional<Fragment> read_fragment(const Fields& plan, const Fields::Item& item,
                                      value::Diagnostics& diagnostics) {
    Fragment fragment;
    if (item.value.is_string()) {
        auto path = value::parse_any_path(item.value.as_string());
        if (!path) {
            path.error().place.reset();  // a position in the text, not in the file
            diagnostics.push_back({item.path, false, std::move(path).error()});
            return std::nullopt;
        }
        fragment.path = *std::move(path);
        return fragment;
    }
    Fields fields = plan.inner(item.value, item.path);
    auto path =
        item.value.is_object() ? fields.any_path("path", value::Presence::kRequired) : std::nullopt;
    read_count(fields, "last", fragment.last);
    read_count(fields, "depth", fragment.depth);
    read_count(fields, "budget", fragment.budget);
    fragment.priority = fields.whole("priority", -kFragmentPriorityMax, kFragmentPriorityMax)
                            .value_or(fragment.priority);
    fields.finish();
    if (!path) {
        return std::nullopt;
    }
    fragment.path = *std::move(path);
    return fragment;
}

void read_fragments(Fields& fields, Plan& plan, value::Diagnostics& diagnostics) {
    const Value* list = fields.take("fragments");
    if (list == nullptr) {
        return;
    }
    if (!list->is_array()) {
        fields.reject("fragments", "[{path: a.b}]", *list);
        return;
    }
    plan.fragments.clear();
    for (const Fields::Item& item : fields.list("fragments")) {
        if (auto fragment = read_fragment(fields, item, diagnostics)) {
            plan.fragments.push_back(*std::move(fragment));
        }
    }
}

}  // namespace

void read_plan(const Value& written, Path path, Plan& plan, value::Diagnostics& diagnostics) {
    Fields fields(written, std::move(path), diagnostics);
    read_contents(fields, plan);
    read_count(fields, "context_tokens", plan.context_tokens);
    read_count(fields, "reply_tokens", plan.reply_tokens);
    read_budgets(fields, plan);
    read_count(fields, "recent_messages", plan.recent_messages);
    read_count(fields, "history_step", plan.history_step);
    constexpr Choice<bool> kVolatile[] = {{"late", true}, {"as_written", false}};
    plan.volatile_late = fields.one_of("volatile", kVolatile).value_or(plan.volatile_late);
    read_count(fields, "late_depth", plan.late_depth);
    read_view(fields, plan.state);
    read_fragments(fields, plan, diagnostics);
    read_sacrifice(fields, plan);
    read_count(fields, "digest_depth", plan.digest_depth);
    fields.finish();
}

}  // namespace arbiter::prompt::internal
