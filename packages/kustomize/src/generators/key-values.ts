/** Keys and values from literals, from files, and from files with lines of the form KEY=VALUE. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { GeneratorArguments } from '../configuration/kustomization.ts';
import { within } from '../failure.ts';
import type { Loader } from '../loading/loader.ts';
import { baseName } from '../loading/files.ts';

export interface KeyValue {
  readonly key: string;
  readonly value: Uint8Array;
}

const encoder = new TextEncoder();

/** In the order in which duplicates are detected: lines of files, literals, files. */
export function loadKeyValues(
  { envs = [], literals = [], files = [] }: GeneratorArguments,
  loader: Loader,
): readonly KeyValue[] {
  return [
    ...within(`env source files: [${envs.join(' ')}]`, () =>
      envs.flatMap((path) => linesOf(loader.load(path))),
    ),
    ...within(`literal sources [${literals.join(' ')}]`, () => literals.map(literalOf)),
    ...within(`file sources: [${files.join(' ')}]`, () => files.map((source) => fileOf(source, loader))),
  ];
}

function linesOf(content: Uint8Array): KeyValue[] {
  const lines = bytesText(content).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.flatMap((line, index) => lineOf(line.replace(/\r$/, ''), index) ?? []);
}

/** One character per byte, so that lines can be split before they are decoded. */
const bytesText = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

const byteOrderMark = '\u00ef\u00bb\u00bf';

function lineOf(bytes: string, index: number): KeyValue | undefined {
  const raw = Uint8Array.from(
    index === 0 && bytes.startsWith(byteOrderMark) ? bytes.slice(3) : bytes,
    (one) => one.charCodeAt(0),
  );
  let line: string;
  try {
    line = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw new Error(`line [${[...raw].join(' ')}] has invalid utf8 bytes : ${new TextDecoder().decode(raw)}`);
  }
  line = line.trimStart();
  if (line === '' || line.startsWith('#')) return undefined;
  const equals = line.indexOf('=');
  const key = equals < 0 ? line : line.slice(0, equals);
  return key === '' ? undefined : { key, value: encoder.encode(equals < 0 ? '' : line.slice(equals + 1)) };
}

function literalOf(source: string): KeyValue {
  const equals = source.indexOf('=');
  if (equals < 1) throw new Error(`invalid literal source ${source}, expected key=value`);
  return { key: source.slice(0, equals), value: encoder.encode(withoutQuotes(source.slice(equals + 1))) };
}

const withoutQuotes = (text: string): string =>
  text.length >= 2 && text[0] === text.at(-1) && (text[0] === '"' || text[0] === "'")
    ? text.slice(1, -1)
    : text;

function fileOf(source: string, loader: Loader): KeyValue {
  const { key, path } = splitFileSource(source);
  return { key, value: loader.load(path) };
}

function splitFileSource(source: string): { key: string; path: string } {
  const [first = '', second, ...more] = source.split('=');
  if (second === undefined) return { key: baseName(source), path: source };
  if (more.length > 0) throw new Error(`source ${goQuote(source)} key name or file path contains '='`);
  if (first === '') {
    throw new Error(`missing key name for file path ${goQuote(second)} in source ${goQuote(source)}`);
  }
  if (second === '') {
    throw new Error(`missing file path for key name ${goQuote(first)} in source ${goQuote(source)}`);
  }
  return { key: first, path: second };
}
