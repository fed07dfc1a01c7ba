/** The pod of a session: the named one, or the first running pod of a workload or service. */
import type { KubeObject } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { asError } from '../errors.ts';
import { firstPodOf, podSelector } from '../logs/pods.ts';
import type { Pod } from '../logs/containers.ts';
import { select } from '../resource/select.ts';

export interface PodChoice {
  readonly args: readonly string[];
  readonly filenames?: readonly string[];
  readonly timeoutMs: number;
  /** The wording of the error for several objects: `exec into`, `attach to`. */
  readonly action: string;
}

export async function podFor(
  context: CommandContext,
  { args, filenames = [], timeoutMs, action }: PodChoice,
): Promise<{ readonly pod: Pod; readonly object: KubeObject }> {
  const { namespace, explicit } = await context.namespace();
  const selected = await select(context, {
    args: args.slice(-1),
    defaultType: args.length > 1 ? args[0]! : 'pods',
    ...(filenames.length > 0 && { filenames }),
    namespace,
    requireNamespace: explicit,
    // A file is enough to name the pod.
    latest: filenames.length === 0,
    typed: true,
  });
  const { infos, failures } = await selected.collect();
  if (failures.length > 0) throw asError(failures[0]);
  if (infos.length !== 1) throw new Error(`cannot ${action} multiple objects at a time`);
  const object = infos[0]!.object!;
  if (object.kind === 'Pod') return { pod: object as Pod, object };
  const own = object.metadata.namespace ?? namespace;
  const [pod] = await firstPodOf(context, own, podSelector(object, 'cannot attach to'), timeoutMs);
  return { pod: pod!, object };
}

export const hasEnded = ({ status }: Pod): boolean =>
  status?.phase === 'Succeeded' || status?.phase === 'Failed';
