#include "text/internal/scripts.h"

#include <array>

namespace arbiter::text::internal {
namespace {

using Range = Regex::Range;

constexpr auto kHan = std::to_array<Range>(
    {{0x2E80, 0x2E99},   {0x2E9B, 0x2EF3},   {0x2F00, 0x2FD5},   {0x3005, 0x3005},
     {0x3007, 0x3007},   {0x3021, 0x3029},   {0x3038, 0x303B},   {0x3400, 0x4DBF},
     {0x4E00, 0x9FFF},   {0xF900, 0xFA6D},   {0xFA70, 0xFAD9},   {0x16FE2, 0x16FE3},
     {0x16FF0, 0x16FF1}, {0x20000, 0x2A6DF}, {0x2A700, 0x2B739}, {0x2B740, 0x2B81D},
     {0x2B820, 0x2CEA1}, {0x2CEB0, 0x2EBE0}, {0x2F800, 0x2FA1D}, {0x30000, 0x3134A},
     {0x31350, 0x323AF}});
constexpr auto kHiragana = std::to_array<Range>({{0x3041, 0x3096},
                                                 {0x309D, 0x309F},
                                                 {0x1B001, 0x1B11F},
                                                 {0x1B132, 0x1B132},
                                                 {0x1B150, 0x1B152},
                                                 {0x1F200, 0x1F200}});
constexpr auto kKatakana = std::to_array<Range>({{0x30A1, 0x30FA},
                                                 {0x30FD, 0x30FF},
                                                 {0x31F0, 0x31FF},
                                                 {0x32D0, 0x32FE},
                                                 {0x3300, 0x3357},
                                                 {0xFF66, 0xFF6F},
                                                 {0xFF71, 0xFF9D},
                                                 {0x1AFF0, 0x1AFF3},
                                                 {0x1AFF5, 0x1AFFB},
                                                 {0x1AFFD, 0x1AFFE},
                                                 {0x1B000, 0x1B000},
                                                 {0x1B120, 0x1B122},
                                                 {0x1B155, 0x1B155},
                                                 {0x1B164, 0x1B167}});
constexpr auto kHangul = std::to_array<Range>({{0x1100, 0x11FF},
                                               {0x302E, 0x302F},
                                               {0x3131, 0x318E},
                                               {0x3200, 0x321E},
                                               {0x3260, 0x327E},
                                               {0xA960, 0xA97C},
                                               {0xAC00, 0xD7A3},
                                               {0xD7B0, 0xD7C6},
                                               {0xD7CB, 0xD7FB},
                                               {0xFFA0, 0xFFBE},
                                               {0xFFC2, 0xFFC7},
                                               {0xFFCA, 0xFFCF},
                                               {0xFFD2, 0xFFD7},
                                               {0xFFDA, 0xFFDC}});
constexpr auto kBopomofo =
    std::to_array<Range>({{0x2EA, 0x2EB}, {0x3105, 0x312F}, {0x31A0, 0x31BF}});
constexpr auto kLatin = std::to_array<Range>(
    {{0x41, 0x5A},       {0x61, 0x7A},       {0xAA, 0xAA},       {0xBA, 0xBA},
     {0xC0, 0xD6},       {0xD8, 0xF6},       {0xF8, 0x2B8},      {0x2E0, 0x2E4},
     {0x1D00, 0x1D25},   {0x1D2C, 0x1D5C},   {0x1D62, 0x1D65},   {0x1D6B, 0x1D77},
     {0x1D79, 0x1DBE},   {0x1E00, 0x1EFF},   {0x2071, 0x2071},   {0x207F, 0x207F},
     {0x2090, 0x209C},   {0x212A, 0x212B},   {0x2132, 0x2132},   {0x214E, 0x214E},
     {0x2160, 0x2188},   {0x2C60, 0x2C7F},   {0xA722, 0xA787},   {0xA78B, 0xA7CA},
     {0xA7D0, 0xA7D1},   {0xA7D3, 0xA7D3},   {0xA7D5, 0xA7D9},   {0xA7F2, 0xA7FF},
     {0xAB30, 0xAB5A},   {0xAB5C, 0xAB64},   {0xAB66, 0xAB69},   {0xFB00, 0xFB06},
     {0xFF21, 0xFF3A},   {0xFF41, 0xFF5A},   {0x10780, 0x10785}, {0x10787, 0x107B0},
     {0x107B2, 0x107BA}, {0x1DF00, 0x1DF1E}, {0x1DF25, 0x1DF2A}});
constexpr auto kGreek = std::to_array<Range>(
    {{0x370, 0x373},    {0x375, 0x377},   {0x37A, 0x37D},   {0x37F, 0x37F},     {0x384, 0x384},
     {0x386, 0x386},    {0x388, 0x38A},   {0x38C, 0x38C},   {0x38E, 0x3A1},     {0x3A3, 0x3E1},
     {0x3F0, 0x3FF},    {0x1D26, 0x1D2A}, {0x1D5D, 0x1D61}, {0x1D66, 0x1D6A},   {0x1DBF, 0x1DBF},
     {0x1F00, 0x1F15},  {0x1F18, 0x1F1D}, {0x1F20, 0x1F45}, {0x1F48, 0x1F4D},   {0x1F50, 0x1F57},
     {0x1F59, 0x1F59},  {0x1F5B, 0x1F5B}, {0x1F5D, 0x1F5D}, {0x1F5F, 0x1F7D},   {0x1F80, 0x1FB4},
     {0x1FB6, 0x1FC4},  {0x1FC6, 0x1FD3}, {0x1FD6, 0x1FDB}, {0x1FDD, 0x1FEF},   {0x1FF2, 0x1FF4},
     {0x1FF6, 0x1FFE},  {0x2126, 0x2126}, {0xAB65, 0xAB65}, {0x10140, 0x1018E}, {0x101A0, 0x101A0},
     {0x1D200, 0x1D245}});
constexpr auto kCyrillic = std::to_array<Range>({{0x400, 0x484},
                                                 {0x487, 0x52F},
                                                 {0x1C80, 0x1C88},
                                                 {0x1D2B, 0x1D2B},
                                                 {0x1D78, 0x1D78},
                                                 {0x2DE0, 0x2DFF},
                                                 {0xA640, 0xA69F},
                                                 {0xFE2E, 0xFE2F},
                                                 {0x1E030, 0x1E06D},
                                                 {0x1E08F, 0x1E08F}});

struct Script {
    std::string_view name;
    std::string_view code;
    std::span<const Range> ranges;
};
constexpr auto kScripts = std::to_array<Script>({
    {"Han", "Hani", kHan},
    {"Hiragana", "Hira", kHiragana},
    {"Katakana", "Kana", kKatakana},
    {"Hangul", "Hang", kHangul},
    {"Bopomofo", "Bopo", kBopomofo},
    {"Latin", "Latn", kLatin},
    {"Greek", "Grek", kGreek},
    {"Cyrillic", "Cyrl", kCyrillic},
});

}  // namespace

std::span<const Range> script_ranges(std::string_view name) noexcept {
    for (const Script& script : kScripts) {
        if (name == script.name || name == script.code) {
            return script.ranges;
        }
    }
    return {};
}

}  // namespace arbiter::text::internal
