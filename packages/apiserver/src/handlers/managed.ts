import type { KubeObject, StepDetail } from '@coxswain/apimachinery';
import { recordingChanges } from '../recorded-values/object-changes.ts';
import type { FieldManagement } from '../field-management.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { PatchOptions, WriteOptions } from '../rest/options.ts';
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
  return recordingOwners(request, live, { manager, operation: 'Update' }, () =>
    fields.update(live, object, manager),
  );
}

/** Returns the result of applying `config` to `live`. @throws StatusError 409 for fields of other managers */
export function applied(
  request: ApiRequest,
  fields: FieldManagement,
  live: KubeObject | undefined,
  config: KubeObject,
  { fieldManager: manager, force = false }: PatchOptions,
): Awaitable<KubeObject> {
  return recordingOwners(request, live, { manager, operation: 'Apply', force }, () =>
    fields.apply(live, config, manager, force),
  );
}

function recordingOwners(
  { observer, info: { group, resource } }: ApiRequest,
  live: KubeObject | undefined,
  reported: StepDetail,
  own: () => Awaitable<KubeObject>,
): Awaitable<KubeObject> {
  if (observer === undefined) return own();
  observer.note?.(reported);
  const changed = { object: ownersOf(live) };
  return recordingChanges(observer, { group, resource }, changed, () => {
    const after = own();
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
