// Transcripts: tests/turns/**/*.turn, text files that a card author can read.
//
//   # a comment; "proves: S0-7, S0-48" in it names requirements
//   == what this shows
//   profile: tavern
//   -- reply
//   He nods.
//   _.add('hp', 5);
//   -- shown
//   He nods.
//   -- proposals
//   increment + ~hp by 5
//
// A section that is not there is expected to be empty. `-- reply (json)` holds the reply as one
// JSON string, for bytes that do not show; `-- shown (json)` likewise. With ARBITER_UPDATE=1 in the
// environment the expectations are written anew from what happened, to be read and committed.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "value/json.h"

namespace arbiter::tests {

struct Turn {
    std::string title;
    std::vector<std::pair<std::string, std::string>> settings;  // "profile" → "tavern"
    std::vector<std::pair<std::string, std::string>> sections;  // "reply" → its lines
    std::size_t line = 0;
    std::vector<std::string> comments;  // the lines before it

    [[nodiscard]] std::string setting(std::string_view name, std::string otherwise = "") const {
        for (const auto& [key, value] : settings) {
            if (key == name) {
                return value;
            }
        }
        return otherwise;
    }
    [[nodiscard]] std::string section(std::string_view name) const {
        for (const auto& [key, text] : sections) {
            if (key == name) {
                return text;
            }
            if (key == std::string(name) + " (json)") {
                const auto value = value::parse_json(text);
                return value && value->is_string() ? std::string(value->as_string()) : "BAD JSON";
            }
        }
        return "";
    }
    void expect(std::string_view name, std::string text) {
        for (auto& [key, old] : sections) {
            if (key == name) {
                old = std::move(text);
                return;
            }
            if (key == std::string(name) + " (json)") {
                old = value::print_json(value::Value(std::string_view(text)));
                return;
            }
        }
        sections.emplace_back(name, std::move(text));
    }
};

struct TurnFile {
    std::filesystem::path path;
    std::vector<Turn> turns;
    std::vector<std::string> trailer;
};

inline bool is_update() {
    return std::getenv("ARBITER_UPDATE") != nullptr;
}

inline TurnFile load_turns(const std::filesystem::path& path) {
    TurnFile file{path, {}, {}};
    std::ifstream in(path);
    std::vector<std::string> comments;
    std::string line;
    std::size_t number = 0;
    std::string* section = nullptr;
    bool first = true;
    while (std::getline(in, line)) {
        ++number;
        if (line.starts_with("== ")) {
            file.turns.push_back({line.substr(3), {}, {}, number, std::move(comments)});
            comments.clear();
            section = nullptr;
        } else if (file.turns.empty() || (section == nullptr && line.starts_with("#"))) {
            comments.push_back(line);
        } else if (line.starts_with("-- ")) {
            file.turns.back().sections.emplace_back(line.substr(3), "");
            section = &file.turns.back().sections.back().second;
            first = true;
        } else if (line == "==") {
            section = nullptr;  // the end of a turn; comments may follow
        } else if (section != nullptr) {
            *section += first ? line : "\n" + line;
            first = false;
        } else if (const std::size_t colon = line.find(": "); colon != std::string::npos) {
            file.turns.back().settings.emplace_back(line.substr(0, colon), line.substr(colon + 2));
        } else if (!line.empty()) {
            comments.push_back(line);
        }
    }
    file.trailer = std::move(comments);
    return file;
}

inline void save_turns(const TurnFile& file) {
    std::ofstream out(file.path);
    for (const Turn& turn : file.turns) {
        for (const std::string& comment : turn.comments) {
            out << comment << "\n";
        }
        out << "== " << turn.title << "\n";
        for (const auto& [key, value] : turn.settings) {
            out << key << ": " << value << "\n";
        }
        for (const auto& [key, text] : turn.sections) {
            if (!text.empty() || key.starts_with("reply")) {
                out << "-- " << key << "\n" << text << "\n";
            }
        }
        out << "==\n\n";
    }
    for (const std::string& comment : file.trailer) {
        out << comment << "\n";
    }
}

inline std::vector<std::filesystem::path> turn_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".turn") {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

}  // namespace arbiter::tests
