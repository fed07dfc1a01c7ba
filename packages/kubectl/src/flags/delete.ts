/** How objects are deleted: what happens to what they own, how long they may take. */
import { bool, duration, int, string } from '@coxswain/cobra';

export const cascadeFlag = {
  cascade: string({
    default: 'background',
    bareValue: 'background',
    usage:
      'What becomes of the objects that it owns: "background" and "foreground" delete them, "orphan" leaves them.',
  }),
};

export const deletionFlags = {
  ...cascadeFlag,
  force: bool({ usage: 'Delete at once, without a grace period. Some of it may still be running then.' }),
  gracePeriod: int({
    default: -1,
    usage: 'Seconds that the object has to end. Negative for its own default; 0 only with --force.',
  }),
  timeout: duration({ usage: 'How long to wait for the end. 0 lets the object decide.' }),
};

export const propagationPolicies: Readonly<Record<string, string>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
};

/** @throws Error with the original's text */
export function readCascade(value: string): string {
  const policy = propagationPolicies[value];
  if (policy !== undefined) return policy;
  throw new Error(`invalid cascade value (${value}). Must be "background", "foreground", or "orphan"`);
}
