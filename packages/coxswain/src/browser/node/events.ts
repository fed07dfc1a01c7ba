/** `node:events` */

import events from 'events';

export const { EventEmitter, once } = events;
