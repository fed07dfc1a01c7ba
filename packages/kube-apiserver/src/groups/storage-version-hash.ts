import { createHash } from 'node:crypto';
import type { Resource } from './resource.ts';

/** base64 of the first 8 bytes of the SHA-256 of `group/version/kind` of what the original stores. */
export const storageVersionHash = ({ kind, originalStorageVersion = kind.version }: Resource): string =>
  hashOfVersion(kind.group, originalStorageVersion, kind.kind);

export const hashOfVersion = (group: string, version: string, kind: string): string =>
  createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
