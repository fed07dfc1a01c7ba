/** `node:stream/promises` */

import type * as NodePromises from 'node:stream/promises';
import stream from 'readable-stream';

export const { finished, pipeline } = (stream as unknown as { readonly promises: typeof NodePromises })
  .promises;
