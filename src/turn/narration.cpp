#include "turn/narration.h"

#include <algorithm>
#include <charconv>

#include "base/limits.h"
#include "conflict/check.h"
#include "conflict/declared.h"
#include "protocol/claims.h"
#include "table/layout.h"
#include "table/settings.h"
#include "text/sentences.h"
#include "turn/settled_changes.h"

namespace arbiter::turn {

using base::Language;
using conflict::Finding;
using conflict::Type;
using value::Object;
using value::Value;

namespace {

std::string_view member_of(Type type) {
    switch (type) {
        case Type::kHp:
            return "hp";
        case Type::kPosition:
            return "area_id";
        case Type::kAliveState:
            return "status";
        case Type::kInventory:
            return "items";
        case Type::kOther:
            return "resources";
        case Type::kRules:
        case Type::kMap:
        case Type::kCharacterSheet:
            return "";
    }
    return "";
}

struct Place {
    std::size_t reply = 0;
    std::size_t at = 0;
};

// The n-th place where a sentence is in the replies.
std::optional<Place> find_nth(std::span<const std::string> replies, std::string_view sentence,
                              std::size_t n) {
    for (std::size_t i = 0; i < replies.size() && !sentence.empty(); ++i) {
        for (std::size_t at = replies[i].find(sentence); at != std::string::npos;
             at = replies[i].find(sentence, at + sentence.size())) {
            if (n-- == 0) {
                return Place{i, at};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<Finding> narration_findings(const Attempt& attempt, const Begun& begun,
                                        conflict::NameCache& names) {
    const Value& document = attempt.candidate().document;
    if (!table::has_campaign(document)) {
        return {};
    }
    std::vector<Finding> findings;
    const auto least =
        static_cast<int>(table::number_in(begun.settings, "conflict.confidence_min"));
    if (table::is_on(begun.settings, "dialog.conflict_text_checks_enabled")) {
        const conflict::Truth truth = conflict::truth_of(document);
        const std::vector<conflict::Settled> settled =
            settled_changes(attempt, conflict::truth_of(begun.state.document), truth);
        findings = conflict::check_text({.truth = truth,
                                         .actions = settled,
                                         .narrative = attempt.reading.text,
                                         .lexicon = begun.rules->words(),
                                         .min_confidence = least,
                                         .names = &names})
                       .findings;
    }
    for (Finding& each :
         conflict::check_declared(protocol::claims_of(attempt.reading.components), document)) {
        if (each.confidence >= least) {
            findings.push_back(std::move(each));
        }
    }
    return findings;
}

value::Path path_of(const Finding& finding) {
    value::Path path = {value::Segment(table::kCampaignKey)};
    if (finding.type == Type::kRules || finding.type == Type::kMap) {
        path.emplace_back(finding.type == Type::kRules ? "rules" : "areas");
        return path;
    }
    path.emplace_back("characters");
    if (!finding.target.empty()) {
        path.emplace_back(std::string_view(finding.target));
        if (const std::string_view member = member_of(finding.type); !member.empty()) {
            path.emplace_back(member);
        }
    }
    return path;
}

std::string mismatch_of(const Finding& finding, const Value& document, Language language) {
    const bool chinese = language == Language::kChinese;
    const Value* character = table::find_character(document, finding.target);
    const std::string_view name = table::text_in(character, "name");
    const std::string who(name.empty() ? std::string_view(finding.target) : name);
    const base::TextView sentence = [&]() -> base::TextView {
        switch (finding.type) {
            case Type::kHp:
                return {"“{0}” is told, but no such change of HP was settled: {1} has {2}.",
                        "叙述称「{0}」，但没有结算过这样的生命变化：{1} 现为 {2}。"};
            case Type::kPosition:
                return {"“{0}” is told, but {1} is at {2}.",
                        "叙述称「{0}」，但 {1} 的位置是 {2}。"};
            case Type::kAliveState:
                return {"“{0}” is told, but the state of {1} is {2}.",
                        "叙述称「{0}」，但 {1} 的状态是 {2}。"};
            case Type::kRules:
                return {"“{0}” is told, but the rules have not changed.",
                        "叙述称「{0}」，但规则没有改变。"};
            case Type::kMap:
                return {"“{0}” is told, but the map has not changed.",
                        "叙述称「{0}」，但地图没有改变。"};
            case Type::kCharacterSheet:
                return {"“{0}” is told, but the sheet of {1} has not changed: {2}.",
                        "叙述称「{0}」，但 {1} 的角色卡没有改变：{2}。"};
            case Type::kInventory:
                return {"“{0}” is told, but no such change of belongings was settled: {1} has {2}.",
                        "叙述称「{0}」，但没有结算过这样的物品变化：{1} 持有 {2}。"};
            case Type::kOther:
                return {"“{0}” is told, but no such change was settled: {1} has {2}.",
                        "叙述称「{0}」，但没有结算过这样的变化：{1} 现为 {2}。"};
        }
        return {};
    }();
    const Value* area =
        finding.type == Type::kPosition ? table::find_area(document, finding.expected) : nullptr;
    const std::string expected(area != nullptr ? table::text_in(area, "name")
                                               : std::string_view(finding.expected));
    const std::string everyone = chinese ? "众人" : "everyone";
    const std::vector<std::string> words = {
        finding.quote, who.empty() ? everyone : who,
        expected.empty() ? (chinese ? "原样" : "as before") : expected};
    return base::format_message(sentence.in(language), words);
}

std::vector<WrongSentence> wrong_sentences(std::string_view narrative,
                                           std::span<const Finding> findings) {
    std::vector<std::pair<text::Sentence, std::vector<std::size_t>>> found;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        if (findings[i].layer != conflict::Layer::kText) {
            continue;
        }
        const text::Sentence span =
            text::sentence_around(narrative, findings[i].begin, findings[i].end);
        if (span.begin == span.end) {
            continue;
        }
        const auto same =
            std::ranges::find(found, span, [](const auto& each) { return each.first; });
        if (same != found.end()) {
            same->second.push_back(i);
        } else {
            found.push_back({span, {i}});
        }
    }
    std::ranges::sort(found, {}, [](const auto& each) { return each.first.begin; });
    std::vector<WrongSentence> sentences;
    for (auto& [span, indexes] : found) {
        WrongSentence sentence;
        sentence.text = narrative.substr(span.begin, span.end - span.begin);
        sentence.findings = std::move(indexes);
        for (std::size_t at = narrative.find(sentence.text); at < span.begin;
             at = narrative.find(sentence.text, at + sentence.text.size())) {
            ++sentence.occurrence;
        }
        sentences.push_back(std::move(sentence));
    }
    return sentences;
}

bool can_mend(std::span<const std::string> replies, std::string_view narrative,
              std::span<const Finding> findings) {
    const std::vector<WrongSentence> sentences = wrong_sentences(narrative, findings);
    std::size_t marked = 0;
    for (const WrongSentence& each : sentences) {
        if (!find_nth(replies, each.text, each.occurrence)) {
            return false;
        }
        marked += each.findings.size();
    }
    return !sentences.empty() && marked == findings.size() &&
           sentences.size() <= base::kFeedbackEntriesMax;
}

std::string mending_request(std::span<const WrongSentence> sentences,
                            std::span<const Finding> findings, const Value& document,
                            Language language) {
    const bool chinese = language == Language::kChinese;
    std::string text =
        chinese
            ? "你刚才的回复只有下列句子与已结算的状态不符，其余部分予以保留。请只改写这些句子："
              "每句占一行，以编号开头，例如“[1] 改写后的句子”；应当删去的写“[1] -”。"
              "以状态为准，不要输出其他内容。\n"
            : "Your reply stands, except for the sentences below, which contradict the settled "
              "state. Write only these again, one line for each, beginning with its number, as "
              "in “[1] the new sentence”; write “[1] -” to leave one out. Follow the state, and "
              "write nothing else.\n";
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        text += "[" + std::to_string(i + 1) + "] " + sentences[i].text + "\n";
        for (const std::size_t finding : sentences[i].findings) {
            text += "    " + mismatch_of(findings[finding], document, language) + "\n";
        }
    }
    return text;
}

std::optional<std::vector<std::optional<std::string>>> mended_sentences(std::string_view answer,
                                                                        std::size_t count) {
    std::vector<std::optional<std::string>> sentences(count);
    bool has_any = false;
    while (!answer.empty()) {
        const std::size_t end = std::min(answer.find('\n'), answer.size());
        std::string_view line = answer.substr(0, end);
        answer.remove_prefix(std::min(end + 1, answer.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        std::size_t number = 0;
        const auto [behind, error] = std::from_chars(line.data() + (line.starts_with('[') ? 1 : 0),
                                                     line.data() + line.size(), number);
        if (!line.starts_with('[') || error != std::errc() || behind == line.data() + line.size() ||
            *behind != ']' || number == 0 || number > count) {
            continue;
        }
        line.remove_prefix(static_cast<std::size_t>(behind + 1 - line.data()));
        const std::size_t first = line.find_first_not_of(" \t\r");
        const std::size_t last = line.find_last_not_of(" \t\r");
        const std::string_view words =
            first == std::string_view::npos ? "" : line.substr(first, last - first + 1);
        sentences[number - 1] = words == "-" || words == "－" || words == "—" ? "" : words;
        has_any = true;
    }
    return has_any ? std::optional(std::move(sentences)) : std::nullopt;
}

std::vector<std::string> with_sentences(std::vector<std::string> replies,
                                        std::span<const WrongSentence> sentences,
                                        std::span<const std::optional<std::string>> replacements) {
    // From the last on, so that those before keep their places and counts.
    for (std::size_t i = std::min(sentences.size(), replacements.size()); i-- > 0;) {
        const auto place = replacements[i]
                               ? find_nth(replies, sentences[i].text, sentences[i].occurrence)
                               : std::nullopt;
        if (!place) {
            continue;
        }
        std::string& reply = replies[place->reply];
        std::size_t begin = place->at;
        std::size_t end = begin + sentences[i].text.size();
        if (replacements[i]->empty()) {
            // One of the blanks around it goes too.
            if (end < reply.size() && reply[end] == ' ') {
                ++end;
            } else if (begin > 0 && reply[begin - 1] == ' ') {
                --begin;
            }
        }
        reply.replace(begin, end - begin, *replacements[i]);
    }
    return replies;
}

base::Text cut_notice() {
    return {"(A sentence that did not fit the state was left out.)",
            "（此处有一句与状态不符，已略去。）"};
}

}  // namespace arbiter::turn
