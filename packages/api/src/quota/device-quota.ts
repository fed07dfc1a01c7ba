/** Quota of device claims that count as extended resources, by their device classes. */
import { compareQuantities, quantityOf, subtractQuantities, zeroQuantity } from '@coxswain/apimachinery';
import type { DeviceClass } from '../resource/v1/device-class.ts';
import type { ResourceClaim } from '../resource/v1/resource-claim.ts';
import type { Pod } from '../core/v1/pod.ts';
import type { Totals } from '../core/v1/pod/pod-totals.ts';

/** The objects that the computation reads. */
export interface DeviceObjects {
  readonly classes: readonly DeviceClass[];
  pod(namespace: string, name: string): Pod | undefined;
  /** In one namespace. */
  claims(namespace: string): readonly ResourceClaim[];
}

export interface DeviceQuota {
  /** Whether claims count for this quota name. */
  countsFor(name: string): boolean;
  /** A claim's usage of extended resources beyond that of its pod. @param byClass devices by class */
  usageOf(claim: ResourceClaim, byClass: ReadonlyMap<string, number>): Totals;
}

/** The prefix of a class's implicit extended resource. */
const ownResource = 'deviceclass.resource.kubernetes.io/';
const extendedName = new RegExp(`^requests\\.(?:${ownResource}|(?!.*kubernetes\\.io/)[^/]+/)`);
const annotation = 'resource.kubernetes.io/extended-resource-claim';

/** Whether a quota name is for an extended resource. */
export const isExtendedInQuota = (name: string): boolean => extendedName.test(name);

/** @param usageOfPod returns a pod's usage of quota */
export function deviceQuota(objects: DeviceObjects, usageOfPod: (pod: Pod) => Totals): DeviceQuota {
  const resources = new Map<string, string>();
  const known = new Set<string>();
  for (const { metadata, spec } of objects.classes) {
    known.add(`${ownResource}${metadata?.name}`);
    if (!spec.extendedResourceName) continue;
    known.add(spec.extendedResourceName);
    resources.set(metadata?.name ?? '', spec.extendedResourceName);
  }
  return {
    countsFor: (name) => isExtendedInQuota(name) && known.has(name.slice('requests.'.length)),
    usageOf(claim, byClass) {
      const usage: Totals = new Map();
      const pod = podBehind(claim, objects);
      const ofPod: Totals = pod === undefined ? new Map() : usageOfPod(pod);
      for (const [className, count] of byClass) {
        const names = [`${ownResource}${className}`, resources.get(className) ?? ''];
        for (const name of names.filter(Boolean).map((one) => `requests.${one}`)) {
          const left = subtractQuantities(quantityOf(count), ofPod.get(name) ?? zeroQuantity);
          if (compareQuantities(left, zeroQuantity) > 0) usage.set(name, left);
        }
      }
      return usage;
    },
  };
}

/** The pod for whose extended resources the scheduler created the claim, which is the pod's first such claim. */
function podBehind(claim: ResourceClaim, objects: DeviceObjects): Pod | undefined {
  const owner = podOwning(claim);
  if (owner === undefined) return undefined;
  const { namespace = '', name = '' } = claim.metadata ?? {};
  const pod = objects.pod(namespace, owner.name);
  if (pod?.metadata?.uid !== owner.uid) return undefined;
  const reported = pod.status?.extendedResourceClaimStatus;
  if (reported) return reported.resourceClaimName === name ? pod : undefined;
  const createdMs = ({ metadata }: ResourceClaim) => Date.parse(metadata?.creationTimestamp ?? '') || 0;
  const isFirst = objects
    .claims(namespace)
    .filter((other) => podOwning(other)?.uid === owner.uid)
    .every((other) => {
      const age = createdMs(other) - createdMs(claim);
      return age > 0 || (age === 0 && (other.metadata?.name ?? '') >= name);
    });
  return isFirst ? pod : undefined;
}

/** The pod that owns a claim created by the scheduler. */
export const podOwning = ({ metadata }: ResourceClaim): { name: string; uid: string } | undefined =>
  metadata?.annotations?.[annotation] === 'true'
    ? metadata.ownerReferences?.find(
        ({ controller, kind, apiVersion }) => controller && kind === 'Pod' && apiVersion === 'v1',
      )
    : undefined;
