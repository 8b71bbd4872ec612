#include "reader/internal/component.h"

#include <string>

#include "reader/blanks.h"
#include "reader/internal/glyph.h"
#include "reader/literal.h"
#include "value/object.h"

namespace arbiter::reader::internal {
namespace {

// Elements without a closing tag before the search gives up, which keeps it linear.
constexpr std::size_t kOpenElementsMax = 48;

bool is_name_byte(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-';
}

}  // namespace

value::Array component_children(std::string_view content) {
    value::Array children;
    std::size_t open = 0;
    std::size_t at = 0;
    while ((at = content.find('<', at)) != std::string_view::npos) {
        std::size_t name_end = at + 1;
        while (name_end < content.size() && is_name_byte(content[name_end])) {
            ++name_end;
        }
        const std::string name(content.substr(at + 1, name_end - at - 1));
        const std::size_t open_end = content.find('>', name_end);
        if (name.empty() || open_end == std::string_view::npos) {
            ++at;
            continue;
        }
        const std::string closer = "</" + name + ">";
        const std::size_t close = content.find(closer, open_end);
        if (close == std::string_view::npos) {
            at = open_end;
            if (++open > kOpenElementsMax) {
                break;
            }
            continue;
        }
        children = std::move(children).push_back(
            value::Object{{"tag", std::string_view(name)},
                          {"content", trim(content.substr(open_end + 1, close - open_end - 1))}});
        at = close + closer.size();
    }
    return children;
}

}  // namespace arbiter::reader::internal
