#include "cli/card_report.h"

#include <algorithm>
#include <array>
#include <vector>

#include "cli/cards.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::cli {

using card::ImportNote;
using Fate = ImportNote::Fate;

namespace {

// More names than this on one line are counted.
constexpr std::size_t kNamesMax = 12;

base::TextView words_of(Fate fate) {
    switch (fate) {
        case Fate::kApplied:
            return {"applied", "已应用"};
        case Fate::kChanged:
            return {"applied in part", "部分应用"};
        case Fate::kIgnored:
            return {"not taken over", "未采用"};
    }
    return {};
}

Color color_of(Fate fate) {
    return fate == Fate::kApplied   ? Color::kGreen
           : fate == Fate::kChanged ? Color::kCyan
                                    : Color::kYellow;
}

struct Group {
    const ImportNote* first;
    std::vector<std::string_view> names;
};

std::vector<Group> grouped(std::span<const ImportNote> notes) {
    std::vector<Group> groups;
    for (const ImportNote& note : notes) {
        const auto same = std::ranges::find_if(groups, [&](const Group& group) {
            return group.first->fate == note.fate && group.first->code == note.code &&
                   group.first->reason == note.reason;
        });
        Group& group = same == groups.end() ? groups.emplace_back(&note) : *same;
        group.names.push_back(note.name);
    }
    return groups;
}

std::string names_of(const Console& console, const Group& group) {
    std::string names;
    for (std::size_t i = 0; i < std::min(group.names.size(), kNamesMax); ++i) {
        names += (i == 0 ? "" : console.say({", ", "、"}));
        names += first_words(group.names[i]);
    }
    if (group.names.size() > kNamesMax) {
        const std::string words[] = {std::to_string(group.names.size() - kNamesMax)};
        names += base::format_message(console.say({" and {0} more", " 等另外 {0} 项"}), words);
    }
    return names;
}

}  // namespace

std::string report_lines(const Console& console, std::span<const ImportNote> notes) {
    const std::vector<Group> groups = grouped(notes);
    std::string out;
    for (const Fate fate : {Fate::kApplied, Fate::kChanged, Fate::kIgnored}) {
        for (const Group& group : groups) {
            if (group.first->fate != fate) {
                continue;
            }
            const std::string words[] = {
                console.painted(console.say(words_of(fate)), color_of(fate)), group.first->code,
                names_of(console, group), on_one_line(group.first->reason.in(console.language))};
            out += base::format_message(console.say({"{0}  {1} {2}: {3}\n", "{0}  {1} {2}：{3}\n"}),
                                        words);
        }
    }
    return out;
}

}  // namespace arbiter::cli
