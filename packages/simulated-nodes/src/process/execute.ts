/** Runs one command in a simulated container, with the streams of the caller. */
import type { Clock } from '@coxswain/apimachinery';
import type { ExecStreams } from '@coxswain/kubelet/connection.ts';
import { RuntimeFailure } from '@coxswain/kubelet/runtime.ts';
import { ByteInput } from '../network/byte-input.ts';
import type { ContainerWorld } from './container-world.ts';
import { runProgram, startProgram } from './run-program.ts';
import { isKnownProgram, ownProgram } from './shell-names.ts';
import type { ByteOutput, SimulatedProcess, TerminalState } from './simulated-process.ts';
import { cookedLines, withReturns } from './terminal.ts';
import { inTurns } from './turns.ts';

/** @throws RuntimeFailure if there is no such program */
export async function execute(
  world: ContainerWorld,
  argv: readonly string[],
  streams: ExecStreams,
  clock: Clock,
): Promise<number> {
  const process = processOf(world, argv, streams, clock);
  return untilAborted(world.processes.run(process, runProgram), process.signal);
}

/** Executes the main process of the container, which the process table knows. @throws RuntimeFailure */
export async function executeMain(
  world: ContainerWorld,
  argv: readonly string[],
  streams: ExecStreams,
  clock: Clock,
): Promise<number> {
  const process = processOf(world, argv, streams, clock);
  return untilAborted(runProgram(process), process.signal);
}

function processOf(
  world: ContainerWorld,
  argv: readonly string[],
  streams: ExecStreams,
  clock: Clock,
): SimulatedProcess {
  const path = argv[0] ?? '';
  const isThere = world.isBare ? ownProgram(path, world.commands) : isKnownProgram(path, world.commands);
  if (!isThere) throw notFound(path, world);
  const signal = streams.signal ?? new AbortController().signal;
  const inOwnTurns = (output: ByteOutput = () => undefined) => inTurns(output, clock, signal);
  const plain = inOwnTurns(streams.stdout);
  const { tty = false, stdin = nothing() } = streams;
  const stdout = tty ? withReturns(plain) : plain;
  return {
    ...world,
    argv,
    env: new Map(world.env),
    place: { directory: world.directory },
    pid: 1,
    stdin: new ByteInput(tty ? cookedLines(stdin, plain) : stdin),
    stdout,
    stderr: tty ? stdout : inOwnTurns(streams.stderr),
    tty,
    terminal: terminalOf(streams, signal),
    clock,
    start: startProgram,
    signal,
  };
}

/** Follows terminal sizes while the command runs. */
function terminalOf({ sizes }: ExecStreams, signal: AbortSignal): TerminalState {
  const known = Promise.withResolvers<void>();
  const terminal = { rows: 0, columns: 0, known: known.promise };
  void (async () => {
    for await (const { width, height } of sizes ?? []) {
      if (signal.aborted) return;
      terminal.rows = height;
      terminal.columns = width;
      known.resolve();
    }
  })()
    .catch(() => undefined)
    .finally(() => known.resolve());
  return terminal;
}

/** Output after the caller has left is dropped. */
async function untilAborted(running: Promise<number>, signal: AbortSignal): Promise<number> {
  const aborted = Promise.withResolvers<number>();
  const stop = () => aborted.resolve(137);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([running, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    running.catch(() => undefined);
  }
}

function notFound(path: string, { files }: ContainerWorld): RuntimeFailure {
  const why = !path.includes('/')
    ? 'executable file not found in $PATH'
    : files.isDirectory(path)
      ? 'is a directory'
      : files.entry(path) === undefined
        ? `stat ${path}: no such file or directory`
        : 'permission denied';
  const start = 'OCI runtime exec failed: exec failed: unable to start container process';
  return new RuntimeFailure('StartError', `${start}: exec: ${JSON.stringify(path)}: ${why}: unknown`);
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // Missing standard input counts as empty.
}
