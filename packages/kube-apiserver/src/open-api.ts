/** The OpenAPI documents of the whole chain, built on first request and again when a group has changed. */
import { kindsOf } from '@coxswain/api/group-versions.ts';
import { Patch, WatchEvent } from '@coxswain/api/meta/v1/index.ts';
import { VersionInfo } from '@coxswain/api/version-info.ts';
import type { Clock } from '@coxswain/apimachinery';
import { nobody, stepsInSlices } from '@coxswain/apimachinery/slices.ts';
import type { ApiGroup } from '@coxswain/apiserver';
import {
  OpenApiRoutes,
  wholeDocument,
  type DocumentSource,
  type OpenApiSources,
} from '@coxswain/apiserver/openapi/openapi-routes.ts';
import type { ServerServices } from '@coxswain/apiserver/services/services.ts';
import {
  corePath,
  customOpenApiV3,
  definitionName,
  groupPath,
  groupsPath,
  issuerPaths,
  FragmentMaker,
  openApiV2,
  openApiV3,
  openApiV3Protobuf,
  plainOpenApiV3,
  versionPath,
  type DescriptionOf,
  type DocumentFragment,
  type DocumentOptions,
  type OpenApiGroupVersion,
  type OpenApiResource,
  type PlainPath,
} from '@coxswain/schema/openapi.ts';
import { remoteFragments, type RemoteDocument } from './aggregator/merged-open-api.ts';
import type { RemoteVersion } from './aggregator/remote-groups.ts';
import { describedGroup } from './described-group.ts';
import type { ServerChain } from './server-chain.ts';
import { nativeGroupVersions, registeredGroupVersions, structKinds } from './struct-kinds.ts';

export function installOpenApi(
  chain: ServerChain,
  services: ServerServices,
  remotes: () => ReadonlyMap<string, RemoteVersion>,
  { version, descriptionOf }: Pick<DocumentOptions, 'version' | 'descriptionOf'>,
): void {
  const documents = new Documents(services.clock, version, descriptionOf);
  let groups: readonly ApiGroup[] = [];
  let sources: OpenApiSources | undefined;
  new OpenApiRoutes(chain.aggregator.plain, {
    services,
    sources: () => {
      const now = chain.groups();
      if (sources === undefined || !isSame(now, groups)) {
        sources = documents.of(now, remoteDocumentsOf(remotes()));
      }
      groups = now;
      return sources;
    },
    elsewhere: () => documentsElsewhere(remotes()),
  });
}

function remoteDocumentsOf(remotes: ReadonlyMap<string, RemoteVersion>): readonly RemoteDocument[] {
  return [...remotes.values()].flatMap(({ apiService: { spec }, openApiV2: document }) =>
    document === undefined ? [] : [{ group: spec?.group ?? '', version: spec?.version ?? '', document }],
  );
}

/** Documents of extension servers, by path: the index lists them, requests for them are forwarded. */
function documentsElsewhere(
  remotes: ReadonlyMap<string, RemoteVersion>,
): ReadonlyMap<string, string> | undefined {
  if (remotes.size === 0) return undefined;
  return new Map([...remotes.values()].flatMap(({ documents }) => [...documents]));
}

const isSame = (a: readonly ApiGroup[], b: readonly ApiGroup[]): boolean =>
  a.length === b.length && a.every((group, at) => group === b[at]);

class Documents {
  readonly #clock: Clock;
  readonly #options: DocumentOptions;
  /** An unchanged group keeps its sources, so that its documents stay cached. */
  readonly #ofGroup = new WeakMap<ApiGroup, ReadonlyMap<string, DocumentSource>>();
  readonly #plain: ReadonlyMap<string, DocumentSource>;
  readonly #v2: FragmentMaker;
  readonly #customV3: FragmentMaker;
  readonly #groupsInV2 = new WeakMap<ApiGroup, readonly DocumentFragment[]>();
  readonly #fragmentsV2 = new WeakMap<OpenApiResource, DocumentFragment>();
  readonly #fragmentsV3 = new WeakMap<OpenApiResource, DocumentFragment>();

  constructor(clock: Clock, version: string, descriptionOf?: DescriptionOf) {
    this.#clock = clock;
    this.#options = {
      version,
      metaTypes: [...kindsOf('meta/v1').map(({ type }) => type), Patch, WatchEvent, VersionInfo],
      ...(descriptionOf && { descriptionOf }),
    };
    const kindsV2 = structKinds(registeredGroupVersions());
    this.#v2 = new FragmentMaker('v2', { ...this.#options, kindsOf: kindsV2 });
    const kindsV3 = structKinds(nativeGroupVersions());
    this.#customV3 = new FragmentMaker('v3', { ...this.#options, kindsOf: kindsV3 });
    this.#plain = new Map(
      [groupsPath, versionPath(definitionName(VersionInfo.name)), ...issuerPaths].map((path) => [
        path.path.slice(1, -1),
        this.#plainSource(path),
      ]),
    );
  }

  of(groups: readonly ApiGroup[], remotes: readonly RemoteDocument[]): OpenApiSources {
    const byPath = new Map([...this.#plain, ...groups.flatMap((group) => [...this.#sourcesOf(group)])]);
    const own = () => [
      ...groups.flatMap((group) => this.#inV2(group)),
      this.#v2.ofPaths(plainPathsOf(groups)),
    ];
    // Of equal names, the last one is kept.
    const merged = async (fragments: readonly DocumentFragment[]) => {
      const added = await stepsInSlices(remoteFragments(fragments, remotes), this.#clock, nobody);
      return openApiV2([...added.toReversed(), ...fragments], this.#options);
    };
    const make = () => (remotes.length === 0 ? openApiV2(own(), this.#options) : merged(own()));
    return { byPath, wholeV2: { state: byPath, make } };
  }

  #sourcesOf(group: ApiGroup): ReadonlyMap<string, DocumentSource> {
    let sources = this.#ofGroup.get(group);
    if (sources === undefined) {
      const root = group.name === '' ? 'api' : `apis/${group.name}`;
      sources = new Map([
        ...(isNative(group) ? [[root, this.#plainSource(rootPathOf(group))] as const] : []),
        ...describedGroup(group).map((one) => [`${root}/${one.version}`, this.#source(one)] as const),
      ]);
      this.#ofGroup.set(group, sources);
    }
    return sources;
  }

  #source(groupVersion: OpenApiGroupVersion): DocumentSource {
    const own = groupVersion.group === '' ? [] : [groupVersion];
    const make = () =>
      isOfDefinition(groupVersion)
        ? customOpenApiV3(
            groupVersion.resources.map((resource) =>
              kept(this.#fragmentsV3, resource, () =>
                this.#customV3.ofCustomResource(groupVersion, resource),
              ),
            ),
          )
        : wholeDocument(
            () => openApiV3(groupVersion, { ...this.#options, kindsOf: structKinds(own) }),
            openApiV3Protobuf,
          );
    return { state: groupVersion, make };
  }

  /** Groups of custom resources are replaced often, but few of their resources change. */
  #inV2(group: ApiGroup): readonly DocumentFragment[] {
    return kept(this.#groupsInV2, group, () =>
      describedGroup(group).flatMap((one) =>
        isOfDefinition(one)
          ? one.resources.map((resource) =>
              kept(this.#fragmentsV2, resource, () => this.#v2.ofCustomResource(one, resource)),
            )
          : [this.#v2.ofGroupVersion(one)],
      ),
    );
  }

  #plainSource(path: PlainPath): DocumentSource {
    const options = { ...this.#options, kindsOf: structKinds([]) };
    return {
      state: path,
      make: () => wholeDocument(() => plainOpenApiV3([path], options), openApiV3Protobuf),
    };
  }
}

const isOfDefinition = ({ resources }: OpenApiGroupVersion): boolean =>
  resources.some(({ custom }) => custom !== undefined);

function kept<Key extends object, Value>(known: WeakMap<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

/** Whether the group is neither of custom resources nor of an extension server. */
const isNative = ({ versions }: ApiGroup): boolean =>
  versions.some(({ elsewhere }) => elsewhere === undefined) &&
  !versions.some(({ resources }) => Object.values(resources).some(({ custom }) => custom !== undefined));

const rootPathOf = ({ name }: ApiGroup): PlainPath => (name === '' ? corePath : groupPath(name));

const plainPathsOf = (groups: readonly ApiGroup[]): readonly PlainPath[] => [
  groupsPath,
  versionPath(definitionName(VersionInfo.name)),
  ...issuerPaths,
  ...groups.filter(isNative).map(rootPathOf),
];
