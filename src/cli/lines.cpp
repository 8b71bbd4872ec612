#include "cli/lines.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace arbiter::cli {
namespace {

// Maximum size of the alignment table: 500 lines of each text.
constexpr std::size_t kCellsMax = 250'000;

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

}  // namespace

std::vector<Line> compare_lines(std::string_view before, std::string_view after) {
    const std::vector<std::string_view> a = split(before);
    const std::vector<std::string_view> b = split(after);
    std::vector<Line> out;
    const std::size_t width = b.size() + 1;
    if ((a.size() + 1) * width > kCellsMax) {
        for (const std::string_view line : a) {
            out.push_back({'-', line});
        }
        for (const std::string_view line : b) {
            out.push_back({'+', line});
        }
        return out;
    }
    // common[i * width + j]: length of the longest common subsequence of a[i..] and b[j..].
    std::vector<std::uint32_t> common((a.size() + 1) * width);
    for (std::size_t i = a.size(); i-- > 0;) {
        for (std::size_t j = b.size(); j-- > 0;) {
            common[i * width + j] =
                a[i] == b[j] ? common[(i + 1) * width + j + 1] + 1
                             : std::max(common[(i + 1) * width + j], common[i * width + j + 1]);
        }
    }
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() || j < b.size()) {
        if (i < a.size() && j < b.size() && a[i] == b[j]) {
            out.push_back({' ', a[i++]});
            ++j;
        } else if (i < a.size() &&
                   (j == b.size() || common[(i + 1) * width + j] >= common[i * width + j + 1])) {
            out.push_back({'-', a[i++]});
        } else {
            out.push_back({'+', b[j++]});
        }
    }
    return out;
}

}  // namespace arbiter::cli
