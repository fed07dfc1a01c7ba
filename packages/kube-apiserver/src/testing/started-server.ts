/** An in-process server with the default namespace, and a concise way to send requests. */
import type { Status } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import { MemoryStorage } from '@coxswain/storage';
import { assembleKubeApiServer, type AssemblyOptions } from '../assemble.ts';

export interface Answered extends Partial<Omit<Status, 'status' | 'metadata'>> {
  readonly metadata: {
    readonly uid?: string;
    readonly name?: string;
    readonly annotations?: Record<string, string>;
  };
  readonly items?: readonly unknown[];
  readonly status?: { readonly used?: object; readonly allowed?: boolean; readonly evaluationError?: string };
  readonly spec?: Readonly<Record<string, unknown>>;
}

export interface StartedServer {
  send(
    method: string,
    path: string,
    body?: object,
    contentType?: string,
    user?: UserInfo,
    headers?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly body: Answered; readonly text: string }>;
  stop(): Promise<void>;
}

const admin: UserInfo = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

export async function startedServer(options: Partial<AssemblyOptions> = {}): Promise<StartedServer> {
  const server = await assembleKubeApiServer({
    storage: new MemoryStorage(),
    disableAdmissionPlugins: ['ServiceAccount'],
    authorizationModes: ['RBAC'],
    ...options,
  });
  await server.start();
  return {
    stop: () => server.stop(),
    async send(method, path, body, contentType = 'application/json', user = admin, headers = {}) {
      const transport = server.inProcess(user, { structured: false });
      const answer = await transport.send({
        method,
        path,
        headers: { 'content-type': contentType, ...headers },
        ...(body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) }),
      });
      const text = new TextDecoder().decode(await answer.bytes());
      return {
        status: answer.status,
        text,
        // A watch sends more than one document, so only its text is of use.
        get body() {
          return text.startsWith('{') ? (JSON.parse(text) as Answered) : { metadata: {} };
        },
      };
    },
  };
}
