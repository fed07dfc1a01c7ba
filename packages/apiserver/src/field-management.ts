/** Who owns which fields (metadata.managedFields): what the handlers ask of the schema package's FieldManager. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Awaitable } from './rest/storage.ts';

export interface FieldManagement {
  /**
   * Notes that `manager` changed `next` from `live`; changes next's managedFields in place.
   * Objects are in the endpoint's version. Asynchronous only where managers wrote in versions that a webhook converts.
   */
  update(live: KubeObject | undefined, next: KubeObject, manager: string): Awaitable<KubeObject>;
  /**
   * Server-side apply of `applied` on `live`.
   * @throws StatusError 409 when others own what is applied and `force` isn't set
   */
  apply(
    live: KubeObject | undefined,
    applied: KubeObject,
    manager: string,
    force: boolean,
  ): Awaitable<KubeObject>;
}
