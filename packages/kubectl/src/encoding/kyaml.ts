/** KYAML: a strict dialect of YAML, with braces, brackets and quotes everywhere. */
import { printedValue } from '@coxswain/apimachinery/jsonpath/value.ts';
import { compareYamlKeys } from '@coxswain/apimachinery/yaml/key-order.ts';
import { resolvePlain } from '@coxswain/apimachinery/yaml/plain-scalar.ts';

export const toKyaml = (value: unknown): string => `---\n${render(value, 0)}\n`;

function render(value: unknown, indent: number): string {
  if (Array.isArray(value)) return renderList(value, indent);
  if (typeof value === 'object' && value !== null)
    return renderObject(value as Record<string, unknown>, indent);
  if (typeof value === 'string') return renderString(value, indent);
  return value === null ? 'null' : printedValue(value);
}

const pad = (indent: number): string => ' '.repeat(indent);

function renderObject(object: Record<string, unknown>, indent: number): string {
  const keys = Object.keys(object)
    .filter((key) => object[key] !== undefined)
    .sort(compareYamlKeys);
  if (keys.length === 0) return '{}';
  const lines = keys.map((key) => `${pad(indent + 2)}${keyText(key)}: ${render(object[key], indent + 2)},\n`);
  return `{\n${lines.join('')}${pad(indent)}}`;
}

function renderList(items: readonly unknown[], indent: number): string {
  if (items.length === 0) return '[]';
  const structured = (item: unknown) =>
    typeof item === 'object' && item !== null && Object.keys(item).length > 0;
  // Objects in a list are cuddled: [{ … }, { … }].
  if (items.every(structured)) return `[${items.map((item) => render(item, indent)).join(', ')}]`;
  return `[\n${items.map((item) => `${pad(indent + 2)}${render(item, indent + 2)},\n`).join('')}${pad(indent)}]`;
}

/** Keys that YAML could take for something else are quoted. */
const keyText = (key: string): string =>
  /^[A-Za-z][\w./-]*$/.test(key) && resolvePlain(key).kind === 'string' ? key : JSON.stringify(key);

function renderString(text: string, indent: number): string {
  if (!text.includes('\n')) return quote(text);
  // Each line of the text on a line of its own, joined by escaped line ends.
  const lines = text.split('\n');
  const body = lines.map((line, index) => {
    const last = index === lines.length - 1;
    const lead = /^[ \t]/.test(line) ? '\\' : last && line === '' ? '' : ' ';
    return `${pad(indent + 2)}${last && line === '' ? '' : lead}${quote(line).slice(1, -1)}${last ? '' : '\\n\\\n'}`;
  });
  return `"\\\n${body.join('')}${lines.at(-1) === '' ? '' : '\\\n' + pad(indent + 2)}"`;
}

const quote = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\x7F');
