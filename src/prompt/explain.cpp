#include "prompt/explain.h"

#include <algorithm>
#include <utility>

#include "prompt/internal/budget.h"
#include "prompt/internal/history.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::prompt {

using base::Language;
using value::Array;
using value::Object;
using value::Value;

namespace {

std::string_view word(Context context) {
    switch (context) {
        case Context::kFull:
            return "full";
        case Context::kCompress:
            return "compress";
        case Context::kMinimal:
            return "minimal";
    }
    return "";
}

Value number(std::size_t count) {
    return Value(static_cast<std::int64_t>(count));
}

// In whole per cent.
std::size_t share_of(const Assembly& assembly) {
    return assembly.bytes == 0 ? 0 : assembly.cacheable_bytes * 100 / assembly.bytes;
}

Value why_value(const Why& why) {
    Array words;
    for (const std::string& each : why.words) {
        words = std::move(words).push_back(std::string_view(each));
    }
    return Object{{"code", name(why.reason)},
                  {"words", words},
                  {"en", std::string_view(explain(why, Language::kEnglish))},
                  {"zh", std::string_view(explain(why, Language::kChinese))}};
}
Value whys_value(const std::vector<Why>& whys) {
    Array all;
    for (const Why& why : whys) {
        all = std::move(all).push_back(why_value(why));
    }
    return all;
}

Value block_value(const Placed& placed) {
    const Block& block = placed.block;
    Object object{{"id", std::string_view(block.id)},
                  {"kind", name(block.kind)},
                  {"target", name(block.target)}};
    if (block.target == Target::kDepth) {
        object = std::move(object).set("depth", number(block.depth));
    }
    object = std::move(object).set("role", name(block.role));
    object = std::move(object).set("priority", block.priority);
    object = std::move(object).set("tokens", number(placed.tokens));
    object = std::move(object).set("cacheable", block.cacheable);
    if (!block.source.empty()) {
        object = std::move(object).set("source", std::string_view(block.source));
    }
    object = std::move(object).set("why", why_value(block.why));
    if (!placed.notes.empty()) {
        object = std::move(object).set("notes", whys_value(placed.notes));
    }
    return std::move(object).set("message", number(placed.message));
}

// Texts of variable length come after the columns of numbers.
void append_row(std::string& out, std::size_t tokens, std::string_view id, std::string_view about) {
    std::string count = std::to_string(tokens);
    count.insert(0, count.size() < 6 ? 6 - count.size() : 0, ' ');
    out += count + "  ";
    out += id;
    out += " — ";
    out += about;
    out += '\n';
}

Placed block_of(const PlacedMessage& said) {
    const bool is_start = said.why == Reason::kStart;
    Placed placed;
    placed.block.id = is_start ? "history:start" : internal::history_id(said.number, said.number);
    placed.block.kind = Kind::kHistory;
    placed.block.target = Target::kHistory;
    placed.block.role = said.role;
    placed.block.priority = is_start ? -1 : static_cast<std::int64_t>(said.number);
    placed.block.why.reason = said.why;
    placed.tokens = said.tokens;
    placed.message = said.message;
    placed.offset = said.offset;
    placed.size = said.size;
    return placed;
}

void sort_by_place(std::vector<Placed>& blocks) {
    std::ranges::sort(blocks, {},
                      [](const Placed& each) { return std::pair(each.message, each.offset); });
}

}  // namespace

std::vector<Placed> listed_blocks(const Assembly& assembly) {
    std::vector<Placed> all = assembly.blocks;
    std::ranges::transform(assembly.said, std::back_inserter(all), block_of);
    sort_by_place(all);
    return all;
}

std::string explain(const Assembly& assembly, Language language) {
    const bool english = language == Language::kEnglish;
    const auto say = [english](std::string_view en, std::string_view zh) {
        return std::string(english ? en : zh);
    };
    std::string out = say("plan ", "提示词方案 ") + assembly.plan + " · " +
                      std::string(word(assembly.context)) + " · " +
                      std::to_string(assembly.tokens) + say(" tokens", " 个 token");
    if (assembly.room != 0) {
        out += say(" of ", " / ") + std::to_string(assembly.room);
    }
    out += " · " + std::to_string(assembly.bytes) + say(" bytes", " 字节") + " · " +
           say("the first ", "开头 ") + std::to_string(assembly.cacheable_bytes) +
           say(" bytes stay the same (", " 字节保持不变（") + std::to_string(share_of(assembly)) +
           say("%)\n", "%）\n");
    out += say("\nin the prompt\n", "\n已放入\n");
    for (const Placed& placed : listed_blocks(assembly)) {
        std::string about = explain(placed.block.why, language);
        for (const Why& note : placed.notes) {
            about += say("; ", "；") + explain(note, language);
        }
        if (!placed.block.source.empty()) {
            about += " (" + placed.block.source + ")";
        }
        append_row(
            out, placed.tokens,
            placed.block.id + " @ " + std::string(name(placed.block.target)) +
                (placed.block.target == Target::kDepth ? " " + std::to_string(placed.block.depth)
                                                       : ""),
            about);
    }
    if (assembly.tool_tokens > 0) {
        append_row(out, assembly.tool_tokens, say("tools", "工具"),
                   say("schemas beside the messages", "随消息一同发送的工具结构"));
    }
    if (!assembly.omitted.empty() || assembly.silent_lore > 0) {
        out += say("\nleft out\n", "\n未放入\n");
    }
    for (const Omitted& each : assembly.omitted) {
        append_row(out, each.tokens, each.id, explain(each.why, language));
    }
    if (assembly.silent_lore > 0) {
        out += std::to_string(assembly.silent_lore) + say(assembly.silent_lore == 1
                                                              ? " lore entry not triggered\n"
                                                              : " lore entries not triggered\n",
                                                          " 条世界书条目未触发\n");
    }
    for (const Why& notice : assembly.notices) {
        out += "! " + explain(notice, language) + "\n";
    }
    for (const base::Text& remark : assembly.remarks) {
        out += "! " + std::string(remark.in(language)) + "\n";
    }
    for (const std::string& macro : assembly.unknown_macros) {
        out += "! " + say("unknown macro ", "未知的宏 ") + macro + "\n";
    }
    return out;
}

void list_client_messages(Assembly& assembly, const text::TokenCounter& count) {
    std::vector<bool> has_block(assembly.messages.size());
    std::size_t stable = 0;  // messages before the player's last and before what changes
    for (std::size_t i = 0; i < assembly.messages.size(); ++i) {
        stable = assembly.messages[i].role == Role::kUser ? i : stable;
    }
    assembly.tokens = assembly.tool_tokens + assembly.heading_tokens;
    for (const Placed& each : assembly.blocks) {
        has_block[each.message] = true;
        assembly.tokens += each.tokens;
        stable = each.block.cacheable ? stable : std::min(stable, each.message);
    }
    assembly.cacheable_messages = stable;
    assembly.cacheable_bytes = 0;
    assembly.bytes = 0;
    std::size_t own = 0;
    for (std::size_t i = 0; i < assembly.messages.size(); ++i) {
        const Message& message = assembly.messages[i];
        assembly.tokens += internal::kMessageTokens;
        assembly.bytes += message.content.size();
        assembly.cacheable_bytes += i < stable ? message.content.size() : 0;
        if (has_block[i]) {
            continue;
        }
        Placed placed;
        placed.block.id = "client:" + std::to_string(++own);
        placed.block.kind = Kind::kHistory;
        placed.block.target = Target::kDepth;
        placed.block.depth = assembly.messages.size() - 1 - i;
        placed.block.role = message.role;
        placed.block.why.reason = Reason::kClient;
        placed.block.cacheable = i < stable;
        placed.tokens = count(message.content);
        placed.message = i;
        placed.size = message.content.size();
        assembly.tokens += placed.tokens;
        assembly.blocks.push_back(std::move(placed));
    }
    sort_by_place(assembly.blocks);
}

std::string plain_text(const Assembly& assembly) {
    std::string out;
    for (const Message& message : assembly.messages) {
        out += "--- " + std::string(name(message.role)) + "\n" + std::string(message.content) +
               (message.content.view().ends_with('\n') ? "" : "\n");
    }
    return out;
}

Value messages_value(const Assembly& assembly) {
    Array messages;
    for (const Message& message : assembly.messages) {
        messages = std::move(messages).push_back(
            Object{{"role", name(message.role)}, {"content", std::string_view(message.content)}});
    }
    return messages;
}

Value explained(const Assembly& assembly) {
    Array blocks;
    for (const Placed& placed : listed_blocks(assembly)) {
        blocks = std::move(blocks).push_back(block_value(placed));
    }
    Array omitted;
    for (const Omitted& each : assembly.omitted) {
        Object object{{"id", std::string_view(each.id)}, {"kind", name(each.kind)}};
        if (!each.source.empty()) {
            object = std::move(object).set("source", std::string_view(each.source));
        }
        if (each.tokens != 0) {
            object = std::move(object).set("tokens", number(each.tokens));
        }
        omitted = std::move(omitted).push_back(std::move(object).set("why", why_value(each.why)));
    }
    Array unknown;
    for (const std::string& each : assembly.unknown_macros) {
        unknown = std::move(unknown).push_back(std::string_view(each));
    }
    Array remarks;
    for (const base::Text& each : assembly.remarks) {
        remarks = std::move(remarks).push_back(
            Object{{"en", std::string_view(each.english)}, {"zh", std::string_view(each.chinese)}});
    }
    return Object{{"plan", std::string_view(assembly.plan)},
                  {"context", word(assembly.context)},
                  {"tokens", number(assembly.tokens)},
                  {"heading_tokens", number(assembly.heading_tokens)},
                  {"tool_tokens", number(assembly.tool_tokens)},
                  {"room", number(assembly.room)},
                  {"bytes", number(assembly.bytes)},
                  {"cacheable", Object{{"bytes", number(assembly.cacheable_bytes)},
                                       {"messages", number(assembly.cacheable_messages)},
                                       {"percent", number(share_of(assembly))}}},
                  {"messages", messages_value(assembly)},
                  {"blocks", blocks},
                  {"omitted", omitted},
                  {"silent_lore", number(assembly.silent_lore)},
                  {"unknown_macros", unknown},
                  {"notices", whys_value(assembly.notices)},
                  {"remarks", remarks}};
}

}  // namespace arbiter::prompt
