// Character cards from files: PNG, JSON or YAML, recognised by their bytes.
//
//   auto card = load_card("mei.png");
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "card/card.h"
#include "config/diagnostics.h"

namespace arbiter::config {

// `file` is used in messages only.
std::expected<card::Card, FileDiagnostics> parse_card(std::string file, std::string_view bytes);
std::expected<card::Card, FileDiagnostics> load_card(const std::string& file);

// Initial variables in a file beside a card: the [initvar] entries of a lorebook, or the text of
// the file as one entry.
std::expected<std::vector<card::Initvar>, FileDiagnostics> load_initvars(const std::string& file);

}  // namespace arbiter::config
