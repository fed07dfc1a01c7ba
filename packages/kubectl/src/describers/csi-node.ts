import type * as storage from '@coxswain/api/storage/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import { goValue } from '@coxswain/schema/scalars/go-value.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText, timeText } from './text.ts';

type CSINode = Live<storage.CSINode>;

export const describeCsiNode: Describer = async (object, context) => {
  const { metadata, spec = {} }: CSINode = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'CreationTimestamp', timeText(metadata.creationTimestamp));
  text.line(0, 'Spec:');
  if (spec.drivers) text.line(1, 'Drivers:');
  for (const { name, nodeID, allocatable, topologyKeys } of spec.drivers ?? []) {
    text.line(2, `${name}:`);
    text.field(3, 'Node ID', nodeID);
    if (allocatable?.count !== undefined) {
      text.line(3, 'Allocatables:');
      text.field(4, 'Count', allocatable.count);
    }
    if (topologyKeys) text.field(3, 'Topology Keys', goValue(topologyKeys));
  }
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};
