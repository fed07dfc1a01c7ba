/** `--record`: the command line, noted in an annotation of what it changes. */
import type { KubeObject } from '@coxswain/apimachinery';
import { FlagSet, type FlagState } from '@coxswain/cobra/command/flag-set.ts';
import { parseArguments } from '@coxswain/cobra/parse.ts';
import type { CommandContext } from '../context.ts';

export const changeCauseAnnotation = 'kubernetes.io/change-cause';

/** Options whose values are nobody's business. */
const secret: ReadonlySet<string> = new Set(['token', 'password']);

/** The command line with its options behind the other words, in full names and with all values. */
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

/** The object with the annotation, when the user wants it. */
export function recorded<T extends KubeObject>({ changeCause }: CommandContext, object: T): T {
  if (changeCause === undefined) return object;
  const annotations = { ...object.metadata.annotations, [changeCauseAnnotation]: changeCause };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** The merge patch that writes the annotation of an object; none when there is nothing to write. */
export function recordPatch({ changeCause }: CommandContext, object: KubeObject): object | undefined {
  if (changeCause === undefined || object.metadata.annotations?.[changeCauseAnnotation] === changeCause)
    return undefined;
  return { metadata: { annotations: { [changeCauseAnnotation]: changeCause } } };
}
