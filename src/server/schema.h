// Schema: checks JSON values against JSON Schemas. The routes check requests with the schemas that
// the OpenAPI document shows, so the document cannot say something else.
//
// Understood: $ref to a named schema, type (one or several), properties, required,
// additionalProperties, items, enum, anyOf, minimum, maximum, minLength, maxLength, maxItems;
// description, default, format and example are ignored. Pure functions.
#pragma once

#include <string_view>

#include "base/error.h"
#include "value/value.h"

namespace arbiter::server {

// The first mistake, in the order of the value: kUnknownField, kFieldMissing, kFieldType, or
// kBadParameter for a value outside its bounds. Fields are named by their paths ("table.party").
base::Result<> check_schema(const value::Value& value, const value::Value& schema);
// The same by the name of a schema. It must exist.
base::Result<> check_named(const value::Value& value, std::string_view schema);

}  // namespace arbiter::server
