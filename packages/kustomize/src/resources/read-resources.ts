/** Parses text into resources: splits documents, expands lists, resolves anchors, requires names. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import {
  become,
  copyNode,
  isMissingOrNull,
  isNilOrEmpty,
  nullTag,
  scalar,
  type YamlNode,
} from '../yaml/node.ts';
import { clearField, memberOf } from '../yaml/fields.ts';
import { fromJson, toJson } from '../yaml/json.ts';
import { parseYaml } from '../yaml/parse.ts';
import { kindOf, requireMetadata } from './metadata.ts';
import { Resource } from './resource.ts';

/** @throws Error if something in the text is not a resource */
export const readResources = (text: string): Resource[] =>
  withoutLists(requireAll(readNodes(text))).map((node) => new Resource(node));

/** The documents of a text; a single List or ResourceList stands for its items. */
export function readNodes(text: string): YamlNode[] {
  const documents = splitDocuments(text.replaceAll('\r\n', '\n'));
  const nodes = documents.flatMap((document, index) => {
    const node = parseDocument(index < documents.length - 1 ? `${document}\n` : document);
    if (isMissingOrNull(node)) return [];
    return (documents.length === 1 ? listItems(node as YamlNode) : undefined) ?? [node as YamlNode];
  });
  for (const node of nodes) resolveAnchors(node);
  return nodes;
}

function splitDocuments(text: string): string[] {
  if (text === '') return [];
  const documents: string[] = [];
  let from = 0;
  for (const match of text.matchAll(/\n---.*\n/g)) {
    const behind = match[0].slice(4).trim();
    if (behind !== '' && !behind.startsWith('#')) {
      throw new Error(`invalid document separator: ${match[0].trim()}`);
    }
    documents.push(text.slice(from, match.index));
    from = match.index + match[0].length;
  }
  return [...documents, text.slice(from)];
}

function parseDocument(text: string): YamlNode | undefined {
  try {
    return parseYaml(text);
  } catch (failure) {
    throw new Error(`MalformedYAMLError: ${messageOf(failure)}`, { cause: failure });
  }
}

function listItems(node: YamlNode): readonly YamlNode[] | undefined {
  const kind = kindOf(node);
  const items = memberOf(node, 'items');
  if (kind !== 'List' && kind !== 'ResourceList') return undefined;
  if (items === undefined && memberOf(node, 'functionConfig') === undefined) return undefined;
  return items?.content ?? [];
}

function requireAll(nodes: readonly YamlNode[]): YamlNode[] {
  const kept = nodes.filter((node) => !isNilOrEmpty(node));
  for (const node of kept) requireMetadata(node);
  return kept;
}

function withoutLists(nodes: readonly YamlNode[]): YamlNode[] {
  const pending = [...nodes];
  const found: YamlNode[] = [];
  for (let node = pending.shift(); node !== undefined; node = pending.shift()) {
    const kind = kindOf(node);
    const items = kind.endsWith('List') ? memberOf(node, 'items') : undefined;
    if (items === undefined) found.push(node);
    else if (items.kind === 'sequence')
      pending.push(...requireAll(items.content.map((item) => fromJson(toJson(item)))));
    else if (!isMissingOrNull(items)) {
      throw new Error(`expected array in ${kind}/items, but found ${goType(toJson(items))}`);
    }
  }
  return found;
}

function goType(value: unknown): string {
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'string' ? 'string' : Number.isInteger(value) ? 'int' : 'float64';
}

/** Replaces aliases with copies, and merge keys with their members. */
function resolveAnchors(node: YamlNode): void {
  node.anchor = '';
  if (node.kind === 'alias') {
    const target = node.alias as YamlNode;
    resolveAnchors(target);
    become(node, copyNode(target));
    return;
  }
  if (node.kind === 'mapping') {
    mergeMembers(node);
    repeatNullKeys(node);
  }
  for (const part of node.content) resolveAnchors(part);
}

/** Upstream adds members with a null key again, and then rejects the object. */
function repeatNullKeys(node: YamlNode): void {
  for (const [key, value] of pairsOf(node)) {
    if (key.tag === nullTag && key.value !== '') node.content.push(key, value);
  }
}

function mergeMembers(node: YamlNode): void {
  const keys = node.content.filter((part, index) => index % 2 === 0 && part.tag === '!!merge');
  if (keys.length === 0) return;
  if (keys.length > 1) throw new Error('duplicate merge key');
  const sources = mergeSources(clearField(node, keys[0]!.value) ?? scalar(''));
  const own = node.content;
  node.content = [];
  for (const content of [...sources.map((source) => copyNode(source).content), own]) {
    for (let index = 0; index + 1 < content.length; index += 2) {
      putMember(node, content[index]!, content[index + 1]!);
    }
  }
  // The members' own order comes first.
  const names = own.filter((_, index) => index % 2 === 0).map((key) => key.value);
  const pairs = pairsOf(node);
  node.content = [
    ...names.flatMap((name) => pairs.find(([key]) => key.value === name) ?? []),
    ...pairs.filter(([key]) => !names.includes(key.value)).flat(),
  ];
}

function pairsOf(node: YamlNode): [YamlNode, YamlNode][] {
  const pairs: [YamlNode, YamlNode][] = [];
  for (let index = 0; index + 1 < node.content.length; index += 2) {
    pairs.push([node.content[index]!, node.content[index + 1]!]);
  }
  return pairs;
}

function putMember(node: YamlNode, key: YamlNode, value: YamlNode): void {
  const index = node.content.findIndex((part, at) => at % 2 === 0 && part.value === key.value);
  if (index < 0) node.content.push(key, value);
  else node.content.splice(index, 2, key, value);
}

/** Merged members override earlier ones. */
function mergeSources(node: YamlNode): YamlNode[] {
  if (node.kind === 'mapping') return [node];
  if (node.kind === 'alias') {
    if (node.alias?.kind !== 'mapping')
      throw new Error('invalid map merge: received alias for a non-map value');
    return [node.alias];
  }
  if (node.kind !== 'sequence') throw new Error('map merge requires map or sequence of maps as the value');
  return node.content.reduce<YamlNode[]>((sources, item) => {
    if (item.kind === 'sequence') throw new Error('invalid map merge: received a nested sequence');
    return [...mergeSources(item), ...sources];
  }, []);
}
