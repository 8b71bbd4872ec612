// arbiter_sim: plays whole campaigns under faults and compares everything with what must hold.
//
//   arbiter_sim [--seeds N] [--turns N] [--seed S] [--first S] [--jobs N] [--stop] [--brief]
//   [--long]
//
// Exit code 1: an oracle did not hold; the report names the seed and the command that replays it.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/sim/batch.h"

namespace {

struct Arguments {
    arbiter::sim::Batch batch;
    bool is_long = false;
};

bool number(std::string_view text, std::uint64_t& to) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    return error == std::errc() && end == text.data() + text.size();
}

bool parse(int count, char** words, Arguments& to) {
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        std::uint64_t value = 0;
        if (word == "--stop") {
            to.batch.stops = true;
            continue;
        }
        if (word == "--brief") {
            to.batch.shrinks = false;
            continue;
        }
        if (word == "--long") {
            to.is_long = true;
            continue;
        }
        if (i + 1 >= count || !number(words[++i], value)) {
            return false;
        }
        if (word == "--seeds") {
            to.batch.seeds = value;
        } else if (word == "--turns") {
            to.batch.turns = value;
        } else if (word == "--first") {
            to.batch.first = value;
        } else if (word == "--jobs") {
            to.batch.jobs = value;
        } else if (word == "--seed") {
            to.batch.first = value;
            to.batch.seeds = 1;
        } else {
            return false;
        }
    }
    return to.batch.turns > 0 && to.batch.seeds > 0 && to.batch.jobs > 0;
}

}  // namespace

int main(int count, char** words) {
    Arguments arguments;
    if (!parse(count, words, arguments)) {
        std::fputs(
            "arbiter_sim [--seeds N] [--turns N] [--first SEED] [--jobs N] [--stop] [--brief] "
            "[--long]\n"
            "arbiter_sim --seed SEED [--turns N]    replays one seed and shrinks its failure\n",
            stderr);
        return 2;
    }
    return arbiter::sim::run_batch(arguments.batch, arguments.is_long);
}
