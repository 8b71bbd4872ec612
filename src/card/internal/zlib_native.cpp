#include <zlib.h>

#include <memory>

#include "card/internal/zlib.h"

namespace arbiter::card::internal {

std::uint32_t crc32_of(std::string_view bytes) noexcept {
    // Callers pass at most base::kPngBytesMax bytes, which fit into uInt.
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

namespace {

// `window` as inflateInit2() takes it: negative for a stream without its frame.
Inflated unpack(std::string_view packed, std::size_t bytes_max, int window) {
    z_stream stream{};
    if (inflateInit2(&stream, window) != Z_OK) {
        return {};
    }
    const auto closer = [](z_stream* open) { inflateEnd(open); };
    const std::unique_ptr<z_stream, decltype(closer)> closed(&stream, closer);
    // zlib does not change its input, but its interface is not const.
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    Inflated out;
    std::string block(std::size_t{64} << 10, '\0');
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        status = inflate(&stream, Z_NO_FLUSH);
        const std::size_t got = block.size() - stream.avail_out;
        if (out.text.size() + got > bytes_max) {
            return {Inflated::Status::kTooLong};
        }
        out.text.append(block, 0, got);
    }
    if (status != Z_STREAM_END) {
        return {};
    }
    out.status = Inflated::Status::kDone;
    return out;
}

}  // namespace

Inflated inflate_zlib(std::string_view packed, std::size_t bytes_max) {
    return unpack(packed, bytes_max, MAX_WBITS);
}

Inflated inflate_raw(std::string_view packed, std::size_t bytes_max) {
    return unpack(packed, bytes_max, -MAX_WBITS);
}

}  // namespace arbiter::card::internal
