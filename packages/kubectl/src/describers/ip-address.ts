import type * as networking from '@coxswain/api/networking/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText } from './text.ts';

type IPAddress = Live<networking.IPAddress>;

export const describeIpAddress: Describer = async (object, context) => {
  const { metadata, spec }: IPAddress = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  const parent = spec?.parentRef;
  if (parent !== undefined) {
    text.line(0, 'Parent Reference:');
    text.field(1, 'Group', parent.group);
    text.field(1, 'Resource', parent.resource);
    text.field(1, 'Namespace', parent.namespace);
    text.field(1, 'Name', parent.name);
  }
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};
