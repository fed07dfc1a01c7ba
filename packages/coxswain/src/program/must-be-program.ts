import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Checks that a command can be run before much else is started for it.
 * @throws Error if there is no such program
 */
export function mustBeProgram(name: string, env: Readonly<Record<string, string | undefined>>): void {
  // Windows tries further endings.
  if (process.platform === 'win32') return;
  const places = name.includes('/')
    ? [name]
    : (env['PATH'] ?? '').split(path.delimiter).map((directory) => path.join(directory || '.', name));
  if (!places.some(isProgram)) throw new Error(`cannot run ${name}: no such program`);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
