/** Tells extension servers of authorities that have changed since the server started. */
import type { Transport } from '@coxswain/client/transport.ts';

const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

/** Failures are logged: what is served doesn't depend on it. */
export async function publishAuthentication(
  transport: Transport,
  data: Readonly<Record<string, string>>,
  log: (line: string) => void,
): Promise<void> {
  const { status } = await transport.send({
    method: 'PATCH',
    path,
    headers: { 'content-type': 'application/merge-patch+json', 'user-agent': 'kube-apiserver' },
    body: new TextEncoder().encode(JSON.stringify({ data })),
  });
  if (status >= 400) log(`telling extension servers of changed authorities: ${status}`);
}
