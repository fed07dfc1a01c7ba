/** A policy rule compiled for fast matching. */
import type { AuthorizationAttributes } from '../authorizer.ts';
import type { PolicyRule } from './objects.ts';

export type RuleCheck = (attributes: AuthorizationAttributes) => boolean;

export function compileRule(rule: PolicyRule): RuleCheck {
  const verbs = matcher(rule.verbs);
  const groups = matcher(rule.apiGroups);
  const resources = resourceMatcher(rule.resources ?? []);
  const names = rule.resourceNames?.length ? new Set(rule.resourceNames) : undefined;
  const paths = pathMatcher(rule.nonResourceURLs ?? []);
  return (attributes) => {
    if (!verbs(attributes.verb)) return false;
    if (!attributes.isResourceRequest) return paths(attributes.path);
    return (
      groups(attributes.group) &&
      resources(attributes.resource, attributes.subresource) &&
      (names === undefined || names.has(attributes.name))
    );
  };
}

type Matcher = (value: string) => boolean;

const everything = () => true;

function matcher(values: readonly string[] = []): Matcher {
  if (values.includes('*')) return everything;
  const set = new Set(values);
  return (value) => set.has(value);
}

/** Matches `pods`, `pods/log`, `*`, and `*` before a subresource; `pods/*` matches nothing. */
function resourceMatcher(resources: readonly string[]): (resource: string, subresource: string) => boolean {
  if (resources.includes('*')) return everything;
  const exact = new Set(resources);
  const hasAnySubresource = resources.some((resource) => resource.startsWith('*/'));
  return (resource, subresource) => {
    if (subresource === '') return exact.has(resource);
    return exact.has(`${resource}/${subresource}`) || (hasAnySubresource && exact.has(`*/${subresource}`));
  };
}

/** Matches exact paths, or prefixes that end with `*`. */
function pathMatcher(paths: readonly string[]): Matcher {
  if (paths.length === 0) return () => false;
  if (paths.includes('*')) return everything;
  const exact = new Set(paths);
  const prefixes = paths.filter((path) => path.endsWith('*')).map((path) => path.replace(/\*+$/, ''));
  return (path) => exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix));
}
