/** Replaces `create.ts` where there are no files, ports or threads: an API server in the memory of a page. */
import type { Clock } from '@coxswain/apimachinery';
import type { Storage } from '@coxswain/storage';
import { assembleKubeApiServer, type AssembledApiServer, type AssemblyOptions } from '../assemble.ts';
import { parseRuntimeConfig } from '../runtime-config.ts';
import { issuerDefault } from '../service-accounts/token-issuer.ts';
import { ownTokens } from '../service-accounts/own-key.ts';

export interface PageApiServerSettings extends Omit<AssemblyOptions, 'runtimeConfig'> {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly runtimeConfig?: string | undefined;
}

/** Resolves when the server serves and its store has the bootstrap objects. */
export async function createKubeApiServer({
  runtimeConfig = '',
  ...settings
}: PageApiServerSettings): Promise<AssembledApiServer & { readonly address: undefined }> {
  const { descriptions } = await import('#descriptions');
  const server = await assembleKubeApiServer({
    hostName: 'coxswain',
    authorizationModes: ['RBAC'],
    serviceAccounts: { issuers: [issuerDefault], ...ownTokens(issuerDefault) },
    advertiseAddress: documentationAddress,
    descriptionOf: (definition, member = '') => descriptions[definition]?.[member],
    ...settings,
    runtimeConfig: parseRuntimeConfig(runtimeConfig),
  });
  await server.start();
  return { ...server, address: undefined };
}

/** From RFC 5737: the endpoints of the service `kubernetes` need an address, and a page has none. */
const documentationAddress = '192.0.2.1';
