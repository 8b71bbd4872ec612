// Any bytes as a stored turn: packed, or as the text of its two parts (divided by a form feed).
// Reading never crashes, and what reads prints to a record that reads and prints the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "ledger/record_pack.h"

using namespace arbiter;

namespace {

// The digest that joins the parts is never guessed, so it is put in where a text asks for it.
void fill_in_digest(ledger::EncodedRecord& encoded) {
    const std::string digest = ledger::sha256(encoded.details_part).hex();
    const std::size_t at = encoded.replay_part.find("@digest@");
    if (at != std::string::npos) {
        encoded.replay_part.replace(at, std::string_view("@digest@").size(), digest);
    }
}

void check(const ledger::EncodedRecord& encoded) {
    const auto unpacked = ledger::unpack_record(ledger::pack_record(encoded));
    CHECK(unpacked && unpacked->replay_part == encoded.replay_part &&
          unpacked->details_part == encoded.details_part);
    const auto part = ledger::parse_replay_part(encoded.replay_part);
    // Less is read, so less can be wrong.
    CHECK(!part || ledger::parse_replay_inputs(encoded.replay_part));
    const auto record = ledger::parse_record(encoded);
    if (!record) {
        return;
    }
    CHECK(part.has_value());
    CHECK(ledger::audit_records(*record).size() == record->audit.size());
    CHECK(ledger::applied_actions(*record).size() == record->actions.size());
    const ledger::EncodedRecord printed = ledger::print_record(*record);
    const auto again = ledger::parse_record(printed);
    CHECK(again.has_value());
    const ledger::EncodedRecord twice = ledger::print_record(*again);
    CHECK(twice.replay_part == printed.replay_part && twice.details_part == printed.details_part);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    (void)ledger::unpack_replay_part(bytes);
    if (const auto encoded = ledger::unpack_record(bytes)) {
        check(*encoded);
    }
    const std::size_t end = std::min(bytes.find('\f'), bytes.size());
    ledger::EncodedRecord encoded = {std::string(bytes.substr(0, end)),
                                     std::string(bytes.substr(std::min(end + 1, bytes.size())))};
    fill_in_digest(encoded);
    check(encoded);
    return 0;
}
