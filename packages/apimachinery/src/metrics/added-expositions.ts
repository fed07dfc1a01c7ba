/** Adds up the metrics of several threads of one program. */
import { partsPerStep, type Steps } from '../work-in-steps.ts';
import { numberText } from './exposition.ts';

interface AddedFamily {
  readonly help: string;
  readonly type: string;
  /** Value by name and labels. */
  readonly samples: Map<string, number>;
}

/** Gauges of times, versions or ratios: the largest one counts. All others are added. */
const largestCounts = /(_seconds|_version|_ratio|_frac|_info)$/;

/** @param texts in Prometheus' text format */
export function* addedExpositions(texts: readonly string[]): Steps<string> {
  if (texts.length === 1) return texts[0]!;
  const families = new Map<string, AddedFamily>();
  for (const text of texts) yield* addTo(families, text);
  let all = '';
  for (const [name, family] of [...families].sort(([a], [b]) => (a < b ? -1 : 1))) {
    all += textOf(name, family);
    yield;
  }
  return all;
}

function* addTo(families: Map<string, AddedFamily>, text: string): Steps<void> {
  let help = '';
  let name = '';
  let family: AddedFamily | undefined;
  let lines = 0;
  for (const line of text.split('\n')) {
    if (++lines % partsPerStep === 0) yield;
    if (line.startsWith('# HELP ')) help = line;
    else if (line.startsWith('# TYPE ')) {
      const [, , reported = '', type = ''] = line.split(' ');
      name = reported;
      family = families.get(name) ?? { help, type, samples: new Map() };
      families.set(name, family);
    } else if (line !== '') {
      const space = line.lastIndexOf(' ');
      const series = line.slice(0, space);
      const value = numberOf(line.slice(space + 1));
      const { samples, type } = family!;
      const before = samples.get(series);
      samples.set(series, before === undefined ? value : together(name, type, before, value));
    }
  }
}

const together = (name: string, type: string, a: number, b: number): number =>
  type === 'gauge' && largestCounts.test(name) ? Math.max(a, b) : a + b;

/** JavaScript doesn't parse `+Inf`. */
const numberOf = (text: string): number => Number(text.replace('Inf', 'Infinity'));

function textOf(name: string, { help, type, samples }: AddedFamily): string {
  let text = `${help}\n# TYPE ${name} ${type}\n`;
  for (const [series, value] of samples) text += `${series} ${numberText(value)}\n`;
  return text;
}
