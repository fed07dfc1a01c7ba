/** The audit annotations of an authorization decision and its reason. */
import type { Decision } from '../authorization/authorizer.ts';

/** Authorizers return the same decision objects repeatedly, so the annotations of each are made once. */
const kept = new WeakMap<Decision, Readonly<Record<string, string>>>();

export function decisionAnnotations(decision: Decision): Readonly<Record<string, string>> {
  let annotations = kept.get(decision);
  if (annotations === undefined) kept.set(decision, (annotations = Object.freeze(annotationsOf(decision))));
  return annotations;
}

function annotationsOf({ kind, reason, problem }: Decision): Record<string, string> {
  if (kind !== 'allow' && problem !== undefined) return { 'authorization.k8s.io/reason': 'internal error' };
  return {
    'authorization.k8s.io/decision': kind === 'allow' ? 'allow' : 'forbid',
    'authorization.k8s.io/reason': reason,
  };
}
