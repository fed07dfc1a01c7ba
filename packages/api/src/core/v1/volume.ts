import { always, embedded, string, struct } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { VolumeSource } from './volume-sources.ts';

export const Volume = struct('core/v1.Volume', {
  name: always(1, string, { required: true }),
  volumeSource: embedded(2, VolumeSource),
});
export interface Volume extends Static<typeof Volume> {}
