import * as rbac from '@coxswain/api/rbac/v1/index.ts';
import * as v1alpha1 from '@coxswain/api/rbac/v1alpha1.ts';
import * as v1beta1 from '@coxswain/api/rbac/v1beta1.ts';
import { legacy, legacyVersion, resource, served, type Group } from '../resource.ts';
import { subjectsConversion } from './convert-subjects.ts';
import { bindingStrategy, roleStrategy } from './escalation.ts';

export const rbacGroup: Group = {
  name: 'rbac.authorization.k8s.io',
  versions: [served('v1'), legacyVersion('v1beta1'), legacyVersion('v1alpha1')],
  resources: [
    resource(rbac.ClusterRole, {
      alsoAs: [legacy(v1beta1.ClusterRole), legacy(v1alpha1.ClusterRole)],
      allowCreateOnUpdate: true,
      serverStrategy: roleStrategy,
    }),
    resource(rbac.ClusterRoleBinding, {
      alsoAs: [
        legacy(v1beta1.ClusterRoleBinding),
        legacy(v1alpha1.ClusterRoleBinding, {
          conversion: subjectsConversion(rbac.ClusterRoleBinding, v1alpha1.ClusterRoleBinding),
        }),
      ],
      allowCreateOnUpdate: true,
      serverStrategy: bindingStrategy,
    }),
    resource(rbac.Role, {
      alsoAs: [legacy(v1beta1.Role), legacy(v1alpha1.Role)],
      allowCreateOnUpdate: true,
      serverStrategy: roleStrategy,
    }),
    resource(rbac.RoleBinding, {
      alsoAs: [
        legacy(v1beta1.RoleBinding),
        legacy(v1alpha1.RoleBinding, {
          conversion: subjectsConversion(rbac.RoleBinding, v1alpha1.RoleBinding),
        }),
      ],
      allowCreateOnUpdate: true,
      serverStrategy: bindingStrategy,
    }),
  ],
};
