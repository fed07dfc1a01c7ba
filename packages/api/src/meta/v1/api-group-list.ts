import * as t from '@coxswain/schema';
import { APIGroup } from './api-group.ts';

export const APIGroupList = t.kind('meta/v1.APIGroupList', 'meta.k8s.io/v1', undefined, {
  groups: t.always(1, t.atomicList(APIGroup.type), { required: true }),
});
export interface APIGroupList extends t.Static<typeof APIGroupList> {}
