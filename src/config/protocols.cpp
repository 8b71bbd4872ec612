#include "config/protocols.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/limits.h"
#include "config/embedded.h"
#include "config/files.h"
#include "config/rulebooks.h"
#include "config/yaml.h"
#include "value/editor.h"

namespace arbiter::config {
namespace {

using base::Error;
using base::ErrorCode;
using protocol::Library;
using protocol::Protocol;

// Cannot be a path on disk.
std::string built_in_file(const EmbeddedFile& each) {
    return "arbiter:" + std::string(each.name) + ".yaml";
}

// Layers of a library: embedded files, kept texts, folders.
constexpr int kKeptLayer = 1;
constexpr int kFirstFolder = 2;

// Cannot be a path on disk.
std::string kept_file(std::string_view name) {
    return "campaign:" + std::string(name) + ".yaml";
}

// The value, with an unquoted version as it is written: YAML reads 1.10 as the number 1.1.
value::Value with_version_text(const ParsedYaml& read) {
    value::Value written = read.value;
    for (const value::Path& path : {value::Path{"meta", "version"}, value::Path{"version"}}) {
        const value::Value* found = value::find(written, path);
        if (found == nullptr || !found->is_number()) {
            continue;
        }
        const std::string_view rest = std::string_view(read.text).substr(
            std::min(read.place_of(path).offset, read.text.size()));
        const std::string_view text = rest.substr(0, rest.find_first_of(" \t\r\n,}#"));
        if (protocol::parse_version(text)) {
            written = value::set(written, path, value::Value(text)).value_or(written);
        }
    }
    return written;
}

// Collects files for a library, and their mistakes.
class Loading {
  public:
    // Of two with the same id and version, the one in the higher layer counts.
    void add(std::string file, std::string text, int layer) {
        texts[file] = text;
        auto read = parse_yaml(file, text);
        if (!read) {
            note(file, std::move(read.error()));
            return;
        }
        auto compiled = Protocol::compile(with_version_text(*read), calendar::shared_calendars());
        ParsedYaml& source = sources_.insert_or_assign(file, std::move(*read)).first->second;
        if (!compiled) {
            for (const value::Diagnostic& fault : compiled.error()) {
                note(file, source.at(fault));
            }
            return;
        }
        for (const value::Diagnostic& fault : compiled->remarks) {
            remarks_.emplace_back(file, source.at(fault));
        }
        entries_.push_back({std::move(file), layer, std::move(*compiled)});
    }

    // A text that a campaign keeps. Most are embedded ones, which are compiled already.
    void add_kept(std::string file, std::string text, int layer) {
        const Loading& ours = built_in();
        const auto same =
            std::ranges::find_if(ours.texts, [&](const auto& each) { return each.second == text; });
        const auto known = same != ours.texts.end() ? std::ranges::find(ours.entries_, same->first,
                                                                        &Library::Entry::file)
                                                    : ours.entries_.end();
        if (known == ours.entries_.end()) {
            add(std::move(file), std::move(text), layer);
            return;
        }
        texts[file] = std::move(text);
        sources_.insert_or_assign(file, ours.sources_.at(same->first));
        entries_.push_back({std::move(file), layer, known->protocol});
    }

    void add_file(const std::string& file, int layer) {
        auto text = read_file(file, base::kProtocolBytesMax);
        if (!text) {
            note(file, std::move(text.error()));
            return;
        }
        add(file, std::move(*text), layer);
    }

    void add_folder(const std::string& folder, int layer) {
        FoundFiles found = find_files(folder);
        for (FileDiagnostics& each : found.diagnostics) {
            note(each.file, std::move(each.errors[0]));
        }
        for (const std::string& file : found.files) {
            add_file(file, layer);
        }
    }

    void add_built_in() {
        for (const EmbeddedFile& each : built_in_protocols()) {
            add(built_in_file(each), std::string(each.text), 0);
        }
    }
    // The embedded files alone. Read once: sessions load a library each time they are opened.
    static const Loading& built_in() {
        static const Loading kLoaded = [] {
            Loading loading;
            loading.add_built_in();
            return loading;
        }();
        return kLoaded;
    }

    // Drops entries that the rules of Protocols::Kept leave out.
    void settle_kept(const Protocols::Kept& kept) {
        std::vector<protocol::Reference> wanted;
        for (const std::string& text : kept.references) {
            if (auto reference = protocol::parse_reference(text)) {
                wanted.push_back(*std::move(reference));
            }
        }
        for (const Library::Entry& entry : entries_) {
            if (entry.layer > 0) {
                wanted.insert(wanted.end(), entry.protocol.dependencies.begin(),
                              entry.protocol.dependencies.end());
            }
        }
        const auto in_folder = [this](auto fits) {
            return std::ranges::any_of(entries_, [&](const Library::Entry& entry) {
                return entry.layer >= kFirstFolder && fits(entry.protocol);
            });
        };
        const auto is_replaced = [&](const Library::Entry& entry) {
            const Protocol& protocol = entry.protocol;
            return in_folder([&](const Protocol& other) { return other.id == protocol.id; }) &&
                   std::ranges::none_of(wanted, [&](const protocol::Reference& reference) {
                       return reference.id == protocol.id &&
                              reference.pin.allows(protocol.version) &&
                              !in_folder([&](const Protocol& other) {
                                  return other.id == reference.id &&
                                         reference.pin.allows(other.version);
                              });
                   });
        };
        const auto is_newer = [&](const Library::Entry& entry) {
            bool has_kept = false;
            const bool is_above = std::ranges::all_of(entries_, [&](const Library::Entry& other) {
                const bool counts =
                    other.layer == kKeptLayer && other.protocol.id == entry.protocol.id &&
                    std::ranges::find(kept.active, full_name(other.protocol), &NamedText::name) !=
                        kept.active.end();
                has_kept = has_kept || counts;
                return !counts || other.protocol.version < entry.protocol.version;
            });
            return has_kept && is_above;
        };
        std::vector<bool> dropped;
        for (const Library::Entry& entry : entries_) {
            dropped.push_back(entry.layer == kKeptLayer ? is_replaced(entry)
                                                        : entry.layer == 0 && is_newer(entry));
        }
        std::size_t at = 0;
        std::erase_if(entries_, [&](const Library::Entry&) { return dropped[at++]; });
    }

    Library make() {
        Library library = Library::make(std::move(entries_));
        note_all(library.duplicates());
        return library;
    }

    // Mistakes and remarks that only the author of a file needs.
    void note_for_lint(const Library& library) {
        note_all(library.check());
        for (auto& [file, error] : remarks_) {
            note(file, std::move(error));
        }
    }

    void note(const std::string& file, Error error) {
        FileDiagnostics& found = diagnostics_[file];
        found.file = file;
        const auto text = texts.find(file);
        found.text = text != texts.end() ? text->second : "";
        found.errors.push_back(std::move(error));
    }

    std::vector<FileDiagnostics> diagnostics() {
        std::vector<FileDiagnostics> all;
        for (auto& [file, found] : diagnostics_) {
            sort_by_position(found.errors);
            all.push_back(std::move(found));
        }
        return all;
    }

    std::map<std::string, std::string, std::less<>> texts;

  private:
    void note_all(const std::vector<Library::FileDiagnostic>& diagnostics) {
        for (const auto& [file, diagnostic] : diagnostics) {
            const auto source = sources_.find(file);
            note(file, source != sources_.end() ? source->second.at(diagnostic) : diagnostic.error);
        }
    }

    std::map<std::string, ParsedYaml> sources_;
    std::map<std::string, FileDiagnostics> diagnostics_;  // in order of files
    std::vector<std::pair<std::string, Error>> remarks_;
    std::vector<Library::Entry> entries_;
};

}  // namespace

Protocols::Protocols(std::vector<std::string> folders) {
    load(std::move(folders), {});
}

void Protocols::load(std::vector<std::string> folders, Kept kept) {
    auto loaded = std::make_shared<Loaded>();
    // Taken before the files are read, so that changed() sees a change in between.
    loaded->stamps = stamps_of(folders);
    Loading loading = Loading::built_in();
    for (const std::vector<NamedText>* texts : {&kept.own, &kept.active}) {
        for (const NamedText& each : *texts) {
            const std::string file = kept_file(each.name);
            if (!loading.texts.contains(file)) {
                loading.add_kept(file, each.text, kKeptLayer);
            }
            if (texts == &kept.own) {
                loaded->own_files.insert(file);
            }
        }
    }
    int layer = kFirstFolder;
    for (const std::string& folder : folders) {
        loading.add_folder(folder, layer++);
    }
    loading.settle_kept(kept);
    loaded->library = std::make_shared<const Library>(loading.make());
    loaded->texts = std::move(loading.texts);
    loaded->diagnostics = loading.diagnostics();
    loaded->folders = std::move(folders);
    loaded->kept = std::move(kept);
    loaded_ = std::move(loaded);
}

void Protocols::keep(Kept kept) {
    const auto is_empty = [](const Kept& texts) {
        return texts.active.empty() && texts.own.empty();
    };
    const Kept& before = loaded_->kept;
    const bool changes = (!is_empty(kept) || !is_empty(before)) &&
                         (kept.active != before.active || kept.own != before.own ||
                          kept.references != before.references);
    if (changes) {
        load(loaded_->folders, std::move(kept));
    }
}

std::vector<NamedText> Protocols::own() const {
    std::vector<NamedText> own;
    for (const Library::Row& row : loaded_->library->rows()) {
        if (!row.file.starts_with("arbiter:") &&
            (!row.file.starts_with("campaign:") || loaded_->own_files.contains(row.file))) {
            own.push_back({TextKind::kProtocol, full_name(*row.protocol), *text_of(row.file)});
        }
    }
    return own;
}

const std::string* Protocols::text_of(std::string_view file) const {
    const auto found = loaded_->texts.find(file);
    return found != loaded_->texts.end() ? &found->second : nullptr;
}

Protocols::Stamps Protocols::stamps_of(const std::vector<std::string>& folders) {
    Stamps all;
    for (const std::string& folder : folders) {
        for (const std::string& file : find_files(folder).files) {
            struct stat facts{};
            if (stat(file.c_str(), &facts) == 0) {
                all[file] = {facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec,
                             static_cast<std::uint64_t>(facts.st_size)};
            }
        }
    }
    return all;
}

bool Protocols::changed() const {
    return stamps_of(loaded_->folders) != loaded_->stamps;
}

bool Protocols::reload() {
    if (!changed()) {
        return false;
    }
    load(loaded_->folders, loaded_->kept);
    return true;
}

std::vector<NamedText> sources_of(const protocol::Resolved& resolved, const Protocols& protocols) {
    std::vector<NamedText> sources;
    for (const auto& active : resolved.active) {
        for (const Library::Row& row : protocols.library()->versions(active.protocol->id)) {
            const std::string* text = protocols.text_of(row.file);
            if (row.protocol->fingerprint == active.protocol->fingerprint && text != nullptr) {
                sources.push_back({TextKind::kProtocol, full_name(*row.protocol), *text});
                break;
            }
        }
    }
    return sources;
}

Library library_of(std::span<const NamedText> kept) {
    Loading loading;
    for (const NamedText& source : kept) {
        if (source.kind == TextKind::kProtocol) {
            loading.add_kept(source.name, source.text, 0);
        }
    }
    return loading.make();
}

Lint lint_protocols(std::span<const SourceText> sources) {
    const auto is_ours = [&](std::string_view file) {
        return std::ranges::any_of(built_in_protocols(), [&](const EmbeddedFile& each) {
            return file == built_in_file(each);
        });
    };
    Loading loading;
    for (const SourceText& source : sources) {
        loading.add(source.file, source.text, 1);
    }
    loading.add_built_in();
    const Library library = loading.make();
    loading.note_for_lint(library);
    Lint result{loading.diagnostics()};
    std::erase_if(result.diagnostics,
                  [&](const FileDiagnostics& each) { return is_ours(each.file); });
    return result;
}

}  // namespace arbiter::config
