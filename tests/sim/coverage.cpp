#include "tests/sim/coverage.h"

#include <charconv>
#include <set>
#include <vector>

#include "base/messages.h"
#include "config/tools.h"
#include "conflict/finding.h"
#include "proposal/code.h"
#include "proposal/operations.h"
#include "tests/sim/unreached.h"

namespace arbiter::sim {

void Coverage::count(std::string_view kind, std::string_view name, std::uint64_t times) {
    auto found = counts_.find(kind);
    if (found == counts_.end()) {
        found =
            counts_.emplace(std::string(kind), std::map<std::string, std::uint64_t, std::less<>>())
                .first;
    }
    const auto at = found->second.find(name);
    if (at == found->second.end()) {
        found->second.emplace(std::string(name), times);
    } else {
        at->second += times;
    }
}

void Coverage::add(const Coverage& other) {
    for (const auto& [kind, names] : other.counts_) {
        for (const auto& [name, times] : names) {
            count(kind, name, times);
        }
    }
}

std::uint64_t Coverage::of(std::string_view kind, std::string_view name) const {
    const auto found = counts_.find(kind);
    if (found == counts_.end()) {
        return 0;
    }
    const auto at = found->second.find(name);
    return at == found->second.end() ? 0 : at->second;
}

std::string Coverage::print() const {
    std::string all;
    for (const auto& [kind, names] : counts_) {
        for (const auto& [name, times] : names) {
            all += kind + '\t' + name + '\t' + std::to_string(times) + '\n';
        }
    }
    return all;
}

void Coverage::read(std::string_view lines) {
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(lines.size(), line.size() + 1));
        const std::size_t first = line.find('\t');
        const std::size_t last = line.rfind('\t');
        if (first == std::string_view::npos || first == last) {
            continue;
        }
        std::uint64_t times = 0;
        std::from_chars(line.data() + last + 1, line.data() + line.size(), times);
        count(line.substr(0, first), line.substr(first + 1, last - first - 1), times);
    }
}

namespace {

struct Wanted {
    std::string kind;
    std::vector<std::string> names;
};

// Everything that there is to reach, by the registries of the product.
std::vector<Wanted> wanted() {
    std::vector<Wanted> all;
    std::vector<std::string> names;
    const auto add = [&](std::string kind) {
        all.push_back({std::move(kind), std::move(names)});
        names.clear();
    };
    for (const proposal::CodeRow& row : proposal::codes()) {
        names.emplace_back(row.name);
    }
    add("code");
    for (const proposal::WarningRow& row : proposal::warnings()) {
        names.emplace_back(row.name);
    }
    add("warning");
    for (const proposal::Operation& row : proposal::operations()) {
        names.emplace_back(row.name);
    }
    add("operation");
    for (int i = 0; i < static_cast<int>(proposal::Dialect::kCount); ++i) {
        names.emplace_back(proposal::name(static_cast<proposal::Dialect>(i)));
    }
    add("dialect");
    for (int i = 0; i <= static_cast<int>(conflict::Type::kOther); ++i) {
        names.emplace_back(conflict::name(static_cast<conflict::Type>(i)));
    }
    add("conflict");
    const auto registries = config::built_in_registries();
    for (const table::Tool& tool : registries->tools.all()) {
        names.push_back(tool.name);
    }
    add("tool");
    for (const table::SettingDefinition& each : registries->settings.all()) {
        names.push_back(each.key);
    }
    add("setting");
    for (const table::DialogType& each : registries->dialogs.all()) {
        names.push_back(each.id);
    }
    add("dialog type");
    names = {"by_turn_count", "by_token_estimate", "by_summary_version"};
    add("milestone");
    for (int i = 0; i < static_cast<int>(base::ErrorCode::kCount); ++i) {
        names.emplace_back(base::name(static_cast<base::ErrorCode>(i)));
    }
    add("error");
    return all;
}

}  // namespace

std::vector<std::string> Coverage::gaps() const {
    std::vector<std::string> gaps;
    for (const Wanted& each : wanted()) {
        for (const std::string& name : each.names) {
            const bool is_reached = of(each.kind, name) > 0;
            const auto [reason, is_rare] = expectation_of(each.kind, name);
            if (!is_reached && reason.empty()) {
                gaps.push_back(each.kind + " " + name + " was not reached");
            } else if (is_reached && !reason.empty() && !is_rare) {
                gaps.push_back(each.kind + " " + name + " was reached, unreached.cpp lists it");
            }
        }
    }
    return gaps;
}

std::string Coverage::report(bool is_long) const {
    std::string text;
    std::set<std::string> listed;
    for (const Wanted& each : wanted()) {
        listed.insert(each.kind);
        std::vector<std::string> missing;
        std::map<std::string, int> explained;
        std::size_t reached = 0;
        for (const std::string& name : each.names) {
            if (of(each.kind, name) > 0) {
                ++reached;
            } else if (const auto expected = expectation_of(each.kind, name);
                       !expected.reason.empty()) {
                ++explained[std::string(expected.reason)];
            } else {
                missing.push_back(name);
            }
        }
        text += each.kind + ": " + std::to_string(reached) + " of " +
                std::to_string(each.names.size()) + " reached";
        if (!missing.empty()) {
            text += "; not:";
            for (const std::string& name : missing) {
                text += " " + name;
            }
        }
        text += "\n";
        for (const auto& [reason, count] : explained) {
            text += "    " + std::to_string(count) + " not, because " + reason + "\n";
        }
    }
    for (const auto& [kind, names] : counts_) {
        if (!is_long && kind != "fault") {
            continue;
        }
        text += kind + ":\n";
        for (const auto& [name, times] : names) {
            text += "    " + std::to_string(times) + " " + name + "\n";
        }
    }
    return text;
}

}  // namespace arbiter::sim
