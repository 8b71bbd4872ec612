#include "cli/chats.h"

#include <filesystem>

#include "base/limits.h"
#include "campaign/lore_books.h"
#include "campaign/turn_json.h"
#include "cli/documents.h"
#include "cli/json_lines.h"
#include "cli/ledger.h"
#include "prompt/lore_notes.h"
#include "server/chat_export.h"
#include "server/chat_import.h"
#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Value;

constexpr Option kStore = {"--store",
                           "URL",
                           {"where campaigns are stored; default: sqlite:arbiter.db",
                            "存放战役的位置；默认 sqlite:arbiter.db"}};
constexpr Option kCampaign = {
    "--campaign", "ID", {"which campaign; default: the only one", "哪个战役；只有一个时可省略"}};
constexpr Option kNow = {
    "--now", "TIME", {"the present, in UTC; default: now", "当前时间（UTC）；默认取系统时钟"}};
constexpr Option kJson = {"--json", "", {"print JSON", "输出 JSON"}};

constexpr Argument kChatArguments[] = {
    {"ACTION", true, {"import or export", "import 或 export"}, false, "import|export"},
    {"FILE",
     false,
     {"the chat (.jsonl); - is standard input; export: default: standard output",
      "聊天文件（.jsonl），- 为标准输入；export 省略则写到标准输出"}}};
constexpr Option kChatOptions[] = {
    kStore,
    kCampaign,
    {"--reveal",
     "",
     {"export: hidden goals and hidden nodes as well (for the operator)",
      "export：同时写出隐藏的目标与节点（供管理员使用）"}},
    kJson,
    kNow};
constexpr Example kChatExamples[] = {
    {"arbiter campaign new Mira --id mira --card mira.png",
     {"first a campaign with the card of the chat", "先用该聊天的角色卡建立战役"}},
    {"arbiter chat import Mira.jsonl --campaign mira",
     {"then the chat, with its swipes and variables", "再导入聊天，连同重抽的回复与变量"}},
    {"arbiter chat export Mira.jsonl --campaign mira",
     {"the present line as a chat of SillyTavern", "把当前分支写成酒馆聊天"}}};

constexpr Argument kLoreArguments[] = {
    {"ACTION",
     false,
     {"list (default), import, export or remove", "list（可省略）、import、export 或 remove"},
     false,
     "list|import|export|remove"},
    {"NAME",
     false,
     {"import: FILE, a book (world info, JSON); export: NAME, then FILE (default: standard "
      "output); remove: NAME",
      "import：世界书文件（JSON）；export：书名，然后是文件（省略则写到标准输出）；remove：书名"},
     true}};
constexpr Option kLoreOptions[] = {
    kStore,
    kCampaign,
    {"--name",
     "NAME",
     {"import: what the book is called; default: the name of the file",
      "import：书名；默认取文件名"}},
    kJson,
    kNow};
constexpr Example kLoreExamples[] = {
    {"arbiter lore import harbour.json", {"the campaign keeps the book", "战役从此带有这本世界书"}},
    {"arbiter lore list", {"the books of the campaign", "战役的世界书"}},
    {"arbiter lore export harbour harbour.json", {"as it was imported", "按导入时的样子写出"}}};

// Reports an action that a command does not have.
Exit unknown_action(const Call& call, std::string_view command, std::string_view known) {
    return trouble(call.console,
                   base::Error(ErrorCode::kBadOptionValue,
                               {std::string(command), call.arguments[0], std::string(known)}));
}

// Writes to the file that an argument names. Default: standard output.
Exit write_to(const Call& call, std::size_t argument, const std::string& text) {
    if (call.arguments.size() <= argument) {
        call.console.print_data(text);
        return Exit::kDone;
    }
    const auto saved = write_file(call.arguments[argument], text);
    return saved ? Exit::kDone : trouble(call.console, saved.error());
}

// ---- chat

Exit import_chat(const Call& call) {
    const Console& console = call.console;
    if (call.arguments.size() < 2) {
        return trouble(console, base::Error(ErrorCode::kMissingArgument, {"FILE"}));
    }
    const std::string& file = call.arguments[1];
    const auto text = read_file(console, file, base::kBatchBytesMax);
    if (!text) {
        return trouble(console, text.error());
    }
    const auto chat = chat::parse_chat_file(*text);
    if (!chat) {
        report(console, chat.error(), file, *text);
        return Exit::kTrouble;
    }
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    const auto made = server::import_chat(*playing->session, *chat, *now);
    if (!made) {
        return trouble(console, made.error());
    }
    const ledger::Campaign campaign = playing->session->campaign();
    if (call.has("--json")) {
        console.print(json_line(campaign::where_json(campaign)
                                    .set("replies", static_cast<std::int64_t>(made->replies))
                                    .set("swipes", static_cast<std::int64_t>(made->swipes))
                                    .set("known", static_cast<std::int64_t>(made->known))
                                    .set("states", static_cast<std::int64_t>(made->states))));
        return Exit::kDone;
    }
    const std::string words[] = {std::to_string(made->replies), std::to_string(made->swipes),
                                 std::to_string(made->known), std::to_string(made->states)};
    console.print(base::format_message(
        console.say({"{0} replies, {1} other swipes; known before: {2}; states taken from the "
                     "file: {3}\n",
                     "回复 {0} 条，重抽的其他回复 {1} 条；此前已有 {2} 条；采用文件中的状态 {3} "
                     "次\n"}),
        words));
    say_where(console, campaign);
    return Exit::kDone;
}

Exit export_chat(const Call& call) {
    auto playing = open_session(call, ledger::Access::kRead);
    if (!playing) {
        return playing.error();
    }
    const auto text =
        server::export_chat(*playing->session, redactor_of(call, playing->session->campaign()));
    return text ? write_to(call, 1, *text) : trouble(call.console, text.error());
}

Exit run_chat(const Call& call) {
    if (call.arguments[0] == "import") {
        return import_chat(call);
    }
    return call.arguments[0] == "export" ? export_chat(call)
                                         : unknown_action(call, "chat", "import, export");
}

// ---- lore

Exit import_lore(const Call& call) {
    const Console& console = call.console;
    const std::string& file = call.arguments[1];
    auto book = load_document(console, file);
    const auto now = book ? now_of(call) : std::unexpected(book.error());
    if (!now) {
        return now.error();
    }
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    const std::string stem = std::filesystem::path(file).stem().string();
    const std::string name = text::to_utf8(std::string(call.value("--name", stem)));
    if (const auto kept = campaign::keep_lore(*playing->session, name, *book, *now); !kept) {
        report(console, kept.error(), file, {});
        return Exit::kTrouble;
    }
    prompt::Lore lore;
    const prompt::LoreSource source{name, *book};
    lore.follow({&source, 1});
    for (const prompt::LoreFault& fault : prompt::lore_faults(lore, source)) {
        console.complain(file + ": " + on_one_line(fault.entry) + ": " +
                         std::string(fault.reason.in(console.language)) + "\n");
    }
    if (call.has("--json")) {
        console.print(json_line(campaign::where_json(playing->session->campaign())
                                    .set("name", std::string_view(name))
                                    .set("entries", static_cast<std::int64_t>(lore.size()))));
        return Exit::kDone;
    }
    const std::string words[] = {on_one_line(name), std::to_string(lore.size())};
    console.print(
        base::format_message(console.say({"{0}: {1} entries\n", "{0}：{1} 个条目\n"}), words));
    return Exit::kDone;
}

Exit list_lore(const Call& call) {
    const auto opened = open_campaign(call);
    if (!opened) {
        return opened.error();
    }
    std::string out;
    Array listed;
    for (const auto& [name, book] : campaign::kept_lore(opened->campaign.state().meta)) {
        prompt::Lore lore;
        const prompt::LoreSource source{name.view(), book};
        lore.follow({&source, 1});
        out += on_one_line(name.view()) + "  " + std::to_string(lore.size()) + "\n";
        listed = std::move(listed).push_back(
            Object{{"name", name.view()}, {"entries", static_cast<std::int64_t>(lore.size())}});
    }
    call.console.print(call.has("--json")
                           ? json_line(campaign::where_json(opened->campaign).set("books", listed))
                           : out);
    return Exit::kDone;
}

Exit export_lore(const Call& call) {
    const auto opened = open_campaign(call);
    if (!opened) {
        return opened.error();
    }
    const Object books = campaign::kept_lore(opened->campaign.state().meta);
    const Value* book = books.find(call.arguments[1]);
    return book != nullptr
               ? write_to(call, 2, value::print_json(*book, value::JsonStyle::kPretty) + "\n")
               : trouble(call.console, base::Error(ErrorCode::kNotFound, {call.arguments[1]}));
}

Exit remove_lore(const Call& call) {
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    const auto dropped = campaign::drop_lore(*playing->session, call.arguments[1], *now);
    return dropped ? Exit::kDone : trouble(call.console, dropped.error());
}

Exit run_lore(const Call& call) {
    const std::string action = call.arguments.empty() ? "list" : call.arguments[0];
    if (action == "list") {
        return list_lore(call);
    }
    if (action != "import" && action != "export" && action != "remove") {
        return unknown_action(call, "lore", "list, import, export, remove");
    }
    if (call.arguments.size() < 2) {
        return trouble(call.console, base::Error(ErrorCode::kMissingArgument,
                                                 {action == "import" ? "FILE" : "NAME"}));
    }
    if (action == "import") {
        return import_lore(call);
    }
    return action == "export" ? export_lore(call) : remove_lore(call);
}

constexpr Command kCommands[] = {
    {"chat",
     {"import and export chats of SillyTavern", "导入和导出酒馆聊天"},
     {"import replays the replies of a chat file in a campaign: commands in their texts are judged "
      "as\n"
      "ever, other swipes become branches, and where MVU kept variables with a reply, these "
      "count.\n"
      "Replies that the campaign has already are not played again. export writes the present line "
      "with\n"
      "all its swipes; members that Arbiter does not know are written as they were imported.",
      "import 在战役中重演聊天文件里的回复：照常裁决文中的指令，重抽的其他回复成为分支；MVU "
      "随回复保存了\n"
      "变量时以其为准。战役已有的回复不会重演。export 写出当前分支及全部重抽的回复；Arbiter "
      "不认识的字段\n"
      "按导入时的样子写出。"},
     kChatArguments,
     kChatOptions,
     kChatExamples,
     run_chat},
    {"lore",
     {"books of lore (world info) of a campaign", "战役的世界书"},
     {"A book that is imported is used in prompts beside the one of the card, and kept with the\n"
      "campaign. Chat clients bring their own lore. First variables in a book ([initvar]) count "
      "only\n"
      "when a campaign begins: arbiter campaign new --initvar FILE.",
      "导入的世界书与角色卡自带的一起用于提示词，并随战役保存。聊天客户端使用自己的世界书。\n"
      "书中的初始变量（[initvar]）只在开局时有效：arbiter campaign new --initvar FILE。"},
     kLoreArguments,
     kLoreOptions,
     kLoreExamples,
     run_lore},
};

}  // namespace

std::span<const Command> chat_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
