// Protocols from YAML texts, and libraries of them.
#pragma once

#include <gtest/gtest.h>

#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "base/messages.h"
#include "config/diagnostics.h"
#include "config/protocols.h"
#include "config/rulebooks.h"
#include "protocol/library.h"

namespace arbiter::tests {

inline std::expected<protocol::Protocol, config::FileDiagnostics> compiled(
    const std::string& text) {
    const auto parsed = config::parse_yaml("x.yaml", text);
    if (!parsed) {
        return std::unexpected(config::FileDiagnostics{"x.yaml", text, {parsed.error()}});
    }
    auto made = protocol::Protocol::compile(parsed->value, calendar::shared_calendars());
    if (!made) {
        return std::unexpected(config::diagnostics_of(*parsed, made.error()));
    }
    return std::move(*made);
}

// "3:5 There is …", one line for each mistake; both languages have one.
inline std::string mistakes(const std::string& text) {
    const auto made = compiled(text);
    std::string lines;
    for (const base::Error& error : made ? std::vector<base::Error>() : made.error().errors) {
        const std::string english = base::explain(error, base::Language::kEnglish);
        EXPECT_NE(english, base::explain(error, base::Language::kChinese));
        lines += error.place ? std::to_string(error.place->line) + ":" +
                                   std::to_string(error.place->column) + " "
                             : "? ";
        lines += english + "\n";
    }
    return lines;
}

inline protocol::Protocol protocol_of(const std::string& text) {
    auto made = compiled(text);
    EXPECT_TRUE(made) << mistakes(text);
    return std::move(made).value();
}

using Files = std::vector<std::pair<std::string, std::string>>;
inline protocol::Library library_of(const Files& files) {
    std::vector<protocol::Library::Entry> entries;
    for (const auto& [file, text] : files) {
        entries.push_back({file, 0, protocol_of(text)});
    }
    return protocol::Library::make(std::move(entries));
}

// A protocol with an instruction that is its id, and more lines for `meta`.
inline std::pair<std::string, std::string> simple(const std::string& id,
                                                  const std::string& meta = "",
                                                  const std::string& rest = "") {
    return {id + ".yaml", "meta: {id: " + id + (meta.empty() ? "" : ", " + meta) +
                              "}\ninstruction: text of " + id + "\n" + rest};
}

inline protocol::Resolved resolved(const protocol::Library& library,
                                   const std::vector<std::string>& ids,
                                   const protocol::ResolveOptions& options = {}) {
    std::vector<protocol::ProtocolRequest> requests;
    for (const std::string& id : ids) {
        requests.push_back({id, {}});
    }
    return library.resolve(requests, options);
}

// "a b c".
inline std::string order(const protocol::Resolved& found) {
    std::string out;
    for (const auto& each : found.active) {
        out += (out.empty() ? "" : " ") + each.protocol->id;
    }
    return out;
}

// The codes of the warnings with their words.
inline std::string warnings(const std::vector<base::Error>& errors) {
    std::string out;
    for (const base::Error& error : errors) {
        out += (out.empty() ? "" : "; ") + std::string(base::name(error.code));
        for (const std::string& word : error.arguments) {
            out += " [" + word + "]";
        }
    }
    return out;
}

inline const protocol::Library& shipped() {
    static const auto library = config::Protocols().library();
    return *library;
}

}  // namespace arbiter::tests
