/** A node may update only the capacity and conditions in a claim's status. */
import { goQuote, semanticDeepEqual, type KubeObject } from '@coxswain/apimachinery';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import { objectOf, oldObjectOf, refused } from '../attributes.ts';
import type { NodeWrite } from './node-write.ts';

export function checkClaim({ attributes, node }: NodeWrite): void {
  if (attributes.subresource !== 'status') throw refused(attributes, 'may only update PVC status');
  if (attributes.operation !== 'UPDATE') {
    throw refused(attributes, `unexpected operation ${goQuote(attributes.operation)}`);
  }
  const before = comparable(oldObjectOf<PersistentVolumeClaim>(attributes));
  const after = comparable(objectOf<PersistentVolumeClaim>(attributes));
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (member) => !semanticDeepEqual(before[member], after[member]),
  );
  if (changed.length === 0) return;
  throw refused(
    attributes,
    `node ${goQuote(node)} is not allowed to update fields other than status.quantity and status.conditions: ${changed.join(', ')}`,
  );
}

function comparable(claim: PersistentVolumeClaim): Readonly<Record<string, unknown>> {
  const {
    resourceVersion: _version,
    managedFields: _managed,
    ...metadata
  } = claim.metadata as KubeObject['metadata'];
  const {
    capacity: _capacity,
    conditions: _conditions,
    allocatedResourceStatuses: _statuses,
    allocatedResources: _allocated,
    ...status
  } = claim.status ?? {};
  return { metadata, spec: claim.spec, status };
}
