/** What an unquoted word means to go-yaml v3: as v2, but `yes`, `on` and their like are strings. */
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

/** The tag that a word has by itself. */
export const impliedTag = (text: string): string =>
  text === '<<' ? '!!merge' : tagOfKind[resolveWord(text).kind];

/** Whether readers of YAML 1.1 would take the word for something else than a string. */
export const isNonStringWord = (text: string): boolean =>
  text !== '' && !text.includes('\n') && plainIsNonString(text);

const plainIsNonString = (text: string): boolean => {
  const { kind } = resolvePlain(text);
  // A date stays a string for who asks for any value, and a comment or a collection is none.
  if (kind !== 'string' && kind !== 'timestamp') return true;
  return /^(?:#|\s*$)/.test(text) || /^\s*(?:[[{]|- |-$|\? )/.test(text) || /:(?:\s|$)/.test(text);
};
