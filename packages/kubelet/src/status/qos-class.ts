import { compareQuantities, isZeroQuantity, parseQuantity } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';

export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

const counted = ['cpu', 'memory'] as const;

/** Guaranteed when every container has equal cpu and memory requests and limits, BestEffort when none has any. */
export function qosClassOf({ spec }: Pod): QosClass {
  const whole = spec?.resources;
  const parts: Pick<Container, 'resources'>[] =
    whole && (whole.requests || whole.limits)
      ? [{ resources: whole }]
      : [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const asksForSomething = ({ resources }: Pick<Container, 'resources'>) =>
    counted.some((name) => isPresent(resources?.requests, name) || isPresent(resources?.limits, name));
  if (!parts.some(asksForSomething)) return 'BestEffort';
  const isFixed = ({ resources }: Pick<Container, 'resources'>) =>
    counted.every((name) => {
      const limit = resources?.limits?.[name];
      const request = resources?.requests?.[name] ?? limit;
      return (
        isPresent(resources?.limits, name) &&
        compareQuantities(parseQuantity(request!), parseQuantity(limit!)) === 0
      );
    });
  return parts.every(isFixed) ? 'Guaranteed' : 'Burstable';
}

const isPresent = (list: Record<string, string> | undefined, name: string): boolean =>
  list?.[name] !== undefined && !isZeroQuantity(parseQuantity(list[name]));
