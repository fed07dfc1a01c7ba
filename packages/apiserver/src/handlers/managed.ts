import type { KubeObject } from '@coxswain/apimachinery';
import { recordingChanges } from '../recorded-values/object-changes.ts';
import type { FieldManagement } from '../field-management.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { WriteOptions } from '../rest/options.ts';
import type { Awaitable } from '../rest/storage.ts';
import { managerOf } from './options/write-options.ts';

/** Returns `object` with the ownership of the fields that the request's manager set. */
export function managed(
  request: ApiRequest,
  fields: FieldManagement,
  live: KubeObject | undefined,
  object: KubeObject,
  options: WriteOptions,
): Awaitable<KubeObject> {
  const manager = managerOf(request, options);
  const { observer } = request;
  if (observer === undefined) return fields.update(live, object, manager);
  observer.note?.({ manager, operation: 'Update' });
  const { group, resource } = request.info;
  const changed = { object: ownersOf(live) };
  return recordingChanges(observer, { group, resource }, changed, () => {
    const after = fields.update(live, object, manager);
    const report = (owned: KubeObject): KubeObject => {
      changed.object = ownersOf(owned);
      return owned;
    };
    return after instanceof Promise ? after.then(report) : report(after);
  });
}

/** The managers' fields, by manager. */
const ownersOf = (object: KubeObject | undefined): unknown =>
  Object.fromEntries(
    (object?.metadata.managedFields ?? []).map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, subresource].filter(Boolean).join(' '),
      fieldsV1,
    ]),
  );
