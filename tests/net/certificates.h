// Certificates for tests, made when they are needed.
#pragma once

#include <filesystem>
#include <string>

namespace arbiter::net {

struct CertificateOptions {
    std::string names = "DNS:localhost,IP:127.0.0.1";
    long valid_from_seconds = -3600;  // from now
    long valid_for_seconds = 3600;
};

// A self-signed certificate and its key as PEM files in a folder that the destructor removes.
class Certificate {
  public:
    explicit Certificate(const CertificateOptions& options = {});
    Certificate(const Certificate&) = delete;
    Certificate& operator=(const Certificate&) = delete;
    ~Certificate();

    [[nodiscard]] std::string certificate_file() const { return folder_ / "certificate.pem"; }
    [[nodiscard]] std::string key_file() const { return folder_ / "key.pem"; }

  private:
    std::filesystem::path folder_;
};

}  // namespace arbiter::net
