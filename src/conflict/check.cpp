#include "conflict/check.h"

#include <algorithm>
#include <tuple>

#include "base/limits.h"
#include "conflict/internal/items.h"
#include "conflict/internal/lives.h"
#include "conflict/internal/places.h"
#include "conflict/internal/quantities.h"
#include "conflict/internal/sheets.h"
#include "conflict/internal/worlds.h"
#include "text/truncate.h"

namespace arbiter::conflict {
namespace {

// One finding for each (type, target), the first of them.
void add(std::vector<Finding>& findings, Finding finding) {
    const bool known = std::ranges::any_of(findings, [&](const Finding& each) {
        return each.type == finding.type && each.target == finding.target;
    });
    if (!known) {
        findings.push_back(std::move(finding));
    }
}

}  // namespace

Report check_text(const Input& input) {
    const std::string_view text = text::truncate(input.narrative, base::kReplyBytesMax);
    const internal::Names names(input.truth, input.lexicon);
    const internal::Prose prose = internal::parse_prose(text, names, input.lexicon);
    const internal::People people(input.truth, prose, names);
    const internal::Mood mood(prose);
    const internal::SettledChanges settled = internal::settled_changes(input.truth, input.actions);
    Report report;
    const internal::Context at{input.truth,        settled, prose, names, people, mood,
                               report.observations};
    internal::find_quantities(at);
    internal::find_places(at);
    internal::find_lives(at);
    internal::find_sheets(at);
    internal::find_items(at);
    internal::find_worlds(at);
    std::ranges::sort(report.observations, {}, [](const Observation& seen) {
        return std::tuple(seen.begin, seen.end, seen.type, std::string_view(seen.found));
    });
    for (const Observation& seen : report.observations) {
        if (seen.reading != Reading::kContradicted || seen.confidence < input.min_confidence) {
            continue;
        }
        Finding finding;
        finding.type = seen.type;
        finding.begin = seen.begin;
        finding.end = seen.end;
        finding.quote = text.substr(seen.begin, seen.end - seen.begin);
        finding.expected = seen.expected;
        finding.found = seen.found;
        finding.confidence = seen.confidence;
        if (seen.targets.empty()) {
            add(report.findings, finding);
        }
        for (const std::string& target : seen.targets) {
            finding.target = target;
            add(report.findings, finding);
        }
    }
    return report;
}

}  // namespace arbiter::conflict
