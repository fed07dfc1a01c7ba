import { resolved, type Field, type Type } from '@coxswain/schema';

/** Go's zero value: structs are always written, scalars as their zero. */
export function zeroOf(type: Type): unknown {
  const actual = resolved(type);
  if (actual.form === 'scalar') return zeroScalars[actual.scalar];
  if (actual.form !== 'struct') return null;
  const zero: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(actual.fields)) addZero(zero, name, field);
  return zero;
}

function addZero(zero: Record<string, unknown>, name: string, field: Field): void {
  if (field.presence === 'embedded') Object.assign(zero, zeroOf(field.type));
  else if (field.presence === 'always') zero[name] = zeroOf(field.type);
  else if (field.presence === 'nullable') zero[name] = null;
  else if (field.presence === 'optional' && isStruct(field.type)) zero[name] = zeroOf(field.type);
}

const isStruct = (type: Type): boolean => resolved(type).form === 'struct';

const zeroScalars: Readonly<Record<string, unknown>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  quantity: '0',
  intOrString: 0,
  duration: '0s',
  time: null,
  microTime: null,
  bytes: null,
  rawExtension: null,
  fieldsV1: null,
  any: null,
};
