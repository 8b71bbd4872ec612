#include "server/page.h"

#include <algorithm>
#include <string>

#include "server/errors.h"

namespace arbiter::server {
namespace {

// Only what this server sends is run or loaded, and no other page may frame it. Names and stories
// are set as text; should markup slip through, the browser still runs none of it.
constexpr std::string_view kPolicy =
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

constexpr std::string_view kNotBuilt = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Arbiter</title>
<h1>Arbiter</h1>
<p>The server runs. This build has no page: Node 20.19 or newer was missing. In the source folder,
<code>./dev run</code> builds the page and starts the server again.
<p>The API is at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.
<p lang="zh">服务器已在运行，但这次构建时没有 Node 20.19 或更新的版本，因此没有网页。
在源码目录运行 <code>./dev run</code> 即可构建网页并重新启动。
</html>
)html";

void add_page_headers(net::Headers& headers) {
    headers.set("Content-Security-Policy", std::string(kPolicy));
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
}

// "gzip;q=0" refuses it.
bool accepts_gzip(const net::Headers& headers) {
    const std::string* field = headers.find("accept-encoding");
    const std::size_t at = field != nullptr ? field->find("gzip") : std::string::npos;
    return at != std::string::npos && !field->substr(at + 4).starts_with(";q=0");
}

// Names of files below /assets hold a hash of the content: they never change.
net::Response file_response(const PageFile& file, const ApiCall& call, bool is_hashed) {
    net::Response response;
    add_page_headers(response.headers);
    response.headers.set("ETag", "\"" + std::string(file.hash) + "\"");
    response.headers.set("Vary", "Accept-Encoding");
    response.headers.set("Cache-Control",
                         is_hashed ? "public, max-age=31536000, immutable" : "no-cache");
    const std::string* known = call.headers.find("if-none-match");
    if (known != nullptr && names_hash(*known, file.hash)) {
        response.status = 304;
        return response;
    }
    response.headers.set("Content-Type", std::string(file.type));
    const bool is_zipped = accepts_gzip(call.headers);
    if (is_zipped) {
        response.headers.set("Content-Encoding", "gzip");
    }
    response.body = is_zipped ? file.gzip : file.plain;
    return response;
}

const PageFile* find_file(std::string_view path) {
    const auto files = page_files();
    const auto found = std::ranges::find(files, path, &PageFile::path);
    return found != files.end() ? &*found : nullptr;
}

net::Response get_page(Host& host, const ApiCall& call) {
    (void)host;
    if (const PageFile* file = find_file("/index.html")) {
        return file_response(*file, call, false);
    }
    net::Response response;
    add_page_headers(response.headers);
    response.headers.set("Content-Type", "text/html; charset=utf-8");
    response.headers.set("Cache-Control", "no-store");
    response.body = kNotBuilt;
    return response;
}

net::Response get_asset(Host& host, const ApiCall& call) {
    (void)host;
    const std::string path = "/assets/" + call.path("file");
    const PageFile* file = find_file(path);
    return file != nullptr ? file_response(*file, call, true)
                           : error_response(base::Error(base::ErrorCode::kRouteUnknown, {path}));
}

constexpr Route row(std::string_view pattern, std::string_view summary, Handler handler,
                    std::string_view type) {
    return {.method = "GET",
            .pattern = pattern,
            .scope = Scope::kNone,
            .runs = Runs::kInline,
            .summary = summary,
            .handler = handler,
            .answer_type = type};
}

constexpr Route kRoutes[] = {
    row("/", "The page", get_page, "text/html; charset=utf-8"),
    row("/assets/{file}", "A file of the page", get_asset, "*/*"),
};

}  // namespace

std::span<const Route> page_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
