/** Applies strategic merge patches to resources. */
import { kindOf, setKind, setName, setNamespace } from '../resources/metadata.ts';
import { identicalId } from '../resources/resource-id.ts';
import type { ResourceMap } from '../resources/resource-map.ts';
import type { Resource } from '../resources/resource.ts';
import type { KnownKinds } from '../schema/merge-schema.ts';
import { mergeStrategically } from '../schema/strategic-merge.ts';
import { become } from '../yaml/node.ts';

/** The resource keeps its kind, name and namespace unless the patch may change them. */
export function applyStrategicPatch(resource: Resource, patch: Resource, schema: KnownKinds): void {
  const { name, namespace } = resource;
  const kind = kindOf(resource.node);
  const nameMayChange = patch.isEnabled('allowNameChange');
  const kindMayChange = patch.isEnabled('allowKindChange');
  if (nameMayChange || kindMayChange) resource.rememberId();
  const merged = mergeStrategically(resource.node, patch.node, schema);
  if (merged === undefined) resource.clear();
  else if (merged !== resource.node) become(resource.node, merged);
  if (resource.isEmpty) return;
  if (!kindMayChange) setKind(resource.node, kind);
  if (!nameMayChange) setName(resource.node, name);
  setNamespace(resource.node, namespace);
}

/** Applies one patch to several resources, whatever their names. */
export function patchSelected(
  map: ResourceMap,
  selected: readonly Resource[],
  patch: Resource,
  schema: KnownKinds,
): void {
  const ids = selected.map((resource) => resource.id);
  const kept: Resource[] = [];
  for (const resource of map.resources) {
    const id = resource.id;
    if (ids.some((one) => identicalId(one, id))) {
      const own = patch.copy();
      own.takeMetadataFrom(patch);
      own.setGvk(resource.gvk);
      setKind(own.node, kindOf(patch.node));
      applyStrategicPatch(resource, own, schema);
    }
    if (!resource.isEmpty) kept.push(resource);
  }
  map.resources = [];
  for (const resource of kept) map.append(resource);
}
