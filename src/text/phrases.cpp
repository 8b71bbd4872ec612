#include "text/phrases.h"

#include <utility>

#include "text/ascii.h"

namespace arbiter::text {
namespace {

bool is_word(char byte) noexcept {
    return is_letter(byte) || is_digit(byte);
}

// Whether the word before `size` continues behind it.
bool is_cut(std::string_view text, std::size_t size) noexcept {
    return size < text.size() && is_word(text[size - 1]) && is_word(text[size]);
}

std::uint64_t key_of(std::uint32_t node, std::uint32_t character) noexcept {
    return ((static_cast<std::uint64_t>(node) + 1) << 32U) | character;
}

}  // namespace

std::size_t Phrases::place_of(std::uint64_t key) const noexcept {
    const std::size_t mask = edges_.size() - 1;
    const Edge* edges = edges_.data();
    std::size_t place = ((key * 0x9E3779B97F4A7C15U) >> 32U) & mask;
    while (edges[place].key != key && edges[place].key != 0) {
        place = (place + 1) & mask;
    }
    return place;
}

std::uint32_t Phrases::add_edge(std::uint32_t from, std::uint32_t character) {
    if ((used_ + 1) * 2 > edges_.size()) {
        std::vector<Edge> before = std::exchange(edges_, std::vector<Edge>(edges_.size() * 2));
        for (const Edge& edge : before) {
            if (edge.key != 0) {
                edges_[place_of(edge.key)] = edge;
            }
        }
    }
    const auto to = static_cast<std::uint32_t>(nodes_.size());
    const std::uint64_t key = key_of(from, character);
    edges_[place_of(key)] = {key, to};
    ++used_;
    nodes_[from].has_edges = true;
    nodes_.emplace_back();
    return to;
}

std::uint32_t Phrases::add_text(std::string_view phrase) {
    texts_.emplace_back(phrase);
    return static_cast<std::uint32_t>(texts_.size() - 1);
}

// Moves the only phrase of a node at `depth` to the node behind its next character.
void Phrases::push_down(std::uint32_t node, std::size_t depth) {
    const std::uint32_t id = std::exchange(nodes_[node].only, kNone);
    const Character next = first_of(std::string_view(texts_[id]).substr(depth));
    Node& below = nodes_[add_edge(node, next.bytes)];
    (texts_[id].size() == depth + next.size ? below.whole : below.only) = id;
}

std::uint32_t Phrases::add(std::string_view phrase) {
    if (!phrase.empty()) {
        const std::uint32_t bit = begin_bit(first_of(phrase).bytes);
        begins_[bit / 64] |= std::uint64_t{1} << (bit % 64);
    }
    std::uint32_t node = 0;
    for (std::size_t depth = 0; depth < phrase.size();) {
        if (const std::uint32_t only = nodes_[node].only; only != kNone) {
            if (texts_[only] == phrase) {
                return only;
            }
            push_down(node, depth);
        } else if (!nodes_[node].has_edges) {
            return nodes_[node].only = add_text(phrase);
        }
        const Character next = first_of(phrase.substr(depth));
        const Edge& edge = edges_[place_of(key_of(node, next.bytes))];
        node = edge.key != 0 ? edge.to : add_edge(node, next.bytes);
        depth += next.size;
    }
    if (nodes_[node].whole == kNone) {
        nodes_[node].whole = add_text(phrase);
    }
    return nodes_[node].whole;
}

std::optional<Phrases::Match> Phrases::search(std::string_view text, std::size_t at) const {
    const std::string_view rest = text.substr(at);
    if (at > 0 && is_word(text[at - 1]) && is_word(rest[0])) {
        return std::nullopt;
    }
    Character next = first_of(rest);
    std::optional<Match> longest;
    std::uint32_t node = 0;
    for (std::size_t depth = 0;;) {
        const Node& here = nodes_[node];
        if (here.whole != kNone && depth > 0 && !is_cut(rest, depth)) {
            longest = Match{here.whole, depth};
        }
        if (here.only != kNone) {
            const std::string_view phrase = texts_[here.only];
            if (rest.substr(depth).starts_with(phrase.substr(depth)) &&
                !is_cut(rest, phrase.size())) {
                longest = Match{here.only, phrase.size()};
            }
            return longest;
        }
        if (depth == rest.size() || !here.has_edges) {
            return longest;
        }
        next = depth > 0 ? first_of(rest.substr(depth)) : next;
        const Edge& edge = edges_.data()[place_of(key_of(node, next.bytes))];
        if (edge.key == 0) {
            return longest;
        }
        node = edge.to;
        depth += next.size;
    }
}

}  // namespace arbiter::text
