// Compiles the sections of a rulebook that are about time: calendars, time, daily, stocks and
// countdowns.
#pragma once

#include "rules/internal/rule_compiler.h"

namespace arbiter::rules::internal {

void compile_calendars(RuleCompiler& compiler, value::Fields& book);
void compile_clock(RuleCompiler& compiler, value::Fields& book);
// One rule each.
void compile_daily(RuleCompiler& compiler, value::Fields& rule);
void compile_stocks(RuleCompiler& compiler, value::Fields& rule);
void compile_countdown(RuleCompiler& compiler, value::Fields& rule);

}  // namespace arbiter::rules::internal
