/** Where a transformer finds the fields that it changes. */
import { isSelectedBy, type Gvk } from '../resources/gvk.ts';

export interface FieldSpec extends Gvk {
  /** Names with slashes between; a list on the way means each of its items. */
  readonly path: string;
  /** Makes the field where it is missing. */
  readonly create?: boolean;
}

/** @throws Error when both speak of the same field and only one of them makes it */
export function mergeFieldSpecs(
  specs: readonly FieldSpec[],
  more: readonly FieldSpec[],
): readonly FieldSpec[] {
  const merged = [...specs];
  for (const spec of more) {
    const same = merged.find((present) => present.path === spec.path && isSelectedBy(present, spec));
    if (same === undefined) merged.push(spec);
    else if ((same.create ?? false) !== (spec.create ?? false)) throw new Error('conflicting fieldspecs');
  }
  return merged;
}
