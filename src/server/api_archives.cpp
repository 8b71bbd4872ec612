#include "server/api_archives.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "campaign/archive.h"
#include "campaign/redaction.h"
#include "ledger/backup.h"
#include "ledger/names.h"
#include "server/api_support.h"

namespace arbiter::server {
namespace {

using base::ErrorCode;
using value::Object;
using value::Value;

net::Response lines_response(std::string text, const std::string& file) {
    net::Response response;
    response.headers.set("Content-Type", "application/x-ndjson");
    response.headers.set("Content-Disposition", "attachment; filename=\"" + file + "\"");
    response.headers.set("Cache-Control", "no-store");
    response.body = std::move(text);
    return response;
}

net::Response export_story(Host& host, const ApiCall& call, const ledger::Campaign& campaign) {
    const auto display = campaign::Display::of(campaign, host.options().session.globals);
    if (!display) {
        return error_response(display.error());
    }
    auto story =
        campaign::export_story(campaign, *display, campaign::redactor_of(campaign, call.viewer()));
    return story ? lines_response(*std::move(story), call.campaign() + ".story.jsonl")
                 : error_response(story.error());
}

// An archive holds everything, so it is for operators; a player gets the story.
net::Response export_campaign(Host& host, const ApiCall& call) {
    const std::string_view format = call.asked("format");
    if (!format.empty() && format != "archive" && format != "story") {
        return error_response(base::Error(ErrorCode::kBadParameter,
                                          {"format", std::string(format), "archive, story"}));
    }
    const bool may_all = call.viewer() == table::Viewer::kOperator;
    if (format == "archive" && !may_all) {
        return error_response(
            base::Error(ErrorCode::kScopeMissing, {std::string(name(Scope::kAdmin))}));
    }
    const auto campaign = ledger::Campaign::open_without_state(host.store(), call.campaign());
    if (!campaign) {
        return error_response(campaign.error());
    }
    if (format == "story" || !may_all) {
        return export_story(host, call, *campaign);
    }
    auto archive = campaign::export_archive(*campaign);
    return archive ? lines_response(*std::move(archive), call.campaign() + ".arbiter.jsonl")
                   : error_response(archive.error());
}

net::Response import_campaign(Host& host, const ApiCall& call) {
    const auto id = campaign::import_archive(host.store(), call.bytes);
    const auto session = id ? host.session(*id) : std::unexpected(id.error());
    if (!session) {
        return error_response(session.error());
    }
    net::Response response = head_response(
        **session, call,
        {{"id", text_value(*id)}, {"name", text_value((*session)->campaign().row().name)}}, 201);
    response.headers.set("Location", "/api/v1/campaigns/" + *id);
    return response;
}

// Files are only written into the data folder, under names of plain characters.
net::Response back_up(Host& host, const ApiCall& call) {
    const std::string& folder = host.options().data_folder;
    if (folder.empty()) {
        return error_response(base::Error(ErrorCode::kFileMissing, {"data_folder"}));
    }
    std::string name = call.text("name");
    if (name.empty()) {
        name = "backup-" + engine::print_instant(call.now);
        std::ranges::transform(name, name.begin(), [](unsigned char c) {
            return c == ':' || c == '.' ? '-' : static_cast<char>(std::tolower(c));
        });
    }
    if (!ledger::is_campaign_id(name)) {
        return error_response(
            base::Error(ErrorCode::kBadParameter, {"name", name, "[a-z0-9_-]{1,64}"}));
    }
    const std::filesystem::path file = std::filesystem::path(folder) / (name + ".db");
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) {
        return error_response(base::Error(ErrorCode::kFileUnwritable, {folder, failed.message()}));
    }
    if (const auto done = ledger::back_up(host.store(), file.string()); !done) {
        return error_response(done.error());
    }
    const auto bytes = std::filesystem::file_size(file, failed);
    return public_response(201, Object{{"file", text_value(file.filename().string())},
                                       {"bytes", static_cast<std::int64_t>(failed ? 0 : bytes)}});
}

constexpr QueryParameter kExportQuery[] = {
    {"format", "string",
     "archive (admin; can be imported) or story (readable, without secrets); default: the "
     "archive, below admin the story"}};

constexpr Route kRoutes[] = {
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/export",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The campaign as one archive, or its story",
     .handler = export_campaign,
     .answer_type = "application/x-ndjson",
     .query = kExportQuery},
    {.method = "POST",
     .pattern = "/api/v1/import",
     .scope = Scope::kAdmin,
     .runs = Runs::kWrite,
     .summary = "Import an archive; nothing of it is trusted",
     .handler = import_campaign,
     .status = 201,
     .answer = "ImportedCampaign",
     .body = RequestBody::kBytes},
    {.method = "POST",
     .pattern = "/api/v1/backup",
     .scope = Scope::kAdmin,
     .runs = Runs::kWrite,
     .summary = "Copy the whole store into a file of the data folder, while it is used",
     .handler = back_up,
     .status = 201,
     .answer = "Backup",
     .body = RequestBody::kJson,
     .request = "BackupName"},
};

}  // namespace

std::span<const Route> archive_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
