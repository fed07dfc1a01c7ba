/** `--record`: stores the command line in an annotation of the objects that it changes. */
import type { KubeObject } from '@coxswain/apimachinery';
import { FlagSet, type FlagState } from '@coxswain/cobra/command/flag-set.ts';
import { parseArguments } from '@coxswain/cobra/parse.ts';
import type { CommandContext } from '../context.ts';

export const changeCauseAnnotation = 'kubernetes.io/change-cause';

/** Options with confidential values. */
const secret: ReadonlySet<string> = new Set(['token', 'password']);

/** Returns the command line with options after the other words, with full names and all values. */
export function changeCauseOf(flags: FlagSet, words: readonly string[]): string {
  const said: string[] = [];
  const recording = flags.declared().map((state) => [state.name, recordingFlag(state, said)] as const);
  const { args } = parseArguments(words, new FlagSet().add(Object.fromEntries(recording), 'local'));
  return ['kubectl', ...args, ...said].join(' ');
}

function recordingFlag({ name, flag }: FlagState, said: string[]) {
  const read = (text: string, previous: unknown) => {
    said.push(`--${name}=${secret.has(name) ? 'CLASSIFIED' : text}`);
    return previous;
  };
  return { ...flag, name, kind: { ...flag.kind, read } };
}

/** Returns the object with the annotation, if requested. */
export function recorded<T extends KubeObject>({ changeCause }: CommandContext, object: T): T {
  if (changeCause === undefined) return object;
  const annotations = { ...object.metadata.annotations, [changeCauseAnnotation]: changeCause };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Returns the merge patch that writes the annotation; undefined if there is nothing to write. */
export function recordPatch({ changeCause }: CommandContext, object: KubeObject): object | undefined {
  if (changeCause === undefined || object.metadata.annotations?.[changeCauseAnnotation] === changeCause)
    return undefined;
  return { metadata: { annotations: { [changeCauseAnnotation]: changeCause } } };
}
