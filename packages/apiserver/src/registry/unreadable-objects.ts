/** Lists with objects whose stored values are damaged, or nothing that can be decoded. */
import { StatusError, type GroupResource } from '@coxswain/apimachinery';
import { formatGroupResource } from '@coxswain/apimachinery/meta.ts';
import { CachedObject } from '@coxswain/storage/cacher/cached-object.ts';
import { StorageError } from '@coxswain/storage/storage.ts';
import type { Served } from '../rest/served.ts';

/** So many objects that cannot be read are named. */
const causesMax = 100;

/** Where one cannot be read, so many are tried: decoding them takes some ten milliseconds. */
const triedMax = 1000;

const isDamaged = (item: Served): item is CachedObject<never> =>
  item instanceof CachedObject && item.damage !== undefined;

/** @throws StatusError 500 that names what is unreadable where anything is known to be, as the original does */
export function refuseUnreadable(items: readonly Served[], resource: GroupResource): void {
  // Objects of one resource know of each other whether any is damaged.
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

/** What an answer failed with; where an object couldn't be decoded, those that can't be are named. */
export function failureOfList(failure: unknown, items: readonly Served[], resource: GroupResource): unknown {
  if (!(failure instanceof StorageError) || failure.kind !== 'corrupt') return failure;
  try {
    refuseUnreadable(items, resource);
    return failure;
  } catch (refusal) {
    return refusal;
  }
}
