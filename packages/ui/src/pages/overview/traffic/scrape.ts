/** Parses counters and gauges in Prometheus' text format; histograms are skipped unread. */

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of these metrics, by name. */
export function samplesOf(page: string, names: readonly string[]): ReadonlyMap<string, readonly Sample[]> {
  const found = new Map<string, Sample[]>(names.map((name) => [name, []]));
  for (const name of names) {
    const start = `\n${name}{`;
    for (let at = page.indexOf(start); at >= 0; at = page.indexOf(start, at + 1)) {
      const lineEnd = page.indexOf('\n', at + 1);
      const line = page.slice(at + start.length, lineEnd < 0 ? undefined : lineEnd);
      const close = line.lastIndexOf('}');
      found.get(name)!.push({
        labels: labelsIn(line.slice(0, close)),
        value: Number(
          line
            .slice(close + 1)
            .trim()
            .split(' ')[0],
        ),
      });
    }
  }
  return found;
}

const label = /(\w+)="((?:\\.|[^"\\])*)"/g;

const labelsIn = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(text.matchAll(label), ([, name = '', value = '']) => [
      name,
      value.replaceAll(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped)),
    ]),
  );

/** The sum of the samples for each value of a label. */
export function sumBy(samples: readonly Sample[], name: string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { labels, value } of samples) {
    const key = labels[name] ?? '';
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}

/** The increase per second. A counter that decreased has restarted from zero. */
export function ratesBetween(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  seconds: number,
): ReadonlyMap<string, number> {
  const rates = [...after].map(([key, value]) => {
    const grown = value - (before.get(key) ?? 0);
    return [key, Math.max(0, grown < 0 ? value : grown) / seconds] as const;
  });
  return new Map(rates);
}
