/** Determines whether rules allow everything that other rules allow. */
import type { Rule } from './rules.ts';

/** Returns what `rules` allow but the others don't, split into single verbs, resources and names. */
export const uncovered = (rules: readonly Rule[], others: readonly Rule[]): Rule[] =>
  rules.flatMap(pieces).filter((piece) => !others.some((rule) => covers(rule, piece)));

function pieces({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: Rule): Rule[] {
  const found: Rule[] = [];
  for (const group of apiGroups)
    for (const resource of resources)
      for (const verb of verbs) {
        const piece = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (resourceNames.length === 0) found.push(piece);
        else for (const name of resourceNames) found.push({ ...piece, resourceNames: [name] });
      }
  for (const url of nonResourceURLs)
    for (const verb of verbs) found.push({ verbs: [verb], nonResourceURLs: [url] });
  return found;
}

function covers(rule: Rule, piece: Rule): boolean {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const has = (all: readonly string[], one: string | undefined) =>
    one === undefined || all.includes('*') || all.includes(one);
  const [resource] = piece.resources ?? [];
  const [url] = piece.nonResourceURLs ?? [];
  const [name] = piece.resourceNames ?? [];
  return (
    has(verbs, piece.verbs[0]) &&
    has(apiGroups, piece.apiGroups?.[0]) &&
    (has(resources, resource) || coversSubresource(resources, resource ?? '')) &&
    (resourceNames.length === 0 || (name !== undefined && resourceNames.includes(name))) &&
    (url === undefined || nonResourceURLs.some((one) => coversUrl(one, url)))
  );
}

/** `pods/log` is covered by a rule for all `log` subresources. */
const coversSubresource = (resources: readonly string[], wanted: string): boolean =>
  wanted.includes('/') && resources.includes(`*${wanted.slice(wanted.indexOf('/'))}`);

const coversUrl = (pattern: string, url: string): boolean =>
  pattern === url || (pattern.endsWith('*') && url.startsWith(pattern.replace(/\*+$/, '')));
