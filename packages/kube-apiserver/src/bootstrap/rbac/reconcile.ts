/** Reconciles bootstrap roles: they keep added rules and subjects, and regain missing ones. */
import { semanticDeepEqual, type KubeObject } from '@coxswain/apimachinery';
import { uncovered } from '../../groups/rbac/rule-cover.ts';
import type { GrantedRule } from '../../authorization/rule-lister.ts';
import type { BootstrapBody } from '../../bootstrap-object.ts';

export function withMissingRules(wanted: BootstrapBody, found: KubeObject): object | undefined {
  const own = (wanted.rules ?? []) as readonly GrantedRule[];
  const stored = ((found as { rules?: readonly GrantedRule[] | null }).rules ?? []) as readonly GrantedRule[];
  // A controller aggregates the rules of an aggregating role. Most other roles are unchanged.
  const isComplete = wanted.aggregationRule !== undefined || semanticDeepEqual(stored, own);
  const missing = isComplete ? [] : uncovered(stored, own);
  const metadata = withMissingMetadata(wanted, found);
  if (missing.length === 0 && metadata === undefined) return undefined;
  return {
    ...found,
    metadata: metadata ?? found.metadata,
    rules: missing.length === 0 ? stored : [...stored, ...missing],
  };
}

export function withMissingSubjects(wanted: BootstrapBody, found: KubeObject): object | undefined {
  const own = (wanted.subjects ?? []) as readonly unknown[];
  const stored = ((found as { subjects?: readonly unknown[] | null }).subjects ?? []) as readonly unknown[];
  const missing = own.filter((subject) => !stored.some((one) => semanticDeepEqual(one, subject)));
  const metadata = withMissingMetadata(wanted, found);
  if (missing.length === 0 && metadata === undefined) return undefined;
  return { ...found, metadata: metadata ?? found.metadata, subjects: [...stored, ...missing] };
}

function withMissingMetadata({ metadata }: BootstrapBody, found: KubeObject): object | undefined {
  const { labels = {}, annotations = {} } = found.metadata;
  const wanted = { labels: metadata.labels ?? {}, annotations: metadata.annotations ?? {} };
  // Annotations may have other values than at first.
  const isComplete =
    Object.keys(wanted.labels).every((name) => labels[name] === wanted.labels[name]) &&
    Object.keys(wanted.annotations).every((name) => Object.hasOwn(annotations, name));
  if (isComplete) return undefined;
  return {
    ...found.metadata,
    labels: { ...labels, ...wanted.labels },
    annotations: { ...wanted.annotations, ...annotations },
  };
}
