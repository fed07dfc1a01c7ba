import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { App, Selector, valueOf, Zoo } from '../test/sample-types.ts';
import {
  applyDefaults,
  ApplyConflictError,
  compare,
  compileCustomType,
  ConfigurationError,
  decodeValue,
  excludeFields,
  FieldManager,
  isSame,
  lastAppliedAnnotation,
  ownedFields,
  pointer,
  setOf,
  struct,
  type StructType,
} from './index.ts';

interface Entry {
  manager?: string;
  operation?: string;
  time?: string;
  fieldsV1?: unknown;
  subresource?: string;
}
type Stored = ReturnType<typeof decodeValue<{ metadata: Record<string, unknown> }>>['object'] & {
  metadata: { managedFields?: Entry[]; annotations?: Record<string, string> };
  spec: Record<string, unknown>;
};

/** An object and its writes: a minimal server. */
class Server {
  object: Stored | undefined;
  #second = 0;
  readonly #type: StructType;
  readonly #managers: Record<string, FieldManager>;

  constructor(type: StructType, apiVersion: string) {
    this.#type = type;
    this.#managers = {
      '': new FieldManager({
        type,
        apiVersion,
        resetFields: { [apiVersion]: excludeFields(setOf(['status'])) },
      }),
      status: new FieldManager({
        type,
        apiVersion,
        subresource: 'status',
        resetFields: { [apiVersion]: excludeFields(setOf(['spec'])) },
      }),
    };
  }

  apply(manager: string, config: object, { force = false, subresource = '' } = {}): Stored {
    const full = { apiVersion: 'test.example/v1', kind: 'App', ...config };
    const now = this.#now();
    const { object, managedFields } = this.#managers[subresource]!.apply({
      live: this.object,
      config: full,
      manager,
      force,
      now,
    });
    return this.#store(object, managedFields);
  }

  update(manager: string, value: object, subresource = ''): Stored {
    const next = this.#normalised(value);
    const now = this.#now();
    return this.#store(next, this.#managers[subresource]!.update({ live: this.object, next, manager, now }));
  }

  #now(): string {
    return `2026-01-02T03:04:${String(this.#second++).padStart(2, '0')}Z`;
  }

  #normalised(value: unknown): Stored {
    const object = decodeValue(this.#type, value).object as Stored;
    applyDefaults(this.#type, object);
    return object;
  }

  #store(value: unknown, managedFields: unknown): Stored {
    const object = this.#normalised(value);
    object.metadata = { ...object.metadata, uid: 'u', managedFields: managedFields as Entry[] };
    if (managedFields === undefined) delete object.metadata.managedFields;
    return (this.object = object);
  }

  /** The owners of fields. */
  owners(): Record<string, unknown> {
    const entries = this.object?.metadata.managedFields ?? [];
    return Object.fromEntries(
      entries.map(({ manager, operation, fieldsV1 }) => [`${manager} ${operation}`, fieldsV1]),
    );
  }

  times(): Record<string, string | undefined> {
    return Object.fromEntries(
      (this.object?.metadata.managedFields ?? []).map(({ manager, time }) => [manager, time]),
    );
  }
}

const withContainers = (...containers: object[]): object => ({
  metadata: { name: 'a' },
  spec: { containers },
});

let server: Server;
beforeEach(() => {
  server = new Server(App.type, 'test.example/v1');
});

describe('apply', () => {
  test('owns the leaves that the configuration states, elements of lists included', () => {
    server.apply('one', {
      metadata: { name: 'a', labels: { l: '1' } },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        containers: [{ name: 'c', args: ['x'], ports: [{ port: 80 }] }],
        finalizers: ['f/a'],
      },
    });

    expect(server.owners()).toEqual({
      'one Apply': {
        'f:metadata': { 'f:labels': { 'f:l': {} } },
        'f:spec': {
          'f:containers': {
            'k:{"name":"c"}': {
              '.': {},
              'f:args': {},
              'f:name': {},
              'f:ports': { 'k:{"port":80,"protocol":"TCP"}': { '.': {}, 'f:port': {} } },
            },
          },
          'f:finalizers': { 'v:"f/a"': {} },
          'f:selector': {},
        },
      },
    });
  });

  test('again changes nothing, not even the time', () => {
    const first = server.apply('one', withContainers({ name: 'c', image: 'i' }));
    const again = server.apply('one', withContainers({ name: 'c', image: 'i' }));

    expect(again).toEqual(first);
  });

  test('by another with the same value shares the field; that one has no time', () => {
    server.apply('one', withContainers({ name: 'c', image: 'i' }));
    server.apply('two', withContainers({ name: 'c', image: 'i' }));

    expect(server.times()).toEqual({ one: '2026-01-02T03:04:00Z', two: undefined });
  });

  test('of another value is a conflict, unless forced', () => {
    server.apply('one', withContainers({ name: 'c', image: 'i' }));

    expect(() => server.apply('two', withContainers({ name: 'c', image: 'j' }))).toThrow(
      'Apply failed with 1 conflict: conflict with "one": .spec.containers[name="c"].image',
    );
    server.apply('two', withContainers({ name: 'c', image: 'j' }), { force: true });
    expect(server.owners()['one Apply']).toEqual({
      'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {} } } },
    });
  });

  test('reports every conflict, by manager', () => {
    server.apply('one', { metadata: { name: 'a', labels: { x: '1', y: '1' } } });
    server.update('two', { metadata: { name: 'a', labels: { x: '1', y: '1', z: '1' } } });
    let failure: unknown;
    try {
      server.apply('three', { metadata: { name: 'a', labels: { x: '2', y: '2', z: '2' } } });
    } catch (error) {
      failure = error;
    }

    expect((failure as Error).message).toBe(
      'Apply failed with 3 conflicts: conflicts with "one":\n- .metadata.labels.x\n- .metadata.labels.y\nconflicts with "two" using test.example/v1:\n- .metadata.labels.z',
    );
    expect((failure as ApplyConflictError).causes).toHaveLength(3);
  });

  test('removes what it no longer states, but not what others own', () => {
    server.apply('one', withContainers({ name: 'a' }, { name: 'b' }));
    server.apply('two', withContainers({ name: 'b' }));
    server.apply('one', { metadata: { name: 'a' } });

    expect(server.object?.spec['containers']).toMatchObject([{ name: 'b' }]);
    expect(Object.keys(server.owners())).toEqual(['two Apply']);
  });

  test('takes away a part of an element', () => {
    server.apply('one', withContainers({ name: 'a', image: 'i', args: ['x'] }));
    server.apply('one', withContainers({ name: 'a', image: 'i' }));

    expect(server.object?.spec['containers']).toEqual([
      { name: 'a', image: 'i', policy: 'File', resources: {} },
    ]);
  });

  test('leaves an emptied struct out where it may be missing, and no more than that', () => {
    const applied = (strategy: object) => ({ metadata: { name: 'a' }, spec: { strategy } });
    server.apply('one', applied({ rollingUpdate: { maxSurge: 1 } }));
    server.apply('one', applied({ rollingUpdate: {} }));

    expect(server.object?.spec['strategy']).toEqual({});
    expect(server.owners()['one Apply']).toEqual({
      'f:spec': { 'f:strategy': { 'f:rollingUpdate': {} } },
    });
  });

  test('orders a list as the last applier wants, with others between', () => {
    server.apply('one', withContainers({ name: 'a' }, { name: 'b' }, { name: 'c' }));
    server.apply('two', withContainers({ name: 'z' }, { name: 'b' }, { name: 'a' }));

    const names = (server.object!.spec['containers'] as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['z', 'b', 'c', 'a']);
  });

  test('to an untracked object assigns its existing fields to before-first-apply', () => {
    server.update('writer', { metadata: { name: 'a' }, spec: { replicas: 2 } });
    server.update('writer', { metadata: { name: 'a', managedFields: [{}] }, spec: { replicas: 2 } });
    expect(server.object?.metadata.managedFields).toBeUndefined();

    expect(() => server.apply('one', { metadata: { name: 'a' }, spec: { replicas: 3 } })).toThrow(
      'conflict with "before-first-apply" using test.example/v1: .spec.replicas',
    );
  });

  test('to the status owns nothing of the spec', () => {
    server.apply('one', withContainers({ name: 'c' }));
    server.apply(
      'controller',
      { metadata: { name: 'a' }, spec: { replicas: 9 }, status: { ready: 2 } },
      { subresource: 'status' },
    );

    expect(server.owners()['controller Apply']).toEqual({ 'f:status': { 'f:ready': {} } });
  });

  test('by kubectl ignores conflicts with what its own annotation applied before', () => {
    const lastApplied = {
      apiVersion: 'test.example/v1',
      kind: 'App',
      metadata: { name: 'a' },
      spec: { replicas: 2 },
    };
    server.update('kubectl-client-side-apply', {
      ...lastApplied,
      metadata: { name: 'a', annotations: { [lastAppliedAnnotation]: JSON.stringify(lastApplied) } },
    });
    const next = { metadata: { name: 'a' }, spec: { replicas: 3 } };

    expect(() => server.apply('other', next)).toThrow(ApplyConflictError);
    expect(server.apply('kubectl', next).spec['replicas']).toBe(3);
  });

  test('looks into an atomic struct where a field says so', () => {
    const Holder = struct('test/v1.Holder', {
      whole: pointer(1, Selector),
      parts: pointer(2, Selector, { granular: true }),
    });
    const value = { whole: { matchLabels: { a: '1' } }, parts: { matchLabels: { a: '1' } } };

    expect(ownedFields(Holder, value)).toEqual({
      'f:parts': { 'f:matchLabels': { 'f:a': {} } },
      'f:whole': {},
    });
    expect(compare(Holder, value, { ...value, parts: { matchLabels: { a: '2' } } }).changed).toEqual({
      'f:parts': { 'f:matchLabels': { 'f:a': {} } },
    });
  });

  test.each<[object, string]>([
    [{ spek: {} }, '.spek: field not declared in schema'],
    [{ spec: 'x' }, '.spec: expected map, got &{x}'],
    [{ spec: { replicas: '1' } }, '.spec.replicas: expected numeric (int or float), got string'],
    [
      { spec: { paused: 'x', tolerations: [1] } },
      'errors:\n  .spec.paused: expected boolean, got &{x}\n  .spec.tolerations[0]: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      { spec: { containers: [{ name: 'q' }, { name: 'q' }] } },
      '.spec.containers: duplicate entries for key [name="q"]',
    ],
    [{ spec: { finalizers: ['a', 'a'] } }, '.spec.finalizers: duplicate entries for key [="a"]'],
  ])('refuses %j', (config, message) => {
    expect(() => server.apply('one', config)).toThrow(new ConfigurationError(message));
  });

  test('refuses another version and managed fields', () => {
    expect(() => server.apply('one', { apiVersion: 'v2' })).toThrow(
      'Incorrect version specified in apply patch',
    );
    expect(() => server.apply('one', { metadata: { managedFields: [] } })).toThrow(
      'metadata.managedFields must be nil',
    );
  });
});

describe('a plain write', () => {
  test('owns what it made, maps and elements too', () => {
    server.update('w', {
      metadata: { name: 'a', labels: { l: '1' } },
      spec: { containers: [{ name: 'c' }] },
    });

    expect(server.owners()).toEqual({
      'w Update': {
        'f:metadata': { 'f:labels': { '.': {}, 'f:l': {} } },
        'f:spec': {
          'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {}, 'f:policy': {}, 'f:resources': {} } },
          'f:replicas': {},
        },
      },
    });
  });

  test('takes over what it changes and leaves the rest', () => {
    server.update('w', { metadata: { name: 'a', labels: { l: '1', m: '1' } } });
    server.update('x', { metadata: { name: 'a', labels: { l: '2', m: '1' } } });

    expect(server.owners()).toMatchObject({
      'w Update': { 'f:metadata': { 'f:labels': { '.': {}, 'f:m': {} } } },
      'x Update': { 'f:metadata': { 'f:labels': { 'f:l': {} } } },
    });
  });

  test('of new values in its own fields updates its time, and takes nothing from others', () => {
    server.update('x', { metadata: { name: 'a', labels: { l: '1' } } });
    server.update('w', { metadata: { name: 'a', labels: { l: '1' } }, spec: { replicas: 2 } });
    const owners = server.owners();
    server.update('w', { metadata: { name: 'a', labels: { l: '1' } }, spec: { replicas: 3 } });

    expect(server.owners()).toEqual(owners);
    expect(server.times()).toEqual({ x: '2026-01-02T03:04:00Z', w: '2026-01-02T03:04:02Z' });
  });

  test('of a new value in a field that it shares is its own alone', () => {
    server.update('w', { metadata: { name: 'a' }, spec: { replicas: 2 } });
    server.apply('a', { metadata: { name: 'a' }, spec: { replicas: 2 } });
    server.update('w', { metadata: { name: 'a' }, spec: { replicas: 3 } });

    expect(Object.keys(server.owners())).toEqual(['w Update']);
  });

  test('that changes nothing owns nothing', () => {
    server.update('w', { metadata: { name: 'a' }, spec: { replicas: 2 } });
    server.update('x', { metadata: { name: 'a' }, spec: { replicas: 2 } });

    expect(Object.keys(server.owners())).toEqual(['w Update']);
  });

  test('to a subresource has its own entry and cannot set managed fields', () => {
    server.update('w', { metadata: { name: 'a' }, spec: { replicas: 2 } });
    server.update(
      'w',
      { metadata: { name: 'a', managedFields: [{}] }, spec: { replicas: 2 }, status: { ready: 1 } },
      'status',
    );

    expect(server.object?.metadata.managedFields?.map(({ subresource }) => subresource)).toEqual([
      undefined,
      'status',
    ]);
  });

  test('with managed fields that cannot be understood keeps the stored ones', () => {
    server.update('w', { metadata: { name: 'a' }, spec: { replicas: 2 } });
    server.update('w', {
      metadata: { name: 'a', managedFields: [{ manager: 'x', operation: 'Odd' }] },
      spec: { replicas: 2 },
    });

    expect(Object.keys(server.owners())).toEqual(['w Update']);
  });

  test('keeps ten updaters at most', () => {
    for (let index = 0; index < 15; index++) {
      const labels = Object.fromEntries(Array.from({ length: index + 1 }, (_, key) => [`k${key}`, 'v']));
      server.update(`w${String(index).padStart(2, '0')}`, { metadata: { name: 'a', labels } });
    }
    const names = server.object?.metadata.managedFields?.map(({ manager }) => manager);

    expect(names).toHaveLength(10);
    expect(names?.[0]).toBe('ancient-changes');
  });
});

describe('comparison', () => {
  test('an object equals itself, and additions in one direction are removals in the other', () => {
    fc.assert(
      fc.property(valueOf(App.type), valueOf(App.type), (a, b) => {
        const [left, right] = [decodeValue(App.type, a).object, decodeValue(App.type, b).object];

        expect(isSame(compare(App.type, left, structuredClone(left)))).toBe(true);
        expect(isSame(compare(App.type, left, right))).toBe(JSON.stringify(left) === JSON.stringify(right));
      }),
    );
  });

  test('identifies elements by their keys in any order; duplicates count as one', () => {
    const listOf = (...pairs: readonly (readonly [name: string, image: string])[]) => ({
      spec: { containers: pairs.map(([name, image]) => ({ name, image })) },
    });
    const changed = (left: object, right: object): unknown => {
      const comparison = compare(App.type, left, right);
      return isSame(comparison) ? 'nothing' : comparison;
    };
    const nameOf = (index: number) => `c${index}`;
    const many = Array.from({ length: 20 }, (_, index) => [nameOf(index), 'v1'] as const);
    const changedMany = many.map(([name, image]) => [name, name === 'c7' ? 'v2' : image] as const);
    const image = (name: string) => ({
      changed: { 'f:spec': { 'f:containers': { [`k:{"name":"${name}"}`]: { 'f:image': {} } } } },
      removed: {},
    });

    expect(changed(listOf(['a', 'v1'], ['b', 'v1']), listOf(['a', 'v1'], ['b', 'v2']))).toEqual(image('b'));
    expect(changed(listOf(['a', 'v1'], ['b', 'v1']), listOf(['b', 'v2'], ['a', 'v1']))).toEqual(image('b'));
    expect(changed(listOf(...many), listOf(...changedMany))).toEqual(image('c7'));
    expect(changed(listOf(['a', 'v1'], ['a', 'v2']), listOf(['a', 'v1'], ['a', 'v2']))).toBe('nothing');
    expect(changed(listOf(['a', 'v1'], ['a', 'v2']), listOf(['a', 'v1'], ['a', 'v3']))).toEqual({
      changed: { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': {} } } },
      removed: {},
    });
  });

  test('of an empty object with another changes all that the other owns', () => {
    fc.assert(
      fc.property(valueOf(Zoo.type), (value) => {
        const { object } = decodeValue(Zoo.type, value);

        expect(compare(Zoo.type, {}, object).removed).toEqual({});
        expect(Object.keys(compare(Zoo.type, {}, object).changed).sort()).toEqual(
          Object.keys(object)
            .map((name) => `f:${name}`)
            .sort(),
        );
        expect(ownedFields(Zoo.type, object)).toBeDefined();
      }),
    );
  });
});

test('applying any configuration twice is applying it once', () => {
  fc.assert(
    fc.property(valueOf(App.type), (value) => {
      // Defaulting must not change keys.
      const { apiVersion: _apiVersion, kind: _kind, ...config } = decodeValue(App.type, value).object;
      applyDefaults(App.type, config);
      const fresh = new Server(App.type, 'test.example/v1');
      let first: Stored;
      try {
        first = fresh.apply('one', config);
      } catch (error) {
        // Elements with duplicate keys.
        expect(error).toBeInstanceOf(ConfigurationError);
        return;
      }

      expect(fresh.apply('one', config).spec).toEqual(first.spec);
      expect(Object.keys(fresh.owners()).length).toBeLessThanOrEqual(1);
    }),
  );
});

test('apply accepts unknown fields of a custom resource below a schema that preserves them, and where no member is described', () => {
  const closed = { type: 'object', properties: { known: { type: 'string' } } };
  const type = compileCustomType(
    { group: 'test.example', version: 'v1', kind: 'App' },
    {
      type: 'object',
      properties: {
        closed,
        empty: { type: 'object' },
        open: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { list: { type: 'array', items: closed } },
        },
      },
    },
  );
  const applied = (spec: object) => () => {
    new Server(type, 'test.example/v1').apply('one', { metadata: { name: 'a' }, ...spec });
  };

  expect(applied({ open: { list: [{ other: 1 }] }, empty: { other: 1 } })).not.toThrow();
  expect(applied({ closed: { other: 1 } })).toThrow('.closed.other: field not declared in schema');
});

test('custom resources are tracked by their own schema, and where it says nothing by the value', () => {
  const type = compileCustomType(
    { group: 'test.example', version: 'v1', kind: 'App' },
    {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            list: {
              type: 'array',
              'x-kubernetes-list-type': 'map',
              'x-kubernetes-list-map-keys': ['id'],
              items: { type: 'object', properties: { id: { type: 'integer' } } },
            },
            free: { 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      },
    },
  );
  const custom = new Server(type, 'test.example/v1');
  custom.apply('one', {
    metadata: { name: 'a' },
    spec: { list: [{ id: 1 }], free: { a: [1], b: { c: 2 } } },
  });

  expect(custom.owners()).toEqual({
    'one Apply': {
      'f:spec': {
        'f:free': { 'f:a': {}, 'f:b': { '.': {}, 'f:c': {} } },
        'f:list': { 'k:{"id":1}': { '.': {}, 'f:id': {} } },
      },
    },
  });
});

test('a list that was sent empty is owned, though it is written as an absent one', () => {
  const manager = new FieldManager({ type: App.type, apiVersion: 'test.example/v1' });
  const created = (containers: unknown) => {
    const next = decodeValue(App.type, {
      metadata: { name: 'a' },
      spec: { containers },
    }).object as { spec: { containers: unknown } };
    const owned = manager.update({ live: undefined, next, manager: 'm', now: '2026-01-01T00:00:00Z' });
    expect(next.spec.containers).toBeNull();
    return JSON.stringify(owned ?? []);
  };

  expect(created([])).toContain('f:containers');
  expect(created(null)).not.toContain('f:containers');
});
