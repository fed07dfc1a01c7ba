/** Finds files on PATH that are named like plugins. */
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { ListedCommand } from '@coxswain/cobra';
import type { KubectlIo } from '../io.ts';

export const pluginPrefix = 'kubectl-';

export interface PluginFile {
  readonly name: string;
  readonly path: string;
}

/** In the order of PATH, sorted by name within each directory. */
export async function pluginFiles(
  env: KubectlIo['env'],
  onUnreadable: (directory: string) => void = () => undefined,
): Promise<PluginFile[]> {
  const directories = new Set((env['PATH'] ?? '').split(delimiter).filter((one) => one.trim() !== ''));
  const found: PluginFile[] = [];
  for (const directory of directories) {
    const files = await readdir(directory, { withFileTypes: true }).catch(() => undefined);
    if (files === undefined) {
      onUnreadable(directory);
      continue;
    }
    const names = files
      .filter((file) => !file.isDirectory() && file.name.startsWith(pluginPrefix))
      .map(({ name }) => name);
    found.push(...names.sort().map((name) => ({ name, path: join(directory, name) })));
  }
  return found;
}

/** The plugins for the help: the first word of each that is not a command. */
export async function listedPlugins(
  env: KubectlIo['env'],
  commandNames: readonly string[],
  group: string,
): Promise<ListedCommand[]> {
  const words = (await pluginFiles(env)).map(({ name }) =>
    (name.slice(pluginPrefix.length).split('-')[0] ?? '').replaceAll('_', '-'),
  );
  return words
    .filter((word) => !commandNames.includes(word))
    .map((name) => ({ group, name, short: `The command ${name} is a plugin installed by the user` }));
}
