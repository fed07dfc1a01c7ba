/** Types declared by a schema or a host: objects with fields, and the sizes of their values. */

import * as types from './type.ts';
import type { CelType } from './type.ts';

export interface DeclaredField {
  /** The name in the data; in expressions it may be escaped. */
  readonly dataName: string;
  readonly type: DeclaredType;
  readonly isRequired: boolean;
}

export interface DeclaredType {
  readonly type: CelType;
  /** For an object, by the names in expressions. */
  readonly fields?: ReadonlyMap<string, DeclaredField>;
  readonly key?: DeclaredType;
  readonly element?: DeclaredType;
  /** The maximum number of elements, entries or characters, for static cost estimates. */
  readonly elementsMax: number;
  /** The minimum length of such a value's JSON, in bytes. */
  readonly serializedSizeMin: number;
  /** How to convert decoded JSON to this type, if the type itself doesn't determine it. */
  readonly format?: 'date' | 'date-time' | 'duration' | 'byte';
  /** For a list: its `x-kubernetes-list-type`. */
  readonly listType?: 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly isNullable?: true;
  /** A string or an integer. */
  readonly isIntOrString?: true;
}

const simple = (type: CelType, serializedSizeMin: number): DeclaredType => ({
  type,
  elementsMax: 0,
  serializedSizeMin,
});

export const declaredBool = simple(types.boolType, 4);
export const declaredDouble = simple(types.doubleType, 1);
export const declaredDyn = simple(types.dynType, 1);
export const declaredInt = simple(types.intType, 1);
export const declaredString = simple(types.stringType, 2);
export const declaredTimestamp: DeclaredType = { ...simple(types.timestampType, 12), format: 'date-time' };

/** For a list or a map without a limit. */
export const unboundedElements = 2 ** 64;

export const declaredList = (element: DeclaredType, elementsMax = unboundedElements): DeclaredType => ({
  type: types.listType(element.type),
  element,
  elementsMax,
  serializedSizeMin: 2,
});

export const declaredMap = (
  key: DeclaredType,
  element: DeclaredType,
  elementsMax = unboundedElements,
): DeclaredType => ({
  type: types.mapType(key.type, element.type),
  key,
  element,
  elementsMax,
  serializedSizeMin: 2,
});

/** An object whose fields have the same names as in the data. */
export function declaredObject(
  name: string,
  fields: Readonly<Record<string, DeclaredType>>,
  required: readonly string[] = [],
): DeclaredType {
  const entries = Object.entries(fields).map(
    ([field, type]) => [field, { dataName: field, type, isRequired: required.includes(field) }] as const,
  );
  return { type: types.structType(name), fields: new Map(entries), elementsMax: 0, serializedSizeMin: 2 };
}

/** The object types in it by name. */
export function objectTypesIn(declared: DeclaredType): ReadonlyMap<string, DeclaredType> {
  const found = new Map<string, DeclaredType>();
  const visit = (type: DeclaredType): void => {
    if (type.fields && !found.has(type.type.name)) {
      found.set(type.type.name, type);
      for (const field of type.fields.values()) visit(field.type);
    }
    if (type.element) visit(type.element);
  };
  visit(declared);
  return found;
}
