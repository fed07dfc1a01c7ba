/** Field ownership (metadata.managedFields): what the handlers need of the schema package's FieldManager. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { Awaitable } from './rest/storage.ts';

export interface FieldManagement {
  /**
   * Records that `manager` changed `live` into `next`, by changing the managedFields of `next` in place. Objects are in
   * the endpoint's version. Asynchronous only if a webhook has to convert versions that managers wrote.
   */
  update(live: KubeObject | undefined, next: KubeObject, manager: string): Awaitable<KubeObject>;
  /**
   * Server-side apply of `applied` to `live`.
   * @throws StatusError 409 when other managers own applied fields and `force` isn't set
   */
  apply(
    live: KubeObject | undefined,
    applied: KubeObject,
    manager: string,
    force: boolean,
  ): Awaitable<KubeObject>;
}
