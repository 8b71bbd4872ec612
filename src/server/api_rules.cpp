#include "server/api_rules.h"

#include <algorithm>

#include "server/api_support.h"
#include "turn/place_marks.h"
#include "value/array.h"

namespace arbiter::server {
namespace {

using value::Array;
using value::Object;
using value::Value;

// A page shows a few thousand rows at most, and each mark names its rule again.
constexpr std::size_t kMarksMax = 5000;

Array places_json(const std::vector<value::Pattern>& places) {
    Array list;
    for (const value::Pattern& each : places) {
        list = std::move(list).push_back(text_value(value::print_pattern(each)));
    }
    return list;
}

Value book_json(const rules::Rulebook& book, bool is_of_protocol) {
    Array rules;
    for (const rules::RuleSummary& each : book.summaries) {
        rules = std::move(rules).push_back(Object{{"id", text_value(each.id)},
                                                  {"kind", text_value(each.kind)},
                                                  {"text", text_value(each.text)},
                                                  {"writes", places_json(each.writes)},
                                                  {"reads", places_json(each.reads)}});
    }
    Array findings;
    for (const value::Diagnostic& each : book.remarks) {
        findings = std::move(findings).push_back(
            error_value(each.error)
                .set("at", text_value(value::print_path(each.path, value::PathSyntax::kDotted))));
    }
    return Object{{"name", text_value(book.name)},
                  {"title", text_value(book.title.english)},
                  {"title_zh", text_value(book.title.chinese)},
                  {"from", is_of_protocol ? "protocol" : "profile"},
                  {"rules", std::move(rules)},
                  {"findings", std::move(findings)}};
}

Array books_json(const turn::Rules& rules) {
    Array books;
    for (const auto& book : rules.books) {
        const bool is_of_protocol = std::ranges::find(rules.protocols.constraints, book) !=
                                    rules.protocols.constraints.end();
        books = std::move(books).push_back(book_json(*book, is_of_protocol));
    }
    return books;
}

Array marks_json(const turn::Rules& rules, const Value& document, const table::Redactor& redactor) {
    Array marks;
    for (const turn::PlaceMark& each : turn::place_marks(rules, document, kMarksMax)) {
        if (each.kind != turn::PlaceMark::Kind::kHidden && redactor.hides(each.path)) {
            continue;
        }
        Object row = {
            {"path", text_value(value::print_path(each.path, value::PathSyntax::kPointer))},
            {"mark", name(each.kind)}};
        for (const auto& [key, text] :
             {std::pair("rule", each.rule), {"book", each.book}, {"text", each.text}}) {
            if (!text.empty()) {
                row = std::move(row).set(key, text_value(text));
            }
        }
        marks = std::move(marks).push_back(std::move(row));
    }
    return marks;
}

// Requests that could not be met, then the mistakes of the files of protocols.
Array findings_json(const turn::Rules& rules, const config::Protocols& protocols) {
    Array findings;
    for (const base::Error& each : rules.protocols.warnings) {
        findings = std::move(findings).push_back(error_value(each));
    }
    for (const config::FileDiagnostics& file : protocols.diagnostics()) {
        for (const Value& each : mistakes_json(file)) {
            // Its name without the folders, which clients must not learn.
            const std::string_view name(file.file);
            findings = std::move(findings).push_back(
                each.as_object().set("file", text_value(name.substr(name.find_last_of('/') + 1))));
        }
    }
    return findings;
}

net::Response get_rules(Host& host, const ApiCall& call) {
    // A session of its own: that of the host may be playing a turn.
    const auto session =
        campaign::Session::open(host.store(), call.campaign(), host.options().session);
    if (!session) {
        return error_response(session.error());
    }
    const engine::State state = (*session)->campaign().state();
    const config::Protocols& protocols = (*session)->options().protocols;
    const auto rules =
        turn::make_rules(campaign::base_rules((*session)->world()->world(), (*session)->options()),
                         *protocols.library(), state, call.language);
    if (!rules) {
        return error_response(rules.error());
    }
    const table::Redactor redactor = (*session)->redactor(call.viewer());
    return json_response(
        200, redactor.value(Object{{"profile", text_value(rules->profile.name)},
                                   {"books", books_json(*rules)},
                                   {"marks", marks_json(*rules, state.document, redactor)},
                                   {"findings", findings_json(*rules, protocols)}}));
}

constexpr Route kRoutes[] = {
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/rules",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The rulebooks that hold, the places that they mark, and what lint finds",
     .handler = get_rules,
     .answer = "Rules"},
};

}  // namespace

std::span<const Route> rules_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
