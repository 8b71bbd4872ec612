// RulesShelf: rules and lessons that campaigns of the same base rules share, so that each is made
// and kept once. Holds only immutable values.
//
// An interface, because sharing needs a lock as soon as campaigns are played on several threads.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/explain.h"
#include "protocol/lesson.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::turn {

struct Rules;

// Rules without protocols are the same for everything that has the same key.
struct RulesKey {
    value::Object globals;
    value::Value authority;  // the rows of the document
    bool has_campaign = false;
    base::Language language = base::Language::kEnglish;
    friend bool operator==(const RulesKey& a, const RulesKey& b) {
        return value::Value(a.globals) == value::Value(b.globals) && a.authority == b.authority &&
               a.has_campaign == b.has_campaign && a.language == b.language;
    }
};

struct Lessons {
    protocol::LessonFacts facts = {};
    base::Language language = base::Language::kEnglish;
    std::vector<protocol::Lesson> all = {};

    // Whether it teaches these forms, from these facts.
    [[nodiscard]] bool fits(const protocol::LessonFacts& of, base::Language in,
                            std::span<const protocol::Lesson> forms) const;
};

class RulesShelf {
  public:
    RulesShelf() = default;
    RulesShelf(const RulesShelf&) = delete;
    RulesShelf& operator=(const RulesShelf&) = delete;
    virtual ~RulesShelf() = default;

    // nullptr: there are none.
    virtual std::shared_ptr<const Rules> rules(const RulesKey& key) = 0;
    virtual void add(const RulesKey& key, std::shared_ptr<const Rules> rules) = 0;
    // Lessons that fit; nullptr: there are none.
    virtual std::shared_ptr<const Lessons> lessons(const protocol::LessonFacts& facts,
                                                   base::Language language,
                                                   std::span<const protocol::Lesson> forms) = 0;
    virtual void add(std::shared_ptr<const Lessons> lessons) = 0;
};

}  // namespace arbiter::turn
