// The command run in this process.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace arbiter::tests {

struct Ran {
    int code;
    std::string out;
    std::string err;
};

// With `input` on its standard input.
inline Ran ran(const std::vector<std::string>& words, std::string input = "",
               base::Language language = base::Language::kEnglish) {
    char* out_bytes = nullptr;
    char* err_bytes = nullptr;
    std::size_t out_size = 0;
    std::size_t err_size = 0;
    cli::Console console;
    input.push_back(' ');  // fmemopen takes no empty buffer
    console.in = fmemopen(input.data(), input.size(), "r");
    console.out = open_memstream(&out_bytes, &out_size);
    console.err = open_memstream(&err_bytes, &err_size);
    console.language = language;
    const int code = cli::run(words, console);
    std::fclose(console.in);
    std::fclose(console.out);
    std::fclose(console.err);
    Ran result{code, {out_bytes, out_size}, {err_bytes, err_size}};
    std::free(out_bytes);
    std::free(err_bytes);
    return result;
}

}  // namespace arbiter::tests
