/** Objects at random for `described.ts`: what belongs to an object, and its row of a table. */
import { kindsOf, groupVersionDirectories } from '@coxswain/api';
import { randomFrom, randomObject } from '../../../packages/api/test/random-object.ts';

type Json = Readonly<Record<string, unknown>>;
type Random = () => number;

/** Without most of its members, at any depth; as it is without a seed. */
export function thinned<T>(object: T, seed: number | undefined): T {
  return seed === undefined ? object : (without(object, randomFrom(seed)) as T);
}

const kept = new Set(['apiVersion', 'kind', 'metadata', 'spec', 'status', 'template', 'containers']);

function without(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, random));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => kept.has(name) || random() < 0.4);
  return Object.fromEntries(members.map(([name, member]) => [name, without(member, random)]));
}

/** None for every third seed. */
export function relatedObjects(resource: string, owner: { readonly uid: string }, seed: number): object {
  const make = makers[resource];
  const items =
    make === undefined || seed % 3 === 0
      ? []
      : Array.from({ length: 4 }, (_, at) => make(seed * 10 + at, owner.uid));
  const [first] = items;
  return {
    apiVersion: first?.['apiVersion'] ?? 'v1',
    kind: `${String(first?.['kind'] ?? '')}List`,
    metadata: {},
    items: items.map(({ apiVersion: _version, kind: _kind, ...item }) => item),
  };
}

const kindOf = (apiVersion: string, name: string) =>
  groupVersionDirectories.flatMap(kindsOf).find((one) => one.apiVersion === apiVersion && one.kind === name)!;

function made(apiVersion: string, kind: string, seed: number): Json & { readonly metadata: Json } {
  const object = thinned(randomObject(kindOf(apiVersion, kind), seed), seed);
  const metadata = { ...(object['metadata'] as Json), name: `one-${seed}`, namespace: 'default' };
  return { ...object, metadata };
}

const makers: Readonly<Record<string, (seed: number, owner: string) => Json>> = {
  pods: (seed, owner) => podOf(made('v1', 'Pod', seed), seed, owner),
  events: (seed) => made('v1', 'Event', seed),
  endpointslices: (seed) => made('discovery.k8s.io/v1', 'EndpointSlice', seed),
  replicasets: (seed, owner) => owned(made('apps/v1', 'ReplicaSet', seed), owner),
  resourcequotas: (seed) => made('v1', 'ResourceQuota', seed),
};

const owned = (object: Json & { readonly metadata: Json }, uid: string): Json => ({
  ...object,
  metadata: {
    ...object.metadata,
    uid: String(object.metadata['name']),
    ownerReferences: [{ apiVersion: 'v1', kind: 'Thing', name: 'thing', uid, controller: true }],
  },
});

const phases = ['Running', 'Pending', 'Succeeded', 'Failed', undefined];

/** With amounts that can be added up. */
function podOf(pod: Json & { readonly metadata: Json }, seed: number, owner: string): Json {
  const random = randomFrom(seed);
  const chance = (likelihood: number, make: () => Json): Json => (random() < likelihood ? make() : {});
  const amounts = (): Json => ({
    ...chance(0.8, () => ({ cpu: `${Math.floor(random() * 4000)}m` })),
    ...chance(0.8, () => ({ memory: `${Math.floor(random() * 900)}Mi` })),
    ...chance(0.2, () => ({ 'example.com/gpu': '1' })),
  });
  const resources = (): Json => ({ resources: { requests: amounts(), limits: amounts() } });
  const container = (name: string, more: Json = {}): Json => ({ name, image: 'i', ...resources(), ...more });
  return owned(
    {
      ...pod,
      spec: {
        ...(pod['spec'] as Json | undefined),
        containers: [container('a'), container('b')],
        initContainers: [
          container(
            'i',
            chance(0.5, () => ({ restartPolicy: 'Always' })),
          ),
          container('j'),
        ],
        ...chance(0.4, () => ({ overhead: amounts() })),
        ...chance(0.3, resources),
      },
      status: {
        phase: phases[Math.floor(random() * phases.length)],
        ...chance(0.3, () => ({
          containerStatuses: [{ name: 'a', ...resources(), allocatedResources: amounts() }],
        })),
      },
    } as Json & { readonly metadata: Json },
    owner,
  );
}

/** Columns of both priorities with all types, and cells of any width. */
export function tableOf(object: object, seed: number): object {
  const random = randomFrom(seed);
  const text = (): string =>
    ['', 'a', 'two\nlines', 'tab\tbed', '水'.repeat(3), 'x'.repeat(80), '<none>', 'é', ' '][
      Math.floor(random() * 9)
    ]!;
  const cells: readonly [string, string, () => unknown][] = [
    ['Name', 'string', () => 'thing'],
    ['Count', 'integer', () => Math.floor(random() * 1e6)],
    ['Share', 'number', () => random() * 100],
    ['On', 'boolean', () => random() < 0.5],
    ['Text', 'string', text],
    ['None', 'string', () => null],
    ['List', 'array', () => [1, text()]],
    ['Tail', 'string', text],
  ];
  return {
    apiVersion: 'meta.k8s.io/v1',
    kind: 'Table',
    metadata: {},
    columnDefinitions: cells.map(([name, type], at) => ({
      name,
      type,
      format: at === 0 ? 'name' : '',
      description: '',
      priority: at > 5 ? 1 : 0,
    })),
    rows: [{ cells: cells.map(([, , make]) => make()), object }],
  };
}
