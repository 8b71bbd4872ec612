#include "conflict/check.h"

#include <algorithm>

#include "conflict/internal/analysis.h"

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
    internal::Analysis analysis(input);
    const std::string_view text = analysis.text();
    Report report;
    report.observations = std::move(analysis.observations());
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
