// The input is a program of lines: "+…" adds a keyword, "-…" removes one, all others are texts to
// search. A plain list must find the same. The parts of every text are keywords of it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/check.h"
#include "text/keyword_parts.h"
#include "text/keywords.h"

using namespace arbiter;

namespace {

// Lines cost a search of the plain list each; beyond this a run only gets slow.
constexpr std::size_t kLinesMax = 300;

bool may_be_keyword(std::string_view line) {
    return !line.empty() && (static_cast<std::uint8_t>(line[0]) & 0xC0U) != 0x80;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    text::Keywords keywords;
    std::map<std::string, text::Keywords::Id, std::less<>> plain;
    for (std::size_t number = 0; number < kLinesMax && !rest.empty(); ++number) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        const std::string_view word = line.substr(std::min<std::size_t>(1, line.size()));
        if (line.starts_with('+')) {
            const bool is_new = may_be_keyword(word) && !plain.contains(word);
            CHECK(!is_new || keywords.add(word, number));
            if (is_new) {
                plain.emplace(word, number);
            }
        } else if (line.starts_with('-')) {
            const auto found = plain.find(word);
            CHECK(keywords.remove(word, found == plain.end() ? 0 : found->second) ==
                  (found != plain.end()));
            if (found != plain.end()) {
                plain.erase(found);
            }
        } else {
            std::vector<text::Keywords::Id> wanted;
            for (const auto& [keyword, id] : plain) {
                if (line.find(keyword) != std::string_view::npos) {
                    wanted.push_back(id);
                }
            }
            std::ranges::sort(wanted);
            CHECK(keywords.find(line) == wanted);
            text::Keywords parts;
            for (const std::string_view part : text::keyword_parts(line)) {
                CHECK(part.data() >= line.data() && part.size() <= line.size());
                parts.add(part, 1);
            }
            CHECK(parts.find(line).size() == (parts.size() == 0 ? 0 : 1));
        }
        CHECK(keywords.size() == plain.size());
    }
    return 0;
}
