#include "ejs/internal/machine.h"

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "ejs/internal/convert.h"
#include "ejs/internal/describe.h"
#include "ejs/internal/globals.h"
#include "ejs/internal/members.h"
#include "ejs/internal/methods.h"
#include "ejs/internal/operators.h"
#include "text/truncate.h"

namespace arbiter::ejs::internal {

using Kind = Datum::Kind;

Machine::Machine(const Environment& environment, Budget& budget)
    : environment_(environment),
      budget_(budget),
      heap_(base::kTemplateHeapBytesMax),
      steps_(std::min<std::uint64_t>(base::kTemplateStepsMax, budget.steps)) {}

Datum Machine::fail(Fault fault, std::string word, std::string second) {
    if (!failure_) {
        failure_ = Failure{fault, line_, {std::move(word)}};
        if (!second.empty()) {
            failure_->words.push_back(std::move(second));
        }
    }
    return {};
}

bool Machine::spend(std::uint64_t steps) {
    if (failure_) {
        return false;
    }
    if (heap_.is_full()) {
        fail(Fault::kBytes, std::to_string(base::kTemplateHeapBytesMax));
        return false;
    }
    if (steps > steps_) {
        budget_.steps -= std::min(budget_.steps, steps_);
        steps_ = 0;
        fail(Fault::kSteps, std::to_string(base::kTemplateStepsMax));
        return false;
    }
    steps_ -= steps;
    budget_.steps -= std::min<std::uint64_t>(budget_.steps, steps);
    return true;
}

Datum Machine::call(const Datum& function, Arguments arguments) {
    if (!spend(1)) {
        return {};
    }
    if (function.is(Kind::kClosure)) {
        return run_function(function.closure(), arguments);
    }
    if (function.is(Kind::kBuiltin)) {
        return function.builtin().call(*this, arguments);
    }
    if (function.is(Kind::kNamespace) && function.space().own != nullptr) {
        return function.space().own->call(*this, arguments);
    }
    return fail(Fault::kNotCallable, std::string(text::truncate(to_text(function), 40)));
}

Datum Machine::text_of(const Datum& datum) {
    return datum.is_text() ? datum : heap_.text(to_text(datum));
}

Datum Machine::list(std::vector<Datum> items) {
    List* made = heap_.list();
    if (heap_.charge(items.size() * sizeof(Datum))) {
        made->items = std::move(items);
    }
    return made;
}

void Machine::print(const Datum& datum) {
    if (datum.is_text()) {
        print(datum.text());
    } else if (!datum.is_nullish()) {
        print(to_text(datum));
    }
}
void Machine::print(std::string_view text) {
    if (failed()) {
        return;
    }
    if (out_.size() + text.size() > base::kTemplateOutputBytesMax) {
        fail(Fault::kBytes, std::to_string(base::kTemplateOutputBytesMax));
        return;
    }
    out_ += text;
}

// ---- members

Datum Machine::member(const Datum& base, std::string_view key) {
    return member_of(*this, base, key);
}
std::vector<Datum> Machine::elements(const Datum& iterable) {
    return elements_of(*this, iterable);
}

// ---- names

Datum Machine::read_name(const Node& node, bool may_be_unknown) {
    if (const Scope::Binding* found = scope_->lookup(node.symbol)) {
        return found->value;
    }
    if (const auto& found = program_->globals[node.symbol]) {
        return *found;
    }
    if (const auto found = find_environment_name(*this, node.text)) {
        return *found;
    }
    if (may_be_unknown) {
        return {};
    }
    return fail(refusal(node.text).value_or(Fault::kUnknownName), std::string(node.text));
}

void Machine::assign(NodeId target, const Datum& value) {
    const Node& node = (*program_)[target];
    line_ = node.line;
    if (node.kind == NodeKind::kName) {
        Scope::Binding* found = scope_->lookup(node.symbol);
        if (found == nullptr) {
            // Without a declaration: a variable of the whole template.
            Scope* top = scope_;
            while (top->parent != nullptr) {
                top = top->parent;
            }
            top->bindings.push_back({node.symbol, false, value});
        } else if (found->is_constant) {
            fail(Fault::kConstant, std::string(node.text));
        } else {
            found->value = value;
        }
        return;
    }
    if (node.kind != NodeKind::kMember && node.kind != NodeKind::kIndex) {
        bind(target, value, nullptr, false);
        return;
    }
    const Datum base = eval(node.a);
    const Datum key = eval_key(node);
    if (!failed()) {
        set_member_of(*this, base, key, value, describe(target));
    }
}

void Machine::bind(NodeId pattern, const Datum& value, Scope* scope, bool is_constant) {
    const Level level(*this);
    const Node& node = (*program_)[pattern];
    if (!spend(1)) {
        return;
    }
    switch (node.kind) {
        case NodeKind::kName:
            if (scope == nullptr) {
                assign(pattern, value);
            } else if (Scope::Binding* known = scope->find(node.symbol)) {
                *known = {node.symbol, is_constant, value};
            } else if (heap_.charge(sizeof(Scope::Binding))) {
                scope->bindings.push_back({node.symbol, is_constant, value});
            }
            return;
        case NodeKind::kDefault:
            bind(node.a, value.is_undefined() ? eval(node.b) : value, scope, is_constant);
            return;
        case NodeKind::kArrayPattern: {
            const std::vector<Datum> items = elements(value);
            const auto targets = program_->list(node);
            for (std::size_t i = 0; i < targets.size() && !failed(); ++i) {
                const Node& target = (*program_)[targets[i]];
                if (target.kind == NodeKind::kRest) {
                    const std::size_t from = std::min(i, items.size());
                    bind(target.a,
                         list({items.begin() + static_cast<std::ptrdiff_t>(from), items.end()}),
                         scope, is_constant);
                } else if (target.kind != NodeKind::kUndefined) {
                    bind(targets[i], i < items.size() ? items[i] : Datum(), scope, is_constant);
                }
            }
            return;
        }
        case NodeKind::kObjectPattern: {
            std::vector<std::string_view> used;
            for (const NodeId id : program_->list(node)) {
                const Node& part = (*program_)[id];
                if (failed()) {
                    return;
                }
                if (part.kind == NodeKind::kRest) {
                    Record* rest = heap_.record();
                    if (value.is_record()) {
                        for (const Record::Field& field : fields_of(value)) {
                            if (std::ranges::find(used, field.key) == used.end() && spend(1)) {
                                heap_.set(*rest, field.key, field.value);
                            }
                        }
                    }
                    bind(part.a, rest, scope, is_constant);
                } else {
                    const Datum key = text_of(eval(part.a));
                    used.push_back(key.text());
                    bind(part.b, member(value, key.text()), scope, is_constant);
                }
            }
            return;
        }
        default:
            assign(pattern, value);
    }
}

std::string Machine::describe(NodeId id) const {
    return internal::describe(*program_, id);
}

// ---- expressions

Datum Machine::eval(NodeId id) {
    const Level level(*this);
    if (!spend(1)) {
        return {};
    }
    const Node& node = (*program_)[id];
    line_ = node.line;
    if (node.kind == NodeKind::kBinary || node.kind == NodeKind::kLogical) {
        return eval_operators(id);
    }
    if (node.kind == NodeKind::kMember || node.kind == NodeKind::kIndex ||
        node.kind == NodeKind::kCall || node.kind == NodeKind::kChain) {
        bool is_cut = false;
        return eval_chain(node.kind == NodeKind::kChain ? node.a : id, is_cut);
    }
    return eval_node(node);
}

Datum Machine::eval_node(const Node& node) {
    switch (node.kind) {
        case NodeKind::kNumber:
            return node.number;
        case NodeKind::kText:
            return node.text;
        case NodeKind::kTrue:
            return true;
        case NodeKind::kFalse:
            return false;
        case NodeKind::kNull:
            return Datum::null();
        case NodeKind::kUndefined:
            return {};
        case NodeKind::kName:
            return read_name(node, false);
        case NodeKind::kThis:
            return find_global("globalThis").value_or(Datum());
        case NodeKind::kTemplate:
            return eval_template(node);
        case NodeKind::kRegex:
            return heap_.pattern(node.text, node.more);
        case NodeKind::kArray:
            return eval_array(node);
        case NodeKind::kObject:
            return eval_object(node);
        case NodeKind::kFunction:
            return heap_.closure(
                {static_cast<NodeId>(&node - program_->nodes.data()), program_, scope_});
        case NodeKind::kUnary:
            return eval_unary(node);
        case NodeKind::kUpdate:
            return eval_update(node);
        case NodeKind::kChoice:
            return eval_choice(node);
        case NodeKind::kAssign:
            return eval_assign(node);
        case NodeKind::kNew:
            return eval_new(node);
        case NodeKind::kSequence: {
            Datum last;
            for (const NodeId id : program_->list(node)) {
                last = eval(id);
            }
            return last;
        }
        default:
            return fail(Fault::kUnsupported,
                        describe(static_cast<NodeId>(&node - program_->nodes.data())));
    }
}

// A chain of operators leans to the left and may be long: no recursion along it.
Datum Machine::eval_operators(NodeId id) {
    const auto is_operator = [](const Node& node) {
        return node.kind == NodeKind::kBinary || node.kind == NodeKind::kLogical;
    };
    const Node* node = &(*program_)[id];
    if (!is_operator((*program_)[node->a])) {
        const Datum left = eval(node->a);
        return failed() ? Datum() : eval_operator(*node, left);
    }
    std::vector<const Node*> spine;
    while (is_operator(*node)) {
        spine.push_back(node);
        id = node->a;
        node = &(*program_)[id];
    }
    Datum left = eval(id);
    for (auto each = spine.rbegin(); each != spine.rend() && spend(1); ++each) {
        left = eval_operator(**each, left);
    }
    return left;
}

Datum Machine::eval_operator(const Node& node, const Datum& left) {
    switch (node.op) {
        case Operator::kAnd:
            return is_true(left) ? eval(node.b) : left;
        case Operator::kOr:
            return is_true(left) ? left : eval(node.b);
        case Operator::kCoalesce:
            return left.is_nullish() ? eval(node.b) : left;
        default:
            break;
    }
    const Datum right = eval(node.b);
    line_ = node.line;
    return failed() ? Datum() : operate(*this, node.op, left, right);
}

Datum Machine::eval_unary(const Node& node) {
    if (node.op == Operator::kTypeof) {
        const Node& operand = (*program_)[node.a];
        return type_name(operand.kind == NodeKind::kName ? read_name(operand, true) : eval(node.a));
    }
    if (node.op == Operator::kDelete) {
        return erase_member(node.a);
    }
    const Datum value = eval(node.a);
    switch (node.op) {
        case Operator::kNot:
            return !is_true(value);
        case Operator::kSubtract:
            return -to_number(value);
        case Operator::kAdd:
            return to_number(value);
        case Operator::kBitNot:
            return static_cast<double>(~to_int32(to_number(value)));
        default:
            return {};
    }
}

Datum Machine::erase_member(NodeId target) {
    const Node& node = (*program_)[target];
    if (node.kind != NodeKind::kMember && node.kind != NodeKind::kIndex) {
        return fail(Fault::kUnsupported, "delete");
    }
    const Datum base = eval(node.a);
    const Datum key = text_of(eval_key(node));
    if (base.is_document()) {
        return fail(Fault::kWrites, "delete " + describe(target));
    }
    if (!base.is(Kind::kRecord)) {
        return fail(Fault::kUnsupported, "delete " + describe(target));
    }
    spend(base.record().fields.size());
    base.record().erase(key.text());
    return true;
}

Datum Machine::eval_update(const Node& node) {
    const double before = to_number(eval(node.a));
    const double after = before + (node.op == Operator::kAdd ? 1 : -1);
    if (!failed()) {
        assign(node.a, after);
    }
    return node.flag ? after : before;
}

Datum Machine::eval_choice(const Node& node) {
    const auto parts = program_->list(node);
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
        const bool holds = is_true(eval(parts[i]));
        if (failed()) {
            return {};
        }
        if (holds) {
            return eval(parts[i + 1]);
        }
    }
    return eval(parts.back());
}

Datum Machine::eval_assign(const Node& node) {
    const NodeKind kind = (*program_)[node.a].kind;
    if (kind == NodeKind::kArrayPattern || kind == NodeKind::kObjectPattern) {
        const Datum value = eval(node.b);
        bind(node.a, value, nullptr, false);
        return value;
    }
    Datum value;
    if (node.op == Operator::kNone) {
        value = eval(node.b);
    } else {
        const Datum before = eval(node.a);
        if (failed()) {
            return {};
        }
        const bool keeps = (node.op == Operator::kAnd && !is_true(before)) ||
                           (node.op == Operator::kOr && is_true(before)) ||
                           (node.op == Operator::kCoalesce && !before.is_nullish());
        if (keeps) {
            return before;
        }
        value = eval_operator(node, before);
    }
    if (!failed()) {
        assign(node.a, value);
    }
    return value;
}

Datum Machine::eval_key(const Node& node) {
    return node.kind == NodeKind::kMember ? Datum(node.text) : eval(node.b);
}

// Members and calls; `is_cut`: an optional one met undefined, and the whole chain is undefined.
Datum Machine::eval_chain(NodeId id, bool& is_cut) {
    const Node& node = (*program_)[id];
    if (node.kind == NodeKind::kCall) {
        const Level level(*this);
        return spend(1) ? eval_call(node, is_cut) : Datum();
    }
    if (node.kind != NodeKind::kMember && node.kind != NodeKind::kIndex) {
        return eval(id);
    }
    const Level level(*this);
    if (!spend(1)) {
        return {};
    }
    const Datum base = eval_chain(node.a, is_cut);
    if (failed() || is_cut) {
        return {};
    }
    if (base.is_nullish()) {
        is_cut = node.flag;
        line_ = node.line;
        return node.flag ? Datum()
                         : fail(Fault::kNoMember, describe(node.a),
                                node.kind == NodeKind::kMember ? std::string(node.text)
                                                               : to_text(eval(node.b)));
    }
    if (node.kind == NodeKind::kMember) {
        return member(base, node.text);
    }
    const Datum key = eval(node.b);
    if (base.is_list() && key.is_number()) {
        const double index = key.number();
        return index >= 0 && index < static_cast<double>(size_of(base)) &&
                       index == std::floor(index)
                   ? item_of(base, static_cast<std::size_t>(index))
                   : Datum();
    }
    return failed() ? Datum() : member(base, text_of(key).text());
}

Datum Machine::eval_arguments(const Node& node, std::vector<Datum>& arguments) {
    for (const NodeId id : program_->list(node)) {
        const Node& argument = (*program_)[id];
        if (argument.kind == NodeKind::kSpread) {
            for (const Datum& each : elements(eval(argument.a))) {
                arguments.push_back(each);
            }
        } else {
            arguments.push_back(eval(id));
        }
        if (failed()) {
            break;
        }
    }
    return {};
}

Datum Machine::eval_call(const Node& node, bool& is_cut) {
    const Node& callee = (*program_)[node.a];
    const bool is_method = callee.kind == NodeKind::kMember || callee.kind == NodeKind::kIndex;
    Datum base;
    Datum key;
    Datum function;
    const Method* method = nullptr;
    if (is_method) {
        base = eval_chain(callee.a, is_cut);
        if (failed() || is_cut) {
            return {};
        }
        if (base.is_nullish() && callee.flag) {
            is_cut = true;
            return {};
        }
        key = eval_key(callee);
        line_ = callee.line;
        if (base.is_nullish()) {
            return fail(Fault::kNoMember, describe(callee.a), to_text(key));
        }
        key = text_of(key);
        function =
            base.is_record() || base.is(Kind::kNamespace) ? member(base, key.text()) : Datum();
        method = function.is_undefined() ? find_method(base, key.text()) : nullptr;
    } else {
        function = eval_chain(node.a, is_cut);
    }
    if (failed() || is_cut) {
        return {};
    }
    if (node.flag && function.is_nullish() && method == nullptr) {
        is_cut = true;
        return {};
    }
    std::vector<Datum> arguments;
    eval_arguments(node, arguments);
    if (failed()) {
        return {};
    }
    line_ = node.line;
    if (method != nullptr) {
        return method->call(*this, base, arguments);
    }
    const bool is_callable = function.is_callable() || function.is(Kind::kNamespace);
    if (!is_callable) {
        const bool is_known_kind = is_method && !base.is_record();
        return fail(is_known_kind ? Fault::kUnsupported : Fault::kNotCallable, describe(node.a));
    }
    return call(function, arguments);
}

Datum Machine::eval_new(const Node& node) {
    const Node& callee = (*program_)[node.a];
    const Datum function = eval(node.a);
    std::vector<Datum> arguments;
    eval_arguments(node, arguments);
    if (failed()) {
        return {};
    }
    line_ = node.line;
    return function.is(Kind::kNamespace)
               ? construct(*this, function.space(), arguments)
               : fail(Fault::kUnsupported, "new " + std::string(callee.text));
}

Datum Machine::eval_template(const Node& node) {
    std::string out;
    for (const NodeId id : program_->list(node)) {
        append_text(out, eval(id));
        if (!spend(out.size() / 4096)) {
            return {};
        }
    }
    return heap_.text(std::move(out));
}

Datum Machine::eval_array(const Node& node) {
    std::vector<Datum> items;
    eval_arguments(node, items);
    return failed() ? Datum() : list(std::move(items));
}

Datum Machine::eval_object(const Node& node) {
    Record* record = heap_.record();
    for (const NodeId id : program_->list(node)) {
        const Node& part = (*program_)[id];
        if (failed()) {
            return {};
        }
        if (part.kind == NodeKind::kSpread) {
            const Datum from = eval(part.a);
            if (from.is_record()) {
                for (const Record::Field& field : fields_of(from)) {
                    if (spend(1)) {
                        heap_.set(*record, field.key, field.value);
                    }
                }
            }
            continue;
        }
        const Datum key = text_of(eval(part.a));
        heap_.set(*record, key.text(), eval(part.b));
    }
    return record;
}

}  // namespace arbiter::ejs::internal
