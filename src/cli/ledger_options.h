// Options that several commands on campaigns share.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

inline constexpr Option kStore = {
    "--store",
    "URL",
    {"where campaigns are stored: sqlite:FILE (default: sqlite:arbiter.db), postgres://… or "
     "memory:",
     "存放战役的位置：sqlite:文件（默认 sqlite:arbiter.db）、postgres://… 或 memory:"}};
inline constexpr Option kCampaign = {
    "--campaign", "ID", {"which campaign; default: the only one", "哪个战役；只有一个时可省略"}};
inline constexpr Option kProtocols = {
    "--protocols",
    "FOLDER",
    {"folder of your own protocols; the campaign keeps them from then on",
     "你自己的协议文件夹；此后随战役保存"}};

inline constexpr Option kInitvar = {
    "--initvar",
    "FILE",
    {"first variables beside the card: YAML, JSON, or a lorebook with [initvar] entries",
     "卡外的初始变量：YAML、JSON，或含 [initvar] 条目的世界书"}};
inline constexpr Option kGreeting = {
    "--greeting", "N", {"which greeting, from 0", "使用第几个开场白，从 0 起"}};
inline constexpr Option kUser = {
    "--user",
    "NAME",
    {"the player's name, {{user}}; kept as the setting user.name; default: that of all campaigns, "
     "of the active character, or User",
     "玩家的名字，即 {{user}}；保存为设置 user.name；默认取全局设置、当前角色的名字或 User"}};

}  // namespace arbiter::cli
