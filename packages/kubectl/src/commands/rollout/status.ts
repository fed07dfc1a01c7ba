import type { KubeObject } from '@coxswain/apimachinery';
import { bool, duration, int64 } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { typesAndNames } from '../../completion/resources.ts';
import { mappingOf, type Info } from '../../resource/info.ts';
import { revisionOf } from '../../replica-sets.ts';
import { rolloutProgress, rolloutStatus } from '../../rollout/status.ts';
import { waitUntil } from '../../watch/until.ts';
import { requireResources, selectWorkloads, workloadFlags } from './workloads.ts';

/** The limit without --timeout; timers can't run much longer. */
const longestMs = 2 ** 31 - 1;

export const status = command({
  use: 'status (TYPE NAME | TYPE/NAME) [flags]',
  long: `Watch a rollout until it is done. With --watch=false, print its current status only.

 With --revision, the command fails if the rollout is superseded by a newer one.`,
  example: `  # Until it is done
  kubectl rollout status deployment/web

  # For a minute at most
  kubectl rollout status deployment/web --timeout=1m`,
  complete: typesAndNames({ types: ['deployment', 'daemonset', 'statefulset'], several: false }),
  flags: {
    ...workloadFlags('that name the workloads'),
    revision: int64({
      usage: 'Pin to this revision. 0 means the latest one, even if it changes during the watch.',
    }),
    timeout: duration({ usage: 'How long to watch before giving up. 0 means never.' }),
    watch: bool({ shorthand: 'w', default: true, usage: 'Watch the rollout until it is done.' }),
  },
  async run({ context, args, flags }) {
    requireResources(args, flags);
    if (flags.revision < 0) throw new Error(`revision must be a positive integer: ${flags.revision}`);
    let count = 0;
    const selected = await selectWorkloads(context, args, flags);
    await selected.each(async (info) => {
      count++;
      await follow(info);
    });
    if (count === 0)
      context.printError(`No resources found in ${(await context.namespace()).namespace} namespace.\n`);

    async function follow(info: Info): Promise<void> {
      const target = { mapping: mappingOf(info), namespace: info.namespace, name: info.name };
      await waitUntil(context, target, flags.timeout === 0 ? longestMs : flags.timeout, (object) => {
        if (object === undefined) throw new Error('object has been deleted');
        const { text, done } = rolloutStatus(object);
        // Upstream doesn't check the history of other kinds.
        if (flags.revision > 0 && object.kind === 'Deployment') checkRevision(object, flags.revision);
        context.print(text);
        if (!done) context.status(rolloutProgress(object));
        return done || !flags.watch || undefined;
      });
    }
  },
});

function checkRevision(object: KubeObject, wanted: number): void {
  const running = revisionOf(object);
  if (running !== wanted)
    throw new Error(`desired revision (${wanted}) is different from the running revision (${running})`);
}
