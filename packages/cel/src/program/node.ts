/** A part of a program. */

import type { Value } from '../values/value.ts';
import type { Attribute } from './attribute.ts';
import type { Evaluate } from './run.ts';

export interface Node {
  readonly evaluate: Evaluate;
  /** Known without variables; costs nothing. */
  readonly constant?: Value;
  readonly attribute?: Attribute;
}

export const constantNode = (constant: Value): Node => ({ evaluate: () => constant, constant });
