/** Deprecated node labels that some clients still use. */
import type { Node } from '../objects.ts';

const olderNames = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

/** Returns the deprecated labels that are missing or differ; undefined if there are none. */
export function olderLabels({ metadata }: Node): Readonly<Record<string, string>> | undefined {
  const { labels = {} } = metadata;
  const missing = olderNames.flatMap(([name, older]) => {
    const value = labels[name];
    return value === undefined || labels[older] === value ? [] : [[older, value] as const];
  });
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}
