#include "cli/json_lines.h"

#include "base/limits.h"
#include "text/split.h"
#include "value/json.h"

namespace arbiter::cli {

bool read_json_lines(const Console& console,
                     const std::function<void(const base::Result<value::Value>&)>& take) {
    const auto text = read_file(console, "-", base::kBatchBytesMax);
    if (!text) {
        report(console, text.error(), "<stdin>", {});
        return false;
    }
    for (const std::string_view line : text::split(*text, "\n")) {
        if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
            take(value::parse_json(line));
        }
    }
    return true;
}

std::string json_line(const value::Object& object) {
    return value::print_json(value::Value(object)) + "\n";
}

}  // namespace arbiter::cli
