#include "card/zod.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/limits.h"
#include "base/messages.h"
#include "card/card_text.h"
#include "card/internal/zod_node.h"
#include "card/internal/zod_reader.h"
#include "value/array.h"
#include "value/number.h"
#include "value/object.h"
#include "value/path.h"

namespace arbiter::card {

using internal::ZodNode;
using value::Array;
using value::Object;
using value::Path;
using value::Value;
using Fate = ImportNote::Fate;

namespace {

Array texts_of(const std::vector<std::string>& texts) {
    Array list;
    for (const std::string& text : texts) {
        list = std::move(list).push_back(std::string_view(text));
    }
    return list;
}

// The value of a variable as the schema reads it.
Value filled(const ZodNode& node, const Value& value);

Object filled_members(const ZodNode& node, Object object) {
    for (const auto& [key, member] : node.members) {
        const Value* present = object.find(key);
        if (present != nullptr) {
            object = object.set(value::Str(key), filled(*member, *present));
        } else if (member->preset) {
            Value preset =
                member->parses_preset ? filled(*member, *member->preset) : *member->preset;
            object = std::move(object).set(value::Str(key), std::move(preset));
        }
    }
    if (node.element) {
        for (const auto& [key, each] : Object(object)) {
            if (key != "$meta") {
                object = std::move(object).set(key, filled(*node.element, each));
            }
        }
    }
    return object;
}

Value filled(const ZodNode& node, const Value& value) {
    if (node.object && value.is_object()) {
        return filled_members(node, value.as_object());
    }
    if (node.list && node.element && value.is_array()) {
        Array list;
        for (const Value& each : value.as_array()) {
            list = std::move(list).push_back(filled(*node.element, each));
        }
        return list;
    }
    if (!node.number || (!value.is_number() && !(node.coerces && value.is_string()))) {
        return value;
    }
    const auto number = value.is_number() ? std::optional(value.as_double())
                                          : value::read_double(trimmed(value.as_string()));
    if (!number) {
        return value;
    }
    double cut = *number;
    if (node.clamps) {
        cut = node.min ? std::max(cut, *node.min) : cut;
        cut = node.max ? std::min(cut, *node.max) : cut;
    }
    return value.is_number() && cut == *number ? value : internal::zod_number(cut);
}

// Writes the limits of a schema, parents first.
class BookWriter {
  public:
    std::size_t limits = 0;
    bool cut = false;
    std::vector<std::string> unwritable;  // keys that a place cannot name

    Value book(const ZodNode& root) {
        write(root, {"stat_data"}, true);
        if (limits == 0 && read_only_.empty()) {
            return {};
        }
        Object book = {{"rulebook", kSchemaBook},
                       {"title", Object{{"en", "Limits of the card's schema"},
                                        {"zh", "角色卡自带的变量限制"}}}};
        if (limits > 0) {
            book = std::move(book).set("limits", limits_);
        }
        if (!read_only_.empty()) {
            book = std::move(book).set("read_only", read_only_);
        }
        return book;
    }

  private:
    // `fixed`: neither the place nor anything above it may be missing.
    void write(const ZodNode& node, const Path& path, bool fixed) {
        const std::string place = value::print_path(path, value::PathSyntax::kDotted);
        Object terms = terms_of(node, fixed && path.size() > 1);
        if (!terms.empty()) {
            if (limits == base::kSchemaLimitsMax) {
                cut = true;
                return;
            }
            ++limits;
            Object limit = {{"id", std::string_view(place)}, {"place", std::string_view(place)}};
            for (const auto& [key, value] : terms) {
                limit = std::move(limit).set(key, value);
            }
            limits_ = std::move(limits_).push_back(std::move(limit));
        }
        for (const auto& [key, member] : node.members) {
            if (key.starts_with('$') || key == "*" || key == "**") {
                unwritable.push_back(key);
                continue;
            }
            Path below = path;
            below.emplace_back(std::string_view(key));
            // MVU zod: a name that begins with _ is not for the model to write.
            if (key.starts_with('_')) {
                read_only_ = std::move(read_only_)
                                 .push_back(std::string_view(
                                     value::print_path(below, value::PathSyntax::kDotted)));
            }
            write(*member, below, fixed && !member->optional && !member->preset);
        }
        if (node.element) {
            Path below = path;
            below.emplace_back("*");
            write(*node.element, below, false);
        }
    }
    static Object terms_of(const ZodNode& node, bool fixed) {
        Object terms;
        Array types;
        const auto type = [&](bool is, std::string_view name) {
            types = is ? std::move(types).push_back(name) : std::move(types);
        };
        type(node.number, node.whole ? "whole" : "number");
        type(node.text && !node.coerces, "text");
        type(node.flag && !node.coerces, "flag");
        type(node.list, "list");
        type(node.object, "object");
        if (!types.empty()) {
            type(node.null, "null");
            terms = std::move(terms).set("type", std::move(types));
        }
        if (!node.choices.empty()) {
            Array list;
            for (const Value& each : node.choices) {
                list = std::move(list).push_back(each);
            }
            list = node.null ? std::move(list).push_back(Value()) : std::move(list);
            terms = std::move(terms).set("one_of", std::move(list));
        }
        // Bounds that cross hold for no number.
        const bool bounded = !node.min || !node.max || *node.min <= *node.max;
        if (node.min && bounded) {
            terms = std::move(terms).set("min", internal::zod_number(*node.min));
        }
        if (node.max && bounded) {
            terms = std::move(terms).set("max", internal::zod_number(*node.max));
        }
        if ((node.min || node.max) && bounded && !node.clamps) {
            terms = std::move(terms).set("otherwise", "refuse");
        }
        if (node.object && !node.element && !node.open) {
            std::vector<std::string> names;
            for (const auto& [key, member] : node.members) {
                names.push_back(key);
            }
            terms = std::move(terms).set("members", texts_of(names));
        } else if (!node.keys.empty()) {
            terms = std::move(terms).set("members", texts_of(node.keys));
        }
        if (const Object presets = filled_members(node, {}); node.object && !presets.empty()) {
            terms = std::move(terms).set("presets", presets);
        }
        if (fixed && !node.optional && !node.preset) {
            terms = std::move(terms).set("required", true);
        }
        return terms;
    }

    Array limits_;
    Array read_only_;
};

ImportNote note_of(std::string_view script, const internal::ZodRemark& remark) {
    ImportNote note;
    note.fate = remark.ignored ? Fate::kIgnored : Fate::kChanged;
    note.code = "schema";
    note.name = std::string(script) + ":" + std::to_string(remark.line);
    note.name += remark.place.empty() ? "" : " " + remark.place;
    note.name += " " + remark.source;
    note.reason = remark.reason;
    return note;
}

base::Text counted(base::TextView words, std::size_t count) {
    const std::string number[] = {std::to_string(count)};
    return {base::format_message(words.english, number),
            base::format_message(words.chinese, number)};
}

}  // namespace

ZodSchema read_zod(const Card& card) {
    ZodSchema schema;
    for (const SchemaScript& script : schema_scripts(card)) {
        internal::ZodReading reading = internal::read_zod_script(script.text);
        const std::string name(script.name);
        if (!reading.root || schema.root) {
            schema.notes.push_back(
                {Fate::kIgnored, "schema", name,
                 reading.root ? base::Text{"another script has registered a schema already",
                                           "已有另一个脚本登记了变量结构"}
                              : base::Text{"the script is never run, and no z.object({…}) that it "
                                           "registers can be read; write limits in a rulebook",
                                           "脚本从不运行，也读不出它登记的 z.object({…})；"
                                           "请把限制写进规则书"}});
        } else {
            schema.root = std::move(reading.root);
            BookWriter writer;
            schema.rulebook = writer.book(*schema.root);
            schema.notes.push_back(
                {Fate::kApplied, "schema", name,
                 counted({"its schema was read: {0} limits hold; the script itself is never run",
                          "已读取其中的变量结构，{0} 条限制生效；脚本本身从不运行"},
                         writer.limits)});
            for (const std::string& key : writer.unwritable) {
                schema.notes.push_back({Fate::kIgnored,
                                        "schema",
                                        name + " " + key,
                                        {"limits cannot be about a name that begins with $ or *",
                                         "名称以 $ 或 * 开头的变量无法设限制"}});
            }
            if (writer.cut) {
                schema.notes.push_back(
                    {Fate::kChanged, "schema", name,
                     counted({"only the first {0} limits hold", "只有前 {0} 条限制生效"},
                             base::kSchemaLimitsMax)});
            }
        }
        for (const internal::ZodRemark& remark : reading.remarks) {
            schema.notes.push_back(note_of(script.name, remark));
        }
    }
    return schema;
}

std::vector<ImportNote> schema_notes(const Card& card) {
    return read_zod(card).notes;
}

Value with_presets(const ZodSchema& schema, const Value& variables) {
    return schema.root && variables.is_object() ? filled(*schema.root, variables) : variables;
}

}  // namespace arbiter::card
