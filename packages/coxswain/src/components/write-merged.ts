import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { ResourceClient } from '@coxswain/client';

/**
 * Makes the object, or merges it into the one that there is, so that what others have added stays.
 * @throws StatusError where the cluster refuses it
 */
export async function writeMerged(objects: ResourceClient<KubeObject>, object: KubeObject): Promise<void> {
  const merge = () => objects.patch(object.metadata.name ?? '', object, { type: 'merge' });
  try {
    await merge();
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
    await objects.create(object).catch((failure: unknown) => {
      // Another server of the cluster was faster.
      if (!isStatusError(failure, 'AlreadyExists')) throw failure;
      return merge();
    });
  }
}
