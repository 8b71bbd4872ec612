"""A card and a chat as SillyTavern and 酒馆助手 write them, and the body of a request."""


def block(n):
    return f"<UpdateVariable>_.set('hp', {n});//why</UpdateVariable>"


def reply(text, *, swipes=None, swipe=0, variables=None, **more):
    made = {"name": "Mira", "is_user": False, "is_system": False, "send_date": "2025-12-01T00:00:00.000Z",
            "mes": text, "extra": {"api": "openai", "model": "m", "reasoning": ""}, **more}
    if swipes:
        made |= {"swipes": swipes, "swipe_id": swipe,
                 "swipe_info": [{"send_date": "x", "extra": {"n": i}} for i in range(len(swipes))]}
    if variables:
        made["variables"] = variables
    return made


def said(text, **more):
    return {"name": "Rook", "is_user": True, "is_system": False, "send_date": "2025-12-01T00:00:00.000Z",
            "mes": text, "extra": {}, **more}


def stat(hp, **more):
    return {"stat_data": {"hp": hp, "log": []}, "schema": {"type": "object"}, "display_data": {"hp": f"→ {hp}"},
            "delta_data": {}, "initialized_lorebooks": {"Mira": []}, **more}


HEADER = {"user_name": "unused", "character_name": "unused", "create_date": "2025-11-30",
          "chat_metadata": {"integrity": "0b1c", "note_depth": 4, "timedWorldInfo": {}, "own": {"k": [1, 2.5, None]}}}
CARD = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {
    "name": "Mira", "description": "A guide.", "personality": "", "scenario": "", "mes_example": "",
    "first_mes": "Welcome, {{user}}.", "alternate_greetings": ["Hey {{user}}!"], "extensions": {},
    "character_book": {"name": "Mira", "extensions": {}, "entries": [
        {"keys": [], "content": '{"hp": 9, "log": []}', "comment": "[initvar]", "enabled": False,
         "insertion_order": 1, "extensions": {}}]}}}
CHAT = [
    reply("Welcome, Rook.", swipes=["Welcome, {{user}}.", "Hey {{user}}!"], variables=[stat(9), stat(9)]),
    said("I fall.", force_avatar="x.png"),
    reply(f"Ouch. {block(7)}", swipes=[f"You fly. {block(10)}", f"Ouch. {block(7)}"], swipe=1,
          variables=[stat(10), stat(7)], gen_started="g"),
    {"name": "Note", "is_user": False, "is_system": True, "mes": "A comment.", "extra": {"type": "comment"}},
    said("I rest."),
    # Its block was cleaned away; the variables tell.
    reply("You sleep.", variables={"0": stat(8)}),
    said("And now?"),
]
BODY = {"model": "campaign:mira", "messages": [
    {"role": "system", "content": "You are Mira."}, {"role": "assistant", "content": "Welcome, User."},
    {"role": "user", "content": "I look around."}]}
