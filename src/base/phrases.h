// Phrases: the fixed words that are in messages as arguments ("a number above 0"), in both
// languages.
//
// Code that reports a problem passes the English phrase; it is translated when the message is
// printed. Pure functions, safe from any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/messages.h"

namespace arbiter::base {

struct Phrase {
    std::string_view english;
    std::string_view chinese;
};
// All phrases, for tests.
std::span<const Phrase> phrases() noexcept;

// The phrase in a language; a text that is not one of the phrases is returned as it is.
std::string_view in_words(std::string_view phrase, Language language) noexcept;

// The kinds of values that are in a list by their JSON names: "object / array" is "an object or
// a list" or "对象或列表". Other words are treated as phrases.
std::string kinds_in_words(std::string_view kinds, Language language);

// The arguments of a message that are phrases or kinds of values, which are translated; the others
// are quotations. Phrases and quotations may be joined: "it is not JSON: <html>".
struct Translated {
    unsigned phrases = 0;  // bit n: argument n
    unsigned kinds = 0;
};
Translated translated(ErrorCode code) noexcept;

}  // namespace arbiter::base
