// Goal: templates of cards give the text that SillyTavern would give, nothing in one changes the
// state or differs from call to call, and no text makes rendering slow, large or deep. The expected
// texts of expressions were computed with Node.
#include "ejs/template.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>

#include "base/limits.h"
#include "value/json.h"

namespace arbiter::ejs {
namespace {

value::Value document() {
    return value::parse_json(
               R"({"stat_data":{"理":{"好感度":[55,"每次互动更新"],"心情":"平静",
        "物品":{"灵石":3,"剑":1,"10":1,"2":5}},"列表":["甲","乙","丙"],"空":null,
        "名单":[{"名":"a","分":3},{"名":"b","分":1},{"名":"c","分":2}]}})")
        .value();
}

struct World {
    value::Value state = document();
    value::Object defined;
    std::map<std::string, std::string, std::less<>> entries = {
        {"冷淡", "她转过身去。"},
        {"亲近", "她靠近{{user}}：<%= getvar('stat_data.理.心情') %>"},
        {"数据", "线索=<%= clue %>"},
        {"自己", "<%- await getwi('自己') %>"},
        {"坏", "一\n<% if ( %>"}};
    std::vector<ChatMessage> chat = {{ChatMessage::Role::kAssistant, "欢迎来到酒馆。"},
                                     {ChatMessage::Role::kUser, "我要去少林寺"},
                                     {ChatMessage::Role::kAssistant, "山路很长。"},
                                     {ChatMessage::Role::kUser, "继续走"}};
    Budget budget;

    std::expected<std::string, Failure> run(std::string_view text) {
        Environment environment;
        environment.document = &state;
        environment.user = "阿明";
        environment.character = "灯";
        environment.defined = &defined;
        environment.budget = &budget;
        environment.message_count = chat.size();
        environment.message = [this](std::size_t i) { return chat[i]; };
        environment.variable = [](std::string_view name) {
            return name == "宏变量" ? std::optional<std::string>("12") : std::nullopt;
        };
        environment.entry = [this](std::string_view, std::string_view title) {
            const auto found = entries.find(title);
            return found != entries.end() ? std::optional(found->second) : std::nullopt;
        };
        return render(text, environment);
    }
    std::string of(std::string_view text) {
        const auto rendered = run(text);
        if (rendered) {
            return *rendered;
        }
        std::string failure = "! " + std::to_string(static_cast<int>(rendered.error().fault));
        for (const std::string& word : rendered.error().words) {
            failure += " " + word;
        }
        return failure;
    }
};

std::string value_of(std::string_view expression) {
    World world;
    return world.of("<%= " + std::string(expression) + " %>");
}

struct Row {
    std::string_view written;
    std::string_view expected;
};

TEST(Template, TagsAreThoseOfEjs) {
    constexpr Row kRows[] = {
        {"no tags", "no tags"},
        {"a<%# comment %>b", "ab"},
        {"<%% x %%>", "<% x %>"},
        {"<%= null %>|<%= undefined %>|<%- 0 %>|<%= false %>", "||0|false"},
        {"a <% if (1) { -%>\nb\n<% } -%>\nc", "a b\nc"},
        {"a\n  <%_ if (true) { _%>  \n  b\n  <%_ } else { _%>\n  c\n  <%_ } _%>\nd", "a\n  b\nd"},
        {"<% // comment only %>x", "x"},
        {"<% /* a\nb */ %>x", "x"},
        {"x<% %>y", "xy"},
        {"<#escape-ejs><%= 1 %><#/escape-ejs><%= 2 %>", "<%= 1 %>2"},
        {"<%= 'a' // c %>", "a"},
        {"<%= 1; %>", "1"},
    };
    World world;
    for (const Row& row : kRows) {
        EXPECT_EQ(world.of(row.written), row.expected) << row.written;
    }
}

TEST(Template, StagesFollowTheState) {
    constexpr Row kRows[] = {
        {"<%_ if (getvar('stat_data.理.好感度[0]') > 50) { _%>分你一半。<%_ } _%>", "分你一半。"},
        {"<% var t = getvar('stat_data.理.好感度[0]'); if (t < 20) { %>冷<% } else if (t < 60) { "
         "%>温<% } else { %>热<% } %>",
         "温"},
        {"<% switch (stat_data.理.心情) { case '平静': %>静<% break; default: %>?<% } %>", "静"},
        {"<% for (const x of getvar('stat_data.列表')) { %>- <%= x %>\n<% } %>",
         "- 甲\n- 乙\n- 丙\n"},
        {"<% stat_data.列表.forEach((x, i) => { %>[<%= i %><%= x %>]<% }) %>", "[0甲][1乙][2丙]"},
        {"<% if (typeof q === 'undefined') var q = 5; %><%= q %>", "5"},
        {"<%\nconst a = 1\nlet b = a\nb += 2\n%><%= b %>", "3"},
        {"<% let i = 0; while (i < 3) { i++ %><%= i %><% } %>", "123"},
        {"<% console.log('x'); toastr.info('y') %>ok", "ok"},
        {"<% await (async () => { print('in ', 1) })() %>", "in 1"},
    };
    World world;
    for (const Row& row : kRows) {
        EXPECT_EQ(world.of(row.written), row.expected) << row.written;
    }
}

TEST(Template, ExpressionsAreJavaScripts) {
    constexpr Row kRows[] = {
        {"getvar('stat_data.理.好感度')", "55,每次互动更新"},
        {"getvar('stat_data').理.心情", "平静"},
        {"getvar('stat_data.没有', {defaults: '默认'})", "默认"},
        {"getvar('stat_data.理.没有.深') ?? '无'", "无"},
        {"getvar('宏变量') * 2", "24"},
        {"stat_data.理?.没有?.深", ""},
        {"stat_data.空?.x", ""},
        {"variables.stat_data.列表[1]", "乙"},
        {"[55, 'x'] > 50", "false"},
        {"0.1 + 0.2", "0.30000000000000004"},
        {"1e21", "1e+21"},
        {"5 / 0", "Infinity"},
        {"'5' + 2", "52"},
        {"'5' * '2'", "10"},
        {"null == undefined", "true"},
        {"null >= 0", "true"},
        {"undefined <= 0", "false"},
        {"'10' < '9'", "true"},
        {"'10' < 9", "false"},
        {"[] + {}", "[object Object]"},
        {"'1' === 1", "false"},
        {"0 ?? 'a'", "0"},
        {"0 || 'a'", "a"},
        {"0 ? 1 : 0 ? 2 : 3", "3"},
        {"`好感 ${stat_data.理.好感度[0] > 50 ? '高' : '低'}`", "好感 高"},
        {"'😀x'.length", "3"},
        {"'汉字文本'.slice(-2)", "文本"},
        {"'5'.padStart(2, '0')", "05"},
        {"(2.5).toFixed(0) + (1.005).toFixed(2) + (1.45).toFixed(1)", "31.001.4"},
        {"parseInt('12px') + parseFloat('3.5e1x')", "47"},
        {"Number(' 12 ') + ',' + Number('1a') + ',' + Number('')", "12,NaN,0"},
        {"Math.round(-2.5) + ',' + Math.round(2.5)", "-2,3"},
        {"Math.max(...[1, 2, 9])", "9"},
        {"[10, 9, 1].sort().join()", "1,10,9"},
        {"[10, 9, 1].sort((a, b) => a - b).join()", "1,9,10"},
        {"[1, 2, 3].reduce((a, b) => a + b, 0)", "6"},
        {"stat_data.名单.filter(x => x.分 > 1).map(({名, 分}) => 名 + 分).join()", "a3,c2"},
        {"[...stat_data.名单].sort((a, b) => b.分 - a.分)[0].名", "a"},
        {"Object.keys(stat_data.理.物品)", "2,10,灵石,剑"},
        {"Object.entries(stat_data.理.物品).map(([k, v]) => `${k}:${v}`).join(';')",
         "2:5;10:1;灵石:3;剑:1"},
        {"JSON.stringify({a: 1, b: [1, 'x', null, undefined], c: undefined})",
         R"({"a":1,"b":[1,"x",null,null]})"},
        {"Array.from({length: 3}, (_, i) => i + 1).join()", "1,2,3"},
        {"_.get(stat_data, '理.好感度[0]', 0) + _.get(stat_data, '没有', 1)", "56"},
        {"_.has(stat_data, '理.心情') + ',' + _.size(stat_data.列表)", "true,3"},
        {"_.includes(stat_data.列表, '乙')", "true"},
        {"_.sortBy(stat_data.名单, '分').map(x => x.名).join('')", "bca"},
        {"_.clamp(150, 0, 100)", "100"},
        {"[...new Set(['a', 'b', 'a'])].join()", "a,b"},
        {"'好感度：85'.match(/\\d+/)[0]", "85"},
        {"'a1b2'.replace(/\\d/g, '#')", "a#b#"},
        {"'甲、乙,丙'.split(/[、,]/).length", "3"},
        {"/^第\\d+天$/.test('第12天')", "true"},
        {"((a, b = 2, ...c) => a + b + c.length)(1, undefined, 3, 4)", "5"},
        {"(() => { let {a, b: {c}, ...d} = {a: 1, b: {c: 2}, x: 3}; return a + c + d.x })()", "6"},
        {"(() => { try { null.x } catch (e) { return 'caught' } })()", "caught"},
        {"(() => { const f = []; for (let i = 0; i < 3; i++) f.push(() => i); return f.map(g => "
         "g()).join() })()",
         "0,1,2"},
        {"typeof 没有 + typeof stat_data + typeof null", "undefinedobjectobject"},
        {"userName + charName", "阿明灯"},
        {"lastUserMessage + lastMessageId", "继续走3"},
        {"matchChatMessages(['少林', '武当'], {start: -4})", "true"},
        {"matchChatMessages('少林')", "false"},
        {"getChatMessages(-2).length + getChatMessage(-1, 'user')", "2继续走"},
        {"({}).constructor + ({}).__proto__ + [].constructor", "NaN"},
    };
    for (const Row& row : kRows) {
        EXPECT_EQ(value_of(row.written), row.expected) << row.written;
    }
}

TEST(Template, AsksForEntriesAndDefinesNames) {
    World world;
    EXPECT_EQ(world.of("<%- await getwi('冷淡') %>"), "她转过身去。");
    EXPECT_EQ(world.of("<%- await getwi(null, '亲近') %>"), "她靠近{{user}}：平静");
    EXPECT_EQ(world.of("<%- await getWorldInfo('书', '数据', {clue: '蓝钥匙'}) %>"), "线索=蓝钥匙");
    EXPECT_EQ(world.of("<%- await getwi('没有') %>|"), "|");
    EXPECT_EQ(world.of("<% define('地区', getvar('stat_data.列表')[0]) %>"), "");
    EXPECT_EQ(world.of("<%= 地区 === '甲' %>"), "true");
}

struct Bad {
    std::string_view written;
    Fault fault;
    std::size_t line;
    std::string_view word;
};

TEST(Template, FailuresNameTheLineAndTheReason) {
    const Bad kRows[] = {
        {"a\n<% setvar('stat_data.x', 1) %>", Fault::kWrites, 2, "setvar"},
        {"<% getvar('stat_data').x = 1 %>", Fault::kWrites, 1, "getvar('stat_data').x"},
        {"<% getvar('stat_data.列表').push(1) %>", Fault::kWrites, 1, ".push()"},
        {"<% variables.列表 = 1 %>", Fault::kWrites, 1, "variables.列表"},
        {"<%= Math.random() %>", Fault::kVaries, 1, "Math.random"},
        {"<%= new Date() %>", Fault::kVaries, 1, "Date"},
        {"<%= _.sample([1]) %>", Fault::kVaries, 1, "_.sample"},
        {"<% await activewi('x', true) %>", Fault::kUnsupported, 1, "activewi"},
        {"<% execute('/sys x') %>", Fault::kUnsupported, 1, "execute"},
        {"<% class A {} %>", Fault::kUnsupported, 1, "class"},
        {"\n\n<%= 没有 %>", Fault::kUnknownName, 3, "没有"},
        {"<%= getvar('stat_data.没有').x %>", Fault::kNoMember, 1, "getvar('stat_data.没有')"},
        {"<%= stat_data.理.心情.没有() %>", Fault::kUnsupported, 1, "stat_data.理.心情.没有"},
        {"<% const a = 1; a = 2 %>", Fault::kConstant, 1, "a"},
        {"<% throw new Error('x') %>", Fault::kUnknownName, 1, "Error"},
        {"<% throw 'x' %>", Fault::kThrown, 1, "x"},
        {"a <% b", Fault::kUnclosed, 1, "<%"},
        {"a\n<% if (1) { %>b", Fault::kUnclosed, 2, "{"},
        {"<% } %>", Fault::kSyntax, 1, "}"},
        {"<%= 1 + %>", Fault::kSyntax, 1, "%>"},
        {"<% let x = 'abc %>", Fault::kUnclosed, 1, "'abc "},
        {"<%- await getwi('自己') %>", Fault::kDepth, 1, "8"},
        {"<%- await getwi('坏') %>", Fault::kUnclosed, 2, "("},
        {"<% return 1 %>", Fault::kUnsupported, 1, "return"},
    };
    for (const Bad& row : kRows) {
        World world;
        const auto rendered = world.run(row.written);
        ASSERT_FALSE(rendered) << row.written << " → " << *rendered;
        EXPECT_EQ(rendered.error().fault, row.fault) << row.written;
        EXPECT_EQ(rendered.error().line, row.line) << row.written;
        EXPECT_EQ(rendered.error().words.at(0), row.word) << row.written;
        EXPECT_EQ(value::print_json(world.state), value::print_json(document())) << row.written;
    }
}

TEST(Template, WhatIsNotReachedDoesNotMatter) {
    World world;
    EXPECT_EQ(world.of("<% if (false) { setvar('x', 1); Math.random() } %>ok"), "ok");
}

std::string repeated(std::string_view part, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
        out += part;
    }
    return out;
}

// Limits: no template takes long, whatever it says.
TEST(Template, HostileTemplatesAreBounded) {
    const std::string kRows[] = {
        "<% while (true) {} %>",
        "<% for (;;) { print('x') } %>",
        "<% const f = () => f(); f() %>",
        "<% let s = 'x'; while (true) s += s %>",
        "<% let a = []; while (true) a.push(a) %>",
        "<% let a = [1]; while (true) a = [...a, ...a] %>",
        "<% let a = []; a.push(a, a); print(String(a)) %><% while (1) {} %>",
        "<%= 'x'.repeat(1e9) %>",
        "<%= 'x'.padStart(1e9) %>",
        "<%= Array(1e9).join('x') %>",
        "<%= Array.from({length: 1e9}).length %>",
        "<%= _.range(1e9).length %>",
        "<%= new Array(199999).fill('xxxxxxxxxx').join('yyyyyyyyyyyyyyyyyyyy').split('y').length "
        "%>",
        "<% let o = {}; for (let i = 0; ; i++) o['k' + i] = o %>",
        "<% [1, 2].sort(() => { while (true) {} }) %>",
        "<%= '" + repeated("a", 20'000) + "'.replace(/(a*)*b/g, 'c').length; while (1) {} %>",
        "<% let s = '" + repeated("ab", 20'000) + "'; while (1) s.match(/(a|b|ab)*c/) %>",
        "<%= " + repeated("(", 100'000) + "1" + repeated(")", 100'000) + " %>",
        "<%= " + repeated("[", 100'000) + repeated("]", 100'000) + " %>",
        "<%= " + repeated("!", 100'000) + "1 %>",
        "<%= " + repeated("a=>", 50'000) + "1 %>",
        "<%= a" + repeated(".b", 100'000) + " %>",
        "<%= f" + repeated("()", 100'000) + " %>",
        repeated("<% if (1) { %>", 20'000) + repeated("<% } %>", 20'000),
        "<% x = " + repeated("{a:", 50'000) + "1" + repeated("}", 50'000) + " %>",
        repeated("<%", 50'000),
        "<%= `" + repeated("${`", 50'000) + " %>",
        "<% " + repeated("1;", 200'000) + " %>",
        "<% const [" + repeated("[", 10'000) + "a" + repeated("]", 10'000) + "] = 1 %>",
    };
    for (const std::string& text : kRows) {
        World world;
        const auto begin = std::chrono::steady_clock::now();
        const auto rendered = world.run(text);
        const auto took = std::chrono::steady_clock::now() - begin;
        EXPECT_FALSE(rendered) << text.substr(0, 60);
        // Generous: sanitizers and busy machines are slow.
        EXPECT_LT(took, std::chrono::seconds(10)) << text.substr(0, 60);
    }
}

TEST(Template, LongChainsAreNotDeep) {
    World world;
    EXPECT_EQ(world.of("<%= 1" + repeated(" + 1", 2'000) + " %>"), "2001");
    EXPECT_EQ(world.of("<%= false" + repeated(" || false", 2'000) + " || 'x' %>"), "x");
    EXPECT_EQ(world.of("<%= false ? 1" + repeated(" : false ? 1", 2'000) + " : 2 %>"), "2");
    EXPECT_EQ(world.of("<% if (false) {}" + repeated(" else if (false) {}", 2'000) +
                       " else { %>last<% } %>"),
              "last");
}

TEST(Template, TemplatesOfOnePromptShareTheirSteps) {
    World world;
    const auto loop = "<% for (let i = 0; i < 10000; i++) {} %>";
    std::size_t rendered = 0;
    while (world.run(loop)) {
        ++rendered;
        ASSERT_LT(rendered, 1'000U);
    }
    EXPECT_GT(rendered, 3U);
    EXPECT_EQ(world.budget.steps, 0U);
}

TEST(Template, TextWithoutItsTags) {
    EXPECT_EQ(without_tags("a<% x %>b<%= y %>c"), "abc");
    EXPECT_EQ(without_tags("a<% x"), "a");
}

}  // namespace
}  // namespace arbiter::ejs
