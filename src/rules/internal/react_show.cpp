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

void Reactor::show_and_hide() {
    for (const Visibility& rule : book_.visibilities) {
        std::vector<std::string> stirred;
        const Object marked = follow_marks(rule, stirred);
        Array replies;
        if (const Value* kept = memory_.find("replies"); kept != nullptr && kept->is_array()) {
            replies = kept->as_array();
        }
        const std::size_t last = window(rule);
        if (turn_.actor == engine::Actor::kModel) {
            replies = std::move(replies).push_back(beginning(turn_.narrative));
        }
        while (replies.size() > std::max<std::size_t>(last, 1)) {
            replies = std::move(replies).erase(0);
        }
        VisibilityMemory own;
        VisibilityMemory& memory = cache_ != nullptr ? *cache_ : own;
        memory.follow(marked);
        const std::vector<std::string> found = memory.found(replies, last);
        remember("replies", replies);
        remember("marked", marked);
        switch_nodes(rule, marked, found, stirred);
    }
}
std::size_t Reactor::window(const Visibility& rule) const {
    const Known known = rule.replies.evaluate({document_, {}});
    const auto number = known ? expr::number_of(*known) : std::nullopt;
    return number && *number >= 0
               ? static_cast<std::size_t>(std::min(*number, static_cast<double>(base::kRepliesMax)))
               : 5;
}

// Sets what differs from what was found: of nodes that were shown, are found, or were touched.
void Reactor::switch_nodes(const Visibility& rule, const Object& marked,
                           const std::vector<std::string>& found,
                           const std::vector<std::string>& stirred) {
    const Object shown = recalled("shown");
    std::vector<std::string> all = stirred;
    all.insert(all.end(), found.begin(), found.end());
    for (const auto& [path, yes] : shown) {
        all.emplace_back(path.view());
    }
    std::ranges::sort(all);
    const auto rest = std::ranges::unique(all);
    all.erase(rest.begin(), rest.end());
    std::vector<std::string_view> now;
    for (const std::string& text : all) {
        if (!marked.contains(text)) {
            continue;
        }
        const bool is_found = std::ranges::binary_search(found, text);
        auto path = value::parse_path(text, value::PathSyntax::kDotted);
        if (path) {
            path->emplace_back(std::string_view(rule.shown));
            put(rule.id, *path, is_found, true);
        }
        if (is_found) {
            now.emplace_back(text);
        }
    }
    if (!std::ranges::equal(now, shown, {}, {},
                            [](const value::Member& member) { return member.key.view(); })) {
        remember("shown", all_true(now));
    }
}

// The marked nodes as they are now; those that this turn touched are added to `stirred`.
Object Reactor::follow_marks(const Visibility& rule, std::vector<std::string>& stirred) {
    Object marked = recalled("marked");
    const auto add = [&](const Path& path) {
        const std::size_t key = rule.below.size() + rule.segment - 1;
        if (key < path.size()) {
            const std::string text = printed(path);
            stirred.push_back(text);
            marked = std::move(marked).set(value::Str(text), path[key].as_key());
        }
    };
    if (!memory_.contains("marked")) {
        Path path = rule.below;
        if (const Value* all = at(rule.below)) {
            visit_marked(*all, path, rule.mark, add);
        }
        return marked;
    }
    for (Path place : value::touched_places(value::diff(turn_.before.document, document_))) {
        // A mark that came or went is a change of the node that carries it.
        const bool is_key = !place.empty() && !place.back().is_index();
        const bool is_mark = is_key && place.back().key() == rule.mark;
        const bool is_switch = is_key && place.back().key() == rule.shown;
        if (is_mark || is_switch) {
            place.pop_back();
        }
        const Path& below = place.size() < rule.below.size() ? rule.below : place;
        if (!std::equal(rule.below.begin(), rule.below.end(), below.begin()) ||
            !std::equal(
                place.begin(),
                place.begin() + static_cast<std::ptrdiff_t>(std::min(place.size(), below.size())),
                below.begin())) {
            continue;
        }
        const auto forget = [&](const Path& path) {
            marked = std::move(marked).erase(printed(path));
        };
        // Only the node itself where a mark changed; else all that is in the place.
        const auto each = [&](const Value& document, const std::function<void(const Path&)>& f) {
            const Value* value = value::find(document, below);
            if (value == nullptr) {
                return;
            }
            Path path = below;
            if (is_mark || is_switch) {
                const Value* mark =
                    value->is_object() ? value->as_object().find(rule.mark) : nullptr;
                if (mark != nullptr && expr::is_true(*mark)) {
                    f(path);
                }
            } else {
                visit_marked(*value, path, rule.mark, f);
            }
        };
        each(turn_.before.document, forget);
        each(document_, add);
    }
    return marked;
}

}  // namespace arbiter::rules::internal
