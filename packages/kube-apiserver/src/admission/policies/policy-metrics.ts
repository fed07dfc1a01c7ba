/** Metrics of policy decisions. */
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { nameOf, type AdmissionPolicy, type PolicyBinding } from './policy-objects.ts';

export type Enforcement = 'allow' | 'deny' | 'warn' | 'audit';

/** In seconds. */
const bounds = [0.0000005, 0.001, 0.01, 0.1, 1];

export class PolicyMetrics {
  readonly #metrics: Metrics;
  readonly #nowMs: () => number;

  /** @param nowMs a monotonic clock in milliseconds */
  constructor(metrics: Metrics, nowMs: () => number) {
    this.#metrics = metrics;
    this.#nowMs = nowMs;
  }

  /** Returns the start time of a measurement. */
  begin(): number {
    return this.#nowMs();
  }

  validated(
    policy: AdmissionPolicy,
    binding: PolicyBinding,
    action: Enforcement,
    decision: { readonly isError: boolean; readonly message: string },
    begunMs: number,
  ): void {
    this.#count('validating', 'Validation', begunMs, {
      ...labelsOf(policy, binding),
      error_type: errorType(decision.message),
      enforcement_action: action,
    });
  }

  mutated(
    policy: AdmissionPolicy,
    binding: PolicyBinding,
    begunMs: number,
    failure: Error | undefined,
  ): void {
    this.#count('mutating', 'Mutation', begunMs, {
      ...labelsOf(policy, binding),
      error_type: failure === undefined ? 'no_error' : errorType(failure.message),
    });
  }

  #count(kind: string, word: string, begunMs: number, labels: Readonly<Record<string, string>>): void {
    const name = `apiserver_${kind}_admission_policy_check`;
    this.#metrics
      .counter(`${name}_total`, `${word} checks by policies, by policy, binding and outcome.`, labels)
      .add();
    this.#metrics
      .histogram(
        `${name}_duration_seconds`,
        `How long ${word.toLowerCase()} checks by policies took.`,
        bounds,
        labels,
      )
      .observe((this.#nowMs() - begunMs) / 1000);
  }
}

const labelsOf = (policy: AdmissionPolicy, binding: PolicyBinding) => ({
  policy: nameOf(policy),
  policy_binding: nameOf(binding),
});

function errorType(message: string): string {
  if (message.startsWith('compilation')) return 'compile_error';
  if (message.startsWith('validation failed due to running out of cost budget')) return 'out_of_budget';
  return 'invalid_error';
}
