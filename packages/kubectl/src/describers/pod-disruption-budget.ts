import type * as policy from '@coxswain/api/policy/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { formatSelector } from './selector.ts';
import { DescriptionText } from './text.ts';

type PodDisruptionBudget = Live<policy.PodDisruptionBudget>;

export const describePodDisruptionBudget: Describer = async (object, context) => {
  const { metadata, spec = {}, status = {} }: PodDisruptionBudget = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  if (spec.minAvailable !== undefined) text.field(0, 'Min available', spec.minAvailable);
  else if (spec.maxUnavailable !== undefined) text.field(0, 'Max unavailable', spec.maxUnavailable);
  text.field(0, 'Selector', spec.selector === undefined ? '<unset>' : formatSelector(spec.selector));
  text.line(0, 'Status:');
  text.field(2, 'Allowed disruptions', status.disruptionsAllowed ?? 0);
  text.field(2, 'Current', status.currentHealthy ?? 0);
  text.field(2, 'Desired', status.desiredHealthy ?? 0);
  text.field(2, 'Total', status.expectedPods ?? 0);
  describeEvents(text, await context.events(object), context.nowMs);
  return text.toString();
};
