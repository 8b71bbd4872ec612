// Batch: the statements of several commits in one transaction, and the meaning of their answers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ledger/store.h"
#include "ledger/store/connection.h"

namespace arbiter::ledger {

// All statements a batch may send.
std::span<const Statement* const> batch_statements() noexcept;

class Batch {
  public:
    struct Item {
        const Commit* commit;
        std::int64_t mark;  // identifies this commit (postgres_writer.h)
    };
    enum class Form : std::uint8_t {
        kTogether,  // as few statements as possible; fails if a turn exists already
        kOneByOne,  // each commit has its own statements
    };
    // Sorted by campaign; commits of one campaign in their order.
    Batch(std::vector<Item> items, Form form) : items_(std::move(items)), form_(form) {}

    // Sends the statements, within a transaction, and returns their number.
    std::size_t send(Connection& connection);
    // For each commit, whether it was allowed, from the answers to those statements.
    [[nodiscard]] base::Result<std::vector<bool>> decide(std::span<const Rows> answers) const;

  private:
    // `bytes`: the size of all turns.
    void send_together(Connection& connection, std::size_t bytes);
    void send_first(Connection& connection, const Item& item);
    void send_rows(Connection& connection, const Item& item, bool with_turns);
    void send(Connection& connection, const Statement& statement, const Arguments& arguments = {});

    std::vector<Item> items_;
    Form form_;
    std::vector<std::size_t> together_;  // items in the one statement kAppendAll
    std::vector<std::size_t> alone_;     // the others
    std::size_t sent_ = 0;
    std::size_t appended_at_ = 0;          // the answer to kAppendAll
    std::vector<std::size_t> decided_at_;  // the deciding answer of each item of alone_
};

}  // namespace arbiter::ledger
