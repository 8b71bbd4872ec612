#include "ledger/budget.h"

#include <algorithm>

#include "base/limits.h"
#include "text/utf8.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;
using value::Object;
using value::Value;

namespace {

// A weight counts 8 for a value that may print as one byte, and 1 for a character that may print as
// six.
constexpr std::uint64_t kBytesPerWeightMax = 6;
constexpr std::uint64_t kWeightPerByteMax = 8;

// Levels that a record puts around a value: {"steps":[[{"after":…}]]}.
constexpr std::size_t kLevelsAround = 4;
constexpr std::size_t kDepthInRecordMax = base::kDepthMax - kLevelsAround;
// {"document":…}
constexpr std::size_t kDepthInStateMax = base::kDepthMax - 1;

std::unexpected<base::Error> too_large() {
    return base::fail(ErrorCode::kRecordTooLarge, {std::to_string(base::kRecordTextBytesMax)});
}
std::unexpected<base::Error> too_deep() {
    return base::fail(ErrorCode::kRecordTooDeep, {std::to_string(base::kDepthMax)});
}

// The values of one JSON text. Their weight is limited too, since reading takes memory for each
// value. Light values fit whatever they hold; others are counted as they print.
class TextBudget {
  public:
    void add(const Value& value) {
        is_too_deep_ = is_too_deep_ || value.is_deeper_than(kDepthInRecordMax);
        const std::uint64_t sum = weight_ + value::weigh(value);
        weight_ = sum < weight_ ? ~std::uint64_t{0} : sum;
        values_.push_back(value);
    }
    void add(std::string_view text) { weight_ += text.size(); }  // far below the limit of 64 bits
    void add(const value::Diff& changes) {
        for (const value::Change& change : changes) {
            add(change.before);
            add(change.after);
        }
    }

    [[nodiscard]] Result<> check() const {
        if (is_too_deep_) {
            return too_deep();
        }
        if (weight_ <= base::kRecordTextBytesMax / kBytesPerWeightMax) {
            return {};
        }
        if (weight_ > base::kRecordTextBytesMax) {
            return too_large();
        }
        std::size_t left = base::kRecordTextBytesMax;
        for (const Value& value : values_) {
            const auto size = value::json_size(value, left);
            if (!size) {
                return too_large();
            }
            left -= *size;
        }
        return {};
    }

  private:
    std::uint64_t weight_ = 0;
    bool is_too_deep_ = false;
    std::vector<Value> values_;
};

}  // namespace

Result<> check_budget(const Record& record) {
    TextBudget inputs;
    inputs.add(std::string_view(record.shown));
    for (const Value& value :
         {Value(record.said_proposals), Value(record.proposals), Value(record.rules),
          Value(record.globals), Value(record.host.before), Value(record.host.after)}) {
        inputs.add(value);
    }
    TextBudget changes;
    for (const value::Diff& step : record.steps) {
        changes.add(step);
    }
    changes.add(record.meta);
    TextBudget details;
    for (const std::string_view text :
         {std::string_view(record.said), std::string_view(record.raw),
          std::string_view(record.told),
          std::string_view(record.continues ? std::string_view(*record.continues) : "")}) {
        details.add(text);
    }
    details.add(Value(record.audit));
    details.add(Value(record.trace));
    for (const ActionEntry& action : record.actions) {
        details.add(Value(action.members));
    }
    if (record.edit) {
        details.add(Value(record.edit->action));
    }
    for (const TextBudget* text : {&inputs, &changes, &details}) {
        if (auto fits = text->check(); !fits) {
            return fits;
        }
    }
    return {};
}

Result<> check_encoded(const EncodedRecord& encoded) {
    const std::size_t inputs = std::min(encoded.replay_part.find('\n'), encoded.replay_part.size());
    const std::size_t changes = encoded.replay_part.size() - inputs;  // and the line break
    if (std::max({inputs + 1, changes, encoded.details_part.size() + 1}) >
        base::kRecordTextBytesMax + 1) {
        return too_large();
    }
    if (!text::is_valid(encoded.replay_part) || !text::is_valid(encoded.details_part)) {
        return base::fail(ErrorCode::kNotUtf8, {"the turn"});
    }
    return {};
}

Result<std::size_t> measure_state(const engine::State& state) {
    const Value meta(state.meta);
    if (state.document.is_deeper_than(kDepthInStateMax) || meta.is_deeper_than(kDepthInStateMax)) {
        return too_deep();
    }
    const Value whole = Object{{"document", state.document}, {"meta", state.meta}};
    const std::uint64_t weight = value::weigh(whole);
    if (weight <= base::kRecordTextBytesMax / kBytesPerWeightMax) {
        return static_cast<std::size_t>(weight * kBytesPerWeightMax);
    }
    const auto size = weight / kWeightPerByteMax <= base::kRecordTextBytesMax
                          ? value::json_size(whole, base::kRecordTextBytesMax)
                          : std::nullopt;
    if (!size) {
        return base::fail(ErrorCode::kStateTooLarge, {std::to_string(base::kRecordTextBytesMax)});
    }
    return *size;
}

}  // namespace arbiter::ledger
