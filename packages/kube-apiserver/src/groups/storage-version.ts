/** The version in which upstream stores a resource, so that the cluster's oldest server can read it. */
import { createHash } from 'node:crypto';
import type { Kind } from '@coxswain/schema';
import { introducedIn } from './introductions.ts';
import { isBefore } from './version-order.ts';
import type { OtherVersion, Resource } from './resource.ts';

/**
 * base64 of the first 8 bytes of the SHA-256 of `group/version/kind` of upstream's storage version.
 * @param oldest the minor version of Kubernetes that must be able to read the stored objects
 */
export const storageVersionHash = (resource: Resource, oldest: number): string => {
  const { group, kind } = resource.kind;
  return hashOfVersion(group, storageVersion(resource, oldest), kind);
};

/** Undefined if objects are stored in the version of the resource's `kind`. */
export function storageForm(resource: Resource, oldest: number): OtherVersion | undefined {
  const version = storageVersion(resource, oldest);
  const { group } = resource.kind;
  // Every existing server can read the successor of a legacy version.
  return resource.alsoAs.find(
    ({ kind, legacy }) => !legacy && kind.group === group && kind.version === version,
  );
}

/** The latest version that the cluster's oldest server knows; the usual one if it knows none. */
function storageVersion({ kind, alsoAs, originalStorageVersion }: Resource, oldest: number): string {
  if (originalStorageVersion !== undefined) return originalStorageVersion;
  const isKnown = (one: Kind) => one.group === kind.group && introducedIn(one) <= oldest;
  if (isKnown(kind)) return kind.version;
  const known = alsoAs.map((form) => form.kind).filter(isKnown);
  return known.toSorted((a, b) => (isBefore(a.version, b.version) ? 1 : -1))[0]?.version ?? kind.version;
}

export function hashOfVersion(group: string, version: string, kind: string): string {
  const text = `${group}/${version}/${kind}`;
  const known = hashes.get(text);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
  if (hashes.size < hashesMax) hashes.set(text, hash);
  return hash;
}

/** By what is hashed: every cluster of a process has the same built-in kinds. */
const hashes = new Map<string, string>();
const hashesMax = 1_000;
