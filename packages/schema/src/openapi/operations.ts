/** The paths and operations of a group version, independent of the dialect. */

import { definitionName } from './names.ts';
import {
  connectDescription,
  createDescription,
  deleteCollectionDescription,
  deleteDescription,
  listDescription,
  patchDescription,
  readDescription,
  replaceDescription,
  watchDescription,
  type HttpMethod,
  type OperationObject,
} from './operation-descriptions.ts';
import {
  createParameters,
  deleteCollectionParameters,
  deleteParameters,
  listParameters,
  nameParameterOf,
  namespaceParameter,
  patchParameters,
  pathParameter,
  prettyParameter,
  updateParameters,
  type OpenApiParameter,
} from './parameters.ts';
import type { CustomDescription } from './custom-definitions.ts';
import type { StructType } from '../type.ts';
import type { GroupVersionKind } from './definitions.ts';

export interface OpenApiSubresource {
  readonly name: string;
  /** The kind of requests and responses; for `connect` the kind of its options. */
  readonly kind: GroupVersionKind;
  /** Absent when the response is text. */
  readonly type?: StructType;
  /** As in discovery: `get`, `update`, `patch`, `create`. */
  readonly verbs: readonly string[];
  /** Query parameters of its own. */
  readonly parameters?: readonly OpenApiParameter[];
  /** For streams and proxies: the accepted HTTP methods. */
  readonly connectMethods?: readonly HttpMethod[];
  /** Whether a path may follow. */
  readonly hasPath?: boolean;
}

export interface OpenApiResource {
  readonly plural: string;
  readonly kind: GroupVersionKind;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly type: StructType;
  readonly listType?: StructType;
  /** Whether a delete returns the object rather than a Status. */
  readonly deleteReturnsObject?: boolean;
  readonly subresources?: readonly OpenApiSubresource[];
  /** The description of a custom resource, which has neither strategic merge nor protobuf. */
  readonly custom?: CustomDescription;
}

export interface OpenApiGroupVersion {
  /** Empty for core. */
  readonly group: string;
  readonly version: string;
  readonly resources: readonly OpenApiResource[];
}

export interface Operation {
  readonly method: HttpMethod;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  /** `x-kubernetes-action`; absent for discovery. */
  readonly action?: string;
  readonly kind?: GroupVersionKind;
  readonly parameters: readonly OpenApiParameter[];
  readonly body?: {
    readonly definition: string;
    readonly isRequired: boolean;
    readonly types: readonly string[];
  };
  readonly responses: readonly { readonly status: 200 | 201 | 202; readonly definition: string | 'text' }[];
  /** Media types of the response. */
  readonly produces: readonly string[];
  /** The media types that v2 lists for a request without a body; none if empty, any if unset. */
  readonly consumes?: readonly string[];
}

/** A resource, or a subresource. */
type Acted = OpenApiResource & OperationObject;

export type PathOperations = ReadonlyMap<string, readonly Operation[]>;

export const metaDefinition = (name: string): string => definitionName(`meta/v1.${name}`);

export const mediaTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const watchTypes = ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'];
const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];

/** `/apis/apps/v1`, `/api/v1` */
export const groupVersionPath = ({ group, version }: { group: string; version: string }): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/** The `core` of `core_v1`. */
export const groupTag = (group: string): string => uncapitalized(groupId(group));

/** `RbacAuthorization` of `rbac.authorization.k8s.io`, `Core` of the empty one. */
export const groupId = (group: string): string =>
  group === ''
    ? 'Core'
    : group
        .replace(/\.k8s\.io$/, '')
        .split('.')
        .map(capitalized)
        .join('');

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const uncapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Paths in alphabetical order. */
export function operationsOf(groupVersion: OpenApiGroupVersion): PathOperations {
  const builder = new Builder(groupVersion);
  return new Map(
    [...builder.build()]
      .map(([path, operations]) => [path, operations.toSorted(compareMethods)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The order of a path's operations in both dialects. */
const methodOrder: readonly HttpMethod[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

const compareMethods = (a: Operation, b: Operation): number =>
  methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method);

class Builder {
  readonly #root: string;
  readonly #id: string;
  readonly #tag: string;
  readonly #paths = new Map<string, Operation[]>();
  readonly #groupVersion: OpenApiGroupVersion;

  constructor(groupVersion: OpenApiGroupVersion) {
    const { group, version } = groupVersion;
    this.#groupVersion = groupVersion;
    this.#root = groupVersionPath(groupVersion);
    this.#id = groupId(group) + capitalized(version);
    this.#tag = `${groupTag(group)}_${version}`;
  }

  build(): Map<string, Operation[]> {
    this.#add(`${this.#root}/`, {
      method: 'get',
      id: `get${this.#id}APIResources`,
      description: 'get available resources',
      parameters: [],
      responses: [{ status: 200, definition: metaDefinition('APIResourceList') }],
      produces: mediaTypes,
      consumes: mediaTypes,
    });
    for (const resource of this.#groupVersion.resources) this.#addResource(resource);
    return this.#paths;
  }

  #add(path: string, operation: Omit<Operation, 'tag'>): void {
    const operations = this.#paths.get(path) ?? [];
    operations.push({ tag: this.#tag, ...operation });
    this.#paths.set(path, operations);
  }

  #addResource(resource: OpenApiResource): void {
    const { plural, namespaced, kind, verbs } = resource;
    const scope = namespaced ? '/namespaces/{namespace}' : '';
    const collection = `${this.#root}${scope}/${plural}`;
    const own = namespaced ? [namespaceParameter] : [];
    const subject = `${this.#id}${namespaced ? 'Namespaced' : ''}${kind.kind}`;
    const collectionSubject = `${this.#id}Collection${namespaced ? 'Namespaced' : ''}${kind.kind}`;
    if (verbs.includes('list')) {
      this.#add(collection, this.#list(resource, `list${subject}`, own));
      if (namespaced)
        this.#add(
          `${this.#root}/${plural}`,
          this.#list(resource, `list${this.#id}${kind.kind}ForAllNamespaces`, []),
        );
    }
    if (verbs.includes('create'))
      this.#add(collection, this.#write(resource, 'post', `create${subject}`, own));
    if (verbs.includes('deletecollection')) {
      this.#add(collection, this.#delete(resource, 'deletecollection', `delete${collectionSubject}`, own));
    }
    this.#addObject(resource, `${collection}/{name}`, subject, [nameParameterOf(kind), ...own]);
    if (verbs.includes('watch')) this.#addWatches(resource, scope, subject, own);
    for (const subresource of resource.subresources ?? []) {
      const named = nameParameterOf(subresource.kind);
      const path = `${collection}/{name}/${subresource.name}`;
      this.#addSubresource(resource, subresource, path, subject, [named, ...own]);
    }
  }

  #addObject(
    resource: OpenApiResource,
    path: string,
    subject: string,
    own: readonly OpenApiParameter[],
  ): void {
    const { verbs } = resource;
    if (verbs.includes('get')) this.#add(path, this.#read(resource, `read${subject}`, own));
    if (verbs.includes('update')) this.#add(path, this.#write(resource, 'put', `replace${subject}`, own));
    if (verbs.includes('delete')) this.#add(path, this.#delete(resource, 'delete', `delete${subject}`, own));
    if (verbs.includes('patch')) this.#add(path, this.#patch(resource, `patch${subject}`, own));
  }

  #addWatches(
    { plural, namespaced, kind, verbs }: OpenApiResource,
    scope: string,
    subject: string,
    own: readonly OpenApiParameter[],
  ): void {
    const watch = (
      action: 'watch' | 'watchlist',
      id: string,
      parameters: readonly OpenApiParameter[],
    ): Omit<Operation, 'tag'> => ({
      method: 'get',
      id,
      description: watchDescription(action, kind),
      action,
      kind,
      parameters: [...parameters, ...listParameters, prettyParameter],
      responses: [{ status: 200, definition: metaDefinition('WatchEvent') }],
      produces: [...mediaTypes, ...watchTypes],
    });
    this.#add(`${this.#root}/watch${scope}/${plural}`, watch('watchlist', `watch${subject}List`, own));
    if (namespaced) {
      const id = `watch${this.#id}${kind.kind}ListForAllNamespaces`;
      this.#add(`${this.#root}/watch/${plural}`, watch('watchlist', id, []));
    }
    if (verbs.includes('get')) {
      this.#add(
        `${this.#root}/watch${scope}/${plural}/{name}`,
        watch('watch', `watch${subject}`, [nameParameterOf(kind), ...own]),
      );
    }
  }

  #addSubresource(
    parent: OpenApiResource,
    { name, kind, type, verbs, parameters = [], connectMethods = [], hasPath = false }: OpenApiSubresource,
    path: string,
    parentSubject: string,
    own: readonly OpenApiParameter[],
  ): void {
    const part = { name, of: parent.kind };
    const resource = { ...parent, kind, type: type ?? parent.type, part };
    const subject = `${parentSubject}${capitalized(name)}`;
    const all = [...own, ...parameters];
    if (connectMethods.length > 0) {
      const subjectId = `${parentSubject.slice(this.#id.length)}${capitalized(name)}`;
      this.#addConnects(path, { kind, part, connectMethods, hasPath }, subjectId, all);
      return;
    }
    if (verbs.includes('get')) {
      const read = this.#read(resource, `read${subject}`, all);
      this.#add(path, type === undefined ? asText(read) : read);
    }
    if (verbs.includes('update')) this.#add(path, this.#write(resource, 'put', `replace${subject}`, all));
    if (verbs.includes('patch')) this.#add(path, this.#patch(resource, `patch${subject}`, all));
    if (verbs.includes('create')) this.#add(path, this.#write(resource, 'post', `create${subject}`, all));
  }

  #addConnects(
    path: string,
    {
      kind,
      part,
      connectMethods,
      hasPath,
    }: Required<OperationObject & Pick<OpenApiSubresource, 'connectMethods' | 'hasPath'>>,
    subjectId: string,
    parameters: readonly OpenApiParameter[],
  ): void {
    for (const method of connectMethods) {
      const id = `connect${this.#id}${capitalized(method)}${subjectId}`;
      const description = connectDescription(method, part.name, part.of);
      this.#add(path, connect({ method, id, description, kind, parameters }));
      if (!hasPath) continue;
      const withPath = connect({
        method,
        id: `${id}WithPath`,
        description,
        kind,
        parameters: [...parameters, pathParameter],
      });
      this.#add(`${path}/{path}`, withPath);
    }
  }

  #list(resource: OpenApiResource, id: string, own: readonly OpenApiParameter[]): Omit<Operation, 'tag'> {
    const { kind, listType, verbs, custom } = resource;
    return {
      method: 'get',
      id,
      description: listDescription(resource, verbs.includes('watch') && custom === undefined),
      action: 'list',
      kind,
      parameters: [...own, ...listParameters, prettyParameter],
      responses: [{ status: 200, definition: definitionName(listType!.name) }],
      produces: [...mediaTypes, ...watchTypes],
    };
  }

  #read(resource: Acted, id: string, own: readonly OpenApiParameter[]): Omit<Operation, 'tag'> {
    const { kind, type } = resource;
    return {
      method: 'get',
      id,
      description: readDescription(resource),
      action: 'get',
      kind,
      parameters: [...own, prettyParameter],
      responses: [{ status: 200, definition: definitionName(type.name) }],
      produces: mediaTypes,
    };
  }

  #write(
    resource: Acted,
    method: 'put' | 'post',
    id: string,
    own: readonly OpenApiParameter[],
  ): Omit<Operation, 'tag'> {
    const { kind, type } = resource;
    const isNew = method === 'post';
    const definition = definitionName(type.name);
    return {
      method,
      id,
      description: isNew ? createDescription(resource) : replaceDescription(resource),
      action: method,
      kind,
      parameters: [...own, ...(isNew ? createParameters : updateParameters), prettyParameter],
      body: { definition, isRequired: true, types: ['*/*'] },
      responses: (isNew ? ([200, 201, 202] as const) : ([200, 201] as const)).map((status) => ({
        status,
        definition,
      })),
      produces: mediaTypes,
    };
  }

  #patch(resource: Acted, id: string, own: readonly OpenApiParameter[]): Omit<Operation, 'tag'> {
    const { kind, type } = resource;
    const definition = definitionName(type.name);
    return {
      method: 'patch',
      id,
      description: patchDescription(resource),
      action: 'patch',
      kind,
      parameters: [...own, ...patchParameters, prettyParameter],
      body: {
        definition: metaDefinition('Patch'),
        isRequired: true,
        types: patchTypes,
      },
      responses: [
        { status: 200, definition },
        { status: 201, definition },
      ],
      produces: mediaTypes,
    };
  }

  #delete(
    resource: OpenApiResource,
    action: 'delete' | 'deletecollection',
    id: string,
    own: readonly OpenApiParameter[],
  ): Omit<Operation, 'tag'> {
    const { kind, type, deleteReturnsObject } = resource;
    const isOne = action === 'delete';
    const definition = isOne && deleteReturnsObject ? definitionName(type.name) : metaDefinition('Status');
    return {
      method: 'delete',
      id,
      description: isOne ? deleteDescription(resource) : deleteCollectionDescription(resource),
      action,
      kind,
      parameters: [...own, ...(isOne ? deleteParameters : deleteCollectionParameters), prettyParameter],
      body: { definition: metaDefinition('DeleteOptions'), isRequired: false, types: ['*/*'] },
      responses: isOne
        ? [
            { status: 200, definition },
            { status: 202, definition },
          ]
        : [{ status: 200, definition }],
      produces: mediaTypes,
    };
  }
}

const asText = (operation: Omit<Operation, 'tag'>): Omit<Operation, 'tag'> => ({
  ...operation,
  responses: [{ status: 200, definition: 'text' }],
  produces: ['text/plain', ...operation.produces],
});

const connect = (
  operation: Pick<Operation, 'method' | 'id' | 'description' | 'kind' | 'parameters'>,
): Omit<Operation, 'tag'> => ({
  ...operation,
  action: 'connect',
  responses: [{ status: 200, definition: 'text' }],
  produces: ['*/*'],
});
