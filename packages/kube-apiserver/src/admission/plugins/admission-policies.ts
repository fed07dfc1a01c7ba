/** The admission policy plugins. Their code is loaded when the first policy is bound. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import type { AdmissionAttributes, AdmissionPlugin, Awaitable } from '@coxswain/apiserver';
import { on } from '../attributes.ts';
import {
  boundPolicies,
  isExempt,
  mutatingPolicies,
  validatingPolicies,
  type PolicyResources,
} from '../policies/policy-hooks.ts';
import type { PolicyBinding } from '../policies/policy-objects.ts';
import type { MutatingParts } from '../policies/mutate-write.ts';
import type { ValidatingParts } from '../policies/validate-write.ts';

export const mutatingAdmissionPolicy = (parts: MutatingParts): AdmissionPlugin => ({
  name: 'MutatingAdmissionPolicy',
  changesInPlace: false,
  handles: on('CREATE', 'UPDATE', 'CONNECT'),
  mutate: (attributes) =>
    ifBound(attributes, mutatingPolicies, parts, async (bindings) => {
      const { mutateWrite } = await inWallTime(() => import('../policies/mutate-write.ts'));
      return mutateWrite(attributes, bindings, parts);
    }),
});

export const validatingAdmissionPolicy = (parts: ValidatingParts): AdmissionPlugin => ({
  name: 'ValidatingAdmissionPolicy',
  handles: on('CREATE', 'UPDATE', 'DELETE', 'CONNECT'),
  validate: (attributes) =>
    ifBound(attributes, validatingPolicies, parts, async (bindings) => {
      const { validateWrite } = await inWallTime(() => import('../policies/validate-write.ts'));
      return validateWrite(attributes, bindings, parts);
    }),
});

/** Synchronous without policies, as on most servers. */
function ifBound(
  attributes: AdmissionAttributes,
  resources: PolicyResources,
  { objects }: ValidatingParts,
  ask: (bindings: readonly PolicyBinding[]) => Promise<void>,
): void | Promise<void> {
  const bindings: Awaitable<readonly PolicyBinding[]> = boundPolicies(resources, objects);
  if (bindings instanceof Promise) {
    return bindings.then((found) => (found.length > 0 && !isExempt(attributes) ? ask(found) : undefined));
  }
  if (bindings.length > 0 && !isExempt(attributes)) return ask(bindings);
}
