import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { ResourceClient } from '@coxswain/client';

/**
 * Creates the object, or merges it into the existing one so that additions by others remain.
 * @throws StatusError if the cluster refuses it
 */
export async function writeMerged(objects: ResourceClient<KubeObject>, object: KubeObject): Promise<void> {
  const merge = () => objects.patch(object.metadata.name ?? '', object, { type: 'merge' });
  try {
    await merge();
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
    await objects.create(object).catch((failure: unknown) => {
      // Another server of the cluster created it first.
      if (!isStatusError(failure, 'AlreadyExists')) throw failure;
      return merge();
    });
  }
}
