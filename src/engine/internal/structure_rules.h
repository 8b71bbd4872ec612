// Structure rules: which members of a document may come and go, as MVU's cards state it ($meta).
//
// The rules are kept in the state's meta, beside the document, as a tree of nodes
// {"list"?: true, "extensible", "recursive", "template"?, "element"?: node,
// "members"?: {key: node}, "required"?: {key: bool}, …}. This file derives, updates and finds them;
// structure.h enforces them.
#pragma once

#include "value/object.h"
#include "value/path.h"

namespace arbiter::engine::internal {

// The part of a document that the rules are about: stat_data if there is one, else all of it.
value::Path structure_root(const value::Value& document);

// Derives the rules of a document that still contains its $meta.
void derive_structure(value::Object& meta, const value::Value& document);
// Updates the rules after the document changed. Does nothing if there are none.
void follow_structure(value::Object& meta, const value::Value& before, const value::Value& after);

// Updates the rules of the container at a path, as an insert does. `data` is what the container
// becomes, rules included; the document still has the one before.
void extend_rules(value::Object& meta, const value::Value& document, const value::Path& path,
                  const value::Value& data);
// Whether the data may contain rules that a set brought, and the note that it may.
bool has_written_rules(const value::Object& meta) noexcept;
void mark_written_rules(value::Object& meta);

// All rules, or nullptr.
const value::Value* structure_rules(const value::Object& meta) noexcept;
// The rules of the node at a path, or nullptr.
const value::Value* rules_at(const value::Object& meta, const value::Value& document,
                             const value::Path& path);
// Whether the card asks for sets that replace described values as a whole.
bool is_strict_set(const value::Object& meta);

// Whether a value contains any rules.
bool has_rules(const value::Value& value);
// A copy of the value without any rules ($meta, markers, $arrayMeta) in it.
value::Value without_rules(const value::Value& value);

// Whether a member of a rules node is true; false for nullptr.
bool is_true(const value::Value* object, std::string_view key) noexcept;

}  // namespace arbiter::engine::internal
