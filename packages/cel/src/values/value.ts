/** What an expression evaluates to. */

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

/** Elements by index; where they come from is the subclass's business. */
export abstract class ListValue {
  abstract readonly size: number;
  /** @param index within the list */
  abstract at(index: number): Value;

  items(): readonly Value[] {
    return Array.from({ length: this.size }, (_, index) => this.at(index));
  }

  /** Equality and `+` where a schema says that the list is a set or a map. */
  equalsLike?(other: ListValue): boolean;
  concatLike?(other: ListValue): ListValue;
}

/** Values by key. Keys of different numeric types are the same key where the numbers are. */
export abstract class MapValue {
  abstract readonly size: number;
  abstract get(key: Value): Value | undefined;
  abstract keys(): readonly Value[];
}

/** A value of a library's own type: a quantity, an address, an authorizer. */
export abstract class OpaqueValue {
  abstract readonly type: CelType;
  abstract equals(other: Value): boolean;

  /** Whether asking for equality makes sense; to ask `==` all the same is an error. */
  isComparableTo(other: Value): boolean {
    return other instanceof OpaqueValue && other.type.name === this.type.name;
  }

  /** Its size where the cost of comparing it depends on one; 1 otherwise. */
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
  /** The field's value, or an error where it isn't set or isn't declared. */
  abstract get(field: string): Value;
  /** Whether the field is set, or an error where it isn't declared. */
  abstract has(field: string): Value;
  abstract equals(other: Value): boolean;
  /** The fields that are set, where the struct can be used as a map: objects of decoded JSON can. */
  keys?(): readonly string[];

  /** What the cost of looking at it counts. */
  get entryCount(): number {
    return this.keys?.().length ?? 1;
  }
}
