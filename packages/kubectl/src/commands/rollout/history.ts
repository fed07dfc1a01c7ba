import { int64 } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { typesAndNames } from '../../completion/resources.ts';
import { printFlags } from '../../flags/print.ts';
import { alignTabs } from '../../printers/tab-writer.ts';
import { objectOf } from '../../resource/info.ts';
import { revisionsOf, templateText, type Revision } from '../../rollout/revisions.ts';
import { requireResources, selectWorkloads, workloadFlags } from './workloads.ts';

export const history = command({
  use: 'history (TYPE NAME | TYPE/NAME) [flags]',
  long: 'Show the revisions of a workload with their change causes, or the details of one revision.',
  example: `  # All
  kubectl rollout history deployment/web

  # One in detail
  kubectl rollout history daemonset/agent --revision=3`,
  complete: typesAndNames({ types: ['deployment', 'daemonset', 'statefulset'] }),
  flags: {
    ...printFlags,
    ...workloadFlags('that name the workloads'),
    revision: int64({ usage: 'Show the details of this revision.' }),
  },
  async run({ context, args, flags }) {
    requireResources(args, flags);
    if (flags.revision < 0) throw new Error(`revision must be a positive integer: ${flags.revision}`);
    const selected = await selectWorkloads(context, args, flags);
    const print = flags.output === '' ? undefined : await context.printer(flags);
    await selected.each(async (info) => {
      const object = objectOf(info);
      const revisions = await revisionsOf(context, object);
      const isAnyHistory = revisions.length > 0 || print !== undefined;
      const wanted = flags.revision > 0 && isAnyHistory ? [find(revisions, flags.revision)] : revisions;
      if (print !== undefined) {
        for (const revision of wanted) context.print(print(revision.object));
        return;
      }
      const operation =
        flags.revision === 0
          ? `\n${overview(wanted)}`
          : `with revision #${flags.revision}\n${wanted.length === 0 ? noHistory : templateText(wanted[0]?.template)}`;
      context.print((await context.printer(flags, { operation }))(object));
    });
  },
});

function find(revisions: readonly Revision[], number: number): Revision {
  const found = revisions.find((revision) => revision.number === number);
  if (found === undefined) throw new Error('unable to find the specified revision');
  return found;
}

const noHistory = 'No rollout history found.';

function overview(revisions: readonly Revision[]): string {
  if (revisions.length === 0) return noHistory;
  const rows = revisions.map(({ number, changeCause }) => `${number}\t${changeCause || '<none>'}\n`);
  return alignTabs(`REVISION\tCHANGE-CAUSE\n${rows.join('')}`, { widthMin: 0, padding: 2 });
}
