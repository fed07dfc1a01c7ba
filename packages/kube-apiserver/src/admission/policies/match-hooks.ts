/** Matches a write with policies and bindings. */
import { StatusError } from '@coxswain/apimachinery';
import type { AdmissionAttributes } from '@coxswain/apiserver';
import { everyRule, matchRequest, type MatchedRequest, type MatchingParts } from '../rule-matching.ts';
import type { MatchResources } from './policy-objects.ts';

/** `problem`: a selector that could not be evaluated, which is the policy's fault, not the write's. */
export type Match = MatchedRequest | { readonly problem: string } | undefined;

const everyRules = [everyRule];

/** @param resources everything if the binding has none */
export function matchResources(
  attributes: AdmissionAttributes,
  resources: MatchResources | null | undefined,
  parts: MatchingParts,
): Match | Promise<Match> {
  const { resourceRules, excludeResourceRules, namespaceSelector, objectSelector, matchPolicy } =
    resources ?? {};
  try {
    const matched = matchRequest(
      attributes,
      {
        rules: resourceRules?.length ? resourceRules : everyRules,
        excludeRules: excludeResourceRules,
        namespaceSelector,
        objectSelector,
        matchPolicy,
      },
      parts,
    );
    return matched instanceof Promise ? matched.catch(problemOf) : matched;
  } catch (failure) {
    return problemOf(failure);
  }
}

function problemOf(failure: unknown): Match {
  if (failure instanceof StatusError) return { problem: failure.message };
  throw failure;
}
