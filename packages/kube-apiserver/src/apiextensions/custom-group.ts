/** The endpoints of the custom resources of one group. */
import type { ApiGroup, ApiResource, ApiVersion, RestStorage, Strategy } from '@coxswain/apiserver';
import type { GenericStore } from '@coxswain/apiserver/generic-store.ts';
import { mediaTypesWithoutProtobuf } from '@coxswain/apiserver/negotiation/media-type.ts';
import { resourceScope, type NegotiationScope } from '@coxswain/apiserver/negotiation/negotiate.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
} from '@coxswain/api/apiextensions/v1/index.ts';
import type { CustomDescription } from '@coxswain/schema/openapi.ts';
import { readAndUpdate } from '../groups/stores.ts';
import type { StoredResource } from '../groups/resource.ts';
import { hashOfVersion } from '../groups/storage-version.ts';
import { writtenBy } from '../groups/store-registry.ts';
import { customScale, replicasPathsOf } from './custom-scale.ts';
import { schemaOf } from './custom-kind.ts';
import { compareVersions } from '../version-priority.ts';

export interface CustomResource {
  readonly definition: CustomResourceDefinition;
  readonly main: GenericStore;
  readonly status: Strategy;
  /** For a definition with several versions: those other than the stored one. */
  readonly converted?: ConvertedVersions;
}

export interface ConvertedVersions {
  readonly stores: ReadonlyMap<string, GenericStore>;
  readonly convertTo: NonNullable<ApiResource['convertTo']>;
  readonly convertElsewhere?: NonNullable<ApiResource['convertElsewhere']>;
}

/** Undefined when the group serves nothing. */
export function customGroup(name: string, resources: readonly CustomResource[]): ApiGroup | undefined {
  const versions = new Map<string, Record<string, ApiResource>>();
  for (const resource of resources) {
    for (const version of resource.definition.spec.versions) {
      if (!version.served) continue;
      const endpoints = versions.get(version.name) ?? {};
      versions.set(version.name, Object.assign(endpoints, endpointsIn(resource, version)));
    }
  }
  if (versions.size === 0) return undefined;
  return {
    name,
    versions: [...versions]
      .map(([version, endpoints]): ApiVersion => ({ version, resources: endpoints }))
      .sort((a, b) => compareVersions(a.version, b.version)),
  };
}

const negotiation: NegotiationScope = {
  ...resourceScope,
  plainTypes: mediaTypesWithoutProtobuf,
  isRouted: false,
};

/** In upstream's order of verbs for custom resources. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
/** The verbs while the definition is being deleted. */
const verbsAtEnd = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const statusVerbs = ['get', 'patch', 'update'];

/** A group is replaced whenever one of its definitions changes; the endpoints of the others stay the same. */
const madeEndpoints = new WeakMap<CustomResource, Map<string, Record<string, ApiResource>>>();

function endpointsIn(
  resource: CustomResource,
  version: CustomResourceDefinitionVersion,
): Record<string, ApiResource> {
  let made = madeEndpoints.get(resource);
  if (made === undefined)
    madeEndpoints.set(resource, (made = new Map<string, Record<string, ApiResource>>()));
  let endpoints = made.get(version.name);
  if (endpoints === undefined) made.set(version.name, (endpoints = endpointsOf(resource, version)));
  return endpoints;
}

function endpointsOf(
  { definition, main: stored, status, converted }: CustomResource,
  version: CustomResourceDefinitionVersion,
): Record<string, ApiResource> {
  const { group, names } = definition.spec;
  const accepted = definition.status?.acceptedNames ?? names;
  const main = converted?.stores.get(version.name) ?? stored;
  const { kind } = main;
  const custom = descriptionOf(definition, version);
  const form = {
    kind,
    ...(converted && conversionsOf(stored, converted)),
    itemsHaveKind: true,
    negotiation,
    custom,
    ...deprecationOf(definition, version),
  };
  const endpoints: Record<string, ApiResource> = {
    [names.plural]: {
      ...form,
      storage: main,
      verbs: definition.metadata.deletionTimestamp === undefined ? verbs : verbsAtEnd,
      singularName: accepted.singular ?? names.kind.toLowerCase(),
      ...(accepted.shortNames ? { shortNames: accepted.shortNames } : {}),
      ...(accepted.categories ? { categories: accepted.categories } : {}),
      storageVersionHash: hashOfVersion(group, stored.kind.version, names.kind),
    },
  };
  if (version.subresources?.status !== undefined) {
    const storage: RestStorage = readAndUpdate(writtenBy(main, status) as StoredResource);
    endpoints[`${names.plural}/status`] = { ...form, storage, verbs: statusVerbs };
  }
  if (version.subresources?.scale !== undefined) {
    endpoints[`${names.plural}/scale`] = {
      custom,
      negotiation,
      storage: customScale(main, version.subresources.scale, {
        replicasPaths: replicasPathsOf(definition),
        apiVersion: `${group}/${version.name}`,
      }),
      discoveryKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
      verbs: statusVerbs,
    };
  }
  return endpoints;
}

/** Managers may have written in any version of the definition, served or not. */
const conversionsOf = (stored: GenericStore, { stores, convertTo, convertElsewhere }: ConvertedVersions) => ({
  versions: [stored, ...stores.values()].map(({ kind }) => ({ kind })),
  convertTo,
  ...(convertElsewhere && { convertElsewhere }),
});

const descriptionOf = (
  { spec }: CustomResourceDefinition,
  version: CustomResourceDefinitionVersion,
): CustomDescription => ({
  schema: schemaOf(version),
  preserveUnknownFields: spec.preserveUnknownFields ?? false,
  selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath.replace(/^\./, '')),
});

function deprecationOf(
  { spec }: CustomResourceDefinition,
  { name, deprecated, deprecationWarning }: CustomResourceDefinitionVersion,
): { readonly deprecation?: string } {
  if (!deprecated) return {};
  if (deprecationWarning !== undefined) return { deprecation: deprecationWarning };
  const { group, names, versions } = spec;
  const [better] = versions
    .filter((one) => one.served && !one.deprecated && compareVersions(one.name, name) < 0)
    .sort((a, b) => compareVersions(a.name, b.name));
  const advice = better === undefined ? '' : `; use ${group}/${better.name} ${names.kind}`;
  return { deprecation: `${group}/${name} ${names.kind} is deprecated${advice}` };
}
