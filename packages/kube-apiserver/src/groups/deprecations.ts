/** Deprecated and removed versions of kinds. Every use of one is answered with a warning. */
import type { Kind } from '@coxswain/schema';

/** Minor versions of Kubernetes. */
interface Deprecation {
  readonly since: number;
  readonly gone: number;
  /** The group version that now has the kind. */
  readonly use?: string;
  /** The affected kinds; all of the version if unset. */
  readonly kinds?: readonly string[];
}

const deprecations: Readonly<Record<string, readonly Deprecation[]>> = {
  'admissionregistration.k8s.io/v1alpha1': [
    { since: 35, gone: 38, kinds: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'] },
  ],
  'admissionregistration.k8s.io/v1beta1': [
    {
      since: 16,
      gone: 22,
      use: 'admissionregistration.k8s.io/v1',
      kinds: ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
    },
    { since: 31, gone: 34, kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'] },
  ],
  'apiextensions.k8s.io/v1beta1': [{ since: 16, gone: 22, use: 'apiextensions.k8s.io/v1' }],
  'apiregistration.k8s.io/v1beta1': [{ since: 19, gone: 22, use: 'apiregistration.k8s.io/v1' }],
  'apps/v1beta1': [{ since: 8, gone: 16, use: 'apps/v1' }],
  'apps/v1beta2': [{ since: 9, gone: 16, use: 'apps/v1' }],
  'authentication.k8s.io/v1beta1': [
    { since: 19, gone: 22, use: 'authentication.k8s.io/v1', kinds: ['TokenReview'] },
  ],
  'authorization.k8s.io/v1beta1': [{ since: 19, gone: 22, use: 'authorization.k8s.io/v1' }],
  'autoscaling/v2beta1': [{ since: 22, gone: 25, use: 'autoscaling/v2' }],
  'autoscaling/v2beta2': [{ since: 23, gone: 26, use: 'autoscaling/v2' }],
  'batch/v1beta1': [{ since: 21, gone: 25, use: 'batch/v1' }],
  'certificates.k8s.io/v1alpha1': [{ since: 34, gone: 37, kinds: ['ClusterTrustBundle'] }],
  'certificates.k8s.io/v1beta1': [
    { since: 19, gone: 22, use: 'certificates.k8s.io/v1', kinds: ['CertificateSigningRequest'] },
  ],
  'coordination.k8s.io/v1alpha2': [{ since: 35, gone: 38, kinds: ['LeaseCandidate'] }],
  'coordination.k8s.io/v1beta1': [
    { since: 36, gone: 39, kinds: ['LeaseCandidate'] },
    { since: 19, gone: 22, use: 'coordination.k8s.io/v1', kinds: ['Lease'] },
  ],
  'discovery.k8s.io/v1beta1': [{ since: 21, gone: 25, use: 'discovery.k8s.io/v1' }],
  'events.k8s.io/v1beta1': [{ since: 22, gone: 25 }],
  'extensions/v1beta1': [
    { since: 8, gone: 16, use: 'apps/v1', kinds: ['DaemonSet', 'Deployment', 'ReplicaSet'] },
    { since: 14, gone: 22, use: 'networking.k8s.io/v1', kinds: ['Ingress'] },
    { since: 9, gone: 16, use: 'networking.k8s.io/v1', kinds: ['NetworkPolicy'] },
    { since: 11, gone: 16, use: 'policy/v1beta1', kinds: ['PodSecurityPolicy'] },
    { since: 8, gone: 16, kinds: ['DeploymentRollback'] },
    { since: 2, gone: 16, kinds: ['Scale'] },
  ],
  'flowcontrol.apiserver.k8s.io/v1beta1': [
    { since: 23, gone: 26, use: 'flowcontrol.apiserver.k8s.io/v1beta3' },
  ],
  'flowcontrol.apiserver.k8s.io/v1beta2': [
    { since: 26, gone: 29, use: 'flowcontrol.apiserver.k8s.io/v1beta3' },
  ],
  'flowcontrol.apiserver.k8s.io/v1beta3': [{ since: 29, gone: 32, use: 'flowcontrol.apiserver.k8s.io/v1' }],
  'networking.k8s.io/v1beta1': [
    { since: 34, gone: 37, kinds: ['IPAddress', 'ServiceCIDR'] },
    { since: 19, gone: 22, use: 'networking.k8s.io/v1', kinds: ['Ingress', 'IngressClass'] },
  ],
  'node.k8s.io/v1beta1': [{ since: 22, gone: 25 }],
  'policy/v1beta1': [
    { since: 21, gone: 25, use: 'policy/v1', kinds: ['PodDisruptionBudget'] },
    { since: 21, gone: 25, kinds: ['PodSecurityPolicy'] },
  ],
  'rbac.authorization.k8s.io/v1beta1': [{ since: 17, gone: 22, use: 'rbac.authorization.k8s.io/v1' }],
  'resource.k8s.io/v1alpha3': [{ since: 36, gone: 39, kinds: ['DeviceTaintRule'] }],
  'resource.k8s.io/v1beta1': [
    {
      since: 35,
      gone: 38,
      kinds: ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
    },
  ],
  'resource.k8s.io/v1beta2': [
    {
      since: 36,
      gone: 39,
      kinds: ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
    },
  ],
  'scheduling.k8s.io/v1beta1': [{ since: 14, gone: 22, use: 'scheduling.k8s.io/v1' }],
  'storage.k8s.io/v1alpha1': [
    { since: 21, gone: 24, use: 'storage.k8s.io/v1beta1', kinds: ['CSIStorageCapacity'] },
    { since: 21, gone: 24, use: 'storage.k8s.io/v1', kinds: ['VolumeAttachment'] },
  ],
  'storage.k8s.io/v1beta1': [
    { since: 34, gone: 37, use: 'storage.k8s.io/v1', kinds: ['VolumeAttributesClass'] },
    { since: 17, gone: 22, use: 'storage.k8s.io/v1', kinds: ['CSINode'] },
    { since: 24, gone: 27, use: 'storage.k8s.io/v1', kinds: ['CSIStorageCapacity'] },
    { since: 19, gone: 22, use: 'storage.k8s.io/v1' },
  ],
};

/** Replacements that upstream misnames. */
const replacementKinds: Readonly<Record<string, string>> = {
  'networking.k8s.io/v1beta1 IngressClass': 'IngressClassList',
};

/** The minor version that removes the kind; Infinity for kinds that stay. */
export const goneIn = (kind: Pick<Kind, 'apiVersion' | 'kind'>): number =>
  deprecationIn(kind)?.gone ?? Number.POSITIVE_INFINITY;

const deprecationIn = ({ apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>): Deprecation | undefined =>
  deprecations[apiVersion]?.find(({ kinds }) => kinds === undefined || kinds.includes(kind));

/** The warning's text; undefined for kinds that stay. */
export function deprecationOf({ apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>): string | undefined {
  const found = deprecationIn({ apiVersion, kind });
  if (found === undefined) return undefined;
  const { since, gone, use } = found;
  const text = `${apiVersion} ${kind} is deprecated in v1.${since}+, unavailable in v1.${gone}+`;
  if (use === undefined) return text;
  return `${text}; use ${use} ${replacementKinds[`${apiVersion} ${kind}`] ?? kind}`;
}
