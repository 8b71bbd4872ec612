#include "ledger/record_dictionary.h"

namespace arbiter::ledger {
namespace {

// The most frequent words stand last: a match is cheaper the nearer it is.

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

}  // namespace

std::string_view replay_dictionary(int format) noexcept {
    return format == 1 ? kReplay1 : kReplay2;
}

std::string_view details_dictionary(int format) noexcept {
    return format == 1 ? kDetails1 : kDetails2;
}

}  // namespace arbiter::ledger
