/** What an expression evaluates to. */

import type { CelType } from '../types/type.ts';
import type { Double } from './double.ts';
import type { Duration } from './duration.ts';
import type { CelError } from './error.ts';
import type { Int } from './int.ts';
import type { ListValue } from './list.ts';
import type { MapValue } from './map.ts';
import type { OpaqueValue } from './opaque.ts';
import type { Optional } from './optional.ts';
import type { StructValue } from './struct.ts';
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
