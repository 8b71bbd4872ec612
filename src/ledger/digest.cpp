#include "ledger/digest.h"

#include <openssl/evp.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/check.h"

namespace arbiter::ledger {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
// The values of digits; above 15: it is none.
constexpr auto kHexDigits = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(0xFF);
    for (std::size_t i = 0; i < kDigits.size(); ++i) {
        values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}();
constexpr int kLevel = 3;
// The first byte: how the rest is stored.
constexpr char kPlain = 0;
constexpr char kZstd = 1;

std::unexpected<base::Error> corrupt(std::string how) {
    return base::fail(base::ErrorCode::kCorrupt, {"a record", std::move(how)});
}

}  // namespace

std::string Digest::hex() const {
    std::string text(bytes.size() * 2, '0');
    auto to = text.begin();
    for (const std::uint8_t byte : bytes) {
        *to++ = kDigits[byte >> 4];
        *to++ = kDigits[byte & 15];
    }
    return text;
}

std::optional<Digest> Digest::from_hex(std::string_view text) noexcept {
    Digest digest;
    if (text.size() != digest.bytes.size() * 2) {
        return std::nullopt;
    }
    unsigned wrong = 0;  // above 15: a character is not a digit
    for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
        const unsigned high = kHexDigits[static_cast<unsigned char>(text[2 * i])];
        const unsigned low = kHexDigits[static_cast<unsigned char>(text[2 * i + 1])];
        wrong |= high | low;
        digest.bytes[i] = static_cast<std::uint8_t>(high << 4U | low);
    }
    return wrong > 15 ? std::nullopt : std::optional(digest);
}

std::optional<Digest> Digest::from_bytes(std::string_view bytes) noexcept {
    Digest digest;
    if (bytes.size() != digest.bytes.size()) {
        return std::nullopt;
    }
    std::ranges::transform(bytes, digest.bytes.begin(),
                           [](char byte) { return static_cast<std::uint8_t>(byte); });
    return digest;
}

namespace {

// SHA256() would look the algorithm up at each call, which takes as long as hashing 1 KB.
const EVP_MD* algorithm() {
    static EVP_MD* const kAlgorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return kAlgorithm;
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    CHECK(EVP_DigestInit_ex2(context_.get(), algorithm(), nullptr) == 1);
}

void Sha256::update(std::string_view bytes) {
    CHECK(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

Digest Sha256::finish() {
    Digest digest;
    CHECK(EVP_DigestFinal_ex(context_.get(), digest.bytes.data(), nullptr) == 1);
    return digest;
}

void Sha256::Free::operator()(evp_md_ctx_st* context) const noexcept {
    EVP_MD_CTX_free(context);
}

Digest sha256(std::string_view bytes) {
    thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(
        EVP_MD_CTX_new(), EVP_MD_CTX_free);
    Digest digest;
    const bool hashed = EVP_DigestInit_ex2(context.get(), algorithm(), nullptr) == 1 &&
                        EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) == 1 &&
                        EVP_DigestFinal_ex(context.get(), digest.bytes.data(), nullptr) == 1;
    CHECK(hashed);
    return digest;
}

std::string pack(std::string_view bytes) {
    // Creating a context takes longer than compressing a short text.
    thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> packer(
        ZSTD_createCCtx(), ZSTD_freeCCtx);
    // A result that is not shorter is not needed, so there is no room for one.
    const std::size_t room = bytes.size();
    std::string out;
    out.resize_and_overwrite(1 + room, [&](char* to, std::size_t) {
        const std::size_t size =
            ZSTD_compressCCtx(packer.get(), to + 1, room, bytes.data(), bytes.size(), kLevel);
        const bool is_shorter = ZSTD_isError(size) == 0 && size < room;
        *to = is_shorter ? kZstd : kPlain;
        if (!is_shorter) {
            std::ranges::copy(bytes, to + 1);
        }
        return 1 + (is_shorter ? size : room);
    });
    out.shrink_to_fit();
    return out;
}

base::Result<std::string> unpack(std::string_view packed, std::size_t bytes_max,
                                 std::string_view dictionary) {
    if (packed.empty() || (packed[0] != kPlain && packed[0] != kZstd)) {
        return corrupt("its first byte is unknown");
    }
    const std::string_view body = packed.substr(1);
    if (packed[0] == kPlain) {
        if (body.size() > bytes_max) {
            return corrupt("it is larger than it may be");
        }
        return std::string(body);
    }
    const unsigned long long size = ZSTD_getFrameContentSize(body.data(), body.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > bytes_max) {
        return corrupt("its size is unknown or larger than it may be");
    }
    thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> unpacker(
        ZSTD_createDCtx(), ZSTD_freeDCtx);
    // Not filled with zeros first. libstdc++ 12 may offer more room than was asked for.
    const auto wanted = static_cast<std::size_t>(size);
    std::string out;
    std::size_t got = 0;
    out.resize_and_overwrite(wanted, [&](char* to, std::size_t) {
        got = ZSTD_decompress_usingDict(unpacker.get(), to, wanted, body.data(), body.size(),
                                        dictionary.data(), dictionary.size());
        return wanted;
    });
    if (ZSTD_isError(got) != 0 || got != out.size()) {
        return corrupt("it does not unpack");
    }
    return out;
}

}  // namespace arbiter::ledger
