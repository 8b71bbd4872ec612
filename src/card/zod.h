// Zod schemas: the limits and first values that a card's script declares for its variables (MVU
// zod: registerMvuSchema(z.object({…}))), read without running the script.
//
// Types, bounds, choices, required and unknown members become the limits of a rulebook. Functions
// are read only if they cut a number to bounds; everything else that cannot be read is named with
// its line. Bounded in time and size (base::kScript…, kSchema…).
#pragma once

#include <memory>
#include <vector>

#include "card/card.h"
#include "card/import_note.h"
#include "value/value.h"

namespace arbiter::card {

namespace internal {
struct ZodNode;
}

// The name of the rulebook.
inline constexpr std::string_view kSchemaBook = "card-schema";

struct ZodSchema {
    value::Value rulebook;  // in the format of docs/rules.md; null: the card has no limits
    std::shared_ptr<const internal::ZodNode> root;  // null: no schema could be read
    std::vector<ImportNote> notes;
};
// The schema of the first script that registers one.
ZodSchema read_zod(const Card& card);
std::vector<ImportNote> schema_notes(const Card& card);

// The variables with what the schema presets (default, prefault) where they lack it. Texts become
// numbers and numbers are cut to their bounds where the schema says so.
value::Value with_presets(const ZodSchema& schema, const value::Value& variables);

}  // namespace arbiter::card
