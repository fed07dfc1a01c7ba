/** The part of `coxswain/browser` that a page loads whose cluster is in a worker. */

export { filesOf, kubectl } from './kubectl.ts';
export { storedFile } from './stored-file.ts';
export { createClusterInWorker } from './worker/page-cluster.ts';
