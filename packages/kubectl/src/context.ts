/** The context of a command: streams, configuration, and connections to a cluster that are opened on demand. */
import { runStep, StatusError, type Clock } from '@coxswain/apimachinery';
import type { RestClient } from '@coxswain/client';
import { parseGoDuration } from '@coxswain/cobra/go-duration.ts';
import type { ApiClient } from './api-client.ts';
import { Failures } from './errors.ts';
import type { GlobalFlags } from './flags/global.ts';
import type { KubectlIo } from './io.ts';
import { logLine } from './log-line.ts';
import { dryRunSuffix, type DryRun } from './flags/dry-run.ts';
import type { PrintFlagValues } from './flags/print.ts';
import type { Printer } from './printers/printer.ts';
import { richnessOf, type Richness } from './terminal/richness.ts';
import { statusLine, type StatusLine } from './terminal/status-line.ts';
import type { DiscoveredMapper, ResourceMapper } from './mapping.ts';

export interface NamespaceChoice {
  readonly namespace: string;
  /** Whether it was specified on the command line, as opposed to the kubeconfig or a default. */
  readonly explicit: boolean;
}

/** The ways to access a cluster. */
export interface Connection {
  client(): Promise<ApiClient>;
  rest(): Promise<RestClient>;
  mapper(): Promise<DiscoveredMapper>;
  namespace(): NamespaceChoice;
  close(): Promise<void>;
}

/** Which credential plugins may be run. */
export interface PluginPolicy {
  readonly type: string;
  /** Undefined if the file does not specify it. */
  readonly allowed: readonly string[] | undefined;
}

export class CommandContext {
  readonly io: KubectlIo;
  readonly #connect: (context: CommandContext) => Promise<Connection>;
  #globals: GlobalFlags | undefined;
  #connection: Promise<Connection> | undefined;
  #statusLine: StatusLine | undefined;
  #warnings = 0;
  /** The command line as recorded by `--record`; undefined if it isn't recorded. */
  changeCause: string | undefined;
  /** The words that the user typed after the program's name. */
  words: readonly string[] = [];
  /** Which credential plugins may be run; if undefined, any. */
  pluginPolicy: PluginPolicy | undefined;

  constructor(io: KubectlIo, connect: (context: CommandContext) => Promise<Connection>) {
    this.io = io;
    this.#connect = connect;
  }

  /** Called once before a command runs. */
  configure(globals: GlobalFlags): void {
    this.#globals = globals;
  }

  get globals(): GlobalFlags {
    if (this.#globals === undefined) throw new Error('the command line was not read yet');
    return this.#globals;
  }

  get clock(): Clock {
    return this.io.clock;
  }

  get signal(): AbortSignal | undefined {
    return this.io.signal;
  }

  /** The timeout of a request from --request-timeout; 0 for none. @throws Error if it is invalid */
  get requestTimeoutMs(): number {
    const text = this.globals.requestTimeout;
    if (/^(\+?\d{1,18})?$/.test(text)) return Number(text) * 1000;
    try {
      // Negative ones are none.
      return Math.max(0, parseGoDuration(text));
    } catch {
      throw new Error(
        'Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)',
      );
    }
  }

  /** The number of warnings from the server. */
  get warnings(): number {
    return this.#warnings;
  }

  /** Features beyond upstream's that the user of this terminal has enabled. */
  get rich(): Richness {
    return richnessOf(this.io, this.#globals?.rich);
  }

  print(text: string): void {
    if (text === '') return;
    this.#statusLine?.clear();
    this.io.out.write(text);
  }

  /** Shows progress until the next output; does nothing unless enabled. */
  status(text: string): void {
    if (!this.rich.progress) return;
    this.#statusLine ??= statusLine((line) => void this.io.err.write(line), this.io.errColumns ?? 0);
    this.#statusLine.show(text);
  }

  printError(text: string): void {
    if (text === '') return;
    this.#statusLine?.clear();
    this.io.err.write(text);
  }

  /** Prints a warning from the server or from kubectl itself. */
  warn(text: string): void {
    this.#warnings++;
    this.printError(`Warning: ${text}\n`);
  }

  /** Prints a line in klog's format. */
  log(severity: 'I' | 'W' | 'E' | 'F', text: string): void {
    this.printError(logLine(severity, this.clock.now(), text));
  }

  warnLog(text: string): void {
    this.log('W', text);
  }

  /** From level 4 on, logs the server's complete response. */
  logFailure(failure: unknown): void {
    const only = failure instanceof Failures && failure.failures.length === 1 ? failure.failures[0] : failure;
    if ((this.#globals?.v ?? 0) < 4 || !(only instanceof StatusError)) return;
    this.log('I', `server response object: %s[${JSON.stringify(only.status, undefined, 2)}]`);
  }

  /** Closes the connection, if it was opened. */
  async close(): Promise<void> {
    this.#statusLine?.clear();
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  connection(): Promise<Connection> {
    this.#connection ??= runStep(this.io.observer, 'factory', () => this.#connect(this));
    return this.#connection;
  }

  async client(): Promise<ApiClient> {
    return (await this.connection()).client();
  }

  async mapper(): Promise<ResourceMapper> {
    return (await this.connection()).mapper();
  }

  async namespace(): Promise<NamespaceChoice> {
    return (await this.connection()).namespace();
  }

  /** Returns the printer selected by the options; `operation` describes what happened, such as `created`. */
  async printer(
    flags: PrintFlagValues,
    choice: {
      readonly operation?: string;
      readonly dryRun?: DryRun;
      readonly order?: 'sorted' | 'declared';
    } = {},
  ): Promise<Printer> {
    const { choosePrinter } = await import('./printers/choose.ts');
    const { operation = '', dryRun = 'none', order } = choice;
    // A template that fails shows the object as JSON.
    const showsOrder = flags.template !== '' || /^(json$|kyaml$|go-template|template)/i.test(flags.output);
    const isArranged = order === 'declared' && showsOrder;
    const arrange = isArranged ? await (await import('./typed.ts')).typedArrangement() : undefined;
    const { observer, workingDirectory } = this.io;
    const print = runStep(
      observer,
      'choose-printer',
      () =>
        choosePrinter(flags, {
          operation: operation === '' ? '' : operation + dryRunSuffix(dryRun),
          workingDirectory,
          ...(order === undefined ? {} : { order }),
          ...(arrange && { arrange }),
        }),
      { output: flags.output },
      choosePrinter,
    );
    if (observer === undefined) return print;
    return (object) => runStep(observer, 'print', () => print(object), undefined, print);
  }
}
