import { canonicalQuantity } from '@coxswain/apimachinery/quantity.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { describePodTemplate } from './pod-spec.ts';
import { selectorText } from './selector.ts';
import { DescriptionText, timeText } from './text.ts';
import { countPods, describeCounts, type VolumeClaimTemplate, type Workload } from './workload.ts';

export const describeStatefulSet: Describer = async (object, context) => {
  const set: Workload = object;
  const { metadata, spec = {}, status = {} } = set;
  const selector = selectorText(spec.selector);
  const counts = await countPods(context, object, selector);
  const events = await context.events(object);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  text.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  text.field(0, 'Selector', selector);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'Replicas', `${spec.replicas ?? 1} desired | ${status['replicas'] ?? 0} total`);
  text.field(0, 'Update Strategy', spec.updateStrategy?.type);
  text.optional(1, 'Partition', spec.updateStrategy?.rollingUpdate?.partition);
  describeCounts(text, counts);
  describePodTemplate(text, spec.template ?? {});
  describeClaims(text, spec.volumeClaimTemplates);
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

function describeClaims(text: DescriptionText, claims: readonly VolumeClaimTemplate[] = []): void {
  if (claims.length === 0) return text.line(0, 'Volume Claims:\t<none>');
  text.line(0, 'Volume Claims:');
  for (const { metadata, spec = {} } of claims) {
    text.field(1, 'Name', metadata.name);
    text.field(1, 'StorageClass', spec.storageClassName);
    describeLabels(text, '  Labels', metadata.labels);
    describeLabels(text, '  Annotations', metadata.annotations);
    const storage = spec.resources?.requests?.['storage'];
    text.field(1, 'Capacity', storage === undefined ? '<default>' : canonicalQuantity(storage));
    text.field(1, 'Access Modes', `[${(spec.accessModes ?? []).join(' ')}]`);
  }
}
