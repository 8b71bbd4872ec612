// Messages about stores, campaigns, cards, models, tools and the command line. Rows of the
// catalogue in the order of the enum.
#pragma once

#include <array>

#include "base/messages.h"

namespace arbiter::base::internal {

inline constexpr auto kCampaignMessages = [] {
    using enum ErrorCode;
    return std::to_array<Message>({
        {kRecordField, "record_field", "The field {0} of a record is missing or has a wrong value.",
         "记录中的字段 {0} 缺失或有误。"},
        {kStoreUrl, "store_url",
         "{0} is not the URL of a store. Write sqlite:FILE, memory: or "
         "postgres://user@host/database.",
         "{0} 不是存储地址。可写 sqlite:文件、memory: 或 postgres://用户@主机/数据库。"},
        {kStoreFailed, "store_failed", "The store could not {0}: {1}.", "存储无法{0}：{1}。"},
        {kStoreFull, "store_full",
         "The disk or its quota is full. Nothing was changed; free some space and try again.",
         "磁盘已满或配额用尽。没有任何改动；腾出空间后即可继续。"},
        {kStoreReadOnly, "store_read_only",
         "The store is read-only since a write to the disk failed ({0}). Close it, check the disk, "
         "and "
         "open it again.",
         "写入磁盘失败（{0}），存储已转为只读。请关闭并检查磁盘后重新打开。"},
        {kStoreRefuses, "store_refuses",
         "The database does not accept writes at present ({0}). Reading still works; writing "
         "resumes by itself.",
         "数据库目前不接受写入（{0}）。读取不受影响；恢复后写入会自动继续。"},
        {kStoreVersion, "store_version",
         "The store was made by a newer version ({0}; this one knows {1}). Use a newer arbiter.",
         "存储由更新的版本创建（{0}，本程序支持到 {1}）。请使用更新的 arbiter。"},
        {kStoreOld, "store_old",
         "The store was made by an older version ({0}; this one needs {1}). Run `arbiter migrate` "
         "when "
         "no older arbiter uses it any more.",
         "存储由较旧的版本创建（{0}，本程序需要 {1}）。请在没有旧版 arbiter 使用它之后运行 "
         "`arbiter "
         "migrate`。"},
        {kStoreBusy, "store_busy",
         "Another process is writing to the store and did not finish in time. Nothing was changed; "
         "try again when it is done.",
         "另一个进程正在写入存储，等待超时。没有任何改动；请在它完成后重试。"},
        {kStoreMissing, "store_missing",
         "There is no store {0}. Check the name after --store; `arbiter campaign new NAME` creates "
         "a store with a campaign in it.",
         "没有存储 {0}。请检查 --store 之后的名称；`arbiter campaign new 名称` 会新建存储与战役。"},
        {kStoreFolder, "store_folder",
         "There is no folder {0} for the store {1}. Create the folder first.",
         "没有文件夹 {0}，无法存放 {1}。请先创建该文件夹。"},
        {kStoreJunk, "store_junk",
         "{0} is not a store of Arbiter, or its beginning is damaged. It was not changed.",
         "{0} 不是 Arbiter 的存储，或开头已损坏。文件未被改动。"},
        {kStoreEmpty, "store_empty",
         "{0} is empty, so it is not a store. Restore it from a backup if it was one; `arbiter "
         "campaign new NAME` begins a new store in it.",
         "{0} 是空文件，不是存储。如果它原来是存储，请从备份恢复；`arbiter campaign new 名称` "
         "会在其中新建存储。"},
        {kStoreForeign, "store_foreign",
         "{0} is the database of another program. It was not changed; name another file.",
         "{0} 是其他程序的数据库。文件未被改动；请换一个文件名。"},
        {kStoreNoAccess, "store_no_access",
         "{0} cannot be written: the file, its folder or the disk is read-only for this user. "
         "Commands that only read work.",
         "{0} 无法写入：文件、所在文件夹或磁盘对当前用户只读。只读取的命令不受影响。"},
        {kStoreInMemory, "store_in_memory",
         "{0} is not supported. Write memory: for a store that is gone at the end, or sqlite:FILE.",
         "不支持 {0}。临时存储请写 memory:，保存到文件请写 sqlite:文件。"},
        {kStoreUrlOption, "store_url_option",
         "The URL of the store has an option {0} that PostgreSQL does not know. Options are those "
         "of libpq, such as sslmode, connect_timeout or options.",
         "存储地址中的选项 {0} 不是 PostgreSQL 的选项。可用的是 `libpq` 的选项，例如 `sslmode`、"
         "`connect_timeout`、`options`。"},
        {kStoreNoBackup, "store_no_backup",
         "`arbiter backup` copies SQLite stores, and {0} is not one. For PostgreSQL use pg_dump; "
         "`arbiter migrate sqlite:FILE` copies its campaigns into a file.",
         "`arbiter backup` 用于 SQLite 存储，{0} 不是。PostgreSQL 请用 pg_dump；`arbiter migrate "
         "sqlite:文件` 可把战役复制到一个文件中。"},
        {kLogDamaged, "log_damaged",
         "The log {0} is damaged: turns that were saved in it cannot be read. Nothing was changed, "
         "and a copy is kept as {1}. `arbiter salvage sqlite:FILE` writes everything that is "
         "intact into "
         "a new store; a backup may hold more.",
         "日志 {0} 已损坏：其中保存的部分回合无法读取。没有任何改动，并已另存副本 {1}。"
         "`arbiter salvage sqlite:文件` 可把完好的部分写入新的存储；备份中可能有更多内容。"},
        {kLogDamagedHere, "log_damaged_here",
         "The log {0} is damaged: turns that were saved in it cannot be read. Nothing was changed; "
         "keep a copy of it. `arbiter salvage sqlite:FILE` writes everything that is intact into a "
         "new "
         "store; a backup may hold more.",
         "日志 {0} 已损坏：其中保存的部分回合无法读取。没有任何改动；请自行保留一份副本。"
         "`arbiter salvage sqlite:文件` 可把完好的部分写入新的存储；备份中可能有更多内容。"},
        {kLogAlone, "log_alone",
         "The log {0} holds turns, but its store {1} is missing or empty. Put the store back "
         "beside it, or move the log away to begin a new store.",
         "日志 {0} 中有回合，但它的存储 {1} 不存在或为空。请把存储放回原处；若要新建存储，请先移走"
         "该日志。"},
        {kLogUnread, "log_unread",
         "The log {0} holds turns that are not in {1} yet, and it cannot be read where nothing can "
         "be written. Copy both files into a folder that can be written, and open the copy.",
         "日志 {0} 中有尚未写入 {1} "
         "的回合，而在不可写的位置无法读取它。请把两个文件复制到可写的文件"
         "夹，再打开副本。"},
        {kCampaignId, "campaign_id",
         "\"{0}\" cannot be the id of a campaign. An id has 1 to 64 of the characters a-z, 0-9, _ "
         "and "
         "-, such as grey-plain; the name may be any text.",
         "“{0}”不能作为战役的 id。id 由 1 到 64 个 a-z、0-9、_、- 组成，例如 grey-plain；"
         "名称可以是任意文字。"},
        {kCampaignName, "campaign_name",
         "\"{0}\" cannot be the name of a campaign. A name is one line of at most 200 bytes.",
         "“{0}”不能作为战役的名称。名称为一行文字，最多 200 字节。"},
        {kCheckpointLabel, "checkpoint_label",
         "\"{0}\" cannot be the label of a checkpoint. A label is one line of at most {1} bytes; "
         "numbers, head and head~2 name turns already.",
         "“{0}”不能作为存档点的名称。名称为一行文字，最多 {1} 字节；数字、head、head~2 "
         "已用来指代回合。"},
        {kDeleteUnsure, "delete_unsure",
         "This would delete the campaign {0} with its {1} turns for ever. Add --yes to do it; "
         "`arbiter export FILE` keeps a copy first.",
         "这会永久删除战役 {0} 及其 {1} 个回合。确定要删除请加 --yes；可先用 `arbiter export 文件` "
         "留一份副本。"},
        {kCampaignUnknown, "campaign_unknown",
         "There is no campaign {0}. `arbiter campaign list` shows "
         "them.",
         "没有战役 {0}。用 `arbiter campaign list` 查看。"},
        {kCampaignExists, "campaign_exists", "There is already a campaign {0}.", "已有战役 {0}。"},
        {kNoCampaigns, "no_campaigns",
         "There is no campaign in {0} yet. `arbiter campaign new NAME` begins one, `arbiter play "
         "--demo` "
         "plays the demo.",
         "{0} 中还没有战役。用 `arbiter campaign new 名称` 新建，或用 `arbiter play --demo` "
         "试玩演示。"},
        {kWhichCampaign, "which_campaign",
         "There are several campaigns: {0}. Choose one with --campaign.",
         "有多个战役：{0}。请用 --campaign 选择。"},
        {kNoNarrator, "no_narrator",
         "This campaign has no narrator, so nothing was played. Set up a model with `arbiter "
         "connect`, give a script with --script FILE, or send the reply of your model with "
         "`arbiter turn --said TEXT`.",
         "这场战役还没有说书人，因此什么都没有发生。请用 `arbiter connect` 设置模型，"
         "用 --script 文件 指定脚本，"
         "或用 `arbiter turn --said 文字` 送入模型的回复。"},
        {kTurnUnknown, "turn_unknown",
         "There is no turn {0}. Write a number, the beginning of an id, head, head~2 or the name "
         "of a "
         "checkpoint; only the newest checkpoints are kept (rollback.max_checkpoints).",
         "没有回合 {0}。可写编号、id 的开头、head、head~2 或存档点名称；只保留最新的几个存档点"
         "（rollback.max_checkpoints）。"},
        {kTurnAmbiguous, "turn_ambiguous",
         "More than one turn is meant by {0}. Write more of its id.",
         "{0} 可指多个回合。请写出更长的 id。"},
        {kHeadMoved, "head_moved",
         "The campaign {0} was changed by another process in the meantime. Look at it again.",
         "战役 {0} 已被他人写入。请重新查看。"},
        {kHeadElsewhere, "head_elsewhere",
         "The campaign {0} is at turn {2}, not at {1}, so nothing was stored. Look at it again, or "
         "leave out --after.",
         "战役 {0} 位于回合 {2}，而不是 {1}，因此没有保存任何内容。请重新查看，或去掉 --after。"},
        {kTurnUncertain, "turn_uncertain",
         "{0} It may have been stored. The same command with the same --key resolves it: the "
         "stored turn is returned, or the turn is stored once. `arbiter history` shows it as well.",
         "{0}该回合可能已经保存。用相同的 --key 再次执行同一命令即可确定：已保存则返回原回合，"
         "否则只保存一次。也可用 `arbiter history` 查看。"},
        {kKeyReused, "key_reused",
         "The key {0} was used for another reply, which is stored as turn {1}. Nothing was stored "
         "now; take a new key for each turn.",
         "键 {0} 已用于另一条回复（已保存为回合 {1}）。这次没有保存任何内容；每个回合请使用新的"
         "键。"},
        {kBadTurnKey, "bad_turn_key",
         "A key is UTF-8 text of 1 to {1} bytes without control characters; this one, of {0} "
         "bytes, is not.",
         "键应为 1 到 {1} 字节、不含控制字符的 UTF-8 文字，这个键（{0} 字节）不符合。"},
        {kNothingToUndo, "nothing_to_undo", "There is no rollback of {0} to undo.",
         "战役 {0} 没有可撤销的回滚。"},
        {kCorrupt, "corrupt", "{0} is damaged: {1}.", "{0} 已损坏：{1}。"},
        {kReplyTooLong, "reply_too_long", "The reply has {0} bytes; the limit is {1}.",
         "回复有 {0} 字节，上限为 {1} 字节。"},
        {kSaidTooLong, "said_too_long", "The player's text has {0} bytes; the limit is {1}.",
         "玩家的话有 {0} 字节，上限为 {1} 字节。"},
        {kRecordTooLarge, "record_too_large",
         "The turn changes too much at once: its record may have {0} bytes, where each value "
         "counts at least 8. Nothing was stored; split the changes over several turns.",
         "这一回合的改动过多：记录最多 {0} 字节，其中每个值至少计 8 "
         "字节。没有保存任何内容；请分成几个回合。"},
        {kStateTooLarge, "state_too_large",
         "The state would take more than {0} bytes and could not be read again. Nothing was "
         "stored.",
         "状态会超过 {0} 字节，之后无法再读取。没有保存任何内容。"},
        {kRecordTooDeep, "record_too_deep",
         "A value of this turn is nested so deeply that its record would exceed {0} levels and "
         "could not be read again. Nothing was stored.",
         "这一回合中有一个值嵌套过深：记录会超过 {0} 层，之后无法再读取。没有保存任何内容。"},
        {kNotUtf8, "not_utf8", "{0} has bytes that are not UTF-8. Nothing was stored.",
         "{0} 含有不是 UTF-8 的字节。没有保存任何内容。"},
        {kPngHeader, "png_header",
         "This picture does not begin with the header that every PNG has (IHDR, 13 bytes). Use the "
         "card's original file.",
         "这张图片的开头不是 PNG 必有的文件头（IHDR，13 字节）。请使用角色卡的原始文件。"},
        {kPngTruncated, "png_truncated",
         "The picture ends inside its chunk {0}: it was not copied whole. Download or export the "
         "card "
         "again.",
         "图片在数据块 {0} 中间就结束了，文件不完整。请重新下载或导出角色卡。"},
        {kPngDamaged, "png_damaged",
         "The picture's chunk {0} does not have its checksum: bytes were changed on the way. "
         "Download "
         "or export the card again.",
         "图片的数据块 {0} 校验和不符，内容已被改动。请重新下载或导出角色卡。"},
        {kPngChunkTooLong, "png_chunk_too_long",
         "The picture's text chunk {0} has {1} bytes; the limit is {2}. Cards are smaller: remove "
         "what "
         "is not text from it.",
         "图片的文本块 {0} 有 {1} 字节，上限是 {2}。请移除其中不属于文字的内容。"},
        {kPngTextBroken, "png_text_broken",
         "The picture's text chunk {0} is not laid out as PNG says, or what it packs cannot be "
         "unpacked. Export the card again, as PNG or JSON.",
         "图片的文本块 {0} 不符合 PNG 格式，或其压缩内容无法解开。请把角色卡重新导出为 PNG 或 "
         "JSON。"},
        {kPngBomb, "png_bomb",
         "The picture's text chunk {0} unpacks to more than {1} bytes, or to more than {2} times "
         "its "
         "size. No card does; export it without compression.",
         "图片的文本块 {0} 解开后超过 {1} 字节，或超过原来的 {2} "
         "倍。正常的角色卡不会如此；请不压缩导出。"},
        {kPngNoCard, "png_no_card",
         "There is no card in this picture: no text chunk is called chara or ccv3. Many sites "
         "remove "
         "it from pictures; use the original file, or export the card as JSON.",
         "这张图片里没有角色卡：没有名为 chara 或 ccv3 "
         "的文本块。许多网站会去掉它；请使用原始文件，或把"
         "角色卡导出为 JSON。"},
        {kCardNotBase64, "card_not_base64",
         "The picture's text chunk {0} is neither base64 nor JSON. Export the card again.",
         "图片的文本块 {0} 既不是 base64 也不是 JSON。请重新导出角色卡。"},
        {kCardForm, "card_form",
         "A card is not read from a {0} file. Export it as PNG, JSON or YAML.",
         "不能从 {0} 文件读取角色卡。请导出为 PNG、JSON 或 YAML。"},
        {kCardNone, "card_none",
         "This is not a character card. A card has a name at the top (version 1), or spec and data "
         "with a "
         "name in it (versions 2 and 3).",
         "这不是角色卡。角色卡在最外层有 name（V1），或有 spec 与带 name 的 data（V2、V3）。"},
        {kCardLorebook, "card_lorebook",
         "This is a lorebook, not a card. Its [initvar] entries can be given beside a card, with "
         "--initvar FILE.",
         "这是世界书，不是角色卡。可用 --initvar FILE 把其中的 [initvar] 条目与角色卡一起使用。"},
        {kInitvarSyntax, "initvar_syntax",
         "The first variables cannot be read from here on ({0}). Write them as YAML (name: value) "
         "or "
         "as JSON.",
         "初始变量从这里起无法读取（{0}）。请写成 YAML（名字: 值）或 JSON。"},
        {kInitvarShape, "initvar_shape",
         "The first variables are names with values, not {0}. Write them as name: value, one a "
         "line.",
         "初始变量应为名字与值，而不是 {0}。请每行写一个，如 名字: 值。"},
        {kGreetingUnknown, "greeting_unknown",
         "The card has no greeting {0}. They are numbered from 0 to {1}.",
         "角色卡没有第 {0} 个开场白。编号从 0 到 {1}。"},
        {kGreetingTooLate, "greeting_too_late",
         "The story is at turn {0}; greetings can be switched at turn 1 only. Roll back to turn 1 "
         "first.",
         "故事已到第 {0} 回合；只有在第 1 回合才能切换开场白，请先回滚到第 1 回合。"},
        {kCampaignNoCard, "campaign_no_card", "The campaign {0} did not begin with a card.",
         "战役 {0} 不是从角色卡开始的。"},
        {kModelRefused, "model_refused",
         "The model refused to answer: {0}. Say it in other words, or ask another model.",
         "模型拒绝回答：{0}。请换一种说法，或换一个模型。"},
        {kModelKey, "model_key",
         "The model does not accept the key that it was given: {0}. Check the key and what it may "
         "be "
         "used for.",
         "模型不接受所给的密钥：{0}。请检查密钥及其权限。"},
        {kModelRateLimited, "model_rate_limited",
         "The model is rate-limiting us: {0}. Wait a little and try again.",
         "请求过于频繁，模型暂时限流：{0}。请稍候再试。"},
        {kModelOverloaded, "model_overloaded",
         "The model cannot answer at the moment: {0}. Try again, or ask another model.",
         "模型目前无法回答：{0}。请重试，或换一个模型。"},
        {kModelTimeout, "model_timeout",
         "The model did not answer in time ({0}). Try again, or allow it more time.",
         "模型没有及时回答（{0}）。请重试，或放宽时限。"},
        {kModelUnreachable, "model_unreachable",
         "The model cannot be reached: {0}. Check its address, and that it is running.",
         "无法连接模型：{0}。请检查地址，并确认它正在运行。"},
        {kModelCutOff, "model_cut_off",
         "The model's answer broke off: {0}. What came of it was not used; try again.",
         "模型的回答中断了：{0}。已收到的部分未被采用；请重试。"},
        {kModelTooLong, "model_too_long",
         "The request is too long for the model: {0}. Shorten the prompt, or use a model with a "
         "larger context.",
         "请求超出模型的上下文：{0}。请缩短提示词，或使用上下文更大的模型。"},
        {kModelBadAnswer, "model_bad_answer",
         "The model returned something that is not an answer: {0}. Check that the address is that "
         "of a "
         "model.",
         "模型返回的内容不是回答：{0}。请确认地址确实是模型的地址。"},
        {kModelCancelled, "model_cancelled", "The answer was stopped before it was complete.",
         "回答在完成之前被停止了。"},
        {kScriptSilent, "script_silent",
         "The script has no answer left for request {0} (\"{1}\"). Add one under answers, or a "
         "default.",
         "脚本没有可用于第 {0} 次请求（“{1}”）的回答。请在 answers 下添加一条，或写一个 default。"},
        {kNotAcceptable, "not_acceptable",
         "The report does not say plainly what would have to be true, so it cannot be accepted. "
         "Keep the state, or edit the text.",
         "报告没有明确说明状态应是什么，因此无法采纳。请保持状态，或修改文字。"},
        {kCampaignBusy, "campaign_busy",
         "Another turn of {0} is running. Wait until it has ended, then say it again.",
         "战役 {0} 正在进行另一个回合。请等它结束后再说。"},
        {kRollbackOff, "rollback_off",
         "Checkpoints and rollback are switched off: {0} is 0. Set it to the number of checkpoints "
         "to "
         "keep.",
         "存档点与回滚已关闭：{0} 为 0。请设为要保留的存档点数量。"},
        {kToolIncomplete, "tool_incomplete", "The tool {0} cannot be registered: {1}.",
         "工具 {0} 无法登记：{1}。"},
        {kToolTwice, "tool_twice", "There is a tool {0} already.", "已有名为 {0} 的工具。"},
        {kToolPath, "tool_path", "A tool may not write {0}. Below campaign it may write {1}.",
         "工具不能写入 {0}。在 `campaign` 之下只能写入 {1}。"},
        {kNameTaken, "name_taken", "The name {0} is taken already.", "名称 {0} 已被占用。"},
        {kUnknownTool, "unknown_tool", "There is no tool {0}. Available: {1}.",
         "没有工具 {0}。可用：{1}。"},
        {kToolsNeedTable, "tools_need_table",
         "Tools need a table. Add --table FILE, or --table demo.",
         "工具需要跑团模板，请加上 --table 文件，或 `--table demo`。"},
        {kToolNoSource, "tool_no_source",
         "The tool {0} is not a tool of data; it has no YAML file.",
         "工具 {0} 不是数据工具，没有对应的 YAML 文件。"},
        {kSettingIncomplete, "setting_incomplete", "The setting {0} cannot be registered: {1}.",
         "设置项 {0} 无法登记：{1}。"},
        {kSettingTwice, "setting_twice", "There is a setting {0} already.",
         "已有名为 {0} 的设置项。"},
        {kSettingsExclude, "settings_exclude",
         "{0} and {1} cannot both be on. Turn one off in the same change: {0} true {1} false.",
         "{0} 与 {1} 不能同时开启，请在同一次修改中关闭其一：{0} true {1} false。"},
        {kDialogIncomplete, "dialog_incomplete", "The dialog type {0} cannot be registered: {1}.",
         "对话类型 {0} 无法登记：{1}。"},
        {kGoalFixed, "goal_fixed", "The goal of a campaign is set once and stays as it is.",
         "战役的终极目标只能设定一次，之后不可改写。"},
        {kNotInParty, "not_in_party", "{0} is not in the party. The party: {1}.",
         "{0} 不在队伍中，队伍里有 {1}。"},
        {kMapBroken, "map_broken", "The map is inconsistent at {0}: {1}.",
         "地图在 {0} 处有误：{1}。"},
        {kNoCampaign, "no_campaign", "This document does not contain a campaign.",
         "此文档中没有战役。"},
        {kAuthorityRow, "authority_row", "The authoritative path {0} cannot be used: {1}.",
         "权威路径 {0} 无法使用：{1}。"},
        {kFileOutside, "file_outside",
         "{0} leads out of the folder {1}. A file may name files in its own folder and below: "
         "move the file there, or name it on the command line.",
         "{0} 位于文件夹 {1} 之外。文件只能引用同一文件夹及其子文件夹中的文件：请把它移到其中，"
         "或在命令行中指定。"},
        {kFileMissing, "file_missing", "There is no file {0}.", "没有文件 {0}。"},
        {kFileUnreadable, "file_unreadable", "Cannot read {0}: {1}.", "无法读取 {0}：{1}。"},
        {kFileUnwritable, "file_unwritable", "Cannot write {0}: {1}.", "无法写入 {0}：{1}。"},
        {kFileSpecial, "file_special",
         "{0} is not a regular file. Give the name of a file, or - to read standard input.",
         "{0} 不是普通文件。请写文件名，或用 - 读取标准输入。"},
        {kUnknownCommand, "unknown_command",
         "There is no command {0}. `arbiter --help` lists them.",
         "没有命令 {0}。用 `arbiter --help` 查看全部命令。"},
        {kUnknownOption, "unknown_option", "There is no option {0} here.", "这里没有选项 {0}。"},
        {kMissingArgument, "missing_argument", "{0} is missing.", "缺少 {0}。"},
        {kMissingValue, "missing_value", "The option {0} needs a value.", "选项 {0} 需要一个值。"},
        {kBadOptionValue, "bad_option_value", "{1} is not a value of {0}. It takes {2}.",
         "{1} 不是 {0} 的可用值。可用：{2}。"},
        {kNoOptionValue, "no_option_value", "The option {0} takes no value, but was given {1}.",
         "选项 {0} 不带值，却给了 {1}。"},
        {kTwiceStdin, "twice_stdin",
         "Standard input can be read only once: give a file for one of both.",
         "标准输入只能读一次：其中一个请指定文件。"},
        {kTooManyArguments, "too_many_arguments", "One argument too many: {0}.",
         "多了一个参数：{0}。"},
        {kUrlMalformed, "url_malformed",
         "{0} is not a usable URL: {1}. A URL looks like http://127.0.0.1:8080/v1.",
         "{0} 不是可用的网址：{1}。网址形如 http://127.0.0.1:8080/v1。"},
        {kAddressMalformed, "address_malformed",
         "{0} is not an address to listen on. Write it like 127.0.0.1:7777 or [::1]:7777.",
         "{0} 不是可监听的地址，请写成 127.0.0.1:7777 或 [::1]:7777。"},
        {kListenFailed, "listen_failed",
         "Cannot listen on {0}: {1}. Choose another port, or 0 for a free one.",
         "无法监听 {0}：{1}。请换一个端口，或用 0 自动选择空闲端口。"},
        {kHostUnknown, "host_unknown",
         "The host {0} was not found. Check the spelling and the network.",
         "找不到主机 {0}，请检查拼写和网络。"},
        {kConnectFailed, "connect_failed",
         "Cannot connect to {0}: {1}. Is the server running there?",
         "无法连接 {0}：{1}。请确认那里的服务已启动。"},
        {kTlsFailed, "tls_failed", "No secure connection to {0}: {1}.",
         "无法与 {0} 建立安全连接：{1}。"},
        {kNetTimeout, "net_timeout", "It took too long: {0}.", "等待超时：{0}。"},
        {kConnectionLost, "connection_lost", "The connection was lost: {0}.", "连接中断：{0}。"},
        {kHttpMalformed, "http_malformed", "This is not valid HTTP: {0}.",
         "不是有效的 HTTP 消息：{0}。"},
        {kHttpTooLarge, "http_too_large", "{0} is too large; the limit is {1}.",
         "{0}过大，上限为 {1}。"},
        {kRouteUnknown, "route_unknown",
         "There is nothing at {0}. GET /api/v1/openapi.json lists all routes.",
         "{0} 处没有内容。所有接口见 GET /api/v1/openapi.json。"},
        {kMethodNotAllowed, "method_not_allowed", "{0} is not possible here. Allowed: {1}.",
         "这里不能使用 {0}。可用：{1}。"},
        {kMediaTypeRefused, "media_type_refused",
         "The content type {0} is not read here. Send {1}.",
         "这里不接受内容类型 {0}，请使用 {1}。"},
        {kUnknownField, "unknown_field", "There is no field {0} here. Known fields: {1}.",
         "这里没有字段 {0}。可用字段：{1}。"},
        {kFieldMissing, "field_missing", "The field {0} is missing.", "缺少字段 {0}。"},
        {kFieldType, "field_type", "The field {0} must be {1}.", "字段 {0} 的类型应为 {1}。"},
        {kBadParameter, "bad_parameter", "{1} is not a value of the parameter {0}. It takes {2}.",
         "{1} 不是参数 {0} 的可用值。可用：{2}。"},
        {kTokenMissing, "token_missing",
         "A token is needed: send the header Authorization: Bearer TOKEN. "
         "`arbiter token new NAME` makes one.",
         "需要令牌：请发送请求头 Authorization: Bearer TOKEN。用 `arbiter token new NAME` "
         "创建令牌。"},
        {kTokenRefused, "token_refused", "This token is unknown, expired or revoked.",
         "该令牌不存在、已过期或已吊销。"},
        {kScopeMissing, "scope_missing", "This needs a token with the scope {0}.",
         "此操作需要具有 {0} 权限的令牌。"},
        {kHostRefused, "host_refused",
         "Requests for the host {0} are refused. Add it with --allow-host if it is meant.",
         "拒绝发往主机 {0} 的请求。如确有需要，请用 --allow-host 添加。"},
        {kOriginRefused, "origin_refused", "Requests of pages from {0} are refused.",
         "拒绝来自 {0} 的网页请求。"},
        {kRateLimited, "rate_limited", "Too many requests. Try again in {0} seconds.",
         "请求过于频繁，请在 {0} 秒后重试。"},
        {kOverloaded, "overloaded", "The server is busy. Try again in a moment.",
         "服务器繁忙，请稍后重试。"},
        {kServerStopping, "server_stopping", "The server is shutting down.", "服务器正在关闭。"},
        {kNoModel, "no_model",
         "No model is connected. Start the server with --upstream URL --model NAME, or set one up "
         "with `arbiter connect`.",
         "尚未连接模型。请用 `--upstream URL --model NAME` 启动服务器，或用 `arbiter connect` "
         "设置。"},
        {kStateChanged, "state_changed",
         "The state is no longer {0}; it is {1} now. Read it again and repeat the request.",
         "状态已不是 {0}，现在是 {1}。请重新读取后再试。"},
        {kListenNeedsTokens, "listen_needs_tokens",
         "{0} can be reached by others, and there is no token. Make one with `arbiter token new "
         "NAME`, "
         "or listen on 127.0.0.1.",
         "{0} 可被他人访问，而目前没有令牌。请先用 `arbiter token new NAME` 创建，或改为监听 "
         "127.0.0.1。"},
        {kTokenNameTaken, "token_name_taken", "There is a token {0} already.",
         "已有名为 {0} 的令牌。"},
        {kTokenNameUnknown, "token_name_unknown", "There is no token {0}. Known tokens: {1}.",
         "没有令牌 {0}。已有令牌：{1}。"},
        {kNothingWithheld, "nothing_withheld",
         "The campaign {0} has no withheld turn to choose about.",
         "战役 {0} 没有待选择的被拦截回合。"},
    });
}();

}  // namespace arbiter::base::internal
