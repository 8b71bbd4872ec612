#include "ejs/internal/runner.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/limits.h"
#include "ejs/internal/convert.h"
#include "ejs/internal/parser.h"
#include "text/truncate.h"

namespace arbiter::ejs::internal {

using Kind = Datum::Kind;

std::expected<std::string, Failure> Runner::run(const Program& program) {
    program_ = &program;
    scope_ = heap().scope(nullptr, true);
    exec_top();
    spend(0);  // a limit that the last step has reached
    if (failure_) {
        return std::unexpected(std::move(*failure_));
    }
    return std::move(out_);
}

Runner::Flow Runner::exec_top() {
    const Node& root = (*program_)[program_->root];
    hoist(root, *scope_);
    declare_functions(program_->list(root));
    const Flow flow = exec_list(program_->list(root));
    if (flow == Flow::kReturn && !failed()) {
        // EJS would give the returned value instead of the text.
        fail(Fault::kUnsupported, "return");
    }
    return flow;
}

Datum Runner::render_entry(std::string text, const Datum& names) {
    if (!has_tags(text)) {
        return heap().text(std::move(text));
    }
    if (entries_ >= base::kTemplateNestMax) {
        return fail(Fault::kDepth, std::to_string(base::kTemplateNestMax));
    }
    if (!spend(text.size() / 64) || !heap().charge(text.size() * 4)) {
        return {};
    }
    const Datum source = heap().text(std::move(text));
    auto parsed = parse(source.text());
    if (!parsed) {
        failure_ = std::move(parsed.error());
        return {};
    }
    const Program& program = programs_.emplace_front(*std::move(parsed));
    ++entries_;
    const Program* outer_program = std::exchange(program_, &program);
    Scope* outer_scope = std::exchange(scope_, heap().scope(nullptr, true));
    std::string outer_text = std::exchange(out_, {});
    const std::uint32_t outer_line = line_;
    if (names.is_record()) {
        for (const Record::Field& field : fields_of(names)) {
            const auto symbol = program.symbol_of.find(field.key);
            if (symbol != program.symbol_of.end()) {
                scope_->bindings.push_back({symbol->second, false, field.value});
            }
        }
    }
    exec_top();
    std::string rendered = std::exchange(out_, std::move(outer_text));
    program_ = outer_program;
    scope_ = outer_scope;
    line_ = outer_line;
    --entries_;
    return heap().text(std::move(rendered));
}

void Runner::hoist(const Node& node, Scope& scope) {
    for (std::uint32_t i = 0; i < node.hoisted_count; ++i) {
        const std::uint32_t symbol = program_->hoists[node.hoisted + i];
        if (scope.find(symbol) == nullptr && heap().charge(sizeof(Scope::Binding))) {
            scope.bindings.push_back({symbol, false, {}});
        }
    }
}

Datum Runner::run_function(const Closure& closure, Arguments arguments) {
    const Level level(*this);
    if (!spend(1)) {
        return {};
    }
    const Program* outer_program = std::exchange(program_, closure.program);
    Scope* outer = std::exchange(scope_, heap().scope(closure.scope, true));
    const Node& node = (*program_)[closure.node];
    hoist(node, *scope_);
    const auto parameters = program_->list(node);
    for (std::size_t i = 0; i < parameters.size() && !failed(); ++i) {
        const Node& parameter = (*program_)[parameters[i]];
        if (parameter.kind == NodeKind::kRest) {
            const std::size_t from = std::min(i, arguments.size());
            bind(parameter.a,
                 list({arguments.begin() + static_cast<std::ptrdiff_t>(from), arguments.end()}),
                 scope_, false);
        } else {
            bind(parameters[i], i < arguments.size() ? arguments[i] : Datum(), scope_, false);
        }
    }
    Datum result;
    if (!failed() && node.flag) {
        result = eval(node.a);
    } else if (!failed()) {
        returned_ = {};
        const bool returns = exec(node.a) == Flow::kReturn;
        result = returns ? std::exchange(returned_, {}) : Datum();
    }
    scope_ = outer;
    program_ = outer_program;
    return result;
}

// ---- statements

Runner::Flow Runner::exec(NodeId id) {
    const Level level(*this);
    if (!spend(1)) {
        return Flow::kStop;
    }
    const Node& node = (*program_)[id];
    line_ = node.line;
    return exec_node(node);
}

Runner::Flow Runner::exec_node(const Node& node) {
    switch (node.kind) {
        case NodeKind::kPlain:
            print(node.text);
            return after();
        case NodeKind::kOutput:
            print(eval(node.a));
            return after();
        case NodeKind::kExpression:
            eval(node.a);
            return after();
        case NodeKind::kDeclare:
            declare(node);
            return after();
        case NodeKind::kBlock:
            return exec_block(node);
        case NodeKind::kIf:
            return exec_if(node);
        case NodeKind::kFor:
            return exec_for(node);
        case NodeKind::kForOf:
        case NodeKind::kForIn:
            return exec_each(node);
        case NodeKind::kWhile:
            return exec_while(node);
        case NodeKind::kSwitch:
            return exec_switch(node);
        case NodeKind::kTry:
            return exec_try(node);
        case NodeKind::kBreak:
            return Flow::kBreak;
        case NodeKind::kContinue:
            return Flow::kContinue;
        case NodeKind::kReturn:
            returned_ = node.a != kNoNode ? eval(node.a) : Datum();
            return failed() ? Flow::kStop : Flow::kReturn;
        case NodeKind::kThrow: {
            const Datum thrown = eval(node.a);
            fail(Fault::kThrown, std::string(text::truncate(to_text(thrown), 80)));
            return Flow::kStop;
        }
        case NodeKind::kFunction:  // declared at the beginning of its block
        case NodeKind::kEmpty:
            return Flow::kNext;
        default:
            fail(Fault::kUnsupported, std::string(node.text));
            return Flow::kStop;
    }
}

Runner::Flow Runner::exec_list(std::span<const NodeId> list) {
    for (const NodeId id : list) {
        if (const Flow flow = exec(id); flow != Flow::kNext) {
            return flow;
        }
    }
    return Flow::kNext;
}

void Runner::declare_functions(std::span<const NodeId> list) {
    for (const NodeId id : list) {
        const Node& node = (*program_)[id];
        if (node.kind != NodeKind::kFunction) {
            continue;
        }
        const Datum function = heap().closure({id, program_, scope_});
        if (Scope::Binding* known = scope_->find(node.symbol)) {
            known->value = function;
        } else {
            scope_->bindings.push_back({node.symbol, false, function});
        }
    }
}

Runner::Flow Runner::exec_block(const Node& node) {
    if (!node.flag) {
        return exec_list(program_->list(node));
    }
    Scope* outer = std::exchange(scope_, heap().scope(scope_, false));
    declare_functions(program_->list(node));
    const Flow flow = exec_list(program_->list(node));
    scope_ = outer;
    return flow;
}

void Runner::declare(const Node& node) {
    const bool is_var = node.more == "var";
    Scope* scope = scope_;
    while (is_var && !scope->is_function) {
        scope = scope->parent;
    }
    for (const NodeId id : program_->list(node)) {
        const Node& target = (*program_)[id];
        if (failed()) {
            return;
        }
        const bool has_value = target.kind == NodeKind::kDefault;
        // `var x` again keeps the value.
        if (is_var && !has_value) {
            continue;
        }
        const Datum value = has_value ? eval(target.b) : Datum();
        if (!failed()) {
            bind(has_value ? target.a : id, value, scope, node.more == "const");
        }
    }
}

Runner::Flow Runner::exec_if(const Node& node) {
    const auto parts = program_->list(node);
    std::size_t i = 0;
    for (; i + 1 < parts.size(); i += 2) {
        const bool holds = is_true(eval(parts[i]));
        if (failed()) {
            return Flow::kStop;
        }
        if (holds) {
            return exec(parts[i + 1]);
        }
    }
    return i < parts.size() ? exec(parts[i]) : Flow::kNext;
}

bool Runner::goes_on(Flow& flow) {
    switch (flow) {
        case Flow::kNext:
        case Flow::kContinue:
            flow = Flow::kNext;
            return true;
        case Flow::kBreak:
            flow = Flow::kNext;
            return false;
        case Flow::kReturn:
        case Flow::kStop:
            return false;
    }
    return false;
}

Runner::Flow Runner::exec_for(const Node& node) {
    Scope* outer = std::exchange(scope_, heap().scope(scope_, false));
    if (node.a != kNoNode) {
        const Node& begin = (*program_)[node.a];
        if (begin.kind == NodeKind::kDeclare) {
            declare(begin);
        } else {
            eval(node.a);
        }
    }
    Flow flow = after();
    while (flow == Flow::kNext && spend(1)) {
        if (node.b != kNoNode && !is_true(eval(node.b))) {
            break;
        }
        flow = exec(program_->list(node)[0]);
        if (!goes_on(flow)) {
            break;
        }
        // A function that the body made keeps the variables of its round.
        Scope* round = heap().scope(outer, false);
        round->bindings = scope_->bindings;
        scope_ = round;
        if (node.c != kNoNode) {
            eval(node.c);
        }
        flow = after();
    }
    scope_ = outer;
    return failed() ? Flow::kStop : flow;
}

Runner::Flow Runner::exec_each(const Node& node) {
    const Datum over = eval(node.b);
    std::vector<Datum> items;
    if (node.kind == NodeKind::kForOf) {
        items = elements(over);
    } else if (over.is_record()) {
        for (const Record::Field& field : fields_of(over)) {
            items.emplace_back(field.key);
        }
    } else if (over.is_list()) {
        for (std::size_t i = 0; i < size_of(over) && spend(1); ++i) {
            items.push_back(text(std::to_string(i)));
        }
    }
    const Node& target = (*program_)[node.a];
    Scope* outer = scope_;
    Flow flow = after();
    for (const Datum& item : items) {
        if (!spend(1)) {
            break;
        }
        if (target.kind == NodeKind::kDeclare && target.more != "var") {
            scope_ = heap().scope(outer, false);
            bind(program_->list(target)[0], item, scope_, target.more == "const");
        } else {
            bind(target.kind == NodeKind::kDeclare ? program_->list(target)[0] : node.a, item,
                 nullptr, false);
        }
        flow = failed() ? Flow::kStop : exec(node.c);
        if (!goes_on(flow)) {
            break;
        }
    }
    scope_ = outer;
    return failed() ? Flow::kStop : flow;
}

Runner::Flow Runner::exec_while(const Node& node) {
    Flow flow = Flow::kNext;
    bool is_first = node.flag;
    while (spend(1)) {
        if (!is_first && !is_true(eval(node.a))) {
            break;
        }
        is_first = false;
        flow = failed() ? Flow::kStop : exec(node.b);
        if (!goes_on(flow)) {
            break;
        }
    }
    return failed() ? Flow::kStop : flow;
}

Runner::Flow Runner::exec_switch(const Node& node) {
    const Datum value = eval(node.a);
    const auto cases = program_->list(node);
    std::size_t chosen = cases.size();
    for (std::size_t i = 0; i < cases.size() && !failed(); ++i) {
        const Node& each = (*program_)[cases[i]];
        if (each.a != kNoNode && are_same(value, eval(each.a))) {
            chosen = i;
            break;
        }
    }
    for (std::size_t i = 0; i < cases.size() && chosen == cases.size(); ++i) {
        chosen = (*program_)[cases[i]].a == kNoNode ? i : chosen;
    }
    Scope* outer = std::exchange(scope_, heap().scope(scope_, false));
    Flow flow = after();
    for (std::size_t i = chosen; i < cases.size() && flow == Flow::kNext; ++i) {
        flow = exec_list(program_->list((*program_)[cases[i]]));
    }
    scope_ = outer;
    return flow == Flow::kBreak ? Flow::kNext : flow;
}

Runner::Flow Runner::exec_try(const Node& node) {
    const auto state = std::tuple(program_, scope_, depth_, entries_);
    Flow flow = exec(node.a);
    // Only errors that JavaScript would throw are caught; limits and refusals are not.
    const bool is_caught =
        failure_ && node.b != kNoNode &&
        (failure_->fault == Fault::kThrown || failure_->fault == Fault::kUnknownName ||
         failure_->fault == Fault::kNoMember || failure_->fault == Fault::kNotCallable ||
         failure_->fault == Fault::kConstant);
    if (is_caught) {
        std::tie(program_, scope_, depth_, entries_) = state;
        Record* error = heap().record();
        heap().set(*error, "message", text(failure_->words.front()));
        failure_.reset();
        Scope* outer = std::exchange(scope_, heap().scope(scope_, false));
        for (const NodeId name : program_->list(node)) {
            bind(name, error, scope_, false);
        }
        flow = exec(node.b);
        scope_ = outer;
    }
    if (node.c != kNoNode && !failed()) {
        const Flow last = exec(node.c);
        flow = last != Flow::kNext ? last : flow;
    }
    return failed() ? Flow::kStop : flow;
}

}  // namespace arbiter::ejs::internal
