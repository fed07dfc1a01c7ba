/** Describes a claim, alone or as a template in a pod's volume. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';
import { canonicalQuantity } from '@coxswain/apimachinery/quantity.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import type { DescriptionText } from './text.ts';

export type PersistentVolumeClaim = Live<core.PersistentVolumeClaim>;

export interface ClaimCondition {
  readonly type: string;
  readonly status: string;
  readonly lastProbeTime?: string | null;
  readonly lastTransitionTime?: string | null;
  readonly reason?: string;
  readonly message?: string;
}

const shortModes: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** `RWO,RWX`: each mode once, in a fixed order. */
export const accessModesText = (modes: readonly string[] | undefined): string =>
  shortModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');

/** A deprecated annotation that still takes precedence over the field. */
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

export const storageClassOf = (object: KubeObject, name: string | undefined): string =>
  object.metadata?.annotations?.[classAnnotation] ?? name ?? '';

/** Name and state exist only for actual claims. */
export function describeClaimFields(
  text: DescriptionText,
  claim: PersistentVolumeClaim,
  indent = '',
  status?: string,
): void {
  const { metadata, spec = {}, status: state = {} } = claim;
  const isBound = spec.volumeName !== undefined && spec.volumeName !== '';
  const field = (name: string, value: unknown): void => text.field(0, `${indent}${name}`, value);
  field('StorageClass', storageClassOf(claim, spec.storageClassName));
  if (status !== undefined) field('Status', status);
  field('Volume', spec.volumeName);
  describeLabels(text, 'Labels', metadata?.labels, indent);
  describeAnnotations(text, 'Annotations', metadata?.annotations, indent);
  if (status !== undefined) field('Finalizers', `[${(metadata.finalizers ?? []).join(' ')}]`);
  field('Capacity', isBound ? canonicalQuantity(state.capacity?.['storage'] ?? '0') : '');
  field('Access Modes', isBound ? accessModesText(state.accessModes) : '');
  if (spec.volumeMode !== undefined) field('VolumeMode', spec.volumeMode);
  if (!spec.dataSource) return;
  text.line(0, `${indent}DataSource:`);
  if (spec.dataSource.apiGroup) field('  APIGroup', spec.dataSource.apiGroup);
  field('  Kind', spec.dataSource.kind);
  field('  Name', spec.dataSource.name);
}
