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
  /** Receives the output as it is printed. */
  readonly out?: (text: string) => void;
  /** Receives what is printed to standard error. */
  readonly err?: (text: string) => void;
  readonly stdin?: string | AsyncIterable<Uint8Array>;
  /** Ends commands that run indefinitely, such as `logs -f` and `get --watch`. */
  readonly signal?: AbortSignal;
  /** The width and height of the terminal that shows the output. */
  readonly columns?: number;
  readonly rows?: number;
  /**
   * Called when the command begins to wait for the cluster, as `rollout status`, `get --watch` and `exec` do. With a
   * virtual clock, such a command makes progress when `cluster.clock.advance` is called.
   */
  readonly waiting?: () => void;
  /** For the names that a command chooses, such as those of `debug`; random if unset. */
  readonly seed?: number;
  /** For `edit`: receives the text of the file and returns the new one. */
  readonly editor?: (text: string) => string | Promise<string>;
}

/** The exit code of a command and everything that it printed. */
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
 * console.log(files.directory, files.list(), files.read('app/web.yaml').length);
 * files.remove('app/web.yaml');
 */
export interface ClusterFiles {
  /** The working directory of kubectl. */
  readonly directory: string;
  /** The paths of all files, relative to the directory. */
  list(): readonly string[];
  /** @throws Error for a missing file */
  read(path: string): string;
  /** Creates missing parent directories. */
  write(path: string, text: string): void;
  /** @throws Error for a missing file */
  remove(path: string): void;
}

/**
 * Runs one command to its end.
 * @param line `get pods -o wide`, with or without `kubectl`, or the words of the command
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
 * The files that the cluster's kubectl sees: `kubectl(cluster, 'apply -f web.yaml')`.
 * @example
 * (await filesOf(cluster)).write('web.yaml', manifests);
 * await kubectl(cluster, 'apply -f web.yaml');
 */
export function filesOf(cluster: WorkerCluster): Promise<Crossed<ClusterFiles>>;
export function filesOf(cluster: KubectlCluster): Promise<ClusterFiles>;

/**
 * A file of the page's origin that outlives the page, for the bytes that `cluster.export()` returns. Files are replaced
 * atomically: if the page or the browser closes during a write, the old file remains. A power failure may lose the most
 * recent write, since OPFS does not report when data is on disk; IndexedDB is asked to flush. The browser may delete
 * all data of an origin when the disk is full, unless `navigator.storage.persist()` was granted, and so may the user.
 * @example
 * const stored = await storedFile('shop');
 * await stored.write(await cluster.export());
 * console.log(stored.place, (await stored.read())?.length);
 * await stored.remove();
 */
export interface StoredFile {
  /** The browser's store that holds the file. */
  readonly place: 'opfs' | 'indexeddb';
  /** Undefined if nothing was written yet. */
  read(): Promise<Uint8Array | undefined>;
  /** Replaces the file. @throws DOMException `QuotaExceededError` if there is not enough space */
  write(bytes: Uint8Array): Promise<void>;
  /** Deletes the file; a missing one is ignored. */
  remove(): Promise<void>;
}

/**
 * Keeps a cluster across reloads: in OPFS, or in IndexedDB if OPFS is unavailable.
 * @param name letters, digits, `-`, `_` and `.`; one per cluster
 * @throws TypeError for an invalid name, Error if the page may not store anything
 * @example
 * const file = await storedFile('shop');
 * const bytes = await file.read();
 * const cluster = await createCluster(bytes ? { from: bytes } : { nodes: 3 });
 * await kubectl(cluster, 'create deployment web --image=nginx');
 * await file.write(await cluster.export());
 */
export function storedFile(name: string): Promise<StoredFile>;

/** An object in another thread: its methods return promises, and its other members are promises. */
export type Asked<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? ((...args: A) => Promise<Crossed<Awaited<R>>>) & Asked<Pick<T[K], keyof T[K]>>
    : T[K] extends string | number | boolean | readonly unknown[] | undefined
      ? Promise<T[K]>
      : Asked<T[K]>;
};

/** A copy of an object in another thread; its methods are called there and return promises. */
export type Crossed<T> = T extends (...args: infer A) => infer R
  ? (...args: A) => Promise<Crossed<Awaited<R>>>
  : T extends Uint8Array | Request | Response | AbortSignal | AsyncIterable<unknown>
    ? T
    : T extends object
      ? { readonly [K in keyof T]: Crossed<T[K]> }
      : T;

/**
 * The container argument of a page's function when the cluster runs in a worker. Everything but the methods is as it
 * was when the function was called.
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
 * Like `TestCluster`, but members that need the worker are promises.
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
  /**
   * Retries until `attempt`, a function of the page, neither throws nor returns false; the cluster's time passes in
   * between.
   */
  eventually<T>(attempt: () => T | Promise<T>, options?: EventuallyOptions): Promise<T>;
  /** Creates another cluster in the same worker. */
  fork(snapshot?: TestSnapshot): Promise<WorkerCluster>;
}

type AskedParts = Pick<
  TestCluster,
  'clock' | 'components' | 'faults' | 'history' | 'nodes' | 'requests' | 'snapshot' | 'webhooks'
>;

/**
 * Starts a worker (`worker.js`, next to the module) with a cluster in it, so that the page stays responsive. Functions
 * of the page can serve as programs and webhooks of the cluster.
 * @param worker created by the page if its bundler renames files; its module is `coxswain/browser/worker`
 * @throws Error if the worker cannot start, TypeError for the same reasons as `createCluster`
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
  /** Listens to messages and errors of the worker. */
  readonly addEventListener: (
    type: 'message' | 'error',
    listen: (event: { readonly data: unknown; readonly message?: string }) => void,
  ) => void;
  /** Ends the worker. */
  readonly terminate: () => void;
}
