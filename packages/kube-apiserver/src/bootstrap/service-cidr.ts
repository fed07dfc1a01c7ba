import { serverManager, type BootstrapObject } from '../bootstrap-object.ts';

/** The ranges of `--service-cluster-ip-range`, as the ServiceCIDR that the allocators watch. */
export const serviceCidrObject = (cidrs: readonly string[]): BootstrapObject => ({
  group: 'networking.k8s.io',
  version: 'v1',
  resource: 'servicecidrs',
  manager: serverManager,
  object: {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name: 'kubernetes' },
    spec: { cidrs },
  },
});

/** The condition of the server's own controller; applied to `status` by this manager. */
export const serviceCidrStatusManager = 'kubernetes-service-cidr-controller';

export const serviceCidrReady = (at: string) => ({
  type: 'Ready',
  status: 'True',
  lastTransitionTime: at,
  message: 'Kubernetes default Service CIDR is ready',
});

/** A single-stack cluster that becomes dual-stack keeps its first range and gets the second. */
export function withSecondRange(wanted: object, found: object): object | undefined {
  const [{ spec }, before] = [wanted as RangeObject, found as RangeObject];
  const { cidrs = [] } = before.spec ?? {};
  const isUpgrade = spec?.cidrs?.length === 2 && cidrs.length === 1 && cidrs[0] === spec.cidrs[0];
  return isUpgrade ? { ...found, spec } : undefined;
}

interface RangeObject {
  readonly spec?: { readonly cidrs?: readonly string[] };
}
