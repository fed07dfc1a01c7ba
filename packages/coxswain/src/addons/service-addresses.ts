/** Gives each Service of type LoadBalancer its own address. */
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { formatIpv4 } from '@coxswain/simulated-nodes/container/address-pool.ts';
import type { AddonParts } from './addon-parts.ts';

type ServiceObject = Service & KubeObject;

/** 172.19.255.1 to 172.19.255.250, a range that kind clusters often use. */
const firstAddress = ((172 << 24) | (19 << 16) | (255 << 8) | 1) >>> 0;
const addressesMax = 250;

export function assignServiceAddresses({ client, informers, onError }: AddonParts): void {
  const services = informers.informer<ServiceObject>({ group: '', version: 'v1', resource: 'services' });
  /** Addresses by Service uid, including those that the watch has not reported yet. */
  const given = new Map<string, string>();
  const assign = async (service: ServiceObject): Promise<void> => {
    const { name = '', namespace = '', uid = '' } = service.metadata;
    const [known] = service.status?.loadBalancer?.ingress ?? [];
    if (known?.ip !== undefined) given.set(uid, known.ip);
    if (!wantsAddress(service) || given.has(uid)) return;
    const taken = new Set([...given.values(), ...services.lister.list().flatMap(addressesOf)]);
    const ip = freeAddress(taken);
    if (ip === undefined) return;
    given.set(uid, ip);
    await client
      .resource('v1', 'services')
      .namespace(namespace)
      .patch(
        name,
        { status: { loadBalancer: { ingress: [{ ip }] } } },
        { type: 'merge', subresource: 'status' },
      )
      .catch((error: unknown) => {
        given.delete(uid);
        if (!isStatusError(error, 'NotFound')) throw error;
      });
  };
  const changed = (service: ServiceObject) => void assign(service).catch(onError);
  const follow = () =>
    services.addHandler({
      added: changed,
      updated(_before, after) {
        if (!isLoadBalanced(after)) given.delete(after.metadata.uid ?? '');
        changed(after);
      },
      deleted: ({ metadata }) => void given.delete(metadata.uid ?? ''),
    });
  // Whoever has an address keeps it, so all are known before the first is given one.
  whenFulfilled(services.synced, follow);
}

const isLoadBalanced = ({ spec }: ServiceObject): boolean => spec?.type === 'LoadBalancer';

/** Services with a loadBalancerClass belong to other implementations. */
const wantsAddress = (service: ServiceObject): boolean =>
  isLoadBalanced(service) &&
  !service.spec?.loadBalancerClass &&
  service.metadata.deletionTimestamp === undefined;

const addressesOf = ({ status }: ServiceObject): readonly string[] =>
  (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => (ip === undefined ? [] : [ip]));

function freeAddress(taken: ReadonlySet<string>): string | undefined {
  for (let offset = 0; offset < addressesMax; offset++) {
    const address = formatIpv4(firstAddress + offset);
    if (!taken.has(address)) return address;
  }
  return undefined;
}
