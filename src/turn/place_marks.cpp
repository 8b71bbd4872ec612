#include "turn/place_marks.h"

#include "engine/marks.h"
#include "table/goal.h"
#include "table/layout.h"
#include "value/array.h"

namespace arbiter::turn {
namespace {

using value::Path;
using value::Value;
using Kind = PlaceMark::Kind;

class Collector {
  public:
    Collector(const Value& document, std::size_t most) : document_(document), most_(most) {}

    // The marks that nodes carry themselves. Marks inside a hidden node are left out.
    void take_nodes(const Value& node, Path& path) {
        if (is_full() || !node.is_container()) {
            return;
        }
        if (engine::is_filtered_out(node)) {
            add({Kind::kHidden, path, "_filter", {}, {}});
            return;
        }
        if (engine::is_protected(node)) {
            add({Kind::kProtected, path, "_is_protected", {}, {}});
        }
        const auto below = [&](const value::Segment& segment, const Value& member) {
            path.push_back(segment);
            take_nodes(member, path);
            path.pop_back();
        };
        if (node.is_array()) {
            std::int64_t index = 0;
            for (const Value& member : node.as_array()) {
                below(value::Segment(index++), member);
            }
            return;
        }
        for (const auto& [key, member] : node.as_object()) {
            below(value::Segment(key), member);
        }
    }

    void take_place(const value::Pattern& place, const PlaceMark& mark) {
        value::visit_matches(place, document_,
                             [&](const Path& path, const value::Bindings&, const Value&) {
                                 PlaceMark made = mark;
                                 made.path = path;
                                 add(std::move(made));
                                 return !is_full();
                             });
    }

    std::vector<PlaceMark> take() { return std::move(marks_); }

  private:
    [[nodiscard]] bool is_full() const noexcept { return marks_.size() >= most_; }
    void add(PlaceMark mark) {
        if (!is_full()) {
            marks_.push_back(std::move(mark));
        }
    }

    const Value& document_;
    std::size_t most_;
    std::vector<PlaceMark> marks_;
};

std::optional<Kind> kind_of(const rules::RuleSummary& rule) {
    if (rule.kind == "derived" || rule.kind == "countdown") {
        return Kind::kDerived;
    }
    if (rule.kind == "limit" || rule.kind == "form") {
        return Kind::kLimited;
    }
    if (rule.kind == "read_only" || rule.kind == "kept") {
        return Kind::kProtected;
    }
    return std::nullopt;
}

}  // namespace

std::string_view name(Kind kind) noexcept {
    switch (kind) {
        case Kind::kHidden:
            return "hidden";
        case Kind::kProtected:
            return "protected";
        case Kind::kDerived:
            return "derived";
        case Kind::kLimited:
            return "limited";
    }
    return "";
}

std::vector<PlaceMark> place_marks(const Rules& rules, const Value& document, std::size_t most) {
    Collector collector(document, most);
    Path path;
    collector.take_nodes(document, path);
    if (table::is_goal_hidden(document)) {
        collector.take_place(value::pattern_of(table::campaign_path({"goal"})),
                             {Kind::kHidden, {}, "goal.is_hidden", {}, {}});
    }
    for (const engine::ClosedPath& closed : rules.policy.closed) {
        collector.take_place(value::pattern_of(closed.path), {Kind::kProtected, {}, {}, {}, {}});
    }
    for (const table::AuthorityRow& row : rules.authority) {
        collector.take_place(row.place, {Kind::kProtected, {}, row.tool, {}, {}});
    }
    for (const auto& book : rules.books) {
        for (const rules::RuleSummary& rule : book->summaries) {
            const auto kind = kind_of(rule);
            for (const value::Pattern& place : kind ? rule.writes : std::vector<value::Pattern>()) {
                collector.take_place(place, {*kind, {}, rule.id, book->name, rule.text});
            }
        }
    }
    return collector.take();
}

}  // namespace arbiter::turn
