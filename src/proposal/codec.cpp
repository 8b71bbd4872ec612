#include "proposal/codec.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/limits.h"
#include "proposal/operations.h"
#include "text/truncate.h"
#include "value/builder.h"

namespace arbiter::proposal {

using base::ErrorCode;
using base::Result;
using value::Array;
using value::Object;
using value::Value;

namespace {

struct Flag {
    std::string_view name;
    bool Instruction::* member;
    bool usual;
};
constexpr auto kFlagTable =
    std::to_array<Flag>({{"creates", &Instruction::creates, true},
                         {"coerces", &Instruction::coerces, false},
                         {"overwrites", &Instruction::overwrites, false},
                         {"forgiving", &Instruction::forgiving, false},
                         {"all", &Instruction::all, false},
                         {"in_save", &Instruction::in_save, false},
                         {"nulls", &Instruction::nulls, false},
                         {"dotted", &Instruction::dotted, false},
                         {"digits_name", &Instruction::digits_name, false}});

constexpr std::array<std::string_view, 4> kArithmeticWords = {"add", "subtract", "multiply",
                                                              "divide"};
constexpr std::array<std::string_view, 3> kMerges = {"options", "shallow", "deep"};
constexpr std::array<std::string_view, 5> kMounts = {"root", "mvu", "character", "status",
                                                     "assets"};
constexpr std::array<std::string_view, 3> kDescribedWords = {"numbers", "modules", "mvu"};

template <typename Enum, std::size_t kSize>
std::string_view word(Enum value, const std::array<std::string_view, kSize>& words) {
    return words[static_cast<std::size_t>(value)];
}
template <typename Enum, std::size_t kSize>
std::optional<Enum> find_word(std::string_view text,
                              const std::array<std::string_view, kSize>& words) {
    const auto found = std::ranges::find(words, text);
    return found == words.end() ? std::nullopt
                                : std::optional(static_cast<Enum>(found - words.begin()));
}

// The text of the reply at a span, truncated as in a proposal.
std::string_view text_at(std::string_view reply, Span span) {
    if (span.begin >= reply.size() || span.end <= span.begin) {
        return {};
    }
    return text::truncate(reply.substr(span.begin, span.end - span.begin), base::kRawBytesMax);
}

// Fields that the commands of one dialect usually share.
struct Style {
    Dialect dialect = Dialect::kTavern;
    MergeKind merge = MergeKind::kByOptions;
    Mount mount = Mount::kRoot;
    Described described = Described::kNumbers;
    std::array<bool, kFlagTable.size()> flags = {};
    friend bool operator==(const Style&, const Style&) = default;
};
Style style_of(const Proposal& proposal) {
    Style style;
    style.dialect = proposal.dialect;
    const Instruction* instruction = proposal.instruction();
    const Instruction usual;
    const Instruction& from = instruction != nullptr ? *instruction : usual;
    style.merge = from.merge;
    style.mount = from.mount;
    style.described = from.described;
    for (std::size_t i = 0; i < kFlagTable.size(); ++i) {
        style.flags[i] = from.*kFlagTable[i].member;
    }
    return style;
}

class Encoder {
  public:
    explicit Encoder(std::string_view reply) noexcept : reply_(reply) {}

    void add(const Proposal& proposal) {
        members_ = 0;
        const Style style = style_of(proposal);
        if (style != last_) {
            put_style(style);
            last_ = style;
        }
        if (const Instruction* instruction = proposal.instruction()) {
            put_instruction(*instruction);
        } else if (const ToolCall* call = proposal.tool_call()) {
            put("tool", call->tool);
            put("args", call->args);
            if (!call->id.empty()) {
                put("id", call->id);
            }
            if (!call->reason.empty()) {
                put("reason", call->reason);
            }
        }
        put_rest(proposal);
        CHECK(!builder_.close_object(members_));
        ++objects_;
    }
    Array take() && {
        builder_.close_array(objects_);
        return builder_.take().as_array();
    }

  private:
    // The key must outlive the object.
    void put(std::string_view key, Value value) {
        builder_.push_key(key);
        builder_.push(std::move(value));
        ++members_;
    }
    void put_style(const Style& style) {
        put("dialect", name(style.dialect));
        if (style.merge != MergeKind::kByOptions) {
            put("merge", word(style.merge, kMerges));
        }
        if (style.mount != Mount::kRoot) {
            put("mount", word(style.mount, kMounts));
        }
        if (style.described != Described::kNumbers) {
            put("described", word(style.described, kDescribedWords));
        }
        Array flags;
        for (std::size_t i = 0; i < kFlagTable.size(); ++i) {
            if (style.flags[i] != kFlagTable[i].usual) {
                flags = std::move(flags).push_back(kFlagTable[i].name);
            }
        }
        if (!flags.empty()) {
            put("flags", std::move(flags));
        }
    }
    void put_instruction(const Instruction& instruction) {
        put("op", name(instruction.op));
        put("path", value::path_to_value(instruction.path));
        if (instruction.arithmetic != Arithmetic::kAdd) {
            put("arithmetic", word(instruction.arithmetic, kArithmeticWords));
        }
        if (!instruction.from.empty()) {
            put("from", value::path_to_value(instruction.from));
        }
        if (instruction.value) {
            put("value", *instruction.value);
        }
        if (instruction.old) {
            put("old", *instruction.old);
        }
        if (instruction.key) {
            put("key", *instruction.key);
        }
        if (!instruction.options.empty()) {
            put("options", instruction.options);
        }
        if (!instruction.metadata.empty()) {
            put("metadata", instruction.metadata);
        }
        if (!instruction.reason.empty()) {
            put("reason", instruction.reason);
        }
    }
    // A name with its details.
    static Array words_of(std::string_view name, const std::vector<std::string>& details) {
        Array words = {name};
        for (const std::string& detail : details) {
            words = std::move(words).push_back(std::string_view(detail));
        }
        return words;
    }
    void put_rest(const Proposal& proposal) {
        if (!proposal.verb.empty()) {
            put("verb", std::string_view(proposal.verb));
        }
        if (proposal.batch != 0) {
            put("batch", static_cast<std::int64_t>(proposal.batch));
        }
        if (proposal.transaction) {
            put("transaction", true);
        }
        Array warned;
        for (const Warning warning : proposal.warnings.list()) {
            warned = std::move(warned).push_back(name(warning));
        }
        for (const Remark& remark : proposal.remarks) {
            warned = std::move(warned).push_back(words_of(name(remark.warning), remark.details));
        }
        if (!warned.empty()) {
            put("warnings", std::move(warned));
        }
        Array problems;
        for (const Problem& problem : proposal.problems) {
            problems = std::move(problems).push_back(words_of(name(problem.code), problem.details));
        }
        if (!problems.empty()) {
            put("problems", std::move(problems));
        }
        put("span", Array{static_cast<std::int64_t>(proposal.span.begin),
                          static_cast<std::int64_t>(proposal.span.end)});
        if (proposal.raw != text_at(reply_, proposal.span)) {
            put("raw", std::string_view(proposal.raw));
        }
    }

    std::string_view reply_;
    std::optional<Style> last_;
    value::Builder builder_;
    std::size_t members_ = 0;  // of the open object
    std::size_t objects_ = 0;
};

// The fields of a record, by name.
enum class Field : std::uint8_t {
    kArgs,
    kArithmetic,
    kBatch,
    kDescribed,
    kDialect,
    kFlags,
    kFrom,
    kId,
    kKey,
    kMerge,
    kMetadata,
    kMount,
    kOld,
    kOp,
    kOptions,
    kPath,
    kProblems,
    kRaw,
    kReason,
    kSpan,
    kTool,
    kTransaction,
    kValue,
    kVerb,
    kWarnings,
    kCount
};
constexpr std::array<std::string_view, static_cast<std::size_t>(Field::kCount)> kFields = {
    "args",        "arithmetic", "batch",    "described", "dialect", "flags", "from",
    "id",          "key",        "merge",    "metadata",  "mount",   "old",   "op",
    "options",     "path",       "problems", "raw",       "reason",  "span",  "tool",
    "transaction", "value",      "verb",     "warnings"};
static_assert(std::ranges::is_sorted(kFields));

// The members of a record by field, collected in one pass, and the first invalid one.
class Members {
  public:
    explicit Members(const Object& record) noexcept {
        for (const auto& [key, value] : record) {
            const auto place = std::ranges::lower_bound(kFields, key.view());
            if (place != kFields.end() && *place == key.view()) {
                found_[static_cast<std::size_t>(place - kFields.begin())] = &value;
            }
        }
    }

    [[nodiscard]] const Value* find(Field field) const {
        return found_[static_cast<std::size_t>(field)];
    }
    void wrong(Field field) {
        if (wrong_.empty()) {
            wrong_ = kFields[static_cast<std::size_t>(field)];
        }
    }
    [[nodiscard]] std::string_view wrong() const noexcept { return wrong_; }

    std::string_view text(Field field) {
        const Value* found = find(field);
        if (found != nullptr && !found->is_string()) {
            wrong(field);
        }
        return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
    }
    value::Str str(Field field) {
        const Value* found = find(field);
        if (found != nullptr && !found->is_string()) {
            wrong(field);
        }
        return found != nullptr && found->is_string() ? found->as_str() : value::Str();
    }
    Object object(Field field) {
        const Value* found = find(field);
        if (found != nullptr && !found->is_object()) {
            wrong(field);
        }
        return found != nullptr && found->is_object() ? found->as_object() : Object();
    }
    bool flag(Field field) {
        const Value* found = find(field);
        if (found != nullptr && !found->is_bool()) {
            wrong(field);
        }
        return found != nullptr && found->is_bool() && found->as_bool();
    }
    std::size_t number(const Value& value, Field field) {
        constexpr std::int64_t kMost = std::int64_t{1} << 40;
        if (!value.is_int() || value.as_int() < 0 || value.as_int() > kMost) {
            wrong(field);
            return 0;
        }
        return static_cast<std::size_t>(value.as_int());
    }
    value::Path path(Field field) {
        const Value* found = find(field);
        auto path = found != nullptr ? value::path_from_value(*found) : Result<value::Path>();
        if (!path) {
            wrong(field);
            return {};
        }
        return *std::move(path);
    }
    std::optional<Value> value(Field field) const {
        const Value* found = find(field);
        return found != nullptr ? std::optional(*found) : std::nullopt;
    }
    template <typename Enum, std::size_t kSize>
    Enum choose(Field field, const std::array<std::string_view, kSize>& words) {
        const auto found = find(field) == nullptr ? Enum{} : find_word<Enum>(text(field), words);
        if (!found) {
            wrong(field);
        }
        return found.value_or(Enum{});
    }
    const Array& list(Field field) {
        static const Array kEmpty;
        const Value* found = find(field);
        if (found != nullptr && !found->is_array()) {
            wrong(field);
        }
        return found != nullptr && found->is_array() ? found->as_array() : kEmpty;
    }

  private:
    std::array<const Value*, kFields.size()> found_ = {};
    std::string_view wrong_;
};

class Decoder {
  public:
    explicit Decoder(std::string_view reply) noexcept : reply_(reply) {}

    Result<Proposal> decode(const Value& record) {
        if (!record.is_object()) {
            return base::fail(ErrorCode::kRecordField, {"proposal"});
        }
        Members members(record.as_object());
        // A record without shared fields has those of the one before.
        if (members.find(Field::kDialect) != nullptr) {
            style_ = read_style(members);
        } else if (!style_) {
            members.wrong(Field::kDialect);
            style_ = Style();
        }
        Proposal proposal;
        proposal.dialect = style_->dialect;
        proposal.verb = members.text(Field::kVerb);
        if (members.find(Field::kOp) != nullptr) {
            read_instruction(members, proposal.what.emplace<Instruction>());
        } else if (members.find(Field::kTool) != nullptr) {
            proposal.what = ToolCall{members.str(Field::kId), members.str(Field::kTool),
                                     members.value(Field::kArgs).value_or(Value()),
                                     members.str(Field::kReason)};
        }
        read_rest(members, proposal);
        if (!members.wrong().empty()) {
            return base::fail(ErrorCode::kRecordField, {std::string(members.wrong())});
        }
        return proposal;
    }

  private:
    static Style read_style(Members& members) {
        Style style;
        const auto dialect = find_dialect(members.text(Field::kDialect));
        if (!dialect) {
            members.wrong(Field::kDialect);
        }
        style.dialect = dialect.value_or(Dialect::kTavern);
        style.merge = members.choose<MergeKind>(Field::kMerge, kMerges);
        style.mount = members.choose<Mount>(Field::kMount, kMounts);
        style.described = members.choose<Described>(Field::kDescribed, kDescribedWords);
        for (std::size_t i = 0; i < kFlagTable.size(); ++i) {
            style.flags[i] = kFlagTable[i].usual;
        }
        for (const Value& each : members.list(Field::kFlags)) {
            const auto flag = std::ranges::find_if(kFlagTable, [&](const Flag& row) {
                return each.is_string() && each.as_string() == row.name;
            });
            if (flag == kFlagTable.end()) {
                members.wrong(Field::kFlags);
                continue;
            }
            style.flags[static_cast<std::size_t>(flag - kFlagTable.begin())] = !flag->usual;
        }
        return style;
    }

    void read_instruction(Members& members, Instruction& instruction) const {
        const std::string_view op = members.text(Field::kOp);
        const auto row = std::ranges::find(operations(), op, &Operation::name);
        if (row == operations().end()) {
            members.wrong(Field::kOp);
            return;
        }
        instruction.op = row->op;
        instruction.path = members.path(Field::kPath);
        instruction.arithmetic = members.choose<Arithmetic>(Field::kArithmetic, kArithmeticWords);
        instruction.merge = style_->merge;
        instruction.mount = style_->mount;
        instruction.described = style_->described;
        for (std::size_t i = 0; i < kFlagTable.size(); ++i) {
            instruction.*kFlagTable[i].member = style_->flags[i];
        }
        if (members.find(Field::kFrom) != nullptr) {
            instruction.from = members.path(Field::kFrom);
        }
        instruction.value = members.value(Field::kValue);
        instruction.old = members.value(Field::kOld);
        instruction.key = members.value(Field::kKey);
        instruction.options = members.object(Field::kOptions);
        instruction.metadata = members.object(Field::kMetadata);
        instruction.reason = members.str(Field::kReason);
    }

    void read_rest(Members& members, Proposal& proposal) const {
        if (const Value* batch = members.find(Field::kBatch)) {
            proposal.batch = static_cast<std::uint32_t>(members.number(*batch, Field::kBatch));
        }
        proposal.transaction = members.flag(Field::kTransaction);
        for (const Value& each : members.list(Field::kWarnings)) {
            const bool words = is_words(each);
            const Value& named = words ? each.as_array()[0] : each;
            const auto row = std::ranges::find_if(warnings(), [&](const WarningRow& warning) {
                return named.is_string() && warning.name == named.as_string();
            });
            if (row == warnings().end()) {
                members.wrong(Field::kWarnings);
            } else if (words) {
                proposal.remarks.push_back({row->warning, details_in(each)});
            } else {
                proposal.warnings.add(row->warning);
            }
        }
        for (const Value& each : members.list(Field::kProblems)) {
            read_problem(members, each, proposal);
        }
        const Array& span = members.list(Field::kSpan);
        if (span.size() != 2) {
            members.wrong(Field::kSpan);
        } else {
            proposal.span = {members.number(span[0], Field::kSpan),
                             members.number(span[1], Field::kSpan)};
        }
        proposal.raw = members.find(Field::kRaw) != nullptr ? members.text(Field::kRaw)
                                                            : text_at(reply_, proposal.span);
    }

    // A name with its details.
    static bool is_words(const Value& record) {
        return record.is_array() && !record.as_array().empty() &&
               std::ranges::all_of(record.as_array(), &Value::is_string);
    }
    static std::vector<std::string> details_in(const Value& words) {
        std::vector<std::string> details;
        for (std::size_t i = 1; i < words.as_array().size(); ++i) {
            details.emplace_back(words.as_array()[i].as_string());
        }
        return details;
    }

    static void read_problem(Members& members, const Value& record, Proposal& proposal) {
        const bool words = is_words(record);
        const auto row = std::ranges::find_if(codes(), [&](const CodeRow& code) {
            return words && code.name == record.as_array()[0].as_string();
        });
        if (row == codes().end()) {
            members.wrong(Field::kProblems);
            return;
        }
        proposal.problems.push_back({row->code, details_in(record)});
    }

    std::string_view reply_;
    std::optional<Style> style_;
};

}  // namespace

Array encode(std::span<const Proposal> proposals, std::string_view reply) {
    Encoder encoder(reply);
    for (const Proposal& each : proposals) {
        encoder.add(each);
    }
    return std::move(encoder).take();
}

Result<std::vector<Proposal>> decode(const Array& records, std::string_view reply) {
    Decoder decoder(reply);
    std::vector<Proposal> all;
    all.reserve(records.size());
    for (const Value& each : records) {
        auto decoded = decoder.decode(each);
        if (!decoded) {
            return std::unexpected(std::move(decoded).error());
        }
        all.push_back(*std::move(decoded));
    }
    return all;
}

}  // namespace arbiter::proposal
