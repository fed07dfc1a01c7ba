/**
 * Field selectors: `status.phase=Running,spec.nodeName!=node-1`. Only equality, with `\` to escape `\`, `,` and `=`.
 */

import { compareText, isOneOf } from './compare-text.ts';
import { atOnce, partsPerStep, sortedInSteps, type Steps } from './work-in-steps.ts';

export interface FieldTerm {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

export interface FieldSelector {
  readonly terms: readonly FieldTerm[];
  readonly everything: boolean;
  /** `fieldOf` returns the empty string for fields that the object doesn't have. */
  matches(fieldOf: (field: string) => string): boolean;
  toString(): string;
}

/** Renames or refuses a field; returns undefined to drop the term. */
export type FieldTransform = (term: FieldTerm) => FieldTerm | undefined;

export function fieldSelectorOf(terms: readonly FieldTerm[]): FieldSelector {
  return {
    terms,
    everything: terms.length === 0,
    matches: compiled(terms),
    toString: () =>
      terms.map((term) => `${term.field}${term.operator}${escapeFieldValue(term.value)}`).join(','),
  };
}

/** Looks up each field once, however many terms it has. */
function compiled(terms: readonly FieldTerm[]): FieldSelector['matches'] {
  const required = new Map<string, string>();
  const excluded = new Map<string, string[]>();
  let isPossible = true;
  for (const { field, operator, value } of terms) {
    if (operator === '=') {
      isPossible &&= (required.get(field) ?? value) === value;
      required.set(field, value);
      continue;
    }
    const values = excluded.get(field);
    if (values === undefined) excluded.set(field, [value]);
    else values.push(value);
  }
  const wanted = [...required];
  const unwanted = Array.from(excluded, ([field, values]) => [field, isOneOf(values)] as const);
  return (fieldOf) =>
    isPossible &&
    wanted.every(([field, value]) => fieldOf(field) === value) &&
    unwanted.every(([field, isExcluded]) => !isExcluded(fieldOf(field)));
}

export const everyField: FieldSelector = fieldSelectorOf([]);

/**
 * Parses a selector; `transform` is called with every term.
 * @throws Error with upstream's message: `invalid selector: 'a'; can't understand 'a'`
 */
export const parseFieldSelector = (text: string, transform?: FieldTransform): FieldSelector =>
  atOnce(fieldSelectorInSteps(text, transform));

/** Parses a long selector in short steps. @throws Error as {@link parseFieldSelector} */
export function* fieldSelectorInSteps(
  text: string,
  transform: FieldTransform = (term) => term,
): Steps<FieldSelector> {
  const terms: FieldTerm[] = [];
  let partCount = 0;
  for (const part of yield* sortedInSteps(splitTerms(text), compareText)) {
    if (++partCount % partsPerStep === 0) yield;
    if (part === '') continue;
    const match = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
    if (match === null) throw new Error(`invalid selector: '${text}'; can't understand '${part}'`);
    const [, field = '', operator, value = ''] = match;
    const read = unescapeFieldValue(value);
    // A term without field and value is dropped before the field is checked.
    if (field === '' && read === '') continue;
    const term = transform({ field, operator: operator === '!=' ? '!=' : '=', value: read });
    if (term !== undefined && !(term.field === '' && term.value === '')) terms.push(term);
  }
  return fieldSelectorOf(terms);
}

/** The required value of a field, if there is one; for indexes. */
export const exactFieldMatch = (selector: FieldSelector, field: string): string | undefined =>
  selector.terms.find((term) => term.field === field && term.operator === '=')?.value;

const escapeFieldValue = (value: string): string => value.replace(/[\\,=]/g, '\\$&');

function unescapeFieldValue(text: string): string {
  if (!/[\\,=]/.test(text)) return text;
  let value = '';
  const characters = [...text];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === ',' || character === '=') {
      throw new Error(`invalid field selector: unescaped character in value: ${character.codePointAt(0)}`);
    }
    if (character !== '\\') {
      value += character;
      continue;
    }
    const escaped = characters[++at] ?? '';
    if (escaped === '' || !'\\,='.includes(escaped)) {
      throw new Error(`invalid field selector: invalid escape sequence: \\${escaped}`);
    }
    value += escaped;
  }
  return value;
}

/** Splits at unescaped commas; backslashes are kept. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}
