import type { OtherVersion } from '../resource.ts';

/** In v1beta1 whoever writes the whole object writes its status, too. */
export const openStatus: Pick<OtherVersion, 'strategy' | 'hasStatusEndpoint'> = {
  hasStatusEndpoint: false,
  strategy: ({ prepareForCreate, prepareForUpdate }) => ({
    resetFields: [],
    prepareForCreate(object, request) {
      const { status } = object;
      prepareForCreate?.(object, request);
      if (status !== undefined) object.status = status;
    },
    prepareForUpdate(object, old, request) {
      const { status } = object;
      prepareForUpdate?.(object, old, request);
      if (status !== undefined) object.status = status;
    },
  }),
};
