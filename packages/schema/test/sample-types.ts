/** Kinds for tests: small, and with every construct of the type language. */

import fc from 'fast-check';
import {
  always,
  any,
  atomicList,
  atomicMap,
  bool,
  bytes,
  deferred,
  duration,
  either,
  embedded,
  fieldsV1,
  float64,
  int32,
  int64,
  intOrString,
  kind,
  list,
  listMap,
  listSet,
  map,
  microTime,
  nullable,
  ObjectMeta,
  oneOf,
  optional,
  pointer,
  quantity,
  rawExtension,
  resolved,
  string,
  struct,
  time,
  type ScalarName,
  type Type,
} from '../src/index.ts';
import { shapeOf } from '../src/shape.ts';

export const Port = struct('test/v1.Port', {
  name: optional(1, string),
  port: always(3, int32, { required: true }),
  protocol: optional(4, oneOf(['TCP', 'UDP']), { default: 'TCP', defaultPublished: true }),
  target: optional(5, intOrString),
});

export const Resources = struct('test/v1.Resources', {
  limits: optional(1, map(quantity)),
  claims: optional(2, listMap(struct('test/v1.Claim', { name: always(1, string) }), ['name'])),
});

export const Container = struct('test/v1.Container', {
  name: always(1, string, { required: true }),
  image: optional(2, string),
  args: optional(3, atomicList(string)),
  ports: optional(4, listMap(Port, ['port', 'protocol']), { patch: 'merge', patchKey: 'port' }),
  resources: optional(5, Resources),
  policy: optional(6, string, { default: 'File' }),
  tty: optional(7, bool),
});

const VolumeSource = struct('test/v1.VolumeSource', {
  emptyDir: pointer(1, struct('test/v1.EmptyDir', { sizeLimit: pointer(1, quantity) })),
  configMap: pointer(
    2,
    struct('test/v1.ConfigMapSource', { name: optional(1, string), mode: pointer(2, int32) }),
  ),
});

export const Volume = struct('test/v1.Volume', {
  name: always(1, string, { required: true }),
  volumeSource: embedded(2, VolumeSource),
});

export const Strategy = struct('test/v1.Strategy', {
  type: optional(1, string),
  rollingUpdate: pointer(2, struct('test/v1.RollingUpdate', { maxSurge: pointer(1, intOrString) })),
});

export const Selector = struct(
  'test/v1.Selector',
  { matchLabels: optional(1, map(string)) },
  { atomic: true },
);

export const AppSpec = struct('test/v1.AppSpec', {
  replicas: pointer(1, int32, { default: 1 }),
  selector: pointer(2, Selector),
  containers: always(3, listMap(Container, ['name']), { patch: 'merge', patchKey: 'name', required: true }),
  volumes: optional(4, listMap(Volume, ['name']), { patch: 'merge,retainKeys', patchKey: 'name' }),
  strategy: optional(5, Strategy, { patch: 'retainKeys' }),
  nodeSelector: optional(6, atomicMap(string)),
  tolerations: optional(7, list(string)),
  finalizers: optional(8, listSet(string), { patch: 'merge' }),
  paused: optional(9, bool),
});

export const AppStatus = struct('test/v1.AppStatus', {
  observedGeneration: optional(1, int64),
  ready: always(2, int32),
  started: optional(3, time),
  seen: pointer(4, microTime),
});

export const App = kind(
  'test/v1.App',
  'test.example/v1',
  { plural: 'apps', namespaced: true },
  {
    metadata: optional(1, ObjectMeta),
    spec: optional(2, AppSpec),
    status: optional(3, AppStatus),
  },
);

/** One of each scalar and presence that {@link App} lacks. */
export const Zoo = kind(
  'test/v1.Zoo',
  'test.example/v1',
  { plural: 'zoos', namespaced: false },
  {
    metadata: optional(1, ObjectMeta),
    data: optional(2, map(string)),
    binary: optional(3, map(bytes)),
    blob: always(4, bytes),
    count: always(5, int64),
    ratio: pointer(6, float64),
    size: always(7, quantity),
    wait: optional(8, duration),
    raw: optional(9, rawExtension),
    fields: pointer(10, fieldsV1),
    anything: pointer(0, any),
    scope: nullable(11, string),
    rules: always(12, list(string)),
    children: optional(13, map(deferred((): Type => Zoo.type))),
    items: pointer(14, either(Port, 'list')),
  },
);

/** Any value of a type, as a client may send it. */
export function valueOf(type: Type, depth = 2): fc.Arbitrary<unknown> {
  const actual = resolved(type);
  switch (actual.form) {
    case 'list':
      return fc.array(valueOf(actual.element, depth), { maxLength: 3 });
    case 'map':
      if (depth === 0) return fc.constant({});
      return fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 6 }), valueOf(actual.value, depth - 1), {
        maxKeys: 3,
      });
    case 'struct': {
      const members = shapeOf(actual).members.filter(({ name }) => name !== 'managedFields');
      return fc.record(
        Object.fromEntries(members.map(({ name, field }) => [name, valueOf(field.type, depth)])),
        { requiredKeys: [] },
      );
    }
    case 'scalar':
      return actual.either === undefined ? scalars[actual.scalar] : valueOf(actual.either.object, depth);
  }
}

const anyJson = fc.jsonValue({ maxDepth: 2, noUnicodeString: false }) as fc.Arbitrary<unknown>;
const year = {
  min: new Date('1970-01-01T00:00:00Z'),
  max: new Date('2999-01-01T00:00:00Z'),
  noInvalidDate: true,
};

const scalars: Readonly<Record<ScalarName, fc.Arbitrary<unknown>>> = {
  string: fc.string({ unit: 'grapheme' }),
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.maxSafeInteger(),
  float64: fc.double({ noNaN: true, noDefaultInfinity: true }),
  bytes: fc.uint8Array({ maxLength: 8 }).map((value) => Buffer.from(value).toString('base64')),
  quantity: fc.oneof(
    fc.integer({ min: 0, max: 1_000_000 }).map(String),
    fc
      .tuple(fc.nat(9999), fc.constantFrom('m', 'k', 'Ki', 'Mi', 'G'))
      .map(([digits, suffix]) => `${digits}${suffix}`),
  ),
  intOrString: fc.oneof(fc.integer(), fc.string()),
  time: fc.date(year).map((date) => `${date.toISOString().slice(0, 19)}Z`),
  microTime: fc.date(year).map((date) => `${date.toISOString().slice(0, 23)}000Z`),
  duration: fc.integer({ min: 0, max: 100_000 }).map((seconds) => `${seconds}s`),
  rawExtension: fc.dictionary(fc.string(), anyJson),
  fieldsV1: fc.constant({ 'f:a': {} }),
  any: anyJson,
};
