import type * as rbac from '@coxswain/api/rbac/v1/index.ts';
import type { Live } from '@coxswain/apimachinery';
import type { Describer } from './describer.ts';
import { describeAnnotations, describeLabels } from './metadata.ts';
import { DescriptionText } from './text.ts';

type RoleBinding = Live<rbac.RoleBinding>;

export const describeRoleBinding: Describer = async (object) => {
  const { metadata, roleRef, subjects = [] }: RoleBinding = object;
  const text = new DescriptionText();
  text.field(0, 'Name', metadata.name);
  describeLabels(text, 'Labels', metadata.labels);
  describeAnnotations(text, 'Annotations', metadata.annotations);
  text.line(0, 'Role:');
  text.field(1, 'Kind', roleRef?.kind);
  text.field(1, 'Name', roleRef?.name);
  text.line(0, 'Subjects:');
  text.line(1, 'Kind\tName\tNamespace');
  text.line(1, '----\t----\t---------');
  for (const { kind, name, namespace = '' } of subjects) text.line(1, `${kind}\t${name}\t${namespace}`);
  return text.toString();
};
