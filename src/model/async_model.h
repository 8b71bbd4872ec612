// AsyncModel: a language model that answers without blocking a thread.
//
//   answer = model.ask(request, {on_piece, on_done}, post);
//
// A failure is an Error (kModel…), like that of Model::answer().
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <utility>

#include "model/model.h"

namespace arbiter::model {

// Runs work on an executor, one piece after another in the order of the calls. Thread-safe.
class Post {
  public:
    using Work = std::function<void()>;
    using Queue = std::function<void(Work work)>;
    // Runs the work before it returns if nothing else of the executor runs or waits; else false.
    using TryNow = std::function<bool(const Work& work)>;

    Post() = default;
    template <typename Callable>
        requires std::constructible_from<Queue, Callable> &&
                 (!std::same_as<std::remove_cvref_t<Callable>, Post>)
    Post(Callable queue) : queue_(std::move(queue)) {}  // NOLINT: a function is an executor
    Post(Queue queue, TryNow try_now) : queue_(std::move(queue)), try_now_(std::move(try_now)) {}

    void operator()(Work work) const { queue_(std::move(work)); }
    // For short work that never waits: saves the way to another thread.
    [[nodiscard]] bool try_now(const Work& work) const { return try_now_ && try_now_(work); }

  private:
    Queue queue_;
    TryNow try_now_;
};

// Both are called through the executor of the request.
struct AnswerCallbacks {
    std::function<void(const Piece& piece)> on_piece;
    std::function<void(base::Result<Reply> reply)> on_done;  // once; no piece follows
};

// An answer that is being given. Destroying it on the executor cancels it: no callback follows. A
// callback may destroy it.
class PendingAnswer {
  public:
    PendingAnswer() = default;
    PendingAnswer(const PendingAnswer&) = delete;
    PendingAnswer& operator=(const PendingAnswer&) = delete;
    virtual ~PendingAnswer() = default;
};

// Thread-safe.
class AsyncModel {
  public:
    AsyncModel() = default;
    AsyncModel(const AsyncModel&) = delete;
    AsyncModel& operator=(const AsyncModel&) = delete;
    virtual ~AsyncModel() = default;

    // Must not call back before it returns.
    [[nodiscard]] virtual std::unique_ptr<PendingAnswer> ask(Request request,
                                                             AnswerCallbacks callbacks,
                                                             Post post) = 0;
    // As Model::takes_tools().
    [[nodiscard]] virtual bool takes_tools() const { return false; }
};

// A model that does not wait, such as a script, behind the asynchronous interface. One answer is
// made at a time.
std::unique_ptr<AsyncModel> make_async(std::unique_ptr<Model> model);

}  // namespace arbiter::model
