/**
 * Malformed requests for every resource of a server: random objects, and valid ones with a random defect, with every
 * write verb. Any error must be the client's.
 */
import { shapeOf } from '@coxswain/schema/shape.ts';
import { resolved, type Kind, type StructType, type Type } from '@coxswain/schema';
import type { Transport } from '@coxswain/client/transport.ts';
import type { ServerChain } from '../../src/server-chain.ts';
import { randomFrom, randomObject } from '../../../api/test/random-object.ts';

export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

export interface FuzzedAnswer extends FuzzedRequest {
  readonly status: number;
  readonly message: string;
}

/** Errors that upstream reports as its own, though they are the client's. */
const originalsOwn = [/failed to create typed patch object/, /"target\.name: Required value"/];

export const isOwnFault = ({ status, message }: FuzzedAnswer): boolean =>
  status >= 500 && !originalsOwn.some((pattern) => pattern.test(message));

export interface FuzzedResource {
  readonly kind: Kind;
  /** The path of the collection, in the fuzzed namespace. */
  readonly path: string;
  readonly subresources: readonly string[];
}

export const fuzzedNamespace = 'default';

/** Resources that can be created and written; streams and proxies have no documents. */
export function fuzzedResources(chain: ServerChain): readonly FuzzedResource[] {
  const found: FuzzedResource[] = [];
  for (const group of chain.groups()) {
    for (const { version, resources } of group.versions) {
      const root = group.name === '' ? `/api/${version}` : `/apis/${group.name}/${version}`;
      for (const [plural, { storage, kind = storage.kind }] of Object.entries(resources)) {
        if (plural.includes('/')) continue;
        const scope = storage.namespaced ? `/namespaces/${fuzzedNamespace}` : '';
        const subresources = Object.entries(resources)
          .filter(([path, one]) => path.startsWith(`${plural}/`) && one.storage.connect === undefined)
          .map(([path]) => path.slice(plural.length + 1));
        found.push({ kind, path: `${root}${scope}/${plural}`, subresources });
      }
    }
  }
  return found;
}

/** All requests for one resource with one seed. */
export function requestsOf(
  { kind, path, subresources }: FuzzedResource,
  seed: number,
): readonly FuzzedRequest[] {
  const random = randomFrom(seed);
  const name = `fuzz-${Math.floor(random() * 3)}`;
  const object = () => named(randomObject(kind, Math.floor(random() * 2 ** 31)), name);
  const one = `${path}/${name}`;
  const json = (method: string, to: string, contentType = 'application/json', body: unknown = object()) => ({
    method,
    path: to,
    contentType,
    body: JSON.stringify(body),
  });
  const sub =
    subresources.length === 0 ? one : `${one}/${subresources[Math.floor(random() * subresources.length)]}`;
  return [
    json('POST', path),
    json('PUT', one),
    json('PATCH', one, 'application/merge-patch+json'),
    json('PATCH', one, 'application/strategic-merge-patch+json', wounded(kind, random)),
    json('PATCH', one, 'application/json-patch+json', randomJsonPatch(kind, random)),
    json('PATCH', `${one}?fieldManager=fuzz&force=${random() < 0.5}`, 'application/apply-patch+yaml'),
    json('PATCH', `${one}?fieldManager=fuzz`, 'application/apply-patch+yaml', wounded(kind, random)),
    json('PUT', sub),
    json('POST', sub),
    json('PATCH', sub, 'application/merge-patch+json', wounded(kind, random)),
    json('PATCH', `${sub}?fieldManager=sub`, 'application/apply-patch+yaml'),
    { method: 'GET', path: sub, contentType: 'application/json', body: '' },
  ];
}

export async function sendFuzzed(transport: Transport, request: FuzzedRequest): Promise<FuzzedAnswer> {
  const response = await transport.send({
    method: request.method,
    path: request.path,
    headers: { 'content-type': request.contentType, accept: 'application/json' },
    ...(request.body === '' ? {} : { body: new TextEncoder().encode(request.body) }),
  });
  const text = new TextDecoder().decode(await response.bytes());
  return { ...request, status: response.status, message: text.slice(0, 400) };
}

type Values = Record<string, unknown>;

const named = (object: Values, name: string): Values => ({
  ...object,
  metadata: {
    ...(object['metadata'] as Values | undefined),
    name,
    namespace: undefined,
    resourceVersion: undefined,
  },
});

/** An object with a wrong value somewhere, as a client's bug would send. */
function wounded(kind: Kind, random: () => number): unknown {
  const object = named(randomObject(kind, Math.floor(random() * 2 ** 31)), 'fuzz-0');
  let at: unknown = object;
  for (let depth = 0; depth < 6; depth++) {
    if (typeof at !== 'object' || at === null) break;
    const keys = Object.keys(at);
    if (keys.length === 0) break;
    const key = keys[Math.floor(random() * keys.length)]!;
    const inner = (at as Values)[key];
    if (random() < 0.3 || typeof inner !== 'object' || inner === null) {
      (at as Values)[key] = wounds[Math.floor(random() * wounds.length)];
      break;
    }
    at = inner;
  }
  return object;
}

const wounds: readonly unknown[] = [
  null,
  [],
  {},
  [null],
  [[]],
  [{}],
  '',
  'x',
  0,
  -1,
  1.5,
  true,
  { $patch: 'delete' },
  { $patch: 'replace' },
  { $patch: 'nonsense' },
  [{ $patch: 'replace' }],
  { $retainKeys: ['x'] },
  { '$setElementOrder/containers': 5 },
  { '$deleteFromPrimitiveList/finalizers': ['x'] },
  1e20,
  { __proto__: null, constructor: {} },
];

function randomJsonPatch(kind: Kind, random: () => number): unknown {
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    op: ['add', 'remove', 'replace', 'move', 'copy', 'test'][Math.floor(random() * 6)],
    path: randomPointer(kind.type, random),
    from: randomPointer(kind.type, random),
    value: wounds[Math.floor(random() * wounds.length)],
  }));
}

function randomPointer(type: StructType, random: () => number): string {
  let pointer = '';
  let at: Type = type;
  for (let depth = 0; depth < 5; depth++) {
    const actual = resolved(at);
    if (actual.form === 'struct') {
      const { members } = shapeOf(actual);
      if (members.length === 0) break;
      const { name, field } = members[Math.floor(random() * members.length)]!;
      pointer += `/${name}`;
      at = field.type;
    } else if (actual.form === 'list') {
      pointer += ['/0', '/-', '/1', '/x'][Math.floor(random() * 4)];
      at = actual.element;
    } else break;
    if (random() < 0.3) break;
  }
  return pointer;
}
