/** The hash that is appended to the names of generated ConfigMaps and Secrets. */
import { createHash } from 'node:crypto';
import { kindOf, setName } from '../resources/metadata.ts';
import type { Resource } from '../resources/resource.ts';
import type { Transformer } from '../transformers/transformer.ts';
import type { YamlNode } from '../yaml/node.ts';
import { toJson } from '../yaml/json.ts';
import { sortedJson } from '../yaml/sorted-json.ts';
import { memberOf } from '../yaml/fields.ts';

export const addNameHashes: Transformer = (map) => {
  for (const resource of map.resources) {
    if (!resource.isEnabled('needsHashSuffix')) continue;
    const hash = contentHash(resource);
    resource.rememberId();
    setName(resource.node, `${resource.name}-${hash}`);
  }
};

/** Ten characters without vowels and similar-looking characters. */
export function contentHash({ node }: Resource): string {
  return createHash('sha256')
    .update(sortedJson(hashedContent(node)))
    .digest('hex')
    .slice(0, 10)
    .replace(/[013ae]/g, (digit) => safeDigits[digit] as string);
}

const safeDigits: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };

function hashedContent(node: YamlNode): unknown {
  // Upstream intends to use the object's name, but reads a field that no object has.
  const name = '';
  const data = valueAt(node, 'data');
  switch (kindOf(node)) {
    case 'ConfigMap':
      return { ...ifMap('binaryData', valueAt(node, 'binaryData')), data, kind: 'ConfigMap', name };
    case 'Secret':
      return {
        data,
        kind: 'Secret',
        name,
        ...ifMap('stringData', valueAt(node, 'stringData')),
        type: valueAt(node, 'type'),
      };
    default:
      return toJson(node);
  }
}

const valueAt = (node: YamlNode | undefined, name: string): unknown => {
  const found = memberOf(node, name);
  if (found === undefined) return '';
  return found.kind === 'scalar' ? found.value : toJson(found);
};

const ifMap = (field: string, value: unknown): object =>
  typeof value === 'object' ? { [field]: value } : {};
