/** Who owns `spec.replicas` of an object owns `spec.replicas` of its Scale, and the other way round. */
import type { ManagedFieldsEntry } from '@coxswain/apimachinery';

type FieldTree = { readonly [name: string]: FieldTree };

const replicasOnly: FieldTree = { 'f:spec': { 'f:replicas': {} } };

export function toScaleFields(entries: readonly ManagedFieldsEntry[] = []): ManagedFieldsEntry[] {
  return entries.filter(ownsReplicas).map((entry) => ({
    ...entry,
    apiVersion: 'autoscaling/v1',
    fieldsV1: replicasOnly,
  }));
}

/** The parent's entries after a write to its Scale left `scaleEntries`. */
export function scaleToParentFields(
  parentEntries: readonly ManagedFieldsEntry[] = [],
  scaleEntries: readonly ManagedFieldsEntry[] = [],
  apiVersion: string,
): ManagedFieldsEntry[] {
  const remaining = new Map(scaleEntries.filter(ownsReplicas).map((entry) => [ownerOf(entry), entry]));
  const kept = parentEntries.flatMap((entry) => {
    if (!ownsReplicas(entry)) return [entry];
    if (remaining.delete(ownerOf(entry))) return [entry];
    const fieldsV1 = withoutReplicas(entry.fieldsV1 as FieldTree);
    return Object.keys(fieldsV1).length === 0 ? [] : [{ ...entry, fieldsV1 }];
  });
  // The original loses the time of owners that the parent didn't have before.
  const added = [...remaining.values()].map((entry) => {
    const { time: _, ...timeless } = entry;
    return { ...timeless, apiVersion, fieldsV1: replicasOnly };
  });
  return [...kept, ...added];
}

const ownsReplicas = ({ fieldsV1 }: ManagedFieldsEntry): boolean =>
  (fieldsV1 as FieldTree | undefined)?.['f:spec']?.['f:replicas'] !== undefined;

const ownerOf = ({ manager, operation, subresource }: ManagedFieldsEntry): string =>
  [manager, operation, subresource].join('\0');

function withoutReplicas({ 'f:spec': spec = {}, ...others }: FieldTree): FieldTree {
  const { 'f:replicas': _, ...kept } = spec;
  return Object.keys(kept).length === 0 ? others : { ...others, 'f:spec': kept };
}
