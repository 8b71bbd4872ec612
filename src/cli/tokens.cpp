#include "cli/tokens.h"

#include "cli/json_lines.h"
#include "cli/ledger.h"
#include "server/tokens.h"
#include "text/join.h"
#include "value/json.h"

namespace arbiter::cli {

using base::ErrorCode;
using server::Token;

namespace {

constexpr Argument kArguments[] = {
    {"ACTION", true, {"new, list or revoke", "new、list 或 revoke"}, false, "new|list|revoke"},
    {"NAME", false, {"new, revoke: the name of the token", "new、revoke：令牌的名称"}},
};
constexpr Option kOptions[] = {
    {"--store",
     "URL",
     {"the store of the server; default: sqlite:arbiter.db",
      "服务器使用的存储；默认 sqlite:arbiter.db"}},
    {"--scope",
     "read|play|admin",
     {"new: what it may do; each includes the one before; default: play",
      "new：权限，后者包含前者；默认 play"}},
    {"--campaign",
     "ID",
     {"new: only this campaign; may be repeated; default: all",
      "new：只能访问该战役，可重复；默认全部"}},
    {"--expires",
     "TIME",
     {"new: how long it works, such as 30d, 12h or 90m; default: until it is revoked",
      "new：有效期，如 30d、12h、90m；默认直到吊销"}},
    {"--now",
     "TIME",
     {"the present, in UTC; default: the clock", "当前时间（UTC）；默认取系统时钟"}},
    {"--json", "", {"print JSON", "输出 JSON"}},
};
constexpr Example kExamples[] = {
    {"arbiter token new phone --scope play --campaign mist-harbour --expires 30d",
     {"for one campaign and a month", "只用于一个战役，有效一个月"}},
    {"arbiter token new backup --scope admin", {"for your own programs", "供你自己的程序使用"}},
    {"arbiter token list", {"who may use the server", "哪些令牌可以访问服务器"}},
    {"arbiter token revoke phone",
     {"every server of the store refuses it within seconds",
      "使用该存储的所有服务器会在几秒内拒绝它"}},
};

std::expected<Token, Exit> token_of(const Call& call, std::string name, engine::Instant now) {
    Token token;
    token.name = std::move(name);
    token.created = now;
    token.scope = server::parse_scope(call.value("--scope", "play")).value_or(token.scope);
    const auto campaigns = call.values("--campaign");
    token.campaigns.assign(campaigns.begin(), campaigns.end());
    if (call.has("--expires")) {
        const std::string text(call.value("--expires", ""));
        const auto lifetime = server::parse_lifetime(text);
        if (!lifetime) {
            return std::unexpected(
                trouble(call.console, base::Error(ErrorCode::kBadOptionValue,
                                                  {"--expires", text, "30d, 12h, 90m, 45s"})));
        }
        token.expires = now + lifetime->count();
    }
    return token;
}

Exit new_token(const Call& call, const std::string& name, engine::Instant now) {
    const Console& console = call.console;
    const auto token = token_of(call, name, now);
    if (!token) {
        return token.error();
    }
    const auto store = open_store(call, ledger::Access::kCreate);
    if (!store) {
        return store.error();
    }
    for (const std::string& campaign : token->campaigns) {
        if (const auto row = (*store)->campaign(campaign); !row) {
            return trouble(console, row.error());
        }
    }
    const auto text = server::create_token(**store, *token);
    if (!text) {
        return trouble(console, text.error());
    }
    if (call.has("--json")) {
        console.print(json_line(
            server::describe_token(*token, now).set("token", std::string_view(text->reveal()))));
        return Exit::kDone;
    }
    // Alone on standard output, so that a script can take it.
    console.print(std::string(text->reveal()) + "\n");
    console.complain(
        console.say({"Keep it: it is not stored and cannot be shown again. Send it as "
                     "Authorization: Bearer TOKEN.\n",
                     "请妥善保存：令牌原文不会存储，也无法再次显示。请求时发送 "
                     "Authorization: Bearer TOKEN。\n"}));
    return Exit::kDone;
}

std::string_view state_of(const Console& console, const Token& token, engine::Instant now) {
    if (token.revoked) {
        return console.say({"revoked", "已吊销"});
    }
    return token.is_valid(now) ? console.say({"valid", "有效"})
                               : console.say({"expired", "已过期"});
}

Exit list_tokens(const Call& call, engine::Instant now) {
    const Console& console = call.console;
    const auto store = open_store(call, ledger::Access::kRead);
    if (!store) {
        return store.error();
    }
    const auto tokens = server::load_tokens(**store);
    if (!tokens) {
        return trouble(console, tokens.error());
    }
    if (call.has("--json")) {
        value::Array rows;
        for (const Token& token : *tokens) {
            rows = std::move(rows).push_back(server::describe_token(token, now));
        }
        console.print(json_line({{"tokens", std::move(rows)}}));
        return Exit::kDone;
    }
    std::string out;
    for (const Token& token : *tokens) {
        out += console.painted(token.name, Color::kCyan) + "  " + std::string(name(token.scope)) +
               "  " + std::string(state_of(console, token, now));
        if (token.expires && !token.revoked) {
            out += std::string(console.say({", until ", "，至 "})) +
                   engine::print_instant(*token.expires);
        }
        out += "  " + (token.campaigns.empty()
                           ? std::string(console.say({"all campaigns", "全部战役"}))
                           : on_one_line(text::join(token.campaigns)));
        out += "\n";
    }
    if (tokens->empty()) {
        out = console.say({"There is no token. The server answers local requests only.\n",
                           "还没有令牌。服务器只回应本机的请求。\n"});
    }
    console.print(out);
    return Exit::kDone;
}

Exit revoke_token(const Call& call, const std::string& name, engine::Instant now) {
    const Console& console = call.console;
    const auto store = open_store(call, ledger::Access::kWrite);
    if (!store) {
        return store.error();
    }
    const auto token = server::revoke_token(**store, name, now);
    if (!token) {
        return trouble(console, token.error());
    }
    if (call.has("--json")) {
        console.print(json_line(server::describe_token(*token, now)));
        return Exit::kDone;
    }
    const std::string words[] = {token->name};
    console.print(base::format_message(console.say({"{0} was revoked\n", "已吊销 {0}\n"}), words));
    return Exit::kDone;
}

Exit run_token(const Call& call) {
    const std::string& action = call.arguments[0];
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    if (action == "list") {
        return list_tokens(call, *now);
    }
    if (action != "new" && action != "revoke") {
        return trouble(call.console, base::Error(ErrorCode::kBadOptionValue,
                                                 {"token", action, "new, list, revoke"}));
    }
    if (call.arguments.size() < 2) {
        return trouble(call.console, base::Error(ErrorCode::kMissingArgument, {"NAME"}));
    }
    return action == "new" ? new_token(call, call.arguments[1], *now)
                           : revoke_token(call, call.arguments[1], *now);
}

constexpr Command kCommands[] = {
    {"token",
     {"access tokens of the server", "服务器的访问令牌"},
     {"new prints a token once; the store holds only its SHA-256. As soon as a store has a token,\n"
      "every request to its servers needs one, and servers may listen on addresses that others\n"
      "reach. A token that was revoked stays in the list; its name can be used again.\n"
      "docs/server.md explains scopes.",
      "new 只显示一次令牌原文，存储中只保存其 "
      "SHA-256。存储中一旦有令牌，服务器的每个请求都需要令牌，\n"
      "服务器也才可以监听他人可访问的地址。已吊销的令牌仍会列出，其名称可以重新使用。\n"
      "权限说明见 docs/server.md。"},
     kArguments,
     kOptions,
     kExamples,
     run_token},
};

}  // namespace

std::span<const Command> token_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
