// Complete. `src/browser/published-types.test.ts` compares them with the sources.

/**
 * The cluster of `coxswain/testing` in a page or a Worker, with kubectl.
 * @module coxswain/browser
 */

import type {
  CreateClusterOptions,
  EventuallyOptions,
  ImageDefinition,
  Images,
  ProgramCommand,
  ProgramContainer,
  TestClock,
  TestCluster,
  TestSnapshot,
  Transport,
} from './testing.d.ts';

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
  ProgramCommand,
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
  /**
   * Called when the command begins to wait for the cluster, as `rollout status`, `get --watch` and `exec` do. Where the clock is
   * virtual, such a command gets on when `cluster.clock.advance` is called.
   */
  readonly waiting?: () => void;
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
  readonly clock: TestClock | Asked<TestClock>;
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
export function filesOf(cluster: WorkerCluster): Promise<Crossed<ClusterFiles>>;
export function filesOf(cluster: KubectlCluster): Promise<ClusterFiles>;

/**
 * A file of the page's origin that outlives the page, for what `cluster.export()` returns. A file is replaced whole: a page that is
 * closed, or a browser that ends, while it is written leaves the old one. A power failure may take what was written last, since
 * OPFS does not say when the disk has it; IndexedDB is asked to. The browser may delete all of an origin when the disk is full,
 * unless `navigator.storage.persist()` was granted, and so may its reader.
 * @example
 * const stored = await storedFile('shop');
 * await stored.write(await cluster.export());
 * console.log(stored.place, (await stored.read())?.length);
 * await stored.remove();
 */
export interface StoredFile {
  /** Which store of the browser it is in. */
  readonly place: 'opfs' | 'indexeddb';
  /** Undefined where nothing was written. */
  read(): Promise<Uint8Array | undefined>;
  /** Replaces the file. @throws DOMException `QuotaExceededError` where there is no room */
  write(bytes: Uint8Array): Promise<void>;
  /** Deletes the file; a missing one is ignored. */
  remove(): Promise<void>;
}

/**
 * Keeps a cluster over a reload: in OPFS, or in IndexedDB where there is none.
 * @param name letters, digits, `-`, `_` and `.`; one per cluster
 * @throws TypeError for another name, Error where the page may store nothing
 * @example
 * const file = await storedFile('shop');
 * const bytes = await file.read();
 * const cluster = await createCluster(bytes ? { from: bytes } : { nodes: 3 });
 * await kubectl(cluster, 'create deployment web --image=nginx');
 * await file.write(await cluster.export());
 */
export function storedFile(name: string): Promise<StoredFile>;

/** What lies in another thread: its methods return promises, and its other members are promises. */
export type Asked<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? ((...args: A) => Promise<Crossed<Awaited<R>>>) & Asked<Pick<T[K], keyof T[K]>>
    : T[K] extends string | number | boolean | readonly unknown[] | undefined
      ? Promise<T[K]>
      : Asked<T[K]>;
};

/** A copy of what lies in another thread; its methods are called there, and return promises. */
export type Crossed<T> = T extends (...args: infer A) => infer R
  ? (...args: A) => Promise<Crossed<Awaited<R>>>
  : T extends Uint8Array | Request | Response | AbortSignal | AsyncIterable<unknown>
    ? T
    : T extends object
      ? { readonly [K in keyof T]: Crossed<T[K]> }
      : T;

/**
 * The container of a function of the page, in a worker. All but the methods is as it was when the function was called.
 * @example
 * await workerCluster.images.define('shop:1', {
 *   async run(container) {
 *     const stopping = await container.stopping();
 *     while (!stopping.aborted) {
 *       await container.log(`at ${await container.clock.now()}`);
 *       await container.clock.sleep(1000, stopping);
 *     }
 *   },
 * });
 */
export interface WorkerContainer
  extends
    Pick<
      ProgramContainer,
      'name' | 'image' | 'args' | 'env' | 'restarts' | 'client' | 'pod' | 'state' | 'fetch'
    >,
    Asked<Pick<ProgramContainer, 'files' | 'clock' | 'random' | 'log' | 'exit'>> {
  /** A signal that aborts when the container is asked to stop. */
  stopping(): Promise<AbortSignal>;
}

/** An image whose programs are functions of the page. */
export type WorkerImageDefinition = OfThePage<ImageDefinition>;

type OfThePage<T> = T extends (...args: infer A) => infer R
  ? (
      ...args: {
        [I in keyof A]: A[I] extends ProgramContainer
          ? WorkerContainer
          : A[I] extends ProgramCommand
            ? Crossed<ProgramCommand>
            : A[I];
      }
    ) => R
  : T extends readonly string[] | string | Uint8Array
    ? T
    : T extends object
      ? { readonly [K in keyof T]: OfThePage<T[K]> }
      : T;

/**
 * As `TestCluster`; what cannot be told at once is a promise.
 * @example
 * await workerCluster.apply(manifests);
 * await workerCluster.eventually(async () => (await workerCluster.nodes.names).length === 3);
 * const other = await workerCluster.fork();
 * console.log(await other.clock.now());
 */
export interface WorkerCluster
  extends
    Omit<TestCluster, keyof AskedParts | 'eventually' | 'fork' | 'images'>,
    Asked<Pick<TestCluster, keyof AskedParts>> {
  readonly images: Asked<Pick<Images, 'names' | 'remove'>> & {
    define(name: string, definition: WorkerImageDefinition): Promise<void>;
  };
  /** Retries until `attempt`, a function of the page, neither throws nor returns false; the cluster's time passes in between. */
  eventually<T>(attempt: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
  /** In the same worker. */
  fork(snapshot?: TestSnapshot): Promise<WorkerCluster>;
}

type AskedParts = Pick<
  TestCluster,
  'clock' | 'components' | 'faults' | 'history' | 'nodes' | 'requests' | 'snapshot' | 'webhooks'
>;

/**
 * Starts a worker (`worker.js`, beside the module) with a cluster in it, so that the page stays free for its reader. Functions
 * of the page serve as programs and webhooks of the cluster.
 * @param worker made by a page whose bundler names files anew; its module is `coxswain/browser/worker`
 * @throws Error where no worker can start, TypeError as `createCluster`
 * @example
 * const cluster = await createClusterInWorker({ nodes: 3 });
 * await kubectl(cluster, 'create deployment web --image=nginx');
 * await cluster.idle();
 * console.log(await cluster.nodes.names);
 */
export function createClusterInWorker(
  options?: CreateClusterOptions,
  worker?: ClusterWorker,
): Promise<WorkerCluster>;

/** A `Worker`. */
export interface ClusterWorker {
  /** Sends a message to the worker. */
  readonly postMessage: (message: unknown) => void;
  /** Listens to messages of the worker, and to its failure. */
  readonly addEventListener: (
    type: 'message' | 'error',
    listen: (event: { readonly data: unknown; readonly message?: string }) => void,
  ) => void;
  /** Ends the worker. */
  readonly terminate: () => void;
}
