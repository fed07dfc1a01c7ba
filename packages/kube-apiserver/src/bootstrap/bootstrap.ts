/**
 * Creates the objects that every cluster has, and restores those that an older store lacks. An object that is up to
 * date costs one read from the cache.
 */
import { semanticDeepEqual, type KubeObject } from '@coxswain/apimachinery';
import type { Awaitable } from '@coxswain/apiserver';
import type { Transport } from '@coxswain/client/transport.ts';
import type { ObjectReader } from '../object-reader.ts';
import type { BootstrapObject } from '../bootstrap-object.ts';
import { withSecondRange } from './service-cidr.ts';
import { namespaceObjects } from './namespaces.ts';
import { withMissingRules, withMissingSubjects } from './rbac/reconcile.ts';

export interface BootstrapParts {
  readonly objects: ObjectReader;
  /** As the server's own user. */
  readonly transport: Transport;
  readonly log: (line: string) => void;
}

/**
 * @param first the objects that all others need, besides the namespaces
 * @throws Error if one of these cannot be stored; the failure of another one is logged, as upstream
 */
export async function bootstrap(
  parts: BootstrapParts,
  first: readonly BootstrapObject[],
  rest: readonly BootstrapObject[],
): Promise<void> {
  const failures = await ensureAll(parts, [...namespaceObjects(), ...first]);
  if (failures.length > 0) throw new Error(`cannot store the objects of every cluster: ${failures[0]}`);
  await ensureAll(parts, rest);
}

/** Returns the messages of the server's own failures. */
async function ensureAll(
  parts: BootstrapParts,
  objects: readonly BootstrapObject[],
): Promise<readonly string[]> {
  const found = await Promise.all(objects.map((wanted) => stored(parts, wanted)));
  const writes = objects.flatMap((wanted, at) => neededWrite(wanted, found[at]) ?? []);
  const failures = await Promise.all(writes.map((write) => send(parts, write)));
  return failures.filter((failure) => failure !== undefined);
}

/** Creates a missing object, and restores one that must not differ. */
export async function ensure(parts: BootstrapParts, wanted: BootstrapObject): Promise<void> {
  await ensureAll(parts, [wanted]);
}

const stored = (
  { objects }: BootstrapParts,
  { group, resource, object: { metadata } }: BootstrapObject,
): Awaitable<KubeObject | undefined> =>
  objects.get<KubeObject>({ group, resource }, metadata.namespace ?? '', metadata.name);

interface Write {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly manager: string;
  readonly object: object;
}

function neededWrite(wanted: BootstrapObject, found: KubeObject | undefined): Write | undefined {
  const { manager, object } = wanted;
  if (found === undefined) return { method: 'POST', path: pathOf(wanted), manager, object };
  const corrected = correction(wanted, found);
  if (corrected === undefined) return undefined;
  const path = `${pathOf(wanted)}/${encodeURIComponent(object.metadata.name)}`;
  return { method: 'PUT', path, manager, object: corrected };
}

/** The update that restores an object after a change that is not allowed. */
function correction({ group, object }: BootstrapObject, found: KubeObject): object | undefined {
  if (found.metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'] === 'false')
    return undefined;
  if (group === 'rbac.authorization.k8s.io') {
    return 'roleRef' in object ? withMissingSubjects(object, found) : withMissingRules(object, found);
  }
  if (object.kind === 'ServiceCIDR') return withSecondRange(object, found);
  if (object.kind === 'Endpoints' || object.kind === 'EndpointSlice') {
    const { metadata: _, ...fields } = object;
    const now = found as unknown as Record<string, unknown>;
    const isSame = Object.entries(fields).every(([field, value]) => semanticDeepEqual(value, now[field]));
    return isSame ? undefined : { ...found, ...fields };
  }
  return undefined;
}

function pathOf({ group, version, resource, object }: BootstrapObject): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const { namespace } = object.metadata;
  return `${root}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${resource}`;
}

/** Returns the message if the server fails to store the object. */
async function send(
  { transport, log }: BootstrapParts,
  { method, path, manager, object }: Write,
): Promise<string | undefined> {
  const response = await transport.send({
    method,
    path: `${path}?fieldManager=${manager}`,
    headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': manager },
    // The server may modify the object that it receives.
    body: { object: structuredClone(object) },
  });
  // Another server with the same store may have been faster.
  if (response.status < 300 || response.status === 409) return undefined;
  const text = new TextDecoder().decode(await response.bytes());
  log(`bootstrap: ${method} ${path}: ${response.status} ${text}`);
  return response.status >= 500 ? messageIn(text) : undefined;
}

/** The message of a Status, or the whole text. */
function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { readonly message: string }).message;
  } catch {
    return text;
  }
}
