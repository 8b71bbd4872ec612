// Goal: what is kept of proposals is all of them, what repeats is kept once, and what was tampered
// with is refused by name.
#include "proposal/codec.h"

#include <gtest/gtest.h>

#include "value/json.h"

namespace arbiter::proposal {
namespace {

Proposal command(std::string_view path, Mount mount, Span span, std::string raw) {
    Proposal proposal;
    proposal.dialect = Dialect::kMvu;
    proposal.verb = "set";
    Instruction instruction;
    instruction.path = value::Path{path};
    instruction.mount = mount;
    instruction.dotted = mount == Mount::kMvu;
    instruction.value = value::Value(1);
    proposal.what = instruction;
    proposal.span = span;
    proposal.raw = std::move(raw);
    return proposal;
}

constexpr std::string_view kReply = "甲=1 乙=2 丙=3";

TEST(Codec, WhatRepeatsIsKeptOnce) {
    const std::vector<Proposal> all = {
        command("甲", Mount::kMvu, {0, 5}, "甲=1"), command("乙", Mount::kMvu, {6, 11}, "乙=2"),
        command("丙", Mount::kRoot, {12, 17}, "丙=3"),
        command("丁", Mount::kRoot, {0, 0}, "beside"), command("戊", Mount::kMvu, {0, 5}, "")};
    const value::Array kept = encode(all, kReply);
    EXPECT_EQ(value::print_json(kept[0]), R"({"dialect":"mvu","mount":"mvu","flags":["dotted"],)"
                                          R"("op":"set","path":["甲"],"value":1,"verb":"set",)"
                                          R"("span":[0,5]})");
    EXPECT_EQ(value::print_json(kept[1]),
              R"({"op":"set","path":["乙"],"value":1,"verb":"set","span":[6,11]})");
    EXPECT_EQ(decode(kept, kReply), base::Result<std::vector<Proposal>>(all));
    // Without the reply only the texts of the commands are missing.
    const auto bare = decode(kept, "");
    ASSERT_TRUE(bare);
    EXPECT_EQ((*bare)[1].what, all[1].what);
    EXPECT_EQ((*bare)[1].raw, "");
    EXPECT_EQ((*bare)[3].raw, "beside");
}

TEST(Codec, WhatIsNotAProposalIsRefusedByName) {
    const auto refused = [](std::string_view json) {
        const auto decoded = decode(value::parse_json(json)->as_array(), kReply);
        return decoded ? std::string("read") : decoded.error().arguments.at(0);
    };
    EXPECT_EQ(refused(R"([{"dialect":"mvu","op":"set","path":["a"],"span":[0,1]}])"), "read");
    EXPECT_EQ(refused(R"([{"op":"set","path":["a"],"span":[0,1]}])"), "dialect");
    EXPECT_EQ(refused(R"([{"dialect":"x","op":"set","path":["a"],"span":[0,1]}])"), "dialect");
    EXPECT_EQ(refused(R"([{"dialect":"mvu","op":"fly","path":["a"],"span":[0,1]}])"), "op");
    EXPECT_EQ(refused(R"([{"dialect":"mvu","op":"set","path":7,"span":[0,1]}])"), "path");
    EXPECT_EQ(refused(R"([{"dialect":"mvu","op":"set","path":["a"],"span":[-1,1]}])"), "span");
    EXPECT_EQ(refused(R"([{"dialect":"mvu","op":"set","path":["a"],"span":[0]}])"), "span");
    EXPECT_EQ(refused(R"([{"dialect":"mvu","flags":["x"],"op":"set","path":["a"],"span":[0,1]}])"),
              "flags");
    EXPECT_EQ(refused(R"([{"dialect":"mvu","mount":3,"op":"set","path":["a"],"span":[0,1]}])"),
              "mount");
    EXPECT_EQ(refused(R"([7])"), "proposal");
    // A span behind the end of the reply is the reply's fault.
    EXPECT_EQ(refused(R"([{"dialect":"mvu","op":"set","path":["a"],"span":[900,1000]}])"), "read");
}

}  // namespace
}  // namespace arbiter::proposal
