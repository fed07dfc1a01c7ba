import type { KubeObject } from '@coxswain/apimachinery';
import type { FieldManagement } from '../field-management.ts';
import type { ApiRequest } from '../http/api-request.ts';
import type { WriteOptions } from '../rest/options.ts';
import type { Awaitable } from '../rest/storage.ts';
import { managerOf } from './options/write-options.ts';

/** `object` with the fields noted that the request's manager has set. */
export function managed(
  request: ApiRequest,
  fields: FieldManagement,
  live: KubeObject | undefined,
  object: KubeObject,
  options: WriteOptions,
): Awaitable<KubeObject> {
  const manager = managerOf(request, options);
  request.observer?.note?.({ manager, operation: 'Update' });
  return fields.update(live, object, manager);
}
