import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { canonicalQuantity } from '@coxswain/apimachinery/quantity.ts';
import { accessModesText, storageClassOf } from './claim.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { terminating } from './persistent-volume-claim.ts';
import { DescriptionText } from './text.ts';
import { persistentVolumeKinds } from './volume-sources.ts';
import { describeKind } from './volumes.ts';

type PersistentVolume = Live<core.PersistentVolume>;

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export const describePersistentVolume: Describer = async (object, context) => {
  const volume: PersistentVolume = object;
  const { metadata, spec = {}, status = {} } = volume;
  const { claimRef: claim } = spec;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'Finalizers', `[${(metadata.finalizers ?? []).join(' ')}]`);
  text.field(0, 'StorageClass', storageClassOf(volume, spec.storageClassName));
  const end = metadata.deletionTimestamp;
  text.field(0, 'Status', end ? terminating(end, context.nowMs) : status.phase);
  text.field(0, 'Claim', claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`);
  text.field(0, 'Reclaim Policy', spec.persistentVolumeReclaimPolicy);
  text.field(0, 'Access Modes', accessModesText(spec.accessModes));
  if (spec.volumeMode !== undefined) text.field(0, 'VolumeMode', spec.volumeMode);
  text.field(0, 'Capacity', canonicalQuantity(spec.capacity?.['storage'] ?? '0'));
  describeAffinity(text, spec.nodeAffinity);
  text.field(0, 'Message', status.message);
  text.line(0, 'Source:');
  describeKind(text, spec, persistentVolumeKinds);
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};

function describeAffinity(
  text: DescriptionText,
  affinity: NonNullable<PersistentVolume['spec']>['nodeAffinity'],
): void {
  if (affinity?.required === undefined) return text.line(0, 'Node Affinity:\t<none>');
  text.line(0, 'Node Affinity:\t');
  const terms = affinity.required.nodeSelectorTerms ?? [];
  text.field(1, 'Required Terms', terms.length === 0 ? '<none>' : '');
  terms.forEach(({ matchExpressions = [] }, index) => {
    if (matchExpressions.length === 0) text.field(2, `Term ${index}`, '<none>');
    matchExpressions.forEach((requirement, place) => {
      text.line(2, `${place === 0 ? `Term ${index}:` : ''}\t${requirementText(requirement)}`);
    });
  });
}

const requirementText = ({ key, operator, values = [] }: Requirement): string =>
  `${key} ${operator.toLowerCase()}${values.length === 0 ? '' : ` [${values.join(', ')}]`}`;
