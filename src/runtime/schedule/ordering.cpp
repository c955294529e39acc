#include "runtime/schedule/ordering.h"

namespace deadheat::runtime::schedule {

void Ordering::execute(const Task &task, abi::Order &order) {
  for (U32 side = 0; side != 2; ++side)
    if (task.next.side & (2 >> side)) judge(news_[side], task, order); // the opposite side's news
  for (U32 side = 0; side != 2; ++side) {
    if (!(task.next.side & (1 << side))) continue;
    News &news = news_[side];
    ++news.number;
    news.task = task.number;
    news.operation = task.next;
    news.heardBy[task.number - 1] = news.number;
  }
}

void Ordering::judge(const News &news, const Task &task, abi::Order &order) const {
  const bool meets = news.number != 0 && news.task != task.number && overlap(news.operation, task.next) &&
                     (news.operation.isWrite || task.next.isWrite);
  if (!meets) return;
  ++order.met;
  if (news.heardBy[task.number - 1] != news.number) return;
  const Link &link = news.links[task.number - 1];
  if (order.ordered++ == 0)
    order = {order.met, order.ordered, news.task, task.number, link.action, {}, link.object, link.place};
}

// With an object that nobody published at, or too many objects, nothing is heard: orders are missed, none is made up.
Ordering::Object *Ordering::objectAt(U64 address, bool add) {
  const U64 start = address * 0x9e3779b97f4a7c15 >> 52;
  for (U32 probe = 0; probe != 16; ++probe) {
    Object &object = objects_[(start + probe) % kObjects];
    if (object.address == address) return &object;
    if (object.address != 0) continue;
    if (!add) return nullptr;
    object.address = address;
    return &object;
  }
  return nullptr;
}

void Ordering::publish(const Task &task, U64 address) {
  if (news_[0].number == 0 && news_[1].number == 0) return;
  Object *object = objectAt(address, true);
  for (U32 side = 0; object && side != 2; ++side)
    if (const U32 heard = news_[side].heardBy[task.number - 1]; heard > object->numbers[side])
      object->numbers[side] = heard;
}

bool Ordering::hears(News &news, U32 number, const Task &task, const Link &link) {
  if (number <= news.heardBy[task.number - 1]) return false;
  news.heardBy[task.number - 1] = number;
  news.links[task.number - 1] = link;
  return true;
}

void Ordering::observe(const Task &task, U64 address, Action action, U64 place) {
  if (news_[0].number == 0 && news_[1].number == 0) return;
  const Object *object = objectAt(address, false);
  for (U32 side = 0; object && side != 2; ++side)
    hears(news_[side], object->numbers[side], task, {address, place, action});
}

void Ordering::pass(const Task &from, const Task &to, Action action, U64 place) {
  for (News &news : news_) hears(news, news.heardBy[from.number - 1], to, {0, place, action});
}

} // namespace deadheat::runtime::schedule
