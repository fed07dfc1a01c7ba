/** Gets, sets and removes members and items of nodes, with kyaml's rules for styles and nulls. */
import {
  become,
  isEmptyMap,
  isMissingOrNull,
  isStringNode,
  nullTag,
  scalar,
  type NodeKind,
  type YamlNode,
} from './node.ts';
import { printYaml } from './print.ts';
import { isNonStringWord } from './resolve.ts';

/** A node has a different kind from what the path requires. */
export class InvalidNodeKind extends Error {
  override readonly name = 'InvalidNodeKind';
  readonly found: NodeKind;

  constructor(expected: NodeKind, node: YamlNode) {
    super(
      `wrong node kind: expected ${kindNames[expected]} but got ${kindNames[node.kind]}: node contents:\n${printYaml(node)}`,
    );
    this.found = node.kind;
  }
}

const kindNames: Readonly<Record<NodeKind, string>> = {
  mapping: 'MappingNode',
  sequence: 'SequenceNode',
  scalar: 'ScalarNode',
  alias: 'AliasNode',
  none: '',
};

/** Null and missing nodes are accepted as any kind. @throws InvalidNodeKind */
export function requireKind(node: YamlNode | undefined, kind: NodeKind): void {
  if (!isMissingOrNull(node) && (node as YamlNode).kind !== kind)
    throw new InvalidNodeKind(kind, node as YamlNode);
}

/** The value of the first member with that name, whatever the kind of the node. */
export function memberOf(node: YamlNode | undefined, name: string): YamlNode | undefined {
  if (node === undefined || node.kind !== 'mapping') return undefined;
  for (let index = 0; index + 1 < node.content.length; index += 2) {
    if (node.content[index]!.value === name) return node.content[index + 1];
  }
  return undefined;
}

export const fieldNames = (node: YamlNode): string[] =>
  node.content.filter((_, index) => index % 2 === 0).map((key) => key.value);

/** As {@link memberOf}. @throws InvalidNodeKind if it is not a mapping */
export function getField(node: YamlNode | undefined, name: string): YamlNode | undefined {
  if (isMissingOrNull(node)) return undefined;
  requireKind(node, 'mapping');
  return memberOf(node, name);
}

export interface SetOptions {
  /** A null that is stored, where null otherwise removes the member. */
  readonly keepNull?: boolean;
  readonly keyStyle?: YamlNode['style'];
}

/** Sets a member; a new value takes the style of the old one. No value, or null, removes the member. */
export function setField(
  node: YamlNode,
  name: string,
  value: YamlNode | undefined,
  { keepNull = false, keyStyle = 'plain' }: SetOptions = {},
): YamlNode | undefined {
  quoteIfNeeded(value);
  if (value === undefined || (value.tag === nullTag && !keepNull)) return clearField(node, name);
  const present = getField(node, name);
  if (present !== undefined) {
    value.style = present.style;
    become(present, value);
    return present;
  }
  node.content.push({ ...scalar(name), style: keyStyle }, value);
  return value;
}

/** Sets the value of a scalar and keeps its style. */
export function setScalar(node: YamlNode, value: YamlNode): void {
  quoteIfNeeded(value);
  requireKind(node, 'scalar');
  if (isMissingOrNull(value)) return;
  (value as YamlNode).style = node.style;
  become(node, value);
}

function quoteIfNeeded(value: YamlNode | undefined): void {
  if (value !== undefined && isStringNode(value) && value.style === 'plain' && isNonStringWord(value.value)) {
    value.style = 'double';
  }
}

/** Returns the removed value. */
export function clearField(
  node: YamlNode | undefined,
  name: string,
  onlyIfEmpty = false,
): YamlNode | undefined {
  requireKind(node, 'mapping');
  if (node === undefined) return undefined;
  for (let index = 0; index + 1 < node.content.length; index += 2) {
    const value = node.content[index + 1]!;
    if (node.content[index]!.value !== name || (onlyIfEmpty && value.content.length > 0)) continue;
    node.content = [...node.content.slice(0, index), ...node.content.slice(index + 2)];
    return value;
  }
  return undefined;
}

/** The first item whose members have these values; in a list of scalars, the one equal to `values[0]`. */
export function findItem(
  list: YamlNode | undefined,
  keys: readonly string[],
  values: readonly string[],
): YamlNode | undefined {
  requireKind(list, 'sequence');
  if (list === undefined) return undefined;
  if ((keys[0] ?? '') === '') return list.content.find((item) => item.value === (values[0] ?? ''));
  return list.content.find(
    (item) =>
      (item.kind === 'mapping' || isMissingOrNull(item)) &&
      keys.every((key, index) => {
        const field = isMissingOrNull(item) ? undefined : memberOf(item, key);
        return field !== undefined && field.value === values[index];
      }),
  );
}

/** Replaces the item with the same keys or appends one; without an item, removes it. */
export function setItem(
  list: YamlNode,
  item: YamlNode | undefined,
  keys: readonly string[],
  values: readonly string[],
): void {
  requireKind(list, 'sequence');
  const wanted = keys.length === 0 ? [''] : keys;
  const content: YamlNode[] = [];
  let matched = false;
  for (const present of list.content) {
    if (isEmptyMap(present)) continue;
    const byMembers = wanted[0] !== '' && values.length > 0 && values[0] !== '';
    if (present.kind !== 'mapping' && byMembers) {
      content.push(present);
      continue;
    }
    if (!hasValues(present, wanted, values)) {
      if (values.length > 0) content.push(present);
      continue;
    }
    matched = true;
    if (item !== undefined) content.push(item);
  }
  list.content = content;
  if (!isMissingOrNull(item) && !matched) list.content.push(item as YamlNode);
}

function hasValues(item: YamlNode, keys: readonly string[], values: readonly string[]): boolean {
  let found: YamlNode | undefined;
  for (const [index, key] of keys.entries()) {
    if (index < values.length) found = matchingField(item, key, values[index]!);
    if (found === undefined) return false;
  }
  return true;
}

function matchingField(node: YamlNode, name: string, value: string): YamlNode | undefined {
  if (name === '') {
    requireKind(node, 'scalar');
    return node.value === value ? node : undefined;
  }
  const field = getField(node, name);
  return field !== undefined && (value === '' || field.value === value) ? field : undefined;
}

export const itemsOf = (node: YamlNode): readonly YamlNode[] => {
  requireKind(node, 'sequence');
  return node.content;
};
