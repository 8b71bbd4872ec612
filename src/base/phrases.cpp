#include "base/phrases.h"

#include <algorithm>
#include <array>

namespace arbiter::base {
namespace {

constexpr auto kPhrases = std::to_array<Phrase>({
    // values
    {"a text", "文字"},
    {"a number", "数字"},
    {"a list", "列表"},
    {"an object", "对象"},
    {"a value", "一个值"},
    {"one value", "一个值"},
    {"a name", "一个名字"},
    {"true or false", "true 或 false"},
    {"any value", "任意值"},
    {"a whole number, 0 or more", "不小于 0 的整数"},
    {"a number above 0", "大于 0 的数字"},
    {"a smaller number", "更小的数字"},
    {"a number such as 1, -2 or 3.5", "数字，例如 1、-2、3.5"},
    {"a list of texts", "文字列表"},
    {"a text or a list of texts", "文字或文字列表"},
    {"an instant such as 2025-09-20T05:00:00Z", "时间，例如 2025-09-20T05:00:00Z"},
    {"replace, shallow or deep", "replace、shallow 或 deep"},
    {"head or tail", "head 或 tail"},
    {"error, ignore, replace or merge", "error、ignore、replace 或 merge"},
    {"target or ancestors", "target 或 ancestors"},
    {"a place outside of what is deleted", "被删除内容之外的位置"},
    {"an object such as {\"name\": value}", "对象，例如 {\"名字\": 值}"},
    {"a function name of English letters, digits and _, such as showMessage",
     "由英文字母、数字和下划线组成的函数名，例如 showMessage"},
    {"(none)", "（未写）"},
    {"key", "键"},
    {"document", "文档"},
    {"the number of timers", "计时器数量"},
    {"a valid regular expression", "有效的正则表达式"},
    {"the current value alone, such as 45", "单独的当前值，例如 45"},
    {"the rules set it themselves", "它由规则自行设置"},
    {"the rules need it; delete single entries", "规则要用到它，请只删除其中的单个条目"},
    {"this call changes its own module; elsewhere it may set an existing value",
     "这个调用只改动自己的模块，在别处最多设置已有的值"},
    {"it hides a node that you cannot see", "它使一个你看不到的节点保持隐藏"},
    {"tools need a campaign with a table", "工具只在跑团战役中可用"},
    {"append-only", "只能追加"},
    {"required", "不可缺少"},
    // formulas and config files
    {"an operator or the end", "运算符或结尾"},
    {"the end", "结尾"},
    {"a formula", "公式"},
    {"text", "文字"},
    {"[text]", "[文字]"},
    {"text, {en: …, zh: …}", "文字或 {en: …, zh: …}"},
    {"key: value", "键: 值"},
    {"a path such as character.saveData", "路径，例如 character.saveData"},
    {"a list of tavern, json, mvu, patch, memory, filament, tool",
     "由 tavern、json、mvu、patch、memory、filament、tool 组成的列表"},
    {"a profile or a .yaml file", "配置方案名或 .yaml 文件"},
    {"a list of rulebooks or .yaml files", "由规则书名或 .yaml 文件组成的列表"},
    {"a list of paths, or of {path: …, to: [model, player]}",
     "由路径或 {path: …, to: [model, player]} 组成的列表"},
    // templates of tables
    {"the id of an area", "区域的 id"},
    {"the id of a character", "角色的 id"},
    {"each character once", "每个角色一次"},
    {"the name of a tool", "工具名"},
    {"an area other than from", "与 from 不同的区域"},
    // conversion
    {"JSON instructions", "JSON 指令"},
    {"memory calls", "memory 调用"},
    {"internal instructions", "内部指令"},
    {"tool calls", "工具调用"},
    {"what the command does to this document", "这条指令对该文档的效果"},
    {"shallow merge", "浅层合并"},
    {"deep merge", "深层合并"},
    {"replace merge", "替换式合并"},
    // files and stores
    {"standard output", "标准输出"},
    {"No such file or directory", "没有这个文件或文件夹"},
    {"Permission denied", "没有权限"},
    {"Is a directory", "这是一个文件夹"},
    {"Not a directory", "不是文件夹"},
    {"File exists", "文件已存在"},
    {"Directory not empty", "文件夹里已有内容"},
    {"No space left on device", "磁盘已满"},
    {"Read-only file system", "文件系统只读"},
    {"Operation not supported", "不支持这种文件"},
    {"File name too long", "文件名太长"},
    {"Too many levels of symbolic links", "符号链接层数过多"},
    {"Broken pipe", "对方已关闭管道"},
    {"connect", "连接数据库"},
    {"commit", "提交"},
    {"reach the server", "连接服务器"},
    {"use the database", "使用数据库"},
    {"find its schema", "找到数据库模式"},
    {"no answer in time", "没有及时应答"},
    {"out of memory", "内存不足"},
    {"be opened", "打开"},
    {"be read", "读取"},
    {"be written", "写入"},
    {"the store", "存储"},
    {"the log", "日志"},
    {"the folder", "文件夹"},
    {"disk I/O error", "磁盘读写错误"},
    {"database disk image is malformed", "数据库内容混乱"},
    {"Too many open files", "打开的文件过多"},
    {"Input/output error", "磁盘读写错误"},
    {"its tables are missing", "缺少数据表"},
    {"send", "发送请求"},
    {"receive", "接收应答"},
    {"list campaigns", "列出战役"},
    {"read the campaign", "读取战役"},
    {"read the turn", "读取回合"},
    {"make the tables", "建立数据表"},
    {"find the tables", "查找数据表"},
    {"read the version", "读取版本"},
    {"all connections are busy", "所有连接都在使用中"},
    {"the server rolled it back", "服务器撤销了提交"},
    {"an earlier session does not end", "先前的会话没有结束"},
    {"none of the url's search_path exists", "地址中 search_path 所列的模式都不存在"},
    {"a turn", "回合"},
    {"the turn", "回合"},
    {"a record", "记录"},
    {"a state", "状态"},
    {"the archive", "归档文件"},
    {"the file", "文件"},
    {"it is truncated", "内容不完整"},
    {"its text is missing or damaged", "其文本缺失或已损坏"},
    {"the turn before it is missing", "缺少它之前的回合"},
    {"one of its actions refers to nothing", "其中一个动作没有对应的内容"},
    {"it is not a document with metadata", "它不是带元数据的文档"},
    {"its changes do not fit the turn before", "其变更与前一回合不符"},
    {"its state has another hash", "其状态的哈希不符"},
    {"it has no first turn", "没有第一个回合"},
    {"it is missing", "缺失"},
    {"it cannot be read", "无法读取"},
    {"a turn before it is lost", "它之前的回合已丢失"},
    {"its bytes do not match its id", "其内容与 id 不符"},
    {"it belongs to another campaign", "它属于另一个战役"},
    {"its row disagrees with its record", "其数据行与记录不符"},
    {"it is its own ancestor", "它是自己的祖先"},
    {"its stored state is damaged", "其完整状态已损坏"},
    {"the state of the first turn is missing", "缺少第一回合的状态"},
    {"it has no turn before it, but is not the first", "它之前没有回合，却不是第一回合"},
    {"the turn before it is missing or has a wrong number", "它之前的回合缺失或编号有误"},
    {"a rule text is missing or damaged", "规则文本缺失或已损坏"},
    {"its key is missing", "缺少其请求键"},
    {"the head is missing", "缺少当前回合"},
    {"the turn that undo leads to is missing", "缺少撤销所指的回合"},
    {"the turn of a checkpoint is missing", "缺少检查点所指的回合"},
    {"the turn of a stored state is missing", "缺少完整状态所属的回合"},
    {"a rule text is missing", "缺少规则文本"},
    {"the turn before one of its turns is missing", "其中一个回合之前的回合缺失"},
    {"it is missing, but has a turn", "战役本身缺失，却留有回合"},
    {"the id of a turn is not a digest", "有一个回合的 id 不是摘要"},
    {"SQLite reports", "SQLite 的原话"},
    {"its log is damaged", "日志已损坏"},
    {"it has bytes that are not UTF-8", "含有不是 UTF-8 的字节"},
    {"it is not a JSON object", "不是 JSON 对象"},
    {"its details belong to another turn", "其细节属于另一个回合"},
    {"its first byte is unknown", "首字节无法识别"},
    {"it is larger than it may be", "超过了允许的大小"},
    {"its size is unknown or larger than it may be", "大小未知或超过了允许的大小"},
    {"it does not unpack", "无法解压"},
    {"its last line is cut off", "最后一行不完整"},
    {"a line is not a JSON object", "有一行不是 JSON 对象"},
    {"it does not have the digest that it should", "摘要不符"},
    {"it does not end with its digest", "摘要之后还有内容"},
    {"its end is missing", "缺少结尾"},
    {"its beginning is missing", "缺少开头"},
    {"it has two beginnings", "有两个开头"},
    {"it has no head", "没有当前回合"},
    {"its undo is not a turn", "撤销所指不是回合"},
    {"it is of a version that is not known here", "版本无法识别"},
    {"a text is too long", "有一段文字过长"},
    {"a text has no end", "有一段文字没有结尾"},
    {"a text is not written in hexadecimal digits", "有一段文字不是十六进制数字"},
    {"a checkpoint has no turn", "有一个检查点没有回合"},
    {"a state has no turn", "有一个状态没有回合"},
    {"a line is of an unknown kind", "有一行类型未知"},
    {"it has texts that no turn names", "含有没有回合引用的文本"},
    {"it was not checked to its end", "检查被中断"},
    {"it was not copied to its end", "复制被中断"},
    {"its changes lead to another state", "其变更得到另一个状态"},
    {"playing it again leads to another state", "重演得到另一个状态"},
    {"read again, the player's words have other commands", "重新读取玩家的话，得到不同的指令"},
    {"read again, the reply has other commands", "重新读取回复，得到不同的指令"},
    {"the id", "id"},
    {"the name", "名称"},
    {"the state", "状态"},
    // models
    {"a web page came instead of an answer", "返回的是网页，而不是回答"},
    {"the server redirects to another address", "服务器要求转到另一个地址"},
    {"the host was not found", "找不到主机"},
    {"the connection failed", "连接失败"},
    {"no secure connection", "无法建立安全连接"},
    {"the connection was lost", "连接中断"},
    {"it is not valid HTTP", "不是有效的 HTTP 消息"},
    {"it is too large", "内容过大"},
    {"it is longer than any reply", "内容远远超过一条回复的长度"},
    {"it is not JSON", "不是 JSON"},
    {"it is not an object", "不是对象"},
    {"it is not a list of models", "不是模型列表"},
    {"it is empty", "内容为空"},
    {"it has no choices", "其中没有回答（choices 为空）"},
    {"choices is not a list", "choices 不是列表"},
    {"a choice is not an object", "choices 中有一项不是对象"},
    {"a message is not an object", "message 不是对象"},
    {"content is not a text", "content 不是文字"},
    {"it has too many tool calls", "工具调用过多"},
    {"the server stopped the answer", "服务器中止了回答"},
    {"the stream ended before the answer was complete", "数据流在回答完成之前就结束了"},
    {"the token limit was reached before any text", "还没写出正文，字数就到了上限"},
    // the network
    {"the end of the answer", "回答的结尾"},
    {"the connection to the server", "与服务器的连接"},
    {"the beginning of the answer", "回答的开头"},
    {"the next part of the answer", "回答的下一部分"},
    {"the server closed the connection", "服务器关闭了连接"},
    {"the server closed it before the answer was complete", "回答还没完成，服务器就关闭了连接"},
    {"it has both Content-Length and Transfer-Encoding",
     "同时带有 Content-Length 和 Transfer-Encoding"},
    {"HTTP/1.0 has no Transfer-Encoding", "HTTP/1.0 不支持 Transfer-Encoding"},
    {"Transfer-Encoding is repeated", "Transfer-Encoding 重复"},
    {"Content-Length is repeated", "Content-Length 重复"},
    {"a header field continues on a second line", "标头字段不得换行"},
    {"a header field without a colon", "标头字段缺少冒号"},
    {"a line does not end with CRLF", "行尾不是 CRLF"},
    {"a control character", "控制字符"},
    {"CONNECT is for proxies", "CONNECT 只用于代理"},
    {"Host is repeated", "Host 重复"},
    {"Host is missing", "缺少 Host"},
    {"a chunk is longer than its length", "数据块超出其长度"},
    {"The header", "标头"},
    {"The request line", "请求行"},
    {"The trailer", "尾部字段"},
    {"The line of a chunk", "数据块的首行"},
    {"The number of header fields", "标头字段数"},
    {"The body", "正文"},
    {"An event", "事件"},
    {"blanks and characters beyond ASCII have to be escaped", "空格与非 ASCII 字符须转义"},
    {"it must begin with http:// or https://", "必须以 http:// 或 https:// 开头"},
    {"two hexadecimal digits belong behind %", "% 之后应有两位十六进制数字"},
    {"it is not UTF-8", "不是 UTF-8"},
    {"the head of the request", "请求头"},
    {"the body of the request", "请求正文"},
    {"the connection was closed", "连接被关闭"},
    {"it has a fragment (#)", "含有片段（#）"},
    {"it has a user name (@)", "含有用户名（@）"},
    {"its host is not a name or an address", "主机既不是名称也不是地址"},
    {"its port is not a number from 1 to 65535", "端口不是 1 到 65535 的数字"},
    {"Connection refused", "对方拒绝连接"},
    {"Connection reset by peer", "连接被对方重置"},
    {"No route to host", "没有到达主机的路由"},
    {"Network is unreachable", "网络不可达"},
    {"certificate verify failed", "证书验证失败"},
    {"Connection timed out", "连接超时"},
    {"Broken pipe", "连接已断开"},
    {"Address already in use", "地址已被占用"},
    {"Cannot assign requested address", "本机没有这个地址"},
    {"Permission denied", "没有权限"},
    {"certificate has expired", "证书已过期"},
    {"certificate is not yet valid", "证书尚未生效"},
    {"self-signed certificate", "证书是自签名的"},
    {"self-signed certificate in certificate chain", "证书链中有自签名证书"},
    {"unable to get local issuer certificate", "证书的颁发者不受信任"},
    {"hostname mismatch", "证书与主机名不符"},
    {"IP address mismatch", "证书与地址不符"},
    {"wrong version number", "那里的服务不使用 TLS"},
    {"the name of an environment variable that is set", "已设置的环境变量名"},
    {"a key of printable ASCII characters", "由可见 ASCII 字符组成的密钥"},
});

// Kinds of values by their JSON names.
struct KindWords {
    std::string_view name;
    std::string_view english;
    std::string_view chinese;
};
constexpr auto kKinds = std::to_array<KindWords>({{"null", "null", "空值"},
                                                  {"boolean", "true or false", "布尔值"},
                                                  {"number", "a number", "数字"},
                                                  {"string", "a text", "文字"},
                                                  {"array", "a list", "列表"},
                                                  {"object", "an object", "对象"},
                                                  {"whole number", "a whole number", "整数"}});

std::string_view kind_in_words(std::string_view kind, Language language) {
    const auto found = std::ranges::find(kKinds, kind, &KindWords::name);
    if (found == kKinds.end()) {
        return in_words(kind, language);
    }
    return language == Language::kChinese ? found->chinese : found->english;
}

}  // namespace

std::span<const Phrase> phrases() noexcept {
    return kPhrases;
}

std::string_view in_words(std::string_view phrase, Language language) noexcept {
    if (language == Language::kEnglish) {
        return phrase;
    }
    const auto found = std::ranges::find(kPhrases, phrase, &Phrase::english);
    return found != kPhrases.end() ? found->chinese : phrase;
}

Translated translated(ErrorCode code) noexcept {
    using enum ErrorCode;
    constexpr unsigned kFirst = 1;
    constexpr unsigned kSecond = 2;
    constexpr unsigned kThird = 4;
    switch (code) {
        case kNotContainer:
            return {0, kSecond};
        case kBadField:
            return {kSecond, kThird};
        case kInitvarShape:
            return {0, kFirst};
        case kFormulaExpected:
        case kStoreFailed:
        case kCorrupt:
        case kFileUnwritable:
            return {kFirst | kSecond, 0};
        case kStoreReadOnly:
        case kNotUtf8:
        case kModelRefused:
        case kModelUnreachable:
        case kModelCutOff:
        case kModelBadAnswer:
        case kModelTimeout:
        case kNetTimeout:
        case kConnectionLost:
        case kHttpMalformed:
        case kHttpTooLarge:
            return {kFirst, 0};
        case kUrlMalformed:
        case kListenFailed:
        case kConnectFailed:
        case kTlsFailed:
            return {kSecond, 0};
        case kBadOptionValue:
            return {kThird, 0};
        case kFileUnreadable:
        case kToolIncomplete:
            return {kSecond, 0};
        case kWriteLost:
            return {kFirst | kSecond, 0};
        case kWriteUnsupported:
        case kWriteToolCall:
        case kWriteMissing:
        case kWritePrefix:
        case kWritePath:
        case kWriteValue:
            return {kFirst, 0};
        default:
            return {};
    }
}

std::string kinds_in_words(std::string_view kinds, Language language) {
    constexpr std::string_view kBetween = " / ";
    std::string out;
    while (true) {
        const std::size_t end = kinds.find(kBetween);
        out += kind_in_words(kinds.substr(0, end), language);
        if (end == std::string_view::npos) {
            return out;
        }
        kinds.remove_prefix(end + kBetween.size());
        const bool last = kinds.find(kBetween) == std::string_view::npos;
        if (language == Language::kChinese) {
            out += last ? "或" : "、";
        } else {
            out += last ? " or " : ", ";
        }
    }
}

}  // namespace arbiter::base
