/** Writes an earlier state of an object. */

import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import type { ResourceClient } from '@coxswain/client';
import { editableYaml } from '../yaml/editable-yaml.ts';
import { restored } from './restored.ts';

/** A status may be written again and again while a controller acts on the change that is undone. */
const attemptsMax = 5;

export interface Restoration {
  /** The earlier state. */
  readonly wanted: KubeObject;
  /** The state that was compared; undefined if the object no longer exists. */
  readonly now: KubeObject | undefined;
  readonly fieldManager: string;
}

/**
 * Only a change of what is restored is a conflict: what controllers write meanwhile, such as a status, is read again and
 * kept.
 * @throws StatusError
 */
export async function restoreObject(
  resource: Pick<ResourceClient<KubeObject>, 'create' | 'get' | 'update'>,
  { wanted, now, fieldManager }: Restoration,
): Promise<void> {
  if (now === undefined) {
    await resource.create(restored(wanted, now), { fieldManager });
    return;
  }
  for (let attempt = 1; ; attempt++) {
    const latest = await resource.get(now.metadata.name!);
    try {
      await resource.update(restored(wanted, isSameWish(now, latest) ? latest : now), { fieldManager });
      return;
    } catch (failure) {
      const mayRepeat = attempt < attemptsMax && isSameWish(now, latest);
      if (!mayRepeat || !isStatusError(failure, 'Conflict')) throw failure;
    }
  }
}

/** Objects without a generation have no status either. */
const isSameWish = (one: KubeObject, other: KubeObject): boolean =>
  one.metadata.uid === other.metadata.uid &&
  (one.metadata.generation === undefined
    ? editableYaml(one) === editableYaml(other)
    : one.metadata.generation === other.metadata.generation);
