/** Prints what a user may do as a table. */
import { alignTabs } from '../printers/tab-writer.ts';

export interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

export interface RulesReview {
  readonly status?: {
    readonly resourceRules?: readonly Rule[];
    readonly nonResourceRules?: readonly Rule[];
    readonly evaluationError?: string;
  };
}

/** Splits a rule by verb, resource, name and URL. */
function splitRule({
  verbs = [],
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: Rule): Rule[] {
  const names = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  const each = verbs.map((verb) => [verb]);
  return [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        each.flatMap((one) =>
          names.map((name) => ({
            verbs: one,
            apiGroups: [group],
            resources: [resource],
            resourceNames: name,
          })),
        ),
      ),
    ),
    ...nonResourceURLs.flatMap((url) => each.map((one) => ({ verbs: one, nonResourceURLs: [url] }))),
  ];
}

const keyOf = ({ apiGroups = [], resources = [], resourceNames = [] }: Rule): string =>
  JSON.stringify([apiGroups, resources, resourceNames]);

/** Merges rules for the same resource; those for URLs stay apart. */
function mergeRules(rules: readonly Rule[]): Rule[] {
  const merged = new Map<string, Rule>();
  const others: Rule[] = [];
  for (const rule of rules) {
    if (rule.nonResourceURLs?.length) {
      others.push(rule);
      continue;
    }
    const key = keyOf(rule);
    const before = merged.get(key);
    merged.set(
      key,
      before === undefined ? rule : { ...before, verbs: [...new Set([...before.verbs, ...rule.verbs])] },
    );
  }
  return [...merged.values(), ...others];
}

const list = (words: readonly string[] = []): string => `[${words.join(' ')}]`;

const sortKey = (rule: Rule): string =>
  [
    list(rule.verbs),
    list(rule.apiGroups),
    list(rule.resources),
    list(rule.resourceNames),
    list(rule.nonResourceURLs),
  ].join(',');

/** The cells of each rule: resource, URLs, names, verbs. */
export const ruleCells = (rules: readonly Rule[]): string[][] =>
  mergeRules(rules.flatMap(splitRule))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : sortKey(a) > sortKey(b) ? 1 : 0))
    .map((rule) => [
      resourceText(rule),
      list(rule.nonResourceURLs),
      list(rule.resourceNames),
      list(rule.verbs),
    ]);

export const ruleHeadings: readonly string[] = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];

export function rulesTable({ status = {} }: RulesReview, withHeading: boolean): string {
  const rows = ruleCells([...(status.resourceRules ?? []), ...(status.nonResourceRules ?? [])]);
  return alignTabs(
    [...(withHeading ? [ruleHeadings] : []), ...rows].map((row) => `${row.join('\t')}\n`).join(''),
  );
}

function resourceText({ apiGroups = [], resources = [] }: Rule): string {
  const [group = ''] = apiGroups;
  const [resource = ''] = resources;
  if (group === '') return resource;
  // The group follows the resource, before any subresource.
  const slash = resource.indexOf('/');
  return slash < 0 ? `${resource}.${group}` : `${resource.slice(0, slash)}.${group}${resource.slice(slash)}`;
}
