import { always, atomicList, kind } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { APIGroup } from './api-group.ts';

export const APIGroupList = kind('meta/v1.APIGroupList', 'meta.k8s.io/v1', undefined, {
  groups: always(1, atomicList(APIGroup.type), { required: true }),
});
export interface APIGroupList extends Static<typeof APIGroupList> {}
