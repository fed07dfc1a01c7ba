/** How objects are deleted: what happens to their dependents, and how long they may take. */
import { bool, duration, int, string } from '@coxswain/cobra';
import { boolText } from './dry-run.ts';

const cascadeFlag = {
  cascade: string({
    default: 'background',
    bareValue: 'background',
    usage:
      'Deletion strategy for dependent objects: "background" and "foreground" delete them, "orphan" leaves them.',
  }),
};

export const deletionFlags = {
  ...cascadeFlag,
  force: bool({
    usage: 'Delete immediately, without a grace period. The object may keep running for a while.',
  }),
  gracePeriod: int({
    default: -1,
    usage:
      'Seconds that the object has to terminate gracefully. If negative, the default of the object applies. 0 requires --force.',
  }),
  timeout: duration({ usage: 'How long to wait for the deletion. 0 derives a timeout from the object.' }),
};

const propagationPolicies: Readonly<Record<string, string>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
};

/** @throws Error with the original's text */
export function readCascade(value: string, printError: (text: string) => void = () => {}): string {
  const asBool = boolText(value);
  const meant = asBool === undefined ? value : asBool ? 'background' : 'orphan';
  const policy = propagationPolicies[meant];
  if (policy === undefined)
    throw new Error(`invalid cascade value (${value}). Must be "background", "foreground", or "orphan"`);
  if (asBool !== undefined)
    printError(
      `warning: --cascade=${value} is deprecated (boolean value) and can be replaced with --cascade=${meant}.\n`,
    );
  return policy;
}
