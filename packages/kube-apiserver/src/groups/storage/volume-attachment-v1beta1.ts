import type { OtherVersion } from '../resource.ts';

/** In v1beta1 a write of the whole object includes its status. */
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
