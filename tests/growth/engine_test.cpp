// Goal: no command, rule, lorebook or file costs the square of its size (RELIABILITY: linear and
// bounded). Method: the work of whole operations is counted for n, 2n, 4n and 8n.
#include <gtest/gtest.h>

#include <memory>

#include "base/limits.h"
#include "config/profiles.h"
#include "config/protocols.h"
#include "config/rulebooks.h"
#include "config/yaml.h"
#include "prompt/lore.h"
#include "reader/reader.h"
#include "tests/growth/growth.h"
#include "tests/support/judging.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/preview.h"

namespace arbiter::tests {
namespace {

using value::Array;
using value::Object;
using value::Value;

std::size_t commands_max() {
    return is_full() ? 1200 : 250;
}
std::size_t elements_max() {
    return is_full() ? 10'000 : 2000;
}

std::string number(std::size_t i) {
    return std::to_string(i);
}

// Calls `each` with 0, 1, … and joins the results.
template <typename Each>
std::string repeated(std::size_t count, Each each) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += each(i);
    }
    return text;
}

Value list_of(std::size_t size) {
    Array list;
    for (std::size_t i = 0; i < size; ++i) {
        list = std::move(list).push_back(Value(static_cast<std::int64_t>(i)));
    }
    return list;
}
Value object_of(std::size_t size, const Value& member = Value(1)) {
    Object object;
    for (std::size_t i = 0; i < size; ++i) {
        object = std::move(object).set(std::string_view("k" + number(i)), member);
    }
    return object;
}

profile::Profile profile_of(std::string_view name) {
    auto loaded = config::load_profile(name);
    EXPECT_TRUE(loaded) << name;
    return *std::move(loaded);
}

turn::Rules rules_under(std::string_view name, std::string_view rulebook) {
    turn::BaseRules base;
    base.profile = profile_of(name);
    if (!rulebook.empty()) {
        auto book = config::load_rulebook_text("test.yaml", std::string(rulebook));
        EXPECT_TRUE(book) << rulebook.substr(0, 300);
        base.books = {*std::move(book)};
    }
    return turn::make_rules(std::move(base), protocol::Resolved(), Object()).value();
}

// A reply on a document, read and judged as every turn is.
reader::Options options_of(const profile::Profile& profile) {
    return profile::reading(profile, engine::Actor::kModel);
}

std::function<void()> turn_of(std::string_view profile, Value document, std::string reply,
                              std::string_view rulebook = "") {
    value::seal(document);
    auto rules = std::make_shared<const turn::Rules>(rules_under(profile, rulebook));
    const reader::Options options = options_of(rules->profile);
    engine::Context context;
    context.now = 1'767'225'600'000;
    const engine::State state{std::move(document), {}};
    return [=] {
        const reader::Reading reading = reader::read(reply, options);
        EXPECT_FALSE(reading.proposals.empty());
        const turn::Begun begun = turn::begin_recorded(state, rules, {}, context);
        const turn::Attempt attempt = turn::judge(begun, reading);
        EXPECT_EQ(attempt.outcome.verdicts.size(), reading.proposals.size());
        if (!attempt.outcome.verdicts.empty()) {
            const auto& first = attempt.outcome.verdicts.front();
            EXPECT_EQ(first.status, proposal::Status::kApplied)
                << (first.problem ? proposal::explain(*first.problem, base::Language::kEnglish)
                                  : std::string());
        }
    };
}

struct CommandCase {
    const char* name;
    const char* profile;
    std::string (*command)(std::size_t i);
    Value (*document)(std::size_t n);
};

std::string tavern(const std::string& action, const std::string& key, const std::string& value,
                   const std::string& options = "{}") {
    return R"({"action":")" + action + R"(","key":"character.saveData.)" + key + R"(","value":)" +
           value + R"(,"options":)" + options + "}";
}
Value saved(Value data) {
    return Object{{"character", Object{{"saveData", std::move(data)}}}};
}

const CommandCase kCommands[] = {
    {"push", "json",
     [](std::size_t i) { return R"({"op":"push","path":["o"],"value":)" + number(i) + "}\n"; },
     [](std::size_t) -> Value { return Object{{"o", Array()}}; }},
    {"pop", "json", [](std::size_t) { return std::string(R"({"op":"pop","path":["o"]})") + "\n"; },
     [](std::size_t n) -> Value { return Object{{"o", list_of(n)}}; }},
    {"splice", "json",
     [](std::size_t) {
         return std::string(
             R"({"op":"splice","path":["o"],"value":{"start":1,"deleteCount":1,"items":[7,8]}})"
             "\n");
     },
     [](std::size_t n) -> Value { return Object{{"o", list_of(n)}}; }},
    {"merge", "json",
     [](std::size_t i) {
         return R"({"op":"merge","path":["o"],"value":{"k)" + number(i) + R"(":1}})" + "\n";
     },
     [](std::size_t) -> Value { return Object{{"o", Object()}}; }},
    {"delete", "json",
     [](std::size_t i) { return R"({"op":"delete","path":["o","k)" + number(i) + "\"]}\n"; },
     [](std::size_t n) -> Value { return Object{{"o", object_of(n)}}; }},
    {"insert a member", "mvu",
     [](std::size_t i) { return "_.insert('o','k" + number(i) + "',1);\n"; },
     [](std::size_t) -> Value { return Object{{"o", Object()}}; }},
    {"insert an object", "mvu",
     [](std::size_t i) { return "_.insert('o',{k" + number(i) + ":1});\n"; },
     [](std::size_t) -> Value { return Object{{"o", Object()}}; }},
    {"insert an element", "mvu", [](std::size_t i) { return "_.insert('o'," + number(i) + ");\n"; },
     [](std::size_t) -> Value { return Object{{"o", Array()}}; }},
    {"insert at the front", "mvu",
     [](std::size_t i) { return "_.insert('o',0," + number(i) + ");\n"; },
     [](std::size_t) -> Value { return Object{{"o", Array()}}; }},
    {"remove an element", "mvu", [](std::size_t) { return std::string("_.remove('o',0);\n"); },
     [](std::size_t n) -> Value { return Object{{"o", list_of(n)}}; }},
    {"remove a member", "mvu",
     [](std::size_t i) { return "_.remove('o','k" + number(i) + "');\n"; },
     [](std::size_t n) -> Value { return Object{{"o", object_of(n)}}; }},
    {"set", "mvu", [](std::size_t i) { return "_.set('o.k" + number(i) + "',2);\n"; },
     [](std::size_t n) -> Value { return Object{{"o", object_of(n)}}; }},
};

const CommandCase kTavernCommands[] = {
    {"set", "tavern", [](std::size_t i) { return tavern("set", "o.k" + number(i), "1"); },
     [](std::size_t) { return saved(Object{{"o", Object()}}); }},
    {"push", "tavern", [](std::size_t i) { return tavern("push", "o", number(i)); },
     [](std::size_t) { return saved(Object{{"o", Array()}}); }},
    {"push in front", "tavern",
     [](std::size_t i) { return tavern("push", "o", number(i), R"({"position":"head"})"); },
     [](std::size_t) { return saved(Object{{"o", Array()}}); }},
    {"push with a limit", "tavern",
     [](std::size_t i) { return tavern("push", "o", number(i), R"({"limit":50})"); },
     [](std::size_t n) { return saved(Object{{"o", list_of(n)}}); }},
    {"update", "tavern",
     [](std::size_t i) { return tavern("update", "o", "{\"k" + number(i) + "\":1}"); },
     [](std::size_t) { return saved(Object{{"o", Object()}}); }},
    {"soft delete", "tavern",
     [](std::size_t i) {
         return tavern("delete", "o.k" + number(i), "null", R"({"softDelete":true})");
     },
     [](std::size_t n) { return saved(Object{{"o", object_of(n)}}); }},
    {"idempotency key", "tavern",
     [](std::size_t i) {
         return tavern("set", "o.k" + number(i), "1",
                       R"({"idempotencyKey":"x)" + number(i) + "\"}");
     },
     [](std::size_t) { return saved(Object{{"o", Object()}}); }},
    {"set with a ttl", "tavern",
     [](std::size_t i) { return tavern("set", "o.k" + number(i), "1", R"({"ttl":100})"); },
     [](std::size_t) { return saved(Object{{"o", Object()}}); }},
};

TEST(Growth, OfCommands) {
    const std::size_t n = commands_max();
    for (const CommandCase& each : kCommands) {
        expect_linear(each.name, n, [&](std::size_t size) {
            std::string reply = repeated(size, each.command);
            if (std::string_view(each.profile) == "mvu") {
                reply = "<UpdateVariable>\n" + reply + "</UpdateVariable>";
            }
            return turn_of(each.profile, each.document(size), reply);
        });
    }
    for (const CommandCase& each : kTavernCommands) {
        expect_linear(each.name, n, [&](std::size_t size) {
            const std::string list = repeated(
                size, [&](std::size_t i) { return (i == 0 ? "" : ",\n") + each.command(i); });
            return turn_of(each.profile, each.document(size), "```json\n[" + list + "]\n```");
        });
    }
    expect_linear("patch", n, [](std::size_t size) {
        const std::string list = repeated(size, [](std::size_t i) {
            return (i == 0 ? "" : ",") +
                   (R"({"op":"add","path":"/o/0","value":)" + number(i) + "}");
        });
        return turn_of("mvu", Object{{"o", Array()}}, "<JSONPatch>[" + list + "]</JSONPatch>");
    });
}

// One command on a list of any length; proves D5 of the report on hostile input.
TEST(Growth, OfTheListThatACommandChanges) {
    const std::size_t n = elements_max();
    const std::pair<const char*, const char*> commands[] = {
        {"push", R"({"op":"push","path":["o"],"value":1})"},
        {"pop", R"({"op":"pop","path":["o"]})"},
        {"splice", R"({"op":"splice","path":["o"],"value":{"start":9,"deleteCount":1}})"},
        {"assign", R"({"op":"assign","path":["o",5],"value":1})"},
    };
    for (const auto& [name, command] : commands) {
        expect_flat(name, n, [&](std::size_t size) {
            return turn_of("json", Object{{"o", list_of(size)}}, command);
        });
        expect_flat(std::string(name) + ", shown", n, [&](std::size_t size) {
            const Value document = Object{{"o", list_of(size)}};
            return [document] { EXPECT_FALSE(value::preview(document).empty()); };
        });
    }
    for (const char* command : {"_.insert('o',3,1);", "_.remove('o',3);"}) {
        expect_flat(command, n, [&](std::size_t size) {
            return turn_of("mvu", Object{{"o", list_of(size)}},
                           "<UpdateVariable>" + std::string(command) + "</UpdateVariable>");
        });
    }
    expect_linear("pull", n, [](std::size_t size) {
        return turn_of("tavern", saved(Object{{"o", list_of(size)}}),
                       "```json\n[" + tavern("pull", "o", number(size / 2)) + "]\n```");
    });
    expect_linear("pull of half", n, [](std::size_t size) {
        const std::string where = R"({"where":{">":)" + number(size / 2) + "}}";
        return turn_of("tavern", saved(Object{{"o", list_of(size)}}),
                       "```json\n[" + tavern("pull", "o", "null", where) + "]\n```");
    });
    expect_linear("push beside protected elements", n / 4, [](std::size_t size) {
        Array list;
        for (std::size_t i = 0; i < size; ++i) {
            list = std::move(list).push_back(
                Object{{"_is_protected", true}, {"i", static_cast<std::int64_t>(i)}});
        }
        return turn_of("json", Object{{"o", list}}, R"({"op":"push","path":["o"],"value":1})");
    });
}

TEST(Growth, OfExpiry) {
    for (const bool in_list : {false, true}) {
        expect_linear(in_list ? "elements" : "members", commands_max(), [&](std::size_t size) {
            const std::string list = repeated(size, [&](std::size_t i) {
                return (i == 0 ? "" : ",\n") + tavern(in_list ? "push" : "set",
                                                      in_list ? "o" : "o.k" + number(i), "1",
                                                      R"({"ttl":100})");
            });
            const auto rules = std::make_shared<const turn::Rules>(rules_under("tavern", ""));
            const reader::Reading reading =
                reader::read("```json\n[" + list + "]\n```", options_of(rules->profile));
            engine::Context context;
            context.now = 1'767'225'600'000;
            const engine::State empty{
                saved(Object{{"o", in_list ? Value(Array()) : Value(Object())}}), {}};
            const turn::Attempt attempt =
                turn::judge(turn::begin_recorded(empty, rules, {}, context), reading);
            EXPECT_EQ(engine::apply(attempt.outcome.state, {}, {}, context).expired.size(), 0U);
            context.now += 200'000;
            const engine::State state = attempt.outcome.state;
            // Of the many commands of a second try, not all are accepted.
            const Value* timed = value::find(state.document, {"character", "saveData", "o"});
            const std::size_t made = in_list ? timed->as_array().size() : timed->as_object().size();
            EXPECT_GE(made, std::min(size, commands_max()));
            return [state, context, made] {
                EXPECT_EQ(engine::apply(state, {}, {}, context).expired.size(), made);
            };
        });
    }
}

std::string sets(std::size_t count) {
    return repeated(count, [](std::size_t i) {
        return R"({"op":"assign","path":["hp"],"value":)" + number(i + 2) + "}\n";
    });
}

TEST(Growth, OfRules) {
    const std::size_t n = commands_max();
    expect_linear("sum over all members, for each member", n, [](std::size_t size) {
        return turn_of("json", Object{{"a", object_of(size, Object{{"x", 1}, {"y", 0}})}},
                       R"({"op":"assign","path":["a","k1","x"],"value":5})",
                       "rulebook: t\nderived:\n  - {place: a.$w.y, formula: 'sum(a.*.x)'}\n");
    });
    expect_linear("limits of other places × commands", n, [](std::size_t size) {
        return turn_of("json", Object{{"hp", 1}}, sets(size),
                       "rulebook: t\nlimits:\n" + repeated(size, [](std::size_t i) {
                           return "  - {place: x" + number(i) + ".hp, max: 100}\n";
                       }));
    });
    expect_linear("derived values of other places × commands", n, [](std::size_t size) {
        return turn_of("json", Object{{"hp", 1}}, sets(size),
                       "rulebook: t\nderived:\n" + repeated(size, [](std::size_t i) {
                           return "  - {place: x" + number(i) + ".y, formula: x" + number(i) +
                                  ".z + 1}\n";
                       }));
    });
    expect_linear("reactions on one place", n, [](std::size_t size) {
        return turn_of("json", Object{{"hp", 1}, {"c", object_of(size, 0)}}, sets(1),
                       "rulebook: t\non_change:\n" + repeated(size, [](std::size_t i) {
                           return "  - {watch: hp, do: [{set: c.k" + number(i) + ", to: $new}]}\n";
                       }));
    });
    expect_linear("reactions on all places × changes", n, [](std::size_t size) {
        const std::string reply = repeated(size, [](std::size_t i) {
            return R"({"op":"assign","path":["c","k)" + number(i) + R"("],"value":2})" + "\n";
        });
        return turn_of("json", Object{{"c", object_of(size)}}, reply,
                       "rulebook: t\non_change:\n" + repeated(size, [](std::size_t i) {
                           return "  - {watch: c.k" + number(i) +
                                  ", do: [{set: d, to: 1, create: true}]}\n";
                       }));
    });
    expect_linear("clean-up of a list", n, [](std::size_t size) {
        Array list;
        for (std::size_t i = 0; i < size; ++i) {
            list = std::move(list).push_back(Object{{"n", 0}});
        }
        return turn_of("json", Object{{"hp", 1}, {"l", list}}, sets(1),
                       "rulebook: t\ncleanup:\n  - {each: l.$i, when: 'l.$i.n <= 0'}\n");
    });
    expect_linear("memories of one name", n, [](std::size_t size) {
        return turn_of("json", Object{{"m", Object()}},
                       repeated(size,
                                [](std::size_t i) {
                                    return R"({"op":"assign","path":["m","a"],"value":"t)" +
                                           number(i) + "\"}\n";
                                }),
                       "rulebook: t\nmemories: [m.$t]\n");
    });
    expect_linear("closed paths × commands", n, [](std::size_t size) {
        engine::Policy policy;
        for (std::size_t i = 0; i < size; ++i) {
            policy.closed.push_back({{"z", std::string_view("c" + number(i))}, false});
        }
        const auto rules = std::make_shared<const turn::Rules>(rules_of(policy));
        const reader::Reading reading = reader::read(sets(size), options_of(profile_of("json")));
        const engine::State state{Object{{"hp", 1}}, {}};
        return [=] { turn::judge(turn::begin_recorded(state, rules, {}, {}), reading); };
    });
}

// Work that cannot be linear ends with the budget of the turn: the rest is refused, and named.
TEST(Growth, EndsWithTheBudgetOfTheTurn) {
    constexpr std::size_t kEach = 3000;
    const auto rules = std::make_shared<const turn::Rules>(
        rules_under("json", "rulebook: t\nlimits:\n" + repeated(kEach, [](std::size_t) {
                                return std::string("  - {place: hp, max: 'sum(a.*)'}\n");
                            })));
    const engine::State state{Object{{"hp", 1}, {"a", object_of(kEach, 100'000)}}, {}};
    const reader::Reading reading = reader::read(sets(20), options_of(rules->profile));
    const turn::Attempt attempt = turn::judge(turn::begin_recorded(state, rules, {}, {}), reading);
    const engine::Verdict& last = attempt.outcome.verdicts.back();
    ASSERT_EQ(last.status, proposal::Status::kRejected);
    EXPECT_EQ(last.problem->code, proposal::Code::kTooLarge);
    const std::string limit = number(base::kTurnStepsMax);
    for (const auto language : {base::Language::kEnglish, base::Language::kChinese}) {
        const std::string told = proposal::explain(*last.problem, language);
        EXPECT_NE(told.find(limit), std::string::npos) << told;
        EXPECT_NE(told.find("hp"), std::string::npos) << told;
    }
    EXPECT_TRUE(attempt.spent);
    // The same on replay.
    const turn::Attempt again = turn::judge(turn::begin_recorded(state, rules, {}, {}), reading);
    EXPECT_EQ(again.outcome.state, attempt.outcome.state);
}

// A rule may not grow the document beyond the limit of commands.
TEST(Growth, OfTheDocumentByRulesIsLimited) {
    const auto rules = std::make_shared<const turn::Rules>(
        rules_under("json", "rulebook: t\non_change:\n" + repeated(50, [](std::size_t i) {
                                return "  - {id: r" + number(i) + ", watch: q, do: [{set: d.k" +
                                       number(i) + ", to: s}]}\n";
                            })));
    const Value text(std::string_view(std::string(1'000'000, 'x')));
    const engine::State state{Object{{"q", 1}, {"s", text}, {"d", object_of(50)}}, {}};
    const reader::Reading reading =
        reader::read(R"({"op":"assign","path":["q"],"value":2})", options_of(rules->profile));
    const turn::Attempt attempt = turn::judge(turn::begin_recorded(state, rules, {}, {}), reading);
    EXPECT_LE(value::weigh(attempt.outcome.state.document), base::kDocumentWeightMax);
    ASSERT_FALSE(attempt.oversize.empty());
    EXPECT_EQ(attempt.oversize.front().rule, "r15");
    EXPECT_NE(rules::explain(attempt.oversize.front()).english.find("r15"), std::string::npos);
}

TEST(Growth, OfLore) {
    const auto scan_of = [](const std::function<std::string(std::size_t)>& entry_of) {
        return [entry_of](std::size_t size) {
            const std::string text = "{\"entries\":{" +
                                     repeated(size,
                                              [&](std::size_t i) {
                                                  return (i == 0 ? "\"" : ",\"") + number(i) +
                                                         "\":{\"uid\":" + number(i) + "," +
                                                         entry_of(i) + "}";
                                              }) +
                                     "}}";
            auto lore = std::make_shared<prompt::Lore>();
            const std::array<prompt::LoreSource, 1> books = {
                {{"b", value::parse_json(text).value(), false}}};
            lore->follow(books);
            return [lore] {
                const Value document = Object{{"hp", 1}};
                const std::vector<prompt::Message> said = {
                    {prompt::Role::kUser, std::string_view("zz"), {}}};
                prompt::MacroWorld world;
                const text::TokenCounter count;
                EXPECT_FALSE(lore->activate({document, said, world, count}).blocks.empty());
            };
        };
    };
    const std::size_t n = is_full() ? 1500 : 400;
    expect_linear("entries that wake each other", n, scan_of([](std::size_t i) {
                      return R"("key":["zz"],"content":"zz )" + number(i) + "\"";
                  }));
    expect_linear("a chain", n, scan_of([](std::size_t i) {
                      return "\"key\":[\"" + (i == 0 ? "zz" : "w" + number(i)) +
                             "\"],\"content\":\"w" + number(i + 1) + "\"";
                  }));
    expect_linear("unknown macros", n, scan_of([](std::size_t i) {
                      return R"("key":["zz"],"content":"{{m)" + number(i) + "}}x\"";
                  }));
    expect_linear("conditions", n, scan_of([](std::size_t i) {
                      return R"("key":["zz"],"content":"a","when":"hp > -)" + number(i + 1) + "\"";
                  }));
    expect_linear("groups", n, scan_of([](std::size_t i) {
                      return R"("key":["zz"],"content":"a","group":"g)" + number(i / 2) + "\"";
                  }));
}

TEST(Growth, OfFiles) {
    const std::size_t n = is_full() ? 5000 : 1000;
    const auto profile = [](std::string (*text)(std::size_t)) {
        return [text](std::size_t size) {
            return [file = text(size)] {
                static_cast<void>(config::load_profile_text("p.yaml", file));
            };
        };
    };
    expect_linear("unknown keys", n, profile([](std::size_t size) {
                      return repeated(size, [](std::size_t i) { return "q" + number(i) + ":\n"; });
                  }));
    expect_linear(
        "unknown keys on one line", n, profile([](std::size_t size) {
            return "{" + repeated(size, [](std::size_t i) { return "q" + number(i) + ": 1, "; }) +
                   "}";
        }));
    expect_linear("tags", n, profile([](std::size_t size) {
                      return "extends: json\ntags:\n" + repeated(size, [](std::size_t i) {
                                 return "  t" + number(i) + ": ignore\n";
                             });
                  }));
    expect_linear("closed paths", n, profile([](std::size_t size) {
                      return "extends: json\npolicy:\n  closed:\n" +
                             repeated(size,
                                      [](std::size_t i) { return "    - a" + number(i) + "\n"; });
                  }));
    const auto rulebook = [](std::string (*line)(std::size_t), std::string head) {
        return [line, head](std::size_t size) {
            return [file = "rulebook: t\n" + head + repeated(size, line)] {
                const config::SourceText source{"r.yaml", file};
                static_cast<void>(config::lint_rulebooks({&source, 1}));
            };
        };
    };
    expect_linear("misspelled keys", n / 2,
                  rulebook([](std::size_t i) { return "  - {plac: a" + number(i) + ", max: 3}\n"; },
                           "limits:\n"));
    expect_linear(
        "limits", n / 2,
        rulebook([](std::size_t i) { return "  - {place: a" + number(i) + ", max: 3}\n"; },
                 "limits:\n"));
    expect_linear("derived values", n / 2,
                  rulebook(
                      [](std::size_t i) {
                          return "  - {place: a" + number(i + 1) + ", formula: a" + number(i) +
                                 " + 1}\n";
                      },
                      "derived:\n"));
    expect_linear(
        "broken formulas", n / 2,
        rulebook([](std::size_t i) { return "  - {place: a" + number(i) + ", formula: '1 +'}\n"; },
                 "derived:\n"));
}

TEST(Growth, OfTags) {
    expect_linear(
        "tags of a profile × tags of a reply", is_full() ? 4000 : 1000, [](std::size_t size) {
            reader::Options options;
            for (std::size_t i = 0; i < size; ++i) {
                options.hints.push_back({"t" + number(i), reader::TagMeaning::kIgnore});
            }
            const std::string reply = repeated(size, [](std::size_t i) {
                return "<t" + number(i) + ">x</t" + number(i) + "> <q" + number(i) + ">\n";
            });
            return [=] { static_cast<void>(reader::read(reply, options)); };
        });
}

TEST(Growth, OfProtocols) {
    expect_linear("protocols that need each other", is_full() ? 100 : 30, [](std::size_t size) {
        std::vector<config::NamedText> files;
        for (std::size_t i = 0; i < size; ++i) {
            const std::string needs =
                repeated(std::min<std::size_t>(20, size - 1), [&](std::size_t j) {
                    return (j == 0 ? "p" : ",p") + number((i * 7 + j + 1) % size);
                });
            files.push_back({config::TextKind::kProtocol, "p" + number(i) + ".yaml",
                             "meta: {id: p" + number(i) + ", version: \"1.0.0\", dependencies: [" +
                                 needs + "]}\ninstruction: x\n"});
        }
        return [files] {
            config::Protocols protocols;
            protocols.keep({files, files});
            const std::vector<protocol::ProtocolRequest> requests = {
                {"p0", {protocol::ActivationReason::Kind::kCard, {}}}};
            static_cast<void>(protocols.library()->resolve(requests));
            static_cast<void>(protocols.library()->check());
        };
    });
}

}  // namespace
}  // namespace arbiter::tests
