/** The names of the claims that a pod uses: of its volumes (PersistentVolumeClaims) and of devices (ResourceClaims). */
import type { Pod } from '../pod.ts';
import type { Volume } from '../volume.ts';

/**
 * The name of the PersistentVolumeClaim behind a volume; undefined for volumes of other kinds. The claim of an ephemeral
 * volume is named after pod and volume (KEP-1698).
 *
 * @example volumeClaimName(web, { name: 'data', ephemeral: {} }) // 'web-data'
 */
export function volumeClaimName(
  { metadata }: { readonly metadata?: { readonly name?: string } },
  { name, persistentVolumeClaim, ephemeral }: Volume,
): string | undefined {
  if (persistentVolumeClaim) return persistentVolumeClaim.claimName;
  return ephemeral ? `${metadata?.name ?? ''}-${name}` : undefined;
}

type PodSpec = NonNullable<Pod['spec']>;
export type PodResourceClaim = NonNullable<PodSpec['resourceClaims']>[number];

/** How the name of a pod's ResourceClaim is known (KEP-3063). */
export type ResourceClaimName =
  /** Generated claims have the pod as their controller. */
  | { readonly kind: 'named'; readonly name: string; readonly isGenerated: boolean }
  /** To be generated from the template. */
  | { readonly kind: 'missing' }
  /** The template requires no claim. */
  | { readonly kind: 'needless' };

/** The name that the pod gives to one of its claims, or that is in its status once the claim was generated. */
export function resourceClaimName(
  { status }: Pick<Pod, 'status'>,
  claim: PodResourceClaim,
): ResourceClaimName {
  if (claim.resourceClaimName) return { kind: 'named', name: claim.resourceClaimName, isGenerated: false };
  const generated = status?.resourceClaimStatuses?.find(({ name }) => name === claim.name);
  if (generated === undefined) return { kind: 'missing' };
  const name = generated.resourceClaimName;
  return name ? { kind: 'named', name, isGenerated: true } : { kind: 'needless' };
}

/** All names that are known, with that of the claim that the scheduler made for extended resources (KEP-5004). */
export function resourceClaimNames({ spec, status }: Pick<Pod, 'spec' | 'status'>): string[] {
  const names = (spec?.resourceClaims ?? []).flatMap((claim) => {
    const known = resourceClaimName({ status }, claim);
    return known.kind === 'named' ? [known.name] : [];
  });
  const extended = status?.extendedResourceClaimStatus?.resourceClaimName;
  return extended ? [...names, extended] : names;
}
