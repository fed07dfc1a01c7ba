import { StatusError, type KubeObject } from '@coxswain/apimachinery';
import { command } from '../command.ts';
import { completeTypesAndNames } from '../completion/resources.ts';
import type { CommandContext } from '../context.ts';
import { ownershipTree, treeRows } from '../insight/ownership.ts';
import { humanDuration } from '@coxswain/apimachinery/human-duration.ts';
import { alignTabs } from '../printers/tab-writer.ts';
import { mappingOf, objectOf } from '../resource/info.ts';
import { ResourceHelper } from '../resource/resource-helper.ts';
import { groupVersionOf, type ResourceMapping } from '../mapping.ts';
import { select } from '../resource/select.ts';

export const tree = command({
  use: 'tree (TYPE NAME | TYPE/NAME)',
  long: `Show an object and all objects it owns, recursively, with conditions and ages.

 All listable kinds are searched, which takes one request per kind.`,
  example: `  # The replica sets and pods of a deployment
  kubectl tree deployment web`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  async run({ context, args }) {
    const { namespace, explicit } = await context.namespace();
    const selected = await select(context, { args, namespace, requireNamespace: explicit, latest: true });
    const { infos } = await selected.collect();
    for (const info of infos) {
      const within = mappingOf(info).namespaced ? info.namespace : '';
      const rows = treeRows(ownershipTree(objectOf(info), await everything(context, within)));
      const table = rows.map(({ branch, object }) => {
        const ready = readiness(object);
        const created = object.metadata.creationTimestamp;
        const age = created ? humanDuration(context.clock.now() - Date.parse(created)) : '<unknown>';
        return [object.metadata.namespace ?? '', branch, ready.status, ready.reason, age].join('\t');
      });
      context.print(alignTabs(`NAMESPACE\tNAME\tREADY\tREASON\tAGE\n${table.join('\n')}\n`));
    }
  },
});

/** These are never owned, and listing them causes warnings or takes long. */
const unowned = new Set(['events', 'endpoints', 'componentstatuses']);

/** The number of concurrent list requests. */
const listsAtOnce = 8;

/** A namespaced owner's dependents are in its namespace; a cluster-scoped owner can have dependents in any. */
async function everything(context: CommandContext, namespace: string): Promise<readonly KubeObject[]> {
  const mapper = await context.mapper();
  const mappings = (await mapper.all()).filter(
    ({ verbs, namespaced, resource }) =>
      verbs.includes('list') && (namespaced || namespace === '') && !unowned.has(resource),
  );
  const found: KubeObject[] = [];
  const left = [...mappings];
  const work = async (): Promise<void> => {
    for (let mapping = left.pop(); mapping !== undefined; mapping = left.pop()) {
      found.push(...(await listOf(context, mapping, namespace)));
    }
  };
  await Promise.all(Array.from({ length: listsAtOnce }, work));
  return found;
}

interface List {
  readonly items?: readonly KubeObject[];
}

/** Returns nothing without permission to list. */
async function listOf(
  context: CommandContext,
  mapping: ResourceMapping,
  namespace: string,
): Promise<readonly KubeObject[]> {
  try {
    const list = (await new ResourceHelper(await context.client(), mapping).list(namespace)) as List;
    const { kind } = mapping;
    return (list.items ?? []).map((item) => ({ ...item, apiVersion: groupVersionOf(mapping), kind }));
  } catch (error) {
    if (error instanceof StatusError) return [];
    throw error;
  }
}

interface WithConditions extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
    }[];
  };
}

/** Uses the most significant condition: Ready, otherwise Available, otherwise Complete or Failed. */
function readiness(object: WithConditions): { readonly status: string; readonly reason: string } {
  const conditions = object.status?.conditions ?? [];
  for (const type of ['Ready', 'Available', 'Complete', 'Failed']) {
    const found = conditions.find((condition) => condition.type === type);
    if (found === undefined) continue;
    const isBad = (type === 'Failed') === (found.status === 'True');
    return { status: type === 'Failed' ? 'False' : found.status, reason: isBad ? (found.reason ?? '') : '' };
  }
  return { status: '-', reason: '' };
}
