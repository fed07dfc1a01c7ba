import type * as networking from '@coxswain/api/networking/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText } from './text.ts';

type IngressClass = Live<networking.IngressClass>;

export const describeIngressClass: Describer = async (object, context) => {
  const { metadata, spec = {} }: IngressClass = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'Controller', spec.controller);
  if (spec.parameters !== undefined) {
    text.line(0, 'Parameters:');
    text.optional(1, 'APIGroup', spec.parameters.apiGroup);
    text.field(1, 'Kind', spec.parameters.kind);
    text.field(1, 'Name', spec.parameters.name);
  }
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};
