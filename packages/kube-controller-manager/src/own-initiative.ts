import { here, runStep, scopeOf, type KubeObject, type StepDetail, type Work } from '@coxswain/apimachinery';
import type { ControllerContext } from './controller.ts';

export interface OwnInitiative {
  /** The object in its state that led to this; a change of it queued no key. */
  readonly object: KubeObject;
  /** The function that does the work. */
  readonly work: Work;
  readonly values?: StepDetail;
}

/** Runs what a controller does at times of its own, such as after a silence, as an undertaking for observers. */
export function ownInitiative<T>(
  { name: component, observer }: ControllerContext,
  { object, work, values }: OwnInitiative,
  body: () => T,
): T {
  const { namespace, name = '', resourceVersion } = object.metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  const scope = scopeOf(observer, () => ({
    kind: 'reconcile',
    component,
    name: key,
    causes: [{ by: 'revision', revision: Number(resourceVersion), key }],
  }));
  return runStep(scope, here`reconcile`, body, values, work);
}
