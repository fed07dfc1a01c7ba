/**
 * The strategy of services: addresses and ports are allocated around a write, and old objects are completed when read.
 */
import type { Strategy } from '@coxswain/apiserver';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { as, type AnyObject } from '../../any-object.ts';
import { dropTypeDependentFields } from './type-change.ts';
import type { ServiceAllocation } from './service-allocators.ts';

export const serviceStrategy: Partial<Strategy<AnyObject>> = {
  allowCreateOnUpdate: true,
  returnDeletedObject: true,
  prepareForUpdate: (object, old) => dropTypeDependentFields(as<Service>(object), as<Service>(old)),
};

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
