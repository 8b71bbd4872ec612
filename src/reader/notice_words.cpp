#include "reader/notice_words.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "reader/repairs.h"
#include "text/join.h"

namespace arbiter::reader {
namespace {

using base::TextView;
using proposal::Notice;

// In the order of Repair.
constexpr std::array<TextView, static_cast<std::size_t>(Repair::kCount)> kRepairs = {{
    {"full-width punctuation", "全角标点"},
    {"quotes of another kind", "引号种类"},
    {"names without quotes", "键未加引号"},
    {"words without quotes", "文字未加引号"},
    {"comments", "注释"},
    {"a comma too many", "多余的逗号"},
    {"a missing comma", "缺少逗号"},
    {"a missing bracket", "缺少右括号"},
    {"line breaks in a string", "字符串内换行"},
    {"quotes in a string", "字符串内的引号"},
    {"an unknown escape", "无效的转义"},
    {"constants of Python", "他种语言的常量"},
    {"a number written otherwise", "数字写法"},
    {"arithmetic", "算式"},
}};

struct Row {
    std::string_view about;
    TextView text;
};
constexpr auto kIgnored = std::to_array<Row>({
    {"quoted",
     {"A command in quotes, code or a comment is text; it was not executed.",
      "引号、代码或注释中的指令是正文，没有执行。"}},
    {"mentioned",
     {"A call in the middle of a sentence, without a semicolon, is text; it was not executed.",
      "句子中间、没有分号的调用是正文，没有执行。"}},
    {"not_a_command",
     {"Text between the commands is not a command and was left out.",
      "指令之间的文字不是指令，已略去。"}},
    {"pipe_form",
     {"The form action|path|value is not supported any more; it was not executed. Write a JSON "
      "entry with action, key and value.",
      "“动作|路径|值”的旧写法不再支持，没有执行。请写成含 action、key、value 的 JSON 条目。"}},
    {"use_protocol without id",
     {"<use_protocol> without an id was left out.", "<use_protocol> 缺少 id，已略去。"}},
    {"yaml",
     {"The YAML of this fence cannot be read as commands; it stays as text. Write JSON.",
      "这段 YAML 读不成指令，按正文保留。请改写成 JSON。"}},
});

std::string with(TextView text, std::string_view word, base::Language language) {
    const std::string words[] = {std::string(word)};
    return base::format_message(text.in(language), words);
}

std::string explain_ignored(std::string_view about, base::Language language) {
    const auto row = std::ranges::find(kIgnored, about, &Row::about);
    if (row != kIgnored.end()) {
        return std::string(row->text.in(language));
    }
    constexpr std::string_view kMember = "member ";
    if (about.starts_with(kMember)) {
        return with({"The member {0} has no use here and was left out.",
                     "成员 {0} 在这里没有用处，已略去。"},
                    about.substr(kMember.size()), language);
    }
    return with({"{0} was left out.", "{0} 已略去。"}, about, language);
}

std::string explain_repairs(std::string_view about, base::Language language) {
    std::vector<std::string_view> words;
    while (!about.empty()) {
        const std::size_t end = std::min(about.find(", "), about.size());
        const std::string_view one = about.substr(0, end);
        about.remove_prefix(std::min(end + 2, about.size()));
        for (std::size_t i = 0; i < kRepairs.size(); ++i) {
            if (name(static_cast<Repair>(i)) == one) {
                words.push_back(kRepairs[i].in(language));
            }
        }
    }
    const bool chinese = language == base::Language::kChinese;
    return with({"Repaired on reading: {0}.", "读取时作了修补：{0}。"},
                text::join(words, chinese ? "、" : ", "), language);
}

}  // namespace

std::string explain(const Notice& notice, base::Language language) {
    using enum Notice::Kind;
    switch (notice.kind) {
        case kUseProtocol:
            return with({"The text asks for the protocol {0}.", "文中要求启用协议 {0}。"},
                        notice.about, language);
        case kEndProtocol:
            return with({"The text asks to end the protocol {0}.", "文中要求结束协议 {0}。"},
                        notice.about, language);
        case kInspect:
            return {};
        case kRepaired:
            return explain_repairs(notice.about, language);
        case kUnclosed:
            return with({"{0} is never closed.", "{0} 没有闭合。"}, notice.about, language);
        case kIgnored:
            return explain_ignored(notice.about, language);
        case kStrayTag:
            return with({"</{0}> has no opening tag.", "</{0}> 没有对应的开始标签。"}, notice.about,
                        language);
        case kCut:
            return with(
                {"{0} is larger than allowed and was left out.", "{0} 超出大小上限，已略去。"},
                notice.about, language);
        case kBadUtf8:
            return std::string(TextView{"Bytes that are not UTF-8 were replaced.",
                                        "不合 UTF-8 编码的字节已被替换。"}
                                   .in(language));
    }
    return {};
}

}  // namespace arbiter::reader
