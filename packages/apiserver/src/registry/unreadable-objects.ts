/** Lists that contain objects whose stored values are corrupt or cannot be decoded. */
import { StatusError, type GroupResource } from '@coxswain/apimachinery';
import { formatGroupResource } from '@coxswain/apimachinery/meta.ts';
import { CachedObject } from '@coxswain/storage/cacher/cached-object.ts';
import { StorageError } from '@coxswain/storage/storage.ts';
import type { Served } from '../rest/served.ts';

/** The maximum number of unreadable objects to name. */
const causesMax = 100;

/** The number of objects to check once one cannot be read: decoding them takes some ten milliseconds. */
const triedMax = 1000;

const isDamaged = (item: Served): item is CachedObject<never> =>
  item instanceof CachedObject && item.damage !== undefined;

/** @throws StatusError 500 that names the unreadable objects if any are known, as upstream */
export function refuseUnreadable(items: readonly Served[], resource: GroupResource): void {
  // Each object knows whether any object of its resource is damaged.
  const [first] = items;
  if ((first instanceof CachedObject && !first.isAnyDamaged) || !items.some(isDamaged)) return;
  for (const item of items.slice(0, triedMax)) if (item instanceof CachedObject) void item.isReadable;
  const damaged = items.filter(isDamaged);
  const causes = damaged.slice(0, causesMax).map(({ key, damage }) => ({
    reason: 'UnexpectedServerResponse',
    message: damage!.message,
    field: key,
  }));
  if (damaged.length > causesMax)
    causes.push({
      reason: 'FieldValueTooMany',
      message: 'too many errors, the list is truncated',
      field: '',
    });
  const message = `failed to read one or more ${formatGroupResource(resource)} from the storage`;
  throw new StatusError(500, 'StorageReadError', message, {
    name: 'list',
    ...(resource.group === '' ? undefined : { group: resource.group }),
    kind: resource.resource,
    causes,
  });
}

/** The error for a failed response; if the cause is an object that couldn't be decoded, all such objects are named. */
export function failureOfList(failure: unknown, items: readonly Served[], resource: GroupResource): unknown {
  if (!(failure instanceof StorageError) || failure.kind !== 'corrupt') return failure;
  try {
    refuseUnreadable(items, resource);
    return failure;
  } catch (refusal) {
    return refusal;
  }
}
