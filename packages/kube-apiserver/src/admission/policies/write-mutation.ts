/** Changes an object as one mutation of a policy says. */
import { internalError, serviceUnavailable } from '@coxswain/apimachinery';
import type { KubeObject } from '@coxswain/apimachinery';
import { defaultObject, withTypeMeta } from '@coxswain/apiserver/handlers/body/decode-body.ts';
import { requestCostMax } from '@coxswain/cel';
import type { Value } from '@coxswain/cel';
import { DecodeError, decodeValue } from '@coxswain/schema';
import type { Kind } from '@coxswain/schema';
import { appliedConfiguration } from './apply-configuration.ts';
import { evaluateExpressions } from './evaluate-expressions.ts';
import { patchedByJson } from './json-patch.ts';
import { policyActivation } from './policy-activation.ts';
import type { PolicyInputs } from './policy-activation.ts';
import { MutationProblem } from './mutation-problem.ts';
import type { MutatingProgram, PolicyMutation } from './policy-program.ts';

/** @throws MutationProblem, EvaluationProblem where the policy is at fault; StatusError where the write ends */
export function evaluateMutation(
  { expression }: PolicyMutation,
  { variables }: MutatingProgram,
  inputs: PolicyInputs,
): Value {
  const { compiled } = expression;
  if ('problem' in compiled) throw new MutationProblem(compiled.problem);
  const activation = policyActivation(inputs, variables);
  const result = evaluateExpressions([expression], activation, requestCostMax).results[0]!;
  if ('problem' in result) throw new MutationProblem(result.problem);
  return result.value;
}

/** A new object with its defaults; the one given stays as it is. */
export function mutatedObject(
  { kind: way }: PolicyMutation,
  value: Value,
  object: KubeObject,
  kind: Kind | undefined,
  nowMs: number,
): KubeObject {
  if (kind === undefined) {
    throw serviceUnavailable(
      `Resource kind ${object.apiVersion}, Kind=${object.kind} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`,
    );
  }
  const changed =
    way === 'jsonPatch' ? patchedByJson(value, object) : appliedConfiguration(value, object, kind);
  const decoded = changed === object ? object : decodedAs(kind, changed, way === 'jsonPatch');
  defaultObject(kind, decoded, nowMs);
  return decoded;
}

/** @throws StatusError 500 for what isn't an object of the kind, unknown members too where they are looked for */
function decodedAs(kind: Kind, value: unknown, isStrict: boolean): KubeObject {
  try {
    const { object, problems } = decodeValue(kind.type, structuredClone(value));
    if (isStrict && problems.length > 0 && !kind.type.isCustom) {
      throw internalError(`strict decoding error: ${problems.join(', ')}`);
    }
    return withTypeMeta(object as KubeObject, kind);
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    throw internalError(failure.message);
  }
}
