/** Nodes to plain data and back, as if they were written as YAML and read again. */
import { define } from '@coxswain/apimachinery/deep-clone.ts';
import { goFloat } from '@coxswain/apimachinery/go-quote.ts';
import { compareYamlKeys } from '@coxswain/apimachinery/yaml/key-order.ts';
import { emptyNode, scalar, stringScalar, type YamlNode } from './node.ts';
import { resolveWord, tagOfKind } from './resolve.ts';

export type JsonObject = Record<string, unknown>;

/** @throws Error for a scalar that isn't what its tag says, and for a key that stands twice */
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
  const seen = new Map<string, number>();
  for (let index = 0; index < node.content.length; index += 2) {
    const key = node.content[index]!;
    const name = String(scalarJson({ ...key, tag: key.kind === 'scalar' ? '!!str' : key.tag }));
    if (seen.has(name)) throw new Error(duplicateKeys(node));
    seen.set(name, index);
    define(object, name, toJson(node.content[index + 1]!));
  }
  return object;
}

function duplicateKeys(node: YamlNode): string {
  const names = node.content.filter((_, index) => index % 2 === 0).map((key) => key.value);
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  return `yaml: unmarshal errors:\n${repeated.map((name) => `  mapping key "${name}" already defined`).join('\n')}`;
}

function scalarJson(node: YamlNode): unknown {
  const { value, style } = node;
  const tag = node.tag;
  if (tag === tagOfKind.string || value.includes('\n')) return value;
  if (tag === '' && style !== 'plain') return value;
  const resolved = resolveWord(value);
  const found = tagOfKind[resolved.kind];
  if (tag !== '' && tag !== found && !(tag === '!!float' && found === '!!int')) {
    if (!Object.values<string>(tagOfKind).includes(tag)) return value;
    throw new Error(`yaml: cannot decode ${found} \`${value}\` as a ${tag}`);
  }
  if (resolved.kind === 'timestamp') return timestampText(value);
  return resolved.value;
}

/** As Go prints a time in JSON. */
function timestampText(value: string): string {
  const match = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](\d{1,2}):(\d{1,2}):(\d{1,2})([.,]\d+)?(Z|[+-]\d\d:\d\d)?)?$/.exec(
    value,
  );
  if (match === null) return value;
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const two = (text: string | undefined) => (text ?? '').padStart(2, '0');
  const digits = fraction.replace(',', '.').replace(/\.?0+$/, '');
  return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}${digits}${zone === '+00:00' ? 'Z' : zone}`;
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
  if (node.style === 'plain' && resolveWord(value).kind !== 'string') node.style = 'double';
  return node;
}

function scalarOf(value: unknown): YamlNode {
  if (value === null || value === undefined) return scalar('null', tagOfKind.null);
  if (typeof value === 'boolean') return scalar(String(value), tagOfKind.bool);
  if (typeof value === 'number' && !Number.isInteger(value)) return scalar(goFloat(value), tagOfKind.float);
  return scalar(String(value), tagOfKind.int);
}
