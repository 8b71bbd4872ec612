// Guards: the conditions of an instruction before its operation, and its expectation after it.
#pragma once

#include <string>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// Each returns false, with the verdict's problem set, if the instruction must be refused.

// ifMissing, ifExists, ifEquals, ifVersion.
bool check_guards(Work& work);
// The stated old value, as Policy::old_check demands.
bool check_old(Work& work);
// A reason and an existing parent, where the policy requires them.
bool check_requirements(Work& work);
// The option expect, on the document after the operation.
bool check_expect(Work& work);

// A present value as a refusal quotes it: "-" if there is none, "…" if it is hidden from the model,
// which could otherwise read hidden nodes by asserting something wrong about them.
std::string present_detail(const Work& work, const value::Value* present);

// Whether the source of a copy or move may leave its place: the model must not bring the content of
// a hidden node to where it is shown.
bool may_take_out(Work& work);

}  // namespace arbiter::engine::internal
