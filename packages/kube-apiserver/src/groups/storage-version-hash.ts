import { createHash } from 'node:crypto';
import type { Resource } from './resource.ts';

/** base64 of the first 8 bytes of the SHA-256 of `group/version/kind` of what the original stores. */
export function storageVersionHash({ kind, originalStorageVersion = kind.version }: Resource): string {
  const name = `${kind.group}/${originalStorageVersion}/${kind.kind}`;
  return createHash('sha256').update(name).digest().subarray(0, 8).toString('base64');
}
