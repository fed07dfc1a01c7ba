/**
 * `kubeConfigFile` of the webhook plugins: its users are named after the hosts and services that receive their
 * credentials.
 */
import { systemClock } from '@coxswain/apimachinery';
import { credentialsOf, loadKubeconfig } from '@coxswain/client/node.ts';
import type { Kubeconfig, KubeconfigUser } from '@coxswain/client/kubeconfig/kubeconfig.ts';
import { userNamesFor, type WebhookCredentialsReader } from './webhook-credentials.ts';
import type { WebhookCredentials } from './webhook-endpoint.ts';

export const kubeconfigCredentials: WebhookCredentialsReader = (file) => {
  const config = loadKubeconfig({ file });
  const known = new Map<string, WebhookCredentials>();
  return ({ host, port }) => {
    const found = userFor(config, host, port);
    if (found === undefined) return undefined;
    let credentials = known.get(found.name);
    if (credentials === undefined) {
      credentials = { ...usable(found.user ?? {}), name: `${file}#${found.name}` };
      known.set(found.name, credentials);
    }
    return credentials;
  };
};

type NamedUser = NonNullable<Kubeconfig['users']>[number];

function userFor(config: Kubeconfig, host: string, port: number): NamedUser | undefined {
  const users = new Map((config.users ?? []).map((entry) => [entry.name, entry]));
  for (const name of userNamesFor(host, port)) {
    const user = users.get(name ?? currentUser(config));
    if (user !== undefined) return user;
  }
  return undefined;
}

const currentUser = ({ contexts, 'current-context': current }: Kubeconfig): string =>
  contexts?.find(({ name }) => name === current)?.context?.user ?? '';

/** A token file takes precedence over an inline token. @throws Error */
function usable(user: KubeconfigUser) {
  if (user['auth-provider']) throw new Error('auth provider not supported');
  const { token: _, ...withoutToken } = user;
  return credentialsOf(user.tokenFile ? withoutToken : user, {}, systemClock);
}
