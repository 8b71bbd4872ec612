#include "rules/internal/visibility_phase.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/limits.h"
#include "text/truncate.h"
#include "text/utf8.h"

namespace arbiter::rules::internal {

using expr::Known;
using value::Object;
using value::Path;
using value::Value;

namespace {

// The part of a reply that is kept: limited, and valid UTF-8.
std::string_view kept_part(std::string_view reply) {
    reply = text::truncate(reply, base::kReplyBytesMax);
    return reply.substr(0, std::min(text::find_invalid(reply), reply.size()));
}

// The number of replies if the formula of a rule has no value.
constexpr std::size_t kRepliesDefault = 5;

// The key of the data of the rule at an index.
std::string of_rule(std::string_view what, std::size_t index) {
    return index == 0 ? std::string(what) : std::string(what) + " " + std::to_string(index);
}

// {"a": true, "b": true}
Object all_true(const std::vector<std::string_view>& keys) {
    Object object;
    for (const std::string_view key : keys) {
        object = std::move(object).set(key, true);
    }
    return object;
}

}  // namespace

VisibilityPhase::VisibilityPhase(ReactionContext& context, VisibilityMemory* cache)
    : context_(context), cache_(cache) {
    if (context_.book.visibilities.empty()) {
        return;
    }
    if (const Value* kept = context_.memory.find("replies"); kept != nullptr && kept->is_array()) {
        replies_ = kept->as_array();
    }
    if (context_.turn.actor == engine::Actor::kModel) {
        replies_ = std::move(replies_).push_back(kept_part(context_.turn.narrative));
    }
    for (std::size_t i = 0; i < context_.book.visibilities.size(); ++i) {
        Watched& nodes = watched_.emplace_back();
        nodes.known = context_.known && context_.memory.contains(of_rule("marked", i));
        nodes.seen = context_.turn.before.document;
        nodes.marked = nodes.known ? context_.recalled(of_rule("marked", i)) : Object();
        nodes.shown = context_.recalled(of_rule("shown", i));
    }
}

void VisibilityPhase::run() {
    for (std::size_t i = 0; i < context_.book.visibilities.size(); ++i) {
        const Visibility& rule = context_.book.visibilities[i];
        Watched& nodes = watched_[i];
        const Object before = nodes.marked;
        const std::size_t last = window(rule);
        std::vector<std::string> touched;
        follow_marks(rule, nodes, touched);
        // The replies are searched again only if the result could differ.
        if (!nodes.read_of || *nodes.read_of != last || Value(before) != Value(nodes.marked)) {
            VisibilityMemory& memory = cache_ != nullptr && i == 0 ? *cache_ : nodes.own;
            memory.follow(nodes.marked);
            nodes.found = memory.found(replies_, last);
            nodes.read_of = last;
            switch_nodes(rule, nodes, touched);
        } else if (!touched.empty()) {
            switch_nodes(rule, nodes, touched);
        }
    }
}

void VisibilityPhase::save() {
    std::size_t longest = 1;
    for (std::size_t i = 0; i < context_.book.visibilities.size(); ++i) {
        longest = std::max(longest, window(context_.book.visibilities[i]));
        context_.remember(of_rule("marked", i), watched_[i].marked);
        context_.remember(of_rule("shown", i), watched_[i].shown);
    }
    if (!context_.book.visibilities.empty()) {
        while (replies_.size() > longest) {
            replies_ = std::move(replies_).erase(0);
        }
        context_.remember("replies", replies_);
    }
}

std::size_t VisibilityPhase::window(const Visibility& rule) const {
    const Known known = context_.evaluate(rule.replies, {});
    const auto number = known ? expr::number_of(*known) : std::nullopt;
    return number && *number >= 0
               ? static_cast<std::size_t>(std::min(*number, static_cast<double>(base::kRepliesMax)))
               : kRepliesDefault;
}

// Shows and hides the nodes that were shown, are found now, or were touched.
void VisibilityPhase::switch_nodes(const Visibility& rule, Watched& nodes,
                                   const std::vector<std::string>& touched) {
    std::vector<std::string> all = touched;
    all.insert(all.end(), nodes.found.begin(), nodes.found.end());
    for (const auto& [path, yes] : nodes.shown) {
        all.emplace_back(path.view());
    }
    std::ranges::sort(all);
    const auto rest = std::ranges::unique(all);
    all.erase(rest.begin(), rest.end());
    std::vector<std::string_view> now;
    for (const std::string& text : all) {
        if (!nodes.marked.contains(text)) {
            continue;
        }
        const bool is_found = std::ranges::binary_search(nodes.found, text);
        auto path = value::parse_path(text, value::PathSyntax::kDotted);
        if (path) {
            path->emplace_back(std::string_view(rule.shown));
            context_.put(rule.id, *path, is_found, ReactionContext::Creates::kWithParents);
        }
        if (is_found) {
            now.emplace_back(text);
        }
    }
    if (!std::ranges::equal(now, nodes.shown, {}, {},
                            [](const value::Member& member) { return member.key.view(); })) {
        nodes.shown = all_true(now);
    }
}

// Updates the marked nodes from the document and collects those that were touched.
void VisibilityPhase::follow_marks(const Visibility& rule, Watched& nodes,
                                   std::vector<std::string>& touched) {
    const Value before = std::exchange(nodes.seen, context_.document());
    if (std::exchange(nodes.known, true)) {
        for (Path place : context_.changed_since(before)) {
            follow_change(rule, nodes, before, std::move(place), touched);
        }
    } else if (const Value* all = context_.at(rule.below)) {
        Path path = rule.below;
        visit_marked(*all, path, rule.mark,
                     [&](const Path& node) { add_node(rule, nodes, node, touched); });
    }
}

void VisibilityPhase::add_node(const Visibility& rule, Watched& nodes, const Path& path,
                               std::vector<std::string>& touched) {
    const std::size_t key = rule.below.size() + rule.segment - 1;
    if (key < path.size()) {
        const std::string text = printed(path);
        touched.push_back(text);
        nodes.marked = std::move(nodes.marked).set(value::Str(text), path[key].as_key());
    }
}

void VisibilityPhase::follow_change(const Visibility& rule, Watched& nodes, const Value& before,
                                    Path place, std::vector<std::string>& touched) {
    // A mark that was set or removed is a change of the node that carries it.
    const bool is_key = !place.empty() && !place.back().is_index();
    const bool of_node =
        is_key && (place.back().key() == rule.mark || place.back().key() == rule.shown);
    if (of_node) {
        place.pop_back();
    }
    const Path& below = place.size() < rule.below.size() ? rule.below : place;
    const auto shared = static_cast<std::ptrdiff_t>(std::min(place.size(), rule.below.size()));
    if (!std::equal(place.begin(), place.begin() + shared, rule.below.begin())) {
        return;
    }
    // For a mark only the node itself, otherwise all nodes in the place.
    const auto each = [&](const Value& document, const std::function<void(const Path&)>& visit) {
        const Value* value = value::find(document, below);
        if (value == nullptr) {
            return;
        }
        Path path = below;
        if (!of_node) {
            visit_marked(*value, path, rule.mark, visit);
        } else if (is_marked(*value, rule.mark)) {
            visit(path);
        }
    };
    each(before,
         [&](const Path& path) { nodes.marked = std::move(nodes.marked).erase(printed(path)); });
    each(nodes.seen, [&](const Path& path) { add_node(rule, nodes, path, touched); });
}

}  // namespace arbiter::rules::internal
