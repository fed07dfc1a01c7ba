/** Adds the request object to the audit event: as decoded, with defaults, in the version of the body. */
import type { KubeObject } from '@coxswain/apimachinery';
import { encode } from '@coxswain/schema';
import { withEmptied } from '@coxswain/schema/decode/emptied.ts';
import type { ApiRequest } from '../../http/api-request.ts';
import type { ResourceScope } from '../../services/resource-scope.ts';

export function noteBody(request: ApiRequest, scope: ResourceScope, object: KubeObject): void {
  const { audit } = request;
  if (audit === undefined) return;
  const kind = scope.bodyKinds.find(
    (one) => one.kind === object.kind && one.apiVersion === object.apiVersion,
  );
  audit.noteRequestObject(object, () => withEmptied(object, () => encode((kind ?? scope.kind).type, object)));
}
