// ZodNode: a schema of MVU zod as data, as far as it could be read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "value/value.h"

namespace arbiter::card::internal {

struct ZodNode {
    // The types that a value may have. None: any.
    bool number = false;
    bool whole = false;  // of a number
    bool text = false;
    bool flag = false;
    bool list = false;
    bool object = false;  // also a record
    bool null = false;
    bool coerces = false;  // other types are converted

    std::vector<value::Value> choices = {};  // the only values; empty: any
    std::optional<double> min = {};
    std::optional<double> max = {};
    bool clamps = false;  // a number outside is cut instead of refused

    bool optional = false;
    std::optional<value::Value> preset = {};  // of a missing value
    bool parses_preset = false;               // prefault: the preset is read by the schema too

    // Members of an object, in their order.
    std::vector<std::pair<std::string, std::shared_ptr<const ZodNode>>> members = {};
    bool open = true;                             // other members may exist
    std::shared_ptr<const ZodNode> element = {};  // of a list or record
    std::vector<std::string> keys = {};           // the only keys of a record; empty: any

    [[nodiscard]] bool is_any() const noexcept {
        return !number && !text && !flag && !list && !object;
    }
};

// Makes a schema cut its numbers to bounds; the bounds that are nothing stay. The second is about a
// member, and false if there is no such member.
void cut_to(ZodNode& node, std::optional<double> min, std::optional<double> max);
bool cut_member(ZodNode& node, std::span<const std::string> keys, std::optional<double> min,
                std::optional<double> max);

// A number of a script; a whole one as an integer.
value::Value zod_number(double number);

}  // namespace arbiter::card::internal
