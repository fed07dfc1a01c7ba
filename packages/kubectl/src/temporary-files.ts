import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubectlIo } from './io.ts';

const directoryOf = (io: KubectlIo): string => io.env['TMPDIR'] || tmpdir();

export const temporaryDirectory = (io: KubectlIo, prefix: string): Promise<string> =>
  mkdtemp(join(directoryOf(io), prefix));

/** Nine digits, as Go's temporary files have. */
const digitsMax = 1e9;

export async function temporaryFile(io: KubectlIo, prefix: string, extension: string, text: string): Promise<string> {
  const path = join(directoryOf(io), `${prefix}${Math.floor(io.random.next() * digitsMax)}${extension}`);
  await writeFile(path, text, { mode: 0o600 });
  return path;
}
