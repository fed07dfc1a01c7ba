/**
 * Gives memory back to the system that the process no longer needs but that still counts as its own:
 *
 * - What was freed but glibc keeps. Buffers of connections, of gzip and of TLS lie between others that live on, so
 *   the allocator cannot shrink its heaps from the end: after 5,000 watchers had gone, a third of the server's
 *   resident memory was such holes. `malloc_trim(3)` returns whole free pages.
 * - Pages of files that were read through a read-only mapping, as those of the storage engine, and pages of programs
 *   and libraries that were run, as most were at the start and never again. The system's cache keeps what they hold;
 *   `madvise(2)` takes them off this process, and what is needed comes back without a read.
 * - What nobody can reach any more, which the engine collects only when as much again has been allocated: of a
 *   connection that has ended the larger part lies outside of the engine's heap, where it counts for little. After
 *   3,000 watchers had gone, a collection made 890 MB to 430.
 *
 * Where the heap is large, collections come less often, see {@link countWithHeap}.
 *
 * `memory-release-pacer.ts` decides when. Node's FFI is the way to the allocator. Where there is no glibc or no FFI, nothing
 * happens.
 */

import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemoryReleasePacer, isQuiet } from './memory-release-pacer.ts';

/** How often it is looked at, in milliseconds; first when a start is over. */
const intervalMs = 1_000;
const startMs = 5_000;
/** A full collection of a heap of this size takes about half a second. */
const largeHeapBytes = 512 * 1024 * 1024;

/** Begins to look; its timer keeps no process alive. Short commands have ended before. */
export function giveBackFreeMemory(): void {
  const residentBytes = process.memoryUsage.rss();
  setTimeout(() => look(new MemoryReleasePacer(residentBytes)), startMs).unref();
}

function look(pace: MemoryReleasePacer): void {
  let countsWithHeap = false;
  let giveBack: ReturnType<typeof wayToGiveBack> | undefined;
  let collect: (() => void) | undefined;
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const isHeapLarge = getHeapStatistics().used_heap_size > largeHeapBytes;
    if (isHeapLarge && !countsWithHeap) countWithHeap();
    countsWithHeap ||= isHeapLarge;
    const residentBytes = process.memoryUsage.rss();
    const next = pace.next({ residentBytes, utilization, nowMs: performance.now(), isHeapLarge });
    if (next === 'nothing') return;
    const collectMs = next === 'trim' ? 0 : timed((collect ??= wayToCollect()));
    // What is outside of the heap goes when the turn is over.
    setImmediate(() => {
      giveBack ??= wayToGiveBack();
      const tookMs = collectMs + timed(() => giveBack!({ programs: isQuiet(utilization) }));
      pace.done(next, { residentBytes: process.memoryUsage.rss(), tookMs, nowMs: performance.now() });
    });
  }, intervalMs).unref();
}

/**
 * Has the engine decide by the sum of its heap and of what lies outside when it collects everything. Otherwise it does so
 * whenever 64 MB have come outside of the heap, however large that is: with 150,000 pods, 64 MB are a few thousand more,
 * for which millions of objects are marked. Not from the start on, since Node's own bytecode is of no use under other flags.
 */
const countWithHeap = (): void => setFlagsFromString(countingFlag);

export const countingFlag = '--external-memory-accounted-in-global-limit';

function timed(run: () => void): number {
  const startMs = performance.now();
  run();
  return performance.now() - startMs;
}

/** The engine's collector: known by name only where a flag asks for it, which does so here for one context. */
export function wayToCollect(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  return collect;
}

type Call = (...values: readonly bigint[]) => number;

interface ForeignFunctions {
  dlopen(name: string, functions: object): { readonly functions: Readonly<Record<string, Call>> };
}

/** What to call; loads the library, so it is asked for once. */
export function wayToGiveBack(): (options: { readonly programs: boolean }) => void {
  const { malloc_trim: mallocTrim, madvise } = libraryCalls();
  return (options) => {
    mallocTrim?.(0n);
    if (madvise === undefined) return;
    const maps = readFileSync('/proc/self/maps', 'latin1');
    for (const [address, bytes] of droppableMappings(maps, options)) {
      madvise(address, bytes, adviceDontNeed);
    }
  };
}

/** MADV_DONTNEED: for a shared mapping of a file it drops this process's view of the pages, never what is in them. */
const adviceDontNeed = 4n;

/**
 * Of the lines of proc_pid_maps(5): files that are mapped shared and only to be read, or to be run. What is private and
 * can be run was never written: a page of it that is dropped is in the file.
 */
export function* droppableMappings(
  maps: string,
  { programs }: { readonly programs: boolean },
): Iterable<readonly [address: bigint, bytes: bigint]> {
  for (const line of maps.split('\n')) {
    const [, from, to, rights] = /^([0-9a-f]+)-([0-9a-f]+) (r--s|r-xp) .* \//.exec(line) ?? [];
    if (from !== undefined && (programs || rights === 'r--s'))
      yield [BigInt(`0x${from}`), BigInt(`0x${to}`) - BigInt(`0x${from}`)];
  }
}

function libraryCalls(): Readonly<Record<string, Call>> {
  if (process.platform !== 'linux') return {};
  const { emitWarning } = process;
  // That the FFI is experimental is no news for whoever runs a server.
  process.emitWarning = () => {};
  try {
    const ffi = process.getBuiltinModule('node:ffi') as unknown as ForeignFunctions | undefined;
    return ffi?.dlopen('libc.so.6', libraryFunctions).functions ?? {};
  } catch {
    return {};
  } finally {
    process.emitWarning = emitWarning;
  }
}

const libraryFunctions = {
  malloc_trim: { arguments: ['u64'], return: 'i32' },
  madvise: { arguments: ['u64', 'u64', 'u64'], return: 'i32' },
};
