/** A validating policy's decision on a write with one set of parameters. */
import { requestCostMax } from '@coxswain/cel';
import {
  evaluateExpressions,
  EvaluationProblem,
  type Evaluated,
  type ExpressionResult,
} from './evaluate-expressions.ts';
import { policyActivation, withoutAuthorizer, type PolicyInputs } from './policy-activation.ts';
import {
  ignoresFailures,
  type AuditAnnotation,
  type PolicyValidation,
  type ValidatingPolicy,
} from './policy-objects.ts';
import type { ValidatingProgram } from './policy-program.ts';

export interface PolicyDecision {
  readonly isDenied: boolean;
  /** Whether an expression failed rather than returned false. */
  readonly isError: boolean;
  readonly message: string;
  readonly reason: string;
}

export type AnnotationDecision =
  | { readonly kind: 'publish'; readonly key: string; readonly value: string }
  | { readonly kind: 'deny'; readonly message: string }
  | { readonly kind: 'exclude' };

export interface PolicyDecisions {
  /** One for each validation, in order; a single one after an earlier error. */
  readonly decisions: readonly PolicyDecision[];
  readonly annotations: readonly AnnotationDecision[];
}

const nothing: PolicyDecisions = { decisions: [], annotations: [] };
const admitted: PolicyDecision = { isDenied: false, isError: false, message: '', reason: '' };

export function policyDecisions(
  policy: ValidatingPolicy,
  program: ValidatingProgram,
  inputs: PolicyInputs,
): PolicyDecisions {
  // Match conditions don't see the namespace.
  const condition = program.conditions({ ...inputs.write, params: inputs.params, namespaceObject: null });
  if (condition.kind === 'no-match') return nothing;
  if (condition.kind === 'error') {
    return { decisions: [failed(policy, condition.message)], annotations: [] };
  }
  try {
    return decide(policy, program, inputs);
  } catch (failure) {
    if (!(failure instanceof EvaluationProblem)) throw failure;
    return { decisions: [failed(policy, failure.message)], annotations: [] };
  }
}

const failed = (policy: ValidatingPolicy, message: string): PolicyDecision => ({
  isDenied: !ignoresFailures(policy),
  isError: true,
  message,
  reason: '',
});

function decide(policy: ValidatingPolicy, program: ValidatingProgram, inputs: PolicyInputs): PolicyDecisions {
  const { validations = [], auditAnnotations = [] } = policy.spec;
  const { variables } = program;
  const validated = evaluateExpressions(
    program.validations,
    policyActivation(inputs, variables),
    requestCostMax,
  );
  const plain = withoutAuthorizer(inputs);
  const messages = evaluateMessages(program, plain, validated.budget);
  const decisions = validations.map((validation, index) => {
    const result = validated.results[index]!;
    if ('problem' in result) return failed(policy, result.problem);
    if (typeof messages === 'string') return failed(policy, `failed messageExpression: ${messages}`);
    if (result.value === true) return admitted;
    const message = messageOf(validation, messages.results[index]);
    return { isDenied: true, isError: false, message, reason: validation.reason ?? 'Invalid' };
  });
  const annotated = evaluateExpressions(
    program.annotations,
    policyActivation(plain, variables),
    requestCostMax,
  );
  return {
    decisions,
    annotations: auditAnnotations.map((annotation, index) =>
      annotationDecision(policy, annotation, annotated.results[index]!),
    ),
  };
}

/** Returns a text when the budget is exceeded. */
function evaluateMessages(
  { messages, variables }: ValidatingProgram,
  inputs: PolicyInputs,
  budget: number,
): Evaluated | string {
  try {
    return evaluateExpressions(messages, policyActivation(inputs, variables), budget);
  } catch (failure) {
    if (!(failure instanceof EvaluationProblem)) throw failure;
    return failure.message;
  }
}

/** In bytes; a longer message is ignored. */
const messageSizeMax = 5 * 1024;

function messageOf(
  { expression, message = '' }: PolicyValidation,
  result: ExpressionResult | undefined,
): string {
  if (result !== undefined && 'value' in result && typeof result.value === 'string') {
    const text = trimmed(result.value);
    if (text !== '' && !text.includes('\n') && Buffer.byteLength(text) <= messageSizeMax) return text;
  }
  return trimmed(message) || `failed expression: ${trimmed(expression)}`;
}

function annotationDecision(
  policy: ValidatingPolicy,
  { key }: AuditAnnotation,
  result: ExpressionResult,
): AnnotationDecision {
  if ('problem' in result) {
    return ignoresFailures(policy) ? { kind: 'exclude' } : { kind: 'deny', message: result.problem };
  }
  const value = typeof result.value === 'string' ? trimmed(result.value) : '';
  return value === '' ? { kind: 'exclude' } : { kind: 'publish', key, value };
}

const trimmed = (text: string): string => text.trim();
