// Which marked nodes are shown.
#include <algorithm>
#include <functional>

#include "base/limits.h"
#include "rules/internal/reactor.h"
#include "text/utf8.h"

namespace arbiter::rules::internal {

using expr::Known;
using value::Array;
using value::Bindings;
using value::Object;
using value::Path;
using value::Pattern;
using value::Value;

namespace {

// As much of a reply as is remembered, in whole characters.
std::string_view beginning(std::string_view reply) {
    reply = reply.substr(0, base::kReplyBytesMax);
    return reply.substr(0, std::min(text::find_invalid(reply), reply.size()));
}

// The replies that are looked at where a rule does not come to a number.
constexpr std::size_t kRepliesOtherwise = 5;

// What the rule at an index remembers.
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

// ---- what is shown

void Reactor::hear() {
    if (book_.visibilities.empty()) {
        return;
    }
    if (const Value* kept = memory_.find("replies"); kept != nullptr && kept->is_array()) {
        replies_ = kept->as_array();
    }
    if (turn_.actor == engine::Actor::kModel) {
        replies_ = std::move(replies_).push_back(beginning(turn_.narrative));
    }
    for (std::size_t i = 0; i < book_.visibilities.size(); ++i) {
        Watched& nodes = watched_.emplace_back();
        nodes.known = known_ && memory_.contains(of_rule("marked", i));
        nodes.seen = turn_.before.document;
        nodes.marked = nodes.known ? recalled(of_rule("marked", i)) : Object();
        nodes.shown = recalled(of_rule("shown", i));
    }
}

void Reactor::show_and_hide() {
    for (std::size_t i = 0; i < book_.visibilities.size(); ++i) {
        const Visibility& rule = book_.visibilities[i];
        Watched& nodes = watched_[i];
        const Object before = nodes.marked;
        const std::size_t last = window(rule);
        std::vector<std::string> stirred;
        follow_marks(rule, nodes, stirred);
        // The replies are read again only where that could find something else.
        if (!nodes.read_of || *nodes.read_of != last || Value(before) != Value(nodes.marked)) {
            VisibilityMemory& memory = cache_ != nullptr && i == 0 ? *cache_ : nodes.own;
            memory.follow(nodes.marked);
            nodes.found = memory.found(replies_, last);
            nodes.read_of = last;
            switch_nodes(rule, nodes, stirred);
        } else if (!stirred.empty()) {
            switch_nodes(rule, nodes, stirred);
        }
    }
}

void Reactor::remember_nodes() {
    std::size_t longest = 1;
    for (std::size_t i = 0; i < book_.visibilities.size(); ++i) {
        longest = std::max(longest, window(book_.visibilities[i]));
        remember(of_rule("marked", i), watched_[i].marked);
        remember(of_rule("shown", i), watched_[i].shown);
    }
    if (!book_.visibilities.empty()) {
        while (replies_.size() > longest) {
            replies_ = std::move(replies_).erase(0);
        }
        remember("replies", replies_);
    }
}

std::size_t Reactor::window(const Visibility& rule) const {
    const Known known = rule.replies.evaluate({document(), {}});
    const auto number = known ? expr::number_of(*known) : std::nullopt;
    return number && *number >= 0
               ? static_cast<std::size_t>(std::min(*number, static_cast<double>(base::kRepliesMax)))
               : kRepliesOtherwise;
}

// Sets what differs from what was found: of nodes that were shown, are found, or were touched.
void Reactor::switch_nodes(const Visibility& rule, Watched& nodes,
                           const std::vector<std::string>& stirred) {
    std::vector<std::string> all = stirred;
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
            put(rule.id, *path, is_found, true);
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

// Brings the marked nodes up to the document; those that were touched are added to `stirred`.
void Reactor::follow_marks(const Visibility& rule, Watched& nodes,
                           std::vector<std::string>& stirred) {
    const Value before = std::exchange(nodes.seen, document());
    if (std::exchange(nodes.known, true)) {
        for (Path place : value::touched_places(value::diff(before, nodes.seen))) {
            follow_change(rule, nodes, before, std::move(place), stirred);
        }
    } else if (const Value* all = at(rule.below)) {
        Path path = rule.below;
        visit_marked(*all, path, rule.mark,
                     [&](const Path& node) { add_node(rule, nodes, node, stirred); });
    }
}

void Reactor::add_node(const Visibility& rule, Watched& nodes, const Path& path,
                       std::vector<std::string>& stirred) {
    const std::size_t key = rule.below.size() + rule.segment - 1;
    if (key < path.size()) {
        const std::string text = printed(path);
        stirred.push_back(text);
        nodes.marked = std::move(nodes.marked).set(value::Str(text), path[key].as_key());
    }
}

void Reactor::follow_change(const Visibility& rule, Watched& nodes, const Value& before, Path place,
                            std::vector<std::string>& stirred) {
    // A mark that came or went is a change of the node that carries it.
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
    // Only the node itself where a mark changed; else all that is in the place.
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
    each(nodes.seen, [&](const Path& path) { add_node(rule, nodes, path, stirred); });
}

}  // namespace arbiter::rules::internal
