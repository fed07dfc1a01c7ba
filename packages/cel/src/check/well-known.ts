/** Message types of protobuf that represent simple values. */

import type { CelType } from '../types/type.ts';

/** The message's name if the type is one of them: `google.protobuf.Int64Value` for a nullable int. */
export function wellKnownName(type: CelType): string | undefined {
  if (type.kind === 'list') return type.parameters[0]?.kind === 'dyn' ? names.list : undefined;
  if (type.kind === 'map') {
    const [key, value] = type.parameters;
    return key?.kind === 'string' && value?.kind === 'dyn' ? names.map : undefined;
  }
  const isWrapped = wrappers.has(type.kind);
  return isWrapped && !type.nullable ? undefined : names[type.kind];
}

const wrappers: ReadonlySet<CelType['kind']> = new Set(['bool', 'bytes', 'double', 'int', 'string', 'uint']);

const names: Readonly<Partial<Record<CelType['kind'], string>>> = {
  any: 'google.protobuf.Any',
  bool: 'google.protobuf.BoolValue',
  bytes: 'google.protobuf.BytesValue',
  double: 'google.protobuf.DoubleValue',
  duration: 'google.protobuf.Duration',
  dyn: 'google.protobuf.Value',
  int: 'google.protobuf.Int64Value',
  list: 'google.protobuf.ListValue',
  null: 'google.protobuf.NullValue',
  map: 'google.protobuf.Struct',
  string: 'google.protobuf.StringValue',
  timestamp: 'google.protobuf.Timestamp',
  uint: 'google.protobuf.UInt64Value',
};
