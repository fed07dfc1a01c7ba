/** What a program tells at `/metrics`, family by family. */

export interface Family {
  readonly name: string;
  readonly type: string;
  /** Of Kubernetes' own: `STABLE`, `BETA`, `ALPHA`. */
  readonly stability: string | undefined;
  /** Names of labels, sorted and joined, of each sort of sample; `le` and `quantile` left out. */
  readonly labels: ReadonlySet<string>;
  /** The bounds of the buckets of a histogram. */
  readonly bounds: readonly string[];
  /** Of all samples but buckets. */
  readonly sum: number;
}

/** @param text in Prometheus' text format */
export function familiesOf(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, { -readonly [K in keyof Family]: Family[K] } & { labels: Set<string> }>();
  let current = '';
  let stability: string | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('# HELP ')) stability = /^# HELP \S+ \[(\w+)\]/.exec(line)?.[1];
    else if (line.startsWith('# TYPE ')) {
      const [, , name = '', type = ''] = line.split(' ');
      current = name;
      families.set(name, { name, type, stability, labels: new Set(), bounds: [], sum: 0 });
    } else if (line !== '') {
      const family = families.get(current);
      if (family === undefined) continue;
      const sample = /^([^{ ]+)(?:\{(.*)\})? (\S+)(?: \d+)?$/.exec(line);
      if (sample === null) throw new Error(`not a sample: ${line}`);
      const names = [...(sample[2] ?? '').matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)];
      const le = names.find(([, name]) => name === 'le')?.[0];
      if (le !== undefined && !family.bounds.includes(le)) family.bounds = [...family.bounds, le];
      family.labels.add(
        names
          .map(([, name = '']) => name)
          .filter((name) => name !== 'le' && name !== 'quantile')
          .sort()
          .join(','),
      );
      if (le === undefined) family.sum += Number(sample[3]);
    }
  }
  return families;
}
