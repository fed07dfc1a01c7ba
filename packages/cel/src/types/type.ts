/** Types as the checker sees them and as `type(x)` names them at run time. */

export type TypeKind =
  | 'any'
  | 'bool'
  | 'bytes'
  | 'double'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'int'
  | 'list'
  | 'map'
  | 'null'
  | 'opaque'
  | 'string'
  | 'struct'
  | 'timestamp'
  | 'type'
  | 'typeParameter'
  | 'uint';

export interface CelType {
  readonly kind: TypeKind;
  /** The name at run time: `int`, `list`, `google.protobuf.Timestamp`, the name of a struct, of a type parameter. */
  readonly name: string;
  readonly parameters: readonly CelType[];
  /** A wrapper type of protobuf: the value or null. */
  readonly nullable?: true;
}

const simple = (kind: TypeKind, name: string = kind): CelType => ({ kind, name, parameters: [] });

export const anyType = simple('any', 'google.protobuf.Any');
export const boolType = simple('bool');
export const bytesType = simple('bytes');
export const doubleType = simple('double');
export const durationType = simple('duration', 'google.protobuf.Duration');
export const dynType = simple('dyn');
export const errorType = simple('error');
export const intType = simple('int');
export const nullType = simple('null', 'null_type');
export const stringType = simple('string');
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp');
export const typeType = simple('type');
export const uintType = simple('uint');

export const listType = (element: CelType): CelType => ({
  kind: 'list',
  name: 'list',
  parameters: [element],
});

export const mapType = (key: CelType, value: CelType): CelType => ({
  kind: 'map',
  name: 'map',
  parameters: [key, value],
});

export const structType = (name: string): CelType => simple('struct', name);

export const opaqueType = (name: string, ...parameters: CelType[]): CelType => ({
  kind: 'opaque',
  name,
  parameters,
});

export const optionalType = (value: CelType): CelType => opaqueType('optional_type', value);

export const typeParameter = (name: string): CelType => simple('typeParameter', name);

/** The type of a type: `type(int)`. */
export const typeOfType = (type: CelType): CelType => ({ kind: 'type', name: 'type', parameters: [type] });

export const nullableType = (type: CelType): CelType => ({ ...type, nullable: true });

export const listOfDyn = listType(dynType);
export const mapOfDyn = mapType(dynType, dynType);

/** Whether all parts are the same type; type parameters count by their names. */
export function isSameType(one: CelType, other: CelType): boolean {
  if (one === other) return true;
  if (one.kind !== other.kind || one.name !== other.name || one.nullable !== other.nullable) return false;
  if (one.parameters.length !== other.parameters.length) return false;
  return one.parameters.every((parameter, index) => isSameType(parameter, other.parameters[index]!));
}

/** Whether the types are the same if a type parameter matches any other. */
export function isEquivalentType(one: CelType, other: CelType): boolean {
  if (one.kind !== other.kind || one.nullable !== other.nullable) return false;
  if (one.kind !== 'typeParameter' && one.name !== other.name) return false;
  if (one.parameters.length !== other.parameters.length) return false;
  return one.parameters.every((parameter, index) => isEquivalentType(parameter, other.parameters[index]!));
}

export const isDynamic = (type: CelType): boolean => type.kind === 'dyn' || type.kind === 'any';

export const isOptionalType = (type: CelType): boolean =>
  type.kind === 'opaque' && type.name === 'optional_type';
