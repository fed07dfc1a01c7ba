/**
 * Replaces files atomically: each version has its own directory, `..data` links to the current one, and containers see
 * links through it. Readers see either version as a whole.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';

export interface ProjectedFile {
  readonly bytes: Uint8Array;
  /** Permission bits. */
  readonly mode: number;
  /** The owner. Defaults to the kubelet's user. */
  readonly uid?: number;
}

/** By path within the volume. */
export type Payload = ReadonlyMap<string, ProjectedFile>;

const dataLink = '..data';
const nextLink = '..data_tmp';

/** Identifies a payload, so that an unchanged one is not written again. */
export function payloadDigest(payload: Payload): string {
  const hash = createHash('sha256');
  for (const [name, { bytes, mode, uid }] of [...payload].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${name}\0${mode}\0${uid ?? ''}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex');
}

/**
 * Makes `directory` contain exactly the payload.
 * @param beforeSwap called with the directory of the new version before it becomes visible
 * @throws Error for paths that lead out of the volume
 */
export async function writeAtomically(
  directory: string,
  payload: Payload,
  nowMs: number,
  beforeSwap: (version: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (const name of payload.keys()) refuseBadPath(name);
  const before = await readlink(path.join(directory, dataLink)).catch(() => undefined);
  const version = versionName(nowMs);
  await mkdir(path.join(directory, version), { mode: 0o755 });
  await chmod(path.join(directory, version), 0o755);
  for (const [name, file] of payload) await writeProjected(path.join(directory, version, name), file);
  await beforeSwap(path.join(directory, version));
  await rm(path.join(directory, nextLink), { force: true });
  await symlink(version, path.join(directory, nextLink));
  await rename(path.join(directory, nextLink), path.join(directory, dataLink));
  await linkVisible(directory, payload);
  if (before !== undefined) await rm(path.join(directory, before), { recursive: true, force: true });
}

async function writeProjected(file: string, { bytes, mode, uid }: ProjectedFile): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o755 });
  await writeFile(file, bytes, { mode });
  // Set explicitly, regardless of the process's umask.
  await chmod(file, mode);
  if (uid !== undefined) await chown(file, uid, -1);
}

/** Creates one link per top-level name, and removes links of names that are gone. */
async function linkVisible(directory: string, payload: Payload): Promise<void> {
  const wanted = new Set([...payload.keys()].map((name) => name.split('/')[0]!));
  const present = (await readdir(directory)).filter((name) => !name.startsWith('..'));
  for (const name of wanted) {
    const link = path.join(directory, name);
    if (present.includes(name) && (await lstat(link)).isSymbolicLink()) continue;
    await rm(link, { recursive: true, force: true });
    await symlink(path.join(dataLink, name), link);
  }
  for (const name of present)
    if (!wanted.has(name)) await rm(path.join(directory, name), { recursive: true, force: true });
}

/** `..2026_11_21_08_30_00.123456789` */
function versionName(nowMs: number): string {
  const digits = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-T:]/g, '_');
  return `..${digits}.${String(randomBytes(4).readUInt32BE()).padStart(10, '0')}`;
}

function refuseBadPath(name: string): void {
  const parts = name.split('/');
  if (name === '') throw new Error('invalid path: must not be empty: ""');
  if (name.startsWith('/')) throw new Error(`invalid path: must be relative path: ${name}`);
  if (parts.includes('..')) throw new Error(`invalid path: must not contain '..': ${name}`);
  if (parts[0]!.startsWith('..')) throw new Error(`invalid path: must not start with '..': ${name}`);
}
