// Any bytes as a book of lore (if they are JSON), as what was said, and as a text with macros: the
// same prompt comes out with and without a memory of the turn before, and whatever is wrong has
// words. The first line is the text with macros, the second what was said, the rest the book.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/limits.h"
#include "base/messages.h"
#include "prompt/assemble.h"
#include "prompt/explain.h"
#include "table/registries.h"
#include "tests/prompt/flat.h"
#include "value/json.h"

using namespace arbiter;

namespace {

constexpr std::string_view kState = R"({"好感度":60,"stat_data":{"hp":[3,"剩余"]},
    "assa_data":{"summary":{"big":{"a":"b"},"small":["x"]},"config":{"flags":{"clean_small_flag":true}}}})";

std::string_view take_line(std::string_view& rest) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    const std::string_view macros = take_line(rest);
    const std::string_view said = take_line(rest);
    auto parsed = value::parse_json(rest);
    const value::Value book = parsed ? *parsed : value::Value(rest.substr(0, 1000));
    const value::Value state = value::parse_json(kState).value();

    prompt::MacroWorld world;
    world.character = "灯";
    world.user = "{{char}}";
    world.document = &state;
    world.texts = {{"description", std::string(said)}, {"scenario", std::string(macros)}};
    const prompt::Expanded expanded = prompt::expand_macros(macros, world, "fuzz");
    CHECK(expanded.text.size() <= 3 * (base::kMacroBytesMax + macros.size() + said.size()));

    prompt::Block piece;
    piece.id = "piece";
    piece.text = macros;
    piece.macros = true;
    const std::vector<prompt::Message> history = {{prompt::Role::kAssistant, macros, {}},
                                                  {prompt::Role::kUser, said, {}}};
    prompt::Plan plan = prompt::plan_of(table::shipped_registries()->dialogs.all()[0]);
    plan.context_tokens = size % 3 == 0 ? 0 : 200;
    const prompt::LoreSource source{"book", book};
    prompt::Lore kept;
    std::string first;
    for (int turn = 0; turn < 3; ++turn) {
        prompt::Lore anew;
        prompt::Lore& lore = turn < 2 ? kept : anew;
        lore.follow({&source, 1});
        for (const value::Diagnostic& fault : lore.diagnostics("book")) {
            CHECK(!base::explain(fault.error, base::Language::kEnglish).empty());
            CHECK(!base::explain(fault.error, base::Language::kChinese).empty());
        }
        prompt::AssemblyInputs inputs{state, plan};
        inputs.pieces = {piece};
        inputs.history = history;
        inputs.lore = &lore;
        inputs.lists_silent = size % 2 == 0;
        const prompt::Assembly assembly = prompt::assemble(inputs);
        const std::string bytes = tests::flat(assembly) +
                                  prompt::explain(assembly, base::Language::kEnglish) +
                                  value::print_json(prompt::explained(assembly));
        CHECK(tests::flat(assembly).starts_with(tests::flat_prefix(assembly)));
        CHECK(turn == 0 || bytes == first);
        first = bytes;
    }
    return 0;
}
