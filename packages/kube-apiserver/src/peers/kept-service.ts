/** Recreates the service `kubernetes` when it is deleted. */
import type { SystemObjects } from './system-objects.ts';

const services = '/api/v1/namespaces/default/services';

export async function keepService(objects: SystemObjects, service: object): Promise<void> {
  if ((await objects.get(`${services}/kubernetes`)) === undefined) await objects.create(services, service);
}
