// Goal: the library on disk: ours with the user's on top, bad files left out and told, hostile ones
// refused, changes noticed. Forty broken protocols each get a message that says how to mend them.
#include "config/protocols.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/limits.h"
#include "base/messages.h"

namespace arbiter::config {
namespace {

namespace fs = std::filesystem;
using base::ErrorCode;

// A folder of its own, gone with the test.
class ProtocolFiles : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() /
                  ("arbiter-protocols-" +
                   std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "in");
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string write(const std::string& name, std::string_view text) {
        const fs::path path = folder_ / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << text;
        return path.string();
    }
    [[nodiscard]] std::string in() const { return (folder_ / "in").string(); }

    // "file:line code", sorted by files.
    [[nodiscard]] std::string told(const std::vector<FileDiagnostics>& all) const {
        std::string out;
        for (const FileDiagnostics& each : all) {
            for (const base::Error& error : each.errors) {
                out += fs::path(each.file).lexically_relative(folder_).string();
                out += error.place ? ":" + std::to_string(error.place->line) : "";
                out += " " + std::string(base::name(error.code)) + "\n";
            }
        }
        return out;
    }

    // The mistakes of files and folders, as `protocol lint` reads them.
    static Lint lint_all(const std::vector<std::string>& names) {
        Sources sources;
        for (const std::string& name : names) {
            add_sources(sources, name, base::kProtocolBytesMax);
        }
        Lint lint = lint_protocols(sources.texts);
        std::ranges::move(sources.diagnostics, std::back_inserter(lint.diagnostics));
        return lint;
    }
    static Lint lint_text(const std::string& file, std::string_view text) {
        const SourceText source{file, std::string(text)};
        return lint_protocols({&source, 1});
    }

    fs::path folder_;
};

NamedText kept(const std::string& name, const std::string& text) {
    return {TextKind::kProtocol, name, text};
}
std::string versioned(const std::string& id, const std::string& version, const std::string& text) {
    return "meta: {id: " + id + ", version: \"" + version + "\"}\ninstruction: " + text + "\n";
}

std::string simple(const std::string& id, const std::string& rest = "") {
    return "meta: {id: " + id + "}\ninstruction: text of " + id + "\n" + rest;
}

// proves: S4-8, S4-9, S4-28, S4-1, A4-13
TEST_F(ProtocolFiles, FoldersAreSearchedToTheBottom) {
    write("in/a.yaml", simple("one"));
    write("in/deep/er/b.yml", simple("two"));
    write("in/deep/c.txt", "no protocol");
    write("in/deep/README.md", "# none either");
    const Protocols protocols({in()});
    EXPECT_EQ(told(protocols.diagnostics()), "");
    const auto library = protocols.library();
    ASSERT_NE(library->find({"one"}), nullptr);
    ASSERT_NE(library->find({"two"}), nullptr);
    EXPECT_EQ(library->find({"two"})->file, (folder_ / "in/deep/er/b.yml").string());
    EXPECT_EQ(*protocols.text_of(library->find({"one"})->file), simple("one"));
    EXPECT_EQ(protocols.text_of("nothing"), nullptr);
    // Ours are there too.
    EXPECT_NE(library->find({"love_system_simple"}), nullptr);
    // The name of a file says nothing.
    fs::rename(folder_ / "in/a.yaml", folder_ / "in/zzz.yaml");
    EXPECT_NE(Protocols({in()}).library()->find({"one"}), nullptr);
}

TEST_F(ProtocolFiles, TheUsersFilesStandOnTop) {
    write("in/mine.yaml", "meta: {id: choice, version: \"1.0.0\"}\ninstruction: mine\n");
    write("in/newer.yaml", "meta: {id: status_bar, version: \"1.1.0\"}\ninstruction: newer\n");
    write("second/mine.yaml", "meta: {id: choice, version: \"1.0.0\"}\ninstruction: second\n");
    const auto text = [](const Protocols& protocols, std::string_view reference) {
        return protocols.library()
            ->find(protocol::parse_reference(reference).value())
            ->protocol->instruction.english;
    };
    const Protocols one({in()});
    EXPECT_EQ(told(one.diagnostics()), "");
    EXPECT_EQ(text(one, "choice"), "mine");
    EXPECT_EQ(text(one, "status_bar"), "newer");
    EXPECT_NE(text(one, "status_bar@1.0.0"), "newer");
    EXPECT_EQ(text(Protocols({in(), (folder_ / "second").string()}), "choice"), "second");
}

// proves: S4-18, S4-12
TEST_F(ProtocolFiles, BadFilesAreLeftOutAndTold) {
    write("in/good.yaml", simple("good"));
    write("in/no_yaml.yaml", "meta: {id: a\ninstruction: [");
    write("in/no_id.yaml", "meta: {name: x}\ninstruction: x\n");
    write("in/no_text.yaml", "meta: {id: b}\n");
    write("in/same.yaml", simple("good"));
    write("in/twice.yaml", "meta: {id: c}\nmeta: {id: d}\ninstruction: x\n");
    write("in/empty.yaml", "");
    const Protocols protocols({in()});
    EXPECT_EQ(told(protocols.diagnostics()),
              "in/empty.yaml:1 bad_field\n"
              "in/no_id.yaml:1 missing_key\n"
              "in/no_text.yaml:1 missing_key\n"
              "in/no_yaml.yaml:1 yaml_unclosed\n"
              "in/same.yaml:1 protocol_duplicate\n"
              "in/twice.yaml:2 yaml_duplicate_key\n");
    EXPECT_NE(protocols.library()->find({"good"}), nullptr);
    for (const FileDiagnostics& each : protocols.diagnostics()) {
        if (each.file.ends_with("same.yaml")) {
            EXPECT_TRUE(
                base::explain(each.errors[0], base::Language::kEnglish).contains("in/good.yaml"));
        }
    }
    EXPECT_EQ(told(Protocols({(folder_ / "none").string()}).diagnostics()), "none file_missing\n");
}

// Bombs, files that are too large, links that lead away, pipes: refused, and quickly.
TEST_F(ProtocolFiles, HostileFilesAreRefused) {
    std::string bomb = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
    for (char c = 'b'; c < 'k'; ++c) {
        const std::string last(1, static_cast<char>(c - 1));
        bomb += std::string(1, c) + ": &" + std::string(1, c) + " [*" + last + ", *" + last +
                ", *" + last + ", *" + last + ", *" + last + ", *" + last + ", *" + last + "]\n";
    }
    write("in/bomb.yaml", bomb);
    write("in/deep.yaml", "meta: " + std::string(3000, '[') + "\n");
    write("in/large.yaml", "# " + std::string(std::size_t{10} << 20, 'x') + "\n" + simple("x"));
    const std::string edge = simple("edge");
    write("in/edge.yaml",
          edge + "# " + std::string(base::kProtocolBytesMax - edge.size() - 3, 'x') + "\n");
    write("in/over.yaml",
          edge + "# " + std::string(base::kProtocolBytesMax - edge.size() - 2, 'x') + "\n");
    write("in/bytes.yaml", "meta: {id: \"\xff\xfe\"}\n");
    write("outside/secret.yaml", simple("secret"));
    fs::create_symlink(folder_ / "outside/secret.yaml", folder_ / "in/link.yaml");
    fs::create_symlink("/etc/passwd", folder_ / "in/passwd.yaml");
    fs::create_directory_symlink(folder_ / "outside", folder_ / "in/dir");
    fs::create_directory_symlink(folder_ / "in", folder_ / "in/loop");
    fs::create_symlink(folder_ / "nowhere.yaml", folder_ / "in/dangling.yaml");
    fs::create_symlink(folder_ / "in/edge.yaml", folder_ / "in/inside.yaml");
    fs::create_directories(folder_ / "in/folder.yaml");
    ASSERT_EQ(mkfifo((folder_ / "in/pipe.yaml").c_str(), 0600), 0);
    const Protocols protocols({in()});
    EXPECT_EQ(told(protocols.diagnostics()),
              "in/bomb.yaml:7 yaml_too_many\n"
              "in/bytes.yaml:1 yaml_bad_utf8\n"
              "in/dangling.yaml protocol_outside\n"
              "in/deep.yaml:2 too_deep\n"
              "in/dir protocol_outside\n"
              "in/large.yaml text_too_long\n"
              "in/link.yaml protocol_outside\n"
              "in/over.yaml text_too_long\n"
              "in/passwd.yaml protocol_outside\n"
              "in/pipe.yaml file_unreadable\n");
    EXPECT_EQ(protocols.library()->find({"secret"}), nullptr);
    EXPECT_NE(protocols.library()->find({"edge"}), nullptr);
}

TEST_F(ProtocolFiles, TooManyFilesAreTold) {
    for (std::size_t i = 0; i <= base::kProtocolsMax; ++i) {
        write("in/" + std::to_string(i) + ".yaml", "");
    }
    const Protocols protocols({in()});
    EXPECT_TRUE(told(protocols.diagnostics()).contains("in protocol_files\n"));
    std::string path = "deep";
    for (std::size_t i = 0; i < base::kProtocolDepthMax + 3; ++i) {
        write(path + "/" + std::to_string(i) + ".yaml", simple("p" + std::to_string(i)));
        path += "/d";
    }
    const auto library = Protocols({(folder_ / "deep").string()}).library();
    EXPECT_NE(library->find({"p" + std::to_string(base::kProtocolDepthMax)}), nullptr);
    EXPECT_EQ(library->find({"p" + std::to_string(base::kProtocolDepthMax + 1)}), nullptr);
}

// proves: S4-1
TEST_F(ProtocolFiles, ChangesAreNoticed) {
    const std::string file = write("in/a.yaml", simple("a"));
    Protocols protocols({in()});
    const auto before = protocols.library();
    EXPECT_FALSE(protocols.changed());
    EXPECT_FALSE(protocols.reload());
    write("in/a.yaml", simple("a", "x: longer\n"));
    EXPECT_TRUE(protocols.changed());
    EXPECT_TRUE(protocols.reload());
    EXPECT_FALSE(protocols.changed());
    EXPECT_NE(protocols.library(), before);
    // The old snapshot stays valid for its holders.
    EXPECT_NE(before->find({"a"}), nullptr);
    // The same size at another time, a new file, a file less.
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(5));
    EXPECT_TRUE(protocols.reload());
    write("in/b.yaml", simple("b"));
    EXPECT_TRUE(protocols.reload());
    EXPECT_NE(protocols.library()->find({"b"}), nullptr);
    fs::remove(file);
    EXPECT_TRUE(protocols.reload());
    EXPECT_EQ(protocols.library()->find({"a"}), nullptr);
    // A mistake while editing leaves the others alone.
    write("in/b.yaml", "meta: [");
    EXPECT_TRUE(protocols.reload());
    EXPECT_EQ(protocols.diagnostics().size(), 1U);
    EXPECT_FALSE(Protocols().changed());
}

// An old turn can be judged by the words of its time.
TEST_F(ProtocolFiles, WhatHoldsCanBeKept) {
    const std::string file = write("in/a.yaml",
                                   "meta: {id: a, dependencies: [choice]}\n"
                                   "instruction: old\nconstraints: {place: x, max: 3}\n");
    Protocols protocols({in()});
    const std::vector<protocol::ProtocolRequest> requests = {{"a", {}}};
    const protocol::Resolved then = protocols.library()->resolve(requests);
    const std::vector<NamedText> kept = sources_of(then, protocols);
    ASSERT_EQ(kept.size(), 2U);
    EXPECT_EQ(kept[0].name, "a@1.0.0");
    EXPECT_EQ(kept[1].name, "choice@1.0.0");
    write("in/a.yaml", simple("a"));
    ASSERT_TRUE(protocols.reload());
    EXPECT_TRUE(protocols.library()->resolve(requests).constraints.empty());
    const protocol::Resolved again = library_of(kept).resolve(requests);
    EXPECT_EQ(again.instructions, then.instructions);
    EXPECT_EQ(again.constraints.size(), 1U);
    EXPECT_TRUE(again.warnings.empty());
}

// ---- lint

struct Broken {
    const char* text;
    const char* line;  // where it is seen
    const char* says;  // the part of the message that says how to mend it
};

// Lines begin at 1. Each has one mistake.
constexpr Broken kBroken[] = {
    {"meta: {id: a\n", "1", "not closed"},
    {"meta: {id: a}\ninstruction: \"x\n", "2", "closed"},
    {"meta:\n  id: a\n  id: b\ninstruction: x\n", "3", "Remove one of them"},
    {"base: &b {x: 1}\nmeta: {id: a, <<: *b}\ninstruction: x\n", "2", "Write the members out"},
    {"meta: !!python/object {id: a}\ninstruction: x\n", "1", "tag"},
    {"meta: {id: a}\ninstruction: x\n---\nmeta: {id: b}\n", "3", "remove the ---"},
    {"just a text\n", "1", "takes key: value"},
    {"instruction: x\n", "1", "The key meta is missing"},
    {"meta: [a]\ninstruction: x\n", "1", "meta takes key: value"},
    {"meta: {name: x}\ninstruction: x\n", "1", "The key id is missing"},
    {"meta: {id: 3}\ninstruction: x\n", "1", "id takes text"},
    {"meta: {id: ../etc}\ninstruction: x\n", "1", "such as love_system"},
    {"meta: {id: two words}\ninstruction: x\n", "1", "such as love_system"},
    {"meta: {id: a}\n", "1", "The key instruction is missing"},
    {"meta: {id: a}\ninstruction: \"  \"\n", "2", "instruction is empty. Write a text"},
    {"meta: {id: a}\ninstruction: [x]\n", "2", "instruction takes text, {en"},
    {"meta: {id: a}\ninstruction: {fr: x}\n", "2", "takes text, {en: …, zh: …}"},
    {"meta: {id: a}\nintsruction: x\n", "2", "Did you mean instruction?"},
    {"meta: {id: a, version: one}\ninstruction: x\n", "1", "such as \"1.2.0\""},
    {"meta: {id: a, version: \"newest\"}\ninstruction: x\n", "1", "such as \"1.2.0\""},
    {"meta: {id: a, type: addition}\ninstruction: x\n", "1", "core | extension | mode"},
    {"meta: {id: a, type: augmentation, schema_type: mode}\ninstruction: x\n", "1",
     "Keep one of them"},
    {"meta: {id: a}\ninjection: {target: top}\ninstruction: x\n", "2",
     "system_start | system_end | before_history"},
    {"meta: {id: a}\ninjection: {target: post_history, position: system_end}\ninstruction: x\n",
     "2", "Keep one of them"},
    {"meta: {id: a}\ninjection: {priority: high}\ninstruction: x\n", "2",
     "takes -1000000 – 1000000"},
    {"meta: {id: a}\ninjection: {priorty: 3}\ninstruction: x\n", "2", "Did you mean priority?"},
    {"meta: {id: a, dependencies: [b b]}\ninstruction: x\n", "1", "id@1.2.0"},
    {"meta: {id: a, dependencies: [choice@one]}\ninstruction: x\n", "1", "id@^1"},
    {"meta: {id: a, dependencies: [a]}\ninstruction: x\n", "1", "Remove it there"},
    {"meta: {id: a, dependencies: [choice, choice]}\ninstruction: x\n", "1", "Remove one of them"},
    {"meta: {id: a, dependencies: [chioce]}\ninstruction: x\n", "1",
     "Add the missing one or correct dependencies"},
    {"meta: {id: a, dependencies: [choice@^9]}\ninstruction: x\n", "1", "Add the missing one"},
    {"meta: {id: a, conflicts_with: [nobody_knows]}\ninstruction: x\n", "1", "There is "},
    {"meta: {id: a}\ninstruction: x\nexamples: [{input: x}]\n", "3", "The key output is missing"},
    {"meta: {id: a}\ninstruction: x\nexamples:\n  - {input: x, output: "
     "\"<UpdateVariable>_.fly('a', "
     "1);</UpdateVariable>\"}\n",
     "4", "Correct it"},
    {"meta: {id: a}\ninstruction: x\nparser_hints: {behavior: display}\n", "3",
     "The key root_tag is missing"},
    {"meta: {id: a}\ninstruction: x\nparser_hints: {root_tag: <live>}\n", "3", "without < and >"},
    {"meta: {id: a}\ninstruction: x\nparser_hints: {root_tag: live, behavior: run_script}\n", "3",
     "ignore, display, execute_script"},
    {"meta: {id: a}\ninstruction: x\nparser_hints: {root_tag: think, behavior: display}\n", "3",
     "choose another tag"},
    {"meta: {id: a}\ninstruction: x\nparser_hints: [{root_tag: b}, {root_tag: B}]\n", "3",
     "Remove one of them"},
    {"meta: {id: a}\nteach: elvish\n", "2", "Available: tavern, json"},
    {"meta: {id: a}\ninstruction: x\nactivation: {keywords: [\"\"]}\n", "3", "keywords is empty"},
    {"meta: {id: a}\ninstruction: x\nactivation: {scope: forever}\n", "3",
     "until_ended, {turns: 3}"},
    {"meta: {id: a}\ninstruction: x\nactivation: {turns: 0}\n", "3", "takes 1 – 1000000"},
    {"meta: {id: a}\ninstruction: x\nactivation: {intent_mappings: [{keywords: [k], schema: "
     "nobody_knows}]}\n",
     "3", "There is "},
    {"meta: {id: a}\ninstruction: x\nconstraints: none\n", "3", "constraints takes limits"},
    {"meta: {id: a}\ninstruction: x\nconstraints:\n  - {place: a, change: [5, 1]}\n", "4",
     "such as [1, 5]"},
    {"meta: {id: a}\ninstruction: x\nconstraints:\n  limits:\n    - {plaec: a, max: 3}\n", "5",
     "Did you mean place?"},
    {"meta: {id: a}\ninstruction: x\nconstraints:\n  - {place: [a, b], max: \"3 +\"}\n", "4",
     "ends too early"},
    {"meta: {id: a}\ninstruction: x\nconstraints:\n  - {place: a}\n", "4", "limits is empty"},
    {"meta: {id: a}\ninstruction: x\nconstraints:\n  - {place: a.**.b, max: 1}\n", "4", "**"},
    {"meta: {id: a}\ninstruction: x\nconstraints:\n  - {place: a, max: 1, otherwise: cut}\n", "4",
     "clamp | refuse"},
};

// proves: S4-18, S4-12
TEST_F(ProtocolFiles, EveryBrokenProtocolIsToldHowToMend) {
    static_assert(std::size(kBroken) >= 40);
    std::size_t index = 0;
    for (const Broken& broken : kBroken) {
        const std::string file = "in/" + std::to_string(100 + index++) + ".yaml";
        const std::string path = write(file, broken.text);
        // The same alone, and typed in.
        for (const Lint& lint : {lint_all({path}), lint_text(path, broken.text)}) {
            ASSERT_EQ(lint.diagnostics.size(), 1U) << broken.text;
            bool found = false;
            std::string all;
            for (const base::Error& error : lint.diagnostics[0].errors) {
                const std::string english = base::explain(error, base::Language::kEnglish);
                all += "  " + (error.place ? std::to_string(error.place->line) : "?") + " " +
                       english + "\n";
                found = found || (error.place && english.contains(broken.says) &&
                                  std::to_string(error.place->line) == broken.line);
                EXPECT_NE(english, base::explain(error, base::Language::kChinese));
            }
            EXPECT_TRUE(found) << broken.text << all;
        }
    }
    // All of them in one folder, beside a good one.
    write("in/good.yaml", simple("good"));
    const Lint lint = lint_all({in()});
    EXPECT_EQ(lint.diagnostics.size(), std::size(kBroken));
}

TEST_F(ProtocolFiles, LintSeesWhatIsWrongBetweenFiles) {
    const std::string a = write("in/a.yaml", "meta: {id: a, dependencies: [b]}\ninstruction: x\n");
    const std::string b = write("in/b.yaml", "meta: {id: b, dependencies: [a]}\ninstruction: x\n");
    write("in/c.yaml", simple("a"));
    EXPECT_EQ(told(lint_all({in()}).diagnostics),
              "in/a.yaml:1 protocol_cycle\nin/c.yaml:1 protocol_duplicate\n");
    EXPECT_EQ(told(lint_all({a}).diagnostics), "in/a.yaml:1 protocol_needs\n");
    EXPECT_EQ(told(lint_all({a, b}).diagnostics), "in/a.yaml:1 protocol_cycle\n");
    EXPECT_EQ(told(lint_all({(folder_ / "none").string()}).diagnostics), "none file_missing\n");
    fs::create_directories(folder_ / "void");
    EXPECT_EQ(told(lint_all({(folder_ / "void").string()}).diagnostics), "void protocol_none\n");
    EXPECT_EQ(told(lint_all({"/dev/null"}).diagnostics).substr(0, 3), "../");
    EXPECT_TRUE(lint_text("x.yaml", simple("x")).diagnostics.empty());
    const std::string large = write("large.yaml", std::string(base::kProtocolBytesMax + 1, ' '));
    EXPECT_EQ(told(lint_all({large}).diagnostics), "large.yaml text_too_long\n");
    // A file that is named twice is read once.
    EXPECT_EQ(told(lint_all({in() + "/../in/c.yaml", in() + "/c.yaml"}).diagnostics), "");
}

// The texts of a campaign stand between the embedded files and the folders.
TEST_F(ProtocolFiles, KeptTextsHoldUntilAFolderReplacesThem) {
    const auto text = [](const Protocols& protocols, std::string_view reference) {
        const auto* row = protocols.library()->find(*protocol::parse_reference(reference));
        return row != nullptr ? row->protocol->instruction.english : std::string("-");
    };
    Protocols::Kept texts;
    texts.active = {kept("mine@1.0.0", versioned("mine", "1.0.0", "old")),
                    kept("choice@0.9.0", versioned("choice", "0.9.0", "old choice"))};
    texts.own = {kept("mine@1.0.0", versioned("mine", "1.0.0", "old")),
                 kept("other@1.0.0", versioned("other", "1.0.0", "other"))};
    Protocols alone;
    EXPECT_EQ(text(alone, "mine"), "-");
    alone.keep(texts);
    EXPECT_EQ(text(alone, "mine"), "old");
    EXPECT_EQ(text(alone, "other"), "other");
    // A newer embedded version does not change a campaign that plays with an older one.
    EXPECT_EQ(text(alone, "choice"), "old choice");
    EXPECT_EQ(alone.own().size(), 2U);

    write("in/mine.yaml", versioned("mine", "0.8.0", "from the folder"));
    Protocols given({in()});
    given.keep(texts);
    EXPECT_EQ(text(given, "mine"), "from the folder");
    EXPECT_EQ(text(given, "other"), "other");
    // A reference that the folder cannot meet keeps its text.
    texts.references = {"mine@^1"};
    given.keep(texts);
    EXPECT_EQ(text(given, "mine@^1"), "old");
    EXPECT_EQ(text(given, "mine@0.8.0"), "from the folder");
}

// An unquoted version is read as it is written.
TEST_F(ProtocolFiles, VersionsNeedNoQuotes) {
    write("in/a.yaml", "meta: {id: a, version: 1.10}\ninstruction: x\n");
    write("in/b.yaml", "meta:\n  id: b\n  version: 1.0  # first\ninstruction: x\n");
    write("in/c.yaml", "meta: {id: c, version: 2}\ninstruction: x\n");
    const Protocols protocols({in()});
    EXPECT_TRUE(protocols.diagnostics().empty()) << told(protocols.diagnostics());
    for (const std::string_view name : {"a@1.10.0", "b@1.0.0", "c@2.0.0"}) {
        const auto* row = protocols.library()->find(*protocol::parse_reference(name));
        EXPECT_NE(row, nullptr) << name;
    }
}

// One mistake, one error.
TEST_F(ProtocolFiles, AMisspelledKeyIsNotMissingToo) {
    const Lint found = lint_text(
        "x.yaml", "meta: {id: x}\nintsruction: x\nconstraints:\n  - {plce: a.b, chnage: 3}\n");
    EXPECT_EQ(told(found.diagnostics).size() > 0, true);
    std::string all;
    for (const FileDiagnostics& each : found.diagnostics) {
        for (const base::Error& error : each.errors) {
            all += std::to_string(error.place->line) + " " +
                   base::explain(error, base::Language::kEnglish) + "\n";
        }
    }
    EXPECT_EQ(all,
              "2 There is no key intsruction here. Did you mean instruction?\n"
              "4 There is no key plce here. Did you mean place?\n"
              "4 There is no key chnage here. Did you mean change?\n");
}

}  // namespace
}  // namespace arbiter::config
