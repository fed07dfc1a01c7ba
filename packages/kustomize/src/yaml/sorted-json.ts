/** JSON with sorted members, as Go encodes maps; JavaScript itself puts integer keys first. */
import { goJson } from '@coxswain/apimachinery/go-quote.ts';

export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return goJson(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${goJson(key)}:${sortedJson(member)}`).join(',')}}`;
}

/** As {@link sortedJson}, with line breaks and an indentation of two spaces. */
export function indentedJson(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => inner + indentedJson(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null) return goJson(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (members.length === 0) return '{}';
  const lines = members.map(([key, member]) => `${inner}${goJson(key)}: ${indentedJson(member, inner)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
