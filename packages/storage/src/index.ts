/**
 * Everything that runs anywhere. Stores that require Node are imported by their files:
 * `@coxswain/storage/engine/lmdb/lmdb-storage.ts` and `@coxswain/storage/etcd/etcd-storage.ts`.
 */
export * from './storage.ts';
export type * from './engine/engine.ts';
export type * from './engine/table.ts';
export { EngineStorage } from './engine/engine-storage.ts';
export { MemoryEngine, MemorySnapshot, MemoryStorage } from './engine/memory/memory-storage.ts';
export { Cacher } from './cacher/cacher.ts';
export type {
  CacheList,
  CacheListOptions,
  CacherOptions,
  CacheWatchOptions,
  Freshness,
  Match,
} from './cacher/cacher.ts';
export { CachedObject } from './cacher/cached-object.ts';
export type { Fields, Labels, ObjectCodec } from './cacher/object-codec.ts';
export { ObjectEvent } from './cacher/watch-event.ts';
export type { Bookmark, WatchEvent } from './cacher/watch-event.ts';
export { Watcher } from './cacher/watcher.ts';
export type { WatchEnd } from './cacher/watcher.ts';
export type { FieldScope, LabelScope } from './cacher/narrowing.ts';
