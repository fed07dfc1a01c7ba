/**
 * Creates the objects that every cluster has, and restores those that an older store lacks. An object that is up to
 * date costs one read from the cache.
 */
import { semanticDeepEqual, type GroupResource, type KubeObject } from '@coxswain/apimachinery';
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

/** @param first the objects that all others need, besides the namespaces */
export async function bootstrap(
  parts: BootstrapParts,
  first: readonly BootstrapObject[],
  rest: readonly BootstrapObject[],
): Promise<void> {
  await Promise.all([...namespaceObjects(), ...first].map((object) => ensure(parts, object)));
  await Promise.all(rest.map((object) => ensure(parts, object)));
}

/** Creates a missing object, and restores one that must not differ. */
export async function ensure(parts: BootstrapParts, wanted: BootstrapObject): Promise<void> {
  const { group, resource, object } = wanted;
  const { name, namespace = '' } = object.metadata;
  const found = await parts.objects.get<KubeObject>(
    { group, resource } satisfies GroupResource,
    namespace,
    name,
  );
  if (found === undefined) return send(parts, 'POST', pathOf(wanted), wanted, object);
  const corrected = correction(wanted, found);
  if (corrected !== undefined)
    await send(parts, 'PUT', `${pathOf(wanted)}/${encodeURIComponent(name)}`, wanted, corrected);
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

async function send(
  { transport, log }: BootstrapParts,
  method: string,
  path: string,
  { manager }: BootstrapObject,
  object: object,
): Promise<void> {
  const response = await transport.send({
    method,
    path: `${path}?fieldManager=${manager}`,
    headers: { 'content-type': 'application/json', accept: 'application/json', 'user-agent': manager },
    // The server may modify the object that it receives.
    body: { object: structuredClone(object) },
  });
  // Another server with the same store may have been faster.
  if (response.status < 300 || response.status === 409) return;
  log(`bootstrap: ${method} ${path}: ${response.status} ${new TextDecoder().decode(await response.bytes())}`);
}
