import { parseDurationMs } from '@coxswain/apimachinery';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { annotation } from './annotations.ts';
import { isPlainCommand, isShell, runCommand, runScript, scriptOf } from './commands.ts';
import { endlessLoop, type EndlessLoop } from './endless-loop.ts';
import { runsShell } from './images.ts';
import { programsKnownIn } from '../process/shell.ts';
import { isKnownProgram } from '../process/shell-names.ts';

/** What a simulated container does once it is started. */
export interface Behaviour {
  /** Absent when it runs until it is stopped. */
  readonly end?: { readonly afterMs: number; readonly exitCode: number };
  readonly ready: boolean;
  readonly held: boolean;
  /** An annotation says so, whatever the command is. */
  readonly isAsked?: boolean;
  /** Its image is defined: what it says and does is known. */
  readonly isDefined?: boolean;
  /** What it prints at its start. */
  readonly output: readonly string[];
  /** What it prints from then on. */
  readonly loop?: EndlessLoop;
  /** What runs in its world, to an end of its own; nothing is known of it before. */
  readonly process?: readonly string[];
}

const stays: Behaviour = { ready: true, held: false, output: [] };
/** Others wait for an init container: whatever it is there for, it has done. */
const ends: Behaviour = { ...stays, end: { afterMs: 0, exitCode: 0 } };

export function behaviourOf(pod: Pod, container: Container): Behaviour {
  const asked = annotation(pod, `run.${container.name}`) ?? annotation(pod, 'run');
  const byAnnotation = asked === undefined ? undefined : behaviourNamed(asked);
  if (byAnnotation !== undefined) return { ...byAnnotation, isAsked: true };
  const command = [...(container.command ?? []), ...(container.args ?? [])];
  const surroundings = { env: literalEnv(container), hostname: pod.metadata?.name ?? '' };
  const script = scriptOf(command);
  const endless = endlessLoop(script ?? '', (part) =>
    hasShellWords(part) ? undefined : runScript(part, surroundings),
  );
  if (endless !== undefined) return { ...stays, output: endless.before, loop: endless.loop };
  if (script === undefined ? isProgramOfWorld(command, container) : needsShell(script))
    return { ...stays, process: command };
  const result = runCommand(command, surroundings);
  if (result === undefined) return isInit(pod, container) || hasNothingToRead(pod, container) ? ends : stays;
  const { afterMs, exitCode, output } = result;
  return { ...stays, end: { afterMs, exitCode }, output };
}

/** Words whose meaning depends on files, on chance, or on how other commands end. */
const shellWords =
  /\$\(|`|[<>|]|\$\{?RANDOM|(?:^|[\s;&])(?:if|for|while|until|case|read|cd|export|\[\[?|[{(!])(?=[\s])/;

const hasShellWords = (script: string): boolean => shellWords.test(script);

/** Simple scripts cost a timer only; others are run, where everything in them is known. */
function needsShell(script: string): boolean {
  const programs = programsKnownIn(script);
  return programs !== undefined && (hasShellWords(script) || !programs.every(isPlainCommand));
}

/** `cat FILE`, `date`, `touch FILE` and their like, and shells; without arguments they may talk to somebody. */
const isProgramOfWorld = ([path = '', ...args]: readonly string[], { stdin, tty }: Container): boolean => {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!isKnownProgram(path) || isPlainCommand(name)) return false;
  return args.length > 0 ? !isShell(name) : !stdin && !tty;
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
 * A shell without input ends at once. Where it would be started again for ever, it stays all the same: who deploys
 * such an image to a simulated node wants a pod that runs.
 */
function hasNothingToRead(
  { spec }: Pod,
  { image = '', command = [], args = [], stdin, tty }: Container,
): boolean {
  const isAlone = command.length + args.length === 0 && !stdin && !tty;
  return isAlone && runsShell(image) && (spec?.restartPolicy ?? 'Always') !== 'Always';
}

const literalEnv = ({ env }: Container): Readonly<Record<string, string>> =>
  Object.fromEntries((env ?? []).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));

function msOf(text: string | undefined): number {
  try {
    return text === undefined ? 0 : parseDurationMs(text);
  } catch {
    return 0;
  }
}

const exitCodeOf = (text = '1'): number => (/^\d{1,3}$/.test(text) ? Number(text) % 256 : 1);
