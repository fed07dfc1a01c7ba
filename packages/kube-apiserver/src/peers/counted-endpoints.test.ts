import { afterEach, expect, test } from 'vitest';
import { MemoryStorage } from '@coxswain/storage';
import { assembleKubeApiServer, type AssembledApiServer } from '../assemble.ts';
import { systemUser } from '../system-request.ts';
import { CountedEndpoints, countedAddresses } from './counted-endpoints.ts';
import { SystemObjects } from './system-objects.ts';

test.each<[string, string[], string, number, string[]]>([
  ['a server adds itself', ['10.0.0.1'], '10.0.0.2', 3, ['10.0.0.1', '10.0.0.2']],
  ['one that is there stays where it is', ['10.0.0.2', '10.0.0.1'], '10.0.0.1', 2, ['10.0.0.2', '10.0.0.1']],
  ['too many: who comes after goes', ['10.0.0.1', '10.0.0.3'], '10.0.0.2', 2, ['10.0.0.1', '10.0.0.2']],
  ['behind the last comes the first', ['10.0.0.1', '10.0.0.2'], '10.0.0.3', 2, ['10.0.0.2', '10.0.0.3']],
  ['of one there is only itself', ['10.0.0.1', '10.0.0.3'], '10.0.0.2', 1, ['10.0.0.2']],
])('%s', (_title, there, own, countMax, wanted) => {
  expect(countedAddresses(there, own, countMax)).toEqual(wanted);
});

let server: AssembledApiServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

test('servers stand behind the service together, in the slice too, until they leave', async () => {
  server = await assembleKubeApiServer({ storage: new MemoryStorage(), reconcilesEndpoints: false });
  await server.start();
  const objects = new SystemObjects(server.inProcess(systemUser));
  const [one, two] = ['10.1.0.1', '10.1.0.2'].map((ip) => new CountedEndpoints(objects, ip, 6443, 2));
  interface Reported {
    readonly subsets?: readonly { readonly addresses: readonly { readonly ip: string }[] }[];
    readonly endpoints?: readonly { readonly addresses: readonly string[] }[];
  }
  const reported = async () => {
    const endpoints = await objects.get<Reported>('/api/v1/namespaces/default/endpoints/kubernetes');
    const slice = await objects.get<Reported>(
      '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
    );
    const addresses = endpoints?.subsets?.[0]?.addresses.map(({ ip }) => ip) ?? [];
    expect(slice?.endpoints?.flatMap((one_) => one_.addresses) ?? []).toEqual(addresses);
    return addresses;
  };

  await one!.reconcile();
  await two!.reconcile();
  await one!.reconcile();
  expect(await reported()).toEqual(['10.1.0.1', '10.1.0.2']);
  await one!.leave();
  await one!.reconcile();
  expect(await reported()).toEqual(['10.1.0.2']);
});
