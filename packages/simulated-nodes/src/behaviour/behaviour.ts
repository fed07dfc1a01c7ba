import { parseDurationMs } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { annotation } from './annotations.ts';
import { runCommand, runScript, scriptOf } from './commands.ts';
import { endlessLoop, type EndlessLoop } from './endless-loop.ts';
import { exceedsMemory } from './declared-usage.ts';
import { runsShell } from './images.ts';
import { imagePorts } from './image-ports.ts';
import { isKnownCommandLine, programsKnownIn } from '../process/known-programs.ts';
import { isShellName } from '../process/shell-executables.ts';

/** What a simulated container does after it has started. */
export interface Behaviour {
  /** Undefined if it runs until it is stopped. */
  readonly end?: { readonly afterMs: number; readonly exitCode: number; readonly reason?: 'OOMKilled' };
  readonly ready: boolean;
  readonly held: boolean;
  /** The behaviour was chosen by an annotation, whatever the command is. */
  readonly isAsked?: boolean;
  /** The image is defined by the user, so its output and answers are known. */
  readonly isDefined?: boolean;
  /** Lines printed at the start. */
  readonly output: readonly string[];
  /** Lines printed afterwards, repeatedly. */
  readonly loop?: EndlessLoop;
  /** A command to execute in the container's simulated file system. When and how it ends is not known in advance. */
  readonly process?: readonly string[];
}

const stays: Behaviour = { ready: true, held: false, output: [] };
/** The default of init containers: whatever they wait for counts as done. */
const ends: Behaviour = { ...stays, end: { afterMs: 0, exitCode: 0 } };

const outOfMemory = { afterMs: 1_000, exitCode: 137, reason: 'OOMKilled' } as const;

export function behaviourOf(pod: Pod, container: Container): Behaviour {
  const asked = annotation(pod, `run.${container.name}`) ?? annotation(pod, 'run');
  const byAnnotation = asked === undefined ? undefined : behaviourNamed(asked);
  if (byAnnotation !== undefined) return { ...byAnnotation, isAsked: true };
  if (exceedsMemory(pod, container)) return { ...stays, end: outOfMemory };
  const command = [...(container.command ?? []), ...(container.args ?? [])];
  const script = scriptOf(command);
  const endless = endlessLoop(script ?? '', runScript);
  if (endless !== undefined) return { ...stays, output: endless.before, loop: endless.loop };
  const isAwaited = script !== undefined && container.stdin === true;
  const result = isAwaited ? undefined : runCommand(command);
  if (result !== undefined) {
    const { afterMs, exitCode, output } = result;
    return { ...stays, end: { afterMs, exitCode }, output };
  }
  const isProcess =
    script === undefined
      ? isProgramOfWorld(command, container)
      : programsKnownIn(withoutReferences(script, container)) !== undefined;
  if (isProcess) return { ...stays, process: command };
  if (isInit(pod, container) || hasNothingToRead(pod, container)) return ends;
  return isOfJob(pod) && !isServerImage(container) ? { ...ends, output: [unknownInJob] } : stays;
}

/** A Job waits for its containers to end, and whatever they do counts as done. */
const isOfJob = ({ metadata }: Pod): boolean =>
  metadata?.ownerReferences?.some(({ kind, controller }) => kind === 'Job' && controller === true) === true;

const isServerImage = ({ image = '', command }: Container): boolean =>
  command === undefined && imagePorts(image) !== undefined;

const unknownInJob =
  'The program is not simulated, so it counts as done: the annotation sim.coxswain.io/run decides otherwise';

/** The kubelet replaces references to variables, such as `$(NAME)`, before a shell sees them. */
const withoutReferences = (script: string, { env = [], envFrom = [] }: Container): string =>
  script.replaceAll(/\$\((\w+)\)/g, (whole, name: string) =>
    env.some((one) => one.name === name) || envFrom.length > 0 || /_SERVICE_|_PORT/.test(name) ? name : whole,
  );

/** Whether this is a program such as `cat FILE`, `date` or `touch FILE`, or a shell that nobody talks to. */
const isProgramOfWorld = ([path = '', ...args]: readonly string[], { stdin, tty }: Container): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  // One that sleeps forever needs no process.
  if (!isKnownCommandLine([path, ...args]) || name === 'sleep') return false;
  if (args.length > 0) return !isShellName(name);
  return (!stdin && !tty) || !(isShellName(name) || name === 'cat');
};

function behaviourNamed(text: string): Behaviour | undefined {
  const [verb = '', ...parts] = text.split(':');
  if (verb === 'ready') return stays;
  if (verb === 'unready') return { ...stays, ready: false };
  if (verb === 'hold') return { ...stays, held: true };
  if (verb === 'succeed') return { ...stays, end: { afterMs: msOf(parts[0]), exitCode: 0 } };
  if (verb === 'fail') return { ...stays, end: { afterMs: msOf(parts[1]), exitCode: exitCodeOf(parts[0]) } };
  return undefined;
}

export const isInit = ({ spec }: Pod, { name }: Container): boolean =>
  (spec?.initContainers ?? []).some((one) => one.name === name && one.restartPolicy !== 'Always');

/**
 * A shell without input ends at once. It keeps running nevertheless if the pod's policy would restart it: whoever
 * deploys such an image to a simulated node wants a running pod.
 */
function hasNothingToRead(
  { spec }: Pod,
  { image = '', command = [], args = [], stdin, tty }: Container,
): boolean {
  const isAlone = command.length + args.length === 0 && !stdin && !tty;
  return isAlone && runsShell(image) && (spec?.restartPolicy ?? 'Always') !== 'Always';
}

function msOf(text: string | undefined): number {
  try {
    return text === undefined ? 0 : parseDurationMs(text);
  } catch {
    return 0;
  }
}

const exitCodeOf = (text = '1'): number => (/^\d{1,3}$/.test(text) ? Number(text) % 256 : 1);
