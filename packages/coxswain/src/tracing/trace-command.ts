/** Records a command and all its consequences. */

import type { Clock } from '@coxswain/apimachinery';
import { followed } from '@coxswain/trace/merge.ts';
import type { Recording } from '@coxswain/trace/recording.ts';
import type { ProgramIo } from '../program/program-io.ts';
import type { Breakpoints } from './breakpoints.ts';
import { runCommand } from './run-command.ts';
import type { TracedCluster, TracedPart } from './traced-cluster.ts';

export interface TraceOptions {
  readonly words: readonly string[];
  /** kubectl commands that are run first without being recorded. */
  readonly before: readonly (readonly string[])[];
  /** How long the command may run before it is asked to stop; 0 for no limit. */
  readonly forMs: number;
  /** How long the recording continues after the command; 0 until nothing new happens. */
  readonly followMs: number;
  /** Includes heartbeats, and all that others did meanwhile. */
  readonly everything: boolean;
  readonly breakpoints?: Breakpoints | undefined;
  readonly clock: Clock;
}

export interface TracedCommand {
  readonly status: number;
  readonly recording: Recording;
}

export async function traceCommand(
  cluster: TracedCluster,
  io: ProgramIo,
  options: TraceOptions,
): Promise<TracedCommand> {
  const { clock, breakpoints } = options;
  await prepare(cluster, io, options);
  return recordedPart(cluster, async (part) => {
    breakpoints?.arm();
    const status = await runBounded(cluster, io, options);
    if (options.followMs > 0) await clock.sleep(options.followMs, io.signal).catch(() => undefined);
    if (!io.signal.aborted) await quiet(part, clock);
    breakpoints?.disarm();
    const recording = await part.soFar();
    return { status, recording: options.everything ? recording : relevant(recording, cluster) };
  });
}

/** Records the cluster while `body` runs. */
export async function recordedPart<T>(
  cluster: TracedCluster,
  body: (part: TracedPart) => Promise<T>,
): Promise<T> {
  const part = await cluster.record();
  try {
    return await body(part);
  } finally {
    await part.end();
  }
}

async function prepare(cluster: TracedCluster, io: ProgramIo, options: TraceOptions): Promise<void> {
  const { before, clock } = options;
  if (!cluster.isOwn && before.length === 0) return;
  await recordedPart(cluster, async (part) => {
    if (cluster.isOwn) await quiet(part, clock);
    for (const args of before) {
      const words = ['kubectl', ...args];
      const status = await runCommand({ words, cluster, io, signal: io.signal });
      if (status !== 0)
        throw new Error(`"${words.join(' ')}", which was to be run first, ended with exit code ${status}`);
    }
    if (before.length > 0) await quiet(part, clock);
  });
}

async function runBounded(cluster: TracedCluster, io: ProgramIo, options: TraceOptions): Promise<number> {
  const { words, forMs, clock } = options;
  // Preparations do not count towards the command's time.
  await cluster.environment();
  const over = new AbortController();
  const timer = forMs > 0 ? clock.after(forMs, () => over.abort(new Error('its time is over'))) : undefined;
  const signal = AbortSignal.any([io.signal, over.signal]);
  try {
    const running = runCommand({ words, cluster, io, signal, observer: cluster.observer });
    const status = await Promise.race([running, stopped(signal, clock)]);
    // A command that was asked to stop, and did, has not failed.
    return signal.aborted ? 0 : status;
  } finally {
    timer?.cancel();
  }
}

/** How long a command may take to stop before it is abandoned. */
const stopMsMax = 3000;

function stopped(signal: AbortSignal, clock: Clock): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const wait = () => void clock.after(stopMsMax, () => resolve(0));
  if (signal.aborted) wait();
  else signal.addEventListener('abort', wait, { once: true });
  return promise;
}

/** The cluster counts as quiet after this long without anything new. */
const quietMs = 400;
/** The limit for waiting until the cluster is quiet. */
const settleMsMax = 15_000;

async function quiet(part: TracedPart, clock: Clock): Promise<void> {
  const untilMs = clock.monotonic() + settleMsMax;
  for (let seen = -1; clock.monotonic() < untilMs;) {
    const count = (await part.names()).filter((name) => !isUpkeep(name)).length;
    if (count === seen) return;
    seen = count;
    await clock.sleep(quietMs);
  }
}

/** The consequences of the command; in a cluster of its own, also everything without a known cause. */
function relevant(recording: Recording, { isOwn, commandUser }: TracedCluster): Recording {
  const command = recording.undertakings.find(({ kind }) => kind === 'command');
  const led = command === undefined ? recording : followed(recording, command.id, commandUser);
  if (!isOwn) return led;
  const kept = new Map(led.undertakings.map((one) => [one.id, one]));
  const undertakings = recording.undertakings.flatMap(
    (one) => kept.get(one.id) ?? (isUpkeep(one.name) ? [] : one),
  );
  return { ...recording, undertakings };
}

/** Leases are renewed and watches opened regardless of what a user does. */
const isUpkeep = (name: string): boolean => /\/leases\b|[?&]watch=/.test(name);
