// A batch of commits as statements: what is sent for it, and what the answers say.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ledger/store.h"
#include "ledger/store/connection.h"

namespace arbiter::ledger {

// All statements that a batch may send.
std::span<const Statement* const> batch_statements() noexcept;

class Batch {
  public:
    struct Item {
        const Commit* commit;
        std::int64_t mark;  // drawn for it
    };
    enum class Form : std::uint8_t {
        kTogether,  // as few statements as can be; it fails when a turn is there already
        kOneByOne,  // each commit has its own
    };
    // In the order of their campaigns; those of one campaign in the order in which they came.
    Batch(std::vector<Item> items, Form form) : items_(std::move(items)), form_(form) {}

    // Within a transaction. Gives how many statements there are.
    std::size_t send(Connection& connection);
    // For each commit whether it was allowed, from the answers to these statements.
    [[nodiscard]] base::Result<std::vector<bool>> decide(std::span<const Rows> answers) const;

  private:
    // `bytes` of turns.
    void send_together(Connection& connection, std::size_t bytes);
    void send_first(Connection& connection, const Item& item);
    void send_rows(Connection& connection, const Item& item, bool with_turns);
    void send(Connection& connection, const Statement& statement, const Arguments& arguments = {});

    std::vector<Item> items_;
    Form form_;
    std::vector<std::size_t> together_;  // items whose heads and turns are in one statement
    std::vector<std::size_t> alone_;     // the others
    std::size_t sent_ = 0;
    std::size_t appended_at_ = 0;          // the answer for those together
    std::vector<std::size_t> decided_at_;  // and of each of the others
};

}  // namespace arbiter::ledger
