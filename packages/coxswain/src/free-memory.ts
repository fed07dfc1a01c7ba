/**
 * Gives memory back to the system that the process no longer needs but that still counts as its own:
 *
 * - What was freed but glibc keeps. Buffers of connections, of gzip and of TLS lie between others that live on, so
 *   the allocator cannot shrink its heaps from the end: after 5,000 watchers had gone, a third of the server's
 *   resident memory was such holes. `malloc_trim(3)` returns whole free pages.
 * - Pages of files that were read through a read-only mapping, as those of the storage engine, and pages of programs
 *   and libraries that were run, as most were at the start and never again. The system's cache keeps what they hold;
 *   `madvise(2)` takes them off this process, and what is needed comes back without a read.
 *
 * Node's FFI is the way to both. Where there is no glibc or no FFI, nothing happens.
 */

import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';

/** How often it is looked at, in milliseconds. Short commands have ended before. */
const intervalMs = 5_000;
/** What must have come since the last time before it is worth the walk over all heaps, in bytes. */
const growthBytes = 48 * 1024 * 1024;
/** The same for the first time: much of what a start has touched is never needed again. */
const startGrowthBytes = 16 * 1024 * 1024;
/** The walk holds the event loop up for some milliseconds: a busy process is left alone for this many looks. */
const busyLooksMax = 6;
/** The share of time spent in the event loop's turns above which a process counts as busy. */
const busyUtilization = 0.5;

/** Begins to look; its timer keeps no process alive. */
export function giveBackFreeMemory(): void {
  let giveBack: (() => void) | undefined;
  let keptBytes = process.memoryUsage.rss();
  let busyLooks = 0;
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    const dueBytes = giveBack === undefined ? startGrowthBytes : growthBytes;
    if (process.memoryUsage.rss() - keptBytes < dueBytes) return;
    if (utilization > busyUtilization && ++busyLooks < busyLooksMax) return;
    busyLooks = 0;
    giveBack ??= wayToGiveBack();
    giveBack();
    keptBytes = process.memoryUsage.rss();
  }, intervalMs).unref();
}

type Call = (...values: readonly bigint[]) => number;

interface ForeignFunctions {
  dlopen(name: string, functions: object): { readonly functions: Readonly<Record<string, Call>> };
}

/** What to call; loads the library, so it is asked for once. */
export function wayToGiveBack(): () => void {
  const { malloc_trim: mallocTrim, madvise } = libraryCalls();
  return () => {
    mallocTrim?.(0n);
    if (madvise === undefined) return;
    const maps = readFileSync('/proc/self/maps', 'latin1');
    for (const [address, bytes] of droppableMappings(maps)) {
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
export function* droppableMappings(maps: string): Iterable<readonly [address: bigint, bytes: bigint]> {
  for (const line of maps.split('\n')) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) (?:r--s|r-xp) .* \//.exec(line) ?? [];
    if (from !== undefined) yield [BigInt(`0x${from}`), BigInt(`0x${to}`) - BigInt(`0x${from}`)];
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
