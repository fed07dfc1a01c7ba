/** What a server needs, over time, and whether it goes on needing more. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export interface Sample {
  readonly minute: number;
  readonly residentMiB: number;
  /** Without the pages of files. */
  readonly ownMiB: number;
  /** What the data directory takes on the disk. */
  readonly filesMiB: number;
  /** Of all its threads, since it was started. */
  readonly cpuSeconds: number;
}

const mebibyte = 1024 * 1024;
/** Of the unit in which a file system counts blocks. */
const blockBytes = 512;
/** Linux tells of processor time in hundredths of a second, whatever its own clock is. */
const ticksPerSecond = 100;

export function sampled(
  { processId, directory }: { readonly processId: number; readonly directory: string },
  minute: number,
): Sample {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024;
  const files = readdirSync(directory).map((name) => statSync(join(directory, name)).blocks * blockBytes);
  return {
    minute,
    residentMiB: field('VmRSS'),
    ownMiB: field('RssAnon'),
    filesMiB: files.reduce((sum, bytes) => sum + bytes, 0) / mebibyte,
    cpuSeconds: cpuSecondsOf(processId),
  };
}

function cpuSecondsOf(processId: number): number {
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
  // The program's name stands in brackets and may hold anything; user and system time are the 12th and 13th behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** How much of a processor it took on average between each two samples, in percent. */
export const cpuPercents = (
  samples: readonly Sample[],
): readonly (readonly [at: number, percent: number])[] =>
  samples.slice(1).map((sample, index) => {
    const before = samples[index]!;
    const seconds = (sample.minute - before.minute) * 60;
    return [sample.minute, (100 * (sample.cpuSeconds - before.cpuSeconds)) / seconds];
  });

export interface Growth {
  readonly median: number;
  /** A step that was taken once, under more load, is none: what leaks goes on in the second half. */
  readonly isGoingOn: boolean;
  /** From the first to the last point, along the median of all slopes between two points (Theil and Sen). */
  readonly grownBy: number;
  readonly allowed: number;
}

/** What a collector and an allocator may keep more or less without anything having leaked; in the unit of the points. */
const allowedShare = 0.1;
const allowedAnyway = 16;

/** A few collections that came late change the median of the slopes by nothing. */
export function growthOf(points: readonly (readonly [at: number, value: number])[]): Growth {
  const median = medianOf(points.map(([, value]) => value));
  const allowed = allowedAnyway + median * allowedShare;
  const grownBy = grownAlong(points);
  const later = grownAlong(points.slice(Math.floor(points.length / 2)));
  return { median, grownBy, allowed, isGoingOn: grownBy > allowed && later > allowed / 2 };
}

function grownAlong(points: readonly (readonly [at: number, value: number])[]): number {
  const slopes = points.flatMap(([at, value], i) =>
    points.slice(i + 1).flatMap(([later, other]) => (later === at ? [] : [(other - value) / (later - at)])),
  );
  const length = points.length === 0 ? 0 : points.at(-1)![0] - points[0]![0];
  return medianOf(slopes) * length;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
