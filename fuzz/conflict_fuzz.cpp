// Any narration is checked against a small truth. Quotes are the bytes of their spans, and checking
// twice finds the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "conflict/check.h"
#include "value/json.h"

using namespace arbiter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const conflict::Truth truth = conflict::truth_of(*value::parse_json(R"({
        "characters": [{"character_id": "mo", "name": "莫青", "job": "镖师", "hp": {"current": 20,
            "max": 30}, "area_id": "inn", "inventory": {"铜钥匙": 1},
            "resources": {"mana": {"current": 4, "max": 8}}, "skills": [{"name": "追踪", "level": 2}]},
          {"character_id": "ann", "name": "Ann Voss", "hp": {"current": 0, "max": 12},
            "status": {"alive_state": "dead"}, "area_id": "mill"}],
        "areas": [{"area_id": "inn", "name": "青石客栈", "connects": ["mill"]},
                  {"area_id": "mill", "name": "Old Mill", "connects": ["inn"]}],
        "rules": ["夜里不得出城。"], "active_actor_id": "mo"})"));
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const conflict::Report report = conflict::check_text({truth, {}, text});
    for (const conflict::Finding& finding : report.findings) {
        CHECK(finding.begin < finding.end && finding.end <= text.size());
        CHECK(finding.quote == text.substr(finding.begin, finding.end - finding.begin));
    }
    CHECK(conflict::check_text({truth, {}, text}).findings == report.findings);
    return 0;
}
