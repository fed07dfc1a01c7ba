import * as t from '@coxswain/schema';
import * as v1 from '../v1/index.ts';

export const ResourceClaim = t.kindIn('resource/v1beta2', v1.ResourceClaim, {
  shared: ['defaults', 'columns'],
});
export interface ResourceClaim extends t.Static<typeof ResourceClaim> {}
