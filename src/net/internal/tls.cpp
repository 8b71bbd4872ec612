#include "net/internal/tls.h"

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <system_error>
#include <utility>

#include "base/check.h"

namespace arbiter::net::internal {
namespace {

struct Free {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL* session) const { SSL_free(session); }
    void operator()(BIO_METHOD* method) const { BIO_meth_free(method); }
};

std::string system_reason(int code) {
    return std::generic_category().message(code);
}

Io failed(std::string reason) {
    return {.status = Io::Status::kFailed, .bytes = 0, .reason = std::move(reason)};
}

Io of_system_call(ssize_t moved, Io::Status wait) {
    if (moved >= 0) {
        return {.status = Io::Status::kDone, .bytes = static_cast<std::size_t>(moved)};
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
        return {.status = wait};
    }
    return failed(system_reason(errno));
}

// OpenSSL reads and writes through this, because its own sockets raise SIGPIPE.
struct Wire {
    int socket = -1;
    bool is_drained = false;  // the last reading did not fill its buffer
};

Wire& wire_of(BIO* bio) {
    return *static_cast<Wire*>(BIO_get_data(bio));
}

int bio_result(BIO* bio, const Io& io, int retry_flag) {
    BIO_clear_retry_flags(bio);
    if (io.status == Io::Status::kDone) {
        return static_cast<int>(io.bytes);
    }
    if (io.status == Io::Status::kWaitRead || io.status == Io::Status::kWaitWrite) {
        BIO_set_flags(bio, retry_flag | BIO_FLAGS_SHOULD_RETRY);
        return -1;
    }
    return io.status == Io::Status::kEnd ? 0 : -1;
}

int bio_read(BIO* bio, char* buffer, int size) {
    Wire& wire = wire_of(bio);
    const Io io = receive(wire.socket, {buffer, static_cast<std::size_t>(size)});
    wire.is_drained = io.bytes < static_cast<std::size_t>(size);
    return bio_result(bio, io, BIO_FLAGS_READ);
}

int bio_write(BIO* bio, const char* bytes, int size) {
    return bio_result(bio, transmit(wire_of(bio).socket, {bytes, static_cast<std::size_t>(size)}),
                      BIO_FLAGS_WRITE);
}

long bio_control(BIO* /*bio*/, int command, long /*number*/, void* /*pointer*/) {
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

int bio_create(BIO* bio) {
    BIO_set_init(bio, 1);
    return 1;
}

const BIO_METHOD* bio_method() {
    static const std::unique_ptr<BIO_METHOD, Free> method = [] {
        std::unique_ptr<BIO_METHOD, Free> made(
            BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "arbiter socket"));
        CHECK(made != nullptr);
        BIO_meth_set_read(made.get(), bio_read);
        BIO_meth_set_write(made.get(), bio_write);
        BIO_meth_set_ctrl(made.get(), bio_control);
        BIO_meth_set_create(made.get(), bio_create);
        return made;
    }();
    return method.get();
}

// The newest error of this thread, in OpenSSL's words.
std::string library_reason() {
    const unsigned long code = ERR_peek_last_error();
    ERR_clear_error();
    const char* words = code != 0 ? ERR_reason_error_string(code) : nullptr;
    return words != nullptr ? words : "the connection was closed";
}

bool is_ip_address(const std::string& host) {
    in6_addr address{};
    return inet_pton(AF_INET, host.c_str(), &address) == 1 ||
           inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

std::unique_ptr<SSL_CTX, Free> new_context(const SSL_METHOD* method) {
    std::unique_ptr<SSL_CTX, Free> context(SSL_CTX_new(method));
    CHECK(context != nullptr);
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    SSL_CTX_set_options(context.get(),
                        SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
    // Idle connections keep no buffers; a retried write may have moved.
    SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE |
                                        SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    // A record needs one reading, not one for its head and one for the rest.
    SSL_CTX_set_read_ahead(context.get(), 1);
    return context;
}

}  // namespace

Io receive(int socket, std::span<char> buffer) {
    ssize_t moved = 0;
    do {
        moved = recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
    } while (moved < 0 && errno == EINTR);
    Io io = of_system_call(moved, Io::Status::kWaitRead);
    if (io.status == Io::Status::kDone && io.bytes == 0) {
        io.status = Io::Status::kEnd;
    }
    return io;
}

Io transmit(int socket, std::string_view bytes) {
    ssize_t moved = 0;
    do {
        moved = send(socket, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    } while (moved < 0 && errno == EINTR);
    return of_system_call(moved, Io::Status::kWaitWrite);
}

struct TlsContext::Impl {
    std::unique_ptr<SSL_CTX, Free> context;
};

TlsContext::TlsContext(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TlsContext::~TlsContext() = default;

base::Result<std::shared_ptr<TlsContext>> TlsContext::for_server(
    const std::string& certificate_file, const std::string& key_file) {
    auto context = new_context(TLS_server_method());
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context.get(), certificate_file.c_str()) != 1) {
        return base::fail(base::ErrorCode::kTlsFailed, {certificate_file, library_reason()});
    }
    if (SSL_CTX_use_PrivateKey_file(context.get(), key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context.get()) != 1) {
        return base::fail(base::ErrorCode::kTlsFailed, {key_file, library_reason()});
    }
    return std::shared_ptr<TlsContext>(new TlsContext(std::make_unique<Impl>(std::move(context))));
}

base::Result<std::shared_ptr<TlsContext>> TlsContext::for_client(const std::string& ca_file) {
    auto context = new_context(TLS_client_method());
    ERR_clear_error();
    const int loaded = ca_file.empty() ? SSL_CTX_set_default_verify_paths(context.get())
                                       : SSL_CTX_load_verify_file(context.get(), ca_file.c_str());
    if (loaded != 1) {
        return base::fail(base::ErrorCode::kTlsFailed, {ca_file, library_reason()});
    }
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    return std::shared_ptr<TlsContext>(new TlsContext(std::make_unique<Impl>(std::move(context))));
}

struct TlsSession::Impl {
    std::shared_ptr<TlsContext> context;
    Wire wire;
    std::unique_ptr<SSL, Free> session;
    bool is_established = false;
    bool has_failed = false;
    bool waits_to_read = false;  // for the rest of a record, if any bytes are buffered

    // Translates the result of an SSL_ function.
    Io io_of(int result, std::size_t bytes) {
        if (result > 0) {
            return {.status = Io::Status::kDone, .bytes = bytes};
        }
        switch (SSL_get_error(session.get(), result)) {
            case SSL_ERROR_WANT_READ:
                return {.status = Io::Status::kWaitRead};
            case SSL_ERROR_WANT_WRITE:
                return {.status = Io::Status::kWaitWrite};
            case SSL_ERROR_ZERO_RETURN:
                return {.status = Io::Status::kEnd};
            default:
                break;
        }
        has_failed = true;
        const long verified = SSL_get_verify_result(session.get());
        if (!is_established && verified != X509_V_OK) {
            ERR_clear_error();
            return failed(X509_verify_cert_error_string(verified));
        }
        return failed(library_reason());
    }
};

TlsSession::TlsSession(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TlsSession::~TlsSession() = default;

std::unique_ptr<TlsSession> TlsSession::accept(std::shared_ptr<TlsContext> context, int socket) {
    std::unique_ptr<SSL, Free> session(SSL_new(context->impl_->context.get()));
    CHECK(session != nullptr);
    BIO* const bio = BIO_new(bio_method());
    CHECK(bio != nullptr);
    SSL_set_bio(session.get(), bio, bio);  // owns it
    SSL_set_accept_state(session.get());
    auto impl = std::make_unique<Impl>(std::move(context), Wire{socket}, std::move(session));
    BIO_set_data(bio, &impl->wire);
    return std::unique_ptr<TlsSession>(new TlsSession(std::move(impl)));
}

std::unique_ptr<TlsSession> TlsSession::connect(std::shared_ptr<TlsContext> context, int socket,
                                                const std::string& host) {
    std::unique_ptr<TlsSession> made = accept(std::move(context), socket);
    SSL* const session = made->impl_->session.get();
    if (is_ip_address(host)) {
        X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host.c_str());
    } else {
        SSL_set_tlsext_host_name(session, host.c_str());
        SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        SSL_set1_host(session, host.c_str());
    }
    SSL_set_connect_state(session);
    return made;
}

Io TlsSession::handshake() {
    ERR_clear_error();
    Io io = impl_->io_of(SSL_do_handshake(impl_->session.get()), 0);
    impl_->is_established = io.status == Io::Status::kDone;
    impl_->waits_to_read = io.status == Io::Status::kWaitRead;
    return io;
}

Io TlsSession::read(std::span<char> buffer) {
    ERR_clear_error();
    std::size_t bytes = 0;
    impl_->wire.is_drained = false;
    const int result = SSL_read_ex(impl_->session.get(), buffer.data(), buffer.size(), &bytes);
    Io io = impl_->io_of(result, bytes);
    impl_->waits_to_read = io.status == Io::Status::kWaitRead;
    return io;
}

Io TlsSession::write(std::string_view bytes) {
    ERR_clear_error();
    std::size_t written = 0;
    const int result = SSL_write_ex(impl_->session.get(), bytes.data(), bytes.size(), &written);
    return impl_->io_of(result, written);
}

bool TlsSession::has_buffered() const {
    return !impl_->waits_to_read && SSL_has_pending(impl_->session.get()) != 0;
}

bool TlsSession::has_drained() const {
    return impl_->wire.is_drained;
}

void TlsSession::close() {
    if (impl_->is_established && !impl_->has_failed) {
        ERR_clear_error();
        SSL_shutdown(impl_->session.get());
        ERR_clear_error();
    }
}

}  // namespace arbiter::net::internal
