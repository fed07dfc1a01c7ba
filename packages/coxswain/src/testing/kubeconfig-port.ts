/** The port of a test cluster, opened when somebody asks for a kubeconfig. */

import { systemClock } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import type { IncomingRequest } from '@coxswain/apiserver/http/api-request.ts';
import type { ServeRequest } from '@coxswain/apiserver/http/secure-serving.ts';
import { openSecurePort, type OpenPort } from '@coxswain/kube-apiserver/serving/secure-port.ts';
import { authorityIn } from '@coxswain/kube-apiserver/serving/serving-certificate.ts';
import { tlsFiles } from '@coxswain/kube-apiserver/serving/tls-files.ts';

export interface KubeconfigPort {
  readonly address: string | undefined;
  /** A kubeconfig with a token of this user, which is good as long as the cluster lives. */
  kubeconfig(user: UserInfo): Promise<string>;
  close(): Promise<void>;
}

export interface KubeconfigPlace {
  readonly bindAddress?: string | undefined;
  readonly port?: number | undefined;
}

const bearer = 'Bearer ';
/** Connections that still do something have so long to end. */
const closingMsMax = 100;

/**
 * Nothing listens before the first kubeconfig is asked for.
 * @param place any free port of 127.0.0.1 when it says nothing
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
    // Connections live in the time of their clients.
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

/** A token of ours says who it is, as a request within the process does; others are for the server to judge. */
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

/** JSON is YAML: every reader of kubeconfigs takes it. */
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
