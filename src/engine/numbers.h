// Numbers: the last number of every limited place that holds none any more, and the origin of those
// that a move brought to their place.
//
// A limit on the change of a number counts from the last number that was at its path, so deleting
// it, overwriting it with a text or replacing its parent must not set it free. The engine keeps
// such numbers in the state's meta: "numbers": {"lost": {path: number}, "moved": {path: path
// before}}. An entry ends when the place has a number again (lost) or has none any more (moved),
// and the oldest ends beyond base::kLostNumbersMax.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/check.h"

namespace arbiter::engine {

using Checks = std::span<const std::shared_ptr<const Check>>;

// Moves of one number that are followed back.
inline constexpr int kMovesMax = 8;

// The number that a value is or describes, also as a text; nothing for nullptr.
std::optional<double> limited_number(const value::Value* value);

// The number that was at the path last, if the engine knows that it was deleted.
std::optional<double> lost_number(const value::Object& meta, const value::Path& path);
// The path from which a move brought the number at this one.
std::optional<value::Path> moved_from(const value::Object& meta, const value::Path& path);

// The number that the change of one instruction counts from: the one that was there, the last one
// that was there, or the one that a move brings. Nothing: the number is new.
std::optional<double> number_before(const Check::Case& about);
// The number that the changes of a turn count from, likewise: `start` is the state before the turn,
// `meta` that of now, which knows the moves.
std::optional<double> number_at_start(const State& start, const value::Object& meta,
                                      const value::Path& path);

// Whether some check counts changes. If not, follow_numbers() has nothing to do.
bool counts_changes(Checks checks) noexcept;
// Updates `meta` after the document has changed at `places`. Costs the size of the changed parts.
void follow_numbers(value::Object& meta, Checks checks, const value::Value& before,
                    const value::Value& after, const std::vector<value::Path>& places);
// Notes that the limited numbers below `to` were below `from` before.
void note_move(value::Object& meta, Checks checks, const value::Value& before,
               const value::Path& from, const value::Path& to);

}  // namespace arbiter::engine
