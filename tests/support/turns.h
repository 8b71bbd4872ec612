// The committed transcripts, tests/turns/**/*.turn, for tests that look at every turn of them.
// `arbiter test tests/turns` runs the same; with --update it writes what is expected.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "transcript/play.h"

namespace arbiter::tests {

// Calls each(turn, where, folder of its file) for every turn below tests/turns/<folder>; gives how
// many there were.
template <typename Each>
std::size_t each_turn(const std::string& folder, Each each) {
    const auto root =
        std::filesystem::path(ARBITER_TEST_DATA).parent_path().parent_path() / "turns" / folder;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        if (entry.path().extension() == ".turn") {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    std::size_t count = 0;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(in)),
                               std::istreambuf_iterator<char>());
        const auto parsed = transcript::parse(text);
        EXPECT_TRUE(parsed) << file;
        if (!parsed) {
            continue;
        }
        // Nothing in the files would be lost by writing them anew.
        EXPECT_TRUE(transcript::print(*parsed) == text) << file;
        for (const transcript::Turn& turn : parsed->turns) {
            each(turn, file.filename().string() + ":" + std::to_string(turn.place.line) + ": " +
                           turn.title,
                 file.parent_path().string());
            ++count;
        }
    }
    return count;
}

// Plays a turn, which must end as it says.
inline void expect_as_it_says(const transcript::Turn& turn, const std::string& where,
                              const std::string& folder, const transcript::Watch& watch = {}) {
    const auto played = transcript::play(turn, folder, watch);
    ASSERT_TRUE(played) << where;
    for (const transcript::Mismatch& each : played->mismatches) {
        EXPECT_EQ(each.got, each.expected) << where << ": " << each.section;
    }
}

}  // namespace arbiter::tests
