/** Records in a file which claims drivers have prepared, so that a restarted kubelet can release them. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface KnownClaim {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly drivers: readonly string[];
  /** The pods that use it on this node. */
  readonly podUids: readonly string[];
  readonly devices: readonly PreparedDevices[];
  /** False from before its drivers are called until all of them have succeeded. */
  readonly isPrepared: boolean;
}

export interface PreparedDevices {
  /** The requests of the claim that they serve; all of them if empty. */
  readonly requests: readonly string[];
  readonly cdiDevices: readonly string[];
}

const fileName = 'claimed_devices';

/** @throws Error if it is damaged */
export async function readClaims(directory: string): Promise<readonly KnownClaim[]> {
  const text = await readFile(path.join(directory, fileName), 'utf8').catch(() => '[]');
  return JSON.parse(text) as readonly KnownClaim[];
}

export async function writeClaims(directory: string, claims: readonly KnownClaim[]): Promise<void> {
  const place = path.join(directory, fileName);
  await writeFile(`${place}.new`, JSON.stringify(claims), { mode: 0o600 });
  await rename(`${place}.new`, place);
}
