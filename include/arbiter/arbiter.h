// The headers that most programs need: replies and commands on a document, rules, prompts, whole
// turns. Every other public header is <arbiter/MODULE/NAME.h>.
#pragma once

#include <arbiter/card/card.h>
#include <arbiter/engine/describe.h>
#include <arbiter/engine/engine.h>
#include <arbiter/prompt/assemble.h>
#include <arbiter/protocol/library.h>
#include <arbiter/reader/reader.h>
#include <arbiter/rules/rulebook.h>
#include <arbiter/table/player_view.h>
#include <arbiter/turn/machine.h>
#include <arbiter/turn/replay.h>
#include <arbiter/turn/turn.h>
#include <arbiter/turn/turn_prompt.h>
#include <arbiter/value/json.h>
#include <arbiter/version.h>
