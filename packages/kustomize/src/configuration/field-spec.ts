/** The path of a field that a transformer changes. */
import { isSelectedBy, type Gvk } from '../resources/gvk.ts';

export interface FieldSpec extends Gvk {
  /** Names separated by slashes; a list on the path stands for each of its items. */
  readonly path: string;
  /** Creates the field if it is missing. */
  readonly create?: boolean;
}

/** @throws Error if both specify the same field and only one of them creates it */
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
