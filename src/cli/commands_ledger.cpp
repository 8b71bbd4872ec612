#include "cli/commands_ledger.h"

#include "cli/archives.h"
#include "cli/campaigns.h"
#include "cli/history.h"
#include "cli/ledger_options.h"
#include "cli/play_start.h"
#include "cli/prompt.h"
#include "cli/settings.h"
#include "cli/stores.h"
#include "cli/turns.h"

namespace arbiter::cli {
namespace {

constexpr Option kNow = {
    "--now", "TIME", {"the present, in UTC; default: now", "当前时间（UTC）；默认取系统时钟"}};

constexpr Option kJson = {
    "--json",
    "",
    {"one JSON object (docs/scripts.md)", "输出一个 JSON 对象（见 docs/scripts.md）"}};
constexpr Option kPlain[] = {kStore, kCampaign};
constexpr Option kReveal = {"--reveal",
                            "",
                            {"show hidden goals and hidden nodes as well (for the operator)",
                             "同时显示隐藏的目标与节点（供管理员使用）"}};
constexpr Option kViewed[] = {kStore, kCampaign, kReveal};
constexpr Option kTokens = {"--tokens",
                            "N",
                            {"the model's context window; default: 32768, 0 for no limit",
                             "模型的上下文长度；默认 32768，0 为不限"}};
constexpr Option kPlayOptions[] = {
    kStore,
    kCampaign,
    {"--script", "FILE", {"a scripted narrator", "用脚本扮演说书人"}},
    {"--upstream",
     "URL",
     {"a model server, such as http://127.0.0.1:8080/v1",
      "模型服务器，例如 http://127.0.0.1:8080/v1"}},
    {"--model", "NAME", {"which of its models", "使用其中哪个模型"}},
    {"--api-key-env", "VAR", {"the variable that holds its key", "存放密钥的环境变量"}},
    {"--config",
     "FILE",
     {"where the model is configured; see arbiter connect", "模型的配置文件；见 arbiter connect"}},
    {"--no-tools",
     "",
     {"tell the model about tools in the prompt", "在提示词中说明工具，不用原生工具"}},
    {"--demo",
     "",
     {"play the demo; kept only if --store is given", "试玩演示；指定 --store 时才会保存"}},
    kTokens,
    kProtocols,
    kNow};
constexpr Example kPlayExamples[] = {
    {"arbiter play --demo",
     {"the demo: no model, no network, nothing kept", "演示：无需模型与网络，不留存"}},
    {"arbiter play --demo --store sqlite:demo.db", {"the same, kept", "同上，并保存"}},
    {"arbiter play --upstream http://127.0.0.1:8080/v1 --model qwen3",
     {"with a real model", "使用真实的模型"}},
    {"arbiter play --script narrator.yaml",
     {"the only campaign of arbiter.db, with your script",
      "用你的脚本玩 arbiter.db 中唯一的战役"}}};
constexpr Option kPromptOptions[] = {
    kStore,
    kCampaign,
    {"--said", "TEXT", {"what the player says next", "玩家接下来说的话"}},
    {"--type",
     "TYPE",
     {"the dialog type: scene, action, rules, free_chat, or one of the campaign",
      "对话类型：scene、action、rules、free_chat，或战役自带的类型"}},
    {"--tools",
     "text|native",
     {"tools in the text (default), or beside it for models that take schemas",
      "工具写在文字里（默认），或随消息发送给支持的模型"}},
    {"--lore", "FILE", {"a book of lore (world info, JSON)", "世界书（JSON）"}},
    {"--chat",
     "FILE",
     {"a request of a chat client (JSON): the prompt with its messages, as chat.inject has it",
      "聊天客户端的请求（JSON）：按 chat.inject 合成的提示词"}},
    kTokens,
    {"--explain", "", {"why each piece is in it, and what was left out", "说明每一段的来由与取舍"}},
    {"--json", "", {"as JSON", "输出 JSON"}},
    kProtocols,
    kNow};
constexpr Example kPromptExamples[] = {
    {"arbiter prompt --said 进入直播模式！", {"what the model would be told", "模型将会看到什么"}},
    {"arbiter prompt --explain", {"and why", "以及原因"}}};
constexpr Option kTimed[] = {kStore, kCampaign, kNow};

constexpr Argument kTurnArgument[] = {
    {"TURN",
     true,
     {"a number, the beginning of an id, head, head~2 or a checkpoint",
      "编号、id 的开头、head、head~2 或存档点"}}};
constexpr Argument kRevertArguments[] = {
    {"TURN",
     true,
     {"a number, the beginning of an id, head, head~2 or a checkpoint",
      "编号、id 的开头、head、head~2 或存档点"}},
    {"OP",
     false,
     {"the opId of one command; default: all that the turn changed",
      "一条指令的 opId；默认为整个回合的改动"}}};
constexpr Argument kAnyTurn[] = {{"TURN",
                                  false,
                                  {"a number, the beginning of an id, head, head~2 or a checkpoint",
                                   "编号、id 的开头、head、head~2 或存档点"}}};

constexpr Argument kCampaignArguments[] = {
    {"ACTION",
     false,
     {"new, list (default), show, rename, delete, greeting, actor, join, leave, type, "
      "route, allow, deny, disable, enable, goal or end",
      "new、list（可省略）、show、rename、delete、greeting、actor、join、leave、type、route、"
      "allow、deny、disable、enable、goal 或 end"},
     false,
     "new|list|show|rename|delete|greeting|actor|join|leave|type|route|allow|deny|disable|enable|"
     "goal|end"},
    {"NAME",
     false,
     {"new, rename: how people call it, new: default: the template's title, or the name of the "
      "card; delete: its id; else "
      "the number of a greeting "
      "(default: list them), a character, type, route decision as JSON, tool (and turns), goal "
      "(default: show it; or generate) or reason",
      "new、rename：名称，new 默认取模板的 "
      "title "
      "或角色卡的名字；delete：id；其余：开场白编号（省略则列出）、角色、类型、路由决定（JSON）、工"
      "具（及回合数）、"
      "目标（省略则显示；或 generate）、原因"},
     true}};
constexpr Option kCampaignOptions[] = {
    kStore,
    kCampaign,
    {"--id",
     "ID",
     {"new: how commands call it, 1 to 64 of a-z, 0-9, _ and -; default: the id of the template, "
      "else made up",
      "new：id，1 到 64 个 a-z、0-9、_、-；默认取模板的 id，否则自动生成"}},
    {"--yes", "", {"delete: really, and for ever", "delete：确认永久删除"}},
    {"--hidden", "", {"goal: the player does not see it", "goal：对玩家隐藏"}},
    {"--script",
     "FILE",
     {"goal generate: a script instead of the connected model",
      "goal generate：用脚本代替已连接的模型"}},
    {"--profile",
     "PROFILE",
     {"new: how replies are read and judged; default: what suits the card, else auto",
      "new：使用的配置方案；默认按角色卡选择，否则 auto"}},
    {"--state", "FILE", {"new: the document it begins with", "new：初始文档"}},
    {"--card",
     "FILE",
     {"new: begin with a character card (PNG, JSON, YAML or CHARX): its variables, then its "
      "greeting",
      "new：以角色卡（PNG、JSON、YAML 或 CHARX）开始：先是变量，然后是开场白"}},
    kInitvar,
    kGreeting,
    kUser,
    {"--init", "", {"new: fill in the blueprints of its rulebooks", "new：按规则书补全初始字段"}},
    {"--table",
     "FILE",
     {"new: a tabletop template (YAML or JSON), or demo",
      "new：跑团模板（YAML 或 JSON），或 demo"}},
    {"--tools",
     "FILE",
     {"new: tools of your own, a file or a folder; they are allowed at once",
      "new：自定义工具的文件或文件夹，随即启用"}},
    {"--protocol",
     "ID,…",
     {"new: protocols that hold from the beginning", "new：一开始就生效的协议"}},
    kProtocols,
    {"--json",
     "",
     {"list: one JSON object (docs/scripts.md); new: the start, with the report on the card",
      "list：输出一个 JSON 对象（见 docs/scripts.md）；new：以 JSON 输出开局与角色卡报告"}},
    kReveal,
    kNow};
constexpr Example kCampaignExamples[] = {
    {"arbiter campaign new 灰原 --profile memory --init", {"begin a campaign", "开始一个战役"}},
    {"arbiter campaign list", {"list all campaigns", "列出战役"}},
    {"arbiter campaign delete test1 --yes", {"delete one with all its turns", "连同全部回合删除"}},
    {"arbiter campaign actor lan", {"another character acts", "换一个角色行动"}},
    {"arbiter campaign disable roll 3", {"no dice for three turns", "三个回合内不许掷骰"}}};

constexpr Argument kReplyArgument[] = {
    {"REPLY", false, {"the model's reply; default: standard input", "模型回复；省略则读标准输入"}}};
constexpr Option kTurnOptions[] = {
    kStore,
    kCampaign,
    {"--said", "TEXT", {"what the player said before it", "玩家在此之前说的话"}},
    {"--player", "", {"the text is the player's", "文本来自玩家"}},
    {"--profile", "PROFILE", {"play on under another profile", "改用另一个配置方案"}},
    {"--key",
     "KEY",
     {"your name for this turn: the same key again returns the stored turn and stores nothing",
      "你给该回合起的键：再次使用同一个键会返回已保存的回合，不会重复保存"}},
    {"--after",
     "TURN",
     {"only if the campaign is at this turn; exit code 3 otherwise",
      "仅当战役位于该回合时执行；否则退出码为 3"}},
    kJson,
    kProtocols,
    kReveal,
    kNow};
constexpr Example kTurnExamples[] = {
    {"arbiter turn reply.txt --said 我推开门",
     {"one turn, on disk when it is told", "执行并保存一个回合"}},
    {"arbiter turn reply.txt --key 4711 --json",
     {"from a script: safe to call again after any failure", "用于脚本：任何失败之后都可以重试"}}};

constexpr Argument kLabelArgument[] = {
    {"LABEL", false, {"its name; default: list all", "名称；省略则列出"}}};
constexpr Option kShowOptions[] = {
    kStore,
    kCampaign,
    kReveal,
    {"--state", "", {"the whole document after it", "显示该回合之后的完整文档"}},
    {"--json",
     "",
     {"its TurnLog, id and state hash as one JSON object (docs/scripts.md)",
      "以一个 JSON 对象输出其 TurnLog、id 与状态哈希（见 docs/scripts.md）"}}};
constexpr Option kHistoryOptions[] = {
    kStore,
    kCampaign,
    {"--limit",
     "N",
     {"only the last N turns of the present line", "只列出当前分支的最后 N 个回合"}},
    {"--to",
     "TURN",
     {"only the line to this turn; with --limit its last N turns",
      "只列出到该回合为止的分支；与 --limit 合用时为其最后 N 个回合"}},
    {"--reverse", "", {"newest first, without the tree", "从新到旧，不显示树形"}},
    kJson,
    kReveal};
constexpr Option kBranchOptions[] = {kStore, kCampaign, kJson};
constexpr Option kExportOptions[] = {
    kStore,
    kCampaign,
    kReveal,
    {"--player",
     "",
     {"the story for a player to keep: readable, without secrets; cannot be imported",
      "供玩家保存的故事：可读，不含秘密，不能再导入"}}};
constexpr Option kAuditOptions[] = {
    kStore,
    kCampaign,
    {"--path", "PATH", {"at this path or below", "该路径及其下"}},
    {"--actor", "AI|user|system", {"by whom", "操作者"}},
    {"--status", "STATUS", {"applied, rejected, failed …", "applied、rejected、failed 等"}},
    {"--reason", "TEXT", {"whose reason holds this", "理由中包含"}},
    {"--tag", "TAG", {"with this tag", "带有此标签"}},
    {"--turn", "TURN", {"of one turn", "某一回合"}},
    {"--from", "TIME", {"from this time on (UTC)", "自此时间起（UTC）"}},
    {"--to", "TIME", {"up to this time (UTC)", "到此时间止（UTC）"}},
    {"--json", "", {"whole records, one a line", "每行一条完整记录"}},
    kReveal};
constexpr Argument kWorldArgument[] = {
    {"NAME", false, {"the world, or the number of a backup", "要恢复的世界，或备份的编号"}}};
constexpr Argument kPathArgument[] = {{"PATH", true, {"a path of the document", "文档中的路径"}}};
constexpr Argument kOutArgument[] = {
    {"FILE", false, {"where to; default: standard output", "写到哪里；省略则为标准输出"}}};
constexpr Argument kInArgument[] = {{"FILE", true, {"an exported campaign", "导出的战役"}}};
constexpr Argument kSalvageArgument[] = {
    {"STORE", true, {"the new store, such as sqlite:new.db", "新存储，例如 sqlite:new.db"}}};
constexpr Option kSalvageOptions[] = {kStore, kJson};
constexpr Option kVerifyOptions[] = {
    kStore, kCampaign, {"--all", {}, {"all campaigns of the store", "存储中的全部战役"}}, kJson};
constexpr Option kStoreOnly[] = {kStore};
constexpr Option kCheckpointOptions[] = {
    kStore,
    kCampaign,
    {"--most", "N", {"how many are kept, newest first; default: all", "最多保留几个；默认全部"}},
    kJson,
    kNow};
constexpr Option kRevertOptions[] = {kStore, kCampaign, kNow};
constexpr Option kRebuildOptions[] = {
    kStore,
    kCampaign,
    {"--from-text",
     "",
     {"read the texts again too: what does the reader of today find in them?",
      "连原文也重新读取：看看现在的解析器会读出什么"}},
    {"--repair",
     "",
     {"make the state the one that the history leads to, as an edit that a rollback takes back",
      "把状态改为历史重演的结果，记为一次修改，可以回滚"}},
    kNow};
constexpr Argument kTargetArgument[] = {
    {"URL",
     false,
     {"the store to copy campaigns to; default: only update the tables of this one",
      "目标存储；省略则只升级数据表"}}};
constexpr Example kMigrateExamples[] = {{"arbiter migrate postgres://db.example/arbiter",
                                         {"from the file into a database", "从文件迁到数据库"}}};
constexpr Argument kBackupArgument[] = {{"FILE", true, {"a new file", "新文件"}}};
constexpr Example kBackupExamples[] = {
    {"arbiter backup arbiter-backup.db", {"a copy of arbiter.db", "备份 arbiter.db"}},
    {"arbiter history --store sqlite:arbiter-backup.db",
     {"the copy is a store like any other", "备份与其他存储一样可用"}}};
constexpr Option kThinOptions[] = {
    kStore,
    kCampaign,
    {"--recent",
     "N",
     {"keep all snapshots of the last N turns; default: 1000", "最近 N 回合全部保留"}},
    {"--every", "N", {"of older turns, keep one in N; default: 500", "此前每 N 回合留一个"}}};

constexpr Argument kSettingsArguments[] = {
    {"ACTION",
     false,
     {"list (default), get or set", "list（可省略）、get 或 set"},
     false,
     "list|get|set"},
    {"KEY",
     false,
     {"get: KEY…; set: KEY VALUE [KEY VALUE]…", "get：键…；set：键 值 [键 值]…"},
     true}};
constexpr Option kSettingsOptions[] = {
    kStore,
    kCampaign,
    {"--global",
     "",
     {"set: for all campaigns of the store that have not set it",
      "set：用于存储中所有未自行设置的战役"}},
    {"--json", "", {"list: definitions and values as JSON", "list：以 JSON 输出定义与取值"}},
    kNow};
constexpr Example kSettingsExamples[] = {
    {"arbiter settings list", {"all of them, with their meaning", "全部设置及其含义"}},
    {"arbiter settings set context.compress_enabled true",
     {"send a summary and the last turns", "只发送总结与最近的回合"}},
    {"arbiter settings set turn.max_retries 1 milestone.policy off",
     {"several in one change", "一次改几项"}}};

constexpr Command kCommands[] = {
    {"play",
     {"play a campaign at the terminal", "在终端里玩一个战役"},
     {"Say what you do; commands begin with /. The narrator is the model that --upstream names or\n"
      "`arbiter connect` has set up, or a script. Tools and rules decide, and every turn is kept;\n"
      "Ctrl-C stops an answer. Plays the only campaign of the store unless --campaign is\n"
      "given. Where there is no store, it is the demo. Goes on after turns of other processes.\n"
      "Exit code 1 when nothing that was said became a turn.",
      "说出你要做的事；命令以 / 开头。说书人是 --upstream 指定的模型、用 `arbiter connect` 设好的\n"
      "模型，或脚本。工具与规则裁决，每个回合都被保存；按 Ctrl-C 停止回答。\n"
      "未指定 --campaign 时玩存储中唯一的战役；没有存储时为演示。其他进程写入后会接着继续。\n"
      "说过的话没有一句成为回合时退出码为 1。"},
     {},
     kPlayOptions,
     kPlayExamples,
     run_play},
    {"campaign",
     {"begin, list and show saved campaigns", "开始、列出和查看已保存的战役"},
     {"A campaign is a tree of turns in a store. What it is played under (profile, rulebooks) is\n"
      "kept with every turn, so that an old turn can be judged again by its own rules.",
      "战役是存储中的一棵回合树。每个回合都保存其所用的配置方案与规则书，因此旧回合可按当时的规则重"
      "演"
      "。"},
     kCampaignArguments,
     kCampaignOptions,
     kCampaignExamples,
     run_campaign},
    {"settings",
     {"list, show and change the settings of a campaign", "列出、查看和修改战役的设置"},
     {"Each setting has a type, bounds, a default, a scope and effects. A change is applied wholly "
      "or\n"
      "not at all, and counts from the next turn on. VALUE is JSON or a word; default resets a "
      "key.",
      "每项设置有类型、取值范围、默认值、范围与影响。一次修改要么全部生效，要么全不生效，自下一回合"
      "起\n"
      "有效。值为 JSON 或一个词；default 恢复默认。"},
     kSettingsArguments,
     kSettingsOptions,
     kSettingsExamples,
     run_settings},
    {"turn",
     {"apply a reply to a campaign, durably", "把回复应用到战役并持久保存"},
     {"Reads the reply, judges its commands, lets the rules react, and keeps the turn. When it is\n"
      "printed, it is on disk. Exit code 1 when a command was refused, 3 when the campaign was at\n"
      "another turn, 4 when it may have been stored (the same --key tells), 5 when the key "
      "belongs\n"
      "to another reply.",
      "读取回复、裁决指令、执行规则并保存回合。输出之时已经落盘。退出码：1 有指令被拒绝；3 "
      "战役不在\n"
      "预期的回合；4 可能已经保存（用同一个 --key 重试即可确定）；5 该键已用于另一条回复。"},
     kReplyArgument,
     kTurnOptions,
     kTurnExamples,
     run_turn},
    {"history",
     {"the tree of turns", "回合树"},
     {"Every turn with its number, id, time and the beginning of what was shown; ◉ is where the\n"
      "campaign stands.",
      "列出每个回合的编号、id、时间与开头；◉ 是当前所在。"},
     {},
     kHistoryOptions,
     {},
     run_history},
    {"show",
     {"one turn: what was said, done and changed", "一个回合：说了什么、做了什么、改了什么"},
     {"Prints a turn of a campaign; the head without TURN.", "显示一个回合；省略则为当前回合。"},
     kAnyTurn,
     kShowOptions,
     {},
     run_show},
    {"audit",
     {"search what commands and rules did", "检索指令与规则的记录"},
     {"Lists audit records along the present line. Exit code 1 when there are none.",
      "沿当前分支列出审计记录。没有结果时退出码为 1。"},
     {},
     kAuditOptions,
     {},
     run_audit},
    {"blame",
     {"who changed a path, when, from what to what", "谁在何时把某路径从什么改成了什么"},
     {"Every turn that changed PATH, with the records that did it.",
      "列出改变该路径的每个回合及其记录。"},
     kPathArgument,
     kViewed,
     {},
     run_blame},
    {"checkpoint",
     {"name the present turn", "为当前回合命名存档点"},
     {"A checkpoint can be named wherever a turn is asked for.",
      "凡需要回合之处都可用存档点名称。"},
     kLabelArgument,
     kCheckpointOptions,
     {},
     run_checkpoint},
    {"rollback",
     {"go back to an earlier turn", "回到先前的回合"},
     {"Nothing is deleted: until the next turn `arbiter undo` leads back, and afterwards the "
      "turns\n"
      "that were left are a branch.",
      "不会删除任何内容：在下一回合之前可用 arbiter undo 撤销；之后离开的回合成为一个分支。"},
     kTurnArgument,
     kPlain,
     {},
     run_rollback},
    {"revert",
     {"take back what one turn changed", "撤回某一回合的改动"},
     {"The turns after it stay. Stored as an edit. Exit code 1 when a later turn has changed the\n"
      "same place, or there is nothing to take back. `arbiter audit --json` has the opId of each\n"
      "command.",
      "之后的回合保持不变，记为一次修改。之后的回合改过同一处，或没有可撤回的内容时，退出码为 1。\n"
      "各条指令的 opId 见 arbiter audit --json。"},
     kRevertArguments,
     kRevertOptions,
     {},
     run_revert},
    {"undo",
     {"undo a rollback, before anything new was said", "撤销回滚（在说新的话之前）"},
     {"Exit code 1 when there is nothing to undo.", "没有可撤销的回滚时退出码为 1。"},
     {},
     kPlain,
     {},
     run_undo},
    {"branch",
     {"list branches, or go to one", "列出分支，或切换到某个分支"},
     {"Without TURN the ends of all branches; with it the campaign goes on from there.",
      "省略 TURN 时列出所有分支的末端；给出时从该处继续。"},
     kAnyTurn,
     kBranchOptions,
     {},
     run_branch},
    {"world",
     {"worlds that were left, and what was kept of them", "离开过的世界及其备份"},
     {"Without NAME the backups with their numbers; with the name of a world its newest backup is\n"
      "put back, with a number that one. The world gets its name back. Members that are there now\n"
      "stay as they are.",
      "省略 NAME "
      "时列出备份及编号；给出世界名时恢复该世界最新的备份，给出编号时恢复那一份，世界名也\n"
      "一并恢复。现有成员保持不变。"},
     kWorldArgument,
     kTimed,
     {},
     run_world},
    {"rebuild",
     {"play a campaign again and compare every state", "重演战役并逐回合比较状态"},
     {"Judges the kept commands again, each turn under its own rules. Exit code 1 when a state is\n"
      "another; with --repair the history decides.",
      "按各回合当时的规则重新裁决已保存的指令。状态不同时退出码为 1；加 --repair 则以历史为准。"},
     {},
     kRebuildOptions,
     {},
     run_rebuild},
    {"verify",
     {"check that nothing was damaged", "检查数据是否完好"},
     {"Every turn must be what its id says, agree with its columns and lead to the state that it\n"
      "says; every text of rules must have its digest; head, undo, checkpoints and stored states "
      "must\n"
      "point to turns that are there. Exit code 1 when something does not.",
      "每个回合都须与其 id 和各列相符，并得到其所记的状态；规则文本须与摘要相符；当前回合、撤销、\n"
      "检查点和完整状态须指向存在的回合。有不符时退出码为 1。"},
     {},
     kVerifyOptions,
     {},
     run_verify},
    {"salvage",
     {"write the good part of a damaged store into a new one", "把损坏存储中完好的部分写入新存储"},
     {"Campaign by campaign: turns that are intact and follow each other from the first one are\n"
      "copied, and each one that is missing is named. The damaged store is not changed. Exit code "
      "1\n"
      "when something is missing.",
      "逐个战役处理：复制完好且从第一回合起相连的回合，并列出每个缺失的回合。不改动损坏的存储。\n"
      "有缺失时退出码为 1。"},
     kSalvageArgument,
     kSalvageOptions,
     {},
     run_salvage},
    {"export",
     {"write a campaign into one file", "把战役导出为一个文件"},
     {"Lines of JSON with a digest at the end; docs/ledger.md describes them. A campaign that is\n"
      "damaged is not written.",
      "逐行 JSON，末行为摘要；格式见 docs/ledger.md。损坏的战役不会导出。"},
     kOutArgument,
     kExportOptions,
     {},
     run_export},
    {"import",
     {"import a campaign from a file", "从文件导入战役"},
     {"Nothing in the file is trusted: all of it is checked before any of it is kept.",
      "不信任文件内容：全部核对之后才会保存。"},
     kInArgument,
     kStoreOnly,
     {},
     run_import},
    {"prompt",
     {"what the model would be told next, and why", "下一回合的提示词，以及原因"},
     {"Built from the state, what was said so far and the protocols that hold. The same campaign\n"
      "gives the same bytes.",
      "由状态、此前的对话和生效的协议组成。同一战役得到同样的字节。"},
     {},
     kPromptOptions,
     kPromptExamples,
     run_prompt},
    {"migrate",
     {"bring a store up to date, or its campaigns into another",
      "升级存储，或把战役迁到另一个存储"},
     {"Every turn is checked on its way. What is there already is left alone, so that it can be\n"
      "interrupted and called again.",
      "每个回合都会核对。已存在的不动，因此可以中断后再次执行。"},
     kTargetArgument,
     kStoreOnly,
     kMigrateExamples,
     run_migrate},
    {"backup",
     {"copy an SQLite store into a new file", "把 SQLite 存储备份到新文件"},
     {"Works while others read and write: the copy is the store as it was at one moment. A plain "
      "copy of\n"
      "FILE while it is in use would miss the turns in FILE-wal. For PostgreSQL use pg_dump.",
      "可在他人读写时进行：副本是某一时刻的完整存储。使用中直接复制文件会缺少 文件-wal 中的回合。\n"
      "PostgreSQL 请用 pg_dump。"},
     kBackupArgument,
     kStoreOnly,
     kBackupExamples,
     run_backup},
    {"thin",
     {"drop old snapshots (turns stay)", "减少旧回合的完整状态"},
     {"Every 200th turn keeps its whole state, so that any moment is found quickly. Of old "
      "turns\n"
      "fewer will do; no turn is ever dropped, and checkpoints keep their states.",
      "每两百回合保存一次完整状态以便快速回看。旧回合可以少留；回合本身从不删除，存档点的状态保留"
      "。"},
     {},
     kThinOptions,
     {},
     run_thin},
};

}  // namespace

std::span<const Command> ledger_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
