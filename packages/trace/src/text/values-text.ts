/** The values of a step as text: short ones beside its name, the rest below. */

import type { Part } from './layout.ts';

const inlineMax = 60;
const pathMax = 120;
const linesMax = 40;
const wholeLinesMax = 2000;
/** Longer lines wrap if a value is shown as a whole. */
const wholeColumns = 90;

/**
 * Changes are always shown, since they are the purpose of a step; other values in part, or as a whole for a single
 * undertaking.
 */
export type Amount = 'changes' | 'part' | 'whole';

type Values = Readonly<Record<string, unknown>> | undefined;

/** Bytes that are text are shown as text, exactly as they were sent or stored. */
const entriesOf = (values: Values): readonly (readonly [string, unknown])[] =>
  Object.entries(values ?? {}).map(([key, value]) => [key, isTextOfBytes(value) ? value.text : value]);

const isTextOfBytes = (value: unknown): value is { readonly text: string } =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as { readonly text?: unknown }).text === 'string' &&
  Object.keys(value).length === 1;

/** Short values on one line, except those that the name already contains. Paths come last, without a long query. */
export const summaryOf = (values: Values, name: string): string =>
  entriesOf(values)
    .map(([key, value]) => [key, isPath(value) ? briefPath(value) : value] as const)
    .filter(([, value]) => isShort(value) && !name.includes(String(value)))
    .toSorted(([, one], [, other]) => Number(isPath(one)) - Number(isPath(other)))
    .map(([key, value]) => `${key}=${plain(value)}`)
    .join(' ');

const isPath = (value: unknown): value is string => typeof value === 'string' && /^\/\S*$/.test(value);

function briefPath(path: string): string {
  const [before = '', query] = path.split('?');
  if (path.length <= inlineMax || query === undefined) return path;
  return `${before}?…`;
}

const isShort = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every(isShort) && plain(value).length <= inlineMax
    : ['number', 'boolean'].includes(typeof value) ||
      (typeof value === 'string' &&
        value !== '' &&
        value.length <= (isPath(value) ? pathMax : inlineMax) &&
        !value.includes('\n'));

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(',');
  if (typeof value === 'number') return String(Number(value.toFixed(3)));
  return typeof value === 'string' && /\s/.test(value) ? JSON.stringify(value) : String(value);
}

export function* valueLines(values: Values, amount: Amount): Generator<readonly Part[]> {
  for (const [key, value] of entriesOf(values)) {
    if (value === '' || isShort(value) || isEmptyList(value)) continue;
    if (key === 'diff' && Array.isArray(value)) yield* value.map(changeLine);
    else if (amount !== 'changes') yield* blockLines(key, value, amount === 'whole');
  }
}

function changeLine(change: unknown): readonly Part[] {
  const { path, before, after } = change as { path?: string; before?: unknown; after?: unknown };
  return [
    { text: `${path || 'object'}: ` },
    ...(before === undefined ? [] : [{ text: brief(before), style: 'bad' } as const, { text: ' → ' }]),
    { text: after === undefined ? 'removed' : brief(after), style: 'good' },
  ];
}

const brief = (value: unknown): string => JSON.stringify(value) ?? String(value);

function* blockLines(key: string, value: unknown, isWhole: boolean): Generator<readonly Part[]> {
  const text = typeof value === 'string' ? value.trimEnd() : jsonText(value);
  const lines = isWhole ? text.split('\n').flatMap(wrapped) : text.split('\n');
  const most = isWhole ? wholeLinesMax : linesMax;
  yield [{ text: `${key}: `, style: 'dim' }, { text: lines.length === 1 ? text : lines[0]! }];
  for (const line of lines.slice(1, most)) yield [{ text: `  ${line}` }];
  if (lines.length > most) yield [{ text: `  … ${lines.length - most} more lines`, style: 'dim' }];
}

/** Formats values that fit on a line as one line, at every depth; lists of words and numbers fill their lines. */
function jsonText(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value) ?? String(value);
  if (indent.length + flat.length <= wholeColumns || typeof value !== 'object' || value === null) return flat;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => jsonText(item, deeper))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${jsonText(member, deeper)}`);
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  const lines = isPlain ? filled(parts, wholeColumns - deeper.length) : parts.map((part) => `${part},`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return [open, ...lines.map((line) => deeper + line), indent + close]
    .join('\n')
    .replace(/,(\n *[\]}])$/, '$1');
}

function filled(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 2 <= width)
      lines[lines.length - 1] = `${last} ${word},`;
    else lines.push(`${word},`);
  }
  return lines;
}

const wrapped = (line: string): readonly string[] =>
  line.length <= wholeColumns ? [line] : (line.match(new RegExp(`.{1,${wholeColumns}}`, 'gu')) ?? []);
