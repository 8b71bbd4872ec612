#include "proposal/codec.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "proposal/operations.h"

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
constexpr auto kFlags = std::to_array<Flag>({{"creates", &Instruction::creates, true},
                                             {"coerces", &Instruction::coerces, false},
                                             {"overwrites", &Instruction::overwrites, false},
                                             {"forgiving", &Instruction::forgiving, false},
                                             {"all", &Instruction::all, false},
                                             {"in_save", &Instruction::in_save, false},
                                             {"nulls", &Instruction::nulls, false},
                                             {"dotted", &Instruction::dotted, false},
                                             {"digits_name", &Instruction::digits_name, false}});

constexpr std::array<std::string_view, 4> kArithmetic = {"add", "subtract", "multiply", "divide"};
constexpr std::array<std::string_view, 3> kMerges = {"options", "shallow", "deep"};
constexpr std::array<std::string_view, 5> kMounts = {"root", "mvu", "character", "status",
                                                     "assets"};
constexpr std::array<std::string_view, 3> kDescribed = {"numbers", "modules", "mvu"};

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

Object encode(Object out, const Instruction& instruction) {
    const auto put = [&out](std::string_view key, Value value) {
        out = std::move(out).set(value::Str(key), std::move(value));
    };
    put("op", name(instruction.op));
    put("path", value::path_to_value(instruction.path));
    if (instruction.arithmetic != Arithmetic::kAdd) {
        put("arithmetic", word(instruction.arithmetic, kArithmetic));
    }
    if (instruction.merge != MergeKind::kByOptions) {
        put("merge", word(instruction.merge, kMerges));
    }
    if (instruction.mount != Mount::kRoot) {
        put("mount", word(instruction.mount, kMounts));
    }
    if (instruction.described != Described::kNumbers) {
        put("described", word(instruction.described, kDescribed));
    }
    Array flags;
    for (const Flag& flag : kFlags) {
        if (instruction.*flag.member != flag.usual) {
            flags = std::move(flags).push_back(flag.name);
        }
    }
    if (!flags.empty()) {
        put("flags", std::move(flags));
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
    return out;
}

// Members of a record, with the first that is wrong.
class Members {
  public:
    explicit Members(const Object& record) noexcept : record_(record) {}

    [[nodiscard]] const Value* find(std::string_view key) const { return record_.find(key); }
    void wrong(std::string_view key) {
        if (wrong_.empty()) {
            wrong_ = key;
        }
    }
    [[nodiscard]] const std::string& wrong() const noexcept { return wrong_; }

    std::string_view text(std::string_view key) {
        const Value* found = find(key);
        if (found != nullptr && !found->is_string()) {
            wrong(key);
        }
        return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
    }
    Object object(std::string_view key) {
        const Value* found = find(key);
        if (found != nullptr && !found->is_object()) {
            wrong(key);
        }
        return found != nullptr && found->is_object() ? found->as_object() : Object();
    }
    bool flag(std::string_view key) {
        const Value* found = find(key);
        if (found != nullptr && !found->is_bool()) {
            wrong(key);
        }
        return found != nullptr && found->is_bool() && found->as_bool();
    }
    std::size_t number(const Value& value, std::string_view key) {
        constexpr std::int64_t kMost = std::int64_t{1} << 40;
        if (!value.is_int() || value.as_int() < 0 || value.as_int() > kMost) {
            wrong(key);
            return 0;
        }
        return static_cast<std::size_t>(value.as_int());
    }
    value::Path path(std::string_view key) {
        const Value* found = find(key);
        auto path = found != nullptr ? value::path_from_value(*found) : Result<value::Path>();
        if (!path) {
            wrong(key);
            return {};
        }
        return *std::move(path);
    }
    std::optional<Value> value(std::string_view key) const {
        const Value* found = find(key);
        return found != nullptr ? std::optional(*found) : std::nullopt;
    }
    template <typename Enum, std::size_t kSize>
    void choose(std::string_view key, Enum& target,
                const std::array<std::string_view, kSize>& words) {
        if (find(key) == nullptr) {
            return;
        }
        const auto found = find_word<Enum>(text(key), words);
        if (!found) {
            wrong(key);
        }
        target = found.value_or(target);
    }
    const Array& list(std::string_view key) {
        static const Array kEmpty;
        const Value* found = find(key);
        if (found != nullptr && !found->is_array()) {
            wrong(key);
        }
        return found != nullptr && found->is_array() ? found->as_array() : kEmpty;
    }

  private:
    const Object& record_;
    std::string wrong_;
};

Instruction decode_instruction(Members& members) {
    Instruction instruction;
    const std::string_view op = members.text("op");
    const auto row = std::ranges::find(operations(), op, &Operation::name);
    if (row == operations().end()) {
        members.wrong("op");
        return instruction;
    }
    instruction.op = row->op;
    instruction.path = members.path("path");
    members.choose("arithmetic", instruction.arithmetic, kArithmetic);
    members.choose("merge", instruction.merge, kMerges);
    members.choose("mount", instruction.mount, kMounts);
    members.choose("described", instruction.described, kDescribed);
    for (const Value& each : members.list("flags")) {
        const auto flag = std::ranges::find_if(kFlags, [&](const Flag& row_of) {
            return each.is_string() && each.as_string() == row_of.name;
        });
        if (flag == kFlags.end()) {
            members.wrong("flags");
            continue;
        }
        instruction.*flag->member = !flag->usual;
    }
    if (members.find("from") != nullptr) {
        instruction.from = members.path("from");
    }
    instruction.value = members.value("value");
    instruction.old = members.value("old");
    instruction.key = members.value("key");
    instruction.options = members.object("options");
    instruction.metadata = members.object("metadata");
    instruction.reason = value::Str(members.text("reason"));
    return instruction;
}

}  // namespace

Value encode(const Proposal& proposal) {
    Object out = {{"dialect", name(proposal.dialect)}};
    const auto put = [&out](std::string_view key, Value value) {
        out = std::move(out).set(value::Str(key), std::move(value));
    };
    if (!proposal.verb.empty()) {
        put("verb", std::string_view(proposal.verb));
    }
    if (const Instruction* instruction = proposal.instruction()) {
        out = encode(std::move(out), *instruction);
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
    if (!warned.empty()) {
        put("warnings", std::move(warned));
    }
    Array problems;
    for (const Problem& problem : proposal.problems) {
        Array words = {name(problem.code)};
        for (const std::string& detail : problem.details) {
            words = std::move(words).push_back(std::string_view(detail));
        }
        problems = std::move(problems).push_back(std::move(words));
    }
    if (!problems.empty()) {
        put("problems", std::move(problems));
    }
    put("span", Array{static_cast<std::int64_t>(proposal.span.begin),
                      static_cast<std::int64_t>(proposal.span.end)});
    if (!proposal.raw.empty()) {
        put("raw", std::string_view(proposal.raw));
    }
    return out;
}

Result<Proposal> decode(const Value& record) {
    if (!record.is_object()) {
        return base::fail(ErrorCode::kRecordField, {"proposal"});
    }
    Members members(record.as_object());
    Proposal proposal;
    const auto dialect = find_dialect(members.text("dialect"));
    if (!dialect) {
        members.wrong("dialect");
    }
    proposal.dialect = dialect.value_or(Dialect::kTavern);
    proposal.verb = members.text("verb");
    if (members.find("op") != nullptr) {
        proposal.what = decode_instruction(members);
    } else if (members.find("tool") != nullptr) {
        proposal.what =
            ToolCall{value::Str(members.text("id")), value::Str(members.text("tool")),
                     members.value("args").value_or(Value()), value::Str(members.text("reason"))};
    }
    if (const Value* batch = members.find("batch")) {
        proposal.batch = static_cast<std::uint32_t>(members.number(*batch, "batch"));
    }
    proposal.transaction = members.flag("transaction");
    for (const Value& each : members.list("warnings")) {
        const auto row = std::ranges::find_if(warnings(), [&](const WarningRow& warning) {
            return each.is_string() && warning.name == each.as_string();
        });
        if (row == warnings().end()) {
            members.wrong("warnings");
        } else {
            proposal.warnings.add(row->warning);
        }
    }
    for (const Value& each : members.list("problems")) {
        const bool words = each.is_array() && !each.as_array().empty() &&
                           std::ranges::all_of(each.as_array(), &Value::is_string);
        const auto row = std::ranges::find_if(codes(), [&](const CodeRow& code) {
            return words && code.name == each.as_array()[0].as_string();
        });
        if (row == codes().end()) {
            members.wrong("problems");
            continue;
        }
        Problem problem{row->code, {}};
        for (std::size_t i = 1; i < each.as_array().size(); ++i) {
            problem.details.emplace_back(each.as_array()[i].as_string());
        }
        proposal.problems.push_back(std::move(problem));
    }
    const Array& span = members.list("span");
    if (span.size() != 2) {
        members.wrong("span");
    } else {
        proposal.span = {members.number(span[0], "span"), members.number(span[1], "span")};
    }
    proposal.raw = members.text("raw");
    if (!members.wrong().empty()) {
        return base::fail(ErrorCode::kRecordField, {members.wrong()});
    }
    return proposal;
}

}  // namespace arbiter::proposal
