/** Decodes YAML to plain JSON data with the semantics of sigs.k8s.io/yaml (go-yaml v2). js-yaml handles the syntax. */

import {
  EVENT_ID,
  SCALAR_STYLE,
  YAMLException,
  getScalarValue,
  parseEvents,
  type Event,
  type ScalarEvent,
} from 'js-yaml';
import { define } from '../deep-clone.ts';
import { goFloat, goQuote } from '../go-quote.ts';
import { currentAllowance } from '../work-allowance.ts';
import { LineNumbers } from './line-numbers.ts';
import { resolvePlain } from './plain-scalar.ts';

export interface ReadYamlOptions {
  /** Whether a duplicate key in a mapping is an error; otherwise the last one counts. */
  readonly strict?: boolean;
}

/** Deeper nesting is refused, as by upstream's scanner. */
const depthMax = 10_000;

/**
 * The first document of the text; null when there is none.
 * @throws YamlError with go-yaml's message: `yaml: line 2: …`
 */
export function readYaml(text: string, options: ReadYamlOptions = {}): unknown {
  const source = yamlEvents(text);
  const root = firstDocument(source);
  if (root === undefined) return null;
  const decoding = new Decoding(source.text, options.strict ?? false);
  const value = decoding.decode(root);
  if (decoding.duplicates.length > 0) {
    throw new YamlError(`yaml: unmarshal errors:\n  ${decoding.duplicates.join('\n  ')}`);
  }
  return value;
}

export class YamlError extends Error {
  override readonly name = 'YamlError';
}

interface NodePlace {
  readonly at: number;
}
interface ScalarNode extends NodePlace {
  readonly kind: 'scalar';
  readonly text: string;
  readonly plain: boolean;
  readonly tag: string;
}
interface SequenceNode extends NodePlace {
  readonly kind: 'sequence';
  readonly items: YamlNode[];
}
interface MappingNode extends NodePlace {
  readonly kind: 'mapping';
  /** Keys and values alternating. */
  readonly items: YamlNode[];
}
interface AliasNode extends NodePlace {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: YamlNode;
}
type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

function firstDocument({ text, events }: YamlSource): YamlNode | undefined {
  const anchors = new Map<string, YamlNode>();
  const open: (SequenceNode | MappingNode)[] = [];
  for (const event of events.slice(1)) {
    if (event.type === EVENT_ID.POP) {
      const closed = open.pop();
      if (closed === undefined) return undefined;
      if (open.length === 0) return closed;
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) return undefined;
    const node = nodeOf(text, event, anchors);
    const parent = open.at(-1);
    if (event.type === EVENT_ID.SCALAR && parent?.kind === 'mapping' && parent.items.length % 2 === 0)
      checkKeyLength(text, event, parent);
    parent?.items.push(node);
    if (node.kind === 'sequence' || node.kind === 'mapping') open.push(node);
    else if (open.length === 0) return node;
  }
  return undefined;
}

/** The number of characters of a key after which libyaml stops looking for a colon. */
const keyCharactersMax = 1024;

/** Longer keys require a question mark before them. */
function checkKeyLength(
  text: string,
  { valueStart, valueEnd, style }: ScalarEvent,
  { at }: MappingNode,
): void {
  if (valueEnd - valueStart <= keyCharactersMax - 2) return;
  const quotes = style === SCALAR_STYLE.PLAIN ? 0 : 2;
  if (Array.from(text.slice(valueStart, valueEnd)).length + quotes <= keyCharactersMax) return;
  if (/\?\s+\S?$/.test(text.slice(Math.max(0, valueStart - keyCharactersMax), valueStart))) return;
  const line = text.slice(0, valueStart).split('\n').length - 1;
  throw new YamlError(
    text[at] === '{'
      ? yamlProblem("did not find expected ',' or '}'", line)
      : yamlProblem('mapping values are not allowed in this context', line && line + 1),
  );
}

/** A text and its parsed content. */
export interface YamlSource {
  /** As it was parsed: lines within brackets and quotes may be indented further than received. */
  readonly text: string;
  readonly events: readonly Event[];
}

/** The maximum number of characters that may be parsed again for lines that js-yaml requires to be indented further. */
const reparsedCharactersMax = 20_000_000;

/**
 * Parses a text. go-yaml ignores the indentation of lines within brackets and quotes, but js-yaml refuses those that
 * are too far left: such lines are moved.
 * @throws YamlError with go-yaml's message
 */
export function yamlEvents(given: string): YamlSource {
  const allowance = currentAllowance();
  let text = given;
  const moved = new Set<number>();
  for (let characters = 0; ; characters += text.length) {
    try {
      return { text, events: parseEvents(text, { maxDepth: depthMax }) };
    } catch (error) {
      if (!(error instanceof YAMLException)) throw error;
      const deeper = characters < reparsedCharactersMax ? withDeeperLine(text, error, moved) : undefined;
      if (deeper === undefined) throw new YamlError(syntaxErrorText(error, given), { cause: error });
      // Each line that is moved takes as long as the whole text.
      allowance?.askLeave();
      text = deeper;
    }
  }
}

function withDeeperLine(
  text: string,
  { reason, mark }: YAMLException,
  moved: Set<number>,
): string | undefined {
  if (mark === undefined || moved.has(mark.line) || !/deficient indentation/.test(reason)) return undefined;
  const lines = text.split('\n');
  const line = lines[mark.line];
  if (line === undefined) return undefined;
  // Others that were moved do not count: each would be deeper than the one before it.
  const depth =
    lines.reduce((most, each, at) => (moved.has(at) ? most : Math.max(most, depthOf(each))), 0) + 1;
  moved.add(mark.line);
  lines[mark.line] = ' '.repeat(depth) + line;
  return lines.join('\n');
}

const depthOf = (line: string): number => line.length - line.trimStart().length;

type NodeEvent = Exclude<Event, { type: typeof EVENT_ID.DOCUMENT } | { type: typeof EVENT_ID.POP }>;

function nodeOf(text: string, event: NodeEvent, anchors: Map<string, YamlNode>): YamlNode {
  const anchor = event.anchorEnd > event.anchorStart ? text.slice(event.anchorStart, event.anchorEnd) : '';
  if (event.type === EVENT_ID.ALIAS) {
    const target = anchors.get(anchor);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${anchor}' referenced`);
    return { kind: 'alias', name: anchor, target, at: event.anchorStart };
  }
  const node: YamlNode =
    event.type === EVENT_ID.SCALAR
      ? scalarNode(text, event)
      : { kind: event.type === EVENT_ID.SEQUENCE ? 'sequence' : 'mapping', items: [], at: event.start };
  if (anchor !== '') anchors.set(anchor, node);
  return node;
}

function scalarNode(text: string, event: ScalarEvent): ScalarNode {
  const tag = event.tagEnd > event.tagStart ? text.slice(event.tagStart, event.tagEnd) : '';
  return {
    kind: 'scalar',
    text: scalarText(text, event),
    plain: event.style === SCALAR_STYLE.PLAIN,
    tag: tag.replace(/^!<tag:yaml\.org,2002:(.*)>$/, '!!$1'),
    at: event.valueStart,
  };
}

/** For libyaml, a block at the end of the text without a line break has none. */
export function scalarText(text: string, event: ScalarEvent): string {
  const value = getScalarValue(text, event);
  const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
  const endsText = isBlock && event.valueEnd >= text.length && !/[\r\n]$/.test(text);
  return endsText ? value.replace(/\n$/, '') : value;
}

/** Documents that consist mostly of aliases are bombs; the ratios are go-yaml's. */
const aliasShareMax = (decoded: number): number =>
  decoded <= 400_000 ? 0.99 : decoded >= 4_000_000 ? 0.1 : 0.99 - (0.89 * (decoded - 400_000)) / 3_600_000;

class Decoding {
  readonly duplicates: string[] = [];
  readonly #lines: LineNumbers;
  readonly #strict: boolean;
  readonly #expanding = new Set<AliasNode>();
  readonly #allowance = currentAllowance();
  #decoded = 0;
  #decodedInAliases = 0;

  constructor(source: string, strict: boolean) {
    this.#lines = new LineNumbers(source);
    this.#strict = strict;
  }

  decode(node: YamlNode): unknown {
    this.#count();
    switch (node.kind) {
      case 'scalar':
        return scalarValue(node);
      case 'sequence':
        return node.items.map((item) => this.decode(item));
      case 'mapping':
        return this.#mapping(node, {}, new Set());
      case 'alias':
        return this.#expand(node, (target) => this.decode(target));
    }
  }

  #expand<T>(alias: AliasNode, decode: (target: YamlNode) => T): T {
    if (this.#expanding.has(alias)) throw new YamlError(`yaml: anchor '${alias.name}' value contains itself`);
    this.#expanding.add(alias);
    const value = decode(alias.target);
    this.#expanding.delete(alias);
    return value;
  }

  /** Pairs in order: a merge after a key takes precedence over it, as upstream. */
  #mapping(node: MappingNode, into: Record<string, unknown>, seen: Set<unknown>): Record<string, unknown> {
    for (let index = 0; index < node.items.length; index += 2) {
      const key = node.items[index]!;
      const value = node.items[index + 1]!;
      if (isMerge(key)) {
        this.#merge(value, into, seen);
        continue;
      }
      const name = this.#key(key);
      const decoded = this.decode(value);
      if (name === null) throw nullKey(decoded);
      if (this.#strict && seen.has(name)) this.#duplicate(value, name);
      else define(into, keyText(name), decoded);
      seen.add(name);
    }
    return into;
  }

  #merge(node: YamlNode, into: Record<string, unknown>, seen: Set<unknown>): void {
    this.#count();
    if (node.kind === 'mapping') this.#mapping(node, into, seen);
    else if (node.kind === 'alias' && node.target.kind === 'mapping') {
      this.#expand(node, (target) => this.#merge(target, into, seen));
    } else if (node.kind === 'sequence') {
      // Earlier mappings take precedence, so they are applied last.
      for (const item of node.items.toReversed()) {
        if (item.kind === 'sequence') throw new YamlError(mergeError);
        this.#merge(item, into, seen);
      }
    } else throw new YamlError(mergeError);
  }

  #key(node: YamlNode): unknown {
    const key = this.decode(node);
    if (typeof key === 'object' && key !== null)
      throw new YamlError(`yaml: invalid map key: ${JSON.stringify(key)}`);
    return key;
  }

  #duplicate(value: YamlNode, key: unknown): void {
    const line = this.#lines.of(value.at);
    const shown = typeof key === 'string' ? goQuote(key) : String(key);
    this.duplicates.push(`line ${line}: key ${shown} already set in map`);
  }

  #count(): void {
    this.#decoded++;
    // Aliases and merges may make much of a short text.
    this.#allowance?.countStep();
    if (this.#expanding.size > 0) this.#decodedInAliases++;
    if (this.#decodedInAliases <= 100 || this.#decoded <= 1000) return;
    if (this.#decodedInAliases / this.#decoded > aliasShareMax(this.#decoded)) {
      throw new YamlError('yaml: document contains excessive aliasing');
    }
  }
}

const nullKey = (value: unknown): YamlError =>
  new YamlError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(value)}`);

/** `%#v` */
function goSyntax(value: unknown): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' && !Number.isInteger(value)) return goFloat(value);
  if (typeof value !== 'object') return String(value);
  const inner = (item: unknown): string => (item === null ? 'interface {}(nil)' : goSyntax(item));
  if (Array.isArray(value)) return `[]interface {}{${value.map(inner).join(', ')}}`;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[interface {}]interface {}{${members.map(([name, item]) => `${goQuote(name)}:${inner(item)}`).join(', ')}}`;
}

const mergeError = 'yaml: map merge requires map or sequence of maps as the value';

const isMerge = (node: YamlNode): boolean =>
  node.kind === 'scalar' && node.text === '<<' && (node.plain || node.tag === '!!merge');

function keyText(key: unknown): string {
  return typeof key === 'number' && !Number.isInteger(key) ? goFloat(Math.fround(key)) : String(key);
}

const kindTags = {
  string: '!!str',
  bool: '!!bool',
  int: '!!int',
  float: '!!float',
  null: '!!null',
  timestamp: '!!timestamp',
};

function scalarValue({ text, plain, tag }: ScalarNode): unknown {
  if (tag === '!!str' || (tag === '' && !plain)) return text;
  if (tag === '!!binary') return decodeBinary(text);
  if (tag !== '' && !Object.values(kindTags).includes(tag)) return text;
  const { kind, value } = resolvePlain(text);
  const found = kindTags[kind];
  if (tag !== '' && tag !== found && !(tag === '!!float' && kind === 'int')) {
    throw new YamlError(`yaml: cannot decode ${found} \`${text}\` as a ${tag}`);
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new YamlError(
      `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`,
    );
  }
  return value;
}

function decodeBinary(text: string): string {
  try {
    return new TextDecoder().decode(
      Uint8Array.from(atob(text.replace(/\s/g, '')), (byte) => byte.charCodeAt(0)),
    );
  } catch (error) {
    throw new YamlError('yaml: !!binary value contains invalid base64 data', { cause: error });
  }
}

/** libyaml's messages for js-yaml's reasons, where they mean the same. */
const syntaxErrors: readonly (readonly [pattern: RegExp, text: string])[] = [
  [
    /bad indentation of a mapping entry|nested mappings are not allowed|multiline key/,
    'mapping values are not allowed in this context',
  ],
  [/tab character/i, 'found character that cannot start any token'],
  [/unexpected end of the stream within a (double|single) quoted/, 'found unexpected end of stream'],
  [/unexpected end of the stream within a flow/, "did not find expected ',' or ']'"],
  [/missed comma between flow/, "did not find expected ',' or '}'"],
  [/unknown escape sequence/, 'found unknown escape character'],
  [/end of the stream or a document separator|can not read/, 'did not find expected key'],
  [/bad indentation of a sequence entry/, "did not find expected '-' indicator"],
  [/nesting|depth/i, 'exceeded max depth of 10000'],
];

function syntaxErrorText(error: YAMLException, text: string): string {
  // Detected before anything is parsed, so there is no line.
  if (/null byte|non-printable/.test(error.reason)) return 'yaml: control characters are not allowed';
  const lineIndex = error.mark?.line ?? 0;
  const known = syntaxErrors.find(([pattern]) => pattern.test(error.reason));
  const { message, line } = missedComma(error, text) ??
    specialError(error.reason, text, lineIndex) ?? {
      message: known?.[1] ?? error.reason,
      line: lineIndex === 0 ? 0 : lineIndex + 1,
    };
  return yamlProblem(message, line);
}

const yamlProblem = (message: string, line: number): string =>
  `yaml: ${line > 0 ? `line ${line}: ` : ''}${message}`;

/** Two consecutive values within brackets. */
function missedComma({ reason, mark }: YAMLException, text: string): SpecialError | undefined {
  if (!/missed comma between flow/.test(reason) || mark === undefined) return undefined;
  const { open } = openBrackets(text.slice(0, mark.position));
  return { message: `did not find expected ',' or '${open === '[' ? ']' : '}'}'`, line: mark.line };
}

interface SpecialError {
  readonly message: string;
  /** As reported; 0 for the first, which is omitted. libyaml's parser counts from 0, its scanner from 1. */
  readonly line: number;
}

const noKey = 'did not find expected key';
const noNode = 'did not find expected node content';

/** Problems that libyaml distinguishes and js-yaml doesn't. */
function specialError(reason: string, text: string, lineIndex: number): SpecialError | undefined {
  if (/within a flow|within a (?:double|single) quoted|deficient indentation/.test(reason))
    return unclosed(text);
  const lines = text.split('\n');
  const line = lines[lineIndex] ?? '';
  const before = lines.slice(0, lineIndex).findLast((one) => /^\s*[^\s#]/.test(one)) ?? '';
  const scanner = (message: string) => ({ message, line: lineIndex === 0 ? 0 : lineIndex + 1 });
  const parser = (message: string) => ({ message, line: lineIndex });
  const found = scannerErrors.find(([ofReason, ofLine]) => ofReason.test(reason) && ofLine.test(line));
  if (/^\s*\t/.test(line) && /[\w.]$/.test(before)) {
    return scanner('found a tab character that violates indentation');
  }
  if (found !== undefined) return scanner(found[2]);
  if (/duplication of an anchor/.test(reason)) return parser(noKey);
  if (/end of the stream or a document/.test(reason)) {
    if (/^\s*[}\],]/.test(line)) return parser(noNode);
    const first = lines.find((one) => /^[^\s#%-]|^-\s/.test(one)) ?? '';
    return parser(first.startsWith('-') ? "did not find expected '-' indicator" : noKey);
  }
  if (!/bad indentation of a mapping entry/.test(reason)) return undefined;
  if (/:\s+[}\]]/.test(line)) return parser(noNode);
  return indentOf(line) < indentOf(before) || /:\s+(?:"[^"]*"|'[^']*'|\[.*\]|\{.*\})\s*[^\s:#]/.test(line)
    ? parser(noKey)
    : undefined;
}

const scannerErrors: readonly (readonly [reason: RegExp, line: RegExp, message: string])[] = [
  [/./, /^\s*(?:- )*(?:[^\s'"#:]+:\s+)?[@`%]/, 'found character that cannot start any token'],
  [/./, /:\s+[|>][^\s#+\-0-9]/, 'did not find expected comment or line break'],
  [/name of an? (?:anchor|alias) node/, /./, 'did not find expected alphabetic or numeric character'],
  [/multiline key/, /^/, "could not find expected ':'"],
  [/verbatim tag/, /^/, "did not find the expected '>'"],
];

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Brackets or quotes are open at the end of the text, which counts as the beginning of a line. */
function unclosed(text: string): SpecialError {
  const whole = text.replace(/\s+$/, '');
  const linesCount = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  const { open, from, quoted } = openBrackets(whole);
  if (quoted) {
    // The first line has no number.
    const breaks = text.split('\n').length - 1;
    return { message: 'found unexpected end of stream', line: breaks === 0 ? 0 : breaks + 1 };
  }
  const twice = open === '{' ? secondColon(whole, from) : undefined;
  if (twice !== undefined) {
    return {
      message: "did not find expected ',' or '}'",
      line: whole.slice(0, twice).split('\n').length - 1,
    };
  }
  if (/[[{,:]$/.test(whole)) return { message: 'did not find expected node content', line: linesCount };
  return { message: `did not find expected ',' or '${open === '{' ? '}' : ']'}'`, line: linesCount };
}

/** The position of a second value of a member in the open bracket: most likely on the line after a missing end. */
function secondColon(text: string, from: number): number | undefined {
  const colons = /"(?:\\.|[^"\\])*"|'[^']*'|(,)|(:)(?=\s|$)/g;
  colons.lastIndex = from + 1;
  let hasValue = false;
  for (let found = colons.exec(text); found !== null; found = colons.exec(text)) {
    if (found[1] !== undefined) hasValue = false;
    if (found[2] === undefined) continue;
    if (hasValue) return found.index;
    hasValue = true;
  }
  return undefined;
}

/** The innermost open bracket and its position, and whether a quote is open. */
function openBrackets(text: string): { open: string; from: number; quoted: boolean } {
  const stack: number[] = [];
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (quote !== '') {
      if (quote === '"' && character === '\\') at++;
      else if (character === quote) quote = '';
    } else if ((character === '"' || character === "'") && /[\s[{,:-]/.test(text[at - 1] ?? ' '))
      quote = character;
    else if (character === '[' || character === '{') stack.push(at);
    else if (character === ']' || character === '}') stack.pop();
    else if (character === '#' && /\s/.test(text[at - 1] ?? ' '))
      at = (text.indexOf('\n', at) + 1 || text.length + 1) - 1;
  }
  const from = stack.at(-1) ?? 0;
  return { open: stack.length === 0 ? '' : (text[from] ?? ''), from, quoted: quote !== '' };
}
