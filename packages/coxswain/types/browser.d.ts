// Complete. `src/browser/published-types.test.ts` compares them with the sources.

/**
 * The cluster of `coxswain/testing` in a page or a Worker, with kubectl.
 * @module coxswain/browser
 */

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

/** The streams of a command and the terminal that shows them. */
export interface KubectlOptions {
  /** Receives what is printed, as it comes. */
  readonly out?: (text: string) => void;
  /** Receives what is printed to standard error. */
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

/** The exit code of a command and all that it printed. */
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

/**
 * The files of a cluster's kubectl, in memory.
 * @example
 * const files = await filesOf(cluster);
 * files.write('app/web.yaml', manifests);
 * await kubectl(cluster, 'apply -f app/');
 * console.log(files.folder, files.list(), files.read('app/web.yaml').length);
 * files.remove('app/web.yaml');
 */
export interface ClusterFiles {
  /** The working directory of kubectl. */
  readonly folder: string;
  /** The paths of all files, relative to the folder. */
  list(): readonly string[];
  /** @throws Error for a missing file */
  read(path: string): string;
  /** Creates the folders on the way to it. */
  write(path: string, text: string): void;
  /** @throws Error for a missing file */
  remove(path: string): void;
}

/**
 * Runs one command to its end.
 * @param line `get pods -o wide`, with or without `kubectl`, or its words
 * @example
 * const { code, stdout } = await kubectl(cluster, 'get pods -o name');
 * await kubectl(cluster, ['logs', '--follow', 'web'], { out: (text) => terminal.write(text), signal });
 */
export function kubectl(
  cluster: KubectlCluster,
  line: string | readonly string[],
  options?: KubectlOptions,
): Promise<KubectlResult>;

/**
 * The files that its kubectl sees: `kubectl(cluster, 'apply -f web.yaml')`.
 * @example
 * (await filesOf(cluster)).write('web.yaml', manifests);
 * await kubectl(cluster, 'apply -f web.yaml');
 */
export function filesOf(cluster: KubectlCluster): Promise<ClusterFiles>;
