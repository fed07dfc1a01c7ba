/** Makes the fragments of group versions, custom resources and non-resource paths in one dialect. */

import { customOperationsOf } from './custom-operations.ts';
import { definitionsOf, type Dialect } from './definitions.ts';
import {
  customDefinitions,
  describedDefinitions,
  referencedTypes,
  type DescribedOptions,
} from './described-definitions.ts';
import { DocumentPart, partsOf, type DocumentFragment } from './document-part.ts';
import { pathsV2 } from './document-v2.ts';
import { pathsV3, type DocumentOptions } from './document-v3.ts';
import {
  operationsOf,
  type OpenApiGroupVersion,
  type OpenApiResource,
  type PathOperations,
} from './operations.ts';
import { ParameterTable, type ParameterNames } from './parameter-table.ts';
import { plainOperationsOf, type PlainPath } from './plain-operations.ts';

type Identity = Pick<OpenApiGroupVersion, 'group' | 'version'>;

export class FragmentMaker {
  readonly #options: DescribedOptions;
  readonly #parameterNames: ParameterNames = new Map();
  /** Shared by all custom resources, which use the same few parameters; bounded by the server's operations. */
  readonly #parameters = new Map<string, DocumentPart>();
  /** Built-in types that custom resources refer to, by the names of the first of them; there are few combinations. */
  readonly #builtIn = new Map<string, readonly DocumentPart[]>();

  constructor(dialect: Dialect, options: DocumentOptions) {
    this.#options = { ...options, dialect };
  }

  /** For built-in kinds. */
  ofGroupVersion(groupVersion: OpenApiGroupVersion): DocumentFragment {
    const operations = operationsOf(groupVersion);
    return {
      ...this.#paths(operations),
      definitions: partsOf(describedDefinitions(groupVersion, operations, this.#options)),
    };
  }

  /** For one custom resource: its paths and definitions don't depend on others. */
  ofCustomResource({ group, version }: Identity, resource: OpenApiResource): DocumentFragment {
    const operations = customOperationsOf({ group, version, resources: [resource] });
    return {
      ...this.#paths(operations),
      definitions: [
        ...partsOf(customDefinitions(resource, this.#options)),
        ...this.#builtInOf(resource, operations),
      ],
    };
  }

  ofPaths(paths: readonly PlainPath[]): DocumentFragment {
    const operations = plainOperationsOf(paths);
    return {
      ...this.#paths(operations),
      definitions: partsOf(describedDefinitions(undefined, operations, this.#options)),
    };
  }

  #paths(operations: PathOperations): Pick<DocumentFragment, 'paths' | 'parameters'> {
    const { dialect, descriptionOf } = this.#options;
    if (dialect === 'v3') return { paths: partsOf(pathsV3(operations, descriptionOf)), parameters: [] };
    const table = new ParameterTable(this.#parameterNames);
    const paths = partsOf(pathsV2(operations, table, descriptionOf));
    return { paths, parameters: [...table.referred].map(([name, value]) => this.#parameter(name, value)) };
  }

  #parameter(name: string, value: object): DocumentPart {
    let part = this.#parameters.get(name);
    if (part === undefined) this.#parameters.set(name, (part = new DocumentPart(name, value)));
    return part;
  }

  #builtInOf(resource: OpenApiResource, operations: PathOperations): readonly DocumentPart[] {
    const types = referencedTypes([resource], operations, this.#options.metaTypes);
    const key = types.map(({ name }) => name).join(' ');
    let parts = this.#builtIn.get(key);
    if (parts === undefined) this.#builtIn.set(key, (parts = partsOf(definitionsOf(types, this.#options))));
    return parts;
  }
}
