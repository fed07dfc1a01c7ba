/** Describes any object: its fields, one by one. */
import { printedValue } from '@coxswain/apimachinery/jsonpath/value.ts';
import type { Describer } from './describer.ts';
import { describeEvents } from './events.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText } from './text.ts';

/** Shown above, or omitted. */
const left = new Set([
  '.metadata.managedFields',
  '.metadata.name',
  '.metadata.namespace',
  '.metadata.labels',
  '.metadata.annotations',
]);

export const describeGeneric: Describer = async (object, context) => {
  const { metadata } = object;
  const events = await context.events(object);
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  text.field(0, 'Namespace', metadata.namespace);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  describeFields(text, 0, object as unknown as Record<string, unknown>, '');
  describeEvents(text, events, context.nowMs);
  return text.toString();
};

function describeFields(
  text: DescriptionText,
  level: number,
  object: Readonly<Record<string, unknown>>,
  path: string,
): void {
  for (const name of Object.keys(object).sort()) {
    const here = `${path}.${name}`;
    if (left.has(here)) continue;
    const value = object[name];
    if (Array.isArray(value)) {
      text.line(level, `${labelOf(name)}:`);
      for (const item of value as unknown[]) {
        if (isObject(item)) describeFields(text, level + 1, item, here);
        else text.line(level + 1, printedValue(item));
      }
    } else if (isObject(value)) {
      text.line(level, `${labelOf(name)}:`);
      describeFields(text, level + 1, value, here);
    } else text.field(level, labelOf(name), printedValue(value));
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const acronyms = ['API', 'URL', 'UID', 'GUID'];

/** `creationTimestamp` → `Creation Timestamp`, `apiVersion` → `API Version`, `podCIDRs` → `Pod CIDRs`. */
function labelOf(name: string): string {
  if (!/^[\p{L}-]+$/u.test(name)) return name;
  // Two or more capitals belong to the following word.
  const words = name.match(
    /\p{Lu}{2,}(?!\p{Ll})(\p{Lu}\p{Ll}*)?|\p{Lu}?\p{Ll}+|\p{Lu}|[^\p{Lu}\p{Ll}]+/gu,
  ) ?? [name];
  return words
    .map((word) => {
      if (acronyms.includes(word.toUpperCase())) return word.toUpperCase();
      return word === word.toLowerCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word;
    })
    .join(' ');
}
