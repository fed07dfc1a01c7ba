/** Converts nodes to plain data and back, as if they were written as YAML and read again. */
import { define } from '@coxswain/apimachinery/deep-clone.ts';
import { goFloat } from '@coxswain/apimachinery/go-quote.ts';
import { compareYamlKeys } from '@coxswain/apimachinery/yaml/key-order.ts';
import { emptyNode, scalar, stringScalar, type YamlNode } from './node.ts';
import { resolvePlain } from '@coxswain/apimachinery/yaml/plain-scalar.ts';
import { resolveWord, tagOfKind } from './resolve.ts';

export type JsonObject = Record<string, unknown>;

/** @throws Error for a scalar that does not match its tag, and for a duplicate key */
export function toJson(node: YamlNode): unknown {
  switch (node.kind) {
    case 'mapping':
      return mappingJson(node);
    case 'sequence':
      return node.content.map(toJson);
    case 'scalar':
      return scalarJson(node);
    case 'alias':
      return node.alias === undefined ? null : toJson(node.alias);
    case 'none':
      return null;
  }
}

function mappingJson(node: YamlNode): JsonObject {
  const object: JsonObject = {};
  for (let index = 0; index < node.content.length; index += 2) {
    const key = node.content[index]!;
    if (Object.hasOwn(object, key.value)) throw new DuplicateKey();
    define(object, key.value, toJson(node.content[index + 1]!));
  }
  return object;
}

/** The keys are reported once their lines are known. */
export class DuplicateKey extends Error {
  override readonly name = 'DuplicateKey';
}

/** Whether all keys are strings; Go cannot encode others as JSON. */
export const hasStringKeys = (node: YamlNode): boolean =>
  node.content.every((part, index) =>
    node.kind === 'mapping' && index % 2 === 0 ? isStringKey(part) : hasStringKeys(part),
  );

/** Whether a key decodes to a string. */
export const isStringKey = (key: YamlNode): boolean =>
  key.kind !== 'scalar' ||
  key.tag === tagOfKind.string ||
  (key.tag === '' && (key.style !== 'plain' || resolveWord(key.value).kind === 'string'));

function scalarJson(node: YamlNode): unknown {
  const { value, style } = node;
  const tag = node.tag;
  if (tag === '!!binary')
    return new TextDecoder().decode(
      Uint8Array.from(atob(value.replace(/\s/g, '')), (one) => one.charCodeAt(0)),
    );
  if (tag === tagOfKind.string) return value;
  if (tag === '' && value.includes('\n')) return value;
  if (tag === '' && style !== 'plain') return value;
  const resolved = resolveWord(value);
  const found = tagOfKind[resolved.kind];
  if (tag !== '' && tag !== found && !(tag === '!!float' && found === '!!int')) {
    if (!Object.values<string>(tagOfKind).includes(tag)) return value;
    throw new Error(`yaml: cannot decode ${found} \`${value}\` as a ${tag}`);
  }
  if (resolved.kind === 'timestamp') return withMidnight(value);
  return asInteger(resolved.value);
}

/** Integers that fit into 64 bits keep all their digits. */
const asInteger = (value: unknown): unknown =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value as number) < 2 ** 64
    ? BigInt(String(value))
    : value;

/** A date without a time becomes a timestamp, while a date with a time stays text. */
function withMidnight(value: string): string {
  const [year, month = '', day = '', ...more] = value.split('-');
  if (more.length > 0 || day.length > 2) return value;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00Z`;
}

/** Members in the order in which go-yaml writes a map. */
export function fromJson(value: unknown): YamlNode {
  if (Array.isArray(value)) {
    const node = emptyNode('sequence');
    node.tag = '!!seq';
    node.content = value.map(fromJson);
    return node;
  }
  if (typeof value === 'object' && value !== null) {
    const node = emptyNode('mapping');
    node.tag = '!!map';
    const members = value as JsonObject;
    for (const key of Object.keys(members).sort(compareYamlKeys)) {
      node.content.push(fromJson(key), fromJson(members[key]));
    }
    return node;
  }
  if (typeof value !== 'string') return scalarOf(value);
  const node = stringScalar(value);
  if (
    node.style === 'plain' &&
    (resolvePlain(value).kind !== 'string' || /^[-+]?\d[\d_]*(?::[0-5]?\d)+/.test(value))
  ) {
    node.style = 'double';
  }
  return node;
}

function scalarOf(value: unknown): YamlNode {
  if (value === null || value === undefined) return scalar('null', tagOfKind.null);
  if (typeof value === 'boolean') return scalar(String(value), tagOfKind.bool);
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return scalar(String(value), tagOfKind.int);
  return scalar(goFloat(value), tagOfKind.float);
}
