/** Images defined by a test or a page: programs as functions, with their files. */

type Answer<T> = T | Promise<T>;

/** All parts are optional. A container of an image without `run` runs until it is stopped. */
export interface ImageDefinition {
  /** HTTP servers by port. */
  readonly listen?: Readonly<Record<number, RequestHandler>>;
  /** The main program. Its container ends with it: with the code that it returns (0 if none), or 1 if it throws. */
  readonly run?: (container: ProgramContainer) => Answer<number | void>;
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
export type RequestHandler = (request: Request, container: ProgramContainer) => Answer<Response>;

/** Returns whether the probe succeeds. If it throws, the probe fails with that message. */
export type ProbeFunction = (container: ProgramContainer) => Answer<boolean>;

/** Returns the exit code (0 if none). If it throws, the message is written to standard error and the code is 1. */
export type CommandFunction = (command: ProgramCommand, container: ProgramContainer) => Answer<number | void>;

/** A command that was called, with its streams. */
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

/** The container that a function runs in. */
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

/** The files of a container: those of the image, its volumes, and what its programs have written. */
export interface ProgramFiles {
  /** The text of a file. @throws Error if there is none */
  read(path: string): string;
  /** Creates or replaces a file. @throws Error if its directory does not exist */
  write(path: string, content: string | Uint8Array): void;
  /** The names in a directory. @throws Error if there is none */
  list(path: string): readonly string[];
}

/** Time as seen by programs in the cluster. */
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
