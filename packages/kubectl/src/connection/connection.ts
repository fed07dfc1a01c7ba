/** Builds the connection to a cluster from kubeconfig and options. */
import { runStep } from '@coxswain/apimachinery';
import { RestClient, onceEach, type Transport } from '@coxswain/client';
import { transportOf } from '@coxswain/client/https/connect.ts';
import { apiClient } from '../api-client.ts';
import type { CommandContext, Connection } from '../context.ts';
import { asConfiguredUser } from './as-configured-user.ts';
import { discoveryOf, selfDescriptionCached } from './discovery.ts';
import { checkCredentialPlugin } from './credential-plugin.ts';
import { explainConnection } from './explain.ts';
import { namespaceOf, resolveConfig } from './load-config.ts';
import { resourceMapper } from './mapper.ts';
import { needsLogin } from './needs-login.ts';
import { requestLog } from './request-log.ts';
import { userAgent } from './user-agent.ts';

export async function connect(context: CommandContext): Promise<Connection> {
  let rest: RestClient | undefined;
  let mapper: ReturnType<typeof resourceMapper> | undefined;
  const explain = (failure: unknown) => explainConnection(failure, rest?.transport.address ?? '');
  const restClient = async () =>
    (rest ??= await makeRest(context).catch((failure: unknown) => {
      throw explain(failure);
    }));
  return {
    rest: restClient,
    client: async () => apiClient(await restClient(), { explain, timeoutMs: context.requestTimeoutMs }),
    mapper: async () =>
      (mapper ??= resourceMapper(discoveryOf(context, await restClient()), {
        warn: (text) => context.warn(text),
        explain,
        observer: context.io.observer,
      })),
    namespace: () => namespaceOf(context),
    close: async () => {
      if (context.io.transport === undefined) await rest?.transport.close();
    },
  };
}

async function makeRest(context: CommandContext): Promise<RestClient> {
  const { io, clock, globals } = context;
  const log = globals.v >= 6 ? requestLog(context, globals.v) : undefined;
  const transport =
    io.transport === undefined
      ? selfDescriptionCached(context, await configuredTransport(context))
      : asConfiguredUser(io.transport, resolveConfig(context), clock);
  return new RestClient({
    transport: log === undefined ? transport : log(transport),
    userAgent,
    clock,
    onWarning: onceEach((text) => context.warn(text)),
    ...(io.observer === undefined ? {} : { observer: io.observer }),
  });
}

async function configuredTransport(context: CommandContext): Promise<Transport> {
  const config = runStep(context.io.observer, 'load-kubeconfig', () => {
    const resolved = resolveConfig(context);
    context.io.observer?.note?.({ server: resolved.cluster.server, namespace: resolved.namespace });
    return resolved;
  });
  await checkCredentialPlugin(context, config);
  // Evaluated before prompting for a name, so that an invalid duration is reported first.
  void context.requestTimeoutMs;
  if (!needsLogin(config)) return transportOf(config, context.clock, oneByOne);
  const { askForLogin } = await import('./login.ts');
  return transportOf(
    { ...config, user: { ...config.user, ...(await askForLogin(context.io)) } },
    context.clock,
    oneByOne,
  );
}

/** A command sends few requests, one after the other. */
const oneByOne = { protocol: 'http/1.1' } as const;
