/** The flags of the program once more, in another of its threads. */
import { execute } from '@coxswain/cobra';
import { program } from '../command.ts';
import type { KubeApiServerSettings } from '../create.ts';
import { egressOf } from '../egress/egress-of.ts';
import { settingsOf } from '../flags/settings.ts';

/** The main thread alone keeps the audit log. */
const unaudited = { auditPolicyFile: '', auditLogPath: '', auditWebhookConfigFile: '' };

/** @throws Error for arguments that the main thread would have refused, too */
export async function settingsOfArguments(
  args: readonly string[],
  log: (line: string) => void,
): Promise<KubeApiServerSettings> {
  let settings: KubeApiServerSettings | undefined;
  const root = program(async (flags, isGiven) => {
    const egress = await egressOf(flags.egressSelectorConfigFile);
    settings = settingsOf({ ...flags, ...unaudited }, log, undefined, isGiven, egress);
  });
  const silent = { write: () => undefined };
  await execute(root, args, { out: silent, err: silent } as never, undefined);
  return settings!;
}
