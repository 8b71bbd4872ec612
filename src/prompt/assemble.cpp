#include "prompt/assemble.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/limits.h"
#include "prompt/internal/budget.h"
#include "prompt/summary.h"
#include "text/truncate.h"

namespace arbiter::prompt {

using internal::Item;

namespace {

// Headings of parts that the model would not recognise.
struct Heading {
    Kind kind;
    std::string_view english;
    std::string_view chinese;
};
constexpr auto kHeadings = std::to_array<Heading>({
    {Kind::kPins, "# Never to be forgotten", "# 不可遗忘"},
    {Kind::kLongMemory, "# Long memories", "# 长期记忆"},
    {Kind::kShortMemory, "# Recent memories", "# 近期记忆"},
    {Kind::kFacts, "# Settled facts", "# 已确定的事实"},
    {Kind::kState, "# State", "# 当前状态"},
});
std::string_view heading_of(const Block& block, base::Language language) {
    if (!block.heading.empty() || block.kind == Kind::kHistory) {
        return block.heading;
    }
    const auto found = std::ranges::find(kHeadings, block.kind, &Heading::kind);
    if (found == kHeadings.end()) {
        return "";
    }
    return language == base::Language::kEnglish ? found->english : found->chinese;
}

// Adjacent blocks of one part and one role are joined to one message.
std::size_t part_of(const Block& block) {
    switch (block.target) {
        case Target::kSystemStart:
        case Target::kBeforeCharacter:
        case Target::kCharacter:
        case Target::kAfterCharacter:
        case Target::kSystemEnd:
            return 0;
        case Target::kExamplesStart:
        case Target::kExamples:
        case Target::kExamplesEnd:
            return 1;
        case Target::kBeforeHistory:
            return 2;
        case Target::kHistory:
            return 3;
        case Target::kAfterHistory:
        case Target::kCount:
            return 4;
        case Target::kDepth:
            return 5 + block.depth;
    }
    return 0;
}

class Assembler {
  public:
    explicit Assembler(AssemblyInputs inputs)
        : in_(std::move(inputs)), world_(std::move(in_.world)) {
        world_.document = &in_.document;
        world_.history = in_.history;
        world_.context_tokens = in_.plan.context_tokens;
        if (in_.lore != nullptr) {
            world_.entry = [lore = in_.lore](std::string_view book, std::string_view title) {
                return lore->content_of(book, title);
            };
        }
        out_.plan = in_.plan.name;
        out_.context = in_.context;
        out_.room = in_.plan.room();
        out_.tool_tokens = in_.plan.tool_tokens;
        out_.notices = in_.notices;
    }

    Assembly run() {
        add_lore();
        add_pieces();
        add_made();
        drop_repeated();
        expand();
        for (Item& item : items_) {
            limit(item);
        }
        std::erase_if(items_, [](const Item& item) { return item.block.text.empty(); });
        place();
        add_history();
        internal::keep_to_budget(items_, in_.plan, in_.count, in_.cache, out_);
        begin_with_the_user();
        lay_out();
        measure_prefix();
        std::ranges::sort(out_.omitted, [](const Omitted& a, const Omitted& b) {
            if (a.id != b.id) {
                return is_before(a.id, b.id);
            }
            return std::tie(a.kind, a.why.reason) < std::tie(b.kind, b.why.reason);
        });
        out_.variables = std::move(world_.local);
        out_.global_variables = std::move(world_.global);
        return std::move(out_);
    }

  private:
    void omit(const Block& block, Why why) {
        out_.omitted.push_back({block.id, block.kind, block.source, 0, std::move(why)});
    }
    [[nodiscard]] bool wants(Kind kind) const {
        return in_.plan.contains(kind) &&
               (in_.context != Context::kMinimal || internal::is_minimal(kind));
    }
    void add(Block block) {
        if (!wants(block.kind)) {
            omit(block, {Reason::kNotInPlan, {in_.plan.name, std::string(name(block.kind))}});
        } else if (block.text.find_first_not_of(" \t\r\n") == std::string::npos) {
            omit(block, {Reason::kEmpty, {}});
        } else {
            items_.push_back({std::move(block)});
        }
    }
    // The player's own limit on the characters of a block.
    void limit(Item& item) {
        const value::Value* most = in_.block_limits.find(item.block.id);
        most = most != nullptr ? most : in_.block_limits.find(name(item.block.kind));
        if (most == nullptr || !most->is_int() || most->as_int() < 0) {
            return;
        }
        const auto characters = static_cast<std::size_t>(most->as_int());
        if (characters == 0) {
            omit(item.block, {Reason::kTrimmed, {std::to_string(in_.count(item.block.text)), "0"}});
            item.block.text.clear();
            return;
        }
        const std::string_view text = item.block.text;
        const std::string_view kept = text::truncate_characters(text, characters);
        if (kept.size() == text.size()) {
            return;
        }
        const std::size_t before = in_.count(text);
        item.block.text = std::string(kept) + "…";
        item.block.tokens = 0;
        item.notes.push_back(
            {Reason::kTrimmed,
             {std::to_string(before), std::to_string(in_.count(item.block.text))}});
    }

    void add_lore() {
        if (in_.lore == nullptr) {
            return;
        }
        const LoreScan scan{
            in_.document,    in_.history, world_, in_.count, in_.plan.budget_of(Kind::kLore),
            in_.lists_silent};
        LoreResult found = in_.lore->activate(scan);
        for (Block& block : found.blocks) {
            add(std::move(block));
        }
        for (LoreOut& each : found.out) {
            out_.omitted.push_back({std::move(each.id), each.kind, std::move(each.source),
                                    each.tokens, std::move(each.why)});
        }
        out_.silent_lore = found.silent;
        out_.unknown_macros = std::move(found.unknown);
    }
    void add_pieces() {
        for (Block& block : in_.pieces) {
            // Only messages may be inside the history.
            if (block.target == Target::kHistory || block.target == Target::kCount) {
                block.target = Target::kAfterHistory;
            }
            add(std::move(block));
        }
    }
    // Tokens left for the state after the state blocks that were handed in.
    [[nodiscard]] std::size_t state_room() const {
        std::size_t room = in_.plan.budget_of(Kind::kState);
        if (room == 0) {
            return kUnlimited;
        }
        for (const Item& item : items_) {
            room -=
                item.block.kind == Kind::kState ? std::min(room, in_.count(item.block.text)) : 0;
        }
        return room;
    }
    void add_made() {
        const auto take = [this](MemoryBlocks made) {
            for (Block& block : made.blocks) {
                add(std::move(block));
            }
            for (MemoryOut& each : made.out) {
                out_.omitted.push_back({std::move(each.id), each.kind, std::move(each.source), 0,
                                        std::move(each.why)});
            }
        };
        take(memory_blocks(in_.document, in_.plan, in_.history));
        take(state_blocks(in_.document, in_.plan, in_.context, state_room(), in_.count, in_.cache));
    }

    // Sorts places first: an item is too large to be moved more than once.
    template <typename Less>
    void sort_by(Less less) {
        std::vector<Item*> order;
        order.reserve(items_.size());
        for (Item& item : items_) {
            order.push_back(&item);
        }
        std::ranges::sort(order, [&](const Item* a, const Item* b) { return less(*a, *b); });
        std::vector<Item> sorted;
        sorted.reserve(items_.size());
        for (Item* item : order) {
            sorted.push_back(std::move(*item));
        }
        items_ = std::move(sorted);
    }

    // Of blocks with the same id the one with the highest priority is kept.
    void drop_repeated() {
        sort_by([](const Item& a, const Item& b) {
            const Block& x = a.block;
            const Block& y = b.block;
            if (x.id != y.id) {
                return is_before(x.id, y.id);
            }
            return std::tuple(-x.priority, x.target, x.depth, x.kind, x.role, x.source, x.text) <
                   std::tuple(-y.priority, y.target, y.depth, y.kind, y.role, y.source, y.text);
        });
        std::vector<Item> kept;
        kept.reserve(items_.size());
        for (Item& item : items_) {
            if (!kept.empty() && kept.back().block.id == item.block.id) {
                omit(item.block, {Reason::kRepeated, {item.block.id}});
            } else {
                kept.push_back(std::move(item));
            }
        }
        items_ = std::move(kept);
    }

    // In prompt order, so that a text sees the variables of earlier ones.
    void expand() {
        sort_items();
        for (Item& item : items_) {
            if (!item.block.macros) {
                continue;
            }
            Expanded expanded = expand_macros(item.block.text, world_, item.block.id);
            item.block.text = std::move(expanded.text);
            if (expanded.failure ||
                item.block.text.find_first_not_of(" \t\r\n") == std::string::npos) {
                omit(item.block, expanded.failure.value_or(Why{Reason::kEmpty}));
                item.block.text.clear();
            }
            item.block.tokens = 0;
            item.block.cacheable &= expanded.stable;
            if (expanded.limited) {
                out_.notices.push_back({Reason::kMacroLimit, {item.block.id}});
            }
            for (std::string& each : expanded.unknown) {
                if (std::ranges::find(out_.unknown_macros, each) == out_.unknown_macros.end()) {
                    out_.unknown_macros.push_back(std::move(each));
                }
            }
        }
        std::erase_if(items_, [](const Item& item) { return item.block.text.empty(); });
    }

    // Blocks of one depth are one message for each role: the system's is the last, as in
    // SillyTavern.
    static int role_order(const Block& block) {
        if (block.target != Target::kDepth) {
            return 0;
        }
        return block.role == Role::kAssistant ? 0 : block.role == Role::kUser ? 1 : 2;
    }

    void sort_items() {
        sort_by([](const Item& a, const Item& b) {
            const Block& x = a.block;
            const Block& y = b.block;
            // Greater depths come first.
            const auto key = [](const Item& item) {
                return std::tuple(item.block.target, -static_cast<std::int64_t>(item.block.depth),
                                  role_order(item.block), item.first_target, item.block.priority,
                                  item.block.order);
            };
            return key(a) != key(b) ? key(a) < key(b) : is_before(x.id, y.id);
        });
    }

    // Volatile blocks go after the history, whose end moves with every turn.
    void place() {
        for (Item& item : items_) {
            Block& block = item.block;
            item.first_target = block.target;
            if (in_.plan.volatile_late && !block.cacheable && block.target < Target::kHistory) {
                block.target = Target::kDepth;
                block.depth = in_.plan.late_depth;
                item.notes.push_back({Reason::kMovedLate, {}});
            }
            if (block.target != Target::kDepth) {
                block.depth = 0;
            }
            block.depth = std::min<std::size_t>(block.depth, 1'000'000);
            block.cacheable &= block.target < Target::kHistory;
        }
        sort_items();
    }

    // From the newest back while they fit, so the cost does not depend on the length of the story.
    void add_history() {
        const std::size_t size = in_.history.size();
        const std::size_t room = in_.plan.room();
        const std::size_t recent =
            std::min(size, std::max<std::size_t>(1, in_.plan.recent_messages));
        const std::size_t most = history_max(recent);
        std::size_t sum = 0;
        std::size_t first = size;
        while (first > size - most &&
               (room == 0 || sum <= room || size - first < std::min(recent, most))) {
            --first;
            const Message& said = in_.history[first];
            said_.push_back(is_counted(said) ? said.tokens : in_.count(said.content));
            sum += said_.back();
        }
        if (first > 0) {
            const bool fits_not = size - first < most;
            const Why why = fits_not ? Why{Reason::kOverTotal, {std::to_string(room), "2"}}
                                     : Why{Reason::kNotInPlan, {plan_and_context(), "history"}};
            out_.omitted.push_back(
                {internal::history_id(0, first - 1), Kind::kHistory, "", 0, why});
        }
        items_.reserve(items_.size() + size - first + 1);  // and history:start
        for (std::size_t i = first; i < size; ++i) {
            Item& item = items_.emplace_back();
            item.block.id = internal::history_id(i, i);
            item.block.kind = Kind::kHistory;
            item.block.target = Target::kHistory;
            item.block.role = in_.history[i].role;
            item.block.priority = static_cast<std::int64_t>(i);
            item.block.why.reason = i + 1 == size ? Reason::kNewest : Reason::kHistory;
            item.said = in_.history[i].content;
            item.tokens = said_[size - 1 - i];
            item.first_target = Target::kHistory;
        }
    }
    // Some interfaces refuse a conversation that begins with the model. A greeting keeps its place
    // after a message of ours; a reply whose question was dropped is dropped too.
    void begin_with_the_user() {
        const auto is_history = [](const Item& item) {
            return item.block.kind == Kind::kHistory && !item.is_dropped;
        };
        auto first = std::ranges::find_if(items_, is_history);
        auto left = std::ranges::count_if(items_, is_history);
        while (left > 1 && first->block.role == Role::kAssistant && first->block.priority > 0) {
            out_.omitted.push_back(
                {first->block.id, Kind::kHistory, "", first->tokens, {Reason::kNoQuestion, {}}});
            first->is_dropped = true;
            first = std::find_if(first, items_.end(), is_history);
            --left;
        }
        if (first == items_.end() || first->block.role != Role::kAssistant) {
            return;
        }
        Item start;
        start.block.id = "history:start";
        start.block.kind = Kind::kHistory;
        start.block.target = Target::kHistory;
        start.block.role = Role::kUser;
        start.block.priority = -1;
        start.block.why = {Reason::kStart, {}};
        start.said = in_.plan.language == base::Language::kEnglish ? "(Begin.)" : "（开始。）";
        start.tokens = in_.count(start.said);
        start.first_target = Target::kHistory;
        items_.insert(first, std::move(start));
    }
    // Messages that the plan and the context mode allow; the newest always is.
    [[nodiscard]] std::size_t history_max(std::size_t recent) const {
        if (!wants(Kind::kHistory)) {
            return std::min<std::size_t>(in_.history.size(), 1);
        }
        switch (in_.context) {
            case Context::kFull:
                return in_.history.size();
            case Context::kCompress:
                return std::max(recent, uncovered_messages());
            case Context::kMinimal:
                return recent;
        }
        return recent;
    }
    // Messages of the newest turns that no summary covers, with the new one of the player.
    [[nodiscard]] std::size_t uncovered_messages() const {
        std::size_t turns = 0;
        std::size_t messages = 0;
        for (auto said = in_.history.rbegin(); said != in_.history.rend(); ++said) {
            if (turns == in_.uncovered_turns && messages > 0) {
                break;
            }
            ++messages;
            turns += said->begins_turn;
        }
        return messages;
    }
    // Stored counts are those of the usual rates.
    [[nodiscard]] bool is_counted(const Message& said) const {
        return said.tokens != 0 && !in_.count.exact && in_.count.rates == text::TokenRates();
    }
    // The plan and its context mode, as reasons show them.
    [[nodiscard]] std::string plan_and_context() const {
        switch (in_.context) {
            case Context::kFull:
                return in_.plan.name;
            case Context::kCompress:
                return in_.plan.name + " (compress)";
            case Context::kMinimal:
                return in_.plan.name + " (minimal)";
        }
        return in_.plan.name;
    }

    // Orders the blocks, those at a depth between the history messages, and joins them to messages.
    void lay_out() {
        std::vector<Item*> order;
        order.reserve(items_.size());
        std::vector<Item*> deep;
        std::vector<Item*> said;
        std::vector<Item*> after;
        for (Item& item : items_) {
            if (item.is_dropped) {
                continue;
            }
            if (item.block.target == Target::kHistory) {
                said.push_back(&item);
            } else if (item.block.target == Target::kDepth) {
                deep.push_back(&item);
            } else if (item.block.target == Target::kAfterHistory) {
                after.push_back(&item);
            } else {
                order.push_back(&item);
            }
        }
        std::size_t next = 0;
        for (std::size_t i = 0; i < said.size();) {
            // A block inside a run of one role goes before it: the run becomes one message.
            std::size_t end = i + 1;
            while (end < said.size() && said[end]->block.role == said[i]->block.role) {
                ++end;
            }
            while (next < deep.size() && deep[next]->block.depth > said.size() - end) {
                order.push_back(deep[next++]);
            }
            for (; i < end; ++i) {
                order.push_back(said[i]);
            }
        }
        order.insert(order.end(), deep.begin() + static_cast<std::ptrdiff_t>(next), deep.end());
        order.insert(order.end(), after.begin(), after.end());
        out_.blocks.reserve(order.size());
        out_.messages.reserve(order.size());
        std::size_t bytes = 0;  // of the texts that are joined
        for (const Item* item : order) {
            bytes +=
                item->is_said() ? 0 : item->block.text.size() + item->block.heading.size() + 16;
        }
        draft_.reserve(bytes);
        const Item* before = nullptr;
        for (Item* item : order) {
            write(*item, before);
            before = item;
        }
        end_message();
        for (const Message& message : out_.messages) {
            out_.bytes += message.content.size();
        }
        out_.tokens += out_.messages.size() * internal::kMessageTokens + out_.heading_tokens +
                       out_.tool_tokens;
    }

    void write(Item& item, const Item* before) {
        const Block& block = item.block;
        // Room for the heading and the line ends around the text.
        constexpr std::size_t kTextBytesMax = base::kStringBytesMax - 256;
        const std::string_view text = text::truncate(item.text(), kTextBytesMax);
        const bool joins = before != nullptr && before->block.role == block.role &&
                           part_of(before->block) == part_of(block) &&
                           open_size() + text.size() <= kTextBytesMax;
        if (joins && draft_.empty()) {
            draft_ = out_.messages.back().content;  // of a shared message
        }
        if (!joins) {
            end_message();
            out_.messages.push_back({block.role, {}});
        }
        std::string& content = draft_;
        const std::string_view heading = heading_of(block, in_.plan.language);
        const bool same = joins && !heading.empty() && heading == heading_;
        if (joins) {
            content += same ? "\n" : "\n\n";
            ++out_.heading_tokens;
        }
        if (!same && !heading.empty()) {
            content += heading;
            content += '\n';
            out_.heading_tokens += in_.count(heading) + 1;
        }
        heading_ = heading;
        Placed& placed = out_.blocks.emplace_back();
        placed.message = out_.messages.size() - 1;
        placed.offset = content.size();
        placed.size = text.size();
        if (item.is_said() && content.empty() && text.size() == item.said.size()) {
            out_.messages.back().content = item.said;
        } else {
            content += text;
        }
        placed.tokens = item.tokens;
        placed.notes = std::move(item.notes);
        out_.tokens += item.tokens;
        item.block.text.clear();
        placed.block = std::move(item.block);
    }

    // Bytes of the message that blocks are being joined to.
    [[nodiscard]] std::size_t open_size() const {
        return draft_.empty() ? out_.messages.back().content.size() : draft_.size();
    }

    void end_message() {
        if (!draft_.empty()) {
            out_.messages.back().content = value::Str(draft_);
            draft_.clear();
        }
    }

    void measure_prefix() {
        std::size_t message = 0;
        std::size_t end = 0;
        for (const Placed& placed : out_.blocks) {
            if (!placed.block.cacheable) {
                break;
            }
            message = placed.message;
            end = placed.offset + placed.size;
        }
        if (end == 0) {
            return;
        }
        for (std::size_t i = 0; i < message; ++i) {
            out_.cacheable_bytes += out_.messages[i].content.size();
        }
        out_.cacheable_bytes += end;
        out_.cacheable_messages = message + (end == out_.messages[message].content.size() ? 1 : 0);
    }

    AssemblyInputs in_;
    MacroWorld world_;
    Assembly out_;
    std::string heading_;  // of the block before
    std::string draft_;    // content of the last message while blocks are joined to it
    std::vector<Item> items_;
    std::vector<std::size_t> said_;  // tokens of messages, the newest first
};

}  // namespace

Assembly assemble(AssemblyInputs inputs) {
    return Assembler(std::move(inputs)).run();
}

}  // namespace arbiter::prompt
