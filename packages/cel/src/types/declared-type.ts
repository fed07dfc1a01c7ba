/** Types that a schema or a host declares: objects with fields, and how large their values can be. */

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
  /** Of an object, by the name that expressions use. */
  readonly fields?: ReadonlyMap<string, DeclaredField>;
  readonly key?: DeclaredType;
  readonly element?: DeclaredType;
  /** Elements, entries or characters at most: what static costs are estimated from. */
  readonly elementsMax: number;
  /** The shortest JSON of such a value, in bytes. */
  readonly serializedSizeMin: number;
  /** How a value of decoded JSON becomes a value of this type, where that isn't said by the type itself. */
  readonly format?: 'date' | 'date-time' | 'duration' | 'byte';
  /** Of a list, as `x-kubernetes-list-type` says. */
  readonly listType?: 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  readonly isNullable?: true;
  /** A string or a whole number. */
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

/** Where nothing bounds a list or a map. */
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

/** An object whose fields are named as in the data. */
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
