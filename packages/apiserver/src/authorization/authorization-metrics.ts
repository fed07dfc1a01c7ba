/** Metrics of authorization, under upstream's names. */
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Counter, Histogram, Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { Authorizer, Decision } from './authorizer.ts';

/** In seconds: from a millisecond to sixteen seconds. */
const durationBounds = growingBounds(0.001, 2, 15);

/** Upstream's names of decisions. */
const results = { allow: 'allowed', deny: 'denied', 'no-opinion': 'no-opinion' } as const;

interface Attempts {
  readonly count: Counter;
  readonly duration: Histogram;
}

export class AuthorizationMetrics {
  readonly #metrics: Metrics;
  readonly #attempts: Partial<Record<string, Attempts>> = {};

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
  }

  ended({ kind, problem }: Decision, durationMs: number): void {
    const result = problem !== undefined && kind !== 'allow' ? 'error' : results[kind];
    const { count, duration } = (this.#attempts[result] ??= this.#ofResult(result));
    count.add();
    duration.observe(durationMs / 1000);
  }

  #ofResult(result: string): Attempts {
    const labels = { result };
    return {
      count: this.#metrics.counter(
        'authorization_attempts_total',
        'Authorization attempts, by result.',
        labels,
      ),
      duration: this.#metrics.histogram(
        'authorization_duration_seconds',
        'Duration of authorization in seconds, by result.',
        durationBounds,
        labels,
      ),
    };
  }
}

/** Wraps an authorizer so that its decisions are counted. @param type `RBAC`, `Webhook`; @param name as configured */
export function countedAuthorizer(
  authorizer: Authorizer,
  type: string,
  name: string,
  metrics: Metrics,
): Authorizer {
  const help = 'Questions that an authorizer had the answer to.';
  const counter = (decision: string) =>
    metrics.counter('apiserver_authorization_decisions_total', help, { type, name, decision });
  let allowed: Counter | undefined;
  let denied: Counter | undefined;
  const count = (decision: Decision): Decision => {
    if (decision.kind === 'allow') (allowed ??= counter('allowed')).add();
    else if (decision.kind === 'deny') (denied ??= counter('denied')).add();
    return decision;
  };
  return {
    name: authorizer.name,
    work: authorizer.work ?? authorizer.decide,
    decide(attributes) {
      const decision = authorizer.decide(attributes);
      return decision instanceof Promise ? decision.then(count) : count(decision);
    },
  };
}
