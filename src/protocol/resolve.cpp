// Which protocols hold: versions chosen, dependencies brought, conflicts settled, texts in order.
#include <algorithm>
#include <map>
#include <set>

#include "base/limits.h"
#include "protocol/internal/meanings.h"
#include "protocol/library.h"

namespace arbiter::protocol {

using base::Error;
using base::ErrorCode;

namespace {

// Rounds in which versions settle: each pin that comes to light may choose another version, which
// may have other pins.
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

    Resolved run(std::span<const Wish> wishes) {
        for (const Wish& wish : wishes) {
            auto reference = parse_reference(wish.reference);
            if (!reference) {
                warn(ErrorCode::kProtocolReference, {"\"" + wish.reference.substr(0, 200) + "\""});
            } else if (library_.find(*reference) == nullptr) {
                out_.warnings.push_back(library_.unknown(wish.reference));
            } else {
                wishes_.push_back({std::move(*reference), wish.why});
            }
        }
        choose_versions();
        for (const auto& [reference, why] : wishes_) {
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
        Why why;
        bool wished = false;
        bool gone = false;
        bool replaced = false;
        std::size_t turn = 0;            // when it was complete: behind all that it needs
        std::vector<std::string> needs;  // ids
    };

    void warn(ErrorCode code, std::vector<std::string> words) {
        Error error(code, std::move(words));
        if (std::ranges::find(out_.warnings, error) == out_.warnings.end()) {
            out_.warnings.push_back(std::move(error));
        }
    }

    // ---- versions

    struct Pins {
        std::vector<Pin> wished;
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
                if (!std::ranges::all_of(pins.wished, allows) ||
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
        if (found == nullptr && !pins.wished.empty()) {
            found = pick(false);
        }
        if (found != nullptr) {
            return found;
        }
        // Wishes that no version meets: the first one counts.
        const Pin& first = pins.wished.empty() ? pins.needed.front() : pins.wished.front();
        return library_.find({std::string(id), first})->protocol;
    }

    void choose_versions() {
        std::map<std::string, Pins> before;
        for (int round = 0; round < kRoundsMax; ++round) {
            std::map<std::string, Pins> pins;
            std::vector<std::string> open;
            for (const auto& [reference, why] : wishes_) {
                auto& all = pins[reference.id].wished;
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

    // False: it cannot be used.
    bool visit(const std::string& id, const Why& why, bool wished) {
        if (const auto known = nodes_.find(id); known != nodes_.end()) {
            if (wished && !known->second.wished) {
                known->second.wished = true;
                known->second.why = why;
            }
            return !known->second.gone;
        }
        const auto chosen = chosen_.find(id);
        if (chosen == chosen_.end()) {
            return false;  // versions never settled
        }
        if (way_.size() == base::kProtocolDepthMax) {
            warn(ErrorCode::kTooDeep, {std::to_string(base::kProtocolDepthMax)});
            return false;
        }
        Node& node = nodes_[id];
        node.protocol = chosen->second;
        node.why = why;
        node.wished = wished;
        way_.push_back(id);
        std::vector<Reference> needs = node.protocol->dependencies;
        std::ranges::sort(needs, {}, &Reference::id);
        for (const Reference& need : needs) {
            if (library_.find(need) == nullptr) {
                warn(ErrorCode::kProtocolNeeds, {full_name(*node.protocol), print(need)});
                node.gone = true;
                continue;
            }
            if (const auto open = std::ranges::find(way_, need.id); open != way_.end()) {
                tell_circle(open - way_.begin());
                continue;
            }
            const bool usable = visit(need.id, {Why::What::kNeeded, id}, false);
            const auto used = chosen_.find(need.id);
            if (used != chosen_.end() && !need.pin.allows(used->second->version)) {
                warn(ErrorCode::kProtocolPins,
                     {full_name(*node.protocol), print(need), full_name(*used->second)});
            }
            if (!usable) {
                warn(ErrorCode::kProtocolWithout, {full_name(*node.protocol), need.id});
                node.gone = true;
                continue;
            }
            node.needs.push_back(need.id);
        }
        way_.pop_back();
        node.turn = ++turns_;
        return !node.gone;
    }

    // Told the same way from wherever it was entered.
    void tell_circle(std::ptrdiff_t from) {
        std::vector<std::string> circle(way_.begin() + from, way_.end());
        std::ranges::rotate(circle, std::ranges::min_element(circle));
        std::string text;
        for (const std::string& each : circle) {
            text += each + " → ";
        }
        warn(ErrorCode::kProtocolCycle, {text + circle.front()});
    }

    // ---- who holds

    void sort_nodes() {
        for (auto& [id, node] : nodes_) {
            order_.push_back(&node);
        }
        std::ranges::sort(order_, [](const Node* a, const Node* b) {
            const auto key = [](const Node& node) {
                return std::tuple(node.protocol->priority, changes_all(*node.protocol), node.turn);
            };
            return key(*a) < key(*b);
        });
    }

    // Those that stand, strongest first.
    template <typename Visit>
    void from_strongest(Visit visit_node) {
        for (auto node = order_.rbegin(); node != order_.rend(); ++node) {
            if (!(*node)->gone) {
                visit_node(**node);
            }
        }
    }

    void settle_replaced() {
        from_strongest([&](Node& node) {
            for (Node* other : order_) {
                if (other != &node && !other->gone &&
                    names(node.protocol->replaces, *other->protocol)) {
                    other->gone = other->replaced = true;
                    warn(ErrorCode::kProtocolReplaced,
                         {full_name(*other->protocol), full_name(*node.protocol)});
                }
            }
        });
        // Two that replace the same: the stronger one has done it.
        from_strongest([&](Node& node) {
            for (Node* other : order_) {
                const bool rival =
                    std::ranges::any_of(node.protocol->replaces, [&](const Reference& each) {
                        return std::ranges::any_of(
                            other->protocol->replaces,
                            [&](const Reference& theirs) { return theirs.id == each.id; });
                    });
                if (other != &node && !other->gone && rival) {
                    other->gone = true;
                    warn(ErrorCode::kProtocolConflict,
                         {full_name(*other->protocol), full_name(*node.protocol)});
                }
            }
        });
    }

    void settle_modes() {
        const Node* winner = nullptr;
        std::string losers;
        from_strongest([&](Node& node) {
            if (node.protocol->type != Type::kMode) {
                return;
            }
            if (winner == nullptr) {
                winner = &node;
                return;
            }
            node.gone = true;
            losers += (losers.empty() ? "" : ", ") + full_name(*node.protocol);
        });
        if (!losers.empty()) {
            warn(ErrorCode::kProtocolOneMode, {losers, full_name(*winner->protocol)});
        }
    }

    void settle_conflicts() {
        from_strongest([&](Node& node) {
            for (Node* other : order_) {
                if (other == &node || other->gone ||
                    (!names(node.protocol->conflicts, *other->protocol) &&
                     !names(other->protocol->conflicts, *node.protocol))) {
                    continue;
                }
                other->gone = true;
                warn(ErrorCode::kProtocolConflict,
                     {full_name(*other->protocol), full_name(*node.protocol)});
            }
        });
    }

    // Marks a protocol and all that it needs.
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
            return !node->gone && node->protocol->type == Type::kMode;
        });
        if (!options_.modes_silence || mode == order_.end()) {
            return;
        }
        const Protocol& ruler = *(*mode)->protocol;
        const auto is_other_format = [&](const Protocol& protocol) {
            return std::ranges::any_of(protocol.hints, [&](const Hint& hint) {
                return std::ranges::none_of(ruler.hints, [&](const Hint& own) {
                    return internal::same_tag(own.tag, hint.tag);
                });
            });
        };
        std::set<std::string> kept;
        keep(ruler.id, kept);
        for (const auto& [id, node] : nodes_) {
            if (node.protocol->type == Type::kCore || names(ruler.keep, *node.protocol)) {
                keep(id, kept);
            }
        }
        std::string silent;
        for (Node* node : order_) {
            if (!node->gone && !kept.contains(node->protocol->id) &&
                is_other_format(*node->protocol)) {
                node->gone = true;
                silent += (silent.empty() ? "" : ", ") + full_name(*node->protocol);
            }
        }
        if (!silent.empty()) {
            warn(ErrorCode::kProtocolSilenced, {silent, full_name(ruler)});
        }
    }

    // Takes away what stands on something that went, and what only that had brought.
    void drop_unsupported() {
        bool again = true;
        while (again) {
            again = false;
            for (Node* node : order_) {
                if (node->gone) {
                    continue;
                }
                for (const std::string& need : node->needs) {
                    const Node& other = nodes_.at(need);
                    if (other.gone && !other.replaced) {
                        node->gone = again = true;
                        warn(ErrorCode::kProtocolWithout,
                             {full_name(*node->protocol), full_name(*other.protocol)});
                        break;
                    }
                }
            }
        }
        std::set<std::string> kept;
        for (const Node* node : order_) {
            if (node->wished && !node->gone) {
                keep(node->protocol->id, kept);
            }
        }
        for (Node* node : order_) {
            node->gone = node->gone || !kept.contains(node->protocol->id);
        }
    }

    void report_overrides() {
        std::string all;
        std::size_t count = 0;
        for (const Node* node : order_) {
            if (!node->gone && changes_all(*node->protocol)) {
                all += (count++ == 0 ? "" : ", ") + full_name(*node->protocol);
            }
        }
        if (count > 1) {
            warn(ErrorCode::kProtocolOverrides, {all});
        }
    }

    // ---- what comes of it

    void write() {
        for (const Node* node : order_) {
            if (node->gone) {
                continue;
            }
            const Protocol& protocol = *node->protocol;
            out_.active.push_back({node->protocol, node->why});
            const auto inject = [&](std::vector<Injection>& into, Target target, std::string text) {
                if (!text.empty()) {
                    into.push_back({protocol.id, print(protocol.version), target, protocol.priority,
                                    std::move(text), node->why});
                }
            };
            inject(out_.instructions, protocol.target, protocol.instruction.in(options_.language));
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
        moved->clock = options_.clock;
        return moved;
    }

    // One meaning for each tag: that of the strongest.
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
        std::string losers;
        for (const Resolved::Active& active : out_.active) {
            for (const Hint& hint : active.protocol->hints) {
                if (!internal::same_tag(hint.tag, tag)) {
                    continue;
                }
                // Those that say the same do not disagree.
                if (winner != nullptr &&
                    (winner->meaning != hint.meaning || winner->component != hint.component)) {
                    losers += (losers.empty() ? "" : ", ") + full_name(*owner);
                }
                winner = &hint;
                owner = active.protocol.get();
            }
        }
        if (!losers.empty()) {
            warn(ErrorCode::kProtocolTagTaken, {tag, full_name(*owner), losers});
        }
        if (!winner->meaning) {
            return;
        }
        out_.hints.push_back({winner->tag, *winner->meaning});
        if (*winner->meaning == reader::TagMeaning::kComponent) {
            out_.components.push_back(*winner);
        }
    }

    const Library& library_;
    const ResolveOptions& options_;
    std::vector<std::pair<Reference, Why>> wishes_;
    std::map<std::string, std::shared_ptr<const Protocol>> chosen_;
    std::map<std::string, Node> nodes_;
    std::vector<Node*> order_;  // weakest first, which is the order of the texts
    std::vector<std::string> way_;
    std::size_t turns_ = 0;
    Resolved out_;
};

}  // namespace

Resolved Library::resolve(std::span<const Wish> wishes, const ResolveOptions& options) const {
    return Resolver(*this, options).run(wishes);
}

}  // namespace arbiter::protocol
