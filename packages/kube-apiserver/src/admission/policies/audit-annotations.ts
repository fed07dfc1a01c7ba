/** The audit annotations of policies. */
import type { AdmissionAttributes } from '@coxswain/apiserver';
import { goJson } from '@coxswain/apimachinery/go-quote.ts';
import { nameOf, type PolicyBinding } from './policy-objects.ts';

/** In bytes; longer values are truncated. */
const valueSizeMax = 10 * 1024;

/** The annotation values of one policy, from all its bindings and their parameters. */
export class AnnotationCollector {
  readonly #values = new Map<string, Set<string>>();

  add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Set();
    this.#values.set(key, values.add(cut(value)));
  }

  publish(policyName: string, attributes: AdmissionAttributes): void {
    for (const [key, values] of this.#values) {
      attributes.annotate(`${policyName}/${key}`, [...values].join(', '));
    }
  }
}

function cut(value: string): string {
  const bytes = Buffer.from(value);
  return bytes.length <= valueSizeMax ? value : bytes.subarray(0, valueSizeMax).toString();
}

/** The key and value of the audit annotation for a failed validation. */
export function failureAnnotation(
  binding: PolicyBinding,
  expressionIndex: number,
  message: string,
): [key: string, value: string] {
  const { policyName: policy, validationActions } = binding.spec;
  const failure = { message, policy, binding: nameOf(binding), expressionIndex, validationActions };
  return ['validation.policy.admission.k8s.io/validation_failure', goJson([failure])];
}
