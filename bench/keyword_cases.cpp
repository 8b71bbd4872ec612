// Keywords in a window of text: a file has the keywords, one a line, an empty line, and the text.
#include "text/keywords.h"

#include "base/check.h"
#include "bench/cases.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::bench {
namespace {

struct Scene {
    std::vector<std::string_view> list;
    text::Keywords keywords;
    std::string_view window;
};

Scene scene_of(const Document& document) {
    std::string_view rest = document.text;
    Scene scene;
    while (!rest.starts_with('\n')) {
        const std::size_t end = rest.find('\n');
        CHECK(end != std::string_view::npos);
        scene.keywords.add(rest.substr(0, end), scene.list.size());
        scene.list.push_back(rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
    scene.window = rest.substr(1);
    return scene;
}

std::string found_in(const Scene& scene) {
    std::vector<value::Value> found;
    for (const text::Keywords::Id id : scene.keywords.find(scene.window)) {
        found.emplace_back(static_cast<std::int64_t>(id));
    }
    return value::print_json(value::Array(found));
}

Answer measure_find(const Request& request) {
    const Scene scene = scene_of(*request.document);
    return {measure(request.target_ms, [&] { keep(scene.keywords.find(scene.window)); })};
}
std::string check_find(const Request& request) {
    return found_in(scene_of(*request.document));
}

// The set is never the one that was searched before.
void change(Scene& scene, std::size_t number) {
    const std::size_t id = number % scene.list.size();
    CHECK(scene.keywords.remove(scene.list[id], id));
    CHECK(scene.keywords.add(scene.list[id], id));
}
Answer measure_change(const Request& request) {
    Scene scene = scene_of(*request.document);
    std::size_t number = 0;
    return {measure(request.target_ms, [&] {
        change(scene, ++number);
        keep(scene.keywords.find(scene.window));
    })};
}
std::string check_change(const Request& request) {
    Scene scene = scene_of(*request.document);
    for (std::size_t i = 0; i < 3 * scene.list.size(); ++i) {
        change(scene, i);
    }
    return found_in(scene);
}

constexpr Case kCases[] = {
    {"keywords", measure_find, check_find},
    {"keywords_change", measure_change, check_change},
};

}  // namespace

std::span<const Case> keyword_cases() {
    return kCases;
}

}  // namespace arbiter::bench
