/** The type of an unquoted word in go-yaml v3: as in v2, except that `yes`, `on` and similar words are strings. */
import { resolvePlain, type PlainScalar } from '@coxswain/apimachinery/yaml/plain-scalar.ts';

export function resolveWord(text: string): PlainScalar {
  const found = resolvePlain(text);
  if (found.kind === 'bool' && !/^(?:true|True|TRUE|false|False|FALSE)$/.test(text)) {
    return { kind: 'string', value: text };
  }
  return found;
}

export const tagOfKind = {
  string: '!!str',
  bool: '!!bool',
  int: '!!int',
  float: '!!float',
  null: '!!null',
  timestamp: '!!timestamp',
} as const;

/** The implicit tag of a word. */
export const impliedTag = (text: string): string =>
  text === '<<' ? '!!merge' : tagOfKind[resolveWord(text).kind];

/** Whether YAML 1.1 parsers would not take the word for a string. */
export const isNonStringWord = (text: string): boolean =>
  text !== '' && !text.includes('\n') && plainIsNonString(text);

const plainIsNonString = (text: string): boolean => {
  const { kind } = resolvePlain(text);
  // A date decoded into an untyped value stays a string; comments and collections are not words.
  if (kind !== 'string' && kind !== 'timestamp') return true;
  return /^(?:#|\s*$)/.test(text) || /^\s*(?:[[{]|- |-$|\? )/.test(text) || /:(?:\s|$)/.test(text);
};
