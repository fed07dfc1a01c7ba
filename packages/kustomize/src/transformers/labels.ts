/** Labels and annotations wherever the field specifications say. */
import type { FieldSpec } from '../configuration/field-spec.ts';
import type { StringMap } from '../resources/metadata.ts';
import { mapTag, scalar, stringTag } from '../yaml/node.ts';
import { setField } from '../yaml/fields.ts';
import { applyFieldSpecs } from './apply-field-spec.ts';
import type { Transformer } from './transformer.ts';

/** Sets each entry in all of the maps that the specifications name. */
export function setEntries(entries: StringMap, specs: readonly FieldSpec[]): Transformer {
  const keys = Object.keys(entries).sort();
  return (map) => {
    for (const { node } of map.resources) {
      for (const key of keys) {
        // One node for all places, as in the original: later changes of it show in all of them.
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
