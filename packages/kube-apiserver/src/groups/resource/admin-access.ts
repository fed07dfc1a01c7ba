/** Admin access to devices in use requires a namespace that an administrator has labeled for it. */
import { FieldPath, forbiddenError } from '@coxswain/apimachinery';
import type { Strategy } from '@coxswain/apiserver';
import type { ResourceClaimSpec, ResourceClaimStatus } from '@coxswain/api/resource/v1/index.ts';
import { resources } from '../../object-reader.ts';
import type { AnyObject } from '../any-object.ts';
import type { Services } from '../services.ts';

const adminLabel = 'resource.kubernetes.io/admin-access';
const requestsPath = FieldPath.of('spec', 'devices', 'requests');
const resultsPath = FieldPath.of('status', 'allocation', 'devices', 'results');

/** `specOf` returns the claim's spec. Updates need no look: the spec is immutable. */
export const adminAccess =
  (specOf: (object: AnyObject) => ResourceClaimSpec | undefined) =>
  (services: Services): Pick<Strategy<AnyObject>, 'authorize'> => ({
    authorize(object, old) {
      if (old !== undefined) return [];
      const requests = specOf(object)?.devices?.requests ?? [];
      const at = requests.findIndex(({ exactly }) => exactly?.adminAccess === true);
      return at < 0 ? [] : refusals(object, requestsPath.index(at), services);
    },
  });

/** The same for what an allocation grants. */
export async function grantedAdminAccess(claim: AnyObject, old: AnyObject, services: Services) {
  const at = granted(claim);
  return at < 0 || granted(old) >= 0 ? [] : refusals(claim, resultsPath.index(at), services);
}

const granted = ({ status }: AnyObject): number =>
  ((status as ResourceClaimStatus | undefined)?.allocation?.devices?.results ?? []).findIndex(
    ({ adminAccess }) => adminAccess === true,
  );

async function refusals({ metadata }: AnyObject, path: FieldPath, { objects }: Services) {
  const holder = await objects.get<AnyObject>(resources.namespaces, '', metadata.namespace ?? '');
  if (holder?.metadata.labels?.[adminLabel] === 'true') return [];
  const detail = `admin access to devices requires the \`${adminLabel}: true\` label on the containing namespace`;
  return [forbiddenError(path.child('adminAccess'), detail)];
}
