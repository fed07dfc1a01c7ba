/** Structural schemas at random: every keyword that a definition may have, in no sensible combination. */
import type { Random } from '@coxswain/apimachinery';
import { RandomObjects, type JsonSchema } from './random-object.ts';

type Written = Record<string, unknown>;

const depthMax = 4;
const membersMax = 5;
const names = ['a', 'b', 'items', 'spec', 'name', 'kind', 'x-y', 'size', 'metadata', '$ref'] as const;

const stringFormats = [
  'date-time',
  'date',
  'duration',
  'uri',
  'byte',
  'ipv4',
  'uuid',
  'email',
  'unknown',
  'int32',
];
const patterns = ['^[a-z]+$', 'a|b', '^$', '^.{2,}$', '\\d'];

/** What may stand within allOf, anyOf, oneOf and not: no types, no defaults, nothing of Kubernetes. */
const valueKeywords = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxProperties'];

export class RandomSchemas {
  readonly #random: Random;
  readonly #objects: RandomObjects;

  constructor(random: Random) {
    this.#random = random;
    this.#objects = new RandomObjects(random);
  }

  /** Of whole objects. */
  root(): JsonSchema {
    const { spec, status } = { spec: this.#object(1), status: this.#object(2) };
    return {
      type: 'object',
      properties: { spec, status, top: this.schema(2) },
      ...(this.#chance(0.3) && { required: ['spec'] }),
      ...(this.#chance(0.1) && { 'x-kubernetes-preserve-unknown-fields': true }),
    } as JsonSchema;
  }

  schema(depth: number): JsonSchema {
    const written = this.#ofSomeType(depth);
    if (this.#chance(0.15)) written['nullable'] = true;
    if (this.#chance(0.12)) this.#combine(written, depth);
    if (this.#chance(0.1)) written['enum'] = [this.#value(written), this.#value(written)];
    if (this.#chance(0.15)) written['default'] = this.#value(written);
    return written as JsonSchema;
  }

  #ofSomeType(depth: number): Written {
    if (this.#chance(0.08)) return this.#intOrString();
    if (this.#chance(0.04)) return { 'x-kubernetes-preserve-unknown-fields': true };
    const type = this.#pick(['string', 'integer', 'number', 'boolean', 'object', 'array']);
    if (type === 'object') return depth >= depthMax ? { type } : (this.#object(depth) as Written);
    if (type === 'array') return this.#array(depth);
    return { type, ...(type === 'string' ? this.#text() : type === 'boolean' ? {} : this.#number(type)) };
  }

  #intOrString(): Written {
    return {
      'x-kubernetes-int-or-string': true,
      ...(this.#chance(0.5) && { anyOf: [{ type: 'integer' }, { type: 'string' }] }),
      ...(this.#chance(0.3) && { pattern: this.#pick(patterns) }),
    };
  }

  #text(): Written {
    return {
      ...(this.#chance(0.25) && { format: this.#pick(stringFormats) }),
      ...(this.#chance(0.2) && { pattern: this.#pick(patterns) }),
      ...(this.#chance(0.15) && { maxLength: this.#pick([0, 1, 4]) }),
      ...(this.#chance(0.15) && { minLength: this.#pick([1, 2]) }),
    };
  }

  #number(type: string): Written {
    const formats = type === 'integer' ? ['int32', 'int64'] : ['float', 'double', 'int32'];
    return {
      ...(this.#chance(0.3) && { format: this.#pick(formats) }),
      ...(this.#chance(0.2) && { minimum: this.#pick([0, 1, -1]), exclusiveMinimum: this.#chance(0.4) }),
      ...(this.#chance(0.2) && { maximum: this.#pick([0, 80, 100]), exclusiveMaximum: this.#chance(0.4) }),
      ...(this.#chance(0.1) && { multipleOf: this.#pick([2, 0.5, 3]) }),
    };
  }

  #object(depth: number): JsonSchema {
    const bounds = {
      ...(this.#chance(0.1) && { minProperties: 1 }),
      ...(this.#chance(0.1) && { maxProperties: 2 }),
    };
    if (this.#chance(0.2)) {
      const additionalProperties = this.#chance(0.15) ? true : this.schema(depth + 1);
      return { type: 'object', additionalProperties, ...bounds } as JsonSchema;
    }
    const members = this.#some(names, membersMax);
    const isEmbedded = this.#chance(0.05);
    return {
      type: 'object',
      properties: Object.fromEntries(members.map((name) => [name, this.schema(depth + 1)])),
      ...(this.#chance(0.3) && { required: this.#some(members, 2) }),
      ...(this.#chance(0.15) && { 'x-kubernetes-map-type': this.#pick(['atomic', 'granular']) }),
      ...((isEmbedded || this.#chance(0.1)) && { 'x-kubernetes-preserve-unknown-fields': true }),
      ...(isEmbedded && { 'x-kubernetes-embedded-resource': true }),
      ...bounds,
    } as JsonSchema;
  }

  #array(depth: number): Written {
    const bounds = {
      ...(this.#chance(0.15) && { minItems: 1 }),
      ...(this.#chance(0.15) && { maxItems: this.#pick([0, 1, 3]) }),
    };
    if (this.#chance(0.2)) {
      const items = {
        type: 'object',
        properties: { k: { type: 'string' }, l: { type: 'integer', default: 1 }, m: this.schema(depth + 2) },
        required: ['k'],
      };
      const keys = this.#chance(0.3) ? ['k', 'l'] : ['k'];
      return {
        type: 'array',
        items,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': keys,
        ...bounds,
      };
    }
    const isSet = this.#chance(0.2);
    const items = isSet || depth >= depthMax ? { type: 'string' } : this.schema(depth + 1);
    return {
      type: 'array',
      items,
      ...(isSet
        ? { 'x-kubernetes-list-type': 'set' }
        : this.#chance(0.2) && { 'x-kubernetes-list-type': 'atomic' }),
      ...bounds,
    };
  }

  #combine(written: Written, depth: number): void {
    const one = (): Written => ({ [this.#pick(valueKeywords)]: this.#pick([0, 1, 2]) });
    const keyword = this.#pick(['anyOf', 'oneOf', 'allOf', 'not']);
    if (written[keyword] === undefined && depth > 1)
      written[keyword] = keyword === 'not' ? one() : [one(), one()];
  }

  #value(schema: Written): unknown {
    return this.#objects.value(schema as JsonSchema, depthMax);
  }

  #some<T>(choices: readonly T[], most: number): readonly T[] {
    const wanted = 1 + Math.floor(this.#random.next() * most);
    return choices.filter(() => this.#chance(wanted / choices.length));
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random.next() * choices.length)]!;
  }
}
