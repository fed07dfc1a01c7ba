/** The values of a step: short ones as a table, changes as a diff, the rest as JSON that folds. */

import { element } from './elements.ts';

export function valuesElement(values: Readonly<Record<string, unknown>>): HTMLElement {
  const made = element('div', 'values');
  for (const [name, value] of Object.entries(values)) made.append(valueElement(name, value));
  return made;
}

function valueElement(name: string, value: unknown): HTMLElement {
  if (Array.isArray(value) && value.length > 0 && value.every(isChange))
    return block(name, changesElement(value), true);
  if (Array.isArray(value) && value.length > 0 && value.every((line) => /^[-+] /.test(String(line))))
    return block(name, linesElement(value.map(String)), true);
  const text = bytesText(value);
  if (text !== undefined) return block(name, element('pre', '', prettier(text)), true);
  if (typeof value !== 'object' || value === null) {
    const plain = String(value);
    if (plain.length > longMin || plain.includes('\n'))
      return block(name, element('pre', '', prettier(plain)), true);
    return element('div', 'row', element('span', 'name', name), scalar(value));
  }
  return block(name, tree(value, 0), Object.keys(value).length <= openMax);
}

/** Longer text has lines of its own. */
const longMin = 90;
/** Larger values are folded initially. */
const openMax = 12;
const itemsMax = 400;

interface Change {
  readonly path: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'path' in value && ('before' in value || 'after' in value);

function changesElement(changes: readonly Change[]): HTMLElement {
  return linesElement(
    changes.flatMap(({ path, before, after }) => [
      ...(before === undefined ? [] : [`- ${path}: ${JSON.stringify(before)}`]),
      ...(after === undefined ? [] : [`+ ${path}: ${JSON.stringify(after)}`]),
    ]),
  );
}

function linesElement(lines: readonly string[]): HTMLElement {
  const made = element('div', 'changes');
  for (const line of lines.slice(0, itemsMax))
    made.append(element('div', line.startsWith('-') ? 'removed' : 'added', line));
  return made;
}

/** Bytes are recorded as `{ text }` or `{ base64 }`. */
function bytesText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  const [only] = entries;
  return entries.length === 1 && (only![0] === 'text' || only![0] === 'base64')
    ? String(only![1])
    : undefined;
}

/** Formats JSON on several lines; other text stays as it is. */
function prettier(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

function block(name: string, content: HTMLElement, isOpen: boolean): HTMLElement {
  const made = element('details', 'block', element('summary', 'name', name), content);
  made.open = isOpen;
  return made;
}

function tree(value: object, depth: number): HTMLElement {
  const made = element('div', 'tree');
  for (const [name, member] of Object.entries(value).slice(0, itemsMax)) {
    if (typeof member !== 'object' || member === null) {
      made.append(element('div', 'row', element('span', 'name', name), scalar(member)));
      continue;
    }
    const size = Object.keys(member).length;
    const mark = Array.isArray(member) ? `[${size}]` : `{${size}}`;
    const inner = element(
      'details',
      '',
      element('summary', '', element('span', 'name', name), element('span', 'size', mark)),
    );
    if (size > 0) whenOpened(inner, () => tree(member, depth + 1));
    inner.open = depth < 2 && size <= openMax;
    made.append(inner);
  }
  return made;
}

/** Creates the content on first opening, so that folded values cost nothing. */
function whenOpened(details: HTMLDetailsElement, content: () => HTMLElement): void {
  details.addEventListener('toggle', () => details.append(content()), { once: true });
}

const scalar = (value: unknown): HTMLElement =>
  element('span', `scalar ${value === null ? 'null' : typeof value}`, String(value));
