// Runs the core over a list of texts and prints everything it says of them. Built natively and for
// WebAssembly: both must print the same bytes (tests/wasm/smoke.mjs compares them).
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"
#include "calendar/shipped.h"
#include "engine/describe.h"
#include "engine/engine.h"
#include "expr/arithmetic.h"
#include "proposal/describe.h"
#include "reader/reader.h"
#include "turn/turn.h"
#include "value/diff.h"
#include "value/editor.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/path.h"
#include "writer/teach.h"

using namespace arbiter;

namespace {

void line(const std::string& text) {
    std::printf("%s\n", text.c_str());
}

void show(std::string_view text) {
    value::JsonNotices notices;
    const auto document = value::parse_json(text, {.notices = &notices});
    if (!document) {
        line(base::explain(document.error(), base::Language::kEnglish) + " " +
             base::explain(document.error().place.value_or(base::Place{}),
                           base::Language::kChinese));
        return;
    }
    const value::Fingerprint hashes = value::seal(*document);
    line(value::print_json(*document) + " " + std::to_string(hashes.loose) + " " +
         std::to_string(hashes.exact) + " " + std::to_string(notices.total));
    line(value::print_json(*document, value::JsonStyle::kCanonical));
}

std::string deep(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

std::string large() {
    std::string text = "{";
    for (int i = 0; i < 500; ++i) {
        text += "\"键" + std::to_string(i) + "\":[" + std::to_string(i * 0.37) + "],";
    }
    text.back() = '}';
    return text;
}

// A reply on a state: what is shown, what is proposed, and what comes of it.
void play(std::string_view state, std::string_view reply) {
    turn::BaseRules base;
    base.profile.of_model = reader::Dialects::all();
    turn::RulesCache rules(std::move(base), base::Language::kEnglish);
    const protocol::Library library;
    turn::Input input;
    input.state.document = *value::parse_json(state);
    input.number = 1;
    input.context.now = 1'767'225'600'000;
    input.context.batch_id = "t";
    const auto begun = turn::begin(input, rules, library);
    if (!begun) {
        line(base::explain(begun.error(), base::Language::kEnglish));
        return;
    }
    const turn::Finished finished =
        turn::apply_reply(*begun, reader::read(reply, begun->rules->reading(engine::Actor::kModel)),
                          {}, base::Language::kEnglish);
    const turn::Attempt& attempt = finished.attempt;
    line(attempt.reading.text);
    for (const proposal::Notice& notice : attempt.reading.notices) {
        line(describe(notice));
    }
    const auto records =
        engine::audit_records(attempt.reading.proposals, attempt.outcome, input.context);
    for (std::size_t i = 0; i < records.size(); ++i) {
        line(describe(attempt.reading.proposals[i]));
        line(value::print_json(records[i]));
    }
    line(value::print_json(attempt.candidate().document));
}

int main_of_values() {
    const std::vector<std::string> texts = {
        R"({"角色":{"气血":100,"名号":"一个比十四个字节长的名字"},"列表":[1,2.5,null,true,-0]})",
        "[0.1,1e21,1e-7,5e-324,1.7976931348623157e308,123456789012345678901234567890,1e-400]",
        "[1e400]",
        R"("\ud800\u0041\ud83d\ude00")",
        R"({"a":1,"b":2,"a":3})",
        "[1,2,]",
        "\"\xff\"",
        deep(512),
        deep(513),
        deep(200'000),
        large()};
    for (const std::string& text : texts) {
        show(text);
    }
    const value::Value before = *value::parse_json(texts[0]);
    value::Editor editor(before);
    if (!editor.set({"角色", "气血"}, 90.5) || !editor.erase({"列表", 0}) ||
        !editor.set({"新", "路径", 0}, "x", value::Parents::kCreate)) {
        return 1;
    }
    const value::Diff changes = value::diff(before, editor.root());
    line(value::print_json(value::diff_to_value(changes)));
    line(value::print_json(value::diff_to_patch(changes)));
    const auto undone = value::apply_diff(value::invert(changes), editor.root());
    line(undone && value::same_bytes(*undone, before) ? "undone" : "not undone");
    for (const std::string_view path : {"a.b[0][\"x.y\"]", "a..b", "角色.气血"}) {
        const auto parsed = value::parse_path(path, value::PathSyntax::kDotted);
        line(parsed ? value::print_path(*parsed, value::PathSyntax::kArray)
                    : base::explain(parsed.error(), base::Language::kChinese));
    }
    for (const std::string_view text :
         {"0.1 + 0.2", "1/3", "2^0.5", "1.1^50", "exp(1.5)", "log(7, 3)", "cbrt(2)", "170!",
          "round(1.005, 2)", "1234567890 + 0.125", "1e308 * 10", "2031-07-09", "0.5e-320 / 3"}) {
        const auto number = expr::evaluate(text);
        line(number ? value::print_json(*number) : "text");
    }
    const calendar::Calendars& calendars = calendar::default_calendars();
    for (const std::string_view text :
         {"开阳历二百三十年腊月三十 日出", "12月30日", "2024-02-28T08:30:00Z", "第99天", "明天"}) {
        const auto date = calendars.parse(text);
        line(date ? calendars.print(*calendars.plus_days(*date, 3), text).value_or("-") : "text");
    }
    return 0;
}

}  // namespace

int main() {
    if (main_of_values() != 0) {
        return 1;
    }
    play(R"({"stat_data":{"hp":[90,"0-100"],"gold":0.1,"bag":["rope"],"day":"2031-07-09"}})",
         "<think>x</think>雨停了。“_.set('hp', 0);”\n_.add('hp', -(6 + 3));//咬伤\n"
         "_.add('gold', 0.2)\n_.insert('bag', '火把');_.add('day', 86400000);\n_.fly(1);\n");
    play(R"({"character":{"saveData":{"灵石":40}}})",
         "```json\n[{“action”：“add”，“key”：“character.saveData.灵石”，“value”：2,},\n"
         "{\"action\":\"delete\",\"key\":\"character.saveData.无\",\"options\":{}}]\n```\n完。");
    play("{}",
         "<variable_update>[[SET, 灯.心情, 有点 害羞], [DIV, a, 0], [PUSH, l, {\"x\": [1]}]]");
    line(writer::teach(writer::Form::kTavern, base::Language::kChinese));
    return 0;
}
