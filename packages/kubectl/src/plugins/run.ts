/** Plugins: executables on PATH whose name begins with `kubectl-`. */
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { ExitError } from '../errors.ts';
import type { KubectlIo } from '../io.ts';

/** Runs the plugin with the longest matching name; undefined if there is none. */
export async function runPlugin(args: readonly string[], io: KubectlIo): Promise<number | undefined> {
  const words = args.slice(
    0,
    args.findIndex((word) => word.startsWith('-')) < 0
      ? args.length
      : args.findIndex((word) => word.startsWith('-')),
  );
  if (words.length === 0) {
    throw new ExitError(1, `Error: flags cannot be placed before plugin name: ${args[0]}\n`);
  }
  for (let count = words.length; count > 0; count--) {
    const name = words
      .slice(0, count)
      .map((word) => word.replaceAll('-', '_'))
      .join('-');
    const path = await findExecutable(`kubectl-${name}`, io.env);
    if (path === undefined) continue;
    if (io.spawn === undefined) throw new Error('plugins cannot be run here');
    return io.spawn(path, args.slice(count));
  }
  return undefined;
}

export async function findExecutable(name: string, env: KubectlIo['env']): Promise<string | undefined> {
  for (const directory of (env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, name);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
