// Zod schemas of cards: what is read of a script that is never run, and that hostile scripts are
// bounded. tests/turns/rules/zod.turn plays with the limits.
#include "card/zod.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::card {
namespace {

using value::Object;
using value::Value;

ZodSchema read(std::string_view script) {
    Card card;
    const Value scripts = value::Array{Object{{"name", "vars"}, {"content", script}}};
    card.extensions = Object{{"tavern_helper", Object{{"scripts", scripts}}}};
    return read_zod(card);
}

// The limit of a place as JSON, without its id and place; empty: none.
std::string limit(const ZodSchema& schema, std::string_view place) {
    const Value* limits = value::find_member(&schema.rulebook, "limits");
    if (limits == nullptr) {
        return "";
    }
    for (const Value& each : limits->as_array()) {
        if (each.as_object().find("place")->as_string() == place) {
            return value::print_json(each.as_object().erase("id").erase("place"));
        }
    }
    return "";
}

std::string notes(const ZodSchema& schema) {
    std::string all;
    for (const ImportNote& note : schema.notes) {
        all += std::string(name(note.fate)) + " " + note.name + "\n";
    }
    return all;
}

std::string registered(std::string_view member) {
    return "registerMvuSchema(z.object({ a: " + std::string(member) + " }))";
}

TEST(Zod, ReadsBoundsTypesAndChoices) {
    struct Row {
        std::string_view written;
        std::string_view limit;
    };
    const Row rows[] = {
        {"z.number()", R"({"type":["number"],"required":true})"},
        {"z.coerce.number().min(0).max(100)",
         R"({"type":["number"],"min":0,"max":100,"otherwise":"refuse","required":true})"},
        {"z.number().int().gt(0).lte(1_000)",
         R"({"type":["whole"],"min":1,"max":1000,"otherwise":"refuse","required":true})"},
        {"z.coerce.number().transform(v => _.clamp(v, -10, 2 * 5)).optional()",
         R"({"type":["number"],"min":-10,"max":10})"},
        {"z.number().transform((v) => { return Math.max(0, Math.min(v, 9)); })",
         R"({"type":["number"],"min":0,"max":9,"required":true})"},
        {"z.number().transform(v => Math.max(0, Number(v) || 0))",
         R"({"type":["number"],"min":0,"required":true})"},
        {"z.string().describe('名')", R"({"type":["text"],"required":true})"},
        {"z.coerce.string()", R"({"required":true})"},
        {"z.boolean().nullable()", R"({"type":["flag","null"],"required":true})"},
        {"z.enum(['x', \"y\"] as const)", R"({"one_of":["x","y"],"required":true})"},
        {"z.literal(3).or(z.literal(5)).nullish()", R"({"one_of":[3,5,null]})"},
        {"z.union([z.number(), z.string(), z.null()])",
         R"({"type":["number","text","null"],"required":true})"},
        {"z.array(z.string()).prefault([])", R"({"type":["list"]})"},
        {"z.record(z.enum(['p', 'q']), z.number())",
         R"({"type":["object"],"members":["p","q"],"required":true})"},
        {"z.looseObject({ b: z.string() })", R"({"type":["object"],"required":true})"},
        {"z.any()", ""},
    };
    for (const Row& row : rows) {
        const ZodSchema schema = read(registered(row.written));
        EXPECT_EQ(limit(schema, "stat_data.a"), row.limit) << row.written << "\n" << notes(schema);
        EXPECT_EQ(schema.notes.size(), 1U) << row.written << "\n" << notes(schema);
    }
}

TEST(Zod, FollowsNamesHelpersAndSpreads) {
    const ZodSchema schema = read(R"(
        // const Base = 5
        const Base = { hp: z.number().max(MAX) }, other = /[/]}/;
        const MAX = 30;
        function level(top) { return z.number().int().max(top); }
        const Who = z.object({ ...Base, lv: level(7) }).extend({ x: z.string() });
        const Schema: z.ZodType = z.object({
            'a b': Who.partial(),
            list: z.array(Who),
            rec: z.record(z.string(), Who).describe(`a
                "quoted" text`),
        });
        $(async () => { registerMvuSchema(() => Schema); });
    )");
    EXPECT_EQ(limit(schema, "stat_data.a b.hp"),
              R"({"type":["number"],"max":30,"otherwise":"refuse"})")
        << notes(schema) << value::print_json(schema.rulebook);
    EXPECT_EQ(limit(schema, "stat_data.list.*.lv"),
              R"({"type":["whole"],"max":7,"otherwise":"refuse"})");
    EXPECT_EQ(limit(schema, "stat_data.rec.*"), R"({"type":["object"],"members":["hp","lv","x"]})");
    EXPECT_EQ(schema.notes.size(), 1U) << notes(schema);
}

TEST(Zod, ReadsTransformsThatCutMembers) {
    const ZodSchema schema = read(registered(R"(z.object({
            hp: z.number(), in: z.object({ x: z.coerce.number() }), other: z.number(),
        }).transform(data => {
            data.hp = _.clamp(data.hp, 0, 50);
            data.in.x = Math.min(data.in.x, 9)
            return data;
        }))"));
    EXPECT_EQ(limit(schema, "stat_data.a.hp"),
              R"({"type":["number"],"min":0,"max":50,"required":true})");
    EXPECT_EQ(limit(schema, "stat_data.a.in.x"), R"({"type":["number"],"max":9,"required":true})");
    EXPECT_EQ(limit(schema, "stat_data.a.other"), R"({"type":["number"],"required":true})");
    EXPECT_EQ(schema.notes.size(), 1U) << notes(schema);
    // Another member is not the number that is cut.
    EXPECT_EQ(notes(read(registered("z.object({ p: z.number(), q: z.number() })"
                                    ".transform(d => { d.p = _.clamp(d.q, 0, 1); return d; })"))),
              "applied vars\nignored vars:1 a .transform(…)\n");
}

TEST(Zod, NamesWhatItCannotReadWithItsLine) {
    const ZodSchema schema = read(
        "const S = z.object({\n"
        "  a: z.number().refine(v => v % 2 == 0),\n"
        "  b: z.object({ c: z.string().min(3) })\n"
        "    .transform(d => ({ ...d, n: 1 })),\n"
        "  d: make('x'),\n"
        "  $e: z.number(),\n"
        "  ...rest,\n"
        "});\n"
        "registerMvuSchema(S)");
    EXPECT_EQ(notes(schema),
              "applied vars\n"
              "ignored vars $e\n"
              "ignored vars:2 a .refine(…)\n"
              "ignored vars:3 b.c .min(…)\n"
              "ignored vars:4 b .transform(…)\n"
              "ignored vars:5 d make('x')\n"
              "ignored vars:7 rest\n");
    EXPECT_EQ(limit(schema, "stat_data.a"), R"({"type":["number"],"required":true})");
}

TEST(Zod, FillsInWhatTheVariablesLack) {
    const ZodSchema schema = read(registered(R"(z.object({
        n: z.coerce.number().transform(v => _.clamp(v, 0, 9)).prefault(50),
        t: z.string().default('x'),
        deep: z.object({ k: z.number().prefault(1) }).prefault({}),
        raw: z.object({ k: z.number().prefault(1) }).default({}),
        need: z.number(),
        rec: z.record(z.string(), z.object({ q: z.number().prefault(2) })),
    }))"));
    const Value begun = Object{
        {"a", Object{{"rec", Object{{"r", Object{}}, {"s", Object{{"q", 5}}}}}, {"n", "12"}}}};
    EXPECT_EQ(value::print_json(with_presets(schema, begun)),
              R"({"a":{"rec":{"r":{"q":2},"s":{"q":5}},"n":9,"t":"x","deep":{"k":1},"raw":{}}})");
    EXPECT_EQ(value::print_json(with_presets(schema, Object())), "{}");
}

TEST(Zod, HostileScriptsAreBounded) {
    const auto repeated = [](std::string_view text, std::size_t times) {
        std::string out;
        for (std::size_t i = 0; i < times; ++i) {
            out += text;
        }
        return out;
    };
    const std::string hostile[] = {
        registered(repeated("z.array(", 100'000)),
        registered(repeated("(", 100'000)),
        registered(repeated("-", 100'000)),
        registered("z.number()" + repeated(".min(0)", 50'000)),
        registered("1" + repeated("+1", 100'000)),
        registered(repeated("[", 100'000)),
        repeated("const a=()=>{", 20'000) + registered("z.number()"),
        "const A = z.object({ a: A, b: z.lazy(() => A), c: A }); registerMvuSchema(A)",
        "const f = x => f(x); registerMvuSchema(f(1))",
        "const a = b; const b = a; registerMvuSchema(a)",
        registered("'unclosed"),
        "const t = '" + std::string(1000, 'x') + "'; const f = () => z.enum([" +
            repeated("t,", 2000) + "]); " + registered("z.object({ b: f(), c: f() })"),
        registered("`${" + repeated("`${", 1000)),
        registered("/" + repeated("[", 1000)),
        std::string(base::kScriptBytesMax + 1, ' ') + registered("z.number()"),
    };
    for (const std::string& script : hostile) {
        const ZodSchema schema = read(script);
        EXPECT_FALSE(schema.notes.empty()) << script.substr(0, 60);
    }
}

}  // namespace
}  // namespace arbiter::card
