#include "protocol/reason.h"

#include "base/text.h"

namespace arbiter::protocol {
namespace {

std::string said(base::Language language, const base::TextView& text, const std::string& about) {
    const std::string words[] = {about};
    return base::format_message(text.in(language), words);
}

}  // namespace

std::string_view name(ActivationReason::Kind kind) noexcept {
    using enum ActivationReason::Kind;
    switch (kind) {
        case kCard:
            return "card";
        case kConfigured:
            return "configured";
        case kNeeded:
            return "needed";
        case kKeyword:
            return "keyword";
        case kTag:
            return "tag";
        case kScope:
            return "scope";
        case kCommand:
            return "command";
    }
    return "";
}

namespace {

// `speaker`: a name of protocol::Speaker.
std::string explain_tag(std::string_view speaker, base::Language language) {
    struct Row {
        std::string_view name;
        base::TextView text;
    };
    constexpr Row kRows[] = {{"player", {"a tag of the player", "玩家的标签"}},
                             {"card", {"a tag of the card", "角色卡的标签"}},
                             {"model", {"a tag of the model", "模型的标签"}}};
    for (const Row& row : kRows) {
        if (row.name == speaker) {
            return std::string(row.text.in(language));
        }
    }
    return said(language, {"a tag", "标签"}, {});
}

}  // namespace

std::string explain(const ActivationReason& reason, base::Language language) {
    using enum ActivationReason::Kind;
    switch (reason.kind) {
        case kCard:
            return said(language, {"the card names it", "角色卡引用"}, {});
        case kConfigured:
            return said(language, {"it is configured", "已配置"}, {});
        case kNeeded:
            return said(language, {"{0} needs it", "{0} 依赖它"}, reason.about);
        case kKeyword:
            return said(language, {"{0} was said", "说到了 {0}"}, reason.about);
        case kTag:
            return explain_tag(reason.about, language);
        case kScope:
            return said(language, {"its turns are over", "回合数已满"}, {});
        case kCommand:
            return said(language, {"a command", "命令"}, {});
    }
    return {};
}

}  // namespace arbiter::protocol
