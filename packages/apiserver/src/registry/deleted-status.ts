import type { GroupResource, KubeObject, Status } from '@coxswain/apimachinery';

/** The Status that a deletion returns, which identifies the object by its uid. */
export const deletedStatus = ({ group, resource }: GroupResource, { metadata }: KubeObject): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details: {
    ...(metadata.name === undefined ? undefined : { name: metadata.name }),
    ...(group === '' ? undefined : { group }),
    kind: resource,
    ...(metadata.uid === undefined ? undefined : { uid: metadata.uid }),
  },
});
