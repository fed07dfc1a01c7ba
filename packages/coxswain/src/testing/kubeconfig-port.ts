/** The port of a test cluster, opened when a kubeconfig is first requested. */

import { systemClock } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import type { IncomingRequest } from '@coxswain/apiserver/http/api-request.ts';
import type { ServeRequest } from '@coxswain/apiserver/http/secure-serving.ts';
import { openSecurePort, type OpenPort } from '@coxswain/kube-apiserver/serving/secure-port.ts';
import { authorityIn } from '@coxswain/kube-apiserver/serving/serving-certificate.ts';
import { tlsFiles } from '@coxswain/kube-apiserver/serving/tls-files.ts';

export interface KubeconfigPort {
  readonly address: string | undefined;
  /** Returns a kubeconfig with a token for this user, which is valid as long as the cluster exists. */
  kubeconfig(user: UserInfo): Promise<string>;
  close(): Promise<void>;
}

export interface KubeconfigPlace {
  readonly bindAddress?: string | undefined;
  readonly port?: number | undefined;
}

const bearer = 'Bearer ';
/** The time that active connections have to end. */
const closingMsMax = 100;

/**
 * Listens only from the first request for a kubeconfig.
 * @param place defaults to any free port of 127.0.0.1
 */
export function kubeconfigPort(
  serve: ServeRequest,
  log: (line: string) => void,
  { bindAddress = '127.0.0.1', port: securePort = 0 }: KubeconfigPlace = {},
): KubeconfigPort {
  const users = new Map<string, UserInfo>();
  let opening: Promise<{ readonly port: OpenPort; readonly authority: string }> | undefined;
  let address: string | undefined;
  const open = async () => {
    const files = await tlsFiles({ bindAddress }, { clock: systemClock, log });
    // Connections use the real time of their clients.
    const port = await openSecurePort(
      { bindAddress, securePort },
      { files, clock: systemClock, log, serve: (incoming) => serve(knownBy(users, incoming)) },
    );
    address = port.address;
    return { port, authority: authorityIn(files.material.cert as string) };
  };
  return {
    get address() {
      return address;
    },
    async kubeconfig(user) {
      const { port, authority } = await (opening ??= open());
      const token = tokenOf(users, user);
      return `${JSON.stringify(configOf(port.address, authority, user.name, token), undefined, 2)}\n`;
    },
    async close() {
      const opened = await opening;
      opened?.port.stopListening();
      await opened?.port.close(closingMsMax);
    },
  };
}

function tokenOf(users: Map<string, UserInfo>, user: UserInfo): string {
  for (const [token, known] of users)
    if (known.name === user.name && known.groups.join() === user.groups.join()) return token;
  const token = crypto.randomUUID();
  users.set(token, user);
  return token;
}

/** Our own tokens identify a user as in-process requests do; others are left to the server. */
function knownBy(users: ReadonlyMap<string, UserInfo>, incoming: IncomingRequest): IncomingRequest {
  const { authorization } = incoming.headers;
  if (typeof authorization !== 'string' || !authorization.startsWith(bearer)) return incoming;
  const user = users.get(authorization.slice(bearer.length));
  if (user === undefined) return incoming;
  return {
    method: incoming.method,
    path: incoming.path,
    query: incoming.query,
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    body: incoming.body,
    structured: incoming.structured,
    observer: incoming.observer,
    signal: () => incoming.signal(),
    peer: { ...incoming.peer, user },
  };
}

/** JSON is valid YAML. */
const configOf = (server: string, authority: string, name: string, token: string): unknown => ({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [
    {
      name: 'coxswain',
      cluster: { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') },
    },
  ],
  users: [{ name, user: { token } }],
  contexts: [{ name: 'coxswain', context: { cluster: 'coxswain', user: name } }],
  'current-context': 'coxswain',
});
