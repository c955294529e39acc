#include "trace/merge.h"

#include <algorithm>

namespace deadheat::trace {

MergeGaps &MergeGaps::operator+=(const MergeGaps &other) {
  damagedWords += other.damagedWords;
  lostEvents += other.lostEvents;
  missingStamps += other.missingStamps;
  missingThreads += other.missingThreads;
  missingPieces += other.missingPieces;
  return *this;
}

Merger::Stream &Merger::streamOf(ThreadNumber thread) {
  std::unique_ptr<Stream> &stream = streams_[thread];
  if (!stream) stream = std::make_unique<Stream>(thread);
  return *stream;
}

void Merger::wake(Stream &stream) {
  stream.blocked = false;
  if (stream.queued) return;
  stream.queued = true;
  ready_.push_back(&stream);
}

void Merger::add(ThreadNumber thread, std::span<const uint64_t> words) {
  Stream &stream = streamOf(thread);
  // The callers of a held-back Stack event would move with the words: it is never held back, so none is there.
  stream.decoder.add(words);
  mostPending_ += words.size();
  if (!stream.blocked) wake(stream);
}

void Merger::end(ThreadNumber thread) {
  Stream &stream = streamOf(thread);
  stream.ended = true;
  if (!stream.blocked) wake(stream);
}

static uint32_t counterOf(const Event &event) {
  bool isBlock = event.kind == Kind::Allocate || event.kind == Kind::Free;
  return abi::stampCounter(isBlock ? abi::stampedHeap(event.address) : event.address);
}

bool Merger::holdBackStamp(Stream &stream) {
  const Event &event = stream.front;
  uint32_t counter = counterOf(event);
  if (event.stamp <= nextStamp_[counter]) return false;
  // Two events that claim one stamp are damage; the second goes ahead.
  return atStamp_.try_emplace({counter, event.stamp}, &stream).second;
}

bool Merger::holdBackThread(Stream &stream) {
  const Event &event = stream.front;
  auto number = static_cast<uint32_t>(event.number);
  if (event.kind == Kind::Begin && event.place != 0 && !spawned_.contains(number))
    return atSpawn_.try_emplace(number, &stream).second;
  if (event.kind != Kind::Join || ended_.contains(number)) return false;
  atEnd_[number].push_back(&stream);
  return true;
}

// Its earlier access was made after that piece began, so the thread that tells it waits for nothing that comes later.
bool Merger::holdBackPair(Stream &stream) {
  uint64_t piece = stream.front.number;
  if (auto row = pieces_.find(piece / kPiecesPerRow); row != pieces_.end() && row->second[piece % kPiecesPerRow])
    return false;
  atPiece_.emplace(piece, &stream);
  return true;
}

bool Merger::holdBack(Stream &stream) {
  if (stream.front.kind == Kind::Pair) return holdBackPair(stream);
  return isStamped(stream.front.kind) ? holdBackStamp(stream) : holdBackThread(stream);
}

void Merger::passPiece(uint64_t piece) {
  pieces_[piece / kPiecesPerRow].set(piece % kPiecesPerRow);
  if (atPiece_.empty()) return;
  auto [first, last] = atPiece_.equal_range(piece);
  for (auto waiting = first; waiting != last; ++waiting) wake(*waiting->second);
  atPiece_.erase(first, last);
}

void Merger::passThread(const Event &event) {
  auto number = static_cast<uint32_t>(event.number);
  if (event.kind == Kind::Spawn) {
    spawned_.insert(number);
    auto waiting = atSpawn_.find(number);
    if (waiting == atSpawn_.end()) return;
    wake(*waiting->second);
    atSpawn_.erase(waiting);
  } else if (event.kind == Kind::End) {
    ended_.insert(number);
    auto waiting = atEnd_.find(number);
    if (waiting == atEnd_.end()) return;
    for (Stream *stream : waiting->second) wake(*stream);
    atEnd_.erase(waiting);
  }
}

void Merger::pass(Stream &stream, Take take) {
  const Event &event = stream.front;
  stream.hasFront = false;
  take(event);
  if (event.kind == Kind::Gap) gaps_.lostEvents += event.number;
  if (event.kind == Kind::Piece) passPiece(event.number);
  if (!isStamped(event.kind)) return passThread(event);
  uint32_t counter = counterOf(event);
  if (event.stamp < nextStamp_[counter]) return; // damage: it came too late to be in order
  nextStamp_[counter] = event.stamp + 1;
  auto waiting = atStamp_.find({counter, event.stamp + 1});
  if (waiting == atStamp_.end()) return;
  wake(*waiting->second);
  atStamp_.erase(waiting);
}

void Merger::advance(Stream &stream, Take take) {
  while (stream.hasFront || (stream.hasFront = stream.decoder.next(stream.front))) {
    stream.blocked = holdBack(stream);
    if (stream.blocked) return;
    pass(stream, take);
  }
  if (!stream.ended) return;
  stream.decoder.finish();
  // A thread that was killed, or whose End was lost, has ended all the same.
  ThreadNumber thread = stream.decoder.thread();
  if (!ended_.contains(thread.value())) {
    Event end;
    end.thread = thread;
    end.kind = Kind::End;
    end.number = end.thread.value();
    take(end);
    passThread(end);
  }
}

void Merger::drain(Take take) {
  do {
    while (!ready_.empty()) {
      Stream &stream = *ready_.front();
      ready_.pop_front();
      stream.queued = false;
      advance(stream, take);
    }
  } while (isOverfull() && giveUpOne(take));
}

void Merger::finish(Take take) {
  for (auto &[number, stream] : streams_) end(number);
  do drain(take);
  while (giveUpOne(take));
}

void Merger::tellGap(const Stream &stream, uint64_t lost, Take take) {
  Event gap;
  gap.thread = stream.decoder.thread();
  gap.kind = Kind::Gap;
  gap.number = lost;
  take(gap);
}

// The counter that lacks least, so that one lost stamp costs one stamp.
void Merger::giveUpStamp(Take take) {
  auto lacks = [&](const auto &waiting) { return waiting.first.second - nextStamp_[waiting.first.first]; };
  auto least = std::ranges::min_element(atStamp_, {}, lacks);
  uint64_t lost = lacks(*least);
  gaps_.missingStamps += lost;
  nextStamp_[least->first.first] = least->first.second;
  tellGap(*least->second, lost, take);
  wake(*least->second);
  atStamp_.erase(least);
}

// False: nothing is held back.
bool Merger::giveUpOne(Take take) {
  if (!atStamp_.empty()) {
    giveUpStamp(take);
    return true;
  }
  if (!atPiece_.empty()) {
    ++gaps_.missingPieces;
    passPiece(atPiece_.begin()->first);
    return true;
  }
  uint32_t number = 0;
  Kind missing = Kind::Spawn;
  if (!atSpawn_.empty()) {
    number = atSpawn_.begin()->first;
    tellGap(*atSpawn_.begin()->second, 1, take);
  } else if (!atEnd_.empty()) {
    number = atEnd_.begin()->first;
    missing = Kind::End;
    tellGap(*atEnd_.begin()->second.front(), 1, take);
  } else {
    return false;
  }
  ++gaps_.missingThreads;
  Event event;
  event.kind = missing;
  event.number = number;
  passThread(event);
  return true;
}

size_t Merger::pendingWords() const {
  size_t words = 0;
  for (const auto &[number, stream] : streams_) words += stream->decoder.pendingWords();
  return words;
}

// Counted only when it may be so: a program may have had any number of threads.
bool Merger::isOverfull() {
  if (mostPending_ > maxPending_) mostPending_ = pendingWords();
  return mostPending_ > maxPending_;
}

bool Merger::Stream::isDone() const { return ended && !hasFront && decoder.empty(); }

// Looks first at the one that had not ended the last time.
bool Merger::allEnded() {
  if (open_ && !open_->isDone()) return false;
  auto found = std::ranges::find_if(streams_, [](const auto &row) { return !row.second->isDone(); });
  open_ = found == streams_.end() ? nullptr : found->second.get();
  return !open_;
}

MergeGaps Merger::gaps() const {
  MergeGaps all = gaps_;
  for (const auto &[number, stream] : streams_) all.damagedWords += stream->decoder.damagedWords();
  return all;
}

} // namespace deadheat::trace
