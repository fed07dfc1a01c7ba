/** The secure port of a program: its flags, the API server that it asks, its own checks. */
import { createClient, resolveKubeconfig } from '@coxswain/client';
import type { KubeClient } from '@coxswain/client';
import { loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { serveComponent } from './component-server.ts';
import type { ComponentParts, ComponentServer } from './component-server.ts';
import { servingSettingsOf } from './serving-flags.ts';
import type { ServingFlagValues } from './serving-flags.ts';

type ProgramParts = Pick<ComponentParts, 'name' | 'checks' | 'configuration' | 'flags' | 'log' | 'metrics'>;

/** Whose API this is. */
const version = '1.36.3';

/** Undefined where the port is 0. */
export async function serveProgram(
  values: ServingFlagValues,
  env: Readonly<Record<string, string | undefined>>,
  parts: ProgramParts,
): Promise<ComponentServer | undefined> {
  if (values.securePort === 0) return undefined;
  const { authenticationKubeconfig, authorizationKubeconfig } = values;
  const authenticationClient = clientOf(authenticationKubeconfig, env, parts.name);
  const authorizationClient =
    authorizationKubeconfig === authenticationKubeconfig
      ? authenticationClient
      : clientOf(authorizationKubeconfig, env, parts.name);
  const serving = servingSettingsOf(values);
  const server = await serveComponent({
    ...parts,
    version,
    serving,
    authenticationClient,
    authorizationClient,
  });
  return {
    port: server.port,
    async close() {
      await server.close();
      for (const client of new Set([authenticationClient, authorizationClient])) await client?.close();
    },
  };
}

function clientOf(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): KubeClient | undefined {
  if (file === '') return undefined;
  const transport = transportOf(resolveKubeconfig(loadKubeconfig({ file, env }), {}));
  return createClient({ transport, userAgent: `${name}/coxswain` });
}
