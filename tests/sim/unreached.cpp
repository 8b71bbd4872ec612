#include "tests/sim/unreached.h"

#include <array>

namespace arbiter::sim {

namespace {

struct Row {
    std::string_view kind;
    std::string_view name;    // a trailing '*': every name that begins so
    std::string_view reason;  // empty: it is reached, other than the names of a later row
    bool is_rare = false;     // reached in some runs of a million turns, and not in others
};
// The first that fits counts.
constexpr auto kRows = std::to_array<Row>({
    {"error", "protocol_unknown", ""},
    {"error", "greeting_unknown", ""},
    {"error", "greeting_too_late", ""},
    {"error", "turn_unknown", ""},
    {"error", "turn_ambiguous", ""},
    {"error", "turn_uncertain", ""},
    {"error", "store_failed", ""},
    {"error", "store_full", ""},
    {"error", "store_busy", ""},
    {"error", "store_read_only", ""},
    {"error", "not_container", "a player seldom overwrites the table before changing it", true},
    {"error", "record_too_large", "a reply seldom doubles a node so often", true},
    {"error", "log_damaged_here", "flips that the log shows are rare (tests/ledger)", true},
    {"error", "json_*", "documents of files are not played (tests/value)"},
    {"error", "path_*", "paths of files are not played (tests/value)"},
    {"error", "pattern_*", "rulebooks are fixed (tests/rules)"},
    {"error", "formula_*", "rulebooks are fixed (tests/rules)"},
    {"error", "rule_cycle", "rulebooks are fixed (tests/rules)"},
    {"error", "too_many_rules", "rulebooks are fixed (tests/rules)"},
    {"error", "limit_without_bound", "rulebooks are fixed (tests/rules)"},
    {"error", "bounds_crossed", "rulebooks are fixed (tests/rules)"},
    {"error", "number_in_words", "rulebooks are fixed (tests/rules)"},
    {"error", "unknown_root", "rulebooks are fixed (tests/rules)"},
    {"error", "not_computed", "rulebooks are fixed (tests/rules)"},
    {"error", "unknown_calendar", "rulebooks are fixed (tests/rules)"},
    {"error", "unknown_profile", "profiles are named by the generator (tests/config)"},
    {"error", "unknown_rulebook", "profiles are named by the generator (tests/config)"},
    {"error", "profile_extends", "profiles are named by the generator (tests/config)"},
    {"error", "text_too_long", "files are fixed (tests/config)"},
    {"error", "missing_key", "files are fixed (tests/config)"},
    {"error", "more_faults", "files are fixed (tests/config)"},
    {"error", "too_deep", "becomes a verdict (tests/engine)"},
    {"error", "key_too_long", "becomes a verdict (tests/engine)"},
    {"error", "index_range", "becomes a verdict (tests/engine)"},
    {"error", "bad_position", "becomes a verdict (tests/engine)"},
    {"error", "key_exists", "becomes a verdict (tests/engine)"},
    {"error", "root_erase", "becomes a verdict (tests/engine)"},
    {"error", "diff_*", "records that do not fit are damage (tests/ledger)"},
    {"error", "record_field", "records that do not fit are damage (tests/ledger)"},
    {"error", "record_too_*", "takes tens of megabytes (tests/ledger)"},
    {"error", "state_too_large", "takes tens of megabytes (tests/ledger)"},
    {"error", "not_utf8", "texts are repaired before (tests/turn)"},
    {"error", "regex_*", "patterns are fixed (tests/text)"},
    {"error", "write_*", "nothing is converted (tests/writer)"},
    {"error", "yaml_*", "files are fixed (tests/config)"},
    {"error", "calendar_*", "calendars are fixed (tests/calendar)"},
    {"error", "date_*", "dates of formulas (tests/calendar)"},
    {"error", "turn_*", "transcripts are not read (tests/transcript)"},
    {"error", "lore_*", "no lore is added (tests/prompt)"},
    {"error", "protocol_*", "the library is fixed (tests/protocol)"},
    {"error", "png_*", "the card is fixed (tests/card)"},
    {"error", "card_*", "the card is fixed (tests/card)"},
    {"error", "initvar_*", "the card is fixed (tests/card)"},
    {"error", "store_*", "the store has one file, which is its own (tests/ledger)"},
    {"error", "log_*", "flips that the log shows are rare (tests/ledger)"},
    {"error", "campaign_name", "campaigns are not renamed (tests/ledger)"},
    {"error", "delete_unsure", "a question of the command (tests/e2e)"},
    {"error", "no_campaigns", "a question of the command (tests/e2e)"},
    {"error", "which_campaign", "a question of the command (tests/e2e)"},
    {"error", "no_narrator", "a question of the command (tests/e2e)"},
    {"error", "model_cancelled", "becomes the status of a turn (tests/turn)"},
    {"error", "script_silent", "no scripted model is asked (tests/model)"},
    {"error", "tool_*", "the tools are fixed (tests/table)"},
    {"error", "name_taken", "the tools are fixed (tests/table)"},
    {"error", "unknown_tool", "the tools are fixed (tests/table)"},
    {"error", "setting_*", "the settings are fixed (tests/table)"},
    {"error", "dialog_incomplete", "the dialog types are fixed (tests/table)"},
    {"error", "map_broken", "a wrong map of a template is a bad field (tests/table)"},
    {"error", "authority_row", "a player seldom overwrites the rows of the table", true},
    {"error", "file_*", "no file is read (tests/config)"},
    {"error", "unknown_command", "no command line is read (tests/e2e)"},
    {"error", "unknown_option", "no command line is read (tests/e2e)"},
    {"error", "missing_argument", "no command line is read (tests/e2e)"},
    {"error", "missing_value", "no command line is read (tests/e2e)"},
    {"error", "bad_option_value", "no command line is read (tests/e2e)"},
    {"error", "no_option_value", "no command line is read (tests/e2e)"},
    {"error", "twice_stdin", "no command line is read (tests/e2e)"},
    {"error", "too_many_arguments", "no command line is read (tests/e2e)"},
    {"error", "url_malformed", "there is no network (tests/net)"},
    {"error", "address_malformed", "there is no network (tests/net)"},
    {"error", "listen_*", "there is no network (tests/net)"},
    {"error", "host_*", "there is no network (tests/net)"},
    {"error", "connect_failed", "there is no network (tests/net)"},
    {"error", "tls_failed", "there is no network (tests/net)"},
    {"error", "net_timeout", "there is no network (tests/net)"},
    {"error", "connection_lost", "there is no network (tests/net)"},
    {"error", "http_*", "there is no network (tests/net)"},
    {"error", "route_unknown", "no request of the API is made (tests/server)"},
    {"error", "method_not_allowed", "no request of the API is made (tests/server)"},
    {"error", "media_type_refused", "no request of the API is made (tests/server)"},
    {"error", "unknown_field", "no request of the API is made (tests/server)"},
    {"error", "field_*", "no request of the API is made (tests/server)"},
    {"error", "bad_parameter", "no request of the API is made (tests/server)"},
    {"error", "token_*", "no request of the API is made (tests/server)"},
    {"error", "scope_missing", "no request of the API is made (tests/server)"},
    {"error", "origin_refused", "no request of the API is made (tests/server)"},
    {"error", "rate_limited", "no request of the API is made (tests/server)"},
    {"error", "overloaded", "no request of the API is made (tests/server)"},
    {"error", "server_stopping", "no request of the API is made (tests/server)"},
    {"error", "no_model", "no request of the API is made (tests/server)"},
    {"error", "state_changed", "no request of the API is made (tests/server)"},
    {"error", "nothing_withheld", "no request of the API is made (tests/server)"},
});

bool fits(std::string_view pattern, std::string_view name) noexcept {
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                                  : name == pattern;
}

}  // namespace

Expectation expectation_of(std::string_view kind, std::string_view name) noexcept {
    for (const Row& row : kRows) {
        if (row.kind == kind && fits(row.name, name)) {
            return {row.reason, row.is_rare};
        }
    }
    return {};
}

}  // namespace arbiter::sim
