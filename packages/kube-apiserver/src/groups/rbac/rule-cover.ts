/** Whether some rules cover everything that others allow. */
import { goQuote } from '@coxswain/apimachinery';
import { currentAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import type { GrantedRule } from '../../authorization/rule-lister.ts';

/** A rule of a few kilobytes can stand for a billion combinations. */
const comparisonsMaxDefault = 2e8;
/** The maximum number of missing rules that are listed. */
const missingMax = 10_000;

export class TooManyCombinations extends Error {}

/**
 * The parts of `wanted` that no rule of `held` covers, compacted as upstream prints them; at most some thousands.
 * @throws TooManyCombinations, AllowanceSpent
 */
export function uncovered(
  held: readonly GrantedRule[],
  wanted: readonly GrantedRule[],
  comparisonsMax: number = comparisonsMaxDefault,
): GrantedRule[] {
  const allowance = currentAllowance();
  const missing: GrantedRule[] = [];
  let comparisons = 0;
  const isCovered = (rule: GrantedRule): boolean =>
    held.some((owner) => {
      comparisons++;
      allowance?.countStep();
      return covers(owner, rule);
    });
  for (const rule of wanted) {
    for (const simple of simpleRules(rule)) {
      allowance?.countStep();
      if (!isCovered(simple) && missing.push(simple) === missingMax) return compacted(missing);
      if (++comparisons > comparisonsMax) throw new TooManyCombinations();
    }
  }
  return compacted(missing);
}

/** One rule for each combination of verb, group, resource and, if given, name. */
function* simpleRules(rule: GrantedRule): Generator<GrantedRule> {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const named: readonly Pick<GrantedRule, 'resourceNames'>[] =
    resourceNames.length === 0 ? [{}] : resourceNames.map((name) => ({ resourceNames: [name] }));
  for (const apiGroup of apiGroups)
    for (const resource of resources)
      for (const verb of verbs)
        for (const names of named)
          yield { apiGroups: [apiGroup], resources: [resource], verbs: [verb], ...names };
  for (const url of nonResourceURLs)
    for (const verb of verbs) yield { nonResourceURLs: [url], verbs: [verb] };
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
  const byTarget = new Map<string, GrantedRule & { readonly verbs: string[] }>();
  for (const rule of rules) {
    const { verbs = [], ...target } = rule;
    const key = JSON.stringify(target);
    const before = byTarget.get(key);
    if (before === undefined) byTarget.set(key, { ...target, verbs: [...verbs] });
    else before.verbs.push(...verbs);
  }
  const texts = new Map([...byTarget.values()].map((rule) => [rule, ruleText(rule)]));
  return [...texts.keys()].toSorted((a, b) => (texts.get(a)! < texts.get(b)! ? -1 : 1));
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
