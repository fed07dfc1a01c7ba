import type { CachedObject } from './cached-object.ts';

/** The one value of a field that everything selected has. */
export interface FieldScope {
  readonly field: string;
  readonly value: string;
}

/** The one value of a label that everything selected has. */
export interface LabelScope {
  readonly label: string;
  readonly value: string;
}

/** What is known about a selection, so that indexes can be used for it. */
export type Narrowing = FieldScope | LabelScope;

/** Reads what a narrowing is about; undefined where an object has none, or can't be read. */
export type TraitReader = <T>(object: CachedObject<T>) => string | undefined;

/** A field that is absent counts as empty, as in selectors; a label that is absent has no value. */
export function readerOf(narrowing: Narrowing): TraitReader {
  if ('field' in narrowing) {
    const { field } = narrowing;
    return (object) => (object.isReadable ? (object.fields[field] ?? '') : undefined);
  }
  const { label } = narrowing;
  return (object) => (object.isReadable ? object.labels[label] : undefined);
}

/** Tells apart what narrowings are about. */
export const traitName = (narrowing: Narrowing): string =>
  'field' in narrowing ? `field ${narrowing.field}` : `label ${narrowing.label}`;

/** What a narrowing says by itself. */
export function matchOf(narrowing: Narrowing): (object: CachedObject<unknown>) => boolean {
  const read = readerOf(narrowing);
  return (object) => read(object) === narrowing.value;
}
