#include "rules/internal/stock_phase.h"

#include <functional>
#include <vector>

#include "rules/internal/output_rate.h"
#include "rules/limit.h"
#include "value/array.h"

namespace arbiter::rules::internal {

using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kCarry = "carry";

// One stock: the path of its entry, and the positions of rate and stock in it.
using Visit = std::function<void(const Path& entry, const Array& parts, std::size_t rate)>;

// The position of the rate in an entry [rate, stock], or in a row such as [name, rate, stock].
std::optional<std::size_t> rate_in(const Array& parts, bool is_row) {
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const auto rate = parse_rate(parts[i]);
        if (rate && is_stock(parts[i + 1]) && (i == 0 || rate->has_period)) {
            return i;
        }
        if (!is_row) {
            break;
        }
    }
    return std::nullopt;
}

class Walk {
  public:
    Walk(std::string_view key, const Visit& visit) : key_(key), visit_(visit) {}

    void run(const Value& value, Path& path) const {
        if (value.is_object()) {
            for (const auto& [key, member] : value.as_object()) {
                path.emplace_back(key);
                key.view() == key_ ? entries(member, path) : run(member, path);
                path.pop_back();
            }
        } else if (value.is_array()) {
            const Array& rows = value.as_array();
            const auto column = column_in(rows);
            for (std::size_t i = 0; i < rows.size(); ++i) {
                path.emplace_back(static_cast<std::int64_t>(i));
                if (column && i > 0 && rows[i].is_array() && *column < rows[i].as_array().size()) {
                    path.emplace_back(static_cast<std::int64_t>(*column));
                    entries(rows[i].as_array()[*column], path);
                    path.pop_back();
                } else {
                    run(rows[i], path);
                }
                path.pop_back();
            }
        }
    }

  private:
    // The column of the stocks in a table whose first row has the headings.
    [[nodiscard]] std::optional<std::size_t> column_in(const Array& rows) const {
        if (rows.empty() || !rows[0].is_array()) {
            return std::nullopt;
        }
        const Array& headings = rows[0].as_array();
        for (std::size_t i = 0; i < headings.size(); ++i) {
            if (headings[i].is_string() && headings[i].as_string() == key_) {
                return i;
            }
        }
        return std::nullopt;
    }

    void entries(const Value& written, Path& path) const {
        const Value& all = contained(written);
        const bool is_pair = &all != &written;
        if (is_pair) {
            path.emplace_back(std::int64_t{0});
        }
        const auto entry = [&](const Value& value, value::Segment step, bool is_row) {
            path.push_back(std::move(step));
            const auto rate = value.is_array() ? rate_in(value.as_array(), is_row) : std::nullopt;
            if (rate) {
                visit_(path, value.as_array(), *rate);
            } else if (value.is_container()) {
                run(value, path);
            }
            path.pop_back();
        };
        if (all.is_object()) {
            for (const auto& [key, value] : all.as_object()) {
                entry(value, value::Segment(key), false);
            }
        } else if (all.is_array()) {
            for (std::size_t i = 0; i < all.as_array().size(); ++i) {
                entry(all.as_array()[i], value::Segment(static_cast<std::int64_t>(i)), true);
            }
        }
        if (is_pair) {
            path.pop_back();
        }
    }

    std::string_view key_;
    const Visit& visit_;
};

struct Change {
    Path path;
    Value stock;
};

}  // namespace

void restate_stocks(const ReactionContext& context, PaidDays& paid) {
    const Visit visit = [&](const Path& entry, const Array&, std::size_t) {
        if (context.is_written(entry)) {
            paid.restate(entry);
        }
    };
    for (const Stocks& rule : context.book.stocks) {
        if (const Value* below = context.at(rule.below)) {
            Path path = rule.below;
            Walk(rule.key, visit).run(*below, path);
        }
    }
}

void pass_stocks(ReactionContext& context, const PaidDays& paid) {
    const Object old_carry = context.recalled(kCarry);
    Object carry;
    for (const Stocks& rule : context.book.stocks) {
        std::vector<Change> changes;
        const Visit visit = [&](const Path& entry, const Array& parts, std::size_t at) {
            const value::Str key(printed(entry));
            if (context.is_written(entry)) {
                return;
            }
            const Value* kept = old_carry.find(key);
            const std::int64_t days = paid.due(entry);
            if (days <= 0) {
                if (kept != nullptr) {
                    carry = std::move(carry).set(key, *kept);
                }
                return;
            }
            const auto rate = parse_rate(parts[at]);
            const auto accrual = accrue(*rate, parts[at + 1], days,
                                        kept != nullptr && kept->is_int() ? kept->as_int() : 0);
            if (!accrual) {
                return;
            }
            if (accrual->carry != 0) {
                carry = std::move(carry).set(key, accrual->carry);
            }
            Path stock = entry;
            stock.emplace_back(static_cast<std::int64_t>(at + 1));
            changes.push_back({std::move(stock), accrual->stock});
        };
        const Value* below = context.at(rule.below);
        Path path = rule.below;
        if (below != nullptr) {
            Walk(rule.key, visit).run(*below, path);
        }
        for (const Change& change : changes) {
            context.put(rule.id, change.path, change.stock);
        }
    }
    if (!carry.empty()) {
        context.remember(kCarry, std::move(carry));
    } else if (!old_carry.empty()) {
        context.forget(kCarry);
    }
}

StockCheck::StockCheck(const Stocks& stocks)
    : place_(value::pattern_of(stocks.below)), key_(stocks.key) {
    place_.push_back({value::PatternStep::Kind::kBelow, value::Segment(""), {}});
}

engine::CheckResult StockCheck::judge(const Case& about) const {
    const std::size_t size = about.path.size();
    const bool is_entry = size >= 2 && !about.path[size - 2].is_index() &&
                          about.path[size - 2].key() == key_ && about.now != nullptr;
    if (!is_entry) {
        return {};
    }
    const Value& entry = *about.now;
    bool readable = true;
    if (entry.is_string()) {
        // A rate without a stock.
        const auto rate = parse_rate(entry);
        readable = !rate || !rate->has_period;
    } else if (entry.is_array() && !entry.as_array().empty()) {
        const Array& parts = entry.as_array();
        readable = !has_digit(parts[0]) || (parse_rate(parts[0]) && parts.size() > 1 &&
                                            (is_stock(parts[1]) || !has_digit(parts[1])));
    }
    if (readable) {
        return {};
    }
    return {
        engine::CheckResult::Action::kAllow, {}, {}, {{proposal::Warning::kOutputUnreadable, {}}}};
}

}  // namespace arbiter::rules::internal
