/** An API group, as OpenAPI is told of it. */
import type { ApiGroup, ApiResource, ApiVersion } from '@coxswain/apiserver';
import { verbsOf } from '@coxswain/apiserver/discovery/verbs.ts';
import { queryParametersOf } from '@coxswain/schema/openapi.ts';
import type { OpenApiGroupVersion, OpenApiResource, OpenApiSubresource } from '@coxswain/schema/openapi.ts';
import type { HttpMethod } from '@coxswain/schema/openapi/operations.ts';

/** Without the versions that other servers serve: those describe themselves. */
export const describedGroup = (group: ApiGroup): readonly OpenApiGroupVersion[] =>
  group.versions
    .filter(({ elsewhere }) => elsewhere === undefined)
    .map((one) => ({
      group: group.name,
      version: one.version,
      resources: Object.entries(one.resources)
        .filter(([path]) => !path.includes('/'))
        .map(([plural, resource]) => describedResource(one, plural, resource)),
    }));

function describedResource(one: ApiVersion, plural: string, resource: ApiResource): OpenApiResource {
  const kind = resource.kind ?? resource.storage.kind;
  const identity = { group: kind.group, version: kind.version, kind: kind.kind };
  const { custom } = resource;
  const subresources = Object.entries(one.resources)
    .filter(([path]) => path.startsWith(`${plural}/`))
    .map(([path, subresource]) => describedSubresource(path.slice(plural.length + 1), subresource))
    // The original calls subresources of custom resources by the resource's kind, even a scale.
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

/** A deleted namespace is answered as it is, but the original's documents say that it is a Status. */
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
