/** Limits the size of managedFields: the oldest updaters of a version are merged into one, `ancient-changes`. */

import { union } from '../field-set.ts';
import { compareText, identityOf, type Manager } from './managers.ts';

/** Upstream's limit of entries from updates. */
const updateManagersMax = 10;

const bucketName = 'ancient-changes';

export function capUpdaters(managers: Map<string, Manager>): Map<string, Manager> {
  const updaters = [...managers].filter(([, { operation }]) => operation === 'Update');
  if (updaters.length <= updateManagersMax) return managers;
  updaters.sort(
    ([identityA, a], [identityB, b]) =>
      compareText(a.time ?? '', b.time ?? '') || compareText(identityA, identityB),
  );
  const capped = new Map(managers);
  const firstOfVersion = new Map<string, string>();
  let count = updaters.length;
  for (const [identity, updater] of updaters) {
    if (count <= updateManagersMax) break;
    const first = firstOfVersion.get(updater.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(updater.apiVersion, identity);
      continue;
    }
    mergeIntoBucket(capped, first, identity, updater);
    count--;
  }
  return capped;
}

function mergeIntoBucket(
  managers: Map<string, Manager>,
  first: string,
  identity: string,
  updater: Manager,
): void {
  const bucket: Manager = { ...updater, name: bucketName, subresource: '' };
  const bucketIdentity = identityOf(bucket);
  const previous = managers.get(bucketIdentity) ?? managers.get(first)!;
  if (!managers.has(bucketIdentity)) managers.delete(first);
  managers.delete(identity);
  managers.set(bucketIdentity, { ...bucket, fields: union(updater.fields, previous.fields) });
}
