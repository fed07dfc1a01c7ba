/** `worker.js`: the module that a page starts as the worker for its clusters. */

import type { Port } from './calls.ts';
import { serveClusters } from './served-clusters.ts';

serveClusters(globalThis as unknown as Port);
