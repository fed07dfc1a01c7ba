/** The complete types of `coxswain/browser`. `src/browser/published-types.test.ts` compares them with the sources. */

import type { TestClock, Transport } from './testing.d.ts';

export type {
  ActiveFault,
  AsUser,
  ClusterView,
  CreateClusterOptions,
  Duration,
  Fault,
  FaultAction,
  Faults,
  ImageDefinition,
  Images,
  KubeClient,
  KubeObject,
  Manifests,
  NewNode,
  ProgramContainer,
  RecordedRequest,
  RequestPattern,
  TestClock,
  TestCluster,
  TestNodes,
  TestSnapshot,
  Transport,
  WebhookHandler,
  Webhooks,
} from './testing.d.ts';
export { assertEventuallyHas, assertEventuallyLacks, assertRequested, createCluster } from './testing.d.ts';

export interface KubectlOptions {
  /** Receives what is printed, as it comes. */
  readonly out?: (text: string) => void;
  readonly err?: (text: string) => void;
  readonly stdin?: string | AsyncIterable<Uint8Array>;
  /** Ends commands that go on, such as `logs -f` and `get --watch`. */
  readonly signal?: AbortSignal;
  /** The width and height of the terminal that shows the output. */
  readonly columns?: number;
  readonly rows?: number;
  /** For `edit`: gets the text of the file and returns the new one. */
  readonly editor?: (text: string) => string | Promise<string>;
}

export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A cluster, or one user's view of it: `{ transport: cluster.as('alice').transport, clock: cluster.clock }`. */
export interface KubectlCluster {
  readonly transport: Transport;
  readonly clock: TestClock;
}

/** The files of a cluster's kubectl, in memory. */
export interface ClusterFiles {
  /** The working directory of kubectl. */
  readonly folder: string;
  /** The paths of all files, relative to the folder. */
  list(): readonly string[];
  /** @throws Error for a missing file */
  read(path: string): string;
  /** Creates the folders on the way to it. */
  write(path: string, text: string): void;
  remove(path: string): void;
}

/**
 * Runs one command to its end.
 * @param line `get pods -o wide`, with or without `kubectl`, or its words
 */
export function kubectl(
  cluster: KubectlCluster,
  line: string | readonly string[],
  options?: KubectlOptions,
): Promise<KubectlResult>;

/** The files that its kubectl sees: `kubectl(cluster, 'apply -f web.yaml')`. */
export function filesOf(cluster: KubectlCluster): Promise<ClusterFiles>;
