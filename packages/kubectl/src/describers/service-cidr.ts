import type * as networking from '@coxswain/api/networking/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText, timeText } from './text.ts';

type ServiceCIDR = Live<networking.ServiceCIDR>;

export const describeServiceCidr: Describer = async (object, context) => {
  const { metadata, spec = {}, status = {} }: ServiceCIDR = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.field(0, 'CIDRs', (spec.cidrs ?? []).join(', '));
  if (status.conditions?.length) {
    text.line(0, 'Status:');
    text.line(0, 'Conditions:');
    text.line(1, 'Type\tStatus\tLastTransitionTime\tReason\tMessage');
    text.line(1, '----\t------\t------------------\t------\t-------');
    for (const { type, status: state, lastTransitionTime, reason = '', message = '' } of status.conditions) {
      text.line(1, `${type}\t${state}\t${timeText(lastTransitionTime)}\t${reason}\t${message}`);
    }
  }
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};
