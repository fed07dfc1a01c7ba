/** Computes the role or binding that has at least the contents of a file. */
import type * as rbac from '@coxswain/api/rbac/v1/index.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';
import { uncovered } from './coverage.ts';
import type { Rule } from './rules.ts';

export type Subject = Live<rbac.Subject>;

type RoleRef = Partial<Live<rbac.RoleRef>>;

type AggregationRule = Live<rbac.AggregationRule>;

export interface RbacObject extends KubeObject {
  readonly rules?: readonly Rule[] | null;
  readonly aggregationRule?: AggregationRule;
  readonly roleRef?: RoleRef;
  readonly subjects?: readonly Subject[];
}

export interface Reconciliation {
  readonly object: RbacObject;
  readonly operation: 'none' | 'create' | 'update' | 'recreate';
  /** Whether the object opts out of reconciliation. */
  readonly isProtected: boolean;
  readonly missingRules: readonly Rule[];
  readonly extraRules: readonly Rule[];
  readonly missingSubjects: readonly Subject[];
  readonly extraSubjects: readonly Subject[];
}

export interface Removal {
  readonly rules: boolean;
  readonly subjects: boolean;
}

export const isBinding = ({ kind = '' }: RbacObject): boolean => kind.endsWith('Binding');

const protectingAnnotation = 'rbac.authorization.kubernetes.io/autoupdate';

const nothing = { missingRules: [], extraRules: [], missingSubjects: [], extraSubjects: [] };

export function reconciliation(
  current: RbacObject | undefined,
  wanted: RbacObject,
  removal: Removal,
): Reconciliation {
  if (current === undefined)
    return {
      ...nothing,
      object: wanted,
      operation: 'create',
      isProtected: false,
      missingRules: isBinding(wanted) ? [] : (wanted.rules ?? []),
      missingSubjects: wanted.subjects ?? [],
    };
  const isProtected = current.metadata.annotations?.[protectingAnnotation] === 'false';
  if (isBinding(wanted) && !isSameRole(current.roleRef, wanted.roleRef))
    return { ...nothing, object: wanted, operation: 'recreate', isProtected };
  const metadata = mergedMetadata(current, wanted);
  const base = { ...current, metadata };
  const outcome = isBinding(wanted)
    ? withSubjects(base, wanted, removal.subjects)
    : withRules(base, wanted, removal.rules);
  const isChanged = !isEqual(outcome.object, current);
  return { ...nothing, ...outcome, operation: isChanged ? 'update' : 'none', isProtected };
}

type Outcome = Pick<Reconciliation, 'object'> & Partial<Reconciliation>;

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Compared as text: a missing API group in the file means a different role. */
const isSameRole = (a: RoleRef = {}, b: RoleRef = {}): boolean =>
  (a.apiGroup ?? '') === (b.apiGroup ?? '') &&
  (a.kind ?? '') === (b.kind ?? '') &&
  (a.name ?? '') === (b.name ?? '');

/** Adds labels and annotations of the file that the object lacks; existing values are kept. */
function mergedMetadata(current: RbacObject, wanted: RbacObject): RbacObject['metadata'] {
  const merged: Record<string, unknown> = { ...current.metadata };
  for (const field of ['annotations', 'labels'] as const) {
    const added = Object.entries(wanted.metadata[field] ?? {}).filter(
      ([key]) => current.metadata[field]?.[key] === undefined,
    );
    if (added.length > 0) merged[field] = { ...current.metadata[field], ...Object.fromEntries(added) };
  }
  return merged;
}

function withRules(current: RbacObject, wanted: RbacObject, remove: boolean): Outcome {
  const there = current.rules ?? [];
  const asked = wanted.rules ?? [];
  const bothAggregate = wanted.aggregationRule !== undefined && current.aggregationRule !== undefined;
  const extraRules = bothAggregate ? [] : uncovered(there, asked);
  const missingRules = uncovered(asked, there);
  const isMissing = missingRules.length > 0;
  const rules = !remove && isMissing ? [...there, ...missingRules] : asked;
  const object = isMissing || (remove && extraRules.length > 0) ? { ...current, rules } : current;
  return {
    object: withAggregation(object, wanted, remove),
    missingRules,
    extraRules: remove ? extraRules : [],
  };
}

function withAggregation(current: RbacObject, wanted: RbacObject, remove: boolean): RbacObject {
  const { aggregationRule: there, ...rest } = current;
  const asked = wanted.aggregationRule;
  if (asked === undefined) return there === undefined ? current : (rest as RbacObject);
  const has = (rule: AggregationRule | undefined, one: unknown) =>
    (rule?.clusterRoleSelectors ?? []).some((other) => isEqual(other, one));
  const missing = (asked.clusterRoleSelectors ?? []).filter((one) => !has(there, one));
  const extra = (there?.clusterRoleSelectors ?? []).filter((one) => !has(asked, one));
  if (remove && missing.length + extra.length > 0) return { ...current, aggregationRule: asked };
  if (remove || missing.length === 0) return current;
  const clusterRoleSelectors = [...(there?.clusterRoleSelectors ?? []), ...missing];
  return { ...current, aggregationRule: { ...there, clusterRoleSelectors } };
}

function withSubjects(current: RbacObject, wanted: RbacObject, remove: boolean): Outcome {
  const there = current.subjects ?? [];
  const asked = wanted.subjects ?? [];
  const missingSubjects = difference(asked, there);
  const extraSubjects = remove ? difference(there, asked) : [];
  const subjects = remove ? asked : [...there, ...missingSubjects];
  const isChanged = missingSubjects.length + extraSubjects.length > 0;
  return { object: isChanged ? { ...current, subjects } : current, missingSubjects, extraSubjects };
}

export const subjectText = ({ kind, apiGroup = '', name, namespace = '' }: Subject): string =>
  `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`;

/** Returns the subjects of the first list that are not in the second, without duplicates. */
function difference(list: readonly Subject[], other: readonly Subject[]): Subject[] {
  const known = new Set(other.map(subjectText));
  return list.filter((one) => {
    const text = subjectText(one);
    if (known.has(text)) return false;
    known.add(text);
    return true;
  });
}

const words = (list: readonly string[] = []): string => `[${list.join(' ')}]`;

export const ruleText = ({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: Rule): string =>
  `{Verbs:${words(verbs)} APIGroups:${words(apiGroups)} Resources:${words(resources)} ResourceNames:${words(resourceNames)} NonResourceURLs:${words(nonResourceURLs)}}`;
