/** The documents of extension servers: the resources of a group version, and OpenAPI. */
import type { APIService } from '@coxswain/api/apiregistration/v1/index.ts';
import type { ElsewhereVersion } from '@coxswain/apiserver';
import type { ExtensionClient } from './extension-client.ts';

export type Json = Readonly<Record<string, unknown>>;

const aggregatedForm = 'g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const oldAggregatedForm = 'g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
const acceptAggregated = [aggregatedForm, oldAggregatedForm]
  .map((form) => `application/json;${form}`)
  .join(',');

/** The state after a failed request; what is known of the group version is nothing or outdated. */
export const stale: ElsewhereVersion = { freshness: 'Stale' };

/** @throws Error when the server doesn't describe the group version */
export async function discover(client: ExtensionClient, apiService: APIService): Promise<ElsewhereVersion> {
  const { group = '', version = '' } = apiService.spec ?? {};
  const whole = await client.get(apiService, '/apis', acceptAggregated);
  if (whole.status === 503) throw new Error('the extension server is not available');
  if (whole.status === 200 && isAggregated(whole.contentType)) {
    return current(versionIn(await objectIn(client, whole.text), group, version)['resources']);
  }
  const own = await client.get(apiService, `/apis/${group}/${version}`, 'application/json');
  if (own.status !== 200) throw new Error(`failed to download legacy discovery: ${own.status} ${own.text}`);
  return current(fromResourceList(arrayIn(await objectIn(client, own.text), 'resources')));
}

const current = (resources: unknown): ElsewhereVersion => ({
  ...(Array.isArray(resources) && resources.length > 0 && { resources: resources as object[] }),
  freshness: 'Current',
});

const isAggregated = (contentType: string): boolean =>
  contentType.includes('apidiscovery.k8s.io') && contentType.includes('as=APIGroupDiscoveryList');

function versionIn(document: Json, group: string, version: string): Json {
  const found = arrayIn(document, 'items').find(
    (one) => (one['metadata'] as Json | undefined)?.['name'] === group,
  );
  return arrayIn(found ?? {}, 'versions').find((one) => one['version'] === version) ?? {};
}

/** Converts an APIResourceList to the form of aggregated discovery. */
function fromResourceList(entries: readonly Json[]): readonly object[] {
  const resources = new Map<string, Record<string, unknown>>();
  const scopeOf = ({ namespaced }: Json) => (namespaced === true ? 'Namespaced' : 'Cluster');
  for (const entry of entries.filter(({ name }) => !String(name).includes('/'))) {
    resources.set(String(entry['name']), {
      resource: entry['name'],
      responseKind: kindOf(entry),
      scope: scopeOf(entry),
      singularResource: entry['singularName'] ?? '',
      verbs: entry['verbs'] ?? [],
      ...(entry['shortNames'] !== undefined && { shortNames: entry['shortNames'] }),
      ...(entry['categories'] !== undefined && { categories: entry['categories'] }),
    });
  }
  for (const entry of entries) {
    const [name = '', subresource] = String(entry['name']).split(/\/(.*)/s);
    if (subresource === undefined) continue;
    const unnamed: Record<string, unknown> = {
      resource: name,
      responseKind: kindOf({}),
      scope: scopeOf(entry),
      singularResource: '',
      verbs: null,
    };
    const parent = resources.get(name) ?? unnamed;
    resources.set(name, parent);
    const subresources = (parent['subresources'] ??= []) as object[];
    subresources.push({ subresource, responseKind: kindOf(entry), verbs: entry['verbs'] ?? [] });
  }
  return [...resources.values()];
}

const kindOf = ({ group, version, kind }: Json): object => ({
  group: group ?? '',
  version: version ?? '',
  kind: kind ?? '',
});

/**
 * The URLs of the server's OpenAPI v3 documents of the group version, by path as in the index.
 * @throws Error without an index
 */
export async function openApiIndex(
  client: ExtensionClient,
  apiService: APIService,
): Promise<ReadonlyMap<string, string>> {
  const { status, text } = await client.get(apiService, '/openapi/v3', 'application/json');
  if (status === 404) return new Map();
  if (status !== 200) throw new Error(`failed to download the OpenAPI index: ${status}`);
  const { group = '', version = '' } = apiService.spec ?? {};
  const paths = ((await objectIn(client, text))['paths'] ?? {}) as Readonly<Record<string, Json>>;
  return new Map(
    [`apis/${group}`, `apis/${group}/${version}`].flatMap((path) => {
      const url = paths[path]?.['serverRelativeURL'];
      return typeof url === 'string' ? [[path, url] as const] : [];
    }),
  );
}

/** The server's whole OpenAPI v2 document; undefined when it has none. @throws Error when the request fails */
export async function openApiV2Of(
  client: ExtensionClient,
  apiService: APIService,
): Promise<Json | undefined> {
  const { status, text } = await client.get(apiService, '/openapi/v2', 'application/json');
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`failed to retrieve openAPI spec: ${status}`);
  return objectIn(client, text);
}

async function objectIn(client: ExtensionClient, text: string): Promise<Json> {
  const value = await client.parsed(text);
  if (typeof value !== 'object' || value === null) throw new Error('a discovery document is not an object');
  return value as Json;
}

const arrayIn = (object: Json, member: string): readonly Json[] => {
  const value = object[member];
  return Array.isArray(value) ? (value as Json[]) : [];
};
