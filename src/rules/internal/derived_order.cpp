#include "rules/internal/derived_order.h"

#include <algorithm>
#include <map>
#include <string>

namespace arbiter::rules::internal {

using value::Pattern;
using Kind = value::PatternStep::Kind;

namespace {

// A graph of rules (first, by their numbers) and of what they share.
class Waiting {
  public:
    explicit Waiting(std::size_t rules) : sources_(rules), readers_(rules) {}

    std::size_t add() {
        sources_.emplace_back();
        readers_.emplace_back();
        return sources_.size() - 1;
    }
    // `reader` comes behind `source`.
    void wait(std::size_t reader, std::size_t source) {
        sources_[reader].push_back(source);
        readers_[source].push_back(reader);
    }
    [[nodiscard]] DerivedOrder order(std::size_t rules) const {
        DerivedOrder order;
        std::vector<std::size_t> waits;
        std::vector<std::size_t> ready;
        for (const auto& sources : sources_) {
            if (sources.empty()) {
                ready.push_back(waits.size());
            }
            waits.push_back(sources.size());
        }
        for (std::size_t next = 0; next < ready.size(); ++next) {
            if (ready[next] < rules) {
                order.sorted.push_back(ready[next]);
            }
            for (const std::size_t reader : readers_[ready[next]]) {
                if (--waits[reader] == 0) {
                    ready.push_back(reader);
                }
            }
        }
        if (order.sorted.size() < rules) {
            order.cycle = cycle(rules, waits);
        }
        return order;
    }

  private:
    // From anything that waits to what it waits for, until that has been met before.
    [[nodiscard]] std::vector<std::size_t> cycle(std::size_t rules,
                                                 const std::vector<std::size_t>& waits) const {
        const auto waiting = [&](std::size_t each) { return waits[each] > 0; };
        std::vector<std::size_t> way;
        std::vector<bool> met(sources_.size());
        std::size_t at = 0;
        while (!waiting(at)) {
            ++at;
        }
        while (!met[at]) {
            met[at] = true;
            way.push_back(at);
            at = *std::ranges::find_if(sources_[at], waiting);
        }
        way.erase(way.begin(), std::ranges::find(way, at));
        std::erase_if(way, [rules](std::size_t each) { return each >= rules; });
        return way;
    }

    std::vector<std::vector<std::size_t>> sources_;
    std::vector<std::vector<std::size_t>> readers_;
};

// The places that are derived, as a tree of their steps.
class Tree {
  public:
    explicit Tree(std::span<const Derived> rules) : graph_(rules.size()) {
        nodes_.emplace_back();
        for (std::size_t rule = 0; rule < rules.size(); ++rule) {
            std::size_t at = 0;
            for (const value::PatternStep& step : rules[rule].place) {
                at = child(at, step);
            }
            nodes_[at].rules.push_back(rule);
        }
        // One graph node for the whole branch, one for the path to it.
        for (std::size_t at = 0; at < nodes_.size(); ++at) {
            nodes_[at].branch = graph_.add();
            nodes_[at].way = graph_.add();
            for (const std::size_t rule : nodes_[at].rules) {
                graph_.wait(nodes_[at].branch, rule);
                graph_.wait(nodes_[at].way, rule);
            }
            if (at > 0) {
                graph_.wait(nodes_[nodes_[at].parent].branch, nodes_[at].branch);
                graph_.wait(nodes_[at].way, nodes_[nodes_[at].parent].way);
            }
        }
    }

    void wait(std::size_t rule, const Pattern& read) {
        std::string text;
        for (const value::PatternStep& step : read) {
            text += name(step) + '\n';
        }
        const auto [known, fresh] = reads_.emplace(text, 0);
        if (fresh) {
            known->second = graph_.add();
            from(known->second, 0, read, 0);
        }
        graph_.wait(rule, known->second);
    }
    [[nodiscard]] DerivedOrder order(std::size_t rules) const { return graph_.order(rules); }

  private:
    struct Node {
        std::size_t parent = 0;
        std::map<std::string, std::size_t> children;
        std::vector<std::size_t> rules;
        std::size_t branch = 0;
        std::size_t way = 0;
    };

    static std::string name(const value::PatternStep& step) {
        return step.kind == Kind::kPlain  ? "." + std::string(step.segment.as_key().view())
               : step.kind == Kind::kOpen ? "*"
                                          : "**";
    }
    std::size_t child(std::size_t at, const value::PatternStep& step) {
        const auto [found, fresh] = nodes_[at].children.emplace(name(step), nodes_.size());
        const std::size_t place = found->second;
        if (fresh) {
            nodes_.emplace_back().parent = at;
        }
        return place;
    }
    // All that may meet the rest of a pattern: places on the way, and in the branch at its end.
    void from(std::size_t reader, std::size_t at, const Pattern& read, std::size_t step) {
        const bool open =
            std::all_of(read.begin() + static_cast<std::ptrdiff_t>(step), read.end(),
                        [](const value::PatternStep& each) { return each.kind != Kind::kPlain; });
        graph_.wait(reader, nodes_[at].way);
        if (open) {
            graph_.wait(reader, nodes_[at].branch);
            return;
        }
        const auto into = [&](const std::string& key) {
            if (const auto found = nodes_[at].children.find(key);
                found != nodes_[at].children.end()) {
                from(reader, found->second, read, step + 1);
            }
        };
        if (const auto below = nodes_[at].children.find("**"); below != nodes_[at].children.end()) {
            graph_.wait(reader, nodes_[below->second].branch);
        }
        if (read[step].kind == Kind::kPlain) {
            into(name(read[step]));
            into("*");
            return;
        }
        for (const auto& [key, each] : nodes_[at].children) {
            if (key != "**") {
                from(reader, each, read, step + 1);
            }
        }
    }

    Waiting graph_;
    std::vector<Node> nodes_;
    std::map<std::string, std::size_t, std::less<>> reads_;
};

}  // namespace

DerivedOrder order_of(std::span<const Derived> rules) {
    Tree tree(rules);
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
        for (const Pattern& read : rules[rule].formula.reads()) {
            tree.wait(rule, read);
        }
    }
    return tree.order(rules.size());
}

}  // namespace arbiter::rules::internal
