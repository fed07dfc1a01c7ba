/** The service allocators of this server, whose addresses are stored as IPAddress objects. */
import { ignoring, type Clock, type KubeObject, type Random } from '@coxswain/apimachinery';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import { isLocal, type Storage } from '@coxswain/storage/storage.ts';
import type { ObjectReader } from '../../../object-reader.ts';
import { systemRequest } from '../../../system-request.ts';
import { as } from '../../any-object.ts';
import type { Stores } from '../../resource.ts';
import { ClusterIpAllocator } from './cluster-ip-allocator.ts';
import { ipAddressOf, type IpAllocator } from './ip-allocator.ts';
import { addressAt, ipRangeOf } from './ip-range.ts';
import { NodePortAllocator, type PortRange } from './node-port-allocator.ts';
import { PortAllocator } from './port-allocator.ts';
import { ServiceAllocators, type ServiceAllocation } from './service-allocators.ts';
import { serviceRangesOf } from './service-ranges.ts';

export interface ServiceAllocationOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly objects: ObjectReader;
  readonly stores: Stores;
  readonly ranges: readonly string[];
  readonly nodePorts: PortRange;
  readonly features: FeatureGates;
  readonly storage: Storage;
  /** The store of node ports that several servers share, … */
  readonly portStorage: Storage;
  /** … and its encoding. */
  readonly storedForm: StoredForm;
}

const ipAddresses = { group: 'networking.k8s.io', resource: 'ipaddresses' };

/** @throws Error for an invalid range */
export function serviceAllocationOf(options: ServiceAllocationOptions): ServiceAllocation {
  const { clock, random, objects, stores, ranges, nodePorts, storage, portStorage, storedForm } = options;
  const configured = ranges.map((range) => {
    const parsed = ipRangeOf(range);
    if (parsed === undefined) throw new Error(`invalid CIDR address: ${range}`);
    return parsed;
  });
  const addresses = bookOf(clock, objects, stores);
  const ofCluster = serviceRangesOf(objects);
  const allocators = configured.map(
    ({ family }) => new ClusterIpAllocator(family, ofCluster, addresses, random),
  );
  const ports = new NodePortAllocator(nodePorts, random);
  const portAllocator = isLocal(storage) ? undefined : new PortAllocator(portStorage, nodePorts, storedForm);
  return {
    allocators: new ServiceAllocators(allocators, ports, options.features, portAllocator),
    portAllocator,
    addresses,
    ranges: ofCluster,
    nodePorts: ports,
    firstAddress: addressAt(configured[0]!, 0n),
    async deleteEndpoints(namespace, name) {
      const request = systemRequest(clock, { group: '', resource: 'endpoints', namespace });
      const { main } = stores.of('', 'endpoints');
      await removed(main.delete(request, name, { dryRun: false }, () => undefined));
    },
  };
}

const bookOf = (clock: Clock, objects: ObjectReader, stores: Stores): IpAllocator => {
  const request = () => systemRequest(clock, ipAddresses);
  const store = () => stores.of(ipAddresses.group, ipAddresses.resource).main;
  return {
    isTaken(ip) {
      const found = objects.get<KubeObject>(ipAddresses, '', ip);
      return found !== undefined && !(found instanceof Promise);
    },
    async add(ip, family, service) {
      const object = as<KubeObject>(withManager(ipAddressOf(ip, family, service), clock.now()));
      const options = { dryRun: false, fieldManager: 'kube-apiserver', fieldValidation: 'Ignore' } as const;
      await store().create(request(), object, options, () => undefined, '');
    },
    remove: (ip) => removed(store().delete(request(), ip, { dryRun: false }, () => undefined)),
  };
};

const removed = (deletion: unknown): Promise<void> => ignoring('NotFound', Promise.resolve(deletion));

/** As upstream's allocator leaves it: the server owns the fields that it wrote. */
const withManager = (object: ReturnType<typeof ipAddressOf>, nowMs: number) => ({
  ...object,
  metadata: {
    ...object.metadata,
    managedFields: [
      {
        manager: 'kube-apiserver',
        operation: 'Update',
        apiVersion: 'networking.k8s.io/v1',
        time: `${new Date(nowMs).toISOString().slice(0, 19)}Z`,
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': {
            'f:labels': {
              '.': {},
              'f:ipaddress.kubernetes.io/ip-family': {},
              'f:ipaddress.kubernetes.io/managed-by': {},
            },
          },
          'f:spec': { 'f:parentRef': { '.': {}, 'f:name': {}, 'f:namespace': {}, 'f:resource': {} } },
        },
      },
    ],
  },
});
