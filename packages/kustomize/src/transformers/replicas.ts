/** Sets replica counts by name. */
import type { FieldSpec } from '../configuration/field-spec.ts';
import type { Replica } from '../configuration/kustomization.ts';
import { gvkText, isSelectedBy } from '../resources/gvk.ts';
import { integerTag, scalar } from '../yaml/node.ts';
import { setScalar } from '../yaml/fields.ts';
import { applyFieldSpec } from './apply-field-spec.ts';
import type { Transformer } from './transformer.ts';

export function setReplicas({ name = '', count = 0 }: Replica, specs: readonly FieldSpec[]): Transformer {
  return (map) => {
    let found = false;
    for (const spec of specs) {
      const resources = map.byAnyId((id) => id.name === name && isSelectedBy(id.gvk, spec));
      for (const resource of resources) {
        found = true;
        applyFieldSpec(resource.node, spec, {
          set: (node) => setScalar(node, scalar(String(count), integerTag)),
          createKind: 'scalar',
          createTag: integerTag,
        });
      }
    }
    if (!found) {
      throw new Error(
        `resource with name ${name} does not match a config with the following GVK [${specs.map(gvkText).join(' ')}]`,
      );
    }
  };
}
