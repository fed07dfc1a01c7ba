/** What a command selects, and the result. */
import type { ResourceHelper } from './resource-helper.ts';
import type { Info } from './info.ts';

export interface Selection {
  readonly args?: readonly string[];
  /** Arguments without a slash are names of this type. */
  readonly defaultType?: string;
  readonly filenames?: readonly string[];
  readonly kustomize?: string;
  readonly recursive?: boolean;
  readonly namespace: string;
  /** Objects in files must be in `namespace`. */
  readonly requireNamespace?: boolean;
  readonly allNamespaces?: boolean;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Selects all objects of the named kinds. */
  readonly selectAll?: boolean;
  /** A kind without names selects all its objects. */
  readonly allowEmptySelector?: boolean;
  readonly subresource?: string;
  /** The number of objects per list request; 0 for all at once. */
  readonly chunkSize?: number;
  readonly singleResourceType?: boolean;
  /** Continues with the other objects if one fails. */
  readonly continueOnError?: boolean;
  /** Replaces objects from files with the server's version. */
  readonly latest?: boolean;
  readonly flatten?: boolean;
  /** No server is contacted. */
  readonly local?: boolean;
  /** Named objects are looked up. */
  readonly requireObject?: boolean;
  /** Accept headers and parameters of reads. */
  readonly request?: ConstructorParameters<typeof ResourceHelper>[2];
  /** Objects in files must be of kinds known to kubectl, and match their types. */
  readonly typed?: boolean;
  /** Checks what is read from files before it is used. */
  readonly validate?: (object: unknown, source: string) => Promise<void>;
  readonly ignore?: (failure: Error) => boolean;
  /** Whether what fails of one list of a file is one failure; otherwise it is if others fail, too. */
  readonly failedLists?: 'one' | 'each';
}

/** Upstream lists what is wrong with objects that are not named one by one, even if it is a single error. */
export const failsAsList = ({ args = [], filenames = [], kustomize = '' }: Selection): boolean =>
  filenames.length > 0 || kustomize !== '' || (args.length < 2 && !args[0]?.includes('/'));

export interface Selected {
  /** Whether a single object is meant, as opposed to a list that may contain just one. */
  readonly singleItemImplied: boolean;
  /** If it continues on errors, throws the failures after the last object. */
  infos(): AsyncGenerator<Info>;
  /** Returns all infos, and the failures. */
  collect(): Promise<{ readonly infos: Info[]; readonly failures: readonly Error[] }>;
  /** Runs `body` on each; if it continues on errors, failures of both are collected. */
  each(body: (info: Info) => Promise<void>): Promise<void>;
}

/** Infos and failures in the order in which they occur. */
export type Visit = AsyncGenerator<Info | Error>;

export interface Plan {
  readonly singleItemImplied: boolean;
  visit(): Visit;
}
