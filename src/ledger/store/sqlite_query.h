// Queries on an SQLite connection: statements with their parameters and rows.
#pragma once

#include <optional>
#include <vector>

#include "base/error.h"
#include "ledger/store/database.h"

namespace arbiter::ledger {

// All rows of a query; `set` binds its parameters, `make` converts a row.
template <typename Row, typename Set, typename Make>
base::Result<std::vector<Row>> rows(Database& database, const char* sql, Set set, Make make) {
    auto query = database.query(sql);
    if (!query) {
        return std::unexpected(std::move(query).error());
    }
    set(*query);
    std::vector<Row> all;
    while (true) {
        const auto row = query->next();
        if (!row) {
            return std::unexpected(row.error());
        }
        if (!*row) {
            return all;
        }
        all.push_back(make(*query));
    }
}
template <typename Row, typename Set, typename Make>
base::Result<std::optional<Row>> first(Database& database, const char* sql, Set set, Make make) {
    auto query = database.query(sql);
    if (!query) {
        return std::unexpected(std::move(query).error());
    }
    set(*query);
    const auto row = query->next();
    if (!row) {
        return std::unexpected(row.error());
    }
    return *row ? std::optional<Row>(make(*query)) : std::nullopt;
}
// Runs a statement without rows.
template <typename Set>
base::Result<> change(Database& database, const char* sql, Set set) {
    auto query = database.query(sql);
    if (!query) {
        return std::unexpected(std::move(query).error());
    }
    set(*query);
    return query->run();
}

}  // namespace arbiter::ledger
