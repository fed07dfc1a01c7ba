/** Checks whether the credential plugin in the kubeconfig may be run. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { ResolvedKubeconfig } from '@coxswain/client/kubeconfig/kubeconfig.ts';
import type { CommandContext } from '../context.ts';
import { ExitError } from '../errors.ts';

/** @throws ExitError if the preferences forbid it */
export async function checkCredentialPlugin(
  { io, pluginPolicy }: CommandContext,
  { user }: ResolvedKubeconfig,
): Promise<void> {
  if (pluginPolicy === undefined || !user.exec?.command) return;
  const { checkPlugin } = await import('../kuberc/plugin-policy.ts');
  try {
    checkPlugin(pluginPolicy, user.exec.command, {
      path: io.env['PATH'] ?? '',
      workingDirectory: io.workingDirectory,
    });
  } catch (failure) {
    const why = messageOf(failure);
    throw new ExitError(1, `Unable to connect to the server: getting credentials: ${why}`);
  }
}
