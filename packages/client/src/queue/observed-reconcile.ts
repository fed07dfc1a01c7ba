import { here, runStep, scopeOf, type StepObserver, type Work } from '@coxswain/apimachinery';
import type { WorkersOptions } from './workers.ts';
import type { WorkQueue } from './work-queue.ts';

type Reconcile = WorkersOptions['reconcile'];

export interface ObservedReconcile {
  readonly queue: WorkQueue;
  readonly observer: StepObserver | undefined;
  /** The controller's name. */
  readonly component: string;
  readonly reconcile: Reconcile;
  /** A readable name for a key that isn't one. */
  readonly nameOf?: ((key: string) => string) | undefined;
  /** The function that does the work, if `reconcile` only calls it. */
  readonly work: Work;
}

/** Wraps a reconcile function so that each call is an undertaking for observers, caused by what queued its key. */
export function observedReconcile(options: ObservedReconcile): Reconcile {
  const { queue, observer, component, reconcile, nameOf, work } = options;
  if (observer === undefined) return (key) => reconcile(key);
  return (key) => {
    const scope = scopeOf(observer, () => ({
      kind: 'reconcile',
      component,
      name: nameOf?.(key) ?? key,
      causes: queue.causesOf(key),
    }));
    const reported = { queueLength: queue.length, retries: queue.failures(key) };
    return runStep(scope, here`reconcile`, () => reconcile(key), reported, work);
  };
}
