/** The cases of `@bufbuild/cel-spec` as a list for the test. */

import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { wellKnownMessages } from '../../src/library/well-known-messages.ts';
import { parseType } from '../../src/types/signature.ts';
import {
  dynType,
  listType,
  mapType,
  nullableType,
  optionalType,
  structType,
  typeOfType,
  type CelType,
} from '../../src/types/type.ts';

/** A value in protobuf's JSON form. */
export interface WireValue {
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly boolValue?: boolean;
  readonly nullValue?: null;
  readonly listValue?: { readonly values?: readonly WireValue[] };
  readonly mapValue?: {
    readonly entries?: readonly { readonly key: WireValue; readonly value: WireValue }[];
  };
  readonly typeValue?: string;
  readonly objectValue?: { readonly '@type': string; readonly value?: unknown };
  readonly enumValue?: unknown;
}

interface WireType {
  readonly primitive?: string;
  readonly wrapper?: string;
  readonly wellKnown?: string;
  readonly dyn?: unknown;
  readonly null?: unknown;
  readonly messageType?: string;
  readonly listType?: { readonly elemType?: WireType };
  readonly mapType?: { readonly keyType?: WireType; readonly valueType?: WireType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly WireType[] };
  readonly type?: WireType;
}

export interface ConformanceCase {
  readonly name: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableMacros?: boolean;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly typeEnv?: readonly { readonly name: string; readonly ident?: { readonly type?: WireType } }[];
  readonly bindings?: Readonly<Record<string, { readonly value?: WireValue }>>;
  readonly value?: WireValue;
  readonly typedResult?: { readonly result?: WireValue; readonly deducedType?: WireType };
  readonly evalError?: unknown;
  readonly unknown?: unknown;
}

export interface NamedCase {
  /** `file/section/case` */
  readonly path: string;
  readonly test: ConformanceCase;
}

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: ConformanceCase }[];
}

export const conformanceCases: readonly NamedCase[] = (tests as Suite).suites!.flatMap((suite) =>
  casesOf(suite, ''),
);

function casesOf(suite: Suite, prefix: string): NamedCase[] {
  const path = prefix === '' ? suite.name : `${prefix}/${suite.name}`;
  const own = (suite.tests ?? []).map(({ original }) => ({
    path: `${path}/${original.name}`,
    test: original,
  }));
  return [...own, ...(suite.suites ?? []).flatMap((inner) => casesOf(inner, path))];
}

const primitives: Readonly<Record<string, string>> = {
  BOOL: 'bool',
  INT64: 'int',
  UINT64: 'uint',
  DOUBLE: 'double',
  STRING: 'string',
  BYTES: 'bytes',
};

const wellKnown: Readonly<Record<string, string>> = {
  ANY: 'any',
  TIMESTAMP: 'timestamp',
  DURATION: 'duration',
};

export function typeOfWire(type: WireType | undefined): CelType {
  if (!type || 'dyn' in type) return dynType;
  if ('null' in type) return parseType('null');
  if (type.primitive !== undefined) return parseType(primitives[type.primitive]!);
  if (type.wrapper !== undefined) return nullableType(parseType(primitives[type.wrapper]!));
  if (type.wellKnown !== undefined) return parseType(wellKnown[type.wellKnown]!);
  if (type.messageType !== undefined) {
    return wellKnownMessages.findStruct(type.messageType) ?? structType(type.messageType);
  }
  if (type.listType) return listType(typeOfWire(type.listType.elemType));
  if (type.mapType) return mapType(typeOfWire(type.mapType.keyType), typeOfWire(type.mapType.valueType));
  if (type.type) return typeOfType(typeOfWire(type.type));
  return optionalType(typeOfWire(type.abstractType?.parameterTypes?.[0]));
}
