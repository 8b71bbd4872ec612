#include "value/preview.h"

#include "text/truncate.h"
#include "value/json.h"

namespace arbiter::value {

std::string preview(const Value& value, std::size_t bytes_max) {
    return text::truncate_with_ellipsis(print_json(value), bytes_max);
}

}  // namespace arbiter::value
