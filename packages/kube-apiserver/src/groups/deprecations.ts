/** Kinds in versions that are on their way out, and when they go. Every use of one is answered with a warning. */
import type { Kind } from '@coxswain/schema';

interface Deprecation {
  /** Minor versions of Kubernetes. */
  readonly since: number;
  readonly gone: number;
  readonly replacement?: string;
}

const deprecations: Readonly<Record<string, Readonly<Record<string, Deprecation>>>> = {
  'admissionregistration.k8s.io/v1alpha1': {
    MutatingAdmissionPolicy: { since: 35, gone: 38 },
    MutatingAdmissionPolicyBinding: { since: 35, gone: 38 },
  },
  'certificates.k8s.io/v1alpha1': { ClusterTrustBundle: { since: 34, gone: 37 } },
  'coordination.k8s.io/v1alpha2': { LeaseCandidate: { since: 35, gone: 38 } },
  'coordination.k8s.io/v1beta1': { LeaseCandidate: { since: 36, gone: 39 } },
  'networking.k8s.io/v1beta1': {
    IPAddress: { since: 34, gone: 37 },
    ServiceCIDR: { since: 34, gone: 37 },
  },
  'resource.k8s.io/v1alpha3': { DeviceTaintRule: { since: 36, gone: 39 } },
  'resource.k8s.io/v1beta1': {
    DeviceClass: { since: 35, gone: 38 },
    ResourceClaim: { since: 35, gone: 38 },
    ResourceClaimTemplate: { since: 35, gone: 38 },
    ResourceSlice: { since: 35, gone: 38 },
  },
  'resource.k8s.io/v1beta2': {
    DeviceClass: { since: 36, gone: 39 },
    ResourceClaim: { since: 36, gone: 39 },
    ResourceClaimTemplate: { since: 36, gone: 39 },
    ResourceSlice: { since: 36, gone: 39 },
  },
  'storage.k8s.io/v1beta1': {
    VolumeAttributesClass: { since: 34, gone: 37, replacement: 'storage.k8s.io/v1 VolumeAttributesClass' },
  },
};

/** The warning's text; undefined for kinds that stay. */
export function deprecationOf({ apiVersion, kind }: Kind): string | undefined {
  const found = deprecations[apiVersion]?.[kind];
  if (found === undefined) return undefined;
  const { since, gone, replacement } = found;
  const text = `${apiVersion} ${kind} is deprecated in v1.${since}+, unavailable in v1.${gone}+`;
  return replacement === undefined ? text : `${text}; use ${replacement}`;
}
