#include "config/files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace arbiter::config {
namespace {

using base::ErrorCode;

std::unexpected<base::Error> unreadable(const std::string& name, int error) {
    if (error == ENOENT) {
        return base::fail(ErrorCode::kFileMissing, {name});
    }
    return base::fail(ErrorCode::kFileUnreadable, {name, std::strerror(error)});
}

std::unexpected<base::Error> too_long(std::size_t bytes, std::size_t bytes_max) {
    return base::fail(ErrorCode::kTextTooLong, {std::to_string(bytes), std::to_string(bytes_max)});
}

}  // namespace

base::Result<std::string> read_stream(std::FILE* stream, const std::string& name,
                                      std::size_t bytes_max) {
    std::string text;
    std::string block(std::size_t{64} << 10, '\0');
    while (const std::size_t got = std::fread(block.data(), 1, block.size(), stream)) {
        text.append(block, 0, got);
        if (text.size() > bytes_max) {
            return too_long(text.size(), bytes_max);
        }
    }
    if (std::ferror(stream) != 0) {
        return unreadable(name, errno);
    }
    return text;
}

base::Result<std::string> read_file(const std::string& name, std::size_t bytes_max) {
    struct Closer {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };
    const std::unique_ptr<std::FILE, Closer> file(std::fopen(name.c_str(), "rb"));
    if (file == nullptr) {
        return unreadable(name, errno);
    }
    struct stat facts{};
    if (fstat(fileno(file.get()), &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) {
            return unreadable(name, EISDIR);
        }
        const auto size = static_cast<std::size_t>(facts.st_size);
        if (S_ISREG(facts.st_mode) && size > bytes_max) {
            return too_long(size, bytes_max);
        }
    }
    return read_stream(file.get(), name, bytes_max);
}

namespace fs = std::filesystem;

bool is_inside(const fs::path& path, const fs::path& folder) {
    std::error_code wrong;
    const fs::path real = fs::canonical(path, wrong);
    const fs::path root = wrong ? fs::path() : fs::canonical(folder, wrong);
    if (wrong) {
        return false;
    }
    const auto [end, rest] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
    return end == root.end();
}

base::Result<std::string> resolve_reference(const fs::path& folder, std::string_view reference) {
    const fs::path named(reference);
    const fs::path path = folder / named;
    const fs::path root = folder.empty() ? fs::path(".") : folder;
    std::error_code error;
    const bool leads_out =
        std::ranges::any_of(named, [](const fs::path& part) { return part == ".."; }) ||
        ((named.is_absolute() || fs::exists(path, error)) && !is_inside(path, root));
    if (leads_out) {
        return base::fail(ErrorCode::kFileOutside, {std::string(reference), root.string()});
    }
    return path.string();
}

}  // namespace arbiter::config
