/** ConfigMaps and Secrets from literals and files. */
import type { GeneratorArguments, GeneratorOptions } from '../configuration/kustomization.ts';
import { within } from '../failure.ts';
import type { Loader } from '../loading/loader.ts';
import { setMetadataEntry, type StringMap } from '../resources/metadata.ts';
import { ResourceMap } from '../resources/resource-map.ts';
import { behaviorOf, Resource } from '../resources/resource.ts';
import { booleanTag, scalar, stringScalar, stringTag, type YamlNode } from '../yaml/node.ts';
import { setField } from '../yaml/fields.ts';
import { fromJson } from '../yaml/json.ts';
import { lookupCreate } from '../yaml/path.ts';
import { loadKeyValues } from './key-values.ts';

export type Generator = () => ResourceMap;

export const configMapGenerator =
  (given: GeneratorArguments, loader: Loader): Generator =>
  () => {
    const node = baseNode('ConfigMap', given);
    for (const [key, bytes] of loadData(given, loader)) {
      const text = decodeText(bytes);
      const [field, value] = text === undefined ? ['binaryData', base64Lines(bytes)] : ['data', text];
      setField(lookupCreate(node, [field], 'mapping') as YamlNode, key, textNode(value));
    }
    return asResource(node, given);
  };

export const secretGenerator =
  (given: GeneratorArguments, loader: Loader): Generator =>
  () => {
    const node = baseNode('Secret', given);
    setField(node, 'type', stringScalar(given.type || 'Opaque'));
    const data = loadData(given, loader);
    const target = lookupCreate(node, ['data'], 'mapping') as YamlNode;
    for (const [key, bytes] of data) setField(target, key, textNode(base64Lines(bytes)));
    return asResource(node, given);
  };

function baseNode(kind: string, { name = '', namespace = '' }: GeneratorArguments): YamlNode {
  if (name === '') throw new Error('a configmap must have a name');
  const node = fromJson({ apiVersion: 'v1', kind });
  const metadata = lookupCreate(node, ['metadata'], 'mapping') as YamlNode;
  setField(metadata, 'name', stringScalar(name));
  if (namespace !== '') setField(metadata, 'namespace', stringScalar(namespace));
  return node;
}

function loadData(given: GeneratorArguments, loader: Loader): readonly (readonly [string, Uint8Array])[] {
  const found = new Map<string, Uint8Array>();
  for (const { key, value } of within('loading KV pairs', () => loadKeyValues(given, loader))) {
    if (found.has(key)) {
      throw new Error(`configmap ${given.name ?? ''} illegally repeats the key \`${key}\``);
    }
    found.set(key, value);
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

function asResource(node: YamlNode, { options, behavior }: GeneratorArguments): ResourceMap {
  setEntries(node, 'labels', options?.labels);
  setEntries(node, 'annotations', options?.annotations);
  if (options?.immutable) setField(node, 'immutable', scalar('true', booleanTag));
  const resource = new Resource(node);
  if (!options?.disableNameSuffixHash) resource.enable('needsHashSuffix');
  resource.behavior = behaviorOf(behavior ?? '');
  return ResourceMap.of([resource]);
}

function setEntries(node: YamlNode, field: 'labels' | 'annotations', entries: StringMap = {}): void {
  for (const key of Object.keys(entries).sort()) setMetadataEntry(node, field, key, entries[key] as string);
}

const textNode = (value: string): YamlNode => ({
  ...scalar(value, stringTag),
  style: value.includes('\n') ? 'literal' : 'plain',
});

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const base64LineLength = 70;

/** Text of several lines has line breaks, also at the end. */
function base64Lines(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  const encoded = btoa(text);
  const lines = Math.floor(encoded.length / base64LineLength) + 1;
  return lines > 1 ? encoded.replace(/.{1,70}/g, '$&\n') : encoded;
}

/** Options of the whole kustomization apply unless the entry overrides them. */
export function withGlobalOptions(
  given: GeneratorArguments,
  global: GeneratorOptions | undefined,
): GeneratorArguments {
  if (global === undefined) return given;
  const own = given.options ?? {};
  return {
    ...given,
    options: {
      labels: { ...global.labels, ...own.labels },
      annotations: { ...global.annotations, ...own.annotations },
      disableNameSuffixHash: (global.disableNameSuffixHash ?? false) || (own.disableNameSuffixHash ?? false),
      immutable: (global.immutable ?? false) || (own.immutable ?? false),
    },
  };
}
