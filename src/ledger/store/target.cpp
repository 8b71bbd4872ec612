#include "ledger/store/target.h"

#include <libpq-fe.h>

#include <algorithm>
#include <optional>

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

// The option that libpq names: invalid URI query parameter: "name".
std::optional<std::string> unknown_option(std::string_view words) {
    const std::size_t begin = words.find("query parameter: \"");
    if (begin == std::string_view::npos) {
        return std::nullopt;
    }
    const std::size_t name = words.find('"', begin) + 1;
    return std::string(words.substr(name, words.find('"', name) - name));
}

// The elements of one of libpq's lists, such as the hosts of a url. Unlike text::split(), counts
// empty ones.
std::vector<std::string> elements_of(const char* list) {
    std::vector<std::string> elements;
    std::string_view rest = list == nullptr ? "" : list;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        elements.emplace_back(rest.substr(0, comma));
        if (comma + 1 == rest.size()) {
            elements.emplace_back();
        }
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return elements;
}

// One port counts for all hosts.
std::vector<Target::Place> places_of(const PQconninfoOption* options) {
    std::vector<std::string> hosts;
    std::vector<std::string> addresses;
    std::vector<std::string> ports;
    for (const PQconninfoOption* each = options; each->keyword != nullptr; ++each) {
        const std::string_view name = each->keyword;
        if (name == "host") {
            hosts = elements_of(each->val);
        } else if (name == "hostaddr") {
            addresses = elements_of(each->val);
        } else if (name == "port") {
            ports = elements_of(each->val);
        }
    }
    const std::size_t count = std::max(hosts.size(), addresses.size());
    const auto fits = [&](const std::vector<std::string>& list) {
        return (list.size() <= 1 || list.size() == count) &&
               std::ranges::find(list, std::string()) == list.end();
    };
    // Lists with gaps or of different lengths are left to libpq.
    if (count < 2 || !fits(hosts) || !fits(addresses) || !fits(ports)) {
        return {{}};
    }
    const auto element = [](const std::vector<std::string>& list, std::size_t at) {
        return list.empty() ? std::string() : list[std::min(at, list.size() - 1)];
    };
    std::vector<Target::Place> places;
    for (std::size_t at = 0; at < count; ++at) {
        places.push_back({element(hosts, at), element(addresses, at), element(ports, at)});
    }
    return places;
}

}  // namespace

Result<Target> read_target(std::string_view url) {
    // Not the whole url: it may hold a password.
    Target target{std::string(url), std::string(url.substr(0, url.find("//"))) + "//…"};
    char* words = nullptr;
    PQconninfoOption* options = PQconninfoParse(target.url.c_str(), &words);
    if (options == nullptr) {
        const auto option = unknown_option(words != nullptr ? words : "");
        PQfreemem(words);
        return option ? base::fail(ErrorCode::kStoreUrlOption, {*option})
                      : base::fail(ErrorCode::kStoreUrl, {target.name});
    }
    for (const PQconninfoOption* each = options; each->keyword != nullptr; ++each) {
        if (std::string_view(each->keyword) == "options" && each->val != nullptr) {
            target.names_schema =
                std::string_view(each->val).find("search_path") != std::string_view::npos;
        }
    }
    target.places = places_of(options);
    PQconninfoFree(options);
    return target;
}

}  // namespace arbiter::ledger
