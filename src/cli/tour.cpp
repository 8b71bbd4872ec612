#include "cli/tour.h"

#include "cli/documents.h"
#include "proposal/describe.h"
#include "reader/reader.h"
#include "value/editor.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using value::Value;

constexpr std::string_view kSave =
    R"({"角色":{"姓名":"林渊","气血":{"当前":100,"上限":100},"境界":"炼气三层"},)"
    R"("背包":{"灵石":12,"物品":[{"名称":"破损木剑","数量":1},{"名称":"止血草","数量":3}]},)"
    R"("时间":{"当前":"开阳历 230 年 3 月 初六"}})";

constexpr std::string_view kReply =
    "木剑断了。“下次 _.set('灵石', 0); 可不行。”\n"
    "<UpdateVariable>\n"
    "_.add('角色.气血.当前', -18);//被咬伤\n"
    "_.set('背包.灵石', 12, 10 + 5)\n"
    "</UpdateVariable>";

class Tour {
  public:
    explicit Tour(const Console& console) : console_(console) {}

    void run() {
        title({"Arbiter in one minute", "一分钟认识 Arbiter"});
        say({"The model proposes; Arbiter decides. Everything below is computed now, not canned.",
             "模型提案，Arbiter 裁决。以下内容都是现场计算的。"});

        step({"A campaign's state is one immutable document", "战役的状态是一个不可变的文档"});
        const Value before = *value::parse_json(kSave);
        console_.print(value::print_json(before, value::JsonStyle::kPretty) + "\n");

        step({"A turn makes a new version; the old one stays, and both share what did not change",
              "每回合产生一个新版本；旧版本仍在，未变的部分两者共享"});
        const Value after = fight(before);
        for (const value::Change& change : value::diff(before, after)) {
            console_.print("  " + change_line(console_, change));
        }

        step({"Undo is the diff turned round, and gives back the same bytes",
              "撤销就是反向应用差异，逐字节还原"});
        const auto undone = value::apply_diff(value::invert(value::diff(before, after)), after);
        show_hash({"before", "之前"}, before);
        show_hash({"after ", "之后"}, after);
        if (undone) {
            show_hash({"undone", "撤销"}, *undone);
        }

        step(
            {"A reply is taken apart while it streams: the story for the player, proposals for "
             "Arbiter",
             "回复在流式输出中被拆解：正文给玩家，提案给 Arbiter"});
        console_.print(std::string(kReply) + "\n");
        show_reading(reader::read(kReply));

        step({"A mistake is explained, with what would have worked",
              "出错时会说明原因，并告诉你怎样才对"});
        constexpr std::string_view kBroken = "{\n  \"气血\": 090,\n}";
        const auto broken = value::parse_json(kBroken);
        Console here = console_;
        here.err = console_.out;
        here.color_err = console_.color_out;
        if (!broken) {
            report(here, broken.error(), "save.json", kBroken);
        }

        step({"Try it yourself", "自己试试"});
        console_.print(
            "  export PATH=\"$PWD/build/release:$PATH\"\n"
            "  echo '{\"b\":2,\"a\":[1,2,3]}' | arbiter json\n"
            "  echo '{\"角色\":{\"气血\":100}}' | arbiter get - 角色.气血\n"
            "  echo '{\"气血\":100}' > old.json; echo '{\"气血\":90}' | arbiter diff old.json -\n"
            "  echo \"_.set('a.b', 1, 2);\" | arbiter parse\n"
            "  arbiter teach mvu\n"
            "  arbiter --help\n");
    }

  private:
    void title(const base::TextView& text) {
        console_.print(console_.painted(console_.say(text), Color::kBold) + "\n");
    }
    void say(const base::TextView& text) { console_.print(std::string(console_.say(text)) + "\n"); }
    void step(const base::TextView& text) {
        ++number_;
        console_.print(
            "\n" +
            console_.painted(std::to_string(number_) + ". " + std::string(console_.say(text)),
                             Color::kCyan) +
            "\n");
    }
    void show_hash(const base::TextView& what, const Value& document) {
        constexpr std::string_view kHex = "0123456789abcdef";
        std::string digits;
        for (int shift = 60; shift >= 0; shift -= 4) {
            digits += kHex[(value::fingerprint_of(document).exact >> shift) & 15];
        }
        console_.print("  " + std::string(console_.say(what)) + "  " + digits + "\n");
    }

    void show_reading(const reader::Reading& reading) {
        for (const proposal::Proposal& proposal : reading.proposals) {
            console_.print("  → " + console_.painted(describe(proposal), Color::kGreen) + "\n");
        }
        console_.print("  " + std::string(console_.say({"shown: ", "显示："})) + reading.text +
                       "\n");
    }

    // The edits of one turn, applied as a batch to a new version.
    static Value fight(const Value& before) {
        value::Editor editor(before);
        const bool done =
            editor.set({"角色", "气血", "当前"}, 82).has_value() &&
            editor.set({"背包", "灵石"}, 15).has_value() &&
            editor.erase({"背包", "物品", 0}).has_value() &&
            editor.set({"任务", "寻图", "阶段"}, "进行中", value::Parents::kCreate).has_value();
        CHECK(done);
        return std::move(editor).take();
    }

    const Console& console_;
    int number_ = 0;
};

}  // namespace

Exit run_tour(const Call& call) {
    Tour(call.console).run();
    return Exit::kDone;
}

}  // namespace arbiter::cli
