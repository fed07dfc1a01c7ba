/** Shared code of the rollout commands: finds workloads and changes each. */
import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { fieldManagerFlag, filenameFlags, selectorFlag } from '../../flags/object-flags.ts';
import { printFlags, type PrintFlagValues } from '../../flags/print.ts';
import type { CommandContext } from '../../context.ts';
import { asError, Failures, ListFailure } from '../../errors.ts';
import { ResourceHelper } from '../../resource/resource-helper.ts';
import { mappingOf, objectOf, type Info } from '../../resource/info.ts';
import { groupResourceOf } from '../../mapping.ts';
import { select } from '../../resource/select.ts';

export const workloadFlags = (purpose: string) => ({ ...filenameFlags(purpose), ...selectorFlag });

export const changeFlags = (purpose: string) => ({
  ...printFlags,
  ...workloadFlags(purpose),
  ...fieldManagerFlag('kubectl-rollout'),
});

export interface WorkloadFlags {
  readonly filename: readonly string[];
  readonly kustomize: string;
  readonly recursive: boolean;
  readonly selector: string;
}

export interface ChangeFlags extends WorkloadFlags, PrintFlagValues {
  readonly fieldManager: string;
}

export function requireResources(args: readonly string[], flags: WorkloadFlags): void {
  if (args.length === 0 && flags.filename.length === 0 && flags.kustomize === '')
    throw new Error('required resource not specified');
}

export async function selectWorkloads(
  context: CommandContext,
  args: readonly string[],
  flags: WorkloadFlags,
  failedLists?: 'one',
) {
  // Reports a missing server configuration before looking up the workload.
  await context.client();
  const { namespace, explicit } = await context.namespace();
  return select(context, {
    args,
    filenames: flags.filename,
    kustomize: flags.kustomize,
    recursive: flags.recursive,
    labelSelector: flags.selector,
    namespace,
    requireNamespace: explicit,
    allowEmptySelector: true,
    latest: true,
    typed: true,
    continueOnError: true,
    ...(failedLists && { failedLists }),
  });
}

/** Patches each workload; `patchFor` throws if that is impossible. Failures are reported after the successes. */
export async function changeWorkloads(
  context: CommandContext,
  args: readonly string[],
  flags: ChangeFlags,
  operation: string,
  patchFor: (info: Info, object: KubeObject) => unknown,
): Promise<void> {
  requireResources(args, flags);
  const print = await context.printer(flags, { operation });
  const { infos, failures } = await (await selectWorkloads(context, args, flags, 'one')).collect();
  if (infos.length === 0 && failures.length === 0) {
    const { namespace } = await context.namespace();
    context.printError(`No resources found in ${namespace} namespace.\n`);
  }
  const refused = [...failures];
  for (const info of infos) {
    const mapping = mappingOf(info);
    const subject = `${groupResourceOf(mapping)} "${info.name}"`;
    try {
      const patch = attempt(subject, () => patchFor(info, objectOf(info)));
      if (patch === undefined) {
        throw new Error(
          `failed to create patch for ${info.name}: if restart has already been triggered within the past second, please wait before attempting to trigger another`,
        );
      }
      const helper = new ResourceHelper(await context.client(), mapping);
      context.print(
        print(
          await helper.patch(info.namespace, info.name, 'strategic', patch, {
            fieldManager: flags.fieldManager,
          }),
        ),
      );
    } catch (failure) {
      refused.push(asError(failure));
    }
  }
  if (refused.length > 0) throw new Failures(refused, refused[0] instanceof ListFailure);
}

function attempt<T>(subject: string, body: () => T): T {
  try {
    return body();
  } catch (failure) {
    throw new Error(`error: ${subject} ${messageOf(failure)}`, { cause: failure });
  }
}
