// The protocol library: the files that Arbiter brings (data/schemas, part of the binary), with
// folders of the user's on top.
//
// Folders are searched to the bottom for .yaml and .yml; the id inside a file counts, not its name.
// A file that is no protocol is left out and told, and the rest is used. Links that lead out of a
// folder are not followed, and nothing but regular files of limited size is opened.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/profiles.h"
#include "config/texts.h"
#include "protocol/library.h"

namespace arbiter::config {

// "core/filament_v2" …
std::span<const BuiltIn> built_in_protocols() noexcept;

std::expected<protocol::Protocol, Trouble> load_protocol_text(std::string file, std::string text);

// For one thread; the library that it gives may be shared and outlives it.
class Protocols {
  public:
    // Folders, or single files. Of two protocols with the same id and version, that of the later
    // one counts.
    explicit Protocols(std::vector<std::string> folders = {});

    [[nodiscard]] std::shared_ptr<const protocol::Library> library() const { return library_; }
    // What was left out, or is there twice, with its place.
    [[nodiscard]] const std::vector<Trouble>& troubles() const noexcept { return troubles_; }
    // The text of a file of the library, or nullptr.
    [[nodiscard]] const std::string* text_of(std::string_view file) const;

    // Whether a file of the folders came, went, or has another time or size than when it was read.
    [[nodiscard]] bool changed() const;
    // Reads everything again where something changed, and says whether.
    bool reload();

  private:
    struct Stamp {
        std::int64_t time = 0;
        std::uint64_t size = 0;
        friend bool operator==(const Stamp&, const Stamp&) = default;
    };
    using Stamps = std::map<std::string, Stamp>;
    void load();
    [[nodiscard]] Stamps stamps() const;

    std::vector<std::string> folders_;
    std::shared_ptr<const protocol::Library> library_;
    std::vector<Trouble> troubles_;
    std::map<std::string, std::string, std::less<>> texts_;
    Stamps stamps_;
};

// The texts of what holds, for a ledger that keeps what a turn was judged under; and the library of
// such texts alone, so that an old turn is judged by the words of its time. What cannot be read any
// more is left out.
std::vector<Source> sources_of(const protocol::Resolved& resolved, const Protocols& protocols);
protocol::Library library_of(std::span<const Source> kept);

// Every mistake in some files and folders, also what is wrong between them; what they need may be
// among them or built in.
struct Lint {
    std::size_t files = 0;
    std::vector<Trouble> troubles;  // one for each file that has some
};
Lint lint_protocols(const std::vector<std::string>& files_or_folders);
// The same for one text.
Lint lint_protocol_text(std::string file, std::string text);

}  // namespace arbiter::config
