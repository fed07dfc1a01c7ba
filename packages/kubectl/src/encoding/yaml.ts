/**
 * Writes YAML as sigs.k8s.io/yaml does (go-yaml v2 behind it): keys in its natural order, sequences not
 * indented, lines folded at 80 columns, strings quoted only where they would be read as something else.
 */

/** Lines of plain and quoted text are folded at the first space behind this column. */
const foldColumn = 80;

export function toYaml(value: unknown): string {
  const writer = new YamlWriter();
  writer.node(value, 0, 'root');
  return writer.text;
}

/** Several documents as `kubectl -o yaml` prints them. */
export const yamlDocuments = (values: readonly unknown[]): string => values.map(toYaml).join('---\n');

type Place = 'root' | 'key' | 'item';

class YamlWriter {
  text = '';

  node(value: unknown, indent: number, place: Place): void {
    if (Array.isArray(value)) this.#sequence(value, indent, place);
    else if (typeof value === 'object' && value !== null) this.#mapping(value as Record<string, unknown>, indent, place);
    else this.#scalarLine(value, indent, place);
  }

  #sequence(items: readonly unknown[], indent: number, place: Place): void {
    if (items.length === 0) return this.#line(place, '[]');
    if (place === 'key') this.text += '\n';
    // A sequence in a mapping stands in the column of the mapping.
    const column = place === 'key' ? indent - 2 : indent;
    items.forEach((item, index) => {
      if (place !== 'item' || index > 0) this.text += ' '.repeat(column);
      else this.text += ' ';
      this.text += '-';
      this.node(item, column + 2, 'item');
    });
  }

  #mapping(object: Record<string, unknown>, indent: number, place: Place): void {
    const keys = Object.keys(object)
      .filter((key) => object[key] !== undefined)
      .sort(compareKeys);
    if (keys.length === 0) return this.#line(place, '{}');
    if (place === 'key') this.text += '\n';
    keys.forEach((key, index) => {
      this.text += place === 'item' && index === 0 ? ' ' : ' '.repeat(indent);
      const written = scalarText(key, indent, 'key', indent);
      this.text += key.length > simpleKeyMax || key.includes('\n') && written.length > simpleKeyMax ? `? ${written}\n${' '.repeat(indent)}:` : `${written}:`;
      this.node(object[key], indent + 2, 'key');
    });
  }

  #scalarLine(value: unknown, indent: number, place: Place): void {
    const column = this.text.length - (this.text.lastIndexOf('\n') + 1) + (place === 'root' ? 0 : 1);
    // Text under a key is indented like the key's children, at the top by nothing.
    this.#line(place, scalarText(value, place === 'root' ? 0 : indent, 'value', column));
  }

  #line(place: Place, text: string): void {
    this.text += `${place === 'root' ? '' : ' '}${text}${text.endsWith('\n') ? '' : '\n'}`;
  }
}

/** Longer keys are written with a question mark. */
const simpleKeyMax = 128;

function scalarText(value: unknown, indent: number, place: 'key' | 'value', column: number): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return goFloat(value);
  if (typeof value === 'bigint') return String(value);
  return stringText(String(value), indent, place, column);
}

/** Go's `%g` with the shortest digits; whole numbers as integers. */
export function goFloat(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return BigInt(value).toString();
  const [digits = '', exponent] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 21) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function stringText(text: string, indent: number, place: 'key' | 'value', column: number): string {
  const facts = analyse(text);
  const foldable = place === 'value';
  if (text.includes('\n')) {
    return facts.blockAllowed && place === 'value' ? literal(text, indent) : doubleQuoted(text, indent, foldable, column);
  }
  if (!resolvesToString(text) || isBase60(text)) return doubleQuoted(text, indent, foldable, column);
  if (facts.plainAllowed && text !== '') return fold(text, indent, foldable, column, 0);
  if (facts.singleAllowed) return `'${fold(text.replaceAll("'", "''"), indent, foldable, column + 1, 1)}'`;
  return doubleQuoted(text, indent, foldable, column);
}

interface ScalarFacts {
  readonly plainAllowed: boolean;
  readonly singleAllowed: boolean;
  readonly blockAllowed: boolean;
}

function analyse(text: string): ScalarFacts {
  const special = hasSpecial(text);
  const breakSpace = /[\n\r\u0085\u2028\u2029] /.test(text);
  const spaceBreak = / [\n\r\u0085\u2028\u2029]/.test(text);
  const edgeBlank = /^[ \n\r\u0085\u2028\u2029]|[ \n\r\u0085\u2028\u2029]$/.test(text);
  const breaks = /[\n\r\u0085\u2028\u2029]/.test(text);
  const indicators =
    /^(---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    /^[?:-]([ \t\n\r\u0085\u2028\u2029]|$)/.test(text) ||
    /:([ \t\n\r\u0085\u2028\u2029]|$)/.test(text.slice(1)) ||
    /[ \t\n\r\u0085\u2028\u2029]#/.test(text);
  return {
    plainAllowed: !(special || breakSpace || spaceBreak || edgeBlank || breaks || indicators),
    singleAllowed: !(special || breakSpace || spaceBreak),
    blockAllowed: text !== '' && !(special || spaceBreak || text.endsWith(' ')),
  };
}

/** Characters that only a double-quoted string can hold. */
function hasSpecial(text: string): boolean {
  for (const character of text) if (!isPrintable(character)) return true;
  return false;
}

function isPrintable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (
    code === 0x0a ||
    (code >= 0x20 && code <= 0x7e) ||
    (code >= 0xa0 && code <= 0xd7ff) ||
    // go-yaml's check stops at three bytes: what lies beyond is escaped.
    (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff)
  );
}

const wordsWithMeaning = new Set(
  [
    ...['y', 'yes', 'true', 'on', 'n', 'no', 'false', 'off', 'null'].flatMap((word) => [
      word,
      word.charAt(0).toUpperCase() + word.slice(1),
      word.toUpperCase(),
    ]),
    ...['.nan', '.NaN', '.NAN'],
    ...['', '+', '-'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((word) => sign + word)),
    '',
    '~',
    '<<',
  ],
);

/** Whether YAML 1.1 as go-yaml reads it takes the bare text for a string. */
export function resolvesToString(text: string): boolean {
  if (wordsWithMeaning.has(text)) return false;
  if (/^\d{4}-/.test(text) && isTimestamp(text)) return false;
  if (!/^[-+.\d]/.test(text)) return true;
  if (text.startsWith('.')) return !/^\.\d[\d_]*([eE][-+]?\d+)?$/.test(text);
  const plain = text.replaceAll('_', '');
  return !(
    /^[-+]?(0|[1-9]\d*|0[oO]?[0-7]+|0[xX][\da-fA-F]+|0[bB][01]+)$/.test(plain) ||
    /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(plain)
  );
}

function isTimestamp(text: string): boolean {
  return (
    /^\d{4}-\d{1,2}-\d{1,2}$/.test(text) ||
    /^\d{4}-\d{1,2}-\d{1,2}[Tt]\d{1,2}:\d{1,2}:\d{1,2}(\.\d+)?(Z|[-+]\d{2}:\d{2})$/.test(text) ||
    /^\d{4}-\d{1,2}-\d{1,2} \d{1,2}:\d{1,2}:\d{1,2}(\.\d+)?$/.test(text)
  );
}

const isBase60 = (text: string): boolean => /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/.test(text);

function literal(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const pad = ' '.repeat(indent);
  const body = text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => (line === '' ? '' : pad + line))
    .join('\n');
  return `|${hint}${chomp}\n${body}\n`;
}

/** Breaks at single spaces behind the fold column; not at the last character when `margin` is set. */
function fold(text: string, indent: number, foldable: boolean, column: number, margin: number): string {
  if (!foldable || column + text.length <= foldColumn) return text;
  let folded = '';
  let at = column;
  for (let index = 0; index < text.length; index++) {
    const isSpace = text[index] === ' ';
    const lonely = isSpace && text[index - 1] !== ' ' && text[index + 1] !== ' ';
    const inside = margin === 0 || (index > 0 && index < text.length - 1);
    if (lonely && at > foldColumn && inside) {
      folded += `\n${' '.repeat(indent)}`;
      at = indent;
    } else {
      folded += text[index];
      // A pair of surrogates is one column.
      if (!/[\udc00-\udfff]/.test(text[index] ?? '')) at++;
    }
  }
  return folded;
}

const doubleEscapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function doubleQuoted(text: string, indent: number, foldable: boolean, column: number): string {
  let quoted = '"';
  let at = column + 1;
  let spaces = false;
  const characters = [...text];
  characters.forEach((character, index) => {
    const inside = index > 0 && index < characters.length - 1;
    if (character === ' ' && foldable && !spaces && at > foldColumn && inside) {
      quoted += `\n${' '.repeat(indent)}${characters[index + 1] === ' ' ? '\\' : ''}`;
      at = indent;
    } else {
      const written = escaped(character);
      quoted += written;
      at += [...written].length;
    }
    spaces = character === ' ';
  });
  return `${quoted}"`;
}

function escaped(character: string): string {
  const known = doubleEscapes[character];
  if (known !== undefined) return known;
  if (isPrintable(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** go-yaml's order of keys: letters after everything else, numbers inside by their value. */
export function compareKeys(left: string, right: string): number {
  const a = [...left];
  const b = [...right];
  for (let at = 0; at < a.length && at < b.length; at++) {
    const [x = '', y = ''] = [a[at], b[at]];
    if (x === y) continue;
    const [xLetter, yLetter] = [isLetter(x), isLetter(y)];
    if (xLetter && yLetter) return byCodePoint(x, y);
    if (xLetter || yLetter) return yLetter ? -1 : 1;
    return compareDigits(a, b, at) || byCodePoint(x, y);
  }
  return a.length - b.length;
}

const isLetter = (character: string): boolean => /\p{L}/u.test(character);
const byCodePoint = (x: string, y: string): number => (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);

function compareDigits(a: readonly string[], b: readonly string[], from: number): number {
  const inNumber = (a[from] === '0' || b[from] === '0') && /[1-9]\d*$/.test(a.slice(0, from).join(''));
  const read = (characters: readonly string[]) => {
    const digits = /^\d*/.exec(characters.slice(from).join(''))?.[0] ?? '';
    return { value: Number(`${inNumber ? '1' : ''}${digits}` || '0'), length: digits.length };
  };
  const [x, y] = [read(a), read(b)];
  return x.value - y.value || x.length - y.length;
}
