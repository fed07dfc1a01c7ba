/** KYAML: a strict dialect of YAML that always uses braces, brackets and quotes. */
import { resolvePlain } from '@coxswain/apimachinery/yaml/plain-scalar.ts';
import { keysInOrder, toJson, type KeyOrder } from './json.ts';

/** Keys have the same order as in JSON. */
export const toKyaml = (value: unknown, order: KeyOrder = 'sorted'): string =>
  `---\n${render(value, order, 0)}\n`;

function render(value: unknown, order: KeyOrder, indent: number): string {
  if (Array.isArray(value)) return renderList(value, order, indent);
  if (typeof value === 'object' && value !== null)
    return renderObject(value as Record<string, unknown>, order, indent);
  return typeof value === 'string' ? renderText(value, indent) : toJson(value);
}

const pad = (indent: number): string => ' '.repeat(indent);

function renderObject(object: Record<string, unknown>, order: KeyOrder, indent: number): string {
  const keys = keysInOrder(object, order);
  if (keys.length === 0) return '{}';
  const lines = keys.map(
    (key) => `${pad(indent + 2)}${keyText(key)}: ${render(object[key], order, indent + 2)},\n`,
  );
  return `{\n${lines.join('')}${pad(indent)}}`;
}

function renderList(items: readonly unknown[], order: KeyOrder, indent: number): string {
  if (items.length === 0) return '[]';
  // Objects and lists in a list are cuddled: [{ … }, { … }].
  if (items.every((item) => typeof item === 'object' && item !== null))
    return `[${items.map((item) => render(item, order, indent)).join(', ')}]`;
  return `[\n${items.map((item) => `${pad(indent + 2)}${render(item, order, indent + 2)},\n`).join('')}${pad(indent)}]`;
}

/** Quotes keys that YAML could interpret differently. */
function keyText(key: string): string {
  const isPlain = /^[\p{L}\p{N}_]([\p{L}\p{N}_./-]*[\p{L}\p{N}_])?$/u.test(key);
  return isPlain && !isAmbiguous(key) ? key : `"${escaped(key).replaceAll('\t', '\\t')}"`;
}

/** Whether a parser of YAML, or of Go's numbers and booleans, might not see text here. */
function isAmbiguous(text: string): boolean {
  const lower = text.toLowerCase();
  return (
    resolvePlain(text).kind !== 'string' ||
    resolvePlain(lower).kind !== 'string' ||
    /^(t|f|inf|infinity|nan|0x[0-9a-f_.]+p[+-]?\d+)$/.test(lower)
  );
}

function renderText(text: string, indent: number): string {
  if (!text.includes('\n')) return `"${escaped(text)}"`;
  // Each line of the text is on its own line, joined with escaped line ends.
  const start = pad(indent + 2);
  const lines = text.split('\n');
  const last = lines.pop()!;
  const ended = lines.map((line) => `${start}${leadOf(line)}${escaped(line)}\\n\\\n`);
  const open = last === '' ? '' : `${start}${leadOf(last)}${escaped(last)}\\\n`;
  return `"\\\n${ended.join('')}${open}${start}"`;
}

/** A leading space would be lost without a backslash; other lines are aligned with it. */
const leadOf = (line: string): string => (/^\p{White_Space}/u.test(line) ? '\\' : ' ');

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\u0000': '\\0',
  '\u0007': '\\a',
  '\u001b': '\\e',
  '\u0085': '\\N',
  '\u00a0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

/** Escapes everything except printable characters and tabs. */
const escaped = (text: string): string =>
  text.replace(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} \t]/gu, (one) => shortEscapes[one] ?? numbered(one));

function numbered(character: string): string {
  const code = character.codePointAt(0)!;
  const hex = (digits: number): string => code.toString(16).padStart(digits, '0');
  if (code < 0x80) return `\\x${hex(2)}`;
  return code < 0x10000 ? `\\u${hex(4)}` : `\\U${hex(8)}`;
}
