// Goal: a script answers what it says, in the pieces it says, fails as it says, and is the same
// every time; a script with diagnostics says where and what would have worked.
#include "model/scripted.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/limits.h"
#include "base/messages.h"

namespace arbiter::model {
namespace {

using base::ErrorCode;
using prompt::Role;

Scripted scripted(std::string text) {
    auto script = parse_script("s.yaml", std::move(text));
    EXPECT_TRUE(script) << (script ? ""
                                   : base::explain(script.error().errors[0],
                                                   base::Language::kEnglish));
    return Scripted(script ? *std::move(script) : Script{});
}

Request asking(std::string_view words, std::int64_t turn = 1, std::int64_t attempt = 1) {
    Request request;
    request.messages = {{Role::kSystem, "You narrate."}, {Role::kUser, value::Str(words)}};
    request.turn = turn;
    request.attempt = attempt;
    return request;
}

// The text, or the name of the error.
std::string said(Model& model, const Request& request) {
    const auto reply = model.answer(request);
    return reply ? reply->text : std::string(base::name(reply.error().code));
}

std::vector<std::string> pieces(Model& model, const Request& request) {
    std::vector<std::string> all;
    const auto reply = model.answer(request, [&](const Piece& piece) {
        all.push_back((piece.kind == Piece::Kind::kReasoning ? "~" : "") + std::string(piece.text));
        return true;
    });
    if (!reply) {
        all.push_back("! " + std::string(base::name(reply.error().code)));
    }
    return all;
}

// "s.yaml:3:5: …", one line for each fault.
std::string diagnostics(std::string text) {
    const auto script = parse_script("s.yaml", std::move(text));
    std::string lines;
    for (const base::Error& error : script ? std::vector<base::Error>() : script.error().errors) {
        EXPECT_FALSE(base::explain(error, base::Language::kChinese).empty());
        lines += script.error().file + ":" + std::to_string(error.place->line) + ":" +
                 std::to_string(error.place->column) + ": " +
                 base::explain(error, base::Language::kEnglish) + "\n";
    }
    return lines;
}

TEST(Scripted, LinesComeOneAfterTheOther) {
    Scripted model = scripted("answers:\n- 一\n- say: 二\n- say: 三\n  times: 2\ndefault: 完\n");
    std::string all;
    for (int i = 0; i < 6; ++i) {
        all += said(model, asking("x"));
    }
    EXPECT_EQ(all, "一二三三完完");
    EXPECT_EQ(model.requests(), 6);
}

TEST(Scripted, ConditionsChooseTheLine) {
    Scripted model = scripted(R"(
answers:
- {when: 推门, say: 门开了}
- {when: {contains: 看, turn: 3}, say: 第三回合}
- {when: {regex: '(?i)^go\s+\w+$'}, say: went}
- {when: {attempt: 2}, say: 改正}
- {when: {role: tool}, say: 工具}
- {when: {contains: narrate, in: system, request: 8}, say: 第八}
- {when: {contains: 推门, in: all}, say: 说过}
- {when: {contains: 后, in: user}, say: 用户}
default: 风声
)");
    EXPECT_EQ(said(model, asking("我推门")), "门开了");
    EXPECT_EQ(said(model, asking("我推门")), "门开了");
    EXPECT_EQ(said(model, asking("看看", 2)), "风声");
    EXPECT_EQ(said(model, asking("看看", 3)), "第三回合");
    EXPECT_EQ(said(model, asking("GO north")), "went");
    EXPECT_EQ(said(model, asking("go north now")), "风声");
    EXPECT_EQ(said(model, asking("x", 1, 2)), "改正");
    EXPECT_EQ(said(model, asking("x")), "第八");
    EXPECT_EQ(said(model, asking("x")), "风声");
    Request tools = asking("推门");
    tools.messages.push_back({Role::kTool, "{}"});
    EXPECT_EQ(said(model, tools), "工具");
    Request after = asking("推门以后");
    after.messages.push_back({Role::kSystem, "feedback"});
    EXPECT_EQ(said(model, after), "说过");
    after.messages[1].content = "然后";
    EXPECT_EQ(said(model, after), "用户");
    EXPECT_EQ(said(model, Request{}), "风声");
}

TEST(Scripted, ThenIsWhatComesTheNextTimes) {
    Scripted model = scripted(
        "answers:\n- when: 问\n  say: 甲\n  then: [乙, {fail: timeout}, 丙]\n- {when: 别, say: 丁, "
        "times: 1}\n");
    std::string all;
    for (int i = 0; i < 5; ++i) {
        all += said(model, asking("问")) + " ";
    }
    EXPECT_EQ(all, "甲 乙 model_timeout 丙 丙 ");
    EXPECT_EQ(said(model, asking("别")), "丁");
    const auto silent = model.answer(asking("别\n的"));
    ASSERT_FALSE(silent);
    EXPECT_EQ(silent.error(), base::Error(ErrorCode::kScriptSilent, {"7", "别 的"}));
    // Without a condition they are said once each.
    Scripted once = scripted("answers:\n- {say: 甲, then: [乙]}\n- 丙\n");
    all.clear();
    for (int i = 0; i < 3; ++i) {
        all += said(once, asking(""));
    }
    EXPECT_EQ(all, "甲乙丙");
}

TEST(Scripted, PiecesAreCutAsItSays) {
    using Texts = std::vector<std::string>;
    const auto cut = [](const std::string& how) {
        Scripted model = scripted("answers:\n- {say: 他a说好, think: 嗯, pieces: " + how + "}\n");
        return pieces(model, asking("x"));
    };
    EXPECT_EQ(cut("2"), (Texts{"~嗯", "他a", "说好"}));
    EXPECT_EQ(cut("3"), (Texts{"~嗯", "他a说", "好"}));
    EXPECT_EQ(cut("[1, 1]"), (Texts{"~嗯", "他", "a", "说好"}));
    EXPECT_EQ(cut("[9, 9]"), (Texts{"~嗯", "他a说好"}));
    Scripted whole = scripted("answers:\n- 他说\n- pieces: [他, 说, 好]\n");
    EXPECT_EQ(pieces(whole, asking("x")), Texts{"他说"});
    const auto reply = whole.answer(asking("x"));
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->text, "他说好");
    const auto wide = [](std::size_t size) {
        return diagnostics("answers:\n- {say: " + std::string(size, 'x') + ", pieces: 1}\n");
    };
    EXPECT_EQ(wide(base::kScriptPiecesMax), "");
    EXPECT_TRUE(wide(base::kScriptPiecesMax + 1).contains("≤ 100000"));
}

TEST(Scripted, FailsAsItSays) {
    using Texts = std::vector<std::string>;
    Scripted model = scripted(R"(
answers:
- {say: 一二三, pieces: 1, fail: {how: cut_off, after: 2, words: 断了}}
- {say: 一二三, pieces: 1, fail: cut_off}
- {say: 一, fail: {how: refused, after: 9}}
)");
    EXPECT_EQ(pieces(model, asking("x")), (Texts{"一", "二", "! model_cut_off"}));
    EXPECT_EQ(pieces(model, asking("x")), Texts{"! model_cut_off"});
    EXPECT_EQ(pieces(model, asking("x")), (Texts{"一", "! model_refused"}));
    for (const std::string_view kind : {"refused", "key", "rate_limited", "overloaded", "timeout",
                                        "unreachable", "cut_off", "too_long", "bad_answer"}) {
        Scripted one = scripted("answers:\n- fail: " + std::string(kind) + "\n");
        const auto reply = one.answer(asking("x"));
        ASSERT_FALSE(reply);
        EXPECT_EQ(base::name(reply.error().code), "model_" + std::string(kind));
        EXPECT_FALSE(base::explain(reply.error(), base::Language::kChinese).contains("{0}"));
    }
}

TEST(Scripted, WhoListensMayStopIt) {
    Scripted model = scripted("answers:\n- {say: 一二三, pieces: 1, times: 2}\n");
    std::string heard;
    const auto reply = model.answer(asking("x"), [&](const Piece& piece) {
        heard += piece.text;
        return heard.size() < 6;
    });
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kModelCancelled);
    EXPECT_EQ(heard, "一二");
    EXPECT_EQ(said(model, asking("x")), "一二三");
}

TEST(Scripted, ToolCallsUsageAndFinish) {
    Scripted model = scripted(R"(
model: narrator
answers:
- tool_calls:
  - {name: roll, arguments: {dice: 1d20}}
  - {id: own, name: move, arguments: '{"to": '}
- {say: 够了, finish: length, usage: {prompt: 100, completion: 7}}
- {say: abcdefgh中, usage: {prompt: 3}}
)");
    const auto calls = model.answer(asking("x"));
    ASSERT_TRUE(calls);
    EXPECT_EQ(calls->tool_calls,
              (std::vector<prompt::NativeToolCall>{{"call_1", "roll", R"({"dice":"1d20"})"},
                                                   {"own", "move", R"({"to": )"}}));
    EXPECT_EQ(calls->finish, Finish::kToolCalls);
    EXPECT_EQ(calls->model, "narrator");
    EXPECT_TRUE(calls->usage.estimated);
    const auto told = model.answer(asking("x"));
    ASSERT_TRUE(told);
    EXPECT_EQ(told->usage, (Usage{100, 7, false}));
    EXPECT_EQ(name(told->finish), "length");
    const auto half = model.answer(asking("x"));
    ASSERT_TRUE(half);
    EXPECT_EQ(half->usage, (Usage{3, 3, true}));
}

TEST(Scripted, FaultsHaveTheirPlaces) {
    EXPECT_EQ(diagnostics("answers:\n- sya: x\n"),
              "s.yaml:2:3: There is no key sya here. Did you mean say?\n"
              "s.yaml:2:3: The key say is missing.\n");
    EXPECT_EQ(diagnostics("answers: x\n"), "s.yaml:1:10: answers takes […], not \"x\".\n");
    EXPECT_EQ(diagnostics("model: x\n"), "s.yaml:1:1: The key answers is missing.\n");
    EXPECT_EQ(diagnostics("[]\n"), "s.yaml:1:1: script takes answers: […], not [].\n");
    EXPECT_EQ(diagnostics("answers:\n- {say: x, when: {turn: -1}}\n"),
              "s.yaml:2:25: turn takes 0, 1, …, not -1.\n");
    EXPECT_EQ(diagnostics("answers:\n- {say: x, when: {role: narrator}}\n"),
              "s.yaml:2:25: role takes system | user | assistant | tool, not \"narrator\".\n");
    EXPECT_TRUE(diagnostics("answers:\n- {say: x, when: {regex: '('}}\n").starts_with("s.yaml:2:"));
    EXPECT_TRUE(diagnostics("answers:\n- {fail: melted}\n").contains("fail takes refused | key"));
    EXPECT_TRUE(
        diagnostics("answers:\n- {fail: {after: 1}}\n").contains("The key how is missing."));
    EXPECT_TRUE(diagnostics("answers:\n- {say: x, pieces: 0}\n").contains("pieces takes 3"));
    EXPECT_TRUE(diagnostics("answers:\n- {say: x, pieces: [x]}\n").contains("pieces takes 3"));
    EXPECT_TRUE(diagnostics("answers:\n- {pieces: [x, 1]}\n").contains("pieces takes 3"));
    EXPECT_TRUE(diagnostics("answers:\n- {say: x, times: never}\n").contains("times takes 1"));
    EXPECT_TRUE(
        diagnostics("answers:\n- {tool_calls: [{}]}\n").contains("The key name is missing."));
    EXPECT_TRUE(diagnostics("answers:\n- {say: [x]}\n").contains("say takes"));
    EXPECT_TRUE(diagnostics("answers: [\n").starts_with("s.yaml:"));
    EXPECT_EQ(load_script("no/such.yaml").error().errors[0].code, ErrorCode::kFileMissing);
}

TEST(Scripted, TheExampleOfTheDocumentationPlays) {
    const auto root =
        std::filesystem::path(ARBITER_TEST_DATA).parent_path().parent_path().parent_path();
    std::ifstream file(root / "docs/scripted-model.md");
    const std::string page(std::istreambuf_iterator<char>(file), {});
    const std::size_t begin = page.find("```yaml\n") + 8;
    ASSERT_LT(begin, page.size());
    Scripted model = scripted(page.substr(begin, page.find("```", begin) - begin));
    EXPECT_EQ(said(model, asking("你好")), "客栈里很安静。");
    EXPECT_TRUE(said(model, asking("我推门")).contains("_.set('地点', '院子');"));
    EXPECT_EQ(said(model, asking("我推门")), "门已经开着。");
    EXPECT_EQ(said(model, asking("你好", 7)), "model_cut_off");
    EXPECT_EQ(said(model, asking("你好", 7)), "风声。");
    EXPECT_EQ(said(model, asking("x", 8, 2)), "我改正：_.add('金币', -30);");
}

TEST(Model, TokensAreEstimated) {
    EXPECT_EQ(estimate_tokens(Request{}), 0);
    EXPECT_EQ(estimate_tokens(Reply{}), 0);
    Request request = asking("中文");
    const std::int64_t before = estimate_tokens(request);
    request.tools.push_back({"roll", "rolls dice"});
    EXPECT_GT(estimate_tokens(request), before);
    for (const Role role : {Role::kSystem, Role::kUser, Role::kAssistant, Role::kTool}) {
        EXPECT_FALSE(name(role).empty());
    }
}

}  // namespace
}  // namespace arbiter::model
