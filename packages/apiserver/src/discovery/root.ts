/**
 * `/api` and `/apis`: all groups of a chain of servers, in the legacy form, or aggregated when the client accepts it
 * (`application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`), with an ETag.
 */
import { methodNotAllowedByRouter } from '../negotiation/refusals.ts';
import { APIGroupDiscovery } from '@coxswain/api/apidiscovery/v2/api-group-discovery.ts';
import { APIGroupList } from '@coxswain/api/meta/v1/api-group-list.ts';
import { APIVersions } from '@coxswain/api/meta/v1/api-versions.ts';
import { encode, type Kind } from '@coxswain/schema';
import type { ApiGroup } from '../api-group.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { emptyBody, type ApiResponse } from '../http/api-response.ts';
import { parseAccept } from '../negotiation/accept.ts';
import { encodeObject } from '../negotiation/encode-object.ts';
import { mediaTypes, type Media, type MediaType } from '../negotiation/media-type.ts';
import { respondChunks } from '../respond.ts';
import type { PlainHandler, PlainRoutes } from '../routing/plain-routes.ts';
import type { ServerServices } from '../services/services.ts';
import { groupDiscovery } from './aggregated.ts';
import { groupEntry } from './documents.ts';
import { entityTag } from './entity-tag.ts';
import { respondDocument, type DiscoveryDocument } from './respond-document.ts';

export interface RootDiscoveryOptions {
  /** All groups that the chain serves, in discovery's order, including the core group. */
  readonly groups: () => readonly ApiGroup[];
  /** The address to advertise to clients: `10.0.0.1:443`. */
  readonly serverAddress: string;
  readonly services: ServerServices;
}

export function installRootDiscovery(plain: PlainRoutes, options: RootDiscoveryOptions): void {
  const core = () => options.groups().filter(({ name }) => name === '');
  const named = () => options.groups().filter(({ name }) => name !== '');
  const coreDocument = new AggregatedDocument(core);
  const namedDocument = new AggregatedDocument(named);
  const coreGroup: PlainHandler = (request) => {
    if (request.method !== 'GET') throw methodNotAllowedByRouter();
    const aggregated = aggregatedType(request);
    if (aggregated !== undefined)
      return respondAggregated(request, options.services, aggregated, coreDocument);
    return respondDocument(request, options.services, APIVersions, versionsDocument(options));
  };
  plain.addRouted('/api', coreGroup);
  const namedGroups: PlainHandler = (request) => {
    const aggregated = aggregatedType(request);
    if (aggregated !== undefined)
      return respondAggregated(request, options.services, aggregated, namedDocument);
    const document = { kind: 'APIGroupList', apiVersion: 'v1', groups: named().map(groupEntry) };
    return respondDocument(request, options.services, APIGroupList, document, false);
  };
  plain.add('/apis', namedGroups);
  plain.add('/apis/', namedGroups);
}

const versionsDocument = ({ serverAddress }: RootDiscoveryOptions): DiscoveryDocument => ({
  kind: 'APIVersions',
  versions: ['v1'],
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
});

/** The encoding, if the client prefers aggregated discovery to the plain form. */
function aggregatedType(request: ApiRequest): MediaType | undefined {
  const accept = request.header('accept') ?? '';
  if (!accept.includes('apidiscovery.k8s.io')) return undefined;
  for (const { type, subtype, parameters } of parseAccept(accept)) {
    const media = mediaTypes.find((one) => type === 'application' && one.subtype === subtype);
    if (media === undefined) continue;
    const { g, v, as } = parameters;
    if (g === 'apidiscovery.k8s.io' && v === 'v2' && as === 'APIGroupDiscoveryList') return media;
  }
  return undefined;
}

const listKind: Kind = { ...(APIGroupDiscovery as Kind), kind: 'APIGroupDiscoveryList' };

interface Encoded {
  readonly groups: readonly ApiGroup[];
  readonly bytes: Uint8Array;
  readonly tag: string;
}

/** All groups as one document, rebuilt only when a group was added, replaced or removed. */
class AggregatedDocument {
  readonly #groups: () => readonly ApiGroup[];
  readonly #encoded = new Map<Media, Encoded>();
  #made: { readonly groups: readonly ApiGroup[]; readonly object: object } | undefined;

  constructor(groups: () => readonly ApiGroup[]) {
    this.#groups = groups;
  }

  /** Shared; must not be changed. */
  object(): object {
    const groups = this.#groups();
    if (this.#made === undefined || !isSame(this.#made.groups, groups))
      this.#made = { groups, object: documentOf(groups) };
    return this.#made.object;
  }

  encoded(type: MediaType): Encoded {
    const groups = this.#groups();
    const known = this.#encoded.get(type.media);
    if (known !== undefined && isSame(known.groups, groups)) return known;
    const negotiated = { type, pretty: false };
    const bytes = encodeObject(negotiated, listKind, APIGroupDiscovery.listType, this.object());
    const encoded = { groups, bytes, tag: entityTag([bytes]) };
    this.#encoded.set(type.media, encoded);
    return encoded;
  }
}

const isSame = (a: readonly ApiGroup[], b: readonly ApiGroup[]): boolean =>
  a.length === b.length && a.every((group, at) => group === b[at]);

const documentOf = (groups: readonly ApiGroup[]): object => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: groups.map((group) => groupDiscovery(group)),
});

function respondAggregated(
  request: ApiRequest,
  services: ServerServices,
  type: MediaType,
  document: AggregatedDocument,
): ApiResponse | Promise<ApiResponse> {
  const headers = request.responseHeaders;
  if (request.incoming.structured) {
    return { status: 200, headers, body: { kind: 'object', object: document.object() } };
  }
  const { bytes, tag } = document.encoded(type);
  headers['etag'] = tag;
  headers['vary'] = 'Accept';
  headers['cache-control'] = 'public';
  if (request.header('if-none-match') === tag) return { status: 304, headers, body: emptyBody };
  request.audit?.noteResponse(() => encode(APIGroupDiscovery.listType, document.object()));
  const contentType = `${type.contentType};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`;
  return respondChunks(request, { services }, { type: { ...type, contentType } }, 200, [bytes]);
}
