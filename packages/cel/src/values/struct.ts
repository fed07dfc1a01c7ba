import type { CelType } from '../types/type.ts';
import type { Value } from './value.ts';

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
