import { struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';

export const Patch = struct('meta/v1.Patch', {});
export interface Patch extends Static<typeof Patch> {}
