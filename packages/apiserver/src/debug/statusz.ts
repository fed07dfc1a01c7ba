/** `/statusz`: the server's start time and versions. */
import type { Clock } from '@coxswain/apimachinery';
import { formatTime } from '@coxswain/apimachinery/time.ts';
import type { ZPage } from './z-page.ts';

export interface StatuszParts {
  readonly clock: Clock;
  readonly startedAtMs: number;
  /** What upstream reports as the version of Go. */
  readonly runtimeVersion: string;
  readonly binaryVersion: string;
  readonly emulationVersion: string;
  readonly listedPaths: () => readonly string[];
}

export const statusz = (parts: StatuszParts): ZPage => ({
  kind: 'Statusz',
  text() {
    const { startTime, uptimeSeconds, goVersion, binaryVersion, emulationVersion, paths } = stateOf(parts);
    return [
      '',
      `Started: ${unixDate(startTime)}`,
      `Up: ${uptimeText(uptimeSeconds)}`,
      `Go version: ${goVersion}`,
      `Binary version: ${binaryVersion}`,
      `Emulation version: ${emulationVersion}`,
      `Paths: ${paths.join(' ')}`,
      '',
    ].join('\n');
  },
  members: () => stateOf(parts),
});

const stateOf = ({ clock, startedAtMs, ...parts }: StatuszParts) => ({
  startTime: formatTime(startedAtMs),
  uptimeSeconds: Math.max(0, Math.floor((clock.now() - startedAtMs) / 1000)),
  goVersion: parts.runtimeVersion,
  binaryVersion: parts.binaryVersion,
  emulationVersion: parts.emulationVersion,
  paths: directoriesOf(parts.listedPaths()),
});

/** Paths of the API, which are not debugging endpoints. */
const apiDirectories: ReadonlySet<string> = new Set(['/apis', '/api', '/openid', '/openapi', '/.well-known']);

function directoriesOf(paths: readonly string[]): readonly string[] {
  const directories = new Set(paths.map((path) => `/${path.split('/')[1] ?? ''}`));
  return [...directories].filter((directory) => directory !== '/' && !apiDirectories.has(directory)).sort();
}

/** `Sat Nov 21 00:00:19 UTC 2026`; the day of the month takes two places. */
function unixDate(time: string): string {
  const [weekday = '', day = '', month = '', year = '', clockTime = ''] = new Date(time)
    .toUTCString()
    .split(' ');
  return `${weekday.slice(0, 3)} ${month} ${String(Number(day)).padStart(2)} ${clockTime} UTC ${year}`;
}

function uptimeText(seconds: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`;
}
