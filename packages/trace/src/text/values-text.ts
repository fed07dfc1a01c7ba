/** Values of a step as text: what is short beside its name, the rest below it. */

import type { Part } from './layout.ts';

const inlineMax = 60;
const linesMax = 40;

type Values = Readonly<Record<string, unknown>> | undefined;

/** Short ones, on one line; those that the name says already are left out. */
export const summaryOf = (values: Values, name: string): string =>
  Object.entries(values ?? {})
    .filter(([, value]) => isShort(value) && !name.includes(String(value)))
    .map(([key, value]) => `${key}=${plain(value)}`)
    .join(' ');

const isShort = (value: unknown): boolean =>
  ['number', 'boolean'].includes(typeof value) ||
  (typeof value === 'string' && value !== '' && value.length <= inlineMax && !value.includes('\n'));

const plain = (value: unknown): string =>
  typeof value === 'string' && /\s/.test(value) ? JSON.stringify(value) : String(value);

/** Changes always, since they are what a step is for; whole objects only if all is to be shown. */
export function* valueLines(values: Values, everything: boolean): Generator<readonly Part[]> {
  for (const [key, value] of Object.entries(values ?? {})) {
    if (isShort(value)) continue;
    if (key === 'diff' && Array.isArray(value)) yield* value.map(changeLine);
    else if (everything) yield* blockLines(key, value);
  }
}

function changeLine(change: unknown): readonly Part[] {
  const { path, before, after } = change as { path?: string; before?: unknown; after?: unknown };
  return [
    { text: `${path}: ` },
    ...(before === undefined ? [] : [{ text: brief(before), style: 'bad' } as const, { text: ' → ' }]),
    { text: after === undefined ? 'removed' : brief(after), style: 'good' },
  ];
}

const brief = (value: unknown): string => JSON.stringify(value) ?? String(value);

function* blockLines(key: string, value: unknown): Generator<readonly Part[]> {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? String(value));
  const lines = text.split('\n');
  yield [{ text: `${key}: `, style: 'dim' }, { text: lines.length === 1 ? text : lines[0]! }];
  for (const line of lines.slice(1, linesMax)) yield [{ text: `  ${line}` }];
  if (lines.length > linesMax) yield [{ text: `  … ${lines.length - linesMax} more lines`, style: 'dim' }];
}
