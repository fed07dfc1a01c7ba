/**
 * Returns memory to the system that the process no longer needs but that still counts as its own:
 *
 * - Memory that was freed but is retained by glibc. Buffers of connections, of gzip and of TLS lie between others that
 *   live on, so the allocator cannot shrink its heaps from the end: after 5,000 watchers had left, a third of the
 *   server's resident memory was such holes. `malloc_trim(3)` returns whole free pages.
 * - Pages of files read through a read-only mapping, as by the storage engine, and pages of programs and libraries,
 *   most of which ran only during the start. The page cache keeps their contents; `madvise(2)` removes them from this
 *   process, and those needed again return without a read.
 * - Unreachable objects, which the engine collects only when as much again has been allocated: most of the memory of a
 *   closed connection lies outside the engine's heap, where it counts for little. After 3,000 watchers had left, a
 *   collection reduced 890 MB to 430 MB.
 *
 * If the heap is large, collections are less frequent, see {@link countWithHeap}.
 *
 * `memory-release-pacer.ts` decides when to act. The allocator is called through Node's FFI. Without glibc or FFI,
 * nothing happens.
 */

import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MemoryReleasePacer, isQuiet } from './memory-release-pacer.ts';

/** The interval of checks in milliseconds; the first one comes after the start. */
const intervalMs = 1_000;
const startMs = 5_000;
/** A full collection of a heap of this size takes about half a second. */
const largeHeapBytes = 512 * 1024 * 1024;

/** Starts the checks with a timer that doesn't keep the process alive. Short commands end before the first one. */
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
    // Memory outside the heap is released at the end of the turn.
    setImmediate(() => {
      giveBack ??= wayToGiveBack();
      const tookMs = collectMs + timed(() => giveBack!({ programs: isQuiet(utilization) }));
      pace.done(next, { residentBytes: process.memoryUsage.rss(), tookMs, nowMs: performance.now() });
    });
  }, intervalMs).unref();
}

/**
 * Makes the engine schedule full collections by the sum of its heap and external memory. Otherwise every 64 MB of
 * external memory triggers one, however large the heap is: with 150,000 pods, a few thousand more cause millions of
 * objects to be marked. Set only after the start, since Node's built-in bytecode is rejected under other flags.
 */
const countWithHeap = (): void => setFlagsFromString(countingFlag);

export const countingFlag = '--external-memory-accounted-in-global-limit';

function timed(run: () => void): number {
  const startMs = performance.now();
  run();
  return performance.now() - startMs;
}

/** Returns the engine's garbage collector, which is exposed only under a flag; here it is set for a single context. */
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

/** Returns the function that releases memory; loads the library, so it should be called only once. */
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

/**
 * MADV_DONTNEED: for a shared mapping of a file, drops this process's view of the pages without changing their
 * contents.
 */
const adviceDontNeed = 4n;

/**
 * Finds, in the lines of proc_pid_maps(5), file mappings that are shared and read-only, or executable. Private
 * executable pages were never written, so a dropped page can be read from the file again.
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
  // Suppresses the warning that the FFI is experimental, which does not help operators of a server.
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
