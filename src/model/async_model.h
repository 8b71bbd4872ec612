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

// Runs work, one piece after another in the order of the calls. Thread-safe.
class Executor {
  public:
    using Work = std::function<void()>;

    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    virtual void post(Work work) = 0;
    // Runs the work before it returns if nothing else of the executor runs or waits; else false.
    // For short work that never waits: saves the way to another thread.
    virtual bool try_now(const Work& /*work*/) { return false; }
};

// An executor that several hold. A function may be one.
class Post {
  public:
    using Work = Executor::Work;

    Post() = default;
    template <std::derived_from<Executor> T>
    Post(std::shared_ptr<T> executor)  // NOLINT: an executor is one
        : executor_(std::move(executor)) {}
    template <typename Callable>
        requires std::invocable<Callable&, Work>
    Post(Callable queue)  // NOLINT: a function is an executor
        : executor_(std::make_shared<Queue<Callable>>(std::move(queue))) {}

    void operator()(Work work) const { executor_->post(std::move(work)); }
    [[nodiscard]] bool try_now(const Work& work) const { return executor_->try_now(work); }

  private:
    template <typename Callable>
    class Queue final : public Executor {
      public:
        explicit Queue(Callable queue) : queue_(std::move(queue)) {}
        void post(Work work) override { queue_(std::move(work)); }

      private:
        Callable queue_;
    };

    std::shared_ptr<Executor> executor_;
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
