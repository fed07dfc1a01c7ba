/** Usage of containers as defined by kwok's ResourceUsage: quantities, and CEL expressions with kwok's functions. */

import type { Clock, Random } from '@coxswain/apimachinery';
import type { Program } from '@coxswain/cel';
import { amountOf, type SaidUsage } from '../simulated-metrics/simulated-usage.ts';
import { entryFor, type PodRules } from './kwok-objects.ts';
import { compiled, evaluated, kwokEnvironment, seenBy } from './kwok-environment.ts';

export interface UsageParts {
  readonly rules: PodRules['usages'];
  readonly clock: Clock;
  readonly random: Random;
}

/** @throws Error describing what is wrong with an invalid expression */
export function saidUsage({ rules, clock, random }: UsageParts): SaidUsage {
  const environment = kwokEnvironment(clock, random);
  const programs = new Map<string, Program>();
  for (const { entries } of rules)
    for (const { usage = {} } of entries)
      for (const { expression } of Object.values(usage))
        if (expression !== undefined) programs.set(expression, compiled(environment, expression));
  return (node, pod, name) => {
    const { namespace = '', name: podName = '' } = pod.metadata ?? {};
    const usage = entryFor(rules, { namespace, name: podName }, name)?.usage;
    if (usage === undefined) return undefined;
    const container = pod.spec?.containers.find((one) => one.name === name);
    const seen = seenBy(node, pod, container);
    const said: Record<string, string> = {};
    for (const [resource, { value, expression }] of Object.entries(usage)) {
      const amount =
        value !== undefined
          ? amountOf(String(value))
          : expression === undefined
            ? undefined
            : evaluated(programs.get(expression)!, seen);
      if (typeof amount === 'number' && amount >= 0) said[resource] = textOf(resource, amount);
    }
    return said;
  };
}

/** CPU is in thousandths of a core; everything else is whole. */
const textOf = (resource: string, amount: number): string => {
  if (resource !== 'cpu') return String(Math.round(amount));
  const milli = Math.round(amount * 1000);
  return milli % 1000 === 0 ? String(milli / 1000) : `${milli}m`;
};
