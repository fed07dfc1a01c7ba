/** `deployments/rollback`: requests an earlier template from the controller through an annotation. */
import {
  badRequest,
  deepClone,
  invalid,
  notFound,
  requiredError,
  type KubeObject,
} from '@coxswain/apimachinery';
import { servedObject, type ApiResource, type RestStorage } from '@coxswain/apiserver';
import { setRollbackRevision } from '@coxswain/api/apps/rollback-annotation.ts';
import type { DeploymentRollback } from '@coxswain/api/extensions/v1beta1.ts';
import type { Kind } from '@coxswain/schema';
import { as } from '../any-object.ts';
import type { Stores } from '../resource.ts';

export const rollbackSubresource =
  (kind: Kind) =>
  (stores: Stores): Readonly<Record<string, ApiResource>> => ({
    rollback: { storage: rollbackStorage(kind, stores), managedFields: false },
  });

const rollbackStorage = (kind: Kind, stores: Stores): RestStorage => ({
  kind,
  namespaced: true,
  namedCreate: true,
  async create(request, object, options, validate, name) {
    const rollback = as<DeploymentRollback>(object);
    if (!rollback.name) throw nameless();
    if (rollback.name !== name) {
      throw badRequest('name in URL does not match name in DeploymentRollback object');
    }
    await validate(object);
    const { main } = stores.of('apps', 'deployments');
    const updated = (old: KubeObject | undefined) => {
      if (old === undefined) throw notFound({ group: 'apps', resource: 'deployments' }, name);
      return rolledBack(old, rollback);
    };
    const nobodyAsked = { create: () => undefined, update: () => undefined, forceAllowCreate: false };
    await main.update(request, name, { updated }, options, nobodyAsked);
    return servedObject(answer(name));
  },
});

function rolledBack(old: KubeObject, { rollbackTo, updatedAnnotations }: DeploymentRollback): KubeObject {
  const deployment = deepClone(old);
  deployment.metadata.annotations = { ...deployment.metadata.annotations, ...updatedAnnotations };
  setRollbackRevision(deployment, rollbackTo?.revision ?? 0);
  return deployment;
}

const nameless = () =>
  invalid({ group: 'apps', kind: 'DeploymentRollback' }, '', [requiredError('name', 'name is required')]);

const answer = (name: string): KubeObject =>
  as<KubeObject>({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    message: `rollback request for deployment ${JSON.stringify(name)} succeeded`,
    code: 200,
  });
