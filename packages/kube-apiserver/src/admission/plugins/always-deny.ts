import type { AdmissionPlugin } from '@coxswain/apiserver';
import { refused } from '../attributes.ts';

export const alwaysDeny: AdmissionPlugin = {
  name: 'AlwaysDeny',
  handles: () => true,
  validate(attributes) {
    throw refused(attributes, 'admission control is denying all modifications');
  },
};
