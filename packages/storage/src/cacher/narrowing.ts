import type { CachedObject } from './cached-object.ts';

/** A field value that all selected objects have. */
export interface FieldScope {
  readonly field: string;
  readonly value: string;
}

/** A label value that all selected objects have. */
export interface LabelScope {
  readonly label: string;
  readonly value: string;
}

/** A condition implied by a selection, for which an index can be used. */
export type Narrowing = FieldScope | LabelScope;

/** Reads the trait of a narrowing; undefined if the object has none or can't be read. */
export type TraitReader = <T>(object: CachedObject<T>) => string | undefined;

/** An absent field counts as empty, as in selectors; an absent label has no value. */
export function readerOf(narrowing: Narrowing): TraitReader {
  if ('field' in narrowing) {
    const { field } = narrowing;
    return (object) => (object.isReadable ? (object.fields[field] ?? '') : undefined);
  }
  const { label } = narrowing;
  return (object) => (object.isReadable ? object.labels[label] : undefined);
}

/** Identifies the trait of a narrowing. */
export const traitName = (narrowing: Narrowing): string =>
  'field' in narrowing ? `field ${narrowing.field}` : `label ${narrowing.label}`;

/** The condition of a narrowing as a predicate. */
export function matchOf(narrowing: Narrowing): (object: CachedObject<unknown>) => boolean {
  const read = readerOf(narrowing);
  return (object) => read(object) === narrowing.value;
}
