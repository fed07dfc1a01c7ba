/** Functions of sprig that depend only on their arguments: on text, numbers, lists and dictionaries. */

import { isTrue, type TemplateFunction } from '@coxswain/kubectl/template/functions.ts';

type Dictionary = Readonly<Record<string, unknown>>;

const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'object' && value !== null
      ? JSON.stringify(value)
      : String(value ?? '');

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const dictionary = (value: unknown): Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Dictionary) : {};

/** Like sprig's `int64`: non-numbers become 0, fractions are truncated. */
const whole = (value: unknown): number => {
  const number = typeof value === 'boolean' ? Number(value) : Number(text(value) || 0);
  return Number.isFinite(number) ? Math.trunc(number) : 0;
};

const capitalized = (words: string): string =>
  words.replace(/(^|\s)(\S)/g, (_all, before: string, first: string) => before + first.toUpperCase());

const indented = (width: unknown, lines: unknown): string =>
  text(lines).replaceAll(/^/gm, ' '.repeat(whole(width)));

const texts: Readonly<Record<string, TemplateFunction>> = {
  toString: ([value]: readonly unknown[]) => text(value),
  quote: (args) => args.map((value) => JSON.stringify(text(value))).join(' '),
  squote: (args) => args.map((value) => `'${text(value)}'`).join(' '),
  lower: ([value]) => text(value).toLowerCase(),
  upper: ([value]) => text(value).toUpperCase(),
  title: ([value]) => capitalized(text(value)),
  trim: ([value]) => text(value).trim(),
  trimPrefix: ([prefix, value]) =>
    text(value).startsWith(text(prefix)) ? text(value).slice(text(prefix).length) : text(value),
  trimSuffix: ([suffix, value]) =>
    text(suffix) !== '' && text(value).endsWith(text(suffix))
      ? text(value).slice(0, -text(suffix).length)
      : text(value),
  contains: ([part, value]) => text(value).includes(text(part)),
  hasPrefix: ([part, value]) => text(value).startsWith(text(part)),
  hasSuffix: ([part, value]) => text(value).endsWith(text(part)),
  replace: ([from, to, value]) => text(value).replaceAll(text(from), () => text(to)),
  trunc: ([length, value]) =>
    whole(length) < 0 ? text(value).slice(whole(length)) : text(value).slice(0, whole(length)),
  indent: ([width, value]) => indented(width, value),
  nindent: ([width, value]) => `\n${indented(width, value)}`,
  join: ([separator, values]) => list(values).map(text).join(text(separator)),
  splitList: ([separator, value]) => text(value).split(text(separator)),
  b64enc: ([value]) => Buffer.from(text(value)).toString('base64'),
  b64dec: ([value]) => new TextDecoder().decode(Uint8Array.fromBase64(text(value))),
  toJson: ([value]) => JSON.stringify(value ?? null),
  fromJson: ([value]) => JSON.parse(text(value)) as unknown,
};

const numbers: Readonly<Record<string, TemplateFunction>> = {
  int: ([value]) => whole(value),
  int64: ([value]) => whole(value),
  add: (args) => args.reduce((sum: number, value) => sum + whole(value), 0),
  add1: ([value]) => whole(value) + 1,
  sub: ([first, second]) => whole(first) - whole(second),
  mul: (args) => args.reduce((product: number, value) => product * whole(value), 1),
  div: ([first, second]) => quotient(whole(first), whole(second)),
  mod: ([first, second]) => whole(first) - whole(second) * quotient(whole(first), whole(second)),
  max: (args) => Math.max(...args.map(whole)),
  min: (args) => Math.min(...args.map(whole)),
};

function quotient(first: number, second: number): number {
  if (second === 0) throw new Error('integer divide by zero');
  return Math.trunc(first / second);
}

const choices: Readonly<Record<string, TemplateFunction>> = {
  default: ([fallback, value]) => (isTrue(value) ? value : fallback),
  empty: ([value]) => !isTrue(value),
  coalesce: (args) => args.find(isTrue),
  ternary: ([first, second, condition]) => (isTrue(condition) ? first : second),
};

const collections: Readonly<Record<string, TemplateFunction>> = {
  list: (args) => args,
  first: ([values]) => list(values)[0],
  last: ([values]) => list(values).at(-1),
  append: ([values, value]) => [...list(values), value],
  has: ([value, values]) => list(values).includes(value),
  dict: (args) =>
    Object.fromEntries(
      args.flatMap((name, index) => (index % 2 === 0 ? [[text(name), args[index + 1] ?? '']] : [])),
    ),
  get: ([values, name]) => dictionary(values)[text(name)] ?? '',
  hasKey: ([values, name]) => Object.hasOwn(dictionary(values), text(name)),
  keys: (args) => args.flatMap((values) => Object.keys(dictionary(values)).toSorted()),
  merge: (args) => Object.assign({}, ...args.map(dictionary).toReversed()) as Dictionary,
};

export const sprigFunctions: Readonly<Record<string, TemplateFunction>> = {
  ...texts,
  ...numbers,
  ...choices,
  ...collections,
};
