/** Wraps a given transport so that requests come from the user specified by kubeconfig and options. */
import { credentialsOf } from '@coxswain/client/kubeconfig/credentials.ts';
import type { ResolvedKubeconfig } from '@coxswain/client/kubeconfig/kubeconfig.ts';
import type { Transport, TransportRequest } from '@coxswain/client/transport.ts';
import type { Clock } from '@coxswain/apimachinery';

/** Adds tokens, passwords and impersonation; certificates and credential plugins are not supported here. */
export function asConfiguredUser(
  transport: Transport,
  { user: { token, tokenFile, username, password, ...user }, cluster }: ResolvedKubeconfig,
  clock: Clock,
): Transport {
  const impersonated = Object.fromEntries(Object.entries(user).filter(([key]) => /^as(-|$)/.test(key)));
  const proofs = { token, tokenFile, username, password, ...impersonated };
  const { authorization, headers } = credentialsOf(proofs, cluster, clock);
  const asUser = async (request: TransportRequest): Promise<TransportRequest> => {
    const proof = await authorization();
    return {
      ...request,
      headers: { ...request.headers, ...(proof && { authorization: proof }), ...headers },
    };
  };
  return {
    structured: transport.structured,
    address: transport.address,
    close: () => transport.close(),
    send: async (request) => transport.send(await asUser(request)),
    ...(transport.upgrade && { upgrade: async (request) => transport.upgrade!(await asUser(request)) }),
  };
}
