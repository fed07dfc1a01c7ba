/** Sets labels and annotations at all paths of the field specifications. */
import type { FieldSpec } from '../configuration/field-spec.ts';
import type { StringMap } from '../resources/metadata.ts';
import { mapTag, scalar, stringTag } from '../yaml/node.ts';
import { setField } from '../yaml/fields.ts';
import { applyFieldSpecs } from './apply-field-spec.ts';
import type { Transformer } from './transformer.ts';

/** Sets each entry in all maps that the specifications name. */
export function setEntries(entries: StringMap, specs: readonly FieldSpec[]): Transformer {
  const keys = Object.keys(entries).sort();
  return (map) => {
    for (const { node } of map.resources) {
      for (const key of keys) {
        // All places share one node, as upstream, so later changes appear in all of them.
        const value = scalar(entries[key] as string, stringTag);
        applyFieldSpecs(node, specs, {
          set: (target) => void setField(target, key, value),
          createKind: 'mapping',
          createTag: mapTag,
        });
      }
    }
    map.dropEmpty();
  };
}
