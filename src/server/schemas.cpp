#include "server/schemas.h"

#include "base/check.h"
#include "value/json.h"

namespace arbiter::server {
namespace {

constexpr std::string_view kRequests = R"json({
"NewCampaign": {"type": "object", "additionalProperties": false, "properties": {
    "id": {"type": "string", "maxLength": 64, "description": "[a-z0-9_-]; default: made up"},
    "name": {"type": "string", "maxLength": 200},
    "profile": {"type": "string", "description": "GET /api/v1/profiles; default: what suits the card, else auto"},
    "state": {"type": "object", "description": "the document it begins with"},
    "table": {"anyOf": [{"type": "object"}, {"type": "string", "enum": ["demo"]}], "description": "a template of a tabletop, or demo"},
    "protocols": {"type": "array", "items": {"type": "string"}, "maxItems": 64},
    "settings": {"type": "object"},
    "card": {"type": "object", "description": "a character card in JSON; in a form the file itself: PNG, JSON, YAML or CHARX"},
    "greeting": {"type": "integer", "minimum": 0, "maximum": 1000000},
    "user": {"type": "string", "description": "the player's name"},
    "init": {"type": "boolean", "description": "fill in the blueprints of the rulebooks"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"CampaignName": {"type": "object", "additionalProperties": false, "required": ["name"], "properties": {
    "name": {"type": "string"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"NewProposal": {"type": "object", "additionalProperties": false, "description": "text, commands or both", "properties": {
    "text": {"type": "string", "description": "narrative with commands of any dialect"},
    "commands": {"type": "array", "items": {"$ref": "#/components/schemas/Command"}, "maxItems": 10000, "description": "instructions as results show them; judged behind those of the text"},
    "actor": {"type": "string", "enum": ["ai", "user"], "description": "default: ai"},
    "said": {"type": "string", "description": "the player's words before it"},
    "dry_run": {"type": "boolean", "description": "judge only, store nothing"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"Command": {"type": "object", "additionalProperties": false, "required": ["op", "path"], "properties": {
    "op": {"type": "string", "enum": ["set", "merge", "ensure", "add", "increment", "insert", "push", "pull", "pop", "splice", "delete", "move", "copy", "get", "callback", "test"]},
    "path": {"type": "array", "items": {"type": ["string", "integer"]}, "description": "names and indexes, from the root of the document"},
    "value": {"description": "of most operations"},
    "from": {"type": "array", "items": {"type": ["string", "integer"]}, "description": "of move and copy: the source"},
    "key": {"description": "of insert: the name or index; of delete: a name, an index or a value"},
    "old": {"description": "the value that you assume there; a difference is a warning, or a refusal under a strict profile"},
    "all": {"type": "boolean", "description": "of delete: the members, not the container"},
    "arithmetic": {"type": "string", "enum": ["+", "-", "*", "/"], "description": "of increment; default: +"},
    "options": {"type": "object", "description": "guards and modifiers, as in tavern_commands"},
    "reason": {"type": "string", "description": "for the audit"}}},
"SettingsPatch": {"type": "object", "additionalProperties": true, "description": "keys of settings with their new values; null resets one"},
"DialogType": {"type": "object", "additionalProperties": false, "required": ["type"], "properties": {
    "type": {"type": "string"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"ReportChoice": {"type": "object", "additionalProperties": false, "required": ["choice"], "properties": {
    "choice": {"type": "string", "enum": ["keep", "edit", "accept", "rollback"]},
    "text": {"type": "string", "description": "of edit: the narration in your words"},
    "to": {"type": ["string", "integer"], "description": "of rollback: the turn; default: the one before"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"CheckpointLabel": {"type": "object", "additionalProperties": false, "required": ["label"], "properties": {
    "label": {"type": "string"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"UpstreamRequest": {"type": "object", "additionalProperties": false, "required": ["url"], "properties": {
    "url": {"type": "string", "description": "such as http://127.0.0.1:8080/v1"},
    "model": {"type": "string", "description": "default: the only one of the server"},
    "key": {"type": "string", "description": "its API key; kept in a file that only the server's user can read"},
    "api_key_env": {"type": "string", "description": "or the variable with the key that the server was started with, for the same url"}}},
"TurnRequest": {"type": "object", "additionalProperties": false, "required": ["said"], "properties": {
    "said": {"type": "string", "description": "the player's words"},
    "stream": {"type": "boolean", "description": "answer with events while the model writes"},
    "drafts": {"type": "boolean", "description": "of guarded turns: stream text that may be withdrawn"},
    "after": {"$ref": "#/components/schemas/TurnId"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"RerollRequest": {"type": "object", "additionalProperties": false, "properties": {
    "turn": {"type": "string", "description": "an id, the beginning of one, a number or head~2; default: the newest reply"},
    "hint": {"type": "string", "maxLength": 2000, "description": "what the new version is to be like: shorter, in the evening …"},
    "stream": {"type": "boolean"}, "drafts": {"type": "boolean"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"TurnName": {"type": "object", "additionalProperties": false, "required": ["to"], "properties": {
    "to": {"type": ["string", "integer"], "description": "an id, the beginning of one, a number, head~2 or a label"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"Nothing": {"type": "object", "additionalProperties": false, "properties": {
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"CharacterName": {"type": "object", "additionalProperties": false, "required": ["character"], "properties": {
    "character": {"type": "string"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"CharacterChange": {"type": "object", "additionalProperties": false, "properties": {
    "hp": {"type": "integer"}, "area": {"type": "string"}, "alive_state": {"type": "string"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"ToolNames": {"type": "object", "additionalProperties": false, "required": ["tools"], "properties": {
    "tools": {"type": "array", "items": {"type": "string"}, "maxItems": 256},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"ToolName": {"type": "object", "additionalProperties": false, "required": ["tool"], "properties": {
    "tool": {"type": "string"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"ToolPause": {"type": "object", "additionalProperties": false, "required": ["tool"], "properties": {
    "tool": {"type": "string"},
    "turns": {"type": "integer", "minimum": 1, "maximum": 2147483647, "description": "default: for good"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"NewGoal": {"type": "object", "additionalProperties": false, "required": ["text"], "properties": {
    "text": {"type": "string", "minLength": 1},
    "hidden": {"type": "boolean", "description": "the player does not see it"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"EndReason": {"type": "object", "additionalProperties": false, "properties": {
    "reason": {"type": "string", "description": "default: given_up"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"ProtocolSwitch": {"type": "object", "additionalProperties": false, "description": "one of both", "properties": {
    "use": {"type": "string"}, "end": {"type": "string"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"Restoration": {"type": "object", "additionalProperties": false, "required": ["what"], "properties": {
    "what": {"type": "string", "description": "the id or the path of a record of the bin"},
    "bin": {"type": "string"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"WorldName": {"type": "object", "additionalProperties": false, "required": ["world"], "properties": {
    "world": {"type": "string"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"GreetingNumber": {"type": "object", "additionalProperties": false, "required": ["greeting"], "properties": {
    "greeting": {"type": "integer", "minimum": 0, "maximum": 1000000},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"BackupName": {"type": "object", "additionalProperties": false, "properties": {
    "name": {"type": "string", "description": "[a-z0-9_-]; default: by the time"},
    "idempotency_key": {"$ref": "#/components/schemas/IdempotencyKey"}}},
"IdempotencyKey": {"type": "string", "description": "1 to 200 bytes; the same request with the same key is carried out once. Also as the header Idempotency-Key"}
})json";

constexpr std::string_view kAnswers = R"json({
"Error": {"type": "object", "required": ["error"], "properties": {
    "error": {"type": "object", "required": ["code", "message", "message_zh"], "properties": {
        "code": {"type": "string"}, "message": {"type": "string"}, "message_zh": {"type": "string"},
        "hint": {"type": "string"}, "hint_zh": {"type": "string"}, "details": {"type": "object"}}}}},
"Head": {"type": "object", "required": ["head", "number", "hash"], "properties": {
    "head": {"$ref": "#/components/schemas/TurnId"},
    "number": {"type": "integer", "description": "of the head in the story"},
    "hash": {"type": "string", "description": "of the state; the ETag of …/state"}}},
"TurnId": {"type": "string", "minLength": 64, "maxLength": 64},
"CreatedCampaign": {"type": "object", "required": ["id", "name", "head"], "properties": {
    "id": {"type": "string"}, "name": {"type": "string"}, "head": {"$ref": "#/components/schemas/TurnId"},
    "number": {"type": "integer"}, "hash": {"type": "string"}, "profile": {"type": "string"},
    "greeting": {"type": "string"}, "warnings": {"type": "array", "items": {"type": "object"}},
    "report": {"type": "array", "items": {"type": "object"}, "description": "which parts of the card were taken over"}}},
"ImportedCampaign": {"type": "object", "required": ["id", "name", "head"], "properties": {
    "id": {"type": "string"}, "name": {"type": "string"}, "head": {"$ref": "#/components/schemas/TurnId"}}},
"RenamedCampaign": {"type": "object", "required": ["id", "name"], "properties": {
    "id": {"type": "string"}, "name": {"type": "string"}}},
"CampaignList": {"type": "object", "required": ["campaigns"], "properties": {
    "campaigns": {"type": "array", "items": {"type": "object", "required": ["id", "name", "head", "turns", "updated"], "properties": {
        "id": {"type": "string"}, "name": {"type": "string"}, "head": {"$ref": "#/components/schemas/TurnId"},
        "turns": {"type": "integer"}, "created": {"type": "string"}, "updated": {"type": "string"}}}}}},
"Campaign": {"type": "object", "required": ["id", "name", "head", "campaign_id", "title", "created_at", "updated_at", "settings_snapshot", "checkpoints", "rollback_pending", "characters", "summary_state", "turn_log", "state"], "properties": {
    "id": {"type": "string"}, "name": {"type": "string"}, "profile": {"type": "string"},
    "head": {"$ref": "#/components/schemas/TurnId"}, "number": {"type": "integer"}, "hash": {"type": "string"},
    "campaign_id": {"type": "string"}, "title": {"type": "string"}, "created_at": {"type": "string"}, "updated_at": {"type": "string"},
    "settings_snapshot": {"type": "object"}, "checkpoints": {"type": "array"}, "rollback_pending": {"type": "object"},
    "characters": {"type": "object"}, "summary_state": {"type": "object"}, "turn_log": {"type": "object"}}},
"State": {"type": "object", "required": ["turn", "hash"], "properties": {
    "turn": {"$ref": "#/components/schemas/TurnId"}, "hash": {"type": "string"},
    "document": {"description": "the whole document"}, "value": {"description": "the value at the path"}}},
"Result": {"type": "object", "required": ["op", "path", "status"], "properties": {
    "op": {"type": ["string", "null"]},
    "path": {"type": "array", "items": {"type": ["string", "integer"]}},
    "status": {"type": "string", "enum": ["applied", "skipped", "duplicate", "rejected", "failed", "rolled_back"]},
    "code": {"type": "string"}, "value": {}, "warnings": {"type": "array", "items": {"type": "string"}},
    "message": {"type": "string", "description": "why it was refused, and what would have worked"},
    "message_zh": {"type": "string"}}},
"Change": {"type": "object", "required": ["path"], "properties": {
    "path": {"type": "string", "description": "a JSON Pointer"}, "before": {}, "after": {}}},
"Changes": {"type": "object", "required": ["changes"], "properties": {
    "changes": {"type": "array", "items": {"$ref": "#/components/schemas/Change"}}}},
"Proposal": {"type": "object", "required": ["results", "text", "events", "notices", "status", "head"], "properties": {
    "turn": {"$ref": "#/components/schemas/TurnId"},
    "status": {"type": "string", "enum": ["committed", "blocked", "judged"], "description": "judged: a dry run, nothing is stored"},
    "results": {"type": "array", "items": {"$ref": "#/components/schemas/Result"}},
    "text": {"type": "string", "description": "the visible narrative"},
    "events": {"type": "array", "items": {"type": "object", "required": ["event"], "properties": {"event": {"type": "string"}}}},
    "notices": {"type": "array", "items": {"type": "string"}},
    "refused": {"type": "boolean", "description": "a command was rejected or failed"},
    "changes": {"type": "array", "items": {"$ref": "#/components/schemas/Change"}},
    "head": {"$ref": "#/components/schemas/TurnId"}, "number": {"type": "integer"}, "hash": {"type": "string"},
    "already_stored": {"type": "boolean"}}},
"Upstream": {"type": "object", "required": ["connected"], "properties": {
    "connected": {"type": "boolean"}, "url": {"type": "string"}, "model": {"type": "string"},
    "has_key": {"type": "boolean"}, "tools": {"type": "boolean"}, "stream": {"type": "boolean"}}},
"UpstreamReport": {"type": "object", "required": ["url", "model", "usable", "steps", "models"], "properties": {
    "url": {"type": "string"}, "model": {"type": "string"}, "usable": {"type": "boolean"},
    "connected": {"type": "boolean"},
    "steps": {"type": "array", "items": {"type": "object"}},
    "models": {"type": "array", "items": {"type": "string"}}}},
"Health": {"type": "object", "required": ["status", "version"], "properties": {
    "status": {"type": "string"}, "version": {"type": "string"}}},
"ChatCompletion": {"type": "object", "required": ["id", "object", "created", "model", "choices", "usage"], "properties": {
    "id": {"type": "string"}, "object": {"type": "string", "enum": ["chat.completion"]}, "created": {"type": "integer"},
    "model": {"type": "string"}, "choices": {"type": "array", "items": {"type": "object"}}, "usage": {"type": "object"}}},
"ModelList": {"type": "object", "required": ["object", "data"], "properties": {
    "object": {"type": "string", "enum": ["list"]},
    "data": {"type": "array", "items": {"type": "object", "required": ["id", "object", "created", "owned_by"], "properties": {
        "id": {"type": "string"}, "object": {"type": "string"}, "created": {"type": "integer"}, "owned_by": {"type": "string"}}}}}},
"TextCompletion": {"type": "object"},
"TurnAnswer": {"type": "object", "required": ["status", "shown", "results", "actions", "usage"], "properties": {
    "turn": {"$ref": "#/components/schemas/TurnId"},
    "status": {"type": "string", "enum": ["committed", "reported", "blocked", "over_spent", "cancelled"]},
    "shown": {"type": "string"},
    "results": {"type": "array", "items": {"$ref": "#/components/schemas/Result"}},
    "actions": {"type": "array", "items": {"type": "object"}},
    "notice": {"type": "string"}, "report": {"type": "object"},
    "usage": {"$ref": "#/components/schemas/Usage"},
    "attempts": {"type": "integer"}, "already_stored": {"type": "boolean"}}},
"Usage": {"type": "object", "required": ["tokens", "calls"], "properties": {
    "tokens": {"type": "integer"}, "calls": {"type": "integer"}}},
"Decision": {"anyOf": [{"$ref": "#/components/schemas/TurnAnswer"}, {"$ref": "#/components/schemas/Head"}]},
"WithheldTurn": {"type": "object", "required": ["said", "report"], "properties": {
    "said": {"type": "string"}, "report": {"type": "object"}}},
"Settings": {"type": "object", "required": ["settings", "revision", "definitions"], "properties": {
    "settings": {"type": "object"}, "revision": {"type": "integer"},
    "definitions": {"type": "array", "items": {"$ref": "#/components/schemas/SettingDefinition"}}}},
"SettingDefinition": {"type": "object", "required": ["key", "type", "default", "scope", "value"], "properties": {
    "key": {"type": "string"}, "type": {"type": "string"}, "scope": {"type": "string"}, "default": {}, "value": {}}},
"SettingDefinitions": {"type": "object", "required": ["settings", "definitions"], "properties": {
    "settings": {"type": "object"},
    "definitions": {"type": "array", "items": {"$ref": "#/components/schemas/SettingDefinition"}}}},
"Prompt": {"type": "object", "required": ["messages", "blocks", "tokens"], "properties": {
    "messages": {"type": "array", "items": {"type": "object", "required": ["role", "content"], "properties": {
        "role": {"type": "string"}, "content": {"type": ["string", "null"]}}}},
    "blocks": {"type": "array", "items": {"type": "object", "required": ["id", "tokens", "why"], "properties": {
        "id": {"type": "string"}, "tokens": {"type": "integer"}, "why": {"type": "object"}}}},
    "tokens": {"type": "integer"}}},
"History": {"type": "object", "required": ["head", "turns"], "properties": {
    "head": {"$ref": "#/components/schemas/TurnId"}, "undo": {"$ref": "#/components/schemas/TurnId"},
    "turns": {"type": "array", "items": {"$ref": "#/components/schemas/HistoryTurn"}}}},
"HistoryTurn": {"type": "object", "required": ["id", "parent", "number", "time", "actor", "said", "shown"], "properties": {
    "id": {"$ref": "#/components/schemas/TurnId"}, "parent": {"type": ["string", "null"]},
    "number": {"type": "integer", "description": "in the story; an edit keeps the number of the turn before it"},
    "time": {"type": "string"}, "actor": {"type": "string", "enum": ["ai", "user", "system"]},
    "said": {"type": "string"}, "shown": {"type": "string"},
    "edit": {"type": "string", "description": "the reason of a change that is not a turn of the story"},
    "label": {"type": "string"}, "damaged": {"type": "object"}}},
"TurnLog": {"type": "object", "required": ["id", "turn_id", "actor_id", "user_input", "assistant_output_text", "applied_actions", "timestamp", "state_snapshot_ref", "verdicts", "changes"], "properties": {
    "id": {"$ref": "#/components/schemas/TurnId"}, "parent": {"type": "string"}, "number": {"type": "integer"},
    "turn_id": {"type": "string"}, "actor_id": {"type": "string"}, "user_input": {"type": "string"},
    "assistant_output_text": {"type": "string"}, "assistant_structured": {"type": "object"},
    "applied_actions": {"type": "array", "items": {"type": "object"}}, "timestamp": {"type": "string"},
    "settings_revision": {"type": "integer"}, "retries": {"type": "integer"}, "state_snapshot_ref": {"type": "string"},
    "state_hash": {"type": "string"}, "audit": {"type": "array", "items": {"type": "object"}},
    "verdicts": {"type": "array", "items": {"$ref": "#/components/schemas/Result"}},
    "changes": {"type": "array", "items": {"$ref": "#/components/schemas/Change"}},
    "usage": {"$ref": "#/components/schemas/Usage"},
    "trace": {"type": "array", "description": "of all attempts; admin"}, "raw": {"type": "string", "description": "the reply as it came; admin"}}},
"Records": {"type": "object", "required": ["records"], "properties": {
    "records": {"type": "array", "items": {"type": "object", "required": ["turn", "number"], "properties": {
        "turn": {"$ref": "#/components/schemas/TurnId"}, "number": {"type": "integer"}}}}}},
"Checkpoints": {"type": "object", "required": ["checkpoints"], "properties": {
    "checkpoints": {"type": "array", "items": {"type": "object", "required": ["label", "turn", "time"], "properties": {
        "label": {"type": "string"}, "turn": {"$ref": "#/components/schemas/TurnId"}, "time": {"type": "string"}}}}}},
"NewCheckpoint": {"type": "object", "required": ["label", "turn", "head"], "properties": {
    "label": {"type": "string"}, "turn": {"$ref": "#/components/schemas/TurnId"}, "head": {"$ref": "#/components/schemas/TurnId"}}},
"Moved": {"type": "object", "required": ["head", "can_undo"], "properties": {
    "head": {"$ref": "#/components/schemas/TurnId"}, "number": {"type": "integer"}, "hash": {"type": "string"}, "can_undo": {"type": "boolean"}}},
"Branches": {"type": "object", "required": ["branches"], "properties": {
    "branches": {"type": "array", "items": {"type": "object", "required": ["id", "time", "is_head"], "properties": {
        "id": {"$ref": "#/components/schemas/TurnId"}, "parent": {"type": "string"}, "turn": {"type": "integer"},
        "time": {"type": "string"}, "is_head": {"type": "boolean"}}}}}},
"Changed": {"$ref": "#/components/schemas/Head"},
"Characters": {"type": "object", "required": ["characters", "party", "actor"], "properties": {
    "characters": {"type": "object"}, "party": {"type": "array", "items": {"type": "string"}}, "actor": {"type": "string"}}},
"Character": {"type": "object", "required": ["id", "character"], "properties": {
    "id": {"type": "string"}, "character": {}}},
"Party": {"type": "object", "required": ["party", "actor"], "properties": {
    "party": {"type": "array", "items": {"type": "string"}}, "actor": {"type": "string"}}},
"Tool": {"type": "object", "required": ["name", "agent_text", "human_text", "parameters", "reasons", "dialog_types"], "properties": {
    "name": {"type": "string"}, "agent_text": {"type": "string"}, "human_text": {"type": "string"},
    "parameters": {"type": "object"}, "reasons": {"type": "object"}, "dialog_types": {"type": "array", "items": {"type": "string"}},
    "allowed": {"type": "boolean"}, "disabled_until": {"type": "integer"}}},
"Tools": {"type": "object", "required": ["tools"], "properties": {
    "tools": {"type": "array", "items": {"$ref": "#/components/schemas/Tool"}}}},
"CampaignTools": {"type": "object", "required": ["tools", "allowed"], "properties": {
    "tools": {"type": "array", "items": {"$ref": "#/components/schemas/Tool"}},
    "allowed": {"type": "array", "items": {"type": "string"}}}},
"Allowlist": {"type": "object", "required": ["allowed", "head"], "properties": {
    "allowed": {"type": "array", "items": {"type": "string"}}, "head": {"$ref": "#/components/schemas/TurnId"}}},
"DisabledTool": {"type": "object", "required": ["tool", "head"], "properties": {
    "tool": {"type": "string"}, "disabled_until": {"type": "integer"}, "head": {"$ref": "#/components/schemas/TurnId"}}},
"Goal": {"type": "object", "required": ["goal", "ended"], "properties": {
    "goal": {}, "ended": {"type": ["string", "null"]}}},
"ActiveProtocols": {"type": "object", "required": ["active"], "properties": {
    "active": {"type": "array", "items": {"type": "object", "required": ["reference", "why", "since"], "properties": {
        "reference": {"type": "string"}, "why": {"type": "string"}, "since": {"type": "integer"}, "until": {"type": "integer"}}}}}},
"ProtocolChange": {"type": "object", "required": ["notices", "head"], "properties": {
    "notices": {"type": "array", "items": {"type": "string"}}, "head": {"$ref": "#/components/schemas/TurnId"}}},
"Bin": {"type": "object", "required": ["bin"], "properties": {
    "bin": {"type": "array", "items": {"type": "object", "required": ["id", "path", "value"], "properties": {
        "id": {"type": "string"}, "path": {"type": "string"}, "deleted_at": {"type": "string"}, "reason": {"type": "string"}, "value": {}}}}}},
"Worlds": {"type": "object", "required": ["worlds"], "properties": {
    "worlds": {"type": "array", "items": {"type": "object", "required": ["world", "contents"], "properties": {
        "world": {"type": "string"}, "contents": {"type": "object"}}}}}},
"Greetings": {"type": "object", "required": ["greetings", "greeting"], "properties": {
    "greetings": {"type": "array", "items": {"type": "string"}}, "greeting": {"type": "integer"}}},
"Rules": {"type": "object", "required": ["profile", "books", "marks", "findings"], "properties": {
    "profile": {"type": "string"},
    "books": {"type": "array", "items": {"type": "object", "required": ["name", "title", "title_zh", "from", "rules", "findings"], "properties": {
        "name": {"type": "string"}, "title": {"type": "string"}, "title_zh": {"type": "string"},
        "from": {"type": "string", "enum": ["profile", "protocol"]},
        "rules": {"type": "array", "items": {"type": "object", "required": ["id", "kind", "text", "writes", "reads"], "properties": {
            "id": {"type": "string"}, "kind": {"type": "string"}, "text": {"type": "string", "description": "the rule in one line"},
            "writes": {"type": "array", "items": {"type": "string"}}, "reads": {"type": "array", "items": {"type": "string"}}}}},
        "findings": {"type": "array", "items": {"type": "object"}, "description": "of lint: valid, but probably mistakes"}}}},
    "marks": {"type": "array", "description": "places of the present document that are not free to be changed; at most 5000", "items": {"type": "object", "required": ["path", "mark"], "properties": {
        "path": {"type": "string", "description": "a JSON Pointer"},
        "mark": {"type": "string", "enum": ["hidden", "protected", "derived", "limited"]},
        "rule": {"type": "string", "description": "the id of the rule, the tool that changes the place, or the mark in the document"},
        "book": {"type": "string"}, "text": {"type": "string"}}}},
    "findings": {"type": "array", "items": {"type": "object"}, "description": "mistakes in protocols, and requests for protocols that could not be met"}}},
"Protocols": {"type": "object", "required": ["protocols"], "properties": {
    "protocols": {"type": "array", "items": {"type": "object", "required": ["id", "version", "name"]}}}},
"Protocol": {"type": "object", "required": ["id", "version", "name", "instruction", "text"], "properties": {
    "instruction": {"type": "string"}, "text": {"type": "string", "description": "its file"}}},
"Profiles": {"type": "object", "required": ["profiles"], "properties": {
    "profiles": {"type": "array", "items": {"type": "object", "required": ["name", "summary", "summary_zh"], "properties": {
        "name": {"type": "string"}, "summary": {"type": "string"}, "summary_zh": {"type": "string"}}}}}},
"Backup": {"type": "object", "required": ["file", "bytes"], "properties": {
    "file": {"type": "string", "description": "in the data folder of the server"}, "bytes": {"type": "integer"}}},
"OpenApi": {"type": "object", "required": ["openapi", "info", "paths", "components"]}
})json";

}  // namespace

const value::Object& schemas() {
    static const value::Object kAll = [] {
        value::Object all;
        for (const std::string_view text : {kRequests, kAnswers}) {
            const auto parsed = value::parse_json(text);
            CHECK(parsed);
            for (const auto& [name, schema] : parsed->as_object()) {
                all = std::move(all).set(name, schema);
            }
        }
        return all;
    }();
    return kAll;
}

}  // namespace arbiter::server
