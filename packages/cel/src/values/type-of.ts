import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  errorType,
  intType,
  listOfDyn,
  mapOfDyn,
  nullType,
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
  type CelType,
} from '../types/type.ts';
import { Double } from './double.ts';
import { Duration } from './duration.ts';
import { CelError } from './error.ts';
import { ListValue, MapValue, OpaqueValue, Optional, StructValue, type Value } from './value.ts';
import { Timestamp } from './timestamp.ts';
import { TypeValue } from './type-value.ts';
import { Uint } from './uint.ts';

const optionalOfDyn = optionalType(dynType);

/** The type at run time, without the types of a list's or map's content. */
export function typeOf(value: Value): CelType {
  switch (typeof value) {
    case 'string':
      return stringType;
    case 'number':
    case 'bigint':
      return intType;
    case 'boolean':
      return boolType;
    default:
      return typeOfObject(value);
  }
}

function typeOfObject(value: Exclude<Value, string | number | bigint | boolean>): CelType {
  if (value === null) return nullType;
  if (value instanceof ListValue) return listOfDyn;
  if (value instanceof MapValue) return mapOfDyn;
  if (value instanceof StructValue || value instanceof OpaqueValue) return value.type;
  if (value instanceof Double) return doubleType;
  if (value instanceof Uint) return uintType;
  if (value instanceof Uint8Array) return bytesType;
  if (value instanceof Timestamp) return timestampType;
  if (value instanceof Duration) return durationType;
  if (value instanceof Optional) return optionalOfDyn;
  if (value instanceof TypeValue) return typeType;
  return value instanceof CelError ? errorType : dynType;
}

export const typeNameOf = (value: Value): string => typeOf(value).name;
