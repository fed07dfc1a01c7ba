/** Labels of nodes under their older names, which some still ask for. */
import type { Node } from '../objects.ts';

const olderNames = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

/** The older labels that are missing or say something else; undefined when there are none. */
export function olderLabels({ metadata }: Node): Readonly<Record<string, string>> | undefined {
  const { labels = {} } = metadata;
  const missing = olderNames.flatMap(([name, older]) => {
    const value = labels[name];
    return value === undefined || labels[older] === value ? [] : [[older, value] as const];
  });
  return missing.length === 0 ? undefined : Object.fromEntries(missing);
}
