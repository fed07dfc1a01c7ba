/** Parses JSON in steps: documents of other programs may be long, and must not hold up everything else. */
import { define } from './deep-clone.ts';
import { partsPerStep, type Steps } from './work-in-steps.ts';

/** The maximum depth of containers in each other; Go's. */
const depthMax = 10_000;
/** Containers up to this length are parsed at once, which is ten times as fast. */
const partCharactersMax = 16 * 1024;

/** A container whose end has not been read. */
interface Open {
  readonly container: unknown[] | Record<string, unknown>;
  /** Of the member whose value is next. */
  key: string;
}

type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'nothing';

/** The same value as from `JSON.parse`. @throws SyntaxError */
export function* jsonInSteps(text: string, partMax = partCharactersMax): Steps<unknown> {
  const tokens = /[ \t\n\r]*(?:([{}[\],:"])|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;
  const open: Open[] = [];
  let expected: Expected = 'value';
  let root: unknown;
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma or end');
  const put = (value: unknown): Expected => {
    const parent = open.at(-1);
    if (parent === undefined) root = value;
    else if (Array.isArray(parent.container)) parent.container.push(value);
    else if (parent.key === '__proto__') define(parent.container, parent.key, value);
    else parent.container[parent.key] = value;
    return afterValue();
  };
  const enter = (container: Open['container'], first: Expected): Expected => {
    put(container);
    if (open.push({ container, key: '' }) > depthMax) throw new SyntaxError('exceeded max depth');
    return first;
  };
  const leave = (isArray: boolean, now: Expected): Expected => {
    const isEnd = now === 'comma or end' || now === (isArray ? 'value or end' : 'name or end');
    const last = open.pop();
    if (!isEnd || last === undefined || Array.isArray(last.container) !== isArray)
      throw unexpected(text, tokens);
    return afterValue();
  };
  for (let count = 1; ; count++) {
    if (count % partsPerStep === 0) yield;
    const isValue = expected === 'value' || expected === 'value or end';
    const before = tokens.lastIndex;
    const found = tokens.exec(text);
    if (found === null) {
      if (expected === 'nothing' && /^[ \t\n\r]*$/.test(text.slice(before))) return root;
      tokens.lastIndex = before;
      throw unexpected(text, tokens);
    }
    const [, mark, literal] = found;
    if (isValue && (mark === '[' || mark === '{')) {
      const from = tokens.lastIndex - 1;
      const end = endOfContainer(text, from, partMax);
      if (end === undefined)
        expected = enter(mark === '[' ? [] : {}, mark === '[' ? 'value or end' : 'name or end');
      else {
        expected = put(JSON.parse(text.slice(from, end)));
        tokens.lastIndex = end;
      }
      yield;
    } else if (mark === ']' || mark === '}') expected = leave(mark === ']', expected);
    else if (mark === '"' && (expected === 'name' || expected === 'name or end')) {
      open.at(-1)!.key = readString(text, tokens);
      expected = 'colon';
    } else if (mark === ':' && expected === 'colon') expected = 'value';
    else if (mark === ',' && expected === 'comma or end')
      expected = Array.isArray(open.at(-1)!.container) ? 'value' : 'name';
    else if (!isValue) throw unexpected(text, tokens);
    else if (mark === '"') expected = put(readString(text, tokens));
    else if (literal !== undefined) expected = put(JSON.parse(literal));
    else throw unexpected(text, tokens);
  }
}

/** After the container that begins there; undefined if it is longer than a part. */
function endOfContainer(text: string, from: number, partMax: number): number | undefined {
  const last = Math.min(text.length, from + partMax);
  let depth = 0;
  for (let at = from; at < last; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      do at = text.indexOf('"', at + 1);
      while (at > 0 && at < last && isEscaped(text, at));
      if (at < 0) return undefined;
    } else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return at + 1;
  }
  return undefined;
}

const [quote, openBrace, closeBrace, openBracket, closeBracket] = Array.from('"{}[]', (mark) =>
  mark.charCodeAt(0),
) as [number, number, number, number, number];

/** After its first quotation mark. */
function readString(text: string, tokens: RegExp): string {
  const start = tokens.lastIndex - 1;
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) throw unexpected(text, tokens);
  } while (isEscaped(text, end));
  tokens.lastIndex = end + 1;
  return JSON.parse(text.slice(start, end + 1)) as string;
}

/** After an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === '\\') from--;
  return (at - from) % 2 === 1;
}

const unexpected = (text: string, { lastIndex }: RegExp): SyntaxError =>
  new SyntaxError(
    lastIndex >= text.length ? 'unexpected end of JSON input' : `unexpected token at position ${lastIndex}`,
  );
