/** Parses the program's flags again in another of its threads. */
import { execute } from '@coxswain/cobra';
import { program } from '../flags/command-line.ts';
import type { KubeApiServerSettings } from '../settings.ts';
import type { EgressSelector } from '../egress/dial.ts';
import { egressOf } from '../egress/egress-of.ts';
import type { ApiServerFlags } from '../flags/effective-flags.ts';
import { settingsOf } from '../flags/settings.ts';

/** Only the main thread writes the audit log. */
const unaudited = { auditPolicyFile: '', auditLogPath: '', auditWebhookConfigFile: '' };

export interface GivenArguments {
  readonly flags: ApiServerFlags;
  readonly egress: EgressSelector | undefined;
  readonly settings: KubeApiServerSettings;
}

/**
 * @param logOf creates the program's log from its flags
 * @throws Error for arguments that the main thread would have refused as well
 */
export async function givenArguments(
  args: readonly string[],
  logOf: (flags: ApiServerFlags) => (line: string) => void,
): Promise<GivenArguments> {
  let given: GivenArguments | undefined;
  const root = program(async (flags, isGiven) => {
    const egress = await egressOf(flags.egressSelectorConfigFile);
    const settings = settingsOf({ ...flags, ...unaudited }, logOf(flags), undefined, isGiven, egress);
    given = { flags, egress, settings };
  });
  const silent = { write: () => undefined };
  await execute(root, args, { out: silent, err: silent } as never, undefined);
  return given!;
}
