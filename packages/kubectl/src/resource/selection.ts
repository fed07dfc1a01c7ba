/** What a command asks for, and what it gets. */
import type { ResourceHelper } from './resource-helper.ts';
import type { Info } from './info.ts';

export interface Selection {
  readonly args?: readonly string[];
  readonly filenames?: readonly string[];
  readonly kustomize?: string;
  readonly recursive?: boolean;
  readonly namespace: string;
  /** Objects of files must be in `namespace`. */
  readonly requireNamespace?: boolean;
  readonly allNamespaces?: boolean;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Everything of the kinds named. */
  readonly selectAll?: boolean;
  /** A kind without names means all its objects. */
  readonly allowEmptySelector?: boolean;
  readonly subresource?: string;
  /** Objects per list request; 0 for all at once. */
  readonly chunkSize?: number;
  readonly singleResourceType?: boolean;
  /** Go on with the other objects when one fails. */
  readonly continueOnError?: boolean;
  /** Objects of files are read from the server. */
  readonly latest?: boolean;
  readonly flatten?: boolean;
  /** No server is asked. */
  readonly local?: boolean;
  /** Objects named are looked up. */
  readonly requireObject?: boolean;
  /** Accept headers and parameters for reads. */
  readonly request?: ConstructorParameters<typeof ResourceHelper>[2];
  /** Objects of files must be of kinds that kubectl knows, and fit them. */
  readonly typed?: boolean;
  /** Checks what is read from files before it is used. */
  readonly validate?: (object: unknown, source: string) => Promise<void>;
  readonly ignore?: (failure: Error) => boolean;
}

export interface Selected {
  /** Whether one object is meant, as opposed to a list that may hold one. */
  readonly singleItemImplied: boolean;
  /** Throws what failed after the last one when it continues on errors. */
  infos(): AsyncGenerator<Info>;
  /** All infos, and what failed on the way. */
  collect(): Promise<{ readonly infos: Info[]; readonly failures: readonly Error[] }>;
  /** Runs `body` on each; failures of both are gathered when it continues on errors. */
  each(body: (info: Info) => Promise<void>): Promise<void>;
}

/** Infos and failures in the order in which they come. */
export type Visit = AsyncGenerator<Info | Error>;

export interface Plan {
  readonly singleItemImplied: boolean;
  visit(): Visit;
}
