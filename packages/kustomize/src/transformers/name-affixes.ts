/** Adds prefixes and suffixes to names. */
import type { FieldSpec } from '../configuration/field-spec.ts';
import { isSelectedBy, type Gvk } from '../resources/gvk.ts';
import type { Resource } from '../resources/resource.ts';
import { scalar, stringTag, type YamlNode } from '../yaml/node.ts';
import { setScalar } from '../yaml/fields.ts';
import { applyFieldSpec } from './apply-field-spec.ts';
import type { Transformer } from './transformer.ts';

/** Kinds whose names have a meaning elsewhere. */
const skippedKinds: readonly Gvk[] = [
  { kind: 'CustomResourceDefinition' },
  { group: 'apiregistration.k8s.io', kind: 'APIService' },
  { kind: 'Namespace' },
];

export const addPrefix = (prefix: string, specs: readonly FieldSpec[]): Transformer =>
  changeNames(
    prefix,
    specs,
    (resource) => resource.addPrefix(prefix),
    (name) => prefix + name,
  );

export const addSuffix = (suffix: string, specs: readonly FieldSpec[]): Transformer =>
  changeNames(
    suffix,
    specs,
    (resource) => resource.addSuffix(suffix),
    (name) => name + suffix,
  );

function changeNames(
  affix: string,
  specs: readonly FieldSpec[],
  record: (resource: Resource) => void,
  rename: (name: string) => string,
): Transformer {
  const set = (node: YamlNode) => setScalar(node, scalar(rename(node.value)));
  return (map) => {
    for (const resource of map.resources) {
      const { gvk } = resource.originalId;
      if (skippedKinds.some((kind) => isSelectedBy(gvk, kind))) continue;
      for (const spec of specs) {
        if (!isSelectedBy(gvk, spec)) continue;
        if (spec.path === 'metadata/name') {
          record(resource);
          if (affix !== '') resource.rememberId();
        }
        applyFieldSpec(resource.node, spec, { set, createKind: 'scalar', createTag: stringTag });
      }
    }
  };
}
