/** Completes services for reading: older versions stored fewer fields, and one too many. */
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { familyOf, otherFamily, type IpFamily } from './ip-family.ts';
import { headless, needsClusterIp } from './service-needs.ts';

/** Returns the same object if it needs no completion. */
export function completeStored(service: Service, primary: IpFamily): Service {
  const { spec } = service;
  const lacksIps = !!spec.clusterIP && !spec.clusterIPs?.length;
  const lacksFamilies = needsClusterIp(service) && !spec.ipFamilies?.length;
  const hasTooMuch = !needsClusterIp(service) && spec.internalTrafficPolicy != null;
  if (!lacksIps && !lacksFamilies && !hasTooMuch) return service;
  const completed = { ...spec };
  if (lacksIps) completed.clusterIPs = [spec.clusterIP!];
  if (lacksFamilies) Object.assign(completed, familiesOf(completed, primary));
  if (hasTooMuch) delete completed.internalTrafficPolicy;
  return { ...service, spec: completed };
}

type Families = Pick<Service['spec'], 'ipFamilies' | 'ipFamilyPolicy'>;

function familiesOf({ clusterIP, clusterIPs, selector }: Service['spec'], primary: IpFamily): Families {
  if (clusterIP === headless) {
    // Without a selector its endpoints may be of any family.
    return Object.keys(selector ?? {}).length === 0
      ? { ipFamilyPolicy: 'RequireDualStack', ipFamilies: [primary, otherFamily(primary)] }
      : { ipFamilyPolicy: 'SingleStack', ipFamilies: [primary] };
  }
  const ipFamilies = (clusterIPs ?? []).map(familyOf);
  if (ipFamilies.length === 0) return {};
  return { ipFamilies, ipFamilyPolicy: ipFamilies.length === 1 ? 'SingleStack' : 'RequireDualStack' };
}
