/**
 * Rights to parts of a claim's status, under names of subresources that don't exist: who allocates and reserves must
 * be allowed to write `resourceclaims/binding`, a driver what its devices report to `resourceclaims/driver`.
 */
import { FieldPath, forbiddenError, type FieldError } from '@coxswain/apimachinery';
import type { ApiRequest, Strategy } from '@coxswain/apiserver';
import { forbiddenError as forbiddenRequest } from '@coxswain/apiserver/authorization/forbidden.ts';
import { nodeOfToken } from '@coxswain/apiserver/filters/impersonation/modes.ts';
import { deviceKey } from '@coxswain/api/resource/claim-status-validation.ts';
import {
  AllocatedDeviceStatus,
  AllocationResult,
  ResourceClaimConsumerReference,
  type ResourceClaimStatus,
} from '@coxswain/api/resource/v1/index.ts';
import { atomicList, goEqual } from '@coxswain/schema';
import type { AnyObject } from '../any-object.ts';
import type { Services } from '../services.ts';
import { dropDeallocatedDevices } from './claim-status.ts';
import { grantedAdminAccess } from './admin-access.ts';

export const claimStatusRights = (services: Services): Pick<Strategy<AnyObject>, 'authorize'> => ({
  async authorize(claim, stored, request) {
    // What is dropped with its device counts as a change of it.
    dropDeallocatedDevices(claim, stored!);
    const [status, old] = [claim, stored!].map((one) => (one.status ?? {}) as ResourceClaimStatus) as [
      ResourceClaimStatus,
      ResourceClaimStatus,
    ];
    const admin = await grantedAdminAccess(claim, stored!, services);
    if (!services.features.enabled('DRAResourceClaimGranularStatusAuthorization')) return admin;
    const binding = bindsAnew(status, old) ? await bindingRefusals(request, services) : [];
    return [...admin, ...binding, ...(await driverRefusals(status, old, request, services))];
  },
});

const consumers = atomicList(ResourceClaimConsumerReference);

const bindsAnew = (status: ResourceClaimStatus, old: ResourceClaimStatus): boolean =>
  (status.allocation == null) !== (old.allocation == null) ||
  !goEqual(AllocationResult, status.allocation, old.allocation, 'semantic') ||
  !goEqual(consumers, status.reservedFor, old.reservedFor, 'semantic');

async function bindingRefusals(request: ApiRequest, services: Services): Promise<FieldError[]> {
  const { verb } = request.info;
  const refusal = await refusalOf(
    { verb, subresource: 'binding', namespace: '', name: '' },
    request,
    services,
  );
  if (refusal === undefined) return [];
  const needs = `changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="${verb}" permission`;
  return [forbiddenError(FieldPath.of('status', 'allocation'), `${needs}: ${refusal}`)];
}

/** A deallocated claim loses what its drivers reported, whoever deallocates it. */
async function driverRefusals(
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
  request: ApiRequest,
  services: Services,
): Promise<FieldError[]> {
  if (!services.features.enabled('DRAResourceClaimDeviceStatus') || status.allocation == null) return [];
  const verbs = [...(isOnNode(request, nodeOf(status)) ? ['associated-node'] : []), 'arbitrary-node'].map(
    (prefix) => `${prefix}:${request.info.verb}`,
  );
  const errors: FieldError[] = [];
  for (const name of changedDrivers(status, old)) {
    const refusal = await firstRefusal(verbs, name, request, services);
    if (refusal === undefined) continue;
    const needs = `changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission`;
    errors.push(forbiddenError(FieldPath.of('status', 'devices'), `${needs}: ${refusal}`));
  }
  return errors;
}

/** Any of the verbs is enough. */
async function firstRefusal(
  verbs: readonly string[],
  name: string,
  request: ApiRequest,
  services: Services,
): Promise<string | undefined> {
  const { namespace } = request;
  let first: string | undefined;
  for (const verb of verbs) {
    const refusal = await refusalOf({ verb, subresource: 'driver', namespace, name }, request, services);
    if (refusal === undefined) return undefined;
    first ??= refusal;
  }
  return first;
}

function changedDrivers(status: ResourceClaimStatus, old: ResourceClaimStatus): string[] {
  const gone = new Map((old.devices ?? []).map((device) => [deviceKey(device), device]));
  const changed = new Set<string>();
  for (const device of status.devices ?? []) {
    const key = deviceKey(device);
    const before = gone.get(key);
    gone.delete(key);
    if (before === undefined || !goEqual(AllocatedDeviceStatus, device, before, 'semantic'))
      changed.add(device.driver);
  }
  for (const { driver } of gone.values()) changed.add(driver);
  return [...changed].toSorted();
}

/** The node to which the allocation pins the claim by name. */
function nodeOf({ allocation }: ResourceClaimStatus): string | undefined {
  const [term, ...others] = allocation?.nodeSelector?.nodeSelectorTerms ?? [];
  const [field, ...more] = term?.matchFields ?? [];
  const isPinned = others.length === 0 && more.length === 0 && (term?.matchExpressions ?? []).length === 0;
  if (!isPinned || field?.key !== 'metadata.name' || field.operator !== 'In') return undefined;
  return field.values?.length === 1 ? field.values[0] : undefined;
}

/** Whether the user is a service account whose token was issued for a pod of this node. */
const isOnNode = ({ user }: ApiRequest, node: string | undefined): boolean =>
  Boolean(node) && user.name.startsWith('system:serviceaccount:') && nodeOfToken(user) === node;

async function refusalOf(
  of: {
    readonly verb: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
  },
  { user, observer, info }: ApiRequest,
  { authorizer }: Services,
): Promise<string | undefined> {
  const { group, version, resource, path } = info;
  const attributes = { user, observer, group, version, resource, path, isResourceRequest: true, ...of };
  const { kind, reason, problem } = await authorizer.decide(attributes);
  if (kind === 'allow') return undefined;
  const why = problem === undefined ? reason : reason === '' ? problem : `${problem}: ${reason}`;
  return forbiddenRequest(attributes, why).message;
}
