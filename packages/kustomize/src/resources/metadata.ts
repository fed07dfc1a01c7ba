/** Reads and writes the kind, the name and the maps of metadata in nodes. */
import { isMissingOrNull, isNilOrEmpty, scalar, stringScalar, valueOf, type YamlNode } from '../yaml/node.ts';
import { clearField, memberOf, setField } from '../yaml/fields.ts';
import { lookup, lookupCreate } from '../yaml/path.ts';
import { parseApiVersion, type Gvk } from './gvk.ts';

export type StringMap = Record<string, string>;

export const kindOf = (node: YamlNode): string => memberOf(node, 'kind')?.value ?? '';
export const apiVersionOfNode = (node: YamlNode): string => memberOf(node, 'apiVersion')?.value ?? '';
export const gvkOf = (node: YamlNode): Required<Gvk> => ({
  ...parseApiVersion(apiVersionOfNode(node)),
  kind: kindOf(node),
});
export const nameOf = (node: YamlNode): string => metadataText(node, 'name');
export const namespaceOf = (node: YamlNode): string => metadataText(node, 'namespace');

function metadataOf(node: YamlNode): YamlNode | undefined {
  if (isMissingOrNull(node)) return undefined;
  const metadata = memberOf(node, 'metadata');
  return isNilOrEmpty(metadata) ? undefined : metadata;
}

function metadataText(node: YamlNode, name: string): string {
  const found = memberOf(metadataOf(node), name);
  return found === undefined || isNilOrEmpty(found) ? '' : found.value;
}

export const annotationsOf = (node: YamlNode): StringMap =>
  stringMapOf(memberOf(metadataOf(node), 'annotations'));
export const labelsOf = (node: YamlNode): StringMap => stringMapOf(memberOf(metadataOf(node), 'labels'));

/** The members of a mapping as text, whatever their type. */
export function stringMapOf(node: YamlNode | undefined): StringMap {
  const found: StringMap = Object.create(null) as StringMap;
  const content = node?.kind === 'mapping' ? node.content : [];
  for (let index = 0; index + 1 < content.length; index += 2) {
    found[content[index]!.value] = content[index + 1]!.value;
  }
  return found;
}

export const setAnnotations = (node: YamlNode, annotations: StringMap): void =>
  setMetadataMap(node, 'annotations', annotations);
export const setLabels = (node: YamlNode, labels: StringMap): void => setMetadataMap(node, 'labels', labels);

function setMetadataMap(node: YamlNode, field: string, map: StringMap): void {
  const metadata = lookupCreate(node, ['metadata'], 'mapping') as YamlNode;
  clearField(metadata, field);
  const keys = Object.keys(map).sort();
  if (keys.length === 0) return;
  const target = lookupCreate(metadata, [field], 'mapping') as YamlNode;
  for (const key of keys) setField(target, key, stringScalar(map[key] as string));
}

/** One annotation or label, quoted. */
export function setMetadataEntry(
  node: YamlNode,
  field: 'annotations' | 'labels',
  key: string,
  value: string,
): void {
  if (field === 'annotations') clearEmptyAnnotations(node);
  const map = lookupCreate(node, ['metadata', field], 'mapping');
  if (map !== undefined) setField(map, key, { ...stringScalar(value), style: 'single' });
}

function clearEmptyAnnotations(node: YamlNode): void {
  const metadata = lookup(node, ['metadata']);
  if (metadata !== undefined) clearField(metadata, 'annotations', true);
  clearField(node, 'metadata', true);
}

function setMapField(node: YamlNode, value: YamlNode, path: readonly string[]): void {
  const parent = lookupCreate(node, path.slice(0, -1), 'mapping');
  if (parent !== undefined) setField(parent, path.at(-1) as string, value);
}

export const setName = (node: YamlNode, name: string): void =>
  setMapField(node, scalar(name), ['metadata', 'name']);
export const setKind = (node: YamlNode, kind: string): void => setMapField(node, scalar(kind), ['kind']);
export const setApiVersion = (node: YamlNode, apiVersion: string): void =>
  setMapField(node, scalar(apiVersion), ['apiVersion']);

export function setNamespace(node: YamlNode, namespace: string): void {
  const metadata = lookup(node, ['metadata']);
  if (namespace !== '') setMapField(node, scalar(namespace), ['metadata', 'namespace']);
  else if (metadata !== undefined) clearField(metadata, 'namespace');
}

/** `{ {v1 ConfigMap} {{name ns} map[] map[]} }` as Go's %v prints it. */
export interface ResourceMeta {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly labels: StringMap | undefined;
  readonly annotations: StringMap | undefined;
}

/** @throws Error `missing Resource metadata` if there is nothing that identifies the object */
export function metaOf(node: YamlNode): ResourceMeta {
  const text = (name: string, from: YamlNode | undefined = node) => {
    const found = memberOf(from, name);
    return found === undefined || isNilOrEmpty(found) ? undefined : valueOf(found);
  };
  const apiVersion = text('apiVersion');
  const kind = text('kind');
  const field = memberOf(node, 'metadata');
  const metadata = isNilOrEmpty(field) ? undefined : field;
  const map = (name: string) => {
    const found = memberOf(metadata, name);
    return isNilOrEmpty(found) ? undefined : stringMapOf(found);
  };
  const meta = {
    apiVersion,
    kind,
    name: metadata && text('name', metadata),
    namespace: metadata && text('namespace', metadata),
    labels: map('labels'),
    annotations: map('annotations'),
  };
  if (Object.values(meta).every((one) => one === undefined)) throw new Error('missing Resource metadata');
  return {
    ...meta,
    apiVersion: apiVersion ?? '',
    kind: kind ?? '',
    name: meta.name ?? '',
    namespace: meta.namespace ?? '',
  };
}

/** @throws Error unless kind and name are set */
export function requireMetadata(node: YamlNode): ResourceMeta {
  const meta = metaOf(node);
  if (meta.kind === '') throw new Error(`missing kind in object ${metaText(meta)}`);
  if (!meta.kind.endsWith('List') && meta.name === '') {
    throw new Error(`missing metadata.name in object ${metaText(meta)}`);
  }
  return meta;
}

const metaText = ({ apiVersion, kind, name, namespace, labels, annotations }: ResourceMeta): string =>
  `{{${apiVersion} ${kind}} {{${name} ${namespace}} ${goMap(labels)} ${goMap(annotations)}}}`;

const goMap = (map: StringMap = {}): string =>
  `map[${Object.keys(map)
    .sort()
    .map((key) => `${key}:${map[key] as string}`)
    .join(' ')}]`;
