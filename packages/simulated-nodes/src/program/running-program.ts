/** The functions of a defined image in one running container. */

import { unlessAborted } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ProbeKind, ProbeResult } from '@coxswain/kubelet/runtime.ts';
import type { HttpAnswer, HttpRequest, HttpServer } from '../network/http-message.ts';
import type { ListeningProgram } from '../cluster-network/listening.ts';
import { ConnectionReset } from '../network/pod-network.ts';
import type { ContainerWorld } from '../process/container-world.ts';
import { print, type Program } from '../process/simulated-process.ts';
import { ContainerView, type ViewedProgram } from './container-view.ts';
import { FunctionCalls, type FunctionCall } from './function-call.ts';
import { answerFrom, plainAnswer, requestFor } from './handle-request.ts';
import type { ImageDefinition, ProbeFunction, RequestHandler } from './image-definition.ts';

/** The maximum number of requests in progress; further connections are reset. */
const callsMax = 1_000;
/** The maximum number of lines of an error in a container's log. */
const errorLinesMax = 10;
/** The maximum size of a command's input. */
const inputBytesMax = 16 * 1024 * 1024;

/** A program that never reads `signal` is ended by the first signal. */
const terminatedCode = 143;
const killedCode = 137;

export type ProgramParts = ViewedProgram['parts'] & {
  readonly definition: ImageDefinition;
  readonly world: () => Promise<ContainerWorld>;
  /** It runs the program of its image, not a command from its spec. */
  readonly isServing: boolean;
};

export class RunningProgram implements ListeningProgram, ViewedProgram {
  readonly speaksTls = true;
  readonly parts: ProgramParts;
  readonly state: Record<string, unknown> = {};
  readonly #calls = new FunctionCalls();
  readonly #stopping = new AbortController();
  #main: Promise<number> | undefined;
  /** Whether `signal` was read, in which case the program handles the signal itself. */
  handlesStop = false;

  constructor(parts: ProgramParts) {
    this.parts = parts;
  }

  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  listensOn(port: number): boolean {
    const { definition, isServing } = this.parts;
    return isServing && definition.listen !== undefined && Object.hasOwn(definition.listen, port);
  }

  get ports(): readonly number[] {
    const { definition, isServing } = this.parts;
    return isServing ? Object.keys(definition.listen ?? {}).map(Number) : [];
  }

  server(port: number, client: string): HttpServer {
    const handler = this.parts.definition.listen![port]!;
    return (request) => this.#unlessEnded(() => this.#answer(handler, request, port, client));
  }

  /** Runs `run` to its end; undefined if the image has none. */
  start(): Promise<number> | undefined {
    const { run } = this.parts.definition;
    if (run === undefined) return undefined;
    this.#main = this.#call(undefined, async (view) => exitCode(await run(view))).catch((error: unknown) => {
      if (this.stopping.aborted && error === this.stopping.reason) return terminatedCode;
      this.#sayError(error);
      return 1;
    });
    return this.#main;
  }

  /** Asks the program to stop, as SIGTERM does. Resolves with its exit code, or with that of a kill after `graceMs`. */
  async stop(graceMs: number): Promise<number> {
    this.#stopping.abort(new DOMException('The container is asked to stop', 'AbortError'));
    if (this.#main === undefined) return 0;
    if (!this.handlesStop) return terminatedCode;
    const killed = new AbortController();
    const kill = this.parts.clock.sleep(graceMs, killed.signal).then(
      () => killedCode,
      () => killedCode,
    );
    const code = await Promise.race([this.#main, kill]);
    killed.abort();
    return code;
  }

  /** Undefined if the image defines no such probe. */
  async probe(kind: ProbeKind): Promise<ProbeResult | undefined> {
    const ask: ProbeFunction | undefined =
      this.parts.definition.probes?.[kind.toLowerCase() as 'startup' | 'readiness' | 'liveness'];
    if (ask === undefined) return undefined;
    try {
      const isWell = await this.#call(undefined, ask);
      return { success: isWell, output: isWell ? '' : 'the program says that it is not well' };
    } catch (error) {
      return { success: false, output: messageOf(error) };
    }
  }

  /** `commands` as programs that can be executed. */
  get commands(): ReadonlyMap<string, Program> {
    return new Map(
      Object.entries(this.parts.definition.commands ?? {}).map(([name, run]) => [
        name,
        async (process) => {
          const written: Promise<void>[] = [];
          const write = (to: typeof process.stdout) => (text: string) =>
            void written.push(print(to, text).catch(() => undefined));
          const command = {
            args: process.argv.slice(1),
            stdin: async () => new TextDecoder().decode(await process.stdin.rest(inputBytesMax)),
            out: write(process.stdout),
            err: write(process.stderr),
          };
          let code: number;
          try {
            code = await this.#call(undefined, async (view) => exitCode(await run(command, view)));
          } catch (error) {
            command.err(`${name}: ${messageOf(error)}\n`);
            code = 1;
          }
          await Promise.all(written);
          return code;
        },
      ]),
    );
  }

  async #answer(
    handler: RequestHandler,
    request: HttpRequest,
    port: number,
    client: string,
  ): Promise<HttpAnswer> {
    if (this.#calls.count >= callsMax) throw new ConnectionReset();
    const { address } = this.parts;
    const asked = requestFor(request, `${address}:${port}`);
    if (asked === undefined) return plainAnswer(400, 'Bad Request');
    try {
      return await this.#call(client, async (view) => answerFrom(await handler(asked, view)));
    } catch (error) {
      if (error instanceof ConnectionReset) throw error;
      this.#sayError(error);
      return plainAnswer(500, 'Internal Server Error');
    }
  }

  async #call<T>(client: string | undefined, act: (view: ContainerView) => T | Promise<T>): Promise<T> {
    return this.#calls.run(async (call: FunctionCall) => {
      const world = await call.wait(this.parts.world());
      return act(new ContainerView(this, world, call, client));
    });
  }

  /** Whatever it still does when its container has ended, nobody hears of it. @throws ConnectionReset then */
  async #unlessEnded<T>(act: () => Promise<T>): Promise<T> {
    const { ended } = this.parts;
    if (ended.aborted) throw new ConnectionReset();
    return unlessAborted(ended, act(), () => new ConnectionReset());
  }

  #sayError(error: unknown): void {
    const text = (error as Error | undefined)?.stack ?? messageOf(error);
    for (const line of text.split('\n').slice(0, errorLinesMax)) this.parts.say(line);
  }
}

const exitCode = (returned: unknown): number => (typeof returned === 'number' ? returned & 255 : 0);
