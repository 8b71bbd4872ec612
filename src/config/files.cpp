#include "config/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

base::Result<OpenFile> open_file(const std::string& name) {
    // Opening a FIFO would wait for a writer.
    const int descriptor = open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        return unreadable(name, errno);
    }
    OpenFile file(fdopen(descriptor, "rb"));
    if (file == nullptr) {
        close(descriptor);
        return unreadable(name, ENOMEM);
    }
    struct stat facts{};
    if (fstat(descriptor, &facts) != 0) {
        return unreadable(name, errno);
    }
    if (S_ISDIR(facts.st_mode)) {
        return unreadable(name, EISDIR);
    }
    const bool is_open_already = name == "/dev/stdin" || name == "/dev/null" ||
                                 name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/");
    if (!S_ISREG(facts.st_mode) && !is_open_already) {
        return base::fail(ErrorCode::kFileSpecial, {name});
    }
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) != 0) {
        return unreadable(name, errno);
    }
    return file;
}

base::Result<std::string> read_file(const std::string& name, std::size_t bytes_max) {
    const auto file = open_file(name);
    if (!file) {
        return std::unexpected(file.error());
    }
    struct stat facts{};
    if (fstat(fileno(file->get()), &facts) == 0 && S_ISREG(facts.st_mode) &&
        static_cast<std::size_t>(facts.st_size) > bytes_max) {
        return too_long(static_cast<std::size_t>(facts.st_size), bytes_max);
    }
    return read_stream(file->get(), name, bytes_max);
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
