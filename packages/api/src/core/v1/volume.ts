import * as t from '@coxswain/schema';
import { VolumeSource } from './volume-sources.ts';

export const Volume = t.struct('core/v1.Volume', {
  name: t.always(1, t.string, { required: true }),
  volumeSource: t.embedded(2, VolumeSource),
});
export interface Volume extends t.Static<typeof Volume> {}
