#include "card/internal/zod_reader.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/limits.h"
#include "card/internal/script_syntax.h"
#include "card/internal/zod_function.h"
#include "text/truncate.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::card::internal {
namespace {

using Kind = Syntax::Kind;
using value::Value;

constexpr std::string_view kRegister = "registerMvuSchema";
constexpr std::size_t kSourceMax = 60;

const base::TextView kDynamic = {"only a program could work it out", "只有运行程序才能算出结果"};
const base::TextView kNoLimit = {"there is no such limit here", "这里没有这种限制"};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

class Reader {
  public:
    explicit Reader(const Script& script) : script_(script) {}

    ZodReading run() {
        ZodReading reading;
        if (script_.cut) {
            remark(
                {}, kRegister,
                {"the script is too long or too deep to be read", "脚本过长或嵌套过深，无法读取"});
        }
        for (const Syntax& call : script_.calls) {
            if (call.parts.size() > 1) {
                ZodNode node = schema(returned(call.parts[1]));
                if (node.object && !reading.root) {
                    reading.root = std::make_shared<const ZodNode>(std::move(node));
                }
            }
        }
        reading.remarks = std::move(remarks_);
        return reading;
    }

  private:
    // The result of a function without parameters, otherwise the expression itself.
    static const Syntax& returned(const Syntax& node) {
        return node.kind == Kind::kFunction && node.names.empty() ? node.parts[0] : node;
    }
    void remark(const Syntax& node, std::string_view source, base::TextView reason,
                bool ignored = true) {
        const auto same = [&](const ZodRemark& each) {
            return each.line == node.line && each.source == source;
        };
        if (remarks_.size() >= base::kSchemaNotesMax || std::ranges::any_of(remarks_, same)) {
            return;
        }
        std::string place;
        for (const std::string_view key : place_) {
            place += (place.empty() ? "" : ".") + std::string(key);
        }
        remarks_.push_back({node.line,
                            std::move(place),
                            std::string(text::truncate(source, kSourceMax)),
                            ignored,
                            {std::string(reason.english), std::string(reason.chinese)}});
    }

    // The expression that a name stands for.
    const Syntax* meaning(std::string_view name) const {
        for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
            if (const auto found = scope->find(name); found != scope->end()) {
                return found->second;
            }
        }
        const auto found = script_.names.find(name);
        return found == script_.names.end() ? nullptr : &found->second;
    }
    const Syntax& resolved(const Syntax& node) const {
        const Syntax* at = &node;
        for (int hops = 0; at->kind == Kind::kName && hops < 8; ++hops) {
            const Syntax* next = meaning(at->text);
            if (next == nullptr || next == at) {
                break;
            }
            at = next;
        }
        return *at;
    }

    // ---- schemas

    ZodNode schema(const Syntax& written) {
        if (level_ >= base::kScriptDepthMax || ++steps_ > base::kSchemaStepsMax) {
            remark(written, written.source,
                   {"it refers to itself or is too deep", "引用了自身或嵌套过深"});
            return {};
        }
        ++level_;
        ZodNode node = schema_of(resolved(written));
        --level_;
        return node;
    }
    ZodNode schema_of(const Syntax& node) {
        if (node.kind != Kind::kCall) {
            remark(node, node.source, kDynamic);
            return {};
        }
        const Syntax& callee = node.parts[0];
        if (callee.kind == Kind::kName) {
            return helper(node, resolved(callee));
        }
        if (callee.kind != Kind::kMember) {
            remark(node, node.source, kDynamic);
            return {};
        }
        const Syntax& of = callee.parts[0];
        const bool is_z = of.kind == Kind::kName && (of.text == "z" || of.text == "zod");
        const bool coerces = of.kind == Kind::kMember && of.text == "coerce" &&
                             of.parts[0].kind == Kind::kName && of.parts[0].text == "z";
        if (is_z || coerces) {
            ZodNode made = constructed(node, callee.text);
            made.coerces = coerces;
            return made;
        }
        ZodNode made = schema(of);
        method(made, node, callee);
        return made;
    }
    // A call of a function of the script that returns a schema.
    ZodNode helper(const Syntax& call, const Syntax& function) {
        if (function.kind != Kind::kFunction || function.parts[0].kind == Kind::kOpaque) {
            remark(call, call.source, kDynamic);
            return {};
        }
        std::map<std::string, const Syntax*, std::less<>> scope;
        for (std::size_t i = 0; i < function.names.size(); ++i) {
            if (i + 1 < call.parts.size()) {
                scope[function.names[i]] = &resolved(call.parts[i + 1]);
            }
        }
        scopes_.push_back(std::move(scope));
        ZodNode made = schema(function.parts[0]);
        scopes_.pop_back();
        return made;
    }

    static const Syntax* argument(const Syntax& call, std::size_t index = 0) {
        return index + 1 < call.parts.size() ? &call.parts[index + 1] : nullptr;
    }
    ZodNode schema_in(const Syntax& call, std::size_t index) {
        const Syntax* written = argument(call, index);
        return written != nullptr ? schema(returned(*written)) : ZodNode();
    }
    ZodNode schema_at(const Syntax& written, std::string_view key) {
        place_.push_back(key);
        ZodNode node = schema(written);
        place_.pop_back();
        return node;
    }

    ZodNode constructed(const Syntax& call, std::string_view name) {
        ZodNode node;
        if (name == "number") {
            node.number = true;
        } else if (is_one_of(name, {"int", "int32", "uint32", "bigint"})) {
            node.number = node.whole = true;
        } else if (name == "string") {
            node.text = true;
        } else if (name == "boolean") {
            node.flag = true;
        } else if (is_one_of(name, {"object", "looseObject", "strictObject"})) {
            node.object = true;
            node.open = name == "looseObject";
            if (const Syntax* shape = argument(call)) {
                add_members(node, *shape);
            }
        } else if (is_one_of(name, {"record", "partialRecord"})) {
            record(node, call);
        } else if (is_one_of(name, {"array", "set"})) {
            node.list = true;
            element(node, call, 0);
        } else if (name == "tuple") {
            node.list = true;
        } else if (is_one_of(name, {"enum", "nativeEnum", "literal"})) {
            choices(node, call);
        } else if (is_one_of(name, {"union", "discriminatedUnion"})) {
            unite_all(node, call, name == "union" ? 0 : 1);
        } else if (is_one_of(name, {"optional", "nullable", "nullish"})) {
            node = schema_in(call, 0);
            node.optional = node.optional || name != "nullable";
            node.null = node.null || name != "optional";
        } else if (name == "null") {
            node.null = true;
        } else if (name == "intersection") {
            node = schema_in(call, 0);
            extend(node, schema_in(call, 1));
        } else if (name == "lazy") {
            node = schema_in(call, 0);
        } else if (name == "preprocess") {
            remark(call, "z.preprocess", kDynamic);
            node = schema_in(call, 1);
        } else if (is_one_of(name, {"any", "unknown"})) {
            node.optional = true;
        } else if (is_one_of(name, {"templateLiteral", "email", "url", "uuid", "date", "stringbool",
                                    "custom", "instanceof"})) {
            remark(call, "z." + std::string(name), kNoLimit);
        } else {
            remark(call, "z." + std::string(name), kNoLimit);
        }
        return node;
    }
    void add_members(ZodNode& node, const Syntax& written) {
        const Syntax& shape = resolved(written);
        if (shape.kind == Kind::kMember && shape.text == "shape") {
            extend(node, schema(shape.parts[0]));
            return;
        }
        if (shape.kind != Kind::kObject) {
            remark(shape, shape.source, kDynamic);
            node.open = true;
            return;
        }
        for (std::size_t i = 0; i < shape.names.size(); ++i) {
            const Syntax& part = shape.parts[i];
            if (!shape.names[i].empty() || part.kind != Kind::kSpread) {
                if (shape.names[i].empty()) {
                    remark(part, part.source, kDynamic);
                    node.open = true;
                } else {
                    add_member(node, shape.names[i], schema_at(part, shape.names[i]));
                }
                continue;
            }
            if (level_ >= base::kScriptDepthMax || ++steps_ > base::kSchemaStepsMax) {
                continue;
            }
            ++level_;
            add_members(node, part.parts[0]);
            --level_;
        }
    }
    static void add_member(ZodNode& node, const std::string& key, ZodNode member) {
        auto made = std::make_shared<const ZodNode>(std::move(member));
        const auto old =
            std::ranges::find(node.members, key, &decltype(node.members)::value_type::first);
        if (old != node.members.end()) {
            old->second = std::move(made);
        } else {
            node.members.emplace_back(key, std::move(made));
        }
    }
    static void extend(ZodNode& node, const ZodNode& other) {
        node.object = node.object || other.object;
        for (const auto& [key, member] : other.members) {
            add_member(node, key, *member);
        }
        node.open = node.open && other.open;
    }
    void element(ZodNode& node, const Syntax& call, std::size_t index) {
        if (const Syntax* written = argument(call, index)) {
            node.element = std::make_shared<const ZodNode>(schema_at(returned(*written), "*"));
        }
    }
    void record(ZodNode& node, const Syntax& call) {
        node.object = true;
        const bool keyed = call.parts.size() > 2;
        if (keyed) {
            for (const Value& key : schema_in(call, 0).choices) {
                if (key.is_string()) {
                    node.keys.emplace_back(key.as_string());
                }
            }
        }
        element(node, call, keyed ? 1 : 0);
    }
    void choices(ZodNode& node, const Syntax& call) {
        const Syntax* written = argument(call);
        const auto value = written != nullptr ? literal(*written) : std::nullopt;
        if (!value) {
            remark(call, call.source, kDynamic);
        } else if (value->is_array()) {
            node.choices.assign(value->as_array().begin(), value->as_array().end());
        } else if (value->is_object()) {
            for (const auto& [key, each] : value->as_object()) {
                node.choices.push_back(each);
            }
        } else {
            node.choices.push_back(*value);
        }
        std::erase_if(node.choices, [&](const Value& each) {
            node.null = node.null || each.is_null();
            return each.is_null();
        });
    }
    void unite_all(ZodNode& node, const Syntax& call, std::size_t index) {
        const Syntax* written = argument(call, index);
        const Syntax& list = written != nullptr ? resolved(*written) : call;
        if (list.kind != Kind::kList || list.parts.empty()) {
            remark(call, call.source, kDynamic);
            return;
        }
        node = schema(list.parts[0]);
        for (std::size_t i = 1; i < list.parts.size(); ++i) {
            unite(node, schema(list.parts[i]), call);
        }
    }
    // One of two schemas. Only choices and plain types can be united.
    void unite(ZodNode& node, const ZodNode& other, const Syntax& call) {
        const bool only_null = other.null && other.is_any() && other.choices.empty();
        if (only_null) {
            node.null = true;
            return;
        }
        if (!node.choices.empty() && !other.choices.empty()) {
            node.choices.insert(node.choices.end(), other.choices.begin(), other.choices.end());
            node.null = node.null || other.null;
            return;
        }
        const bool plain = node.choices.empty() && other.choices.empty() && !node.is_any() &&
                           !other.is_any() && !node.object && !other.object && !node.list &&
                           !other.list;
        if (!plain || node.min || node.max || other.min || other.max) {
            remark(call, call.source,
                   {"a choice between different schemas", "在不同结构之间任选其一"});
            node = {.open = true};
            return;
        }
        node.number = node.number || other.number;
        node.text = node.text || other.text;
        node.flag = node.flag || other.flag;
        node.null = node.null || other.null;
        node.whole = node.whole && other.whole;
        node.coerces = false;
    }

    // ---- the methods of a chain

    void method(ZodNode& node, const Syntax& call, const Syntax& callee) {
        const std::string_view name = callee.text;
        const std::string source = "." + std::string(name) + "(…)";
        if (is_one_of(name, {"describe", "meta", "brand", "readonly", "register", "strip", "finite",
                             "safe", "nonoptional"})) {
            return;
        }
        if (is_one_of(name, {"optional", "nullable", "nullish"})) {
            node.optional = node.optional || name != "nullable";
            node.null = node.null || name != "optional";
        } else if (is_one_of(name, {"default", "prefault", "catch"})) {
            preset(node, call, callee, name);
        } else if (is_one_of(name, {"min", "max", "gte", "lte", "gt", "lt", "positive", "negative",
                                    "nonnegative", "nonpositive"})) {
            bound(node, call, callee, name);
        } else if (name == "int") {
            node.whole = true;
        } else if (is_one_of(name, {"transform", "overwrite"})) {
            transform(node, call, callee);
        } else if (is_one_of(name, {"extend", "safeExtend"})) {
            if (const Syntax* shape = argument(call)) {
                add_members(node, *shape);
            }
        } else if (is_one_of(name, {"merge", "and"})) {
            extend(node, schema_in(call, 0));
        } else if (is_one_of(name, {"passthrough", "loose", "catchall"})) {
            node.open = true;
        } else if (name == "strict") {
            node.open = false;
        } else if (name == "partial") {
            partial(node);
        } else if (name == "or") {
            unite(node, schema_in(call, 0), call);
        } else if (name == "array") {
            ZodNode list;
            list.list = true;
            list.element = std::make_shared<const ZodNode>(std::move(node));
            node = std::move(list);
        } else if (name == "pipe") {
            const ZodNode next = schema_in(call, 0);
            node = next.is_any() && next.choices.empty() ? node : next;
        } else if (is_one_of(name, {"refine", "superRefine", "check"})) {
            remark(callee, source, kDynamic);
        } else {
            remark(callee, source, kNoLimit);
        }
    }
    static void partial(ZodNode& node) {
        for (auto& [key, member] : node.members) {
            ZodNode changed = *member;
            changed.optional = true;
            member = std::make_shared<const ZodNode>(std::move(changed));
        }
    }
    void preset(ZodNode& node, const Syntax& call, const Syntax& callee, std::string_view name) {
        const Syntax* written = argument(call);
        const auto value = written != nullptr ? literal(returned(*written)) : std::nullopt;
        if (!value) {
            remark(callee, "." + std::string(name) + "(…)", kDynamic);
            return;
        }
        node.preset = value;
        node.parses_preset = name == "prefault";
        if (name == "catch") {
            remark(callee, ".catch(…)",
                   {"a wrong value is refused instead of replaced; a missing one is filled in",
                    "不符合的值会被拒绝，而不是替换；缺失的值会补上"},
                   false);
        }
    }
    void bound(ZodNode& node, const Syntax& call, const Syntax& callee, std::string_view name) {
        const std::string source = "." + std::string(name) + "(…)";
        const Syntax* written = argument(call);
        const bool zero = is_one_of(name, {"positive", "negative", "nonnegative", "nonpositive"});
        const auto value = zero ? std::optional<double>(0)
                                : (written != nullptr ? constant(*written) : std::nullopt);
        if (!node.number || !value) {
            remark(callee, source, node.number ? kDynamic : kNoLimit);
            return;
        }
        const bool below = is_one_of(name, {"max", "lte", "lt", "negative", "nonpositive"});
        double at = *value;
        if (is_one_of(name, {"gt", "lt", "positive", "negative"})) {
            if (node.whole) {
                at += below ? -1 : 1;
            } else {
                remark(callee, source, {"the bound itself is allowed", "边界值本身也允许"}, false);
            }
        }
        std::optional<double>& limit = below ? node.max : node.min;
        limit = !limit ? at : (below ? std::min(*limit, at) : std::max(*limit, at));
    }
    void transform(ZodNode& node, const Syntax& call, const Syntax& callee) {
        static const Syntax kNone;
        const Syntax* written = argument(call);
        const Syntax& function = written != nullptr ? resolved(*written) : kNone;
        const auto constant_of = [this](const Syntax& each) { return constant(each); };
        bool rounds = false;
        bool read = true;
        if (const auto bounds = bounds_of(function, constant_of)) {
            rounds = bounds->rounds;
            cut_to(node, bounds->min, bounds->max);
        } else if (const auto members = member_bounds_of(function, constant_of)) {
            for (const MemberBounds& each : *members) {
                rounds = rounds || each.bounds.rounds;
                read = cut_member(node, each.keys, each.bounds.min, each.bounds.max) && read;
            }
        } else {
            read = false;
        }
        const std::string source = "." + callee.text + "(…)";
        if (!read) {
            remark(callee, source, kDynamic);
        } else if (rounds) {
            remark(callee, source,
                   {"numbers are cut to their bounds, but not rounded", "数值会截到边界，但不取整"},
                   false);
        }
    }

    // ---- values

    std::optional<double> constant(const Syntax& written) {
        const auto value = literal(written);
        return value && value->is_number() ? std::optional(value->as_double()) : std::nullopt;
    }
    std::optional<Value> literal(const Syntax& written) {
        if (level_ >= base::kScriptDepthMax || ++steps_ > base::kSchemaStepsMax) {
            return std::nullopt;
        }
        ++level_;
        auto value = literal_of(resolved(written));
        --level_;
        return value;
    }
    std::optional<Value> literal_of(const Syntax& node) {
        switch (node.kind) {
            case Kind::kNumber:
                return zod_number(node.number);
            case Kind::kText:
                // A name may stand for a long text again and again.
                bytes_ += node.text.size();
                return bytes_ > base::kScriptBytesMax
                           ? std::nullopt
                           : std::optional<Value>(std::string_view(node.text));
            case Kind::kTrue:
            case Kind::kFalse:
                return Value(node.kind == Kind::kTrue);
            case Kind::kNull:
                return Value();
            case Kind::kList:
                return list_value(node);
            case Kind::kObject:
                return object_value(node);
            case Kind::kUnary:
            case Kind::kBinary:
                return arithmetic(node);
            default:
                return std::nullopt;
        }
    }
    std::optional<Value> list_value(const Syntax& node) {
        value::Array list;
        for (const Syntax& part : node.parts) {
            if (part.kind == Kind::kSpread) {
                const auto inner = literal(part.parts[0]);
                if (!inner || !inner->is_array()) {
                    return std::nullopt;
                }
                for (const Value& each : inner->as_array()) {
                    list = std::move(list).push_back(each);
                }
                continue;
            }
            auto value = literal(part);
            if (!value) {
                return std::nullopt;
            }
            list = std::move(list).push_back(*std::move(value));
        }
        return list;
    }
    std::optional<Value> object_value(const Syntax& node) {
        value::Object object;
        for (std::size_t i = 0; i < node.names.size(); ++i) {
            auto value = node.names[i].empty() ? std::nullopt : literal(node.parts[i]);
            if (!value || node.names[i] == "__proto__") {
                return std::nullopt;
            }
            object = std::move(object).set(value::Str(node.names[i]), *std::move(value));
        }
        return object;
    }
    std::optional<Value> arithmetic(const Syntax& node) {
        const auto left = constant(node.parts[0]);
        const auto right = node.kind == Kind::kBinary ? constant(node.parts[1]) : left;
        if (!left || !right) {
            return std::nullopt;
        }
        double result = 0;
        if (node.kind == Kind::kUnary) {
            if (node.text == "!") {
                return std::nullopt;
            }
            result = node.text == "-" ? -*left : *left;
        } else if (node.text == "+") {
            result = *left + *right;
        } else if (node.text == "-") {
            result = *left - *right;
        } else if (node.text == "*") {
            result = *left * *right;
        } else if (node.text == "/" && *right != 0) {
            result = *left / *right;
        } else {
            return std::nullopt;
        }
        return std::isfinite(result) ? std::optional(zod_number(result)) : std::nullopt;
    }

    const Script& script_;
    std::vector<std::map<std::string, const Syntax*, std::less<>>> scopes_;
    std::vector<std::string_view> place_;
    std::vector<ZodRemark> remarks_;
    std::size_t level_ = 0;
    std::size_t steps_ = 0;
    std::size_t bytes_ = 0;  // of literal texts
};

}  // namespace

ZodReading read_zod_script(std::string_view script) {
    const Script parsed = parse_script(script, kRegister);
    return Reader(parsed).run();
}

}  // namespace arbiter::card::internal
