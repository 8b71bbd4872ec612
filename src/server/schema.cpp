#include "server/schema.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "server/schemas.h"
#include "text/join.h"
#include "text/truncate.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::server {

using base::ErrorCode;
using base::Result;
using value::Array;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kReference = "#/components/schemas/";

std::string named(std::string_view path) {
    return path.empty() ? "$" : std::string(path);
}

std::string below(std::string_view path, std::string_view key) {
    return path.empty() ? std::string(key) : std::string(path) + "." + std::string(key);
}

bool is_of(const Value& value, std::string_view type) {
    switch (value.kind()) {
        case value::Kind::kNull:
            return type == "null";
        case value::Kind::kBool:
            return type == "boolean";
        case value::Kind::kInt:
            return type == "integer" || type == "number";
        case value::Kind::kDouble:
            return type == "number";
        case value::Kind::kString:
            return type == "string";
        case value::Kind::kArray:
            return type == "array";
        case value::Kind::kObject:
            return type == "object";
    }
    return false;
}

std::string brief(const Value& value) {
    return text::truncate_with_ellipsis(value::print_json(value), base::kDetailBytesMax);
}

std::string words_of(const Array& list) {
    return text::join(list, " | ", [](const Value& each) {
        return each.is_string() ? std::string(each.as_string()) : value::print_json(each);
    });
}

class Check {
  public:
    explicit Check(const Object& schema) : schema_(schema) {}

    Result<> run(const Value& value, const std::string& path) const {
        if (auto done = check_type(value, path); !done) {
            return done;
        }
        if (auto done = check_bounds(value, path); !done) {
            return done;
        }
        if (auto done = check_alternatives(value, path); !done) {
            return done;
        }
        return value.is_object()  ? check_members(value.as_object(), path)
               : value.is_array() ? check_items(value.as_array(), path)
                                  : Result<>();
    }

    // A schema may be a reference.
    static Result<> apply(const Value& value, const Value& schema, const std::string& path) {
        if (!schema.is_object()) {
            return {};
        }
        const Value* reference = schema.as_object().find("$ref");
        if (reference != nullptr) {
            const Value* found = schemas().find(reference->as_string().substr(kReference.size()));
            CHECK(found != nullptr);
            return apply(value, *found, path);
        }
        return Check(schema.as_object()).run(value, path);
    }

  private:
    [[nodiscard]] const Value* find(std::string_view key) const { return schema_.find(key); }

    [[nodiscard]] Result<> check_type(const Value& value, const std::string& path) const {
        const Value* type = find("type");
        if (type == nullptr) {
            return {};
        }
        const Array types = type->is_array() ? type->as_array() : Array{*type};
        const bool fits = std::ranges::any_of(
            types, [&](const Value& each) { return is_of(value, each.as_string()); });
        return fits ? Result<>()
                    : base::fail(ErrorCode::kFieldType, {named(path), words_of(types)});
    }

    [[nodiscard]] Result<> check_bounds(const Value& value, const std::string& path) const {
        const auto outside = [&](std::string takes) {
            return base::fail(ErrorCode::kBadParameter,
                              {named(path), brief(value), std::move(takes)});
        };
        if (const Value* words = find("enum"); words != nullptr) {
            const Array& allowed = words->as_array();
            if (std::ranges::find(allowed, value) == allowed.end()) {
                return outside(words_of(allowed));
            }
        }
        const auto limit = [&](std::string_view key) {
            const Value* found = find(key);
            return found != nullptr && found->is_int() ? std::optional(found->as_int())
                                                       : std::nullopt;
        };
        const auto check = [&](std::int64_t number, std::string_view least,
                               std::string_view most) -> Result<> {
            const auto min = limit(least);
            const auto max = limit(most);
            if ((!min || number >= *min) && (!max || number <= *max)) {
                return {};
            }
            return outside((min ? std::to_string(*min) : "") + " … " +
                           (max ? std::to_string(*max) : ""));
        };
        if (value.is_int()) {
            return check(value.as_int(), "minimum", "maximum");
        }
        if (value.is_string()) {
            const auto length = static_cast<std::int64_t>(text::count(value.as_string()));
            return check(length, "minLength", "maxLength");
        }
        return value.is_array() ? check(static_cast<std::int64_t>(value.as_array().size()),
                                        "minItems", "maxItems")
                                : Result<>();
    }

    // The error is that of the last alternative of the value's own type, else of the last one.
    [[nodiscard]] Result<> check_alternatives(const Value& value, const std::string& path) const {
        const Value* any = find("anyOf");
        if (any == nullptr) {
            return {};
        }
        Result<> result;
        for (const Value& each : any->as_array()) {
            auto tried = apply(value, each, path);
            if (tried) {
                return {};
            }
            if (result || tried.error().code != ErrorCode::kFieldType) {
                result = std::move(tried);
            }
        }
        return result;
    }

    [[nodiscard]] Result<> check_members(const Object& object, const std::string& path) const {
        const Value* properties = find("properties");
        const Object known = properties != nullptr ? properties->as_object() : Object();
        const Value* more = find("additionalProperties");
        for (const auto& [key, member] : object) {
            const Value* schema = known.find(key.view());
            if (schema == nullptr && more != nullptr && more->is_bool() && !more->as_bool()) {
                std::vector<std::string> names;
                for (const auto& [name, unused] : known) {
                    names.emplace_back(name.view());
                }
                return base::fail(ErrorCode::kUnknownField,
                                  {below(path, key.view()), text::join(names)});
            }
            schema = schema == nullptr ? more : schema;
            if (schema != nullptr) {
                if (auto done = apply(member, *schema, below(path, key.view())); !done) {
                    return done;
                }
            }
        }
        if (const Value* required = find("required"); required != nullptr) {
            for (const Value& each : required->as_array()) {
                if (!object.contains(each.as_string())) {
                    return base::fail(ErrorCode::kFieldMissing, {below(path, each.as_string())});
                }
            }
        }
        return {};
    }

    [[nodiscard]] Result<> check_items(const Array& array, const std::string& path) const {
        const Value* items = find("items");
        std::size_t number = 0;
        for (const Value& each : items != nullptr ? array : Array()) {
            if (auto done = apply(each, *items, below(path, std::to_string(number++))); !done) {
                return done;
            }
        }
        return {};
    }

    const Object& schema_;
};

}  // namespace

Result<> check_schema(const Value& value, const Value& schema) {
    return Check::apply(value, schema, "");
}

Result<> check_named(const Value& value, std::string_view schema) {
    const Value* found = schemas().find(schema);
    CHECK(found != nullptr);
    return check_schema(value, *found);
}

}  // namespace arbiter::server
