/** What `-k DIR` of other commands reads: the built resources, sorted by kind. */
import type { CommandContext } from '../context.ts';
import { buildKustomization } from './build.ts';
import { diskFiles } from './loading/disk.ts';

export function kustomizedManifests(context: CommandContext, directory: string): string {
  const map = buildKustomization(diskFiles(context.io.workingDirectory), directory, {
    reorder: 'legacy',
    warn: (line) => context.printError(`${line}\n`),
    log: (line) => context.printError(`${logTime(context)} ${line}\n`),
  });
  return map.toYaml();
}

/** As Go's log package begins a line: `2006/01/02 15:04:05`. */
export function logTime(context: CommandContext): string {
  const now = new Date(context.clock.now());
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${now.getFullYear()}/${two(now.getMonth() + 1)}/${two(now.getDate())}`;
  return `${date} ${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`;
}
