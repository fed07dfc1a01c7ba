/** Keys and values from files, literals and env files, for ConfigMaps and Secrets. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { systemMessage } from '@coxswain/apimachinery/system-message.ts';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { checkConfigMapKey, checkEnvVarName } from '@coxswain/apimachinery/names.ts';

export interface KeySources {
  readonly fromFile: readonly string[];
  readonly fromLiteral: readonly string[];
  readonly fromEnvFile: readonly string[];
}

export interface KeyedData {
  readonly text: ReadonlyMap<string, string>;
  readonly binary: ReadonlyMap<string, Uint8Array>;
}

export interface KeyRules {
  /** The error for an invalid key. */
  invalid(key: string, reasons: readonly string[]): string;
  /** The error for a key that already exists. */
  taken(key: string, where: 'Data' | 'BinaryData'): string;
  readonly directoryAsEnvFile: string;
}

export interface KeyEnvironment {
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws Error with upstream's messages */
export function readKeys(sources: KeySources, rules: KeyRules, environment: KeyEnvironment): KeyedData {
  if (sources.fromEnvFile.length > 0 && (sources.fromFile.length > 0 || sources.fromLiteral.length > 0)) {
    throw new Error('from-env-file cannot be combined with from-file or from-literal');
  }
  const text = new Map<string, string>();
  const binary = new Map<string, Uint8Array>();
  const check = (key: string) => {
    const reasons = checkConfigMapKey(key);
    if (reasons.length > 0) throw new Error(rules.invalid(key, reasons));
    if (text.has(key)) throw new Error(rules.taken(key, 'Data'));
    if (binary.has(key)) throw new Error(rules.taken(key, 'BinaryData'));
  };
  const addFile = (key: string, path: string) => {
    const bytes = readFileSync(path);
    check(key);
    const decoded = asText(bytes);
    if (decoded === undefined) binary.set(key, new Uint8Array(bytes));
    else text.set(key, decoded);
  };
  for (const source of sources.fromFile) readFileSource(source, environment, addFile);
  for (const literal of sources.fromLiteral) {
    const equals = literal.indexOf('=');
    if (equals <= 0) throw new Error(`invalid literal source ${literal}, expected key=value`);
    check(literal.slice(0, equals));
    text.set(literal.slice(0, equals), literal.slice(equals + 1));
  }
  for (const file of sources.fromEnvFile) {
    for (const [key, value] of readEnvFile(file, rules, environment)) {
      check(key);
      text.set(key, value);
    }
  }
  return { text, binary };
}

function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readFileSource(
  source: string,
  environment: KeyEnvironment,
  add: (key: string, path: string) => void,
): void {
  const { key, path } = splitFileSource(source);
  const absolute = absolutePath(path, environment);
  if (!statOf(path, absolute).isDirectory()) return add(key, absolute);
  if (source.includes('=')) throw new Error('cannot give a key name for a directory path');
  const entries = readdirSync(absolute, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) if (entry.isFile()) add(entry.name, join(absolute, entry.name));
}

const absolutePath = (path: string, { workingDirectory }: KeyEnvironment): string =>
  isAbsolute(path) ? path : join(workingDirectory, path);

function statOf(path: string, absolute: string) {
  try {
    return statSync(absolute);
  } catch (failure) {
    throw new Error(`error reading ${path}: ${systemMessage(failure)}`, { cause: failure });
  }
}

function splitFileSource(source: string): { key: string; path: string } {
  const [first = '', second, ...more] = source.split('=');
  if (more.length > 0) throw new Error("key names or file paths cannot contain '='");
  if (second === undefined) return { key: basename(source), path: source };
  if (first === '') throw new Error(`key name for file path ${second} missing`);
  if (second === '') throw new Error(`file path for key name ${first} missing`);
  return { key: first, path: second };
}

function* readEnvFile(
  file: string,
  rules: KeyRules,
  environment: KeyEnvironment,
): Generator<readonly [string, string]> {
  const absolute = absolutePath(file, environment);
  if (statOf(file, absolute).isDirectory()) throw new Error(rules.directoryAsEnvFile);
  const lines = readFileSync(absolute, 'utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  for (const line of lines) {
    const trimmed = line.trimStart();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const equals = trimmed.indexOf('=');
    const key = equals < 0 ? trimmed : trimmed.slice(0, equals);
    const reasons = checkEnvVarName(key);
    if (reasons.length > 0) throw new Error(`${goQuote(key)} is not a valid key name: ${reasons.join(';')}`);
    yield [key, equals < 0 ? (environment.env[key] ?? '') : trimmed.slice(equals + 1)];
  }
}

export const toBase64 = (bytes: Uint8Array | string): string =>
  Buffer.from(bytes as Uint8Array).toString('base64');
