// Goal: the file of an upstream is written for its owner only, read back as it was, and its
// mistakes are named without the key; a key goes to no other URL than its own.
#include "openai/upstream.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/explain.h"
#include "base/messages.h"

namespace arbiter::openai {
namespace {

class UpstreamTest : public testing::Test {
  protected:
    UpstreamTest() {
        folder = testing::TempDir() + "upstream_" + std::to_string(getpid());
        std::filesystem::remove_all(folder);
        file = folder + "/deep/er/upstream.yaml";
        setenv("UPSTREAM_TEST_KEY", " sk-env \n", 1);
    }
    ~UpstreamTest() override { std::filesystem::remove_all(folder); }

    void write(std::string_view text) const {
        std::filesystem::create_directories(std::filesystem::path(file).parent_path());
        std::ofstream(file) << text;
    }
    // The errors of a file, one a line.
    [[nodiscard]] std::string mistakes() const {
        const auto loaded = load_upstream(file);
        std::string lines;
        if (!loaded) {
            EXPECT_EQ(loaded.error().text, "");
            for (const base::Error& error : loaded.error().errors) {
                lines += base::explain(error, base::Language::kEnglish) + "\n";
            }
        }
        return lines;
    }

    std::string folder;
    std::string file;
};

TEST_F(UpstreamTest, IsWrittenForItsOwnerAndReadBack) {
    Upstream upstream = *make_upstream("https://example.com:8443/v1/");
    upstream.model = "模型 \"x\"";
    upstream.key = Secret("sk-stored");
    upstream.takes_tools = false;
    upstream.asks_for_usage = false;
    upstream.connection.idle = std::chrono::seconds(7);
    upstream.connection.ca_file = "ca.pem";
    ASSERT_TRUE(save_upstream(file, upstream));
    struct stat status{};
    ASSERT_EQ(stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    ASSERT_EQ(stat((folder + "/deep").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700U);
    const auto loaded = load_upstream(file);
    ASSERT_TRUE(loaded) << mistakes();
    EXPECT_EQ(loaded->url, upstream.url);
    EXPECT_EQ(loaded->address, "https://example.com:8443/v1");
    EXPECT_EQ(loaded->model, upstream.model);
    EXPECT_EQ(loaded->key, upstream.key);
    EXPECT_FALSE(loaded->takes_tools);
    EXPECT_TRUE(loaded->is_streamed);
    EXPECT_FALSE(loaded->asks_for_usage);
    EXPECT_EQ(loaded->connection.idle, std::chrono::seconds(7));
    EXPECT_EQ(loaded->connection.ca_file, "ca.pem");
    // A key of the environment stays there.
    upstream.key_env = "UPSTREAM_TEST_KEY";
    ASSERT_TRUE(save_upstream(file, upstream));
    std::string text;
    std::getline(std::ifstream(file), text, '\0');
    EXPECT_FALSE(text.contains("sk-"));
    EXPECT_EQ(load_upstream(file)->key.reveal(), "sk-env");
    // A file that others could read is replaced by one that they cannot.
    chmod(file.c_str(), 0644);
    ASSERT_TRUE(save_upstream(file, upstream));
    ASSERT_EQ(stat(file.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(UpstreamTest, MistakesAreNamedWithoutTheKey) {
    write("url: ftp://x\nkey: sk-canary with blanks\nmodle: m\ntimeouts: {idle: 0}\n");
    const std::string found = mistakes();
    EXPECT_TRUE(found.contains("ftp://x")) << found;
    EXPECT_TRUE(found.contains("modle")) << found;
    EXPECT_TRUE(found.contains("idle")) << found;
    EXPECT_FALSE(found.contains("canary")) << found;
    write("model: m\n");
    EXPECT_TRUE(mistakes().contains("url"));
    write("url: http://x/v1\nkey_env: UPSTREAM_TEST_MISSING\n");
    EXPECT_TRUE(mistakes().contains("UPSTREAM_TEST_MISSING"));
    write("key: [sk-canary\n");
    EXPECT_FALSE(mistakes().contains("canary"));
}

TEST_F(UpstreamTest, OptionsComeFirstAndKeepTheKeyAtItsUrl) {
    write("url: http://a/v1\nmodel: m\nkey: sk-a\n");
    const auto chosen = [&](const UpstreamOptions& options) {
        const auto upstream = choose_upstream(options);
        if (!upstream) {
            return std::string(base::name(upstream.error().errors[0].code));
        }
        return *upstream ? (*upstream)->address + " " + (*upstream)->model + " " +
                               (*upstream)->key.reveal()
                         : "none";
    };
    EXPECT_EQ(chosen({.file = file}), "http://a/v1 m sk-a");
    EXPECT_EQ(chosen({.model = "n", .file = file}), "http://a/v1 n sk-a");
    EXPECT_EQ(chosen({.key_env = "UPSTREAM_TEST_KEY", .file = file}), "http://a/v1 m sk-env");
    EXPECT_EQ(chosen({.url = "http://b/v1", .file = file}), "http://b/v1  ");
    EXPECT_EQ(chosen({.url = "http://b/v1", .key_env = "UPSTREAM_TEST_MISSING"}),
              "bad_option_value");
    EXPECT_EQ(chosen({.url = "b"}), "url_malformed");
    EXPECT_EQ(chosen({.file = folder + "/none.yaml"}), "file_missing");
    // The default file need not exist.
    setenv("XDG_CONFIG_HOME", (folder + "/config").c_str(), 1);
    EXPECT_EQ(chosen({}), "none");
    EXPECT_EQ(default_upstream_file(), folder + "/config/arbiter/upstream.yaml");
    setenv("XDG_CONFIG_HOME", "relative", 1);
    setenv("HOME", folder.c_str(), 1);
    EXPECT_EQ(default_upstream_file(), folder + "/.config/arbiter/upstream.yaml");
}

TEST_F(UpstreamTest, AddressesAreTakenAsPeopleWriteThem) {
    for (const std::string_view url :
         {"http://x/v1", "http://x/v1/", "http://x/v1/chat/completions",
          "http://x/v1/chat/completions/"}) {
        EXPECT_EQ(make_upstream(url)->address, "http://x/v1") << url;
    }
    EXPECT_FALSE(make_upstream("http://key@x/v1"));
    EXPECT_FALSE(parse_key("a\r\nX: y"));
    EXPECT_FALSE(parse_key(""));
    EXPECT_FALSE(parse_key("密钥"));
    EXPECT_EQ(parse_key("  sk-1\n")->reveal(), "sk-1");
}

}  // namespace
}  // namespace arbiter::openai
