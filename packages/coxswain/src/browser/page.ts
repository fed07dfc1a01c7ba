/** The part of `coxswain/browser` that a page loads if its cluster runs in a worker. */

export { filesOf, kubectl } from './kubectl.ts';
export { storedFile } from './stored-file.ts';
export { createClusterInWorker } from './worker/page-cluster.ts';
