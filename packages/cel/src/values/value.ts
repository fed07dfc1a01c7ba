/** The results of expressions. */

import type { CelType } from '../types/type.ts';
import type { Double } from './double.ts';
import type { Duration } from './duration.ts';
import type { CelError } from './error.ts';
import type { Int } from './int.ts';
import type { Timestamp } from './timestamp.ts';
import type { TypeValue } from './type-value.ts';
import type { Uint } from './uint.ts';

export type Value =
  | null
  | boolean
  | Int
  | Uint
  | Double
  | string
  | Uint8Array
  | Timestamp
  | Duration
  | ListValue
  | MapValue
  | StructValue
  | Optional
  | TypeValue
  | OpaqueValue
  | CelError;

export type { CelType };

/** Access to elements by index; subclasses implement it. */
export abstract class ListValue {
  abstract readonly size: number;
  /** @param index within the list */
  abstract at(index: number): Value;

  items(): readonly Value[] {
    return Array.from({ length: this.size }, (_, index) => this.at(index));
  }

  /** Equality and `+` if a schema declares the list as a set or a map. */
  equalsLike?(other: ListValue): boolean;
  concatLike?(other: ListValue): ListValue;
}

/** Values by key. Keys of different numeric types are equal if the numbers are. */
export abstract class MapValue {
  abstract readonly size: number;
  abstract get(key: Value): Value | undefined;
  abstract keys(): readonly Value[];
}

/** A value of a library's own type: a quantity, an address, an authorizer. */
export abstract class OpaqueValue {
  abstract readonly type: CelType;
  abstract equals(other: Value): boolean;

  /** Whether values can be compared; otherwise `==` is an error. */
  isComparableTo(other: Value): boolean {
    return other instanceof OpaqueValue && other.type.name === this.type.name;
  }

  /** Its size if the cost of a comparison depends on it; otherwise 1. */
  get costSize(): number {
    return 1;
  }
}

/** A value or none. */
export class Optional {
  readonly value: Value | undefined;

  constructor(value: Value | undefined) {
    this.value = value;
  }
}

export const none = new Optional(undefined);

/** An object with declared fields. */
export abstract class StructValue {
  abstract readonly type: CelType;
  /** The field's value, or an error if it isn't set or isn't declared. */
  abstract get(field: string): Value;
  /** Whether the field is set, or an error if it isn't declared. */
  abstract has(field: string): Value;
  abstract equals(other: Value): boolean;
  /** The fields that are set, if the struct can be used as a map, as objects of decoded JSON can. */
  keys?(): readonly string[];

  /** The number of entries that determines the cost of reading it. */
  get entryCount(): number {
    return this.keys?.().length ?? 1;
  }
}
