/** Splits each line of YAML into spans for highlighting. */

import { fieldLines } from './schema/line-paths.ts';

export interface YamlSpan {
  readonly role?: 'key' | 'string' | 'literal';
  readonly text: string;
}

const literal = /^(?:-?\d[\d.eE+-]*|true|false|null|\{\}|\[\])$/;

/** One array per line. */
export function yamlSpans(text: string): readonly (readonly YamlSpan[])[] {
  const fields = new Map(fieldLines(text).map((field) => [field.line, field]));
  return text.split('\n').map((line, index) => {
    const field = fields.get(index);
    if (field === undefined) return itemSpans(line);
    return [
      { text: line.slice(0, field.from) },
      { role: 'key' as const, text: line.slice(field.from, field.to) },
      ...valueSpans(line.slice(field.to)),
    ];
  });
}

/** A line without a key: a list item, or part of a multi-line text. */
function itemSpans(line: string): readonly YamlSpan[] {
  const start = /^\s*- /.exec(line)?.[0] ?? '';
  return start === '' ? [{ text: line }] : [{ text: start }, ...valueSpans(line.slice(start.length))];
}

function valueSpans(rest: string): readonly YamlSpan[] {
  const start = /^:?\s*/.exec(rest)![0];
  const value = rest.slice(start.length);
  if (/^["']/.test(value)) return [{ text: start }, { role: 'string', text: value }];
  return literal.test(value) ? [{ text: start }, { role: 'literal', text: value }] : [{ text: rest }];
}
