/**
 * `coxswain trace <command>`: runs a command against a fresh cluster of this process, and prints every step
 * it took, and then what the controllers, the scheduler and the kubelet did because of it.
 */

import { scopeOf, systemClock, systemRandom, type Clock } from '@coxswain/apimachinery';
import { hiddenValue } from '@coxswain/api/core/secret-values.ts';
import { bool, commandFor, minimumArgs, string } from '@coxswain/cobra';
import type { ProgramIo } from '../program/program-io.ts';
import type { RecordedUndertaking, Recorder } from '@coxswain/trace/recorder.ts';
import { nodeRecorder } from '../trace/node-recorder.ts';
import { renderTrace } from '../trace/render.ts';

const command = commandFor<ProgramIo>();

/** The cluster is taken to be quiet when nothing happened for this long. */
const quietMs = 400;
/** What is printed after this long is what happened by then. */
const settleMsMax = 15_000;
const columnsDefault = 140;

export const trace = command({
  use: 'trace [flags] kubectl ARGUMENTS...',
  short: 'Run a command and print every step it takes',
  long: 'Runs a kubectl command against a new cluster in this process. Prints each step with its duration and source\nlocation, and what controllers, scheduler and kubelet did as a result.',
  example:
    "  coxswain trace kubectl create deployment web --image=nginx\n  coxswain trace --before='create deployment web --image=nginx' kubectl scale deployment web --replicas=2",
  args: minimumArgs(1),
  notInterspersed: true,
  flags: {
    json: bool({ usage: 'Print JSON.' }),
    all: bool({ usage: 'Include heartbeats and other background requests.' }),
    before: string({ usage: 'A kubectl command to run first, without tracing it.' }),
  },
  async run({ context: io, args, flags }) {
    const [program, ...commandArgs] = args;
    if (program !== 'kubectl') throw new Error(`only kubectl commands can be traced, not "${program}"`);
    const recording = nodeRecorder();
    const { startCluster } = await import('../cluster/cluster.ts');
    const cluster = await startCluster({ observer: recording.observer });
    try {
      await quiet(recording, systemClock);
      if (flags.before !== '') {
        await runCommand(flags.before.split(/\s+/), io, cluster.transport(), undefined);
        await quiet(recording, systemClock);
      }
      const from = recording.undertakings.length;
      const status = await runCommand(commandArgs, io, cluster.transport(), recording);
      await quiet(recording, systemClock);
      const wanted = new Set(recording.undertakings.slice(from).filter((one) => flags.all || !isUpkeep(one)));
      const told = recording.recording((undertaking) => wanted.has(undertaking));
      io.out.write(
        flags.json
          ? `${JSON.stringify({ exit: status, ...told }, undefined, 2)}\n`
          : `\n${renderTrace(told.undertakings, { columns: io.columns ?? columnsDefault })}`,
      );
    } finally {
      await cluster.stop();
    }
  },
});

async function runCommand(
  args: readonly string[],
  io: ProgramIo,
  transport: import('@coxswain/client').Transport,
  recording: Recorder | undefined,
): Promise<number> {
  const [{ runKubectl }, { processIo }] = await Promise.all([
    import('@coxswain/kubectl'),
    import('@coxswain/kubectl/process-io.ts'),
  ]);
  const observer = scopeOf(recording?.observer, () => ({
    kind: 'command',
    component: 'kubectl',
    name: `kubectl ${withoutSecrets(args).join(' ')}`,
  }));
  return runKubectl(args, {
    ...processIo(),
    clock: systemClock,
    random: systemRandom,
    signal: io.signal,
    transport,
    observer,
  });
}

/** Options that bring secrets: their values, or what stands behind `key=`. */
const secretOptions = /^--(from-literal|token|password|docker-password)(?:=|$)/;

function withoutSecrets(args: readonly string[]): string[] {
  const hidden = (value: string) => value.replace(/^([^=]*=)?.*$/s, `$1${hiddenValue}`);
  return args.map((arg, index) => {
    if (secretOptions.test(args[index - 1] ?? '') && !args[index - 1]!.includes('=')) return hidden(arg);
    const equals = arg.indexOf('=');
    if (!secretOptions.test(arg) || equals < 0) return arg;
    return `${arg.slice(0, equals + 1)}${hidden(arg.slice(equals + 1))}`;
  });
}

/** Resolves when no undertaking has begun for a while. */
async function quiet(recording: Recorder, clock: Clock): Promise<void> {
  const untilMs = clock.monotonic() + settleMsMax;
  for (let seen = -1; seen !== activity(recording) && clock.monotonic() < untilMs;) {
    seen = activity(recording);
    await clock.sleep(quietMs);
  }
}

const activity = (recording: Recorder): number =>
  recording.undertakings.filter((undertaking) => !isUpkeep(undertaking)).length;

/** Leases are renewed and watches are opened whatever a user does. */
const isUpkeep = ({ what }: RecordedUndertaking): boolean => /\/leases\b|[?&]watch=/.test(what.name);
