/** Kinds added after the oldest release that can be emulated, and the minor release that added them. */
import type { Kind } from '@coxswain/schema';

interface Introduction {
  readonly since: number;
  /** The kinds concerned; all of the version if unset. */
  readonly kinds?: readonly string[];
}

const introductions: Readonly<Record<string, readonly Introduction[]>> = {
  'admissionregistration.k8s.io/v1': [
    { since: 36, kinds: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'] },
  ],
  'admissionregistration.k8s.io/v1beta1': [
    { since: 34, kinds: ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'] },
  ],
  'certificates.k8s.io/v1beta1': [{ since: 35, kinds: ['PodCertificateRequest'] }],
  'resource.k8s.io/v1': [{ since: 34 }],
  'resource.k8s.io/v1alpha3': [{ since: 36, kinds: ['ResourcePoolStatusRequest'] }],
  'resource.k8s.io/v1beta2': [{ since: 36, kinds: ['DeviceTaintRule'] }],
  'storage.k8s.io/v1': [{ since: 34, kinds: ['VolumeAttributesClass'] }],
  'storagemigration.k8s.io/v1beta1': [{ since: 35 }],
};

/** 0: it has always existed. */
export const introducedIn = ({ apiVersion, kind }: Pick<Kind, 'apiVersion' | 'kind'>): number =>
  introductions[apiVersion]?.find(({ kinds }) => kinds === undefined || kinds.includes(kind))?.since ?? 0;
