/** Event handlers of controllers that only look at the latest state of an object. */

import type { EventHandler } from '@coxswain/client';

/** Calls `look` for each object that is added or updated. */
export const onWrite = <T>(look: (object: T) => void): EventHandler<T> => ({
  added: (object) => look(object),
  updated: (_before, after) => look(after),
});

/** Calls `look` for each object that is added, updated or deleted. */
export const onChange = <T>(look: (object: T) => void): EventHandler<T> => ({
  ...onWrite(look),
  deleted: (object) => look(object),
});
