/** `coxswain/browser`: a cluster in a page or a Worker, with kubectl. */

export { createCluster } from '../testing/create-cluster.ts';
export {
  assertEventuallyHas,
  assertEventuallyLacks,
  assertRequested,
} from '../testing/matchers/assertions.ts';
export * from './page.ts';
