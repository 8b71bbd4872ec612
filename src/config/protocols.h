// Loads the protocol library: the embedded files of data/schemas, with folders of the user on top.
//
// Folders are searched recursively for .yaml and .yml; the id inside a file counts, not its name. A
// file that is not a protocol is skipped and reported. Links that lead out of a folder are not
// followed, and only regular files of limited size are opened.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.h"
#include "config/source_files.h"
#include "config/text_resolver.h"
#include "protocol/library.h"

namespace arbiter::config {

// For one thread; the library that it gives may be shared and outlives it.
class Protocols {
  public:
    // Folders or single files. Of two protocols with the same id and version, the one of the later
    // folder counts.
    explicit Protocols(std::vector<std::string> folders = {});

    [[nodiscard]] std::shared_ptr<const protocol::Library> library() const {
        return loaded_->library;
    }
    // Files that were skipped, and duplicates.
    [[nodiscard]] const std::vector<FileDiagnostics>& diagnostics() const noexcept {
        return loaded_->diagnostics;
    }
    // Texts that a campaign keeps. They are above the embedded files and below the folders: a
    // folder with an id replaces the kept versions of that id, unless a reference asks for one that
    // the folder does not have. Of an id in `active` no newer embedded version is used.
    struct Kept {
        std::vector<NamedText> active;  // that the present turn was judged under
        std::vector<NamedText> own;     // the campaign's library beside the embedded files
        std::vector<std::string> references = {};  // of the protocols that are switched on
    };
    // Loads everything again with these.
    void keep(Kept kept);
    // The protocols of the folders, and the kept ones that are still used: the library that a
    // campaign keeps.
    [[nodiscard]] std::vector<NamedText> own() const;

    // The text of a file of the library, or nullptr.
    [[nodiscard]] const std::string* text_of(std::string_view file) const;

    // True if a file of the folders was added, removed, or has another time or size.
    [[nodiscard]] bool changed() const;
    // Loads everything again if something changed; returns whether it did.
    bool reload();

  private:
    struct Stamp {
        std::int64_t time = 0;
        std::uint64_t size = 0;
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    using Stamps = std::map<std::string, Stamp>;
    struct Loaded {
        std::vector<std::string> folders = {};
        Kept kept = {};
        std::set<std::string, std::less<>> own_files = {};
        std::shared_ptr<const protocol::Library> library = {};
        std::vector<FileDiagnostics> diagnostics = {};
        std::map<std::string, std::string, std::less<>> texts = {};
        Stamps stamps = {};
    };
    void load(std::vector<std::string> folders, Kept kept);
    static Stamps stamps_of(const std::vector<std::string>& folders);

    // Shared: every open campaign has a copy of the protocols.
    std::shared_ptr<const Loaded> loaded_;
};

// The texts of the active protocols, for a ledger that stores the rules of a turn.
std::vector<NamedText> sources_of(const protocol::Resolved& resolved, const Protocols& protocols);
// The library of such texts alone. Texts that cannot be read any more are skipped.
protocol::Library library_of(std::span<const NamedText> stored);

// All mistakes in some files, and between them. Dependencies may be among them or embedded.
Lint lint_protocols(std::span<const SourceText> sources);

}  // namespace arbiter::config
