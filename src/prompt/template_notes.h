// Notes about the templates of a card, for the report on what is taken over (card/import_note.h).
#pragma once

#include <vector>

#include "card/card.h"
#include "card/import_note.h"
#include "ejs/failure.h"
#include "prompt/reason.h"

namespace arbiter::prompt {

std::vector<card::ImportNote> template_notes(const card::Card& card);

// The reason for which a text with this failure is left out.
Why why_of(const ejs::Failure& failure);
// The same for a template that is behind so many lines of its text.
Why behind_lines(Why why, std::size_t lines);

}  // namespace arbiter::prompt
