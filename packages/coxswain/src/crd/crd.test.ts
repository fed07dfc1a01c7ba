import { expect, test } from 'vitest';
import { createCluster } from '../testing/create-cluster.ts';
import { definitions } from './definitions.ts';
import { kindTypes } from './kind-types.ts';

const source = `
import { thing } from './elsewhere.ts';
/**
 * Says something.
 * @crd example.com/v1
 * @shortName gr
 * @column Text string .spec.text
 */
export interface Greeting extends KubeObject {
  apiVersion: 'example.com/v1';
  spec: GreetingSpec;
  readonly status?: { said: string | null };
}
interface Base {
  /** @minLength 1 */
  text: string;
}
/** @rule self.times < 10 || self.loud :: too often */
export interface GreetingSpec extends Base {
  /**
   * How often.
   * @integer
   * @minimum 1
   * @default 1
   */
  times?: number;
  loud?: boolean;
  colour?: 'red' | 'blue';
  labels?: Record<string, string>;
  port?: number | string;
  readonly: readonly string[];
  'odd-name'?: Array<{ a: 1 | 2 }>;
  more?: { [key: string]: unknown };
}
export const other = (x: string): { y: number } => ({ y: thing(x) });
/** @crd example.com/v1 Cluster
 * @plural thingamies */
type Thing = { spec?: unknown };
`;

test('interfaces become definitions that the API server accepts and enforces', async () => {
  const made = definitions(source);
  expect(made.map(({ metadata, spec }) => [metadata.name, spec.scope])).toEqual([
    ['greetings.example.com', 'Namespaced'],
    ['thingamies.example.com', 'Cluster'],
  ]);
  expect(made[0]?.spec.versions[0]).toMatchObject({
    subresources: { status: {} },
    additionalPrinterColumns: [{ name: 'Text', type: 'string', jsonPath: '.spec.text' }],
    schema: {
      openAPIV3Schema: {
        description: 'Says something.',
        required: ['spec'],
        properties: {
          spec: {
            required: ['text', 'readonly'],
            properties: {
              text: { type: 'string', minLength: 1 },
              times: { type: 'integer', minimum: 1, default: 1, description: 'How often.' },
              colour: { type: 'string', enum: ['red', 'blue'] },
              labels: { type: 'object', additionalProperties: { type: 'string' } },
              port: { 'x-kubernetes-int-or-string': true },
              'odd-name': { type: 'array', items: { properties: { a: { type: 'number', enum: [1, 2] } } } },
            },
            'x-kubernetes-validations': [{ rule: 'self.times < 10 || self.loud', message: 'too often' }],
          },
          status: { properties: { said: { type: 'string', nullable: true } } },
        },
      },
    },
  });

  const cluster = await createCluster({ nodes: 0, controllers: false });
  await cluster.apply(made);
  const greeting = (spec: object) => ({
    apiVersion: 'example.com/v1',
    kind: 'Greeting',
    metadata: { name: 'a' },
    spec: { text: 'hi', readonly: [], ...spec },
  });
  const [stored] = await cluster.apply(greeting({ loud: false }));
  expect(stored).toMatchObject({ spec: { times: 1 } });
  await expect(cluster.apply(greeting({ loud: false, times: 10 }))).rejects.toThrow('too often');
  await expect(cluster.apply(greeting({ text: '' }))).rejects.toThrow('spec.text');
});

test.each([
  ['/** @crd example.com */ interface A { spec: string }', 'A: @crd must be followed by GROUP/VERSION'],
  ['/** @crd a.b/v1 */ interface A { spec: Elsewhere }', 'A: the type Elsewhere is not declared'],
  ['/** @crd a.b/v1 */ interface A { spec: B } interface B { b?: B }', 'A: the type B contains itself'],
  ['/** @crd a.b/v1 */ interface A { spec: string | { a: 1 } }', 'A: a union must be of literals'],
  ['interface A {\n  say(): void;\n}', 'line 2: data has no methods such as say'],
  ['interface A {\n  a: B & C\n}', 'line 2: an intersection has no schema'],
  ['interface A { a: ', 'line 1: expected a type, found "the end of the file"'],
])('%s is refused with its reason', (text, reason) => {
  expect(() => definitions(text)).toThrow(reason);
});

test('definitions become types again', () => {
  expect(kindTypes(definitions(source))).toBe(`import type { KindRef } from '@coxswain/api';
import type { ObjectMeta } from '@coxswain/api/meta/v1';

/** Says something. */
export interface Greeting {
  apiVersion: 'example.com/v1';
  kind: 'Greeting';
  metadata: ObjectMeta;
  spec: {
    text: string;
    /** How often. */
    times?: number;
    loud?: boolean;
    colour?: "red" | "blue";
    labels?: Record<string, string>;
    port?: number | string;
    readonly: string[];
    "odd-name"?: Array<{
      a: 1 | 2;
    }>;
    more?: Record<string, unknown>;
  };
  status?: {
    said: string | null;
  };
}
export const Greeting: KindRef<Greeting> = {"apiVersion":"example.com/v1","kind":"Greeting","names":{"plural":"greetings","namespaced":true}};

export interface Thing {
  apiVersion: 'example.com/v1';
  kind: 'Thing';
  metadata: ObjectMeta;
  spec?: unknown;
}
export const Thing: KindRef<Thing> = {"apiVersion":"example.com/v1","kind":"Thing","names":{"plural":"thingamies","namespaced":false}};
`);
});
