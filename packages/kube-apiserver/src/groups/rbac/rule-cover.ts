/** Whether some rules cover everything that others allow. */
import { goQuote } from '@coxswain/apimachinery';
import type { GrantedRule } from '../../authorization/rule-lister.ts';

/** The parts of `wanted` that no rule of `held` covers, compacted as upstream prints them. */
export function uncovered(held: readonly GrantedRule[], wanted: readonly GrantedRule[]): GrantedRule[] {
  const missing = wanted.flatMap(simpleRules).filter((rule) => !held.some((owner) => covers(owner, rule)));
  return compacted(missing);
}

/** One rule for each combination of verb, group, resource and, if given, name. */
function simpleRules(rule: GrantedRule): GrantedRule[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const ofResources = apiGroups.flatMap((apiGroup) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb): GrantedRule[] =>
        resourceNames.length === 0
          ? [{ apiGroups: [apiGroup], resources: [resource], verbs: [verb] }]
          : resourceNames.map((name) => ({
              apiGroups: [apiGroup],
              resources: [resource],
              verbs: [verb],
              resourceNames: [name],
            })),
      ),
    ),
  );
  const ofUrls = nonResourceURLs.flatMap((url) =>
    verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })),
  );
  return [...ofResources, ...ofUrls];
}

function covers(owner: GrantedRule, rule: GrantedRule): boolean {
  const verb = rule.verbs![0]!;
  if (!has(owner.verbs, verb)) return false;
  const url = rule.nonResourceURLs?.[0];
  if (url !== undefined) return (owner.nonResourceURLs ?? []).some((one) => urlCovers(one, url));
  const name = rule.resourceNames?.[0];
  const namesCovered =
    !owner.resourceNames?.length || (name !== undefined && owner.resourceNames.includes(name));
  return (
    has(owner.apiGroups, rule.apiGroups![0]!) && resourceCovered(owner, rule.resources![0]!) && namesCovered
  );
}

const has = (held: readonly string[] = [], wanted: string): boolean =>
  held.includes('*') || held.includes(wanted);

function resourceCovered({ resources = [] }: GrantedRule, wanted: string): boolean {
  if (has(resources, wanted)) return true;
  const slash = wanted.indexOf('/');
  return slash > 0 && resources.includes(`*${wanted.slice(slash)}`);
}

const urlCovers = (held: string, wanted: string): boolean =>
  held === '*' || held === wanted || (held.endsWith('*') && wanted.startsWith(held.slice(0, -1)));

/** Combines the verbs of the same resource. */
function compacted(rules: readonly GrantedRule[]): GrantedRule[] {
  const byTarget = new Map<string, GrantedRule>();
  for (const rule of rules) {
    const { verbs = [], ...target } = rule;
    const key = JSON.stringify(target);
    const before = byTarget.get(key);
    byTarget.set(key, { ...target, verbs: [...(before?.verbs ?? []), ...verbs] });
  }
  return [...byTarget.values()].toSorted((a, b) => (ruleText(a) < ruleText(b) ? -1 : 1));
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}` */
export function ruleText({
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
  verbs,
}: GrantedRule): string {
  const parts = [
    ['APIGroups', apiGroups],
    ['Resources', resources],
    ['ResourceNames', resourceNames],
    ['NonResourceURLs', nonResourceURLs],
    ['Verbs', verbs],
  ] as const;
  const shown = parts.flatMap(([name, items]) =>
    items?.length ? [`${name}:[${items.map((item) => goQuote(item)).join(' ')}]`] : [],
  );
  return `{${shown.join(', ')}}`;
}
