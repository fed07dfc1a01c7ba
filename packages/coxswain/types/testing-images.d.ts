/** Images defined by a test or a page: programs as functions. Part of the types of `coxswain/testing`. */

/**
 * Images whose programs are functions. They survive `reset`, and forks inherit those of their origin.
 * @example
 * cluster.images.define('shop:1.2', {
 *   listen: { 8080: (request) => new Response(`you asked for ${new URL(request.url).pathname}`) },
 *   logs: ['ready'],
 * });
 * cluster.images.remove('shop:1.2');
 */
export interface Images {
  /** The names of all defined images, with registry and tag. */
  readonly names: readonly string[];
  /**
   * Defines an image: containers that start from now on run these functions. A later definition of the same name
   * replaces it.
   * @param name `shop:1.2`; the default tag is `latest`
   * @throws TypeError for an invalid definition
   */
  define(name: string, definition: ImageDefinition): void;
  /** Containers that start from now on do not find the image. Running ones continue. */
  remove(name: string): void;
}

/** All parts are optional. A container of an image without `run` runs until it is stopped. */
export interface ImageDefinition {
  /** HTTP servers by port. */
  readonly listen?: Readonly<Record<number, RequestHandler>>;
  /** The main program. Its container ends with it: with the code that it returns (0 if none), or 1 if it throws. */
  readonly run?: (container: ProgramContainer) => number | void | Promise<number | void>;
  /**
   * Programs by name, for `exec`, hooks, probes and the `command` of a container, in addition to the shell and its
   * programs.
   */
  readonly commands?: Readonly<Record<string, CommandFunction>>;
  /** Lines that a container writes to its log when it starts. */
  readonly logs?: readonly string[];
  /** Text or bytes by absolute path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Answers probes, whatever handler they specify. A probe without a function uses the ports and commands. */
  readonly probes?: Readonly<Partial<Record<'startup' | 'readiness' | 'liveness', ProbeFunction>>>;
}

/** Answers one request. If it throws, the client gets status 500 and the error is written to the log. */
export type RequestHandler = (request: Request, container: ProgramContainer) => Response | Promise<Response>;

/** Returns whether the probe succeeds. If it throws, the probe fails with that message. */
export type ProbeFunction = (container: ProgramContainer) => boolean | Promise<boolean>;

/** Returns the exit code (0 if none). If it throws, the message is written to standard error and the code is 1. */
export type CommandFunction = (
  command: ProgramCommand,
  container: ProgramContainer,
) => number | void | Promise<number | void>;

/**
 * A command that was called, with its streams.
 * @example
 * cluster.images.define('tools:1', {
 *   commands: {
 *     async upper({ args, stdin, out, err }) {
 *       if (args.length > 0) err(`ignored: ${args.join(' ')}\n`);
 *       out((await stdin()).toUpperCase());
 *     },
 *   },
 * });
 */
export interface ProgramCommand {
  /** The arguments without the name of the command. */
  readonly args: readonly string[];
  /** Everything written to standard input. */
  stdin(): Promise<string>;
  /** Writes to standard output. */
  out(text: string): void;
  /** Writes to standard error. */
  err(text: string): void;
}

/**
 * The container that a function runs in.
 * @example
 * cluster.images.define('worker:1', {
 *   async run(container) {
 *     while (!container.signal.aborted) {
 *       const answer = await container.fetch('http://queue/next');
 *       container.log(`${container.pod.name} got ${answer.status}`);
 *       if (answer.status === 410) container.exit(0);
 *       await container.clock.sleep(1000 * (1 + container.random()), container.signal);
 *     }
 *   },
 * });
 */
export interface ProgramContainer {
  readonly name: string;
  readonly image: string;
  /** The arguments that the container's spec passes to the program of the image. */
  readonly args: readonly string[];
  /** Its pod in its current state. */
  readonly pod: ProgramPod;
  readonly env: Readonly<Record<string, string>>;
  readonly files: ProgramFiles;
  /** How many times the container was restarted. */
  readonly restarts: number;
  /** The sender of the request; undefined outside a request. */
  readonly client: string | undefined;
  /** Shared by the functions of one container. It lives as long as the container. */
  readonly state: Record<string, unknown>;
  /** The cluster's clock. Waiting in any other way takes no time of the cluster. */
  readonly clock: ProgramClock;
  /** Aborts when the container is asked to stop. */
  readonly signal: AbortSignal;
  /** Returns a number from 0 to 1, derived from the cluster's seed. */
  random(): number;
  /** Writes a line to the log. */
  log(line: string): void;
  /** Sends a request through the network of the pod: `http://api`, `http://api.shop:8080/orders`. Fails as `fetch` does. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** Ends the container with this code. */
  exit(code?: number): void;
}

/** The pod of a container. */
export interface ProgramPod {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly address: string;
  readonly nodeName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * The files of a container: those of the image, its volumes, and what its programs have written.
 * @example
 * cluster.images.define('counter:1', {
 *   files: { '/data/count': '0' },
 *   listen: {
 *     80(_request, { files }) {
 *       files.write('/data/count', String(Number(files.read('/data/count')) + 1));
 *       return Response.json({ count: files.read('/data/count'), files: files.list('/data') });
 *     },
 *   },
 * });
 */
export interface ProgramFiles {
  /** The text of a file. @throws Error if there is none */
  read(path: string): string;
  /** Creates or replaces a file. @throws Error if its directory does not exist */
  write(path: string, content: string | Uint8Array): void;
  /** The names in a directory. @throws Error if there is none */
  list(path: string): readonly string[];
}

/**
 * Time as seen by programs in the cluster.
 * @example
 * cluster.images.define('slow:1', {
 *   listen: {
 *     async 80(_request, { clock, fetch }) {
 *       const startMs = clock.now();
 *       await clock.sleep(200);
 *       const answer = await fetch('http://api', { signal: clock.timeout(1000) });
 *       return Response.json({ status: answer.status, tookMs: clock.now() - startMs });
 *     },
 *   },
 * });
 */
export interface ProgramClock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Resolves after this many milliseconds of the cluster's time.
   * @throws the signal's reason when it aborts
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A signal that aborts after this many milliseconds, with a TimeoutError. */
  timeout(ms: number): AbortSignal;
}
