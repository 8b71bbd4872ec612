#include "ledger/changes_text.h"

#include "value/json.h"

namespace arbiter::ledger {
namespace {

std::string_view name(value::Change::Kind kind) {
    switch (kind) {
        case value::Change::Kind::kAdd:
            return "add";
        case value::Change::Kind::kRemove:
            return "remove";
        case value::Change::Kind::kReplace:
            return "replace";
    }
    return "";
}

}  // namespace

void append_changes(std::string& out, const value::Diff& changes) {
    out += '[';
    for (const value::Change& change : changes) {
        out += out.back() == '[' ? R"({"kind":")" : R"(,{"kind":")";
        out += name(change.kind);
        out += R"(","path":[)";
        for (std::size_t i = 0; i < change.path.size(); ++i) {
            out += i == 0 ? "" : ",";
            value::append_json(out, change.path[i].value());
        }
        out += ']';
        if (change.kind != value::Change::Kind::kReplace) {
            out += R"(,"position":)" + std::to_string(change.position);
        }
        if (change.kind != value::Change::Kind::kAdd) {
            out += R"(,"before":)";
            value::append_json(out, change.before);
        }
        if (change.kind != value::Change::Kind::kRemove) {
            out += R"(,"after":)";
            value::append_json(out, change.after);
        }
        out += '}';
    }
    out += ']';
}

}  // namespace arbiter::ledger
