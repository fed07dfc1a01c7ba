import * as rbac from '@coxswain/api/rbac/v1/index.ts';
import { resource, served } from '../resource.ts';
import type { Group } from '../resource.ts';
import { bindingStrategy, roleStrategy } from './escalation.ts';

export const rbacGroup: Group = {
  name: 'rbac.authorization.k8s.io',
  versions: [served('v1')],
  resources: [
    resource(rbac.ClusterRole, { allowCreateOnUpdate: true, serverStrategy: roleStrategy }),
    resource(rbac.ClusterRoleBinding, { allowCreateOnUpdate: true, serverStrategy: bindingStrategy }),
    resource(rbac.Role, { allowCreateOnUpdate: true, serverStrategy: roleStrategy }),
    resource(rbac.RoleBinding, { allowCreateOnUpdate: true, serverStrategy: bindingStrategy }),
  ],
};
