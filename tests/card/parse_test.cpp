// Goal: a character card of any version, in PNG, JSON or CHARX, gives the same Card; a hostile or
// broken file is refused with a message that says what would have worked. Method: PNG files are
// made here, chunk by chunk, with an own checksum. proves: S4-21
#include "card/parse.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "base/messages.h"
#include "card/card_text.h"
#include "card/internal/zlib.h"
#include "tests/support/png.h"
#include "tests/support/random.h"
#include "value/json.h"

namespace arbiter::card {
namespace {

using base::ErrorCode;
using tests::base64;
using tests::chunk;
using tests::international_chunk;
using tests::packed_chunk;
using tests::png;
using tests::text_chunk;
using value::Value;

constexpr std::string_view kV1 =
    R"({"name":"梅","description":"药师","personality":"冷","scenario":"山里","first_mes":"你好。","mes_example":"<START>","own":7})";
constexpr std::string_view kV2 = R"({"spec":"chara_card_v2","spec_version":"2.0","name":"旧",
"data":{"name":"梅","description":"药师","personality":"冷","scenario":"山里","first_mes":"你好。",
"mes_example":"<START>","creator_notes":"n","system_prompt":"s","post_history_instructions":"p",
"alternate_greetings":["再来。"],"tags":["a","b"],"creator":"c","character_version":"1.2",
"extensions":{"own":{"x":1},"world":"山"},"character_book":{"entries":[]}}})";

std::string v3(std::string_view name) {
    return R"({"spec":"chara_card_v3","spec_version":"3.0","data":{"name":")" + std::string(name) +
           R"(","first_mes":"V3","group_only_greetings":["众人"],"nickname":"小梅"}})";
}

Card good(std::string_view bytes) {
    auto card = parse_card(bytes);
    EXPECT_TRUE(card) << base::explain(card.error().error, base::Language::kEnglish);
    return card ? *std::move(card) : Card{};
}

// The code for which a file is refused; kCount if it is not.
ErrorCode refused(std::string_view bytes) {
    const auto card = parse_card(bytes);
    if (card) {
        return ErrorCode::kCount;
    }
    EXPECT_FALSE(base::explain(card.error().error, base::Language::kEnglish).empty());
    EXPECT_FALSE(base::explain(card.error().error, base::Language::kChinese).empty());
    return card.error().error.code;
}

TEST(Cards, EveryVersionGivesItsFields) {
    const Card one = good(kV1);
    EXPECT_EQ(one.version, 1);
    EXPECT_EQ(one.name, "梅");
    EXPECT_EQ(one.description, "药师");
    EXPECT_EQ(one.personality, "冷");
    EXPECT_EQ(one.scenario, "山里");
    EXPECT_EQ(one.greetings, std::vector<std::string>{"你好。"});
    EXPECT_EQ(one.example_messages, "<START>");
    EXPECT_TRUE(one.character_book.is_null());
    // Unknown fields are preserved.
    EXPECT_EQ(one.whole.as_object().find("own")->as_int(), 7);

    const Card two = good(kV2);
    EXPECT_EQ(two.version, 2);
    EXPECT_EQ(two.name, "梅");
    EXPECT_EQ(two.creator_notes, "n");
    EXPECT_EQ(two.system_prompt, "s");
    EXPECT_EQ(two.post_history_instructions, "p");
    EXPECT_EQ(two.greetings, (std::vector<std::string>{"你好。", "再来。"}));
    EXPECT_EQ(two.tags, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(two.creator, "c");
    EXPECT_EQ(two.character_version, "1.2");
    EXPECT_EQ(value::print_json(two.extensions), R"({"own":{"x":1},"world":"山"})");
    EXPECT_TRUE(two.character_book.is_object());
    EXPECT_EQ(two.linked_world, "");

    const Card three = good(v3("梅"));
    EXPECT_EQ(three.version, 3);
    EXPECT_EQ(three.nickname, "小梅");
    EXPECT_EQ(three.group_greetings, std::vector<std::string>{"众人"});
    // A version that is newer is read as the newest that is known.
    EXPECT_EQ(good(R"({"spec":"chara_card_v4","data":{"name":"x"}})").version, 3);
}

TEST(Cards, OtherNamesOfOlderPrograms) {
    const Card card = good(
        R"({"char_name":"A","char_persona":"B","world_scenario":"C","char_greeting":"D","example_dialogue":"E"})");
    EXPECT_EQ(card.name, "A");
    EXPECT_EQ(card.description, "B");
    EXPECT_EQ(card.scenario, "C");
    EXPECT_EQ(card.greetings[0], "D");
    EXPECT_EQ(card.example_messages, "E");
    EXPECT_EQ(good("\xEF\xBB\xBF{\"name\":\"BOM\"}").name, "BOM");
}

TEST(Cards, ProtocolsInTheExtensions) {
    const Card inside = good(
        R"({"spec":"chara_card_v2","data":{"name":"x","extensions":{"configuration":{"protocols":["p"]}}}})");
    EXPECT_EQ(inside.protocols, std::vector<std::string>{"p"});
}

TEST(Cards, PicturesInEveryKindOfChunk) {
    const std::string text = base64(kV2);
    for (const std::string& bytes :
         {png(text_chunk("chara", text)), png(text_chunk("Chara", text)),
          png(text_chunk("Comment", "x") + packed_chunk("chara", text)),
          png(international_chunk("chara", text, false)),
          png(international_chunk("chara", text, true)), png(text_chunk("chara", kV2)),
          // Lines of base64, and bytes behind the picture.
          png(text_chunk("chara", text.substr(0, 76) + "\n" + text.substr(76))) + "PK\x03\x04"}) {
        const Card card = good(bytes);
        EXPECT_EQ(card.form, Card::Form::kPng);
        EXPECT_EQ(card.name, "梅");
        EXPECT_EQ(card.greetings.size(), 2U);
    }
    // The newer one wins, wherever it stands.
    const std::string old = text_chunk("chara", text);
    const std::string fresh = text_chunk("ccv3", base64(v3("新")));
    EXPECT_EQ(good(png(old + fresh)).name, "新");
    EXPECT_EQ(good(png(fresh + old)).name, "新");
}

TEST(Cards, BrokenPicturesAreRefused) {
    const std::string whole = png(text_chunk("chara", base64(kV1)));
    EXPECT_EQ(refused(png("")), ErrorCode::kPngNoCard);
    EXPECT_EQ(refused(png(text_chunk("parameters", "steps"))), ErrorCode::kPngNoCard);
    EXPECT_EQ(refused(png(text_chunk("chara", "no base64 ***"))), ErrorCode::kCardNotBase64);
    EXPECT_EQ(refused(png(text_chunk("chara", base64("{\"name\":")))), ErrorCode::kJsonUnclosed);
    // A ccv3 that is broken is not silently replaced by what is older.
    EXPECT_EQ(refused(png(text_chunk("chara", base64(kV1)) + text_chunk("ccv3", "***"))),
              ErrorCode::kCardNotBase64);
    EXPECT_EQ(refused(std::string(tests::kPngSignature) + chunk("IDAT", "x")),
              ErrorCode::kPngHeader);
    EXPECT_EQ(refused(png(chunk("tEXt", "chara"))), ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(text_chunk("", "x"))), ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(text_chunk(std::string(80, 'k'), "x"))), ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(text_chunk(std::string(79, 'k'), "x"))), ErrorCode::kPngNoCard);
    EXPECT_EQ(refused(png(chunk("zTXt", std::string("chara\0\1x", 8)))), ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(chunk("zTXt", std::string("chara\0\0x", 8)))), ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(chunk("iTXt", std::string("chara\0\2\0", 8)))),
              ErrorCode::kPngTextBroken);
    EXPECT_EQ(refused(png(chunk("iTXt", std::string("chara\0\0\0zh", 10)))),
              ErrorCode::kPngTextBroken);
    // Cut anywhere, it is never taken for whole.
    for (std::size_t size = tests::kPngSignature.size(); size < whole.size(); ++size) {
        const ErrorCode code = refused(std::string_view(whole).substr(0, size));
        EXPECT_TRUE(code == ErrorCode::kPngTruncated || code == ErrorCode::kPngHeader) << size;
    }
    // Any bit that flips behind the signature is noticed.
    for (std::size_t at = tests::kPngSignature.size(); at < whole.size(); ++at) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
        EXPECT_NE(refused(flipped), ErrorCode::kCount) << at;
    }
    EXPECT_EQ(refused(png(text_chunk("chara", base64(kV1))).replace(8 + 25 + 20, 1, "!")),
              ErrorCode::kPngDamaged);
    // A length that would run over the end of all numbers.
    EXPECT_EQ(refused(whole.substr(0, 33) + "\xFF\xFF\xFF\xFFtEXt" + whole.substr(41)),
              ErrorCode::kPngTruncated);
}

TEST(Cards, BombsAreRefused) {
    // Zeros pack a thousandfold.
    EXPECT_EQ(refused(png(packed_chunk("chara", std::string(1 << 20, '0')))), ErrorCode::kPngBomb);
    EXPECT_EQ(refused(png(international_chunk("ccv3", std::string(40 << 20, '0'), true))),
              ErrorCode::kPngBomb);
    // 10 MB of text, in a picture and alone.
    EXPECT_EQ(refused(png(text_chunk("chara", std::string(10 << 20, 'A')))),
              ErrorCode::kPngChunkTooLong);
    EXPECT_EQ(refused("{\"name\":\"" + std::string(10 << 20, 'x') + "\"}"),
              ErrorCode::kTextTooLong);
    EXPECT_EQ(refused("{\"name\":" + std::string(1000, '[') + std::string(1000, ']') + "}"),
              ErrorCode::kTooDeep);
}

TEST(Cards, LimitsHoldAtTheirBorders) {
    // A text chunk of just the limit is walked over; one byte more is not.
    const auto padded = [](std::size_t bytes) {
        return png(text_chunk("k", std::string(bytes - 2, 'x')) + text_chunk("chara", base64(kV1)));
    };
    EXPECT_EQ(refused(padded(base::kPngTextBytesMax)), ErrorCode::kCount);
    EXPECT_EQ(refused(padded(base::kPngTextBytesMax + 1)), ErrorCode::kPngChunkTooLong);
    // Of pixels there may be more in one chunk, up to what a file may have.
    const std::string small = png(chunk("IDAT", "") + text_chunk("chara", base64(kV1)));
    const std::size_t room = base::kPngBytesMax - small.size();
    const auto filled = [](std::size_t bytes) {
        return png(chunk("IDAT", std::string(bytes, 'x')) + text_chunk("chara", base64(kV1)));
    };
    EXPECT_EQ(refused(filled(room)), ErrorCode::kCount);
    EXPECT_EQ(refused(filled(room + 1)), ErrorCode::kTextTooLong);
    // Packed exactly a hundredfold, and a byte beyond.
    const auto unpacks = [](std::size_t wanted) {
        const std::string json = R"({"name":"x"})";
        const std::string text = json + std::string(wanted - json.size(), ' ');
        return std::pair(tests::packed(text).size(), refused(png(packed_chunk("chara", text))));
    };
    std::size_t last = 0;
    for (std::size_t wanted = 2000; wanted < 12'000; wanted += 7) {
        const auto [size, code] = unpacks(wanted);
        EXPECT_EQ(code, wanted <= size * base::kInflateRatioMax ? ErrorCode::kCount
                                                                : ErrorCode::kPngBomb);
        last += code == ErrorCode::kCount ? 1U : 0U;
    }
    EXPECT_GT(last, 0U);
    EXPECT_LT(last, 10'000U / 7);
    const auto of_bytes = [](std::size_t bytes) {
        return "{\"name\":\"" + std::string(bytes - 11, 'x') + "\"}";
    };
    EXPECT_EQ(refused(of_bytes(base::kCardBytesMax)), ErrorCode::kCount);
    EXPECT_EQ(refused(of_bytes(base::kCardBytesMax + 1)), ErrorCode::kTextTooLong);
}

// A zip archive with one file before the card. `method`: 0 stored, 8 deflated.
std::string charx(std::string_view name, std::string_view content, int method, int flags = 0) {
    const auto number = [](std::size_t value, int bytes) {
        std::string out;
        for (int i = 0; i < bytes; ++i, value >>= 8U) {
            out += static_cast<char>(value & 0xFFU);
        }
        return out;
    };
    struct Entry {
        std::string name;
        std::string content;
        std::string packed;
        int method;
    };
    const std::string stream = tests::packed(content);
    const std::vector<Entry> entries = {
        {"assets/icon/main.png", "pixels", "pixels", 0},
        {std::string(name), std::string(content),
         method == 8 ? stream.substr(2, stream.size() - 6) : std::string(content), method}};
    std::string out;
    std::string directory;
    for (const Entry& each : entries) {
        const std::string fields = number(20, 2) + number(static_cast<std::size_t>(flags), 2) +
                                   number(static_cast<std::size_t>(each.method), 2) + number(0, 4) +
                                   number(internal::crc32_of(each.content), 4) +
                                   number(each.packed.size(), 4) + number(each.content.size(), 4) +
                                   number(each.name.size(), 2) + number(0, 2);
        directory += "PK\x01\x02" + number(20, 2) + fields + number(0, 10) + number(out.size(), 4) +
                     each.name;
        out += "PK\x03\x04" + fields + each.name + each.packed;
    }
    const std::string end = "PK\x05\x06" + number(0, 4) + number(2, 2) + number(2, 2) +
                            number(directory.size(), 4) + number(out.size(), 4) + number(2, 2);
    return out + directory + end + "hi";
}

TEST(Cards, CharxIsTheCardInsideOfIt) {
    for (const int method : {0, 8}) {
        const Card card = good(charx("card.json", v3("梅"), method));
        EXPECT_EQ(card.name, "梅");
        EXPECT_EQ(card.form, Card::Form::kCharx);
        EXPECT_EQ(card.version, 3);
    }
    EXPECT_EQ(refused(charx("other.json", v3("梅"), 8)), ErrorCode::kCardNone);
    EXPECT_EQ(refused(charx("card.json", v3("梅"), 8, 1)), ErrorCode::kCardForm);
    EXPECT_EQ(refused(charx("card.json", v3("梅"), 12)), ErrorCode::kCardForm);
    EXPECT_EQ(refused(charx("card.json", std::string(std::size_t{1} << 20, ' '), 8)),
              ErrorCode::kTextTooLong);
    // Cut or changed anywhere, it is refused or still the same card; never read beyond its end.
    const std::string whole = charx("card.json", v3("梅"), 8);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        (void)parse_card(std::string_view(whole).substr(0, i));
        std::string changed = whole;
        changed[i] = static_cast<char>(changed[i] ^ 0x55);
        if (const auto card = parse_card(changed); card && card->form == Card::Form::kCharx) {
            EXPECT_EQ(card->name, "梅");
        }
    }
    // The two decompressors agree.
    const std::string stream = tests::packed(whole + whole);
    const std::string_view raw = std::string_view(stream).substr(2, stream.size() - 6);
    for (const std::size_t size : {raw.size(), raw.size() - 1, raw.size() / 2}) {
        const auto native = internal::inflate_raw(raw.substr(0, size), 1 << 20);
        const auto plain = internal::inflate_raw_plain(raw.substr(0, size), 1 << 20);
        EXPECT_EQ(native.status, plain.status);
        EXPECT_EQ(native.text, plain.text);
    }
}

TEST(Cards, WhatIsNoCardSaysWhatWouldBe) {
    EXPECT_EQ(refused("PK\x03\x04zip"), ErrorCode::kCardForm);
    EXPECT_EQ(refused("\xFF\xD8\xFF\xE0jpeg"), ErrorCode::kCardForm);
    EXPECT_EQ(refused("RIFF1234WEBPVP8 "), ErrorCode::kCardForm);
    EXPECT_EQ(refused("{}"), ErrorCode::kCardNone);
    EXPECT_EQ(refused(R"({"spec":"chara_card_v2","data":{}})"), ErrorCode::kCardNone);
    EXPECT_EQ(refused(R"({"entries":{"0":{"comment":"x"}}})"), ErrorCode::kCardLorebook);
    EXPECT_EQ(refused(R"({"spec":"lorebook_v3","data":{"entries":[]}})"), ErrorCode::kCardLorebook);
    EXPECT_EQ(refused(R"({"name":["x"]})"), ErrorCode::kBadField);
    EXPECT_EQ(refused(R"({"name":"x","tags":"a"})"), ErrorCode::kBadField);
    EXPECT_EQ(refused(R"({"name":"x","character_book":7})"), ErrorCode::kBadField);
    const auto json = parse_card("{\"name\": \"梅\",\n \"tags\": [}");
    ASSERT_FALSE(json);
    EXPECT_EQ(json.error().error.place->line, 2U);
}

TEST(Cards, ScriptsAreNamedAndNeverRun) {
    const Card card = good(R"json({"spec":"chara_card_v2","data":{"name":"x",
        "first_mes":"<%= getvar('a') %>","description":"<SCRIPT src=x>",
        "character_book":{"entries":[{"comment":"E","content":"<% if (1) { %>a<% } %>"}]},
        "extensions":{"regex_scripts":[{"scriptName":"hide","replaceString":"<script>1</script>"}],
        "TavernHelper_scripts":[{"type":"script","value":{"name":"old","content":"alert(1)"}}],
        "tavern_helper":{"scripts":[{"name":"zod","content":"registerMvuSchema(z.object({}))"},
        {"type":"folder","scripts":[{"name":"in"}]}]}}}})json");
    using enum CardScript::Kind;
    EXPECT_EQ(card.scripts, (std::vector<CardScript>{{kRegex, "hide"},
                                                     {kHtml, "hide"},
                                                     {kHelper, "old"},
                                                     {kSchema, "zod"},
                                                     {kHelper, "in"},
                                                     {kHtml, "description"},
                                                     {kTemplate, "first_mes"},
                                                     {kTemplate, "E"}}));
    const Card pairs = good(
        R"({"name":"x","extensions":{"tavern_helper":[["scripts",[{"name":"p"}]],["variables",{}]]}})");
    EXPECT_EQ(pairs.scripts, (std::vector<CardScript>{{kHelper, "p"}}));
}

TEST(Cards, AnErrorInAChunkNamesTheChunk) {
    const auto card = parse_card(png(text_chunk("chara", base64("{\"name\":"))));
    ASSERT_FALSE(card);
    EXPECT_EQ(card.error().chunk, "chara");
    EXPECT_EQ(card.error().text, "{\"name\":");
}

TEST(Cards, TheUsualProfileGoesByTheVariables) {
    EXPECT_EQ(usual_profile(good(kV1)), "auto");
    Card card = good(R"({"name":"x","first_mes":"<INITVAR>a: 1</initvar>"})");
    EXPECT_TRUE(has_variables(card));
    EXPECT_EQ(usual_profile(card), "mvu-card");
    card.scripts.push_back({CardScript::Kind::kSchema, "zod"});
    EXPECT_EQ(usual_profile(card), "mvu-lenient");
    EXPECT_EQ(display_name(card), "x");
    card.nickname = "小";
    EXPECT_EQ(display_name(card), "小");
}

TEST(Cards, InitvarElementsAreTakenOutOfAText) {
    const SplitText split = split_initvars("a<initvar>1</InitVar>b<INITVAR>2");
    EXPECT_EQ(split.initvars, (std::vector<std::string_view>{"1", "2"}));
    EXPECT_EQ(split.rest, "ab");
    EXPECT_EQ(split_initvars("none").rest, "none");
}

// The library and our own decompression agree, on streams of every compression level and on
// streams with a damaged byte.
TEST(Inflate, AgreesWithZlib) {
    tests::Random random(15);
    for (int round = 0; round < 400; ++round) {
        std::string text;
        const std::size_t size = random.below(3000);
        while (text.size() < size) {
            if (text.size() > 8 && random.below(3) == 0) {
                const std::size_t from = random.below(text.size());
                text += text.substr(from, 1 + random.below(300));
            } else {
                text.push_back(static_cast<char>(random.below(round % 2 == 0 ? 256 : 6)));
            }
        }
        uLongf room = compressBound(static_cast<uLong>(text.size()));
        std::string packed(room, '\0');
        compress2(reinterpret_cast<Bytef*>(packed.data()), &room,
                  reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()),
                  round % 10);
        packed.resize(room);
        EXPECT_EQ(internal::crc32_plain(packed), internal::crc32_of(packed));
        const auto ours = internal::inflate_plain(packed + "rest", text.size());
        ASSERT_EQ(ours.status, internal::Inflated::Status::kDone) << round;
        EXPECT_EQ(ours.text, text);
        if (!text.empty()) {
            EXPECT_EQ(internal::inflate_plain(packed, text.size() - 1).status,
                      internal::Inflated::Status::kTooLong);
        }
        packed[random.below(packed.size())] ^= static_cast<char>(1U << random.below(8));
        packed.resize(packed.size() - (round % 3 == 0 ? random.below(packed.size()) : 0));
        const auto broken = internal::inflate_plain(packed, 1 << 20);
        const auto theirs = internal::inflate_zlib(packed, 1 << 20);
        EXPECT_EQ(broken.status, theirs.status) << round;
        if (theirs.status == internal::Inflated::Status::kDone) {
            EXPECT_EQ(broken.text, theirs.text);
        }
    }
}

}  // namespace
}  // namespace arbiter::card
