/** Describes an API group for OpenAPI. */
import type { ApiGroup, ApiResource, ApiVersion } from '@coxswain/apiserver';
import { verbsOf } from '@coxswain/apiserver/discovery/verbs.ts';
import {
  queryParametersOf,
  type OpenApiGroupVersion,
  type OpenApiResource,
  type OpenApiSubresource,
} from '@coxswain/schema/openapi.ts';
import type { HttpMethod } from '@coxswain/schema/openapi/operation-descriptions.ts';

/** Versions of other servers are excluded, since these describe themselves. */
export const describedGroup = (group: ApiGroup): readonly OpenApiGroupVersion[] =>
  group.versions
    .filter(({ elsewhere }) => elsewhere === undefined)
    .map((one) => {
      const parts = subresourcesOf(one);
      return {
        group: group.name,
        version: one.version,
        resources: Object.entries(one.resources)
          .filter(([path]) => !path.includes('/'))
          .map(([plural, resource]) => described(plural, resource, parts.get(plural) ?? [])),
      };
    });

type Parts = readonly (readonly [name: string, resource: ApiResource])[];

/** By the resource's plural name. */
function subresourcesOf({ resources }: ApiVersion): ReadonlyMap<string, Parts> {
  const parts = new Map<string, (readonly [string, ApiResource])[]>();
  for (const [path, resource] of Object.entries(resources)) {
    const slash = path.indexOf('/');
    if (slash < 0) continue;
    const plural = path.slice(0, slash);
    const known = parts.get(plural) ?? [];
    known.push([path.slice(slash + 1), resource]);
    parts.set(plural, known);
  }
  return parts;
}

/** A definition creates all its endpoints at once, and a group of a thousand is replaced with each of them. */
const knownCustom = new WeakMap<ApiResource, OpenApiResource>();

function described(plural: string, resource: ApiResource, parts: Parts): OpenApiResource {
  if (resource.custom === undefined) return describedResource(plural, resource, parts);
  let known = knownCustom.get(resource);
  if (known === undefined) knownCustom.set(resource, (known = describedResource(plural, resource, parts)));
  return known;
}

function describedResource(plural: string, resource: ApiResource, parts: Parts): OpenApiResource {
  const kind = resource.kind ?? resource.storage.kind;
  const identity = { group: kind.group, version: kind.version, kind: kind.kind };
  const { custom } = resource;
  const subresources = parts
    .map(([name, subresource]) => describedSubresource(name, subresource))
    // Upstream names subresources of custom resources by the resource's kind, even a scale.
    .map((subresource) => (custom === undefined ? subresource : { ...subresource, kind: identity }));
  return {
    plural,
    kind: identity,
    namespaced: resource.storage.namespaced,
    verbs: resource.verbs ?? verbsOf(resource.storage),
    type: kind.type,
    listType: kind.listType,
    deleteReturnsObject: returnsDeletedObject(resource) && !isNamespace(kind),
    subresources,
    ...(custom !== undefined && { custom }),
  };
}

const returnsDeletedObject = ({ storage }: ApiResource): boolean =>
  (storage as ReturningStorage).strategy?.returnDeletedObject === true;

interface ReturningStorage {
  readonly strategy?: { readonly returnDeletedObject?: boolean };
}

/** Deleting a namespace returns the Namespace, but upstream's documents say Status. */
const isNamespace = ({ group, kind }: { group: string; kind: string }): boolean =>
  group === '' && kind === 'Namespace';

function describedSubresource(name: string, resource: ApiResource): OpenApiSubresource {
  const { storage } = resource;
  const kind = resource.kind ?? storage.kind;
  const { group, version, kind: kindName } = resource.discoveryKind ?? kind;
  const connectMethods = storage.connectMethods?.map((method) => method.toLowerCase() as HttpMethod);
  const options = connectMethods === undefined ? storage.streamOptions : kind;
  return {
    name,
    kind: { group, version, kind: kindName },
    ...(storage.stream === undefined && connectMethods === undefined ? { type: kind.type } : {}),
    verbs: verbsOf(storage),
    ...(options === undefined ? {} : { parameters: queryParametersOf(options.type) }),
    ...(connectMethods === undefined ? {} : { connectMethods }),
    ...(name === 'proxy' ? { hasPath: true } : {}),
  };
}
