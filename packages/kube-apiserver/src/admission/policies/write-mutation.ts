/** Applies one mutation of a policy to an object. */
import {
  deepClone,
  internalError,
  serviceUnavailable,
  type GroupVersionKind,
  type KubeObject,
} from '@coxswain/apimachinery';
import { defaultObject, withTypeMeta } from '@coxswain/apiserver/handlers/body/decode-body.ts';
import { requestCostMax, type Value } from '@coxswain/cel';
import { DecodeError, decodeValue, type Kind } from '@coxswain/schema';
import { appliedConfiguration } from './apply-configuration.ts';
import { evaluateExpressions } from './evaluate-expressions.ts';
import { patchedByJson } from './json-patch.ts';
import { policyActivation, type PolicyInputs } from './policy-activation.ts';
import { MutationProblem } from './mutation-problem.ts';
import type { MutatingProgram, PolicyMutation } from './policy-program.ts';

/** @throws MutationProblem, EvaluationProblem for errors of the policy; StatusError for those that end the write */
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

/** Returns a new object with its defaults; the given one is not modified. */
export function mutatedObject(
  { kind: way }: PolicyMutation,
  value: Value,
  object: KubeObject,
  kind: Kind | undefined,
  requested: GroupVersionKind,
  nowMs: number,
): KubeObject {
  if (kind === undefined) {
    throw serviceUnavailable(
      `Resource kind ${object.apiVersion}, Kind=${object.kind} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`,
    );
  }
  const changed =
    way === 'jsonPatch' ? patchedByJson(value, object) : appliedConfiguration(value, object, kind);
  if (changed === object) return object;
  if (!kind.type.isCustom && kind.version !== requested.version) {
    // Only custom resources have the same form in all versions.
    const names = [kind.version, requested.version].map((version) => `(${version}.${kind.kind})`);
    throw new MutationProblem(`converting ${names.join(' to ')}: unknown conversion`);
  }
  const decoded = way === 'jsonPatch' ? decodedStrictly(kind, changed) : decodedFromMembers(kind, changed);
  defaultObject(kind, decoded, nowMs);
  return decoded;
}

/** @throws StatusError 500 for an invalid object of the kind, including unknown members */
function decodedStrictly(kind: Kind, value: unknown): KubeObject {
  try {
    const { object, problems } = decodeValue(kind.type, deepClone(value));
    if (problems.length > 0 && !kind.type.isCustom) {
      throw internalError(`strict decoding error: ${problems.join(', ')}`);
    }
    return withTypeMeta(object as KubeObject, kind);
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    throw internalError(failure.message);
  }
}

/** The schema was already checked, so only numbers can be invalid. @throws MutationProblem */
function decodedFromMembers(kind: Kind, value: unknown): KubeObject {
  try {
    return withTypeMeta(decodeValue(kind.type, deepClone(value)).object as KubeObject, kind);
  } catch (failure) {
    if (!(failure instanceof DecodeError)) throw failure;
    const wanted = /of type (\S+)$/.exec(failure.message)?.[1];
    const { apiVersion, kind: name } = kind;
    throw new MutationProblem(
      `unable to convert unstructured object to ${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${name}: ` +
        (wanted === undefined ? failure.message : `cannot convert float64 to ${wanted}`),
    );
  }
}
