#include "value/described.h"

#include "value/array.h"

namespace arbiter::value {

bool is_described(const Value& value) noexcept {
    if (!value.is_array() || value.as_array().size() != 2) {
        return false;
    }
    const Array& pair = value.as_array();
    return pair[1].is_string() && !pair[0].is_array();
}

const Value& undescribed(const Value& value) noexcept {
    return is_described(value) ? value.as_array()[0] : value;
}

}  // namespace arbiter::value
