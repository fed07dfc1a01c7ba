/** The service `kubernetes`, which comes back when somebody deletes it. */
import type { SystemObjects } from './system-objects.ts';

const services = '/api/v1/namespaces/default/services';

export async function keepService(objects: SystemObjects, service: object): Promise<void> {
  if ((await objects.get(`${services}/kubernetes`)) === undefined) await objects.create(services, service);
}
