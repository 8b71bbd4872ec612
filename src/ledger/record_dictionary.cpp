#include "ledger/record_dictionary.h"

#include <array>

namespace arbiter::ledger {
namespace {

// The most frequent words are last: a match is cheaper the nearer it is.

constexpr std::string_view kReplay1 =
    R"("tokens":0,"failed":[],"globals":{},"edit":"","actor_id":"","settings_revision":0,)"
    R"("host":{"before":{"protocols":{},"after":{}},"tool":"","args":{"character_id":"","delta":0,)"
    R"("reason":""},"id":"","arithmetic":"subtract","merge":"shallow","from":["],"metadata":{},)"
    R"("options":{"old":true,"key":"","value":null,"value":false,"transaction":true,"batch":1,)"
    R"("warnings":["],"problems":[["],"flags":["creates","coerces","overwrites","forgiving","all",)"
    R"("in_save","nulls","dotted","digits_name"],"dialect":"tavern","dialect":"json",)"
    R"("dialect":"patch","dialect":"memory","dialect":"filament","dialect":"tool",)"
    R"("mount":"character","mount":"status","mount":"assets","described":"numbers",)"
    R"("described":"modules","op":"insert","op":"delete","op":"push","op":"merge","op":"add",)"
    R"("verb":"update","verb":"delta","verb":"replace","verb":"tool_call",{"kind":"remove","path":[)"
    R"({"v":1,"campaign":"","parent":"","number":1,"actor":"AI","time":1794832448588,"batch":"1-)"
    R"(","shown":"","proposals":[{"dialect":"mvu","mount":"mvu","described":"mvu","flags":[)"
    R"("creates","coerces","dotted","digits_name"],"op":"increment","path":["","value":1,)"
    R"("reason":"","verb":"add","span":[1254,1351]},{"op":"set","path":["","value":"","reason":"",)"
    R"("verb":"set","span":[1352,1433]}],"document":[{"kind":"add","path":["","position":0,)"
    R"("after":{"},{"kind":"replace","path":["","before":"","after":""},{"kind":"replace","path":[")"
    R"(","before":4,"after":11}],"meta":[],"state":"","rules":{"profile ":"","rulebook ":"",)"
    R"("protocols":"","tools":""},"extra":{},"body":")";
constexpr std::string_view kDetails1 =
    R"("notes":{"trace":[{"raw":"","feedback":{"tokens":0}],"actions":[{"kind":"tool","tool":"",)"
    R"("args":{"},{"kind":"command","actor":"AI","op":"set","path":["],"changes":[]}]},"options":{)"
    R"("status":"rejected","status":"skipped","status":"failed","code":"not_allowed","text":{"en":")"
    R"(","zh":"","effect":"","rule":"","book":"","warnings":["],"actor":"system","actor":"user",)"
    R"("action":"update","action":"push","op":"push",{"said":"","raw":"","audit":[{"opId":"1-)"
    R"(","time":"2026-11-16T12:34:08.588Z","actor":"AI","action":"set","key":"",)"
    R"("status":"applied","op":"set","before":4,"after":11,"reason":"","dialect":"mvu","span":[)"
    R"(1254,1351],"changes":[{"kind":"replace","path":["","before":4,"after":11}]},{"opId":"1-)"
    R"(","time":"2026-11-16T12:34:08.588Z","actor":"AI","action":"add","key":"",)"
    R"("status":"applied","op":"increment","before":45,"after":37,"reason":"","dialect":"mvu",)"
    R"("span":[1352,1433],"changes":[{"kind":"replace","path":["","before":"","after":""}]}]})";

constexpr std::string_view kReplay2 =
    R"("tool":"","args":{"character_id":"","target_character_id":"","delta":-1,"cause":"","count":1,)"
    R"("actor_id":"","from_area_id":"","to_area_id":"","path_id":"","item_id":"","dice":"2d6",)"
    R"("purpose":"","reason":""},"id":"call_1","arithmetic":"subtract","merge":"shallow","from":[")"
    R"(],"metadata":{},"options":{"old":true,"key":"","value":null,"value":false,)"
    R"("transaction":true,"batch":1,"warnings":["],"problems":[["],"flags":["creates","coerces",)"
    R"("overwrites","forgiving","all","in_save","nulls","dotted","digits_name"],"dialect":"tavern",)"
    R"("dialect":"json","dialect":"patch","dialect":"memory","dialect":"filament","dialect":"tool",)"
    R"("mount":"character","mount":"status","mount":"assets","described":"numbers",)"
    R"("described":"modules","op":"insert","op":"delete","op":"push","op":"merge","op":"add",)"
    R"("verb":"update","verb":"delta","verb":"replace","verb":"tool_call","globals":{},"usage":{)"
    R"("tokens":1024,"calls":1},"failed":[{"tool":"","key":"","reason":"","error":false}],)"
    R"("host":{"before":{"protocols":{},"after":{"spent":{"tokens":1024,"calls":1}}},"edit":"",)"
    R"({"v":2,"campaign":"","parent":"","number":1,"actor":"system","actor":"user","actor":"AI",)"
    R"("time":1794832448588,"batch":"1-","shown":"","proposals":[{"dialect":"mvu","mount":"mvu",)"
    R"("described":"mvu","flags":["creates","coerces","dotted","digits_name"],"op":"increment",)"
    R"("path":["","value":1,"reason":"","verb":"add","span":[1254,1351]},{"op":"set","path":["",)"
    R"("value":"","reason":"","verb":"set","span":[1352,1433]}],"state":"","rules":{"profile ":"",)"
    R"("rulebook ":"","protocols":"","tools":"","card":""},"details":""}{"steps":[[{"kind":"remove",)"
    R"("path":["campaign","characters","","hp","current"],"position":0,"before":{}}],[{"kind":"add",)"
    R"("path":["campaign","rolls","position":0,"after":{"}],[{"kind":"replace","path":["campaign",)"
    R"("turn"],"before":1,"after":2}],[{"kind":"replace","path":["","before":"","after":""}],[)"
    R"({"kind":"replace","path":["","before":4,"after":11}]],"meta":[{"kind":"replace","path":[")"
    R"(spent","tokens"],"before":1024,"after":2048}]})";
constexpr std::string_view kDetails2 =
    R"("trace":[{"raw":"","tokens":1024,"feedback":{}}],"action":{"kind":"settings","actor_id":"",)"
    R"("settings_revision":0,"actions":[0,1,2,3,4,5,6,7,[8,{"kind":"tool","id":"call_1","tool":"",)"
    R"("args":{},"result":{"character_id":"","total":7},"actor_id":"","time":""}]],"options":{)"
    R"("warnings":["],"tags":["],"metadata":{},"leftOut":["],"softDelete":false,"action":"expire",)"
    R"("status":"rejected","status":"rolled_back","status":"skipped","status":"failed",)"
    R"("code":"not_allowed","code":"not_found","code":"bad_value","dialect":"tavern",)"
    R"("dialect":"json","dialect":"patch","dialect":"memory","dialect":"filament","dialect":"tool",)"
    R"("actor":"system","action":"set","key":"campaign.","reason":"table.settle",)"
    R"("reason":"table.close","actor":"user","action":"update","action":"push","op":"push",)"
    R"({"said":"","raw":"","audit":[{"opId":"1-","time":"2026-11-16T12:34:08.588Z","actor":"AI",)"
    R"("action":"set","key":"","status":"applied","op":"set","before":4,"after":11,"reason":"",)"
    R"("dialect":"mvu","span":[1254,1351]},{"opId":"1-","time":"2026-11-16T12:34:08.588Z",)"
    R"("actor":"AI","action":"add","key":"","status":"applied","op":"increment","before":45,)"
    R"("after":37,"reason":"","dialect":"mvu","span":[1352,1433]}],"actions":[0,1,2,3,4,5,6,7]})";

constexpr std::string_view kReplay3 =
    R"("tool":"","args":{"character_id":"","target_character_id":"","delta":-1,"cause":"","count":1)"
    R"(,"actor_id":"","from_area_id":"","to_area_id":"","path_id":"","item_id":"","dice":"2d6","pur)"
    R"(pose":"","reason":""},"id":"call_1","arithmetic":"subtract","merge":"shallow","from":["],"me)"
    R"(tadata":{},"options":{"old":true,"key":"","value":null,"value":false,"transaction":true,"bat)"
    R"(ch":1,"warnings":["],"problems":[["],"flags":["creates","coerces","overwrites","forgiving",")"
    R"(all","in_save","nulls","dotted","digits_name"],"dialect":"tavern","dialect":"json","dialect")"
    R"(:"patch","dialect":"memory","dialect":"filament","dialect":"tool","mount":"character","mount)"
    R"(":"status","mount":"assets","described":"numbers","described":"modules","op":"insert","op":")"
    R"(delete","op":"push","op":"merge","op":"add","verb":"update","verb":"delta","verb":"replace",)"
    R"("verb":"tool_call","globals":{},"usage":{"tokens":1024,"calls":1},"story":420,"failed":[{"to)"
    R"(ol":"","key":"","reason":"","error":false}],"host":{"before":{"protocols":{},"after":{"spent)"
    R"(":{"tokens":1024,"calls":1}}},"edit":"",{"v":3,"campaign":"","parent":"","number":1,"actor":)"
    R"("system","actor":"user","actor":"AI","time":1794832448588,"revision":4,"batch":"1-","shown":)"
    R"("","proposals":[{"dialect":"mvu","mount":"mvu","described":"mvu","flags":["creates","coerces)"
    R"(","dotted","digits_name"],"op":"increment","path":["","value":1,"reason":"","verb":"add","sp)"
    R"(an":[1254,1351]},{"op":"set","path":["","value":"","reason":"","verb":"set","span":[1352,143)"
    R"(3]}],"state":"","rules":{"profile ":"","rulebook ":"","protocols":"","tools":"","card":""},")"
    R"(details":""}{"steps":[[{"kind":"remove","path":["campaign","characters","","hp","current"],")"
    R"(position":0,"before":{}}],[{"kind":"add","path":["campaign","rolls","position":0,"after":{"})"
    R"(],[{"kind":"replace","path":["campaign","turn"],"before":1,"after":2}],[{"kind":"replace","p)"
    R"(ath":["","before":"","after":""}],[{"kind":"replace","path":["","before":4,"after":11}]],"me)"
    R"(ta":[{"kind":"replace","path":["spent","tokens"],"before":1024,"after":2048}]})";
constexpr std::string_view kDetails3 =
    R"("trace":[{"raw":"","tokens":1024,"feedback":{}}],"action":{"kind":"settings","rounds":[[120,)"
    R"(1]],"key":{"id":"","request":""},"continues":"","told":"","options":{"warnings":["],"tags":[)"
    R"("],"metadata":{},"leftOut":["],"softDelete":false,"action":"expire","status":"skipped","stat)"
    R"(us":"failed","status":"rolled_back","code":"not_allowed","code":"not_found","code":"bad_valu)"
    R"(e","code":"type_mismatch","expected":"","actual":"","details":["],"dialect":"tavern","dialec)"
    R"(t":"json","dialect":"patch","dialect":"memory","dialect":"filament","dialect":"tool","actor")"
    R"(:"system","actor":"user","action":"update","action":"push","op":"push","large":["before","af)"
    R"(ter"],["campaign","areas","exits","items","count","alive_state":"alive","hp":{"current":10,")"
    R"(max":12},<tool_call>{\"tool\":\"move\",\"args\":{\"actor_id\":\"\",\"target_character_id\":\)"
    R"("\",\"delta\":-1,\"cause\":\"\"},\"id\":\"a\"}</tool_call>\n<UpdateVariable>\n<Analysis>\n</)"
    R"(Analysis>\n<JSONPatch>[{\"op\":\"replace\",\"path\":\"/\",\"value\":</JSONPatch>\n_.add('', )"
    R"(1);//\n_.set('', '');//\n</UpdateVariable>{"said":"","raw":"","audit":[{"opId":"1-","time":")"
    R"(2026-11-16T12:34:08.588Z","actor":"AI","action":"set","key":"","status":"rejected","op":"set)"
    R"(","before":4,"after":11,"value":1,"reason":"","dialect":"mvu","span":[1254,1351]},[1,{"op":")"
    R"(set","key":"","before":"","after":""}],[2,{"key":"campaign.","before":4,"after":4}],0,1,2,3,)"
    R"(4,5,6,7,8,9,"table.settle","table.close","table.close",["table.close",{"key":"campaign.miles)"
    R"(tone","before":{"value":0,"last_advanced_at_turn":0,"advance_policy":{"type":"by_turn_count")"
    R"(,"threshold":6},"tokens":420,"summary_version":0},"after":{"value":0,"last_advanced_at_turn")"
    R"(:0,"advance_policy":{"type":"by_turn_count","threshold":6},"tokens":840,"summary_version":0})"
    R"(}]],"actions":[0,1,2,3,4,5,6,7,[8,{"kind":"tool","id":"","tool":"","args":{"target_character)"
    R"(_id":"","delta":1,"cause":""},"result":{"target_character_id":"","old":10,"new":11,"requeste)"
    R"(d":1,"applied_delta":1,"alive_state":"alive","cause":""},"actor_id":"","time":"2026-11-16T12)"
    R"(:34:08.588Z"}],9,10,11],"actor_id":"","settings_revision":1})";

}  // namespace

std::string_view replay_dictionary(int format) noexcept {
    return std::array{kReplay1, kReplay2, kReplay3}[static_cast<std::size_t>(format - 1)];
}

std::string_view details_dictionary(int format) noexcept {
    return std::array{kDetails1, kDetails2, kDetails3}[static_cast<std::size_t>(format - 1)];
}

}  // namespace arbiter::ledger
