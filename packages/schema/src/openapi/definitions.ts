/**
 * The OpenAPI definitions of types in both dialects: v2 has no defaults and plain references, v3 publishes defaults and
 * references through `allOf`, so that a reference can have siblings.
 */

import { shapeOf, type Member } from '../shape.ts';
import {
  resolved,
  type ListType,
  type ScalarName,
  type ScalarType,
  type StructType,
  type Type,
} from '../type.ts';
import {
  definitionName,
  durationName,
  fieldsV1Name,
  intOrStringName,
  microTimeName,
  quantityName,
  rawExtensionName,
  timeName,
} from './names.ts';

export type Dialect = 'v2' | 'v3';

/** A schema object as JSON. */
export type OpenApiSchema = Record<string, unknown>;

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The description of a struct, or of its member; empty or undefined when there is none. */
export type DescriptionOf = (definition: string, member?: string) => string | undefined;

export interface DefinitionOptions {
  readonly dialect: Dialect;
  /** The kinds of a struct, by its name. */
  readonly kindsOf?: (structName: string) => readonly GroupVersionKind[];
  readonly descriptionOf?: DescriptionOf;
}

/** The definitions of these structs and of all they refer to, by name. */
export function definitionsOf(
  roots: readonly StructType[],
  options: DefinitionOptions,
): Record<string, OpenApiSchema> {
  const collector = new Collector(options);
  for (const root of roots) collector.refer(root);
  return collector.sorted();
}

/** `{"$ref": …}` to a struct's definition. */
export const referenceTo = (definition: string, dialect: Dialect): OpenApiSchema => ({
  $ref: `${prefixes[dialect]}${definition}`,
});

const prefixes: Readonly<Record<Dialect, string>> = {
  v2: '#/definitions/',
  v3: '#/components/schemas/',
};

class Collector {
  readonly #options: DefinitionOptions;
  readonly #definitions = new Map<string, OpenApiSchema>();

  constructor(options: DefinitionOptions) {
    this.#options = options;
  }

  sorted(): Record<string, OpenApiSchema> {
    return Object.fromEntries([...this.#definitions].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Ensures that the definition exists, and returns its name. */
  refer(struct: StructType): string {
    const name = definitionName(struct.name);
    if (!this.#definitions.has(name)) {
      this.#definitions.set(name, {});
      this.#definitions.set(name, this.#struct(struct, name));
    }
    return name;
  }

  #struct(struct: StructType, name: string): OpenApiSchema {
    const { members } = shapeOf(struct);
    const required = members.filter(({ field }) => field.required).map((member) => member.name);
    const properties = members
      .map((member) => [member.name, this.#member(member, struct, name)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const kinds = this.#options.kindsOf?.(struct.name) ?? [];
    return {
      ...this.#described(name),
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(kinds.length > 0 && {
        'x-kubernetes-group-version-kind': kinds.map(({ group, version, kind }) => ({
          group,
          kind,
          version,
        })),
      }),
      ...(struct.atomic && { 'x-kubernetes-map-type': 'atomic' }),
      ...(struct.preserveUnknown && { 'x-kubernetes-preserve-unknown-fields': true }),
      ...(struct.unions.length > 0 && { 'x-kubernetes-unions': struct.unions.map(unionOf) }),
    };
  }

  #described(definition: string, member?: string): OpenApiSchema {
    const description = this.#options.descriptionOf?.(definition, member);
    return description ? { description } : {};
  }

  #member({ name, field }: Member, struct: StructType, definition: string): OpenApiSchema {
    const isPointer = field.presence === 'pointer' || field.presence === 'nullable';
    const published = field.default !== undefined && field.defaultPublished ? field.default : undefined;
    const zero = isPointer ? undefined : zeroOf(field.type, field.presence === 'always');
    const schema = this.#schema(field.type, published ?? zero, struct);
    return {
      ...this.#described(definition, name),
      ...(field.undocumented ? plainReference(schema) : schema),
      ...(field.bytesListType !== undefined && { 'x-kubernetes-list-type': field.bytesListType }),
      ...(field.granular && { 'x-kubernetes-map-type': 'granular' }),
      ...(field.patchKey !== undefined && { 'x-kubernetes-patch-merge-key': field.patchKey }),
      ...(field.patch !== undefined && { 'x-kubernetes-patch-strategy': field.patch }),
    };
  }

  /** `fallback` is the default to publish; `owner` is the struct that contains the value. */
  #schema(type: Type, fallback: unknown, owner: StructType): OpenApiSchema {
    const actual = resolved(type);
    switch (actual.form) {
      case 'struct':
        return actual.name === '' ? this.#struct(actual, '') : this.#reference(this.refer(actual), fallback);
      case 'list':
        return { type: 'array', items: this.#element(actual.element, owner), ...listExtensions(actual) };
      case 'map':
        return {
          type: 'object',
          additionalProperties: this.#element(actual.value, owner),
          ...(actual.atomic && { 'x-kubernetes-map-type': 'atomic' }),
        };
      case 'scalar':
        return this.#scalar(actual, fallback, owner);
    }
  }

  /** The schema of a list's or map's elements: a plain reference when it has no siblings. */
  #element(type: Type, owner: StructType): OpenApiSchema {
    const schema = this.#schema(type, zeroOf(type, true), owner);
    return plainReference(schema);
  }

  #scalar(type: ScalarType, fallback: unknown, owner: StructType): OpenApiSchema {
    const plain = plainSchemas[type.scalar];
    if (plain === undefined) return this.#reference(this.#special(type, owner), fallback);
    return {
      ...plain,
      ...(this.#options.dialect === 'v3' && fallback !== undefined && { default: fallback }),
      ...(type.values !== undefined && { enum: [...type.values].sort() }),
    };
  }

  #special(type: ScalarType, owner: StructType): string {
    if (type.scalar === 'any') {
      const version = owner.name.slice(0, owner.name.indexOf('.'));
      const name = definitionName(`${version}.${anyName(type)}`);
      this.#definitions.set(name, this.#described(name));
      return name;
    }
    const name = specialNames[type.scalar]!;
    this.#definitions.set(name, {
      ...this.#described(name),
      ...specialSchemas[this.#options.dialect][type.scalar],
    });
    return name;
  }

  #reference(definition: string, fallback: unknown): OpenApiSchema {
    const reference = referenceTo(definition, this.#options.dialect);
    if (this.#options.dialect === 'v2') return reference;
    return { ...(fallback !== undefined && { default: fallback }), allOf: [reference] };
  }
}

/** A reference without siblings needs no `allOf`. */
function plainReference(schema: OpenApiSchema): OpenApiSchema {
  const [reference] = (schema['allOf'] ?? []) as OpenApiSchema[];
  return reference !== undefined && Object.keys(schema).length === 1 ? reference : schema;
}

function listExtensions({ merge, mergeDeclared, keys }: ListType): OpenApiSchema {
  if (!mergeDeclared) return {};
  return {
    ...(merge === 'map' && { 'x-kubernetes-list-map-keys': keys }),
    'x-kubernetes-list-type': merge,
  };
}

const unionOf = ({ discriminator, fields }: StructType['unions'][number]): OpenApiSchema => ({
  ...(discriminator !== undefined && { discriminator }),
  'fields-to-discriminateBy': fields,
});

/** The zero value published for non-pointers: `""`, `0`, `{}`. */
function zeroOf(type: Type, isAlways: boolean): unknown {
  const actual = resolved(type);
  if (actual.form === 'struct') return {};
  if (actual.form !== 'scalar' || !isAlways) return undefined;
  return scalarZeros[actual.scalar];
}

const scalarZeros: Readonly<Partial<Record<ScalarName, unknown>>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
};

const plainSchemas: Readonly<Partial<Record<ScalarName, OpenApiSchema>>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  float64: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
};

const specialNames: Readonly<Partial<Record<ScalarName, string>>> = {
  quantity: quantityName,
  intOrString: intOrStringName,
  time: timeName,
  microTime: microTimeName,
  duration: durationName,
  rawExtension: rawExtensionName,
  fieldsV1: fieldsV1Name,
};

const specialSchemas: Readonly<Record<Dialect, Partial<Record<ScalarName, OpenApiSchema>>>> = {
  v2: {
    quantity: { type: 'string' },
    intOrString: { type: 'string', format: 'int-or-string' },
    time: { type: 'string', format: 'date-time' },
    microTime: { type: 'string', format: 'date-time' },
    duration: { type: 'string' },
    rawExtension: { type: 'object' },
    fieldsV1: { type: 'object' },
  },
  v3: {
    quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
    time: { type: 'string', format: 'date-time' },
    microTime: { type: 'string', format: 'date-time' },
    duration: { type: 'string' },
    rawExtension: { type: 'object' },
    fieldsV1: { type: 'object' },
  },
};

function anyName({ either }: ScalarType): string {
  if (either === undefined) return 'JSON';
  return {
    list: 'JSONSchemaPropsOrArray',
    bool: 'JSONSchemaPropsOrBool',
    strings: 'JSONSchemaPropsOrStringArray',
  }[either.other];
}
