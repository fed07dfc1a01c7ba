import * as t from '@coxswain/schema';
import { PolicyRule } from './policy-rule.ts';
import * as v1beta1 from '../v1beta1/role.ts';

export const Role = t.kindIn('rbac/v1alpha1', v1beta1.Role, {
  fields: { rules: t.always(2, t.atomicList(PolicyRule)) },
});
export interface Role extends t.Static<typeof Role> {}
