#include "cli/test.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/limits.h"
#include "cli/documents.h"
#include "cli/lines.h"
#include "transcript/play.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using transcript::Mismatch;
using transcript::Transcript;
using transcript::Turn;

struct Tally {
    std::size_t turns = 0;
    std::size_t failed = 0;
    bool trouble = false;
};

// The transcripts that an argument names: one file, or all files below a folder.
base::Result<std::vector<std::string>> files_of(const std::string& word) {
    std::error_code error;
    if (!std::filesystem::is_directory(word, error)) {
        return std::vector{word};
    }
    std::vector<std::string> files;
    std::filesystem::recursive_directory_iterator each(word, error);
    for (; !error && each != std::filesystem::recursive_directory_iterator();
         each.increment(error)) {
        if (each->path().extension() == ".turn") {
            files.push_back(each->path().string());
        }
    }
    if (error) {
        return base::fail(ErrorCode::kFileUnreadable, {word, error.message()});
    }
    if (files.empty()) {
        return base::fail(ErrorCode::kNotFound, {word + "/**/*.turn"});
    }
    std::ranges::sort(files);
    return files;
}

// Shows the expected and the actual text. Documents are compared part by part.
std::string difference(const Console& console, const Mismatch& mismatch) {
    std::string out = "  -- " + mismatch.section + "\n";
    if (mismatch.section.starts_with("after")) {
        const auto expected = value::parse_json(mismatch.expected);
        const auto got = value::parse_json(mismatch.got);
        const value::Diff changes = expected && got ? value::diff(*expected, *got) : value::Diff();
        for (const value::Change& change : changes) {
            out += "  " + change_line(console, change);
        }
        if (!changes.empty()) {
            return out;
        }
    }
    for (const Line& line : compare_lines(mismatch.expected, mismatch.got)) {
        const Color color = line.mark == '-'   ? Color::kRed
                            : line.mark == '+' ? Color::kGreen
                                               : Color::kNone;
        out += "  " +
               console.painted(std::string(1, line.mark) + " " + std::string(line.text), color) +
               "\n";
    }
    return out;
}

// Converts CRLF to LF. Returns true if it did, so that the file can be written back with CRLF.
bool unify_line_ends(std::string& text) {
    const std::size_t first = text.find('\n');
    if (first == 0 || first == std::string::npos || text[first - 1] != '\r') {
        return false;
    }
    std::string unified;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') {
            unified += text[i];
        }
    }
    text = std::move(unified);
    return true;
}

std::string with_windows_line_ends(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '\n' ? "\r\n" : std::string(1, c);
    }
    return out;
}

class Run {
  public:
    Run(const Console& console, bool update) : console_(console), update_(update) {}

    void file(const std::string& name) {
        auto text = read_file(console_, name, base::kBatchBytesMax);
        if (!text) {
            return complain(text.error(), "arbiter", {});
        }
        const bool windows = unify_line_ends(*text);
        auto parsed = transcript::parse(*text);
        if (!parsed) {
            return complain(parsed.error(), name, *text);
        }
        const std::string folder = std::filesystem::path(name).parent_path().string();
        std::string details;
        std::size_t failed = 0;
        for (Turn& turn : parsed->turns) {
            auto played = transcript::play(turn, folder);
            if (!played) {
                return complain(played.error(), name, *text);
            }
            if (!played->mismatches.empty()) {
                ++failed;
                details += failure(name, turn, played->mismatches);
            }
            turn = std::move(played->turn);
        }
        tally_.turns += parsed->turns.size();
        tally_.failed += failed;
        report_file(name, parsed->turns.size(), failed, details);
        if (update_ && failed > 0) {
            const std::string now = transcript::print(*parsed);
            const auto saved = write_file(name, windows ? with_windows_line_ends(now) : now);
            if (!saved) {
                complain(saved.error(), "arbiter", {});
            }
        }
    }

    void complain(const base::Error& error, std::string_view file, std::string_view text) {
        report(console_, error, file, text);
        tally_.trouble = true;
    }

    Exit done() const {
        const std::string words[] = {std::to_string(tally_.turns), std::to_string(tally_.failed),
                                     tally_.turns == 1 ? "turn" : "turns"};
        console_.print(base::format_message(
            console_.say(
                update_ ? base::TextView{"{0} {2}, {1} updated\n", "{0} 个回合，{1} 个已更新\n"}
                        : base::TextView{"{0} {2}, {1} failed\n", "{0} 个回合，{1} 个失败\n"}),
            words));
        if (tally_.trouble) {
            return Exit::kTrouble;
        }
        return tally_.failed > 0 && !update_ ? Exit::kNo : Exit::kDone;
    }

  private:
    std::string failure(const std::string& name, const Turn& turn,
                        const std::vector<Mismatch>& mismatches) const {
        std::string out = name + ":" + std::to_string(turn.place.line) + ": " + turn.title + "\n";
        for (const Mismatch& mismatch : mismatches) {
            out += difference(console_, mismatch);
        }
        return out;
    }

    void report_file(const std::string& name, std::size_t turns, std::size_t failed,
                     const std::string& details) const {
        const std::string words[] = {name, std::to_string(turns), std::to_string(failed)};
        if (failed == 0) {
            console_.print(console_.painted(console_.say({"ok   ", "通过 "}), Color::kGreen) +
                           base::format_message(" {0} ({1})\n", words));
            return;
        }
        const base::TextView mark =
            update_ ? base::TextView{"wrote", "更新 "} : base::TextView{"FAIL ", "失败 "};
        console_.print(
            console_.painted(console_.say(mark), update_ ? Color::kYellow : Color::kRed) +
            base::format_message(
                console_.say({" {0} ({2} of {1})\n", " {0}（{1} 个中的 {2} 个）\n"}), words));
        console_.print(details);
    }

    const Console& console_;
    const bool update_;
    Tally tally_;
};

}  // namespace

Exit run_test(const Call& call) {
    Run run(call.console, call.has("--update"));
    for (const std::string& word : call.arguments) {
        const auto files = files_of(word);
        if (!files) {
            run.complain(files.error(), "arbiter", {});
            continue;
        }
        for (const std::string& file : *files) {
            run.file(file);
        }
    }
    return run.done();
}

}  // namespace arbiter::cli
