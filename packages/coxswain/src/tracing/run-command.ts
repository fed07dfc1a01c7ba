/** Runs the traced command: kubectl in this process, anything else as a child process. */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { runStep, scopeOf, systemClock, systemRandom, type StepObserver } from '@coxswain/apimachinery';
import { hiddenValue } from '@coxswain/api/core/secret-values.ts';
import { systemReason } from '@coxswain/storage/directory/private-files.ts';
import type { ProgramIo } from '../program/program-io.ts';
import type { TracedCluster } from './traced-cluster.ts';

export interface CommandRun {
  readonly words: readonly string[];
  readonly cluster: TracedCluster;
  readonly io: ProgramIo;
  /** Asks the command to stop. */
  readonly signal: AbortSignal;
  /** Observes the command; undefined for preparations. */
  readonly observer?: StepObserver | undefined;
}

/** @returns its exit status */
export async function runCommand(run: CommandRun): Promise<number> {
  const [program = ''] = run.words;
  if (program === 'kubectl') return runOurKubectl(run);
  return runStep(scopeOfCommand(run), 'process', () => runProcess(run), { program }, runProcess);
}

const scopeOfCommand = ({ words: [program = '', ...args], observer }: CommandRun): StepObserver | undefined =>
  scopeOf(observer, () => {
    const component = program.slice(program.lastIndexOf('/') + 1);
    return { kind: 'command', component, name: [component, ...withoutSecrets(args)].join(' ') };
  });

async function runOurKubectl(run: CommandRun): Promise<number> {
  const { words, cluster, io, signal } = run;
  const [{ runKubectl }, { processStreams }] = await Promise.all([
    import('@coxswain/kubectl'),
    import('@coxswain/kubectl/process-io.ts'),
  ]);
  const env = { ...io.env, ...(await cluster.environment()) };
  const shared = { clock: systemClock, random: systemRandom, signal, observer: scopeOfCommand(run) };
  return runKubectl(words.slice(1), { ...processStreams(), ...shared, env });
}

async function runProcess({ words, cluster, io, signal }: CommandRun): Promise<number> {
  const [program = '', ...args] = words;
  const env = { ...io.env, ...(await cluster.environment()) };
  const child = spawn(program, args, { stdio: 'inherit', env });
  const stop = () => void child.kill('SIGINT');
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', (cause) =>
        reject(new Error(`cannot run ${program}: ${systemReason(cause)}`, { cause })),
      );
      child.on('close', (code, killedBy) =>
        resolve(code ?? 128 + (killedBy === null ? 0 : constants.signals[killedBy])),
      );
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Options whose values are secret, entirely or after `key=`. */
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
