/** From kubeconfig and options to the doors of a cluster. */
import { RestClient, onceEach } from '@coxswain/client';
import { transportOf } from '@coxswain/client/kubeconfig/connect.ts';
import type { ApiClient } from '../api-client.ts';
import { apiClient } from '../api-client.ts';
import type { CommandContext, NamespaceChoice } from '../context.ts';
import { explainConnection } from './explain.ts';
import { loadConfig, namespaceOf, resolveConfig } from './load-config.ts';
import { resourceMapper } from './mapper.ts';
import { requestLog } from './request-log.ts';
import { userAgent } from './user-agent.ts';

export interface Connection {
  client(): Promise<ApiClient>;
  rest(): Promise<RestClient>;
  mapper(): Promise<ReturnType<typeof resourceMapper>>;
  namespace(): NamespaceChoice;
  close(): Promise<void>;
}

export async function connect(context: CommandContext): Promise<Connection> {
  let rest: RestClient | undefined;
  let mapper: ReturnType<typeof resourceMapper> | undefined;
  const explain = (failure: unknown) => explainConnection(failure, rest?.transport.address ?? '');
  const restClient = async () => (rest ??= makeRest(context));
  return {
    rest: restClient,
    client: async () => apiClient(await restClient(), { explain, timeoutMs: context.requestTimeoutMs }),
    mapper: async () =>
      (mapper ??= resourceMapper(await restClient(), { warn: (text) => context.warn(text), explain })),
    namespace: () => namespaceOf(context),
    close: async () => {
      if (context.io.transport === undefined) await rest?.transport.close();
    },
  };
}

function makeRest(context: CommandContext): RestClient {
  const { io, clock, globals } = context;
  const log = globals.v >= 6 ? requestLog(context, globals.v) : undefined;
  const transport = io.transport ?? transportOf(resolveConfig(context, loadConfig(context)), clock);
  return new RestClient({
    transport: log === undefined ? transport : log(transport),
    userAgent,
    clock,
    onWarning: onceEach((text) => context.warn(text)),
    ...(io.observer === undefined ? {} : { observer: io.observer }),
  });
}
