/** OpenAPI of all that the chain serves, made when it is first asked for. */
import { kindsOf } from '@coxswain/api/group-versions.ts';
import type { ApiGroup, ApiResource, ApiVersion } from '@coxswain/apiserver';
import { verbsOf } from '@coxswain/apiserver/discovery/verbs.ts';
import { OpenApiRoutes } from '@coxswain/apiserver/openapi/openapi-routes.ts';
import type { ServerServices } from '@coxswain/apiserver/services.ts';
import { openApiV2, openApiV3 } from '@coxswain/schema/openapi.ts';
import type { OpenApiGroupVersion, OpenApiResource, OpenApiSubresource } from '@coxswain/schema/openapi.ts';
import type { HttpMethod } from '@coxswain/schema/openapi/operations.ts';
import { shapeKindsByStruct } from './struct-kinds.ts';
import type { ServerChain } from './server-chain.ts';

const version = '1.36';

export function installOpenApi(chain: ServerChain, services: ServerServices): void {
  const { plain } = chain.aggregator;
  const routes = new OpenApiRoutes(plain, {
    services,
    documentV2: () => openApiV2(chain.groups().flatMap(groupVersionsOf), documentOptions()),
  });
  for (const group of chain.groups()) {
    const root = group.name === '' ? 'api' : `apis/${group.name}`;
    routes.put(root, emptyDocument);
    for (const groupVersion of groupVersionsOf(group)) {
      routes.put(`${root}/${groupVersion.version}`, () => openApiV3(groupVersion, documentOptions()));
    }
  }
  for (const path of ['apis', 'version', '.well-known/openid-configuration', 'openid/v1/jwks']) {
    routes.put(path, emptyDocument);
  }
}

/** Paths without resources: nobody generates a client from these. */
const emptyDocument = () => ({ openapi: '3.0.0', info: { title: 'Kubernetes', version }, paths: {} });

const documentOptions = () => ({
  version,
  metaTypes: kindsOf('meta/v1').map(({ type }) => type),
  kindsOf: shapeKindsByStruct,
});

const groupVersionsOf = (group: ApiGroup): OpenApiGroupVersion[] =>
  group.versions.map((one) => ({
    group: group.name,
    version: one.version,
    resources: Object.entries(one.resources)
      .filter(([path]) => !path.includes('/'))
      .map(([plural, resource]) => resourceOf(one, plural, resource)),
  }));

function resourceOf(one: ApiVersion, plural: string, resource: ApiResource): OpenApiResource {
  const kind = resource.kind ?? resource.storage.kind;
  const subresources = Object.entries(one.resources).filter(([path]) => path.startsWith(`${plural}/`));
  return {
    plural,
    kind: { group: kind.group, version: kind.version, kind: kind.kind },
    namespaced: resource.storage.namespaced,
    verbs: verbsOf(resource.storage),
    type: kind.type,
    listType: kind.listType,
    deleteReturnsObject: (resource.storage as ReturningStorage).strategy?.returnDeletedObject === true,
    subresources: subresources.map(([path, subresource]) =>
      subresourceOf(path.slice(plural.length + 1), subresource),
    ),
  };
}

interface ReturningStorage {
  readonly strategy?: { readonly returnDeletedObject?: boolean };
}

function subresourceOf(name: string, resource: ApiResource): OpenApiSubresource {
  const { storage } = resource;
  const kind = resource.kind ?? storage.kind;
  const { group, version: kindVersion, kind: kindName } = resource.discoveryKind ?? kind;
  const connectMethods = storage.connectMethods?.map((method) => method.toLowerCase() as HttpMethod);
  return {
    name,
    kind: { group, version: kindVersion, kind: kindName },
    ...(storage.stream === undefined ? { type: kind.type } : {}),
    verbs: verbsOf(storage),
    ...(connectMethods === undefined ? {} : { connectMethods }),
    ...(name === 'proxy' ? { hasPath: true } : {}),
  };
}
