import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The two files of a directory's log. */
export const logPathsOf = (directory: string): readonly [string, string] => [
  join(directory, 'log.0'),
  join(directory, 'log.1'),
];

export const hasLog = (directory: string): boolean =>
  logPathsOf(directory).some((path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0);

/** Removes the log, whose content is in the tables, or belongs to tables that no longer exist. */
export function removeLog(directory: string): void {
  for (const path of logPathsOf(directory)) rmSync(path, { force: true });
}
