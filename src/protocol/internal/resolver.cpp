#include "protocol/internal/resolver.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/limits.h"
#include "protocol/describe.h"
#include "protocol/internal/meanings.h"
#include "text/join.h"
#include "text/truncate.h"

namespace arbiter::protocol::internal {

using base::Error;
using base::ErrorCode;

namespace {

// Rounds until the versions are stable: each new pin may select another version, which may have
// other pins.
constexpr int kRoundsMax = 8;

bool changes_all(const Protocol& protocol) {
    return protocol.type == Type::kMode || protocol.type == Type::kOverride;
}

bool names(const std::vector<Reference>& references, const Protocol& protocol) {
    return std::ranges::any_of(references, [&](const Reference& each) {
        return each.id == protocol.id && each.pin.allows(protocol.version);
    });
}

class Resolver {
  public:
    Resolver(const Library& library, const ResolveOptions& options)
        : library_(library), options_(options) {}

    Resolved run(std::span<const ProtocolRequest> requests) {
        for (const ProtocolRequest& request : requests) {
            auto reference = parse_reference(request.reference);
            if (!reference) {
                warn(
                    ErrorCode::kProtocolReference,
                    {"\"" + text::truncate_with_ellipsis(request.reference, base::kDetailBytesMax) +
                     "\""});
            } else if (library_.find(*reference) == nullptr) {
                out_.warnings.push_back(library_.unknown(request.reference));
            } else {
                requests_.push_back({std::move(*reference), request.why});
            }
        }
        choose_versions();
        for (const auto& [reference, why] : requests_) {
            visit(reference.id, why, true);
        }
        sort_nodes();
        settle_replaced();
        settle_modes();
        settle_conflicts();
        silence();
        drop_unsupported();
        report_overrides();
        write();
        return std::move(out_);
    }

  private:
    struct Node {
        std::shared_ptr<const Protocol> protocol;
        ActivationReason why;
        bool requested = false;
        bool dropped = false;
        bool replaced = false;
        std::size_t rank = 0;            // order of completion: after its dependencies
        std::size_t place = 0;           // in the order from the weakest
        std::vector<std::string> needs;  // ids
    };

    void warn(ErrorCode code, std::vector<std::string> words) {
        std::string key = std::to_string(static_cast<int>(code));
        for (const std::string& word : words) {
            key += '\n' + word;
        }
        if (warned_.size() > base::kNoticesMax || !warned_.insert(std::move(key)).second) {
            return;
        }
        out_.warnings.push_back(
            warned_.size() <= base::kNoticesMax
                ? Error(code, std::move(words))
                : Error(ErrorCode::kMoreFaults, {std::to_string(base::kNoticesMax)}));
    }

    // ---- versions

    struct Pins {
        std::vector<Pin> requested;
        std::vector<Pin> needed;
        friend bool operator==(const Pins&, const Pins&) = default;
    };

    [[nodiscard]] std::shared_ptr<const Protocol> best(std::string_view id,
                                                       const Pins& pins) const {
        const auto pick = [&](bool with_needed) -> std::shared_ptr<const Protocol> {
            std::shared_ptr<const Protocol> early;
            for (const Library::Row& row : library_.versions(id)) {
                const Version& version = row.protocol->version;
                const auto allows = [&](const Pin& pin) { return pin.allows(version); };
                if (!std::ranges::all_of(pins.requested, allows) ||
                    (with_needed && !std::ranges::all_of(pins.needed, allows))) {
                    continue;
                }
                if (version.pre.empty()) {
                    return row.protocol;
                }
                early = early == nullptr ? row.protocol : early;
            }
            return early;
        };
        auto found = pick(true);
        if (found == nullptr && !pins.requested.empty()) {
            found = pick(false);
        }
        if (found != nullptr) {
            return found;
        }
        // No version satisfies all pins: the first pin counts.
        const Pin& first = pins.requested.empty() ? pins.needed.front() : pins.requested.front();
        return library_.find({std::string(id), first})->protocol;
    }

    void choose_versions() {
        std::map<std::string, Pins> before;
        for (int round = 0; round < kRoundsMax; ++round) {
            std::map<std::string, Pins> pins;
            std::vector<std::string> open;
            for (const auto& [reference, why] : requests_) {
                auto& all = pins[reference.id].requested;
                if (std::ranges::find(all, reference.pin) == all.end()) {
                    all.push_back(reference.pin);
                }
                open.push_back(reference.id);
            }
            chosen_.clear();
            while (!open.empty()) {
                const std::string id = std::move(open.back());
                open.pop_back();
                if (chosen_.contains(id)) {
                    continue;
                }
                const auto known = before.find(id);
                const auto& protocol = chosen_[id] =
                    best(id, known != before.end() ? known->second : pins[id]);
                for (const Reference& need : protocol->dependencies) {
                    if (library_.find(need) != nullptr) {
                        auto& all = pins[need.id].needed;
                        if (std::ranges::find(all, need.pin) == all.end()) {
                            all.push_back(need.pin);
                        }
                        open.push_back(need.id);
                    }
                }
            }
            if (pins == before) {
                return;
            }
            before = std::move(pins);
        }
    }

    // ---- dependencies

    // Adds a protocol with its dependencies; false if it cannot be used.
    bool visit(const std::string& id, const ActivationReason& why, bool requested) {
        if (const auto known = nodes_.find(id); known != nodes_.end()) {
            if (requested && !known->second.requested) {
                known->second.requested = true;
                known->second.why = why;
            }
            return !known->second.dropped;
        }
        const auto chosen = chosen_.find(id);
        if (chosen == chosen_.end()) {
            return false;  // the versions never became stable
        }
        if (stack_.size() == base::kProtocolDepthMax) {
            warn(ErrorCode::kTooDeep, {std::to_string(base::kProtocolDepthMax)});
            return false;
        }
        Node& node = nodes_[id];
        node.protocol = chosen->second;
        node.why = why;
        node.requested = requested;
        stack_.push_back(id);
        std::vector<Reference> needs = node.protocol->dependencies;
        std::ranges::sort(needs, {}, &Reference::id);
        for (const Reference& need : needs) {
            if (library_.find(need) == nullptr && options_.is_recorded) {
                continue;
            }
            if (library_.find(need) == nullptr) {
                warn(ErrorCode::kProtocolNeeds, {full_name(*node.protocol), print(need)});
                node.dropped = true;
                continue;
            }
            if (const auto open = std::ranges::find(stack_, need.id); open != stack_.end()) {
                report_cycle(open - stack_.begin());
                continue;
            }
            const bool usable = visit(need.id, {ActivationReason::Kind::kNeeded, id}, false);
            const auto used = chosen_.find(need.id);
            if (used != chosen_.end() && !need.pin.allows(used->second->version)) {
                warn(ErrorCode::kProtocolPins,
                     {full_name(*node.protocol), print(need), full_name(*used->second)});
            }
            if (!usable) {
                warn(ErrorCode::kProtocolWithout, {full_name(*node.protocol), need.id});
                node.dropped = true;
                continue;
            }
            node.needs.push_back(need.id);
        }
        stack_.pop_back();
        node.rank = ++ranks_;
        return !node.dropped;
    }

    // The same text from whichever member the cycle was entered.
    void report_cycle(std::ptrdiff_t from) {
        std::vector<std::string> cycle(stack_.begin() + from, stack_.end());
        std::ranges::rotate(cycle, std::ranges::min_element(cycle));
        std::string text;
        for (const std::string& each : cycle) {
            text += each + " → ";
        }
        warn(ErrorCode::kProtocolCycle, {text + cycle.front()});
    }

    // ---- conflicts

    void sort_nodes() {
        for (auto& [id, node] : nodes_) {
            order_.push_back(&node);
        }
        std::ranges::sort(order_, [](const Node* a, const Node* b) {
            const auto key = [](const Node& node) {
                return std::tuple(node.protocol->priority, changes_all(*node.protocol), node.rank);
            };
            return key(*a) < key(*b);
        });
        for (std::size_t i = 0; i < order_.size(); ++i) {
            order_[i]->place = i;
        }
    }

    // Visits the protocols that were not dropped, strongest first.
    template <typename Visit>
    void from_strongest(Visit visit_node) {
        for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
            if (!(*node)->dropped) {
                visit_node(**node);
            }
        }
    }

    // The nodes that references name, weakest first.
    std::vector<Node*> named(const std::vector<Reference>& references) {
        std::vector<Node*> found;
        for (const Reference& each : references) {
            const auto node = nodes_.find(each.id);
            if (node != nodes_.end() && each.pin.allows(node->second.protocol->version)) {
                found.push_back(&node->second);
            }
        }
        return in_order(std::move(found));
    }
    static std::vector<Node*> in_order(std::vector<Node*> nodes) {
        std::ranges::sort(nodes, {}, &Node::place);
        const auto rest = std::ranges::unique(nodes);
        nodes.erase(rest.begin(), rest.end());
        return nodes;
    }

    void settle_replaced() {
        from_strongest([&](Node& node) {
            for (Node* other : named(node.protocol->replaces)) {
                if (other != &node && !other->dropped) {
                    other->dropped = other->replaced = true;
                    warn(ErrorCode::kProtocolReplaced,
                         {full_name(*other->protocol), full_name(*node.protocol)});
                }
            }
        });
        // Of two that replace the same protocol, the stronger one counts.
        std::map<std::string, std::vector<Node*>, std::less<>> replacing;
        for (Node* node : order_) {
            for (const Reference& each : node->protocol->replaces) {
                replacing[each.id].push_back(node);
            }
        }
        from_strongest([&](Node& node) {
            std::vector<Node*> rivals;
            for (const Reference& each : node.protocol->replaces) {
                const std::vector<Node*>& all = replacing[each.id];
                rivals.insert(rivals.end(), all.begin(), all.end());
            }
            for (Node* other : in_order(std::move(rivals))) {
                if (other != &node && !other->dropped) {
                    other->dropped = true;
                    warn(ErrorCode::kProtocolConflict,
                         {full_name(*other->protocol), full_name(*node.protocol)});
                }
            }
        });
    }

    void settle_modes() {
        const Node* winner = nullptr;
        std::vector<std::string> losers;
        from_strongest([&](Node& node) {
            if (node.protocol->type != Type::kMode) {
                return;
            }
            if (winner == nullptr) {
                winner = &node;
                return;
            }
            node.dropped = true;
            losers.push_back(full_name(*node.protocol));
        });
        if (!losers.empty()) {
            warn(ErrorCode::kProtocolOneMode, {text::join(losers), full_name(*winner->protocol)});
        }
    }

    void settle_conflicts() {
        std::map<const Node*, std::vector<Node*>> against;  // those that name it
        for (Node* node : order_) {
            for (const Node* other : named(node->protocol->conflicts)) {
                against[other].push_back(node);
            }
        }
        from_strongest([&](Node& node) {
            std::vector<Node*> rivals = named(node.protocol->conflicts);
            const std::vector<Node*>& others = against[&node];
            rivals.insert(rivals.end(), others.begin(), others.end());
            for (Node* other : in_order(std::move(rivals))) {
                if (other == &node || other->dropped) {
                    continue;
                }
                other->dropped = true;
                warn(ErrorCode::kProtocolConflict,
                     {full_name(*other->protocol), full_name(*node.protocol)});
            }
        });
    }

    // Marks a protocol and its dependencies.
    void keep(const std::string& id, std::set<std::string>& kept) const {
        const auto found = nodes_.find(id);
        if (found == nodes_.end() || !kept.insert(id).second) {
            return;
        }
        for (const std::string& need : found->second.needs) {
            keep(need, kept);
        }
    }

    void silence() {
        const auto mode = std::ranges::find_if(order_, [](const Node* node) {
            return !node->dropped && node->protocol->type == Type::kMode;
        });
        if (!options_.modes_silence || mode == order_.end()) {
            return;
        }
        const Protocol& ruler = *(*mode)->protocol;
        const auto is_other_format = [&](const Protocol& protocol) {
            return std::ranges::any_of(protocol.hints, [&](const Hint& hint) {
                return std::ranges::none_of(
                    ruler.hints, [&](const Hint& own) { return same_tag(own.tag, hint.tag); });
            });
        };
        std::set<std::string> kept;
        keep(ruler.id, kept);
        for (const auto& [id, node] : nodes_) {
            if (node.protocol->type == Type::kCore || names(ruler.keep, *node.protocol)) {
                keep(id, kept);
            }
        }
        std::vector<std::string> silent;
        for (Node* node : order_) {
            if (!node->dropped && !kept.contains(node->protocol->id) &&
                is_other_format(*node->protocol)) {
                node->dropped = true;
                silent.push_back(full_name(*node->protocol));
            }
        }
        if (!silent.empty()) {
            warn(ErrorCode::kProtocolSilenced, {text::join(silent), full_name(ruler)});
        }
    }

    // Drops protocols whose dependency was dropped, and dependencies that nothing needs any more.
    void drop_unsupported() {
        std::map<std::string, std::vector<Node*>, std::less<>> users;
        std::vector<const Node*> open;
        for (Node* node : order_) {
            for (const std::string& need : node->needs) {
                users[need].push_back(node);
            }
            if (node->dropped && !node->replaced) {
                open.push_back(node);
            }
        }
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (Node* node : users[open[i]->protocol->id]) {
                if (node->dropped) {
                    continue;
                }
                node->dropped = true;
                open.push_back(node);
                const auto gone = std::ranges::find_if(node->needs, [&](const std::string& need) {
                    return nodes_.at(need).dropped && !nodes_.at(need).replaced;
                });
                warn(ErrorCode::kProtocolWithout,
                     {full_name(*node->protocol), full_name(*nodes_.at(*gone).protocol)});
            }
        }
        std::set<std::string> kept;
        for (const Node* node : order_) {
            if (node->requested && !node->dropped) {
                keep(node->protocol->id, kept);
            }
        }
        for (Node* node : order_) {
            node->dropped = node->dropped || !kept.contains(node->protocol->id);
        }
    }

    void report_overrides() {
        std::vector<std::string> overrides;
        for (const Node* node : order_) {
            if (!node->dropped && changes_all(*node->protocol)) {
                overrides.push_back(full_name(*node->protocol));
            }
        }
        if (overrides.size() > 1) {
            warn(ErrorCode::kProtocolOverrides, {text::join(overrides)});
        }
    }

    // ---- output

    void write() {
        for (const Node* node : order_) {
            if (node->dropped) {
                continue;
            }
            const Protocol& protocol = *node->protocol;
            out_.active.push_back({node->protocol, node->why});
            const auto inject = [&](std::vector<Injection>& into, Target target,
                                    std::string_view text) {
                if (!text.empty()) {
                    into.push_back({protocol.id, print(protocol.version), target, protocol.priority,
                                    std::string(text), node->why});
                }
            };
            inject(out_.instructions, protocol.target, protocol.instruction.in(options_.language));
            if (protocol.teach && !out_.instructions.empty()) {
                out_.instructions.back().teach = protocol.teach;
            }
            inject(out_.examples, Target::kBeforeHistory, few_shot(protocol, options_.language));
            for (std::size_t i = 0; i < 32; ++i) {
                const auto dialect = static_cast<proposal::Dialect>(i);
                if (dialect == proposal::Dialect::kCount) {
                    break;
                }
                if (protocol.dialects.has(dialect)) {
                    out_.dialects.add(dialect);
                }
            }
            if (protocol.constraints != nullptr) {
                out_.constraints.push_back(constraints_of(protocol));
            }
        }
        write_hints();
    }

    [[nodiscard]] std::shared_ptr<const rules::Rulebook> constraints_of(
        const Protocol& protocol) const {
        if (!options_.clock || protocol.own_clock || protocol.constraints->daily_limits.empty()) {
            return protocol.constraints;
        }
        auto moved = std::make_shared<rules::Rulebook>(*protocol.constraints);
        const auto usual = std::exchange(moved->clock, options_.clock);
        if (usual) {
            moved->clock->elsewhere.push_back(usual->date);
            moved->clock->elsewhere.insert(moved->clock->elsewhere.end(), usual->elsewhere.begin(),
                                           usual->elsewhere.end());
        }
        return moved;
    }

    // Each tag has one meaning: that of the strongest protocol.
    void write_hints() {
        std::set<std::string> done;
        for (const Resolved::Active& active : out_.active) {
            for (const Hint& hint : active.protocol->hints) {
                std::string tag = hint.tag;
                std::ranges::transform(tag, tag.begin(), [](char c) {
                    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
                });
                if (done.insert(tag).second) {
                    write_hint(hint.tag);
                }
            }
        }
    }

    void write_hint(const std::string& tag) {
        const Hint* winner = nullptr;
        const Protocol* owner = nullptr;
        std::vector<std::string> losers;
        for (const Resolved::Active& active : out_.active) {
            for (const Hint& hint : active.protocol->hints) {
                if (!same_tag(hint.tag, tag)) {
                    continue;
                }
                // Equal hints are not a conflict.
                if (winner != nullptr &&
                    (winner->meaning != hint.meaning || winner->component != hint.component)) {
                    losers.push_back(full_name(*owner));
                }
                winner = &hint;
                owner = active.protocol.get();
            }
        }
        if (!losers.empty()) {
            warn(ErrorCode::kProtocolTagTaken, {tag, full_name(*owner), text::join(losers)});
        }
        if (!winner->meaning) {
            return;
        }
        out_.hints.push_back({winner->tag, *winner->meaning, winner->component == "hidden"});
        if (*winner->meaning == reader::TagMeaning::kComponent) {
            out_.components.push_back(*winner);
        }
    }

    const Library& library_;
    const ResolveOptions& options_;
    std::vector<std::pair<Reference, ActivationReason>> requests_;
    std::map<std::string, std::shared_ptr<const Protocol>> chosen_;
    std::map<std::string, Node> nodes_;
    std::vector<Node*> order_;  // weakest first: the order of the texts
    std::vector<std::string> stack_;
    std::size_t ranks_ = 0;
    Resolved out_;
    std::set<std::string> warned_;  // codes and words of the warnings
};

}  // namespace

Resolved resolve(const Library& library, std::span<const ProtocolRequest> requests,
                 const ResolveOptions& options) {
    return Resolver(library, options).run(requests);
}

}  // namespace arbiter::protocol::internal
