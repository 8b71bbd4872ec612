// Blueprint: the initial document of a rulebook, laid under the document of a campaign.
#pragma once

#include <string>
#include <vector>

#include "rules/rulebook.h"

namespace arbiter::rules {

// The fixed places of derived values that a document gives no value: their container is missing, or
// something that the formula reads.
std::vector<std::string> uncomputed(const Rulebook& book, const value::Value& document);

// The document with the members of the blueprint that it lacks. Existing members do not change.
value::Value with_blueprint(const value::Value& document, const value::Object& blueprint);

}  // namespace arbiter::rules
