#include "ledger/turn_row.h"

#include <charconv>
#include <string>

#include "ledger/budget.h"
#include "ledger/record_pack.h"
#include "ledger/record_text.h"

namespace arbiter::ledger {

using base::Result;

Result<EncodedTurn> encode_row(const Record& record) {
    if (auto fits = check_budget(record); !fits) {
        return std::unexpected(std::move(fits).error());
    }
    const EncodedRecord encoded = print_record(record);
    if (auto readable = check_encoded(encoded); !readable) {
        return std::unexpected(std::move(readable).error());
    }
    const std::size_t changes = encoded.replay_part.size() - encoded.replay_part.find('\n');
    return EncodedTurn{{sha256(encoded.replay_part), record.parent, record.number, record.time,
                        pack_record(encoded)},
                       changes};
}

std::optional<std::size_t> turn_number(std::string_view text) noexcept {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty()
               ? std::optional(number)
               : std::nullopt;
}

std::optional<IdRange> ids_that_begin_with(std::string_view text) {
    constexpr std::size_t kDigitsMin = 4;
    constexpr std::size_t kDigits = 2 * sizeof(TurnId);
    if (text.size() < kDigitsMin || text.size() > kDigits) {
        return std::nullopt;
    }
    const std::string rest(kDigits - text.size(), '0');
    const auto first = Digest::from_hex(std::string(text) + rest);
    const auto last = Digest::from_hex(std::string(text) + std::string(rest.size(), 'f'));
    return first && last ? std::optional(IdRange{*first, *last}) : std::nullopt;
}

}  // namespace arbiter::ledger
