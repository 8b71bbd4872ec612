#include "card/regex_script.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/explain.h"
#include "base/limits.h"
#include "card/card_text.h"
#include "text/ascii.h"
#include "text/regex.h"
#include "text/regex_match.h"
#include "value/array.h"

namespace arbiter::card {

using base::ErrorCode;
using value::Value;
using Fate = ImportNote::Fate;

namespace {

constexpr std::size_t kNowhere = std::string_view::npos;
constexpr std::int64_t kUserPlacement = 1;
constexpr std::int64_t kCharacterPlacement = 2;

const Value* member(const Value& object, std::string_view key) {
    return object.is_object() ? object.as_object().find(key) : nullptr;
}
std::string text_at(const Value& object, std::string_view key) {
    const Value* found = member(object, key);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}
bool flag_at(const Value& object, std::string_view key) {
    const Value* found = member(object, key);
    return found != nullptr && found->is_bool() && found->as_bool();
}
std::optional<std::int64_t> number_at(const Value& object, std::string_view key) {
    const Value* found = member(object, key);
    return found != nullptr && found->is_int() ? std::optional(found->as_int()) : std::nullopt;
}

RegexScript script_from(const Value& written) {
    RegexScript script;
    script.name = text_at(written, "scriptName");
    script.find = text_at(written, "findRegex");
    script.replace = text_at(written, "replaceString");
    script.is_disabled = flag_at(written, "disabled");
    script.display_only = flag_at(written, "markdownOnly");
    script.prompt_only = flag_at(written, "promptOnly");
    // Negative limits mean none.
    const auto depth = [&](std::string_view key) {
        const auto found = number_at(written, key);
        return found && *found >= 0 ? found : std::nullopt;
    };
    script.min_depth = depth("minDepth");
    script.max_depth = depth("maxDepth");
    const std::int64_t macros =
        flag_at(written, "substituteRegex") ? 1 : number_at(written, "substituteRegex").value_or(0);
    script.macros = macros == 1   ? RegexScript::Macros::kRaw
                    : macros == 2 ? RegexScript::Macros::kEscaped
                                  : RegexScript::Macros::kNone;
    if (const Value* trims = member(written, "trimStrings"); trims && trims->is_array()) {
        for (const Value& each : trims->as_array()) {
            if (each.is_string() && script.trims.size() < base::kCardRegexesMax) {
                script.trims.emplace_back(each.as_string());
            }
        }
    }
    if (const Value* places = member(written, "placement"); places && places->is_array()) {
        for (const Value& each : places->as_array()) {
            script.for_user |= each.is_int() && each.as_int() == kUserPlacement;
            script.for_character |= each.is_int() && each.as_int() == kCharacterPlacement;
        }
    }
    return script;
}

// ---- patterns

struct Written {
    std::string pattern;
    std::string flags;
};
// /pattern/flags; any other text is a pattern without flags.
Written split_pattern(std::string_view find) {
    const std::size_t last = find.rfind('/');
    if (!find.starts_with('/') || last == 0) {
        return {std::string(find), ""};
    }
    const std::string_view flags = find.substr(last + 1);
    if (!std::ranges::all_of(flags, [](char c) { return c >= 'a' && c <= 'z'; })) {
        return {std::string(find), ""};
    }
    return {std::string(find.substr(1, last - 1)), std::string(flags)};
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (std::string_view("\\^$.*+?()[]{}|/").contains(c)) {
            out += '\\';
        }
        out += c;
    }
    return out;
}

struct Pattern {
    text::Regex regex;
    bool is_global;
};
base::Result<Pattern> compile(const RegexScript& script, const Replacements::Expand& expand) {
    std::string find = script.find;
    if (script.macros == RegexScript::Macros::kRaw) {
        find = expand(find);
    } else if (script.macros == RegexScript::Macros::kEscaped) {
        // Only the values of macros are escaped, not the pattern around them.
        std::string out;
        std::string_view rest = find;
        while (!rest.empty()) {
            const std::size_t open = std::min(rest.find("{{"), rest.size());
            const std::size_t close = rest.find("}}", open);
            const std::size_t end = close == kNowhere ? rest.size() : close + 2;
            out += rest.substr(0, open);
            if (close == kNowhere) {
                out += rest.substr(open);
            } else {
                const std::string_view macro = rest.substr(open, end - open);
                const std::string value = expand(macro);
                out += value == macro ? value : escaped(value);
            }
            rest.remove_prefix(end);
        }
        find = std::move(out);
    }
    const Written written = split_pattern(find);
    text::RegexOptions options{.captures = true};
    options.is_lenient = !written.flags.contains('u');
    bool is_global = false;
    for (const char flag : written.flags) {
        switch (flag) {
            case 'g':
                is_global = true;
                break;
            case 'i':
                options.ignores_case = true;
                break;
            case 'm':
                options.multiline = true;
                break;
            case 's':
                options.dot_all = true;
                break;
            case 'u':
            case 'd':
                break;
            default:
                return base::fail(ErrorCode::kRegexUnsupported, {"/…/" + std::string(1, flag)});
        }
    }
    auto regex = text::Regex::compile(written.pattern, options);
    if (!regex) {
        return std::unexpected(std::move(regex).error());
    }
    return Pattern{*std::move(regex), is_global};
}

// ---- replacements

enum class Markup : std::uint8_t { kNone, kTags, kPage };

// Elements that style text; others (such as <status>) may be marks of the card's own.
bool is_html(std::string_view name) {
    constexpr auto kNames = std::to_array<std::string_view>(
        {"a",      "abbr", "audio",   "b",       "big",   "blockquote", "br",    "button",
         "center", "code", "del",     "details", "div",   "em",         "font",  "h1",
         "h2",     "h3",   "h4",      "h5",      "h6",    "hr",         "i",     "img",
         "input",  "kbd",  "label",   "li",      "mark",  "ol",         "p",     "pre",
         "q",      "rp",   "rt",      "ruby",    "s",     "section",    "small", "span",
         "strong", "sub",  "summary", "sup",     "table", "tbody",      "td",    "th",
         "thead",  "tr",   "u",       "ul",      "video"});
    return std::ranges::any_of(
        kNames, [&](std::string_view each) { return equals_ignoring_case(each, name); });
}

// The HTML tag or comment that begins at `at`; empty: none. <名>, <status> and <3 are text.
std::string_view tag_at(std::string_view text, std::size_t at) {
    // Longer ones are text: so a search for their end stays cheap.
    constexpr std::size_t kTagBytesMax = 1024;
    constexpr std::size_t kTagNameMax = 16;
    const std::string_view rest = text.substr(at, kTagBytesMax);
    if (rest.starts_with("<!--")) {
        const std::size_t end = rest.find("-->");
        return end == kNowhere ? "" : rest.substr(0, end + 3);
    }
    const std::size_t name = rest.starts_with("</") ? 2 : 1;
    const std::string_view head = rest.substr(0, kTagNameMax);
    const std::size_t name_end = std::min(head.find_first_of(" \t\r\n/>", name), head.size());
    if (!rest.starts_with('<') || !is_html(rest.substr(name, name_end - name))) {
        return "";
    }
    const std::size_t end = rest.find('>', name_end);
    return end == kNowhere ? "" : rest.substr(0, end + 1);
}

Markup markup_of(std::string_view text) {
    for (const std::string_view sign : {"```html", "<script", "<style", "<!doctype", "<html",
                                        "<head", "<body", "<iframe", "<svg", "<canvas"}) {
        if (find_ignoring_case(text, sign) != kNowhere) {
            return Markup::kPage;
        }
    }
    for (std::size_t at = text.find('<'); at != kNowhere; at = text.find('<', at + 1)) {
        if (!tag_at(text, at).empty()) {
            return Markup::kTags;
        }
    }
    return Markup::kNone;
}

// The text of a styled replacement: without its tags; <br> and the ends of blocks end a line.
std::string without_tags(std::string_view text) {
    constexpr auto kEnding = std::to_array<std::string_view>(
        {"<br", "<hr", "</p", "</div", "</li", "</tr", "</summary", "</h"});
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view tag = text[at] == '<' ? tag_at(text, at) : "";
        if (tag.empty()) {
            out += text[at++];
            continue;
        }
        const bool ends_line = std::ranges::any_of(kEnding, [&](std::string_view each) {
            return equals_ignoring_case(tag.substr(0, each.size()), each);
        });
        if (ends_line && !out.empty() && !out.ends_with('\n')) {
            out += '\n';
        }
        at += tag.size();
    }
    return out;
}

// A replacement: texts, and the groups between them.
struct Piece {
    std::string text;
    std::size_t group = kNowhere;
};
std::vector<Piece> pieces_of(std::string_view replace, const text::Regex& regex,
                             const Replacements::Expand& expand) {
    constexpr std::string_view kMatch = "{{match}}";
    std::vector<Piece> pieces;
    std::string held;
    const auto push = [&](std::size_t group) {
        if (!held.empty()) {
            pieces.push_back({expand(held)});
            held.clear();
        }
        if (group != kNowhere) {
            pieces.push_back({"", group});
        }
    };
    for (std::size_t at = 0; at < replace.size();) {
        const std::string_view rest = replace.substr(at);
        if (equals_ignoring_case(rest.substr(0, kMatch.size()), kMatch)) {
            push(0);
            at += kMatch.size();
        } else if (rest.size() > 1 && rest[0] == '$' && text::is_digit(rest[1])) {
            std::size_t number = 0;
            for (++at; at < replace.size() && text::is_digit(replace[at]); ++at) {
                number = std::min<std::size_t>(
                    number * 10 + static_cast<std::size_t>(replace[at] - '0'), 10'000);
            }
            push(number);
        } else if (rest.starts_with("$<") && rest.contains('>')) {
            const std::size_t end = rest.find('>');
            const std::size_t group = text::group_number(regex, rest.substr(2, end - 2));
            push(group != 0 ? group : 10'000);  // an unknown group is empty
            at += end + 1;
        } else {
            held += replace[at++];
        }
    }
    push(kNowhere);
    return pieces;
}

std::string without(std::string text, const std::vector<std::string>& trims) {
    for (const std::string& trim : trims) {
        std::string out;
        std::size_t at = 0;
        for (std::size_t next = text.find(trim); next != kNowhere; next = text.find(trim, at)) {
            out.append(text, at, next - at);
            at = next + trim.size();
        }
        text = out + text.substr(at);
    }
    return text;
}

bool is_blank(std::string_view text) {
    return trimmed(text).empty();
}

}  // namespace

std::vector<RegexScript> regex_scripts(const Card& card) {
    std::vector<RegexScript> scripts;
    const Value* list = card.extensions.find("regex_scripts");
    if (list != nullptr && list->is_array()) {
        for (const Value& each : list->as_array()) {
            if (each.is_object()) {
                scripts.push_back(script_from(each));
            }
        }
    }
    return scripts;
}

struct Replacements::Compiled {
    RegexScript script;
    Pattern pattern;
    std::vector<Piece> pieces;
    std::vector<std::string> trims;
    Markup markup;

    [[nodiscard]] bool is_for(Side side, Speaker speaker) const noexcept {
        const bool by_side = side == Side::kDisplay ? !script.prompt_only || script.display_only
                                                    : !script.display_only || script.prompt_only;
        // A page of a browser is not sent to the model, unless it is meant for it alone.
        const bool sends = side == Side::kDisplay || markup != Markup::kPage || script.prompt_only;
        return by_side && sends &&
               (speaker == Speaker::kUser ? script.for_user : script.for_character);
    }
    [[nodiscard]] bool is_for(const ReplacedText& what) const noexcept {
        const auto depth = static_cast<std::int64_t>(what.depth);
        return is_for(what.side, what.speaker) && depth >= script.min_depth.value_or(0) &&
               depth <= script.max_depth.value_or(INT64_MAX);
    }

    [[nodiscard]] std::string replacement(std::string_view text, const text::Match& match) const {
        std::string out;
        for (const Piece& piece : pieces) {
            if (out.size() > base::kReplacedBytesMax) {
                break;
            }
            if (piece.group == kNowhere) {
                out += piece.text;
            } else if (piece.group < match.size() && match[piece.group].has_matched()) {
                const text::Span& span = match[piece.group];
                out += without(std::string(text.substr(span.begin, span.end - span.begin)), trims);
            }
        }
        return out;
    }

    [[nodiscard]] std::string apply(std::string_view text, Side side) const {
        const auto matches = text::find_all(pattern.regex, text, pattern.is_global ? kNowhere : 1);
        std::string out;
        std::size_t at = 0;
        for (const text::Match& match : matches) {
            std::string put;
            if (side == Side::kPrompt || markup == Markup::kNone) {
                put = replacement(text, match);
            } else if (markup == Markup::kTags) {
                put = without_tags(replacement(text, match));
            }
            if (out.size() + put.size() + text.size() > base::kReplacedBytesMax) {
                break;
            }
            out += text.substr(at, match[0].begin - at);
            out += put;
            at = match[0].end;
        }
        out += text.substr(at);
        // A page that would show the whole message: without a browser the message itself is shown.
        const bool is_lost = side == Side::kDisplay && markup == Markup::kPage && is_blank(out);
        return is_lost ? std::string(text) : out;
    }
};

Replacements::Replacements() = default;

Replacements::Replacements(const Card& card, const Expand& expand) {
    for (RegexScript& script : regex_scripts(card)) {
        if (script.is_disabled || script.find.empty() || scripts_.size() == base::kCardRegexesMax) {
            continue;
        }
        auto pattern = compile(script, expand);
        if (!pattern) {
            continue;
        }
        Compiled made{std::move(script), *std::move(pattern), {}, {}, Markup::kNone};
        made.pieces = pieces_of(made.script.replace, made.pattern.regex, expand);
        made.markup = markup_of(made.script.replace);
        for (const std::string& trim : made.script.trims) {
            if (std::string expanded = expand(trim); !expanded.empty()) {
                made.trims.push_back(std::move(expanded));
            }
        }
        scripts_.push_back(std::make_shared<const Compiled>(std::move(made)));
    }
}

bool Replacements::has_any(Side side, Speaker speaker) const noexcept {
    return std::ranges::any_of(scripts_,
                               [&](const auto& each) { return each->is_for(side, speaker); });
}

std::string Replacements::apply(std::string_view text, const ReplacedText& what) const {
    std::string now(text);
    for (const auto& script : scripts_) {
        if (script->is_for(what)) {
            now = script->apply(now, what.side);
        }
    }
    return now;
}

namespace {

base::Text sides_of(const RegexScript& script, bool hides) {
    const bool display = !script.prompt_only || script.display_only;
    const bool prompt = !script.display_only || script.prompt_only;
    if (display && prompt) {
        return hides ? base::Text{"hides its matches from the player and from the model",
                                  "对玩家和模型隐藏所匹配的内容"}
                     : base::Text{"changes the text for the player and for the model",
                                  "改写玩家和模型看到的文字"};
    }
    if (display) {
        return hides ? base::Text{"hides its matches from the player", "对玩家隐藏所匹配的内容"}
                     : base::Text{"changes the text for the player", "改写玩家看到的文字"};
    }
    return hides ? base::Text{"hides its matches from the model", "对模型隐藏所匹配的内容"}
                 : base::Text{"changes the text for the model", "改写模型看到的文字"};
}

// Blocks that the reader hides from the player and the model without any script.
bool is_hidden_anyway(std::string_view find) {
    return std::ranges::any_of(
        std::to_array<std::string_view>({"<update", "<variableupdate", "<StatusPlaceHolderImpl",
                                         "<think", "<initvar", "<json_?patch", "<jsonpatch"}),
        [&](std::string_view tag) { return find_ignoring_case(find, tag) != kNowhere; });
}

ImportNote note_of(const RegexScript& script, std::size_t applied) {
    ImportNote note{Fate::kIgnored, "regex", script.name, {}};
    if (script.is_disabled) {
        note.reason = {"the card has it switched off", "卡内已停用"};
    } else if (script.find.empty()) {
        note.reason = {"it has no pattern", "没有填写正则表达式"};
    } else if (!script.for_user && !script.for_character) {
        note.reason = {"it is for commands, lore or reasoning only, which are not replaced here",
                       "只用于斜杠命令、世界书或思维链，这里不作替换"};
    } else if (applied >= base::kCardRegexesMax) {
        const std::string most = std::to_string(base::kCardRegexesMax);
        note.reason = {"only the first " + most + " scripts are applied",
                       "只应用前 " + most + " 个脚本"};
    } else if (const auto pattern =
                   compile(script, [](std::string_view text) { return std::string(text); });
               !pattern && is_hidden_anyway(script.find)) {
        note.fate = Fate::kChanged;
        note.reason = {
            "the pattern is not searched for; updates, thoughts and status marks are "
            "hidden without it",
            "不使用这个正则表达式；变量更新、思维链和状态栏标记本来就会隐藏"};
    } else if (!pattern) {
        note.reason = {base::explain(pattern.error(), base::Language::kEnglish),
                       base::explain(pattern.error(), base::Language::kChinese)};
    } else {
        const Markup markup =
            script.prompt_only && !script.display_only ? Markup::kNone : markup_of(script.replace);
        note.fate = markup == Markup::kNone ? Fate::kApplied : Fate::kChanged;
        note.reason = markup == Markup::kPage
                          ? base::Text{"its replacement is a page for a browser, so its matches are "
                                       "hidden from the player",
                                       "替换内容是浏览器页面，因此只对玩家隐藏所匹配的内容"}
                      : markup == Markup::kTags
                          ? base::Text{"the HTML tags of its replacement are left out for the player",
                                       "对玩家省去替换内容中的 HTML 标签"}
                          : sides_of(script, is_blank(script.replace));
    }
    return note;
}

}  // namespace

std::vector<ImportNote> regex_notes(const Card& card) {
    std::vector<ImportNote> notes;
    std::size_t applied = 0;
    for (const RegexScript& script : regex_scripts(card)) {
        notes.push_back(note_of(script, applied));
        applied += notes.back().fate == Fate::kIgnored ? 0 : 1;
    }
    return notes;
}

}  // namespace arbiter::card
