import type * as scheduling from '@coxswain/api/scheduling/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { formatLabels } from './selector.ts';
import { DescriptionText } from './text.ts';

type PriorityClass = Live<scheduling.PriorityClass>;

export const describePriorityClass: Describer = async (object, context) => {
  const {
    metadata,
    value = 0,
    globalDefault = false,
    preemptionPolicy,
    description = '',
  }: PriorityClass = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Value', value);
  text.field(0, 'GlobalDefault', globalDefault);
  text.optional(0, 'PreemptionPolicy', preemptionPolicy);
  text.field(0, 'Description', description);
  text.field(0, 'Annotations', formatLabels(metadata.annotations));
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};
