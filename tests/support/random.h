// A small seeded generator for tests, and random documents for all of them.
//
// The same seed gives the same run everywhere; a failing test prints its seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "value/array.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::tests {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        // splitmix64
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
    bool chance(unsigned percent) { return below(100) < percent; }
    template <typename T>
    const T& pick(const std::vector<T>& from) {
        return from[below(from.size())];
    }

  private:
    std::uint64_t state_;
};

// Keys that break careless code.
inline const std::vector<std::string>& hostile_keys() {
    static const std::vector<std::string> keys = {
        "",
        "a",
        "a.b",
        ".",
        "..",
        "[0]",
        "0",
        "-1",
        "01",
        "a[0]",
        "\"",
        "'",
        "\\",
        "\\.",
        "/",
        "~",
        "~1",
        "a/b~c",
        " ",
        " 空格 ",
        "\n",
        std::string("\0nul", 4),
        "]",
        "[\"x\"]",
        "角色",
        "角色.属性.气血",
        "一个比十四个字节长得多的键名",
        "😀",
        "😀.👨‍👩‍👧",
        "\xEF\xBF\xBD",
        "__proto__",
        "constructor",
        "-",
        "\x7f",
        std::string(10'000, 'k'),
        std::string(5'000, '.'),
    };
    return keys;
}

inline std::string random_key(Random& random) {
    switch (random.below(4)) {
        case 0:
            return random.pick(hostile_keys());
        case 1:
            return "键" + std::to_string(random.below(50));
        case 2:
            return "a rather long key number " + std::to_string(random.below(50));
        default:
            return "k" + std::to_string(random.below(200));
    }
}

inline value::Value random_scalar(Random& random) {
    switch (random.below(9)) {
        case 0:
            return {};
        case 1:
            return random.chance(50);
        case 2:
            return static_cast<std::int64_t>(random.below(100));
        case 3:
            return static_cast<std::int64_t>(random.next());
        case 4:
            return static_cast<double>(static_cast<std::int64_t>(random.next())) / 1024.0;
        case 5:
            return static_cast<double>(random.below(1000)) / 8.0;
        case 6:
            return std::string_view(random_key(random));
        default:
            return std::string_view("短");
    }
}

// A document of at most `depth` levels and about `width` members a level.
inline value::Value random_value(Random& random, std::size_t depth, std::size_t width) {
    if (depth == 0 || random.chance(30)) {
        return random_scalar(random);
    }
    const std::size_t count = random.chance(10) ? width * 5 : random.below(width + 1);
    if (random.chance(40)) {
        value::Array array;
        for (std::size_t i = 0; i < count; ++i) {
            array = std::move(array).push_back(random_value(random, depth - 1, width / 2 + 1));
        }
        return array;
    }
    value::Object object;
    for (std::size_t i = 0; i < count; ++i) {
        object = std::move(object).set(std::string_view(random_key(random)),
                                       random_value(random, depth - 1, width / 2 + 1));
    }
    return object;
}

}  // namespace arbiter::tests
