import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubectlIo } from './io.ts';

const directoryOf = (io: KubectlIo): string => io.env['TMPDIR'] || tmpdir();

/** Nine digits, like Go's temporary files. */
const digitsMax = 1e9;

const uniqueName = (io: KubectlIo, prefix: string): string =>
  join(directoryOf(io), `${prefix}${Math.floor(io.random.next() * digitsMax)}`);

export async function temporaryDirectory(io: KubectlIo, prefix: string): Promise<string> {
  const path = uniqueName(io, prefix);
  await mkdir(path, { mode: 0o700 });
  return path;
}

export async function temporaryFile(
  io: KubectlIo,
  prefix: string,
  extension: string,
  text: string,
): Promise<string> {
  const path = uniqueName(io, prefix) + extension;
  await writeFile(path, text, { mode: 0o600 });
  return path;
}
