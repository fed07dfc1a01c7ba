/** `Object{…}`, `Object.spec{…}` and `JSONPatch{…}` in mutating policies. */

import type { TypeProvider } from '../check/scope.ts';
import { dynType, opaqueType, stringType, structType, type CelType } from '../types/type.ts';
import { equalValues } from '../values/equal.ts';
import { CelError } from '../values/error.ts';
import { ListValue, MapValue, StructValue, type Value } from '../values/value.ts';
import { typeOf } from '../values/type-of.ts';

const patchFields: Readonly<Record<string, CelType>> = {
  op: stringType,
  path: stringType,
  from: stringType,
  value: dynType,
};

/** Upstream accepts every member name, and gives unknown ones no type. */
const typeOfUnknownMember = opaqueType('');

const isObjectType = (name: string): boolean => name === 'Object' || name.startsWith('Object.');

/** Part of an object to apply; its type's name is its path. */
export class ObjectValue extends StructValue {
  readonly type: CelType;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = structType(typeName);
    this.fields = fields;
  }

  get(field: string): Value {
    const value = this.fields.get(field);
    return value === undefined ? new CelError(`no such key: ${field}`) : value;
  }

  has(field: string): Value {
    return this.fields.has(field);
  }

  override keys(): readonly string[] {
    return [...this.fields.keys()];
  }

  equals(other: Value): boolean {
    if (!(other instanceof ObjectValue) || other.type.name !== this.type.name) return false;
    if (other.fields.size !== this.fields.size) return false;
    return this.keys().every((field) => {
      const value = other.fields.get(field);
      return value !== undefined && equalValues(this.fields.get(field)!, value);
    });
  }
}

/** One operation of a JSON patch. */
export class PatchOperation extends StructValue {
  readonly type = structType('JSONPatch');
  readonly #fields: ReadonlyMap<string, Value>;

  constructor(fields: ReadonlyMap<string, Value>) {
    super();
    this.#fields = fields;
  }

  /** Unset texts are empty. */
  get(field: string): Value {
    const value = this.#fields.get(field);
    if (value !== undefined) return value;
    return field === 'value' ? null : '';
  }

  has(field: string): Value {
    const value = this.#fields.get(field);
    return value !== undefined && value !== '';
  }

  equals(other: Value): boolean {
    if (!(other instanceof PatchOperation)) return false;
    return Object.keys(patchFields).every((field) => equalValues(this.get(field), other.get(field)));
  }

  /** The members of RFC 6902 that are set. */
  override keys(): readonly string[] {
    return [...this.#fields.keys()];
  }
}

/** Members of dynamic type are checked to be texts only here. */
function patchOperation(fields: ReadonlyMap<string, Value>): Value {
  for (const field of ['op', 'path', 'from']) {
    const value = fields.get(field);
    if (value === undefined || typeof value === 'string') continue;
    return new CelError(`unexpected type ${goTypeOf(value)} for JSONPatchType '${field}' field`);
  }
  return new PatchOperation(fields);
}

const goTypes: Readonly<Record<string, string>> = {
  int: 'int64',
  uint: 'uint64',
  double: 'float64',
  bool: 'bool',
  bytes: '[]uint8',
  list: '[]ref.Val',
  map: 'map[ref.Val]ref.Val',
  null_type: 'structpb.NullValue',
  'google.protobuf.Timestamp': 'time.Time',
  'google.protobuf.Duration': 'time.Duration',
};

function goTypeOf(value: Value): string {
  const { name } = typeOf(value);
  return goTypes[name] ?? name;
}

export const mutationTypes: TypeProvider = {
  findStruct: (name) => (name === 'JSONPatch' || isObjectType(name) ? structType(name) : undefined),
  findField: (structName, field) => {
    if (structName === 'JSONPatch') return patchFields[field] ?? typeOfUnknownMember;
    return isObjectType(structName) ? dynType : undefined;
  },
  construct: (structName, fields) =>
    structName === 'JSONPatch' ? patchOperation(fields) : new ObjectValue(structName, fields),
};

/** A message for each part whose type doesn't have the name of its path. */
export function misnamedTypes(value: Value, path: readonly string[] = ['Object']): readonly string[] {
  if (value instanceof ListValue) return value.items().flatMap((item) => misnamedTypes(item, path));
  if (value instanceof MapValue) return value.keys().flatMap((key) => misnamedTypes(value.get(key)!, path));
  if (!(value instanceof ObjectValue)) return [];
  const expected = path.join('.');
  const found = value.type.name;
  const own =
    found === expected
      ? []
      : [
          `unexpected type name "${found}", expected "${expected}", which matches field name path from root Object type`,
        ];
  return [...own, ...value.keys().flatMap((field) => misnamedTypes(value.get(field), [...path, field]))];
}
