/** The service networks from ServiceCIDR objects. */
import type { Awaitable } from '@coxswain/apiserver';
import type { ServiceCIDR } from '@coxswain/api/networking/v1/service-cidr.ts';
import type { ObjectReader } from '../../../object-reader.ts';
import { ipRangeOf, type IpRange } from './ip-range.ts';

export interface ServiceRange extends IpRange {
  /** Whether addresses are allocated from it; releasing is always possible. */
  readonly isReady: boolean;
}

export type ServiceRanges = () => Awaitable<readonly ServiceRange[]>;

export const serviceCidrs = { group: 'networking.k8s.io', resource: 'servicecidrs' };

export const serviceRangesOf =
  (objects: ObjectReader): ServiceRanges =>
  () => {
    const found = objects.list<ServiceCIDR>(serviceCidrs, '');
    return found instanceof Promise ? found.then(rangesOf) : rangesOf(found);
  };

/** Several objects may name the same network: it is usable if one of them is ready. */
export function rangesOf(found: readonly ServiceCIDR[]): ServiceRange[] {
  const byCidr = new Map<string, ServiceRange>();
  for (const object of found) {
    const isReady = isReadyRange(object);
    for (const cidr of object.spec?.cidrs ?? []) {
      const range = ipRangeOf(cidr);
      if (range !== undefined) {
        byCidr.set(cidr, { ...range, isReady: isReady || (byCidr.get(cidr)?.isReady ?? false) });
      }
    }
  }
  return [...byCidr.values()];
}

/** Without the condition, which a controller sets, a range counts as ready. */
function isReadyRange({ metadata, status }: ServiceCIDR): boolean {
  if (metadata.deletionTimestamp) return false;
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready === undefined || ready.status === 'True';
}
