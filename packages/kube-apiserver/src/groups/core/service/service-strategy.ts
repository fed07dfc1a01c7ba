/** Services: addresses and ports are allocated around a write, and old ones are completed when read. */
import type { Strategy } from '@coxswain/apiserver';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { as, type AnyObject } from '../../resource.ts';
import type { ServiceAllocators } from './service-allocators.ts';
import type { IpAllocator } from './ip-allocator.ts';
import type { NodePortAllocator } from './node-port-allocator.ts';
import type { PortAllocator } from './port-allocator.ts';
import type { ServiceRanges } from './service-ranges.ts';
import { dropTypeDependentFields } from './type-change.ts';

export const serviceStrategy: Partial<Strategy<AnyObject>> = {
  allowCreateOnUpdate: true,
  returnDeletedObject: true,
  prepareForUpdate: (object, old) => dropTypeDependentFields(as<Service>(object), as<Service>(old)),
};

export interface ServiceAllocation {
  readonly allocators: ServiceAllocators;
  readonly addresses: IpAllocator;
  readonly ranges: ServiceRanges;
  readonly nodePorts: NodePortAllocator;
  /** Where other servers share the store. */
  readonly portAllocator: PortAllocator | undefined;
  /** What the `kubernetes` service gets. */
  readonly firstAddress: string;
  /** A service takes its endpoints with it. */
  deleteEndpoints(namespace: string, name: string): Promise<void>;
}

export const serviceAllocation = (allocation: ServiceAllocation): Partial<Strategy<AnyObject>> => ({
  beginCreate: (object, _request, dryRun) => allocation.allocators.beginCreate(as<Service>(object), dryRun),
  beginUpdate: (object, old, _request, dryRun) =>
    allocation.allocators.beginUpdate(as<Service>(object), as<Service>(old), dryRun),
  decorate: (object) => as<AnyObject>(allocation.allocators.completed(as<Service>(object))),
  async afterDelete(object) {
    const service = as<Service>(object);
    await allocation.deleteEndpoints(service.metadata.namespace!, service.metadata.name!);
    await allocation.allocators.afterDelete(service);
  },
});
