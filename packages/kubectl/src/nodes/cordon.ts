import type * as core from '@coxswain/api/core/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { CommandContext } from '../context.ts';
import { dryRunSuffix, type DryRun } from '../flags/dry-run.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { mappingOf, objectOf, type Info } from '../resource/info.ts';
import { select } from '../resource/select.ts';

type Node = Live<core.Node>;

/** Selects nodes by name or by label. */
export async function selectNodes(
  context: CommandContext,
  names: readonly string[],
  selector: string,
  chunkSize = 0,
): Promise<Info[]> {
  // Reports a missing server configuration before looking up the node.
  await context.client();
  const { namespace } = await context.namespace();
  const selected = await select(context, {
    ...(selector === '' ? { args: names, defaultType: 'nodes' } : { args: ['nodes'] }),
    labelSelector: selector,
    namespace,
    chunkSize,
  });
  const infos: Info[] = [];
  await selected.each(async (info) => {
    const { group, version, kind, resource } = mappingOf(info);
    if (kind !== 'Node') {
      throw new Error(
        `error: expected resource of type node, got "${group}/${version}, Resource=${resource}"`,
      );
    }
    infos.push(info);
  });
  return infos;
}

/** Reports what was done to the node, or that nothing was necessary. */
export async function setUnschedulable(
  context: CommandContext,
  info: Info,
  unschedulable: boolean,
  dryRun: DryRun,
): Promise<string> {
  const node: Node = objectOf(info);
  const done = unschedulable ? 'cordoned' : 'uncordoned';
  const line = (what: string) => `node/${info.name} ${what}${dryRunSuffix(dryRun)}\n`;
  if ((node.spec?.unschedulable ?? false) === unschedulable) return line(`already ${done}`);
  if (dryRun !== 'client') {
    const helper = new ResourceHelper(await context.client(), mappingOf(info));
    await helper.patch(
      '',
      info.name,
      'strategic',
      { spec: { unschedulable: unschedulable ? true : null } },
      { dryRun: dryRun === 'server' },
    );
  }
  return line(done);
}
