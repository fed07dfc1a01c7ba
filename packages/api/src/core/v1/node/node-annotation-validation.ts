/** Validates taints and pods to avoid, which old clients wrote into annotations of a node. */

import type { Errors } from '../../../meta/checks.ts';
import { jsonProblem } from '../../../meta/json-text.ts';
import { metadataPath } from '../../../meta/object-meta-validation.ts';
import type { AvoidPods } from '../pod/avoid-pods.ts';
import { validateTaints } from './node-taint-validation.ts';
import type { Taint } from '../taint.ts';

const taintsKey = 'scheduler.alpha.kubernetes.io/taints';
const avoidedKey = 'scheduler.alpha.kubernetes.io/preferAvoidPods';
const path = metadataPath.child('annotations');

export function validateNodeAnnotations(annotations: Readonly<Record<string, string>>, errors: Errors): void {
  const taints = annotations[taintsKey];
  if (taints) {
    const problem = jsonProblem(taints, 'list', '[]core.Taint');
    if (problem !== undefined) errors.invalid(path, taintsKey, problem);
    else validateTaints((JSON.parse(taints) as Taint[] | null) ?? [], path.child(taintsKey), errors);
  }
  const avoided = annotations[avoidedKey];
  if (avoided) validateAvoided(avoided, errors);
}

function validateAvoided(text: string, errors: Errors): void {
  const problem = jsonProblem(text, 'object', 'v1.AvoidPods');
  if (problem !== undefined) {
    errors.invalid(path.child('AvoidPods'), avoidedKey, problem);
    return;
  }
  const { preferAvoidPods } = (JSON.parse(text) as AvoidPods | null) ?? {};
  for (const [index, { podSignature }] of (preferAvoidPods ?? []).entries()) {
    const at = path.child(avoidedKey).index(index).child('PodSignature');
    const owner = podSignature?.podController;
    if (owner == null) errors.required(at);
    else if (!owner.controller) {
      errors.invalid(at.child('PodController', 'Controller'), false, 'must point to a controller');
    }
  }
}
