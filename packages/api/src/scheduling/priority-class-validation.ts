import type { FieldError } from '@coxswain/apimachinery';
import { immutable, pathOf, Errors } from '../meta/checks.ts';
import type { MetaObject } from '../meta/kind-object.ts';
import { subdomainName, validateMeta } from '../meta/object-meta-validation.ts';

interface Class extends MetaObject {
  value?: number;
  globalDefault?: boolean;
  preemptionPolicy?: string | null;
}

const userPriorityMax = 1_000_000_000;
const systemPriority = 2 * userPriorityMax;
const systemPrefix = 'system-';
const systemValues: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', systemPriority + 1000],
  ['system-cluster-critical', systemPriority],
]);
const policies = ['PreemptLowerPriority', 'Never'];

export function validatePriorityClass(priority: Class, old: Class | undefined): FieldError[] {
  const errors = new Errors();
  validateMeta(priority.metadata, old?.metadata, { namespaced: false, name: subdomainName }, errors);
  const { value = 0, preemptionPolicy: policy } = priority;
  if (old !== undefined) {
    if (value !== (old.value ?? 0)) {
      errors.forbidden('value', 'may not be changed in an update.');
    }
    immutable(policy, old.preemptionPolicy, 'preemptionPolicy', errors);
    return errors;
  }
  if (priority.metadata.name?.startsWith(systemPrefix)) {
    const problem = systemProblem(priority);
    if (problem !== undefined) {
      errors.forbidden(
        pathOf('metadata', 'name'),
        `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`,
      );
    }
  } else if (value > userPriorityMax) {
    const detail = `maximum allowed value of a user defined priority is ${userPriorityMax}`;
    errors.forbidden('value', detail);
  }
  if (policy === '') errors.required('preemptionPolicy');
  else if (policy != null && !policies.includes(policy)) {
    errors.notSupported('preemptionPolicy', policy, policies);
  }
  return errors;
}

function systemProblem({ metadata: { name }, value = 0, globalDefault = false }: Class): string | undefined {
  const expected = systemValues.get(name!);
  if (expected === undefined) return `${name} is not a known system priority class`;
  if (value !== expected) return `value of ${name} PriorityClass must be ${expected}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
