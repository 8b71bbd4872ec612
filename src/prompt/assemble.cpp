#include "prompt/assemble.h"

#include <algorithm>
#include <deque>
#include <tuple>

#include "base/limits.h"
#include "prompt/internal/budget.h"
#include "prompt/internal/history.h"
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
    if (!block.heading.empty()) {
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
        for (Item* item : items_) {
            limit(*item);
        }
        drop_empty();
        place();
        add_history();
        internal::keep_to_budget(items_, history_, in_, out_);
        internal::begin_with_the_user(history_, out_);
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
            items_.push_back(&store_.emplace_back(std::move(block)));
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
        for (const Item* item : items_) {
            room -=
                item->block.kind == Kind::kState ? std::min(room, in_.count(item->block.text)) : 0;
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

    template <typename Less>
    void sort_by(Less less) {
        std::ranges::sort(items_, [&](const Item* a, const Item* b) { return less(*a, *b); });
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
        std::vector<Item*> kept;
        kept.reserve(items_.size());
        for (Item* item : items_) {
            if (!kept.empty() && kept.back()->block.id == item->block.id) {
                omit(item->block, {Reason::kRepeated, {item->block.id}});
            } else {
                kept.push_back(item);
            }
        }
        items_ = std::move(kept);
    }

    // In prompt order, so that a text sees the variables of earlier ones.
    void expand() {
        sort_items();
        for (Item* item : items_) {
            if (item->block.macros) {
                expand(item->block);
            }
        }
        drop_empty();
    }
    void expand(Block& block) {
        Expanded expanded = expand_macros(block.text, world_, block.id);
        block.text = std::move(expanded.text);
        if (expanded.failure || block.text.find_first_not_of(" \t\r\n") == std::string::npos) {
            omit(block, expanded.failure.value_or(Why{Reason::kEmpty}));
            block.text.clear();
        }
        block.tokens = 0;
        block.cacheable &= expanded.stable;
        if (expanded.limited) {
            out_.notices.push_back({Reason::kMacroLimit, {block.id}});
        }
        for (std::string& each : expanded.unknown) {
            if (std::ranges::find(out_.unknown_macros, each) == out_.unknown_macros.end()) {
                out_.unknown_macros.push_back(std::move(each));
            }
        }
    }
    void drop_empty() {
        std::erase_if(items_, [](const Item* item) { return item->block.text.empty(); });
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
        for (Item* item : items_) {
            Block& block = item->block;
            item->first_target = block.target;
            if (in_.plan.volatile_late && !block.cacheable && block.target < Target::kHistory) {
                block.target = Target::kDepth;
                block.depth = in_.plan.late_depth;
                item->notes.push_back({Reason::kMovedLate, {}});
            }
            if (block.target != Target::kDepth) {
                block.depth = 0;
            }
            block.depth = std::min<std::size_t>(block.depth, 1'000'000);
            block.cacheable &= block.target < Target::kHistory;
        }
        sort_items();
    }

    void add_history() {
        const std::size_t size = in_.history.size();
        const std::size_t most = history_max();
        history_ = internal::take_history(in_, most);
        const std::size_t first = size - history_.said.size();
        if (first > 0) {
            const bool fits_not = size - first < most;
            const Why why = fits_not
                                ? Why{Reason::kOverTotal, {std::to_string(in_.plan.room()), "2"}}
                                : Why{Reason::kNotInPlan, {plan_and_context(), "history"}};
            out_.omitted.push_back(
                {internal::history_id(0, first - 1), Kind::kHistory, "", 0, why});
        }
    }
    // Messages that the plan and the context mode allow; the newest always is.
    [[nodiscard]] std::size_t history_max() const {
        const std::size_t recent =
            std::min(in_.history.size(), std::max<std::size_t>(1, in_.plan.recent_messages));
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

    // Joins the blocks to messages, those at a depth between the messages of the history.
    void lay_out() {
        std::vector<Item*> deep;
        std::vector<Item*> after;
        std::size_t bytes = 0;  // of the texts that are joined
        for (const Item* item : items_) {
            bytes += item->block.text.size() + item->block.heading.size() + 16;
        }
        draft_.reserve(bytes);
        const std::size_t messages = history_.left().size() + items_.size() + 1;
        out_.messages.reserve(messages);
        out_.said.reserve(history_.left().size() + 1);
        out_.blocks.reserve(items_.size());
        for (Item* item : items_) {
            if (item->is_dropped) {
                continue;
            }
            if (item->block.target == Target::kDepth) {
                deep.push_back(item);
            } else if (item->block.target == Target::kAfterHistory) {
                after.push_back(item);
            } else {
                write(*item);
            }
        }
        write_history(deep);
        for (Item* item : after) {
            write(*item);
        }
        end_message();
        for (const Message& message : out_.messages) {
            out_.bytes += message.content.size();
        }
        out_.tokens += out_.messages.size() * internal::kMessageTokens + out_.heading_tokens +
                       out_.tool_tokens;
    }

    void write_history(const std::vector<Item*>& deep) {
        const std::span<const internal::SaidMessage> left = history_.left();
        Message start;
        if (history_.begins_with_us) {
            start.content =
                in_.plan.language == base::Language::kEnglish ? "(Begin.)" : "（开始。）";
        }
        std::size_t next = 0;
        const auto write_deep = [&](std::size_t messages_behind) {
            while (next < deep.size() && deep[next]->block.depth > messages_behind) {
                write(*deep[next++]);
            }
        };
        if (history_.begins_with_us) {
            write_deep(left.size());
            write(start, {.why = Reason::kStart, .tokens = in_.count(start.content)});
        }
        for (std::size_t i = 0; i < left.size();) {
            // A block inside a run of one role goes before it: the run becomes one message.
            std::size_t end = i + 1;
            while (end < left.size() && left[end].message->role == left[i].message->role) {
                ++end;
            }
            write_deep(left.size() - end);
            for (; i < end; ++i) {
                const bool is_newest = left[i].number + 1 == in_.history.size();
                write(*left[i].message, {.number = left[i].number,
                                         .why = is_newest ? Reason::kNewest : Reason::kHistory,
                                         .tokens = left[i].tokens});
            }
        }
        for (; next < deep.size(); ++next) {
            write(*deep[next]);
        }
    }

    // The place of a text in the messages.
    struct Place {
        std::size_t message;
        std::size_t offset;
    };
    // The message of a role that the next text of a part goes to, with a line end if it has one
    // already, and the heading.
    Place open_message(Role role, std::size_t part, std::size_t bytes, std::string_view heading) {
        const bool joins = !out_.messages.empty() && out_.messages.back().role == role &&
                           part_ == part && open_size() + bytes <= kTextBytesMax;
        if (joins && draft_.empty()) {
            draft_ = out_.messages.back().content;  // of a shared message
        }
        if (!joins) {
            end_message();
            out_.messages.emplace_back().role = role;
        }
        part_ = part;
        const bool same = joins && !heading.empty() && heading == heading_;
        if (joins) {
            draft_ += same ? "\n" : "\n\n";
            ++out_.heading_tokens;
        }
        if (!same && !heading.empty()) {
            draft_ += heading;
            draft_ += '\n';
            out_.heading_tokens += in_.count(heading) + 1;
        }
        if (heading_ != heading) {
            heading_ = heading;
        }
        return {out_.messages.size() - 1, draft_.size()};
    }
    void close_text(Place place, std::size_t size, std::size_t tokens, bool is_cacheable) {
        out_.tokens += tokens;
        is_prefix_ = is_prefix_ && is_cacheable;
        if (is_prefix_) {
            prefix_end_ = {place.message, place.offset + size};
        }
    }

    void write(Item& item) {
        Block& block = item.block;
        const std::string_view text = text::truncate(block.text, kTextBytesMax);
        const Place place = open_message(block.role, part_of(block), text.size(),
                                         heading_of(block, in_.plan.language));
        draft_ += text;
        close_text(place, text.size(), item.tokens, block.cacheable);
        Placed& placed = out_.blocks.emplace_back();
        placed.message = place.message;
        placed.offset = place.offset;
        placed.size = text.size();
        placed.tokens = item.tokens;
        placed.notes = std::move(item.notes);
        block.text.clear();
        placed.block = std::move(block);
    }

    // The content of a message is shared as long as nothing joins it.
    void write(const Message& message, PlacedMessage placed) {
        constexpr std::size_t kPart = 3;
        const std::string_view text = text::truncate(message.content, kTextBytesMax);
        const Place place = open_message(message.role, kPart, text.size(), {});
        if (place.offset == 0 && text.size() == message.content.size()) {
            out_.messages.back().content = message.content;
        } else {
            draft_ += text;
        }
        close_text(place, text.size(), placed.tokens, true);
        placed.role = message.role;
        placed.message = place.message;
        placed.offset = place.offset;
        placed.size = text.size();
        out_.said.push_back(placed);
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
        const auto [message, end] = prefix_end_;
        if (end == 0) {
            return;
        }
        for (std::size_t i = 0; i < message; ++i) {
            out_.cacheable_bytes += out_.messages[i].content.size();
        }
        out_.cacheable_bytes += end;
        out_.cacheable_messages = message + (end == out_.messages[message].content.size() ? 1 : 0);
    }

    // Room for the heading and the line ends around a text.
    static constexpr std::size_t kTextBytesMax = base::kStringBytesMax - 256;

    AssemblyInputs in_;
    MacroWorld world_;
    Assembly out_;
    std::string heading_;    // of the text before
    std::size_t part_ = 0;   // of the text before
    std::string draft_;      // content of the last message while texts are joined to it
    bool is_prefix_ = true;  // everything so far stays the same next turn
    Place prefix_end_ = {0, 0};
    std::deque<Item> store_;    // not moved: items are large
    std::vector<Item*> items_;  // those that are left, in order
    internal::History history_;
};

}  // namespace

Assembly assemble(AssemblyInputs inputs) {
    return Assembler(std::move(inputs)).run();
}

}  // namespace arbiter::prompt
