import type { KubeObject } from '@coxswain/apimachinery';
import type { LabelSelectorSpec } from '@coxswain/apimachinery/label-selector.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { formatSelector } from './selector.ts';
import { DescriptionText } from './text.ts';

interface PodDisruptionBudget extends KubeObject {
  readonly spec?: {
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly selector?: LabelSelectorSpec;
  };
  readonly status?: {
    readonly disruptionsAllowed?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly expectedPods?: number;
  };
}

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
