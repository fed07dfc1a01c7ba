/** What policies leave in the audit log. */
import type { AdmissionAttributes } from '@coxswain/apiserver';
import { goJson } from '@coxswain/apimachinery/go-quote.ts';
import { nameOf, type PolicyBinding } from './policy-objects.ts';

/** In bytes; the rest of a longer value is cut off. */
const valueSizeMax = 10 * 1024;

/** The values that one policy has for its annotations, from all its bindings and their parameters. */
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

/** Key and value of the annotation that tells of a validation that failed. */
export function failureAnnotation(
  binding: PolicyBinding,
  expressionIndex: number,
  message: string,
): [key: string, value: string] {
  const { policyName: policy, validationActions } = binding.spec;
  const failure = { message, policy, binding: nameOf(binding), expressionIndex, validationActions };
  return ['validation.policy.admission.k8s.io/validation_failure', goJson([failure])];
}
