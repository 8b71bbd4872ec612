// Failure: why a template was not rendered, with the line. Language-neutral data; prompt/reason.h
// has the words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace arbiter::ejs {

enum class Fault : std::uint8_t {
    kSyntax,       // {0} = the text that was not expected
    kUnclosed,     // {0} = the opening that is not closed
    kUnsupported,  // {0} = a name or construct
    kWrites,       // {0} = what would change the state
    kVaries,       // {0} = what differs from call to call: randomness, the clock
    kUnknownName,  // {0} = the name
    kNoMember,     // {0} = the expression that is undefined or null, {1} = the member
    kNotCallable,  // {0} = the expression
    kConstant,     // {0} = the constant that is assigned
    kThrown,       // {0} = the text of the exception
    kSteps,        // {0} = the limit
    kBytes,        // {0} = the limit
    kDepth         // {0} = the limit
};

struct Failure {
    Fault fault = Fault::kSyntax;
    std::size_t line = 1;  // of the template
    std::vector<std::string> words = {};
};

}  // namespace arbiter::ejs
