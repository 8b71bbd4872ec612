#include "cli/commands_replies.h"

#include "cli/apply.h"
#include "cli/convert.h"
#include "cli/profiles.h"
#include "cli/replies.h"
#include "cli/restore.h"

namespace arbiter::cli {
namespace {

constexpr Argument kReplyArguments[] = {
    {"FILE",
     false,
     {"a model's reply; - or nothing reads standard input", "模型的回复；- 或省略表示标准输入"}}};
constexpr Option kProfileOption = {
    "--profile",
    "PROFILE",
    {"how to read and judge: a name of `arbiter profiles`, or a .yaml file; default: auto",
     "读取与裁决的配置方案：`arbiter profiles` 中的名字，或 .yaml 文件；默认 auto"}};
constexpr Option kChunkOption = {
    "--chunk",
    "N",
    {"feed the reply in pieces of N bytes; the result is the same", "每次送入 N 字节，结果不变"}};
constexpr Option kParseOptions[] = {
    kProfileOption,
    kChunkOption,
    {"--json", "", {"one JSON object a line", "每行一个 JSON 对象"}},
    {"--player", "", {"it was typed by the player, not by a model", "这是玩家输入，而非模型回复"}},
    {"--both", "", {"let _. calls stand beside JSON instructions", "JSON 指令与 _. 调用同时采用"}},
    {"--thinking", "", {"show what the model thought", "显示模型的思考内容"}},
};
constexpr Example kParseExamples[] = {
    {"arbiter parse reply.txt", {"commands, then the narrative", "先列出指令，再给出正文"}},
    {"arbiter parse --profile mvu --json < reply.txt", {"for a program", "供程序使用"}},
    {"arbiter parse reply.txt --chunk 1", {"as a stream, byte by byte", "逐字节以流方式读取"}},
};
constexpr Option kConvertOptions[] = {
    {"--from",
     "PROFILE",
     {"the profile whose dialects are read; default: auto", "按哪个配置方案的方言读取；默认 auto"}},
    {"--to",
     "DIALECT",
     {"tavern, tavern1, json, mvu, patch, memory, filament, filament3, direct, internal or tools",
      "tavern、tavern1、json、mvu、patch、memory、filament、filament3、direct、internal 或 tools"}},
    {"--state",
     "FILE",
     {"the document that the commands are for: what DIALECT lacks is written as its result",
      "指令所作用的文档：目标方言没有的操作按执行结果写出"}},
    {"--now",
     "INSTANT",
     {"the present; needed where a result contains it (softDelete)",
      "当前时间；结果中要写入时间时（softDelete）必须给出"}},
    kChunkOption,
};
constexpr Example kConvertExamples[] = {
    {"arbiter convert reply.txt --to json", {"any dialect to JSON instructions", "转为 JSON 指令"}},
    {"echo \"_.set('a.b', 1, 2);\" | arbiter convert --to patch",
     {"MVU to JSON Patch", "MVU 转为 JSON Patch"}},
    {"arbiter convert reply.txt --to json --state save.json",
     {"_.add, _.insert and _.remove as what they come to",
      "把 _.add、_.insert、_.remove 写成执行结果"}},
    {"arbiter convert reply.txt --to tavern1 --state save.json",
     {"for tools that know set, add, push, pull, delete and no options",
      "供只认识 set、add、push、pull、delete 而不认识 options 的工具使用"}},
};
constexpr Option kApplyOptions[] = {
    {"--state", "FILE", {"the document to start from; default: {}", "起始文档；默认 {}"}},
    {"--out", "FILE", {"write the new document here", "把新文档写到这里"}},
    {"--dry-run", "", {"show verdicts only, write nothing", "只显示裁决，不写文件"}},
    kProfileOption,
    {"--player", "", {"it was typed by the player, not by a model", "这是玩家输入，而非模型回复"}},
    {"--initvar",
     "",
     {"the document is an MVU initvar with $meta rules", "文档是带 $meta 规则的 MVU initvar"}},
    {"--now", "INSTANT", {"the present, for ttl and expiresAt", "当前时间，用于 ttl 与 expiresAt"}},
    {"--lines",
     "",
     {"read one JSON case a line from standard input, print one result a line",
      "从标准输入每行读一个 JSON 用例，每行输出一个结果"}},
    kChunkOption,
};
constexpr Example kApplyExamples[] = {
    {"arbiter apply --state save.json reply.txt --out save.json",
     {"a reply on a save", "把回复应用到存档"}},
    {"arbiter apply --state save.json reply.txt --dry-run",
     {"what would happen", "看看会发生什么"}},
    {"arbiter apply --lines < cases.jsonl > results.jsonl",
     {"many cases, each standing alone", "批量用例，各自独立"}},
};
constexpr Argument kRestoreArguments[] = {
    {"WHAT",
     false,
     {"the path where it was, or the id of its deletion; nothing lists the bin",
      "原来的路径，或删除操作的编号；省略则列出回收站"}}};
constexpr Option kRestoreOptions[] = {
    {"--state", "FILE", {"the document with the bin", "带回收站的文档"}},
    {"--store", "URL", {"or of a saved campaign", "或已保存的战役"}},
    {"--campaign", "ID", {"which one", "哪个战役"}},
    {"--bin",
     "PATH",
     {"where the bin is; default: character.saveData.回收站",
      "回收站的位置；默认 character.saveData.回收站"}},
    {"--out", "FILE", {"write the new document here", "把新文档写到这里"}},
};
constexpr Example kRestoreExamples[] = {
    {"arbiter restore --state save.json", {"what is in the bin", "列出回收站"}},
    {"arbiter restore --state save.json character.saveData.背包.剑 --out save.json",
     {"put it back", "放回原处"}},
};
constexpr Argument kProfilesArguments[] = {
    {"ACTION",
     false,
     {"list (default), show, lint or keys", "list（默认）、show、lint 或 keys"},
     false,
     "list|show|lint|keys"},
    {"WHAT",
     false,
     {"show: a profile's name, or a .yaml file; lint: files and folders",
      "show：配置方案名或 .yaml 文件；lint：文件和文件夹"},
     true},
};
constexpr Option kProfilesOptions[] = {
    {"--json", "", {"lint: print JSON", "lint：输出 JSON"}},
};
constexpr Example kProfilesExamples[] = {
    {"arbiter profiles", {"one line each", "每行一个"}},
    {"arbiter profiles show tavern > house.yaml",
     {"a starting point for your own", "作为自己配置方案的起点"}},
    {"arbiter profiles lint house.yaml", {"every mistake with its line", "逐行指出问题"}},
    {"arbiter apply --profile house.yaml --state save.json reply.txt", {"use it", "使用它"}},
};
constexpr Argument kTeachArguments[] = {
    {"DIALECT",
     true,
     {"tavern, json, mvu, patch, memory, filament, filament3 or tools",
      "tavern、json、mvu、patch、memory、filament、filament3 或 tools"},
     false,
     "tavern|json|mvu|patch|memory|filament|filament3|tools"}};
constexpr Example kTeachExamples[] = {
    {"arbiter teach json --lang zh", {"rules for a Chinese prompt", "中文提示词规则"}},
};

constexpr Command kCommands[] = {
    {"parse",
     {"read the commands out of a model's reply", "从模型回复中读出指令"},
     {"Prints what the reply proposes, one command a line in canonical form, then a line with --,\n"
      "then the narrative that a player sees. Reads tavern_commands, JSON instructions, _. calls,\n"
      "JSON Patch, memory calls, Filament tags and tool calls, also broken ones (! repaired).\n"
      "A ~ before a path: it lies below stat_data where the document has that. Nothing is "
      "executed.\n"
      "Exit code 1 when a command is refused.",
      "输出回复中的提案：每行一条规范形式的指令，然后是一行 --，最后是玩家看到的正文。\n"
      "可读 tavern_commands、JSON 指令、_. 调用、JSON Patch、memory 调用、Filament "
      "标签和工具调用，\n"
      "写坏的也会修复（! repaired）。路径前的 ~ 表示：若文档有 stat_data，则路径在其下。\n"
      "不执行任何指令。有指令被拒绝时退出码为 1。"},
     kReplyArguments,
     kParseOptions,
     kParseExamples,
     run_parse},
    {"apply",
     {"carry out the commands of replies on states, with a verdict for each",
      "在状态上执行回复中的指令，逐条给出裁决"},
     {"Prints the narrative, a line with --, and a verdict for each command with before → after; "
      "for\n"
      "what was refused, why, and what would have worked. --out writes the new document. With\n"
      "--lines it reads cases {id, profile, state, now, messages, options} instead and prints\n"
      "{id, state, turns: [{text, results, events}]}. Exit code 1 when a command was refused.",
      "输出正文、一行 --，以及每条指令的裁决（前 → 后）；被拒绝的会说明原因和正确写法。\n"
      "--out 写出新文档。--lines 则逐行读入用例 {id, profile, state, now, messages, options}，\n"
      "输出 {id, state, turns: [{text, results, events}]}。有指令被拒绝时退出码为 1。"},
     kReplyArguments,
     kApplyOptions,
     kApplyExamples,
     run_apply},
    {"profiles",
     {"list, show and check the rules by which replies are read and judged",
      "列出、查看和检查配置方案"},
     {"A profile says which dialects are read and what the engine allows. Lists those that "
      "Arbiter\n"
      "brings, shows one as YAML, checks files of your own (exit code 1 when they have mistakes), "
      "or\n"
      "lists all keys that can stand in one.",
      "配置方案规定读取哪些方言、引擎允许什么。可列出自带的配置方案、以 YAML 显示其中一个、\n"
      "检查自己的文件（有问题时退出码为 1），或列出全部可用的键。"},
     kProfilesArguments,
     kProfilesOptions,
     kProfilesExamples,
     run_profiles},
    {"convert",
     {"turn commands from one dialect into another", "把指令从一种方言转换为另一种"},
     {"Reads the commands of a reply and writes them as a block of another dialect. An operation "
      "that\n"
      "the other dialect lacks is written in other words where they mean the same, or with --state "
      "as\n"
      "its result on that document; otherwise the command is named, and the exit code is 1.",
      "读取回复中的指令，写成另一种方言的块。对方没有的操作，意思相同时换一种写法；给出 --state "
      "时\n"
      "写成在该文档上的执行结果；否则逐条指出，退出码为 1。"},
     kReplyArguments,
     kConvertOptions,
     kConvertExamples,
     run_convert},
    {"restore",
     {"put back what was deleted into the recycle bin", "把回收站里的内容放回原处"},
     {"Lists what is in the recycle bin, oldest first: the id of the deletion, the path, when and "
      "why.\n"
      "With WHAT it puts one back into its place: the newest of a path, or the one with that id. "
      "A\n"
      "place that is occupied is not overwritten. --out writes the new document. Exit code 1 when\n"
      "there is nothing to put back.",
      "列出回收站的内容（从旧到新）：删除操作的编号、路径、时间和原因。给出 WHAT 则放回其一：\n"
      "该路径最新的一份，或该编号的一份。原处已有内容时不覆盖。--out 写出新文档。\n"
      "没有可放回的内容时退出码为 1。"},
     kRestoreArguments,
     kRestoreOptions,
     kRestoreExamples,
     run_restore},
    {"teach",
     {"print the rules of a dialect for a prompt", "输出某种方言的提示词规则"},
     {"Prints the text that teaches a model a dialect, made from the same tables that the reader\n"
      "uses, in the language of --lang.",
      "输出教会模型使用某种方言的文本，由读取器所用的同一张表生成，语言由 --lang 决定。"},
     kTeachArguments,
     {},
     kTeachExamples,
     run_teach},
};

}  // namespace

std::span<const Command> reply_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
