/** Who owns which fields (metadata.managedFields): what the handlers ask of the schema package's FieldManager. */
import type { KubeObject } from '@coxswain/apimachinery';

export interface FieldManagement {
  /**
   * Notes that `manager` changed `next` from `live`; changes next's managedFields in place.
   * Objects are in the endpoint's version.
   */
  update(live: KubeObject | undefined, next: KubeObject, manager: string): KubeObject;
  /**
   * Server-side apply of `applied` on `live`.
   * @throws StatusError 409 when others own what is applied and `force` isn't set
   */
  apply(live: KubeObject | undefined, applied: KubeObject, manager: string, force: boolean): KubeObject;
}
