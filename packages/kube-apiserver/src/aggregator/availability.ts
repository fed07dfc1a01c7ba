/** Computes the condition `Available` of an APIService and updates its status. */
import type {
  APIService,
  APIServiceCondition,
  APIServiceStatus,
} from '@coxswain/api/apiregistration/v1/index.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { EndpointSlice } from '@coxswain/api/discovery/v1/index.ts';
import { goQuote } from '@coxswain/apimachinery';

export type Finding = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

/** Whether this server serves it. @param servedHere those that it serves even if they name a Service */
export const isLocal = ({ metadata, spec }: APIService, servedHere: ReadonlySet<string>): boolean =>
  spec?.service === undefined || servedHere.has(metadata?.name ?? '');

export const localFinding: Finding = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

export const passed: Finding = { status: 'True', reason: 'Passed', message: 'all checks passed' };

export const failedDiscovery = (message: string): Finding => unavailable('FailedDiscoveryCheck', message);

const unavailable = (reason: string, message: string): Finding => ({ status: 'False', reason, message });

/** A problem that makes the extension server unreachable, found without a request to it. */
export function obstacle(
  { namespace = '', name = '', port = 443 }: NonNullable<NonNullable<APIService['spec']>['service']>,
  service: Service | undefined,
  slices: readonly EndpointSlice[],
): Finding | undefined {
  const place = `service/${name} in ${goQuote(namespace)}`;
  if (service === undefined) return unavailable('ServiceNotFound', `${place} is not present`);
  if (service.spec.type !== 'ClusterIP') return undefined;
  const listening = service.spec.ports?.find((one) => one.port === port);
  if (listening === undefined) {
    return unavailable('ServicePortError', `${place} is not listening on port ${port}`);
  }
  if (slices.length === 0) return unavailable('EndpointsNotFound', `cannot find endpointslices for ${place}`);
  const portName = listening.name ?? '';
  if (slices.some((slice) => isServing(slice, portName))) return undefined;
  return unavailable(
    'MissingEndpoints',
    `endpointslices for ${place} have no addresses with port name ${goQuote(portName)}`,
  );
}

const isServing = ({ endpoints, ports }: EndpointSlice, portName: string): boolean =>
  (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false) &&
  (ports ?? []).some(({ name, port }) => name === portName && port !== undefined);

export const isAvailable = ({ status }: APIService): boolean =>
  status?.conditions?.find(({ type }) => type === 'Available')?.status === 'True';

/** The transition time changes only with the condition's status. @param at RFC 3339 */
export function statusWith(
  status: APIServiceStatus | undefined,
  finding: Finding,
  at: string,
): APIServiceStatus {
  const conditions = status?.conditions ?? [];
  const before = conditions.find(({ type }) => type === 'Available');
  const since = before?.status === finding.status ? before.lastTransitionTime : at;
  const condition = {
    type: 'Available',
    status: finding.status,
    ...(since !== undefined && { lastTransitionTime: since }),
    ...(finding.reason !== undefined && { reason: finding.reason }),
    ...(finding.message !== undefined && { message: finding.message }),
  };
  return {
    ...status,
    conditions:
      before === undefined
        ? [...conditions, condition]
        : conditions.map((one) => (one === before ? condition : one)),
  };
}

export const saysAlready = (
  { status }: APIService,
  { status: wanted, reason, message }: Finding,
): boolean => {
  const condition = status?.conditions?.find(({ type }) => type === 'Available');
  return condition?.status === wanted && condition.reason === reason && condition.message === message;
};
