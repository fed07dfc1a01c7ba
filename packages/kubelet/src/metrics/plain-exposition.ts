/** Formats metrics that are read from elsewhere on each scrape as Prometheus text. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  /** Labels, value, and the time of the reading in milliseconds since 1970. */
  readonly values: readonly (readonly [
    labels: Readonly<Record<string, string>>,
    value: number,
    atMs?: number,
  ])[];
}

export const exposition = (families: readonly Family[]): string =>
  families
    .filter(({ values }) => values.length > 0)
    .flatMap(({ name, help, type, values }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...values.map(
        ([labels, value, atMs]) =>
          `${name}${labelText(labels)} ${value}${atMs === undefined ? '' : ` ${atMs}`}`,
      ),
    ])
    .map((line) => `${line}\n`)
    .join('');

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
