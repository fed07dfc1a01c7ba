/** Reads manifests the way sigs.k8s.io/yaml and Kubernetes' stream decoder do: YAML 1.1, several documents, or JSON. */
import { goQuote } from '@coxswain/cobra/go-quote.ts';
import {
  defineScalarTag,
  load,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  Schema,
  seqTag,
  strTag,
  YAMLException,
} from 'js-yaml';
import { resolvesToString } from './yaml.ts';

const noDump = { identify: () => false, represent: () => '' };

/** go-yaml's booleans, numbers and nothings; timestamps stay text. */
const scalars = [
  defineScalarTag('tag:yaml.org,2002:null', {
    ...noDump,
    implicit: true,
    resolve: (text) => (/^(~|null|Null|NULL|)$/.test(text) ? null : NOT_RESOLVED),
  }),
  defineScalarTag('tag:yaml.org,2002:bool', {
    ...noDump,
    implicit: true,
    resolve: (text) =>
      /^([yY]|yes|Yes|YES|true|True|TRUE|on|On|ON)$/.test(text)
        ? true
        : /^([nN]|no|No|NO|false|False|FALSE|off|Off|OFF)$/.test(text)
          ? false
          : NOT_RESOLVED,
  }),
  defineScalarTag('tag:yaml.org,2002:int', { ...noDump, implicit: true, resolve: (text) => readInteger(text) }),
  defineScalarTag('tag:yaml.org,2002:float', { ...noDump, implicit: true, resolve: (text) => readFloat(text) }),
];

const schema = new Schema([strTag, seqTag, mapTag, mergeTag, ...scalars]);

function readInteger(text: string): number | typeof NOT_RESOLVED {
  if (!/^[-+\d]/.test(text) || resolvesToString(text)) return NOT_RESOLVED;
  const plain = text.replaceAll('_', '');
  const match = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9]\d*)$/.exec(plain);
  if (match === null) return NOT_RESOLVED;
  const digits = (match[2] ?? '').replace(/^0[oO]?(?=[0-7])/, '0o');
  return Number(BigInt(digits)) * (match[1] === '-' ? -1 : 1);
}

function readFloat(text: string): number | typeof NOT_RESOLVED {
  const plain = text.replaceAll('_', '');
  return /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(plain) ? Number(plain) : NOT_RESOLVED;
}

/**
 * One document.
 * @throws Error with a text in the manner of go-yaml
 */
export function readYaml(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    const value = load(text, { schema, json: true });
    return keysToText(value);
  } catch (failure) {
    if (!(failure instanceof YAMLException)) throw failure;
    if (/empty|undefined/.test(failure.reason ?? '') || /^\s*(#.*\n?\s*)*$/.test(text)) return null;
    throw new Error(`yaml: ${explain(failure, text)}`);
  }
}

function explain(failure: YAMLException, text: string): string {
  const line = (failure.mark?.line ?? 0) + 1;
  const reasons: readonly (readonly [RegExp, string])[] = [
    [/flow collection|deficient indentation/, /\[[^\]]*$/.test(text) ? "did not find expected ',' or ']'" : "did not find expected ',' or '}'"],
    [/single quoted|double quoted/, 'found unexpected end of stream'],
    [/tab/, 'found character that cannot start any token'],
    [/bad indentation of a mapping entry/, 'mapping values are not allowed in this context'],
    [/duplicat/, 'mapping key already defined'],
  ];
  const known = reasons.find(([pattern]) => pattern.test(failure.reason ?? ''))?.[1];
  const at = /deficient indentation/.test(failure.reason ?? '') ? Math.max(1, line - 1) : line;
  return `line ${at}: ${known ?? failure.reason ?? 'invalid syntax'}`;
}

/** JSON has text for keys only. */
function keysToText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysToText);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, one]) => [String(key), keysToText(one)]));
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, one] of Object.entries(value)) (value as Record<string, unknown>)[key] = keysToText(one);
  return value;
}

/**
 * The documents of a manifest. Looks like JSON when it begins with a brace; then several objects may
 * follow one another.
 * @throws Error as the original's stream decoder
 */
export function* readManifests(text: string): Generator<unknown> {
  if (!/^\s*\{/.test(text)) {
    yield* yamlDocuments(text);
    return;
  }
  let rest = text;
  let count = 0;
  while (rest.trim() !== '') {
    const end = jsonEnd(rest);
    let value: unknown;
    try {
      value = JSON.parse(rest.slice(0, end));
    } catch (failure) {
      // A brace may also begin YAML in flow style.
      if (count > 1) throw failure;
      yield* orJsonFailure(rest, failure as Error);
      return;
    }
    yield value;
    count++;
    rest = rest.slice(end);
    if (/^\s*---/.test(rest)) {
      yield* yamlDocuments(rest.trimStart());
      return;
    }
  }
}

function* orJsonFailure(text: string, failure: Error): Generator<unknown> {
  let documents: unknown[];
  try {
    documents = [...yamlDocuments(text)];
  } catch {
    throw new Error(`json: offset ${jsonFailureOffset(text)}: ${goJsonFailure(text, failure)}`);
  }
  yield* documents;
}

const jsonFailureOffset = (text: string): number => Math.min(text.length, jsonEnd(text));

const goJsonFailure = (text: string, failure: Error): string =>
  /end of JSON|Unterminated|Expected .* after/i.test(failure.message) && jsonEnd(text) >= text.length
    ? 'unexpected EOF'
    : `invalid character in ${goQuote(text.slice(0, 20))}`;

/** Where the first JSON object of a text ends. */
function jsonEnd(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      while (++at < text.length && text[at] !== '"') if (text[at] === '\\') at++;
    } else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

function* yamlDocuments(text: string): Generator<unknown> {
  let lines: string[] = [];
  for (const line of [...text.split('\n'), '---']) {
    if (!line.startsWith('---')) {
      lines.push(line);
      continue;
    }
    const behind = line.slice(3).trim();
    if (behind !== '' && !behind.startsWith('#')) throw new Error(`invalid Yaml document separator: ${behind}`);
    const document = lines.join('\n');
    lines = [];
    if (document.trim() === '') continue;
    yield convert(document);
  }
}

function convert(document: string): unknown {
  try {
    return readYaml(document);
  } catch (failure) {
    throw new Error(`error converting YAML to JSON: ${(failure as Error).message}`);
  }
}
