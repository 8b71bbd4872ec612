#include "chat/alignment.h"

#include <algorithm>
#include <ranges>
#include <unordered_map>

#include "chat/reply_commands.h"

namespace arbiter::chat {
namespace {

// ---- limits: with them the work for each reply of the history is bounded
constexpr std::size_t kPathsMax = 64;       // kept after each reply
constexpr std::size_t kCandidatesMax = 64;  // stored replies with the same text, the newest
constexpr std::size_t kSiblingsMax = 64;    // compared by likeness, the newest
constexpr std::size_t kComparedMax = 4;     // paths of which siblings are compared
constexpr std::size_t kGapMax = 8;          // replies in a row that are found by the one after them

// ---- evidence
constexpr double kExact = 8;    // the text of the reply
constexpr double kPartial = 7;  // an aborted reply of which the client has read the beginning
constexpr double kLike = 3;     // and up to kLikeMore
constexpr double kLikeMore = 3;
constexpr double kPlace = 1;        // a reply in the same place, rewritten
constexpr double kSaid = 4;         // the words before it
constexpr double kSaidOnly = 1.5;   // before a rewritten one: less than an edited text elsewhere
constexpr double kBeginning = 3;    // the first reply of a chat, in the first place
constexpr double kSkipped = -1;     // a message that is not a reply of this chat
constexpr double kGreeting = -0.5;  // it is a greeting that is not stored yet
constexpr double kMoved = -4.5;     // repeated behind another reply; more than the words count for
constexpr double kMissing = -2;     // the same, if only the reply before it is missing
constexpr double kAnswered = 1;     // the words behind a rewritten reply are those of its answer
constexpr double kDepth = 2;        // as many messages as the client says
constexpr double kLikenessMin = 0.5;
constexpr double kLikenessNoise = 0.3;  // replies of one story have some words in common

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

struct Path {
    std::size_t node = ReplyTree::kRoot;  // its last stored reply; kNone: of an adopted text
    std::size_t before = kNone;           // the path without its last step
    std::size_t reply = kNone;            // of the history: its last step; kNone: none yet
    std::size_t skipped = 0;              // replies of the history since then
    std::size_t found = 0;
    double score = 0;
    std::size_t replaced = kNone;  // the stored reply whose place an adopted text takes
    bool is_adopted = false;       // its last step has to become a turn
    bool is_firm = false;          // one of its steps was found by its text
    bool is_guessed = false;       // its last step was found by its place alone
    bool is_beginning = true;      // no reply of the chat is missing before its first step
};

// A reply of the history, prepared for comparisons.
class Subject {
  public:
    Subject(const HistoryReply& reply, const ReplyTree& tree, bool reads_commands)
        : plain_(reply.text), said_(reply.said) {
        add_keys(plain_);
        // Most replies come back as they were shown: the narrative is that of the stored one.
        const ReplyTree::Nodes& same = tree.with_text(plain_.key());
        if (const ReplyTree::Node* newest = same.empty() ? nullptr : &tree.node(same.back());
            newest != nullptr && newest->text == plain_.key() && !newest->sketch.empty()) {
            sketch_ = newest->sketch;
            return;
        }
        const bool is_stored = std::ranges::any_of(
            keys_, [&](const TextKey& key) { return !tree.with_text(key).empty(); });
        if (!reads_commands || is_stored) {
            sketch_ = Sketch(plain_.bytes());
            return;
        }
        const ReplyCommands read = read_commands(reply.text);
        commands_ = read.key;
        for (const std::string& each : read.texts) {
            command_texts_.emplace_back(PlainText(each).bytes());
        }
        const PlainText narrative(read.narrative);
        sketch_ = Sketch(narrative.bytes());
        add_keys(narrative);
    }
    [[nodiscard]] const std::vector<TextKey>& keys() const noexcept { return keys_; }
    [[nodiscard]] const SaidKeys& said() const noexcept { return said_; }
    // The evidence that an edited reply is the stored one, whatever its commands are; 0: none.
    [[nodiscard]] double likeness(const ReplyTree::Node& node) const {
        const double likeness = sketch_.likeness(node.sketch);
        return likeness >= kLikenessMin ? kLike + kLikeMore * likeness : 0;
    }
    [[nodiscard]] bool is_answer() const noexcept { return !said_.whole.empty(); }
    // In a text that is not stored.
    [[nodiscard]] bool has_commands() const noexcept { return !commands_.empty(); }
    // Whether the reply may be the stored one: commands in its text are those that it has, or some
    // of those in a reply that was stopped, of which the client may have read less.
    [[nodiscard]] bool agrees_with(const ReplyTree::Node& node) const noexcept {
        return commands_.empty() || commands_ == node.commands ||
               commands_ == node.shown_commands ||
               (!node.partial.empty() &&
                std::ranges::all_of(command_texts_, [&](const std::string& each) {
                    return node.partial.contains(each);
                }));
    }

    // The evidence that an edited or partly read reply is the stored one; 0: none.
    [[nodiscard]] double evidence(const ReplyTree::Node& node, bool is_same_said) const {
        const std::size_t words = plain_.lines().empty() ? 0 : plain_.lines()[0].words;
        for (const std::size_t begin : {std::size_t{0}, words}) {
            const std::string_view read = plain_.bytes().substr(begin);
            if (node.is_aborted && read.size() > node.continued_bytes &&
                node.partial.starts_with(read)) {
                return kPartial;
            }
        }
        if (!agrees_with(node)) {
            return 0;
        }
        if (const double edited = likeness(node); edited > 0 || !is_same_said) {
            return edited;
        }
        const double noise = sketch_.likeness(node.sketch);
        return kPlace + (noise >= kLikenessNoise ? noise : 0);
    }

  private:
    void add_keys(const PlainText& plain) {
        for (const TextKey& key : {plain.key(), plain.words_key()}) {
            if (std::ranges::find(keys_, key) == keys_.end()) {
                keys_.push_back(key);
            }
        }
    }

    PlainText plain_;
    Sketch sketch_;  // of the narrative
    SaidKeys said_;
    TextKey commands_;
    std::vector<std::string> command_texts_;
    std::vector<TextKey> keys_;
};

class Aligner {
  public:
    Aligner(const ReplyTree& tree, const History& history, const AlignmentOptions& options)
        : tree_(tree), history_(history), options_(options) {
        all_.emplace_back();
        present_.push_back(0);
    }

    void take(std::size_t index) {
        const Subject subject(history_.replies[index], tree_, options_.reads_commands);
        is_before_words_ = is_before_words_ && !subject.is_answer();
        next_.clear();
        by_node_.clear();
        std::ranges::sort(present_,
                          [this](std::size_t a, std::size_t b) { return is_better(a, b); });
        skipping_.clear();
        for (const std::size_t each : present_) {
            if (all_[each].skipped > 0 && !all_[each].is_adopted) {
                skipping_.emplace(all_[each].node, each);
            }
        }
        is_edited_ = false;
        const bool is_known = follow_text(subject, index);
        const bool is_exact = find_elsewhere(subject, index);
        follow_edited(subject, index);
        if (!is_exact) {
            find_by_words(subject, index);
        }
        if (!is_known) {
            find_behind_missing(subject, index);
        }
        if (!is_known && !is_edited_) {
            replace(subject, index);
        }
        for (const std::size_t each : present_) {
            leave_out(each, index, !is_known && subject.has_commands());
            if (!is_known && is_kept(each, index)) {
                adopt(each, index, kGreeting);
            }
        }
        std::ranges::sort(next_, [this](std::size_t a, std::size_t b) { return is_better(a, b); });
        next_.resize(std::min(next_.size(), kPathsMax));
        present_ = next_;
    }

    [[nodiscard]] Alignment finish() {
        // A rewritten reply is the one that was answered with these words before.
        std::optional<SaidKeys> said;
        for (const std::size_t each : present_) {
            if (Path& path = all_[each]; path.is_guessed) {
                said = said ? said : SaidKeys(history_.said);
                path.score += has_answer(path.node, *said) ? kAnswered : 0;
            }
        }
        const std::size_t best = chosen();
        Alignment made;
        made.score = all_[best].score;
        made.found = all_[best].found;
        made.is_certain = all_[best].is_firm;
        made.has_last = all_[best].reply != kNone && all_[best].skipped == 0;
        for (std::size_t at = best; at != kNone; at = all_[at].before) {
            const Path& path = all_[at];
            if (!path.is_adopted) {
                made.node = path.node;
                break;
            }
            made.adoptions.push_back(
                {path.reply, path.node != kNone ? std::optional(path.node) : std::nullopt});
        }
        std::ranges::reverse(made.adoptions);
        return made;
    }

  private:
    [[nodiscard]] bool is_better(std::size_t a, std::size_t b) const {
        const Path& left = all_[a];
        const Path& right = all_[b];
        if (left.score != right.score) {
            return left.score > right.score;
        }
        // An adopted reply would be newer than all stored ones, but it is better found.
        if (left.is_adopted != right.is_adopted) {
            return right.is_adopted;
        }
        return left.node != right.node ? left.node > right.node : a < b;
    }

    [[nodiscard]] bool has_answer(std::size_t node, const SaidKeys& said) const {
        const auto& children = tree_.node(node).children;
        const std::size_t count = std::min(children.size(), kSiblingsMax);
        return !said.whole.empty() &&
               std::any_of(children.end() - static_cast<std::ptrdiff_t>(count), children.end(),
                           [&](std::size_t child) { return tree_.node(child).said.matches(said); });
    }

    void add(Path path) {
        // One path to each place is enough: the best.
        const std::size_t key = path.node * 2 + (path.is_adopted ? 1 : 0);
        const auto [at, is_new] = by_node_.try_emplace(key, all_.size());
        if (is_new || path.node == kNone) {
            next_.push_back(all_.size());
            all_.push_back(path);
        } else if (all_[at->second].score < path.score) {
            all_[at->second] = path;
        }
    }

    Path step(std::size_t from, std::size_t node, std::size_t reply) const {
        const Path& before = all_[from];
        Path path;
        path.node = node;
        path.before = from;
        path.reply = reply;
        path.found = before.found + 1;
        path.score = before.score;
        path.is_adopted = before.is_adopted;
        path.is_firm = before.is_firm;
        path.is_beginning = before.is_beginning && before.skipped == 0;
        return path;
    }

    [[nodiscard]] double said_evidence(std::size_t node, const Subject& subject) const {
        return tree_.node(node).said.matches(subject.said()) ? kSaid : 0;
    }

    // The children of each path's end with the very text. Returns whether there are any.
    bool follow_text(const Subject& subject, std::size_t index) {
        bool is_known = false;
        for (const std::size_t from : present_) {
            const std::size_t parent = all_[from].node;
            if (parent == kNone) {
                continue;
            }
            for (const TextKey& key : subject.keys()) {
                const auto& same = tree_.with_text_below(parent, key);
                for (std::size_t i = 0; i < std::min(same.size(), kCandidatesMax); ++i) {
                    const std::size_t node = same[same.size() - 1 - i];
                    if (!subject.agrees_with(tree_.node(node))) {
                        continue;
                    }
                    Path path = step(from, node, index);
                    path.score += kExact + said_evidence(node, subject);
                    path.score += parent == ReplyTree::kRoot && index == 0 ? kBeginning : 0;
                    path.is_firm = true;
                    add(path);
                    is_known = true;
                }
            }
        }
        return is_known;
    }

    // Stored replies with the text that no path leads to: the head of the chat is cut off, replies
    // between were rewritten, or replies before it were deleted. Returns whether one of them has
    // the words before it, too.
    bool find_elsewhere(const Subject& subject, std::size_t index) {
        bool is_exact = false;
        for (const TextKey& key : subject.keys()) {
            for (const auto* same :
                 {&tree_.with_text(key), &tree_.with_text_after(subject.said(), key)}) {
                for (std::size_t i = 0; i < std::min(same->size(), kCandidatesMax); ++i) {
                    const std::size_t node = (*same)[same->size() - 1 - i];
                    if (subject.agrees_with(tree_.node(node))) {
                        const double said = said_evidence(node, subject);
                        begin_at(node, kExact + said, index, true);
                        is_exact = is_exact || said > 0;
                    }
                }
            }
        }
        return is_exact;
    }

    void begin_at(std::size_t node, double evidence, std::size_t index, bool is_firm,
                  double moves = kMoved) {
        Path path;
        path.node = node;
        path.reply = index;
        path.found = 1;
        path.score = evidence;
        path.is_firm = is_firm;
        path.is_beginning = false;
        add(path);
        if (!is_firm) {
            return;
        }
        // Its ancestors identify the replies in between.
        std::size_t ancestor = tree_.node(node).parent;
        for (std::size_t gap = 1; gap <= kGapMax && ancestor != ReplyTree::kRoot; ++gap) {
            ancestor = tree_.node(ancestor).parent;
            const auto from = skipping_.find(ancestor);
            if (from != skipping_.end() && all_[from->second].skipped >= gap) {
                Path through = step(from->second, node, index);
                through.score += evidence + static_cast<double>(gap) * kPlace;
                through.found += gap;
                through.is_firm = true;
                add(through);
            }
        }
        // Behind a reply that certainly belongs to the chat, it is repeated.
        const Path& best = all_[present_[0]];
        const bool is_placed = best.is_firm || (best.is_beginning && best.found > 0);
        if (is_placed && best.node != tree_.node(node).parent) {
            Path moved = step(present_[0], node, index);
            moved.score += evidence + moves;
            moved.is_adopted = true;
            moved.is_firm = true;
            add(moved);
        }
    }

    // Edited and rewritten replies, and those of which the client has only the beginning.
    void follow_edited(const Subject& subject, std::size_t index) {
        std::size_t compared = 0;
        for (const std::size_t from : present_) {
            if (compared == kComparedMax) {
                break;
            }
            const std::size_t parent = all_[from].node;
            if (parent == kNone || all_[from].skipped > 0) {
                continue;
            }
            ++compared;
            // A greeting comes from the client, which has several: another text in its place is
            // another one, with the commands that are in it.
            const bool is_greeting = parent == ReplyTree::kRoot && !subject.is_answer();
            const auto& children = tree_.node(parent).children;
            for (std::size_t i = 0; i < std::min(children.size(), kSiblingsMax); ++i) {
                const std::size_t node = children[children.size() - 1 - i];
                const double said = said_evidence(node, subject);
                const double evidence =
                    subject.evidence(tree_.node(node), said > 0 && !is_greeting);
                if (evidence > 0) {
                    Path path = step(from, node, index);
                    path.score += evidence + (evidence < kLike ? std::min(said, kSaidOnly) : said);
                    path.is_firm = path.is_firm || evidence >= kLike;
                    path.is_guessed = evidence < kLike;
                    is_edited_ = is_edited_ || !path.is_guessed;
                    add(path);
                }
            }
        }
    }

    // Behind a cut the words before an edited reply determine its place. A player who says the same
    // again and again has many replies to it, so this is for texts that are not found themselves.
    void find_by_words(const Subject& subject, std::size_t index) {
        const auto& same = tree_.with_said(subject.said());
        for (std::size_t i = 0; i < std::min(same.size(), kSiblingsMax); ++i) {
            const std::size_t node = same[same.size() - 1 - i];
            if (const double evidence = subject.evidence(tree_.node(node), true); evidence > 0) {
                const double said = said_evidence(node, subject);
                const bool is_like = evidence >= kLike;
                is_edited_ = is_edited_ || is_like;
                begin_at(node, evidence + (is_like ? said : std::min(said, kSaidOnly)), index,
                         is_like);
            }
        }
    }

    // An edited reply behind one that was deleted or replaced.
    void find_behind_missing(const Subject& subject, std::size_t index) {
        const Path best = all_[present_[0]];
        if (best.skipped > 0) {
            return;
        }
        std::size_t compared = 0;
        const auto look_below = [&](std::size_t missing) {
            for (const std::size_t node : tree_.node(missing).children | std::views::reverse) {
                if (++compared > kSiblingsMax) {
                    return;
                }
                const double evidence = subject.evidence(tree_.node(node), false);
                if (evidence >= kLike) {
                    is_edited_ = true;
                    begin_at(node, evidence + said_evidence(node, subject), index, true, kMissing);
                }
            }
        };
        if (best.replaced != kNone) {
            look_below(best.replaced);
        } else if (best.node != kNone) {
            for (const std::size_t deleted : tree_.node(best.node).children | std::views::reverse) {
                look_below(deleted);
            }
        }
    }

    // A reply in whose text other commands were written takes the place of the stored one.
    void replace(const Subject& subject, std::size_t index) {
        if (!subject.has_commands()) {
            return;
        }
        const auto replace_one = [&](std::size_t from, std::size_t node) {
            const double evidence = subject.likeness(tree_.node(node));
            if (evidence > 0 && !subject.agrees_with(tree_.node(node))) {
                adopt(from, index, evidence + said_evidence(node, subject));
                all_.back().is_firm = true;
                all_.back().replaced = node;
            }
        };
        std::size_t compared = 0;
        for (const std::size_t from : present_) {
            if (all_[from].node == kNone || all_[from].skipped > 0 || ++compared > kComparedMax) {
                continue;
            }
            const auto& children = tree_.node(all_[from].node).children;
            for (std::size_t i = 0; i < std::min(children.size(), kSiblingsMax); ++i) {
                replace_one(from, children[children.size() - 1 - i]);
            }
        }
        // Behind a cut the words before it determine its place.
        const auto& same = tree_.with_said(subject.said());
        for (std::size_t i = 0; i < std::min(same.size(), kSiblingsMax); ++i) {
            const std::size_t node = same[same.size() - 1 - i];
            Path before;
            before.node = tree_.node(node).parent;
            before.is_beginning = false;
            all_.push_back(before);
            replace_one(all_.size() - 1, node);
        }
    }

    void leave_out(std::size_t from, std::size_t index, bool has_commands) {
        if (has_commands) {
            adopt(from, index, kSkipped);
            return;
        }
        Path path = all_[from];
        ++path.skipped;
        path.score += kSkipped;
        add(path);
    }

    // Whether a reply that is not stored is kept although it changes nothing: greetings, and a
    // reply that is to be continued.
    [[nodiscard]] bool is_kept(std::size_t from, std::size_t index) const {
        const bool is_greeting =
            is_before_words_ && all_[from].is_beginning && all_[from].skipped == 0;
        const bool is_continued = history_.asks_to_continue && index + 1 == history_.replies.size();
        return is_greeting || is_continued;
    }

    void adopt(std::size_t from, std::size_t index, double evidence) {
        Path path = step(from, kNone, index);
        path.found = all_[from].found;
        path.is_adopted = true;
        path.score += evidence;
        add(path);
    }

    // The best path; the hints decide between paths that are as good.
    [[nodiscard]] std::size_t chosen() const {
        std::size_t best = present_[0];
        for (const std::size_t each : present_) {
            best = is_better(each, best) ? each : best;
        }
        double most = hint_evidence(best);
        for (const std::size_t each : present_) {
            const double hinted = hint_evidence(each);
            if (all_[each].score == all_[best].score && !all_[each].is_adopted && hinted > most) {
                best = each;
                most = hinted;
            }
        }
        return best;
    }
    [[nodiscard]] double hint_evidence(std::size_t path) const {
        const std::size_t place = all_[path].node;
        if (place == kNone || all_[path].is_adopted || place == ReplyTree::kRoot) {
            return 0;
        }
        const ReplyTree::Node& node = tree_.node(place);
        double evidence = options_.messages == node.messages ? kDepth : 0;
        if (options_.swipe) {
            // A continuation is not a swipe of its own.
            const auto number =
                std::ranges::count_if(tree_.node(node.parent).children, [&](std::size_t sibling) {
                    return sibling <= place && !tree_.node(sibling).continued;
                });
            evidence += static_cast<std::size_t>(number) == *options_.swipe ? 1 : 0;
        }
        return evidence;
    }

    const ReplyTree& tree_;
    const History& history_;
    const AlignmentOptions& options_;
    bool is_before_words_ = true;  // of the player, up to the present reply
    bool is_edited_ = false;       // the present reply is like a stored one
    std::vector<Path> all_;
    std::vector<std::size_t> present_;  // paths up to the present reply
    std::vector<std::size_t> next_;
    std::unordered_map<std::size_t, std::size_t> by_node_;   // of next_
    std::unordered_map<std::size_t, std::size_t> skipping_;  // of present_: last reply not found
};

}  // namespace

Alignment align(const ReplyTree& tree, const History& history, const AlignmentOptions& options) {
    Aligner aligner(tree, history, options);
    for (std::size_t i = 0; i < history.replies.size(); ++i) {
        aligner.take(i);
    }
    return aligner.finish();
}

}  // namespace arbiter::chat
