// Goal: every text of a record comes back from its packed bytes, in this version and in later ones,
// and bytes that no encoder wrote are refused. Method: texts of all lengths, random texts that
// repeat themselves near and far, pinned bytes, packed records of earlier versions, damaged bytes.
#include "ledger/record_codec.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "ledger/record_pack.h"
#include "tests/support/random.h"

namespace arbiter::ledger {
namespace {

constexpr std::string_view kWords = R"({"op":"set","path":["人物","林默","属性"],"value":)";
constexpr std::size_t kBytesMax = 1 << 20;

std::string coded(RecordEncoder& encoder, std::string_view text) {
    std::string out;
    encoder.append(out, text);
    return out;
}

// A text that repeats itself, its words and the text before it.
std::string random_text(tests::Random& random, const std::string& before, std::size_t pieces) {
    std::string text;
    for (std::size_t i = 0; i < pieces; ++i) {
        const std::string all = before + text;
        const std::size_t length = random.chance(3) ? random.below(80'000) : random.below(60);
        if (random.chance(60) && !all.empty()) {
            const std::size_t from = random.below(all.size());
            text += all.substr(from, length);
        } else if (random.chance(50)) {
            text.append(length, static_cast<char>(random.below(256)));
        } else {
            for (std::size_t k = 0; k < length % 60; ++k) {
                text += static_cast<char>(random.below(256));
            }
        }
    }
    return text;
}

TEST(RecordCodec, TextsOfEveryLengthComeBack) {
    RecordEncoder encoder(kWords);
    for (std::size_t length = 0; length < 1200; ++length) {
        const std::string text = std::string(length, 'a') + "林";
        encoder.restart();
        EXPECT_EQ(decode_text(coded(encoder, text), kWords, kBytesMax).value(), text);
    }
}

TEST(RecordCodec, RandomTextsComeBack) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        tests::Random random(seed);
        RecordEncoder encoder(kWords);
        for (int turn = 0; turn < 3; ++turn) {
            encoder.restart();
            std::string known(kWords);
            for (int part = 0; part < 3; ++part) {
                const std::string text = random_text(random, known, random.below(40));
                const auto again = decode_text(coded(encoder, text), known, text.size());
                ASSERT_TRUE(again);
                ASSERT_TRUE(*again == text);
                known += text;
            }
        }
    }
}

// Stored turns are read as long as these bytes stay.
TEST(RecordCodec, BytesStayWhatTheyAre) {
    RecordEncoder encoder(kWords);
    const std::string first =
        coded(encoder, R"({"op":"set","path":["人物","林默","属性"],"value":7,"reason":"hit"})");
    EXPECT_EQ(sha256(first).brief() + " " + std::to_string(first.size()), "6ecf6babb2 17");
    const std::string second = coded(encoder, "林默，林默，林默。\n" + std::string(600, '='));
    EXPECT_EQ(sha256(second).brief() + " " + std::to_string(second.size()), "40d8b5058b 19");
}

TEST(RecordCodec, ALimitOfBytesHolds) {
    RecordEncoder encoder(kWords);
    const std::string bytes = coded(encoder, std::string(100, 'x'));
    EXPECT_TRUE(decode_text(bytes, kWords, 100));
    EXPECT_FALSE(decode_text(bytes, kWords, 99));
}

TEST(RecordCodec, DamagedBytesDoNoHarm) {
    tests::Random random(3);
    RecordEncoder encoder(kWords);
    const std::string text = random_text(random, std::string(kWords), 30).substr(0, 900);
    const std::string bytes = coded(encoder, text);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(decode_text(bytes.substr(0, size), kWords, kBytesMax));
    }
    EXPECT_FALSE(decode_text(bytes + '\0', kWords, kBytesMax));
    for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
        std::string damaged = bytes;
        damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
        // Another distance may lead to the same bytes, so the text can be right.
        const auto decoded = decode_text(damaged, kWords, text.size());
        EXPECT_TRUE(!decoded || decoded->size() <= text.size());
        // Without the words, distances lead out of the text.
        (void)decode_text(damaged, {}, kBytesMax);
    }
}

std::string bytes_of(const std::string& file) {
    std::ifstream in("fuzz/corpus/record_fuzz/" + file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(RecordPack, PackedRecordsOfAllVersionsAreRead) {
    for (const char* file : {"v1_packed", "v2_packed", "v3_packed", "v3_coded"}) {
        SCOPED_TRACE(file);
        const auto encoded = unpack_record(bytes_of(file));
        ASSERT_TRUE(encoded);
        EXPECT_TRUE(parse_record(*encoded));
        EXPECT_EQ(unpack_replay_part(bytes_of(file)).value(), encoded->replay_part);
        const auto again = unpack_record(pack_record(*encoded));
        ASSERT_TRUE(again);
        EXPECT_EQ(again->replay_part, encoded->replay_part);
        EXPECT_EQ(again->details_part, encoded->details_part);
    }
}

// A part that would grow is stored as it is, and the next one still refers to it.
TEST(RecordPack, PartsThatDoNotShrinkAreStoredAsTheyAre) {
    tests::Random random(5);
    EncodedRecord encoded;
    for (int i = 0; i < 2000; ++i) {
        encoded.replay_part += static_cast<char>(random.below(256));
    }
    encoded.details_part = encoded.replay_part.substr(500, 1000);
    const std::string bytes = pack_record(encoded);
    EXPECT_LT(bytes.size(), encoded.replay_part.size() + 20);
    const auto again = unpack_record(bytes);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->replay_part, encoded.replay_part);
    EXPECT_EQ(again->details_part, encoded.details_part);
}

}  // namespace
}  // namespace arbiter::ledger
