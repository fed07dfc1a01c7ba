/** Fields that hold the name of an object of one kind. */
import { sameGvk, type Gvk } from '../resources/gvk.ts';
import { mergeFieldSpecs, type FieldSpec } from './field-spec.ts';

export interface NameReference extends Gvk {
  readonly fieldSpecs?: readonly FieldSpec[];
}

export function mergeNameReferences(
  references: readonly NameReference[],
  more: readonly NameReference[],
): readonly NameReference[] {
  return more.reduce<readonly NameReference[]>((merged, added) => {
    if (!merged.some((present) => sameGvk(present, added))) return [...merged, added];
    return merged.map((present) =>
      sameGvk(present, added)
        ? { ...present, fieldSpecs: mergeFieldSpecs(present.fieldSpecs ?? [], added.fieldSpecs ?? []) }
        : present,
    );
  }, references);
}
