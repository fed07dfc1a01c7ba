/** Admin access to devices in use requires a namespace that an administrator has labeled for it. */
import { FieldPath, forbiddenError, invalid } from '@coxswain/apimachinery';
import type { Strategy } from '@coxswain/apiserver';
import type { ResourceClaimSpec } from '@coxswain/api/resource/v1/index.ts';
import { resources } from '../../object-reader.ts';
import type { AnyObject } from '../any-object.ts';
import type { Services } from '../services.ts';

const adminLabel = 'resource.kubernetes.io/admin-access';

/** `specOf` returns the claim's spec; the kind's name is for error messages. */
export const adminAccess =
  (kind: string, specOf: (object: AnyObject) => ResourceClaimSpec | undefined) =>
  ({ objects }: Services): Pick<Strategy<AnyObject>, 'beginCreate'> => ({
    async beginCreate(object) {
      const requests = specOf(object)?.devices?.requests ?? [];
      const index = requests.findIndex(({ exactly }) => exactly?.adminAccess === true);
      if (index < 0) return undefined;
      const { namespace = '', name = '' } = object.metadata;
      const holder = await objects.get<AnyObject>(resources.namespaces, '', namespace);
      if (holder?.metadata.labels?.[adminLabel] === 'true') return undefined;
      const path = FieldPath.of('spec', 'devices', 'requests').index(index).child('adminAccess');
      const detail = `admin access to devices requires the \`${adminLabel}: true\` label on the containing namespace`;
      throw invalid({ group: 'resource.k8s.io', kind }, name, [forbiddenError(path, detail)]);
    },
  });
